package tokens

import (
	"unicode"
	"unicode/utf8"
)

const (
	// longestRun is the length in bytes at which an unbroken run is cut; a byte
	// that is no UTF-8 is read as a character of three. The library's time for
	// a run grows with the square of its length.
	longestRun = 1 << 10
	// enough is the length in bytes from which a text is handed over at the
	// next place where that changes no count.
	enough = 4 << 10
	// most is the length in bytes of a text in which no such place turns up.
	most = 32 << 10
)

// class is what the encodings' splitting rules see in a character.
type class uint8

const (
	letter class = 1 << iota
	mark
	digit
	blank // a space or a tab
	space // any other white space, line ends among them
	quote // the apostrophe: what follows it may belong to the word before
	other
)

var asciiClass = func() (table [utf8.RuneSelf]class) {
	for r := range table {
		table[r] = classify(rune(r))
	}
	return table
}()

func classOf(r rune) class {
	if r < utf8.RuneSelf {
		return asciiClass[r]
	}
	return classify(r)
}

func classify(r rune) class {
	switch {
	case unicode.IsLetter(r):
		return letter
	case unicode.IsNumber(r):
		return digit
	case unicode.IsMark(r):
		return mark
	case r == ' ' || r == '\t':
		return blank
	case unicode.IsSpace(r):
		return space
	case r == '\'':
		return quote
	default:
		return other
	}
}

// cut hands text to give in pieces that follow one another. No piece holds an
// unbroken run longer than longestRun and a character.
func cut(text string, give func(piece string)) {
	var w window
	start := 0
	for i := 0; i < len(text); {
		r, width := utf8.DecodeRuneInString(text[i:])
		c := classOf(r)
		size := i - start
		if size >= enough && w.endsBefore(c) || size >= most || w.longest() >= longestRun {
			give(text[start:i])
			start, w = i, window{}
		}
		w.add(c, utf8.RuneLen(r))
		i += width
	}
	if start < len(text) {
		give(text[start:])
	}
}

// window is what must be known of the characters of a piece so far: the last
// one and the runs that it ends, in bytes as the library reads them (digits: in
// characters). Marks may go with letters as well as with signs, so they
// lengthen both runs.
type window struct {
	last                           class
	letters, signs, spaces, digits int
}

func (w *window) add(c class, width int) {
	w.last = c
	w.letters = run(w.letters, width, c&(letter|mark) != 0)
	w.signs = run(w.signs, width, c&(mark|quote|other) != 0)
	w.spaces = run(w.spaces, width, c&(blank|space) != 0)
	w.digits = run(w.digits, 1, c == digit)
}

func run(length, more int, goesOn bool) int {
	if !goesOn {
		return 0
	}
	return length + more
}

func (w *window) longest() int { return max(w.letters, w.signs, w.spaces) }

// endsBefore reports whether every splitting rule has a boundary between the
// last character and one of class next: before a blank that follows something
// else, behind a word, behind a number, and between the groups of three into
// which digits are split.
func (w *window) endsBefore(next class) bool {
	switch {
	case next == blank:
		return w.last&(blank|space) == 0
	case w.last == letter:
		return next&(letter|mark|quote) == 0
	case w.last == digit:
		return next != digit || w.digits%3 == 0
	default:
		return false
	}
}
