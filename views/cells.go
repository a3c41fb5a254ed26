package views

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

const ellipsis = "…"

// blanks is cut to make paddings.
var blanks = strings.Repeat(" ", 512)

func spaces(n int) string {
	switch {
	case n <= 0:
		return ""
	case n <= len(blanks):
		return blanks[:n]
	}
	return strings.Repeat(" ", n)
}

// Width is the number of cells that clean text takes.
func Width(text string) int {
	if n, ok := plainWidth(text); ok {
		return n
	}
	return ansi.StringWidth(text)
}

// plainWidth counts a text whose runes all take one cell of their own, and
// reports whether it is such a text. It saves the search for grapheme
// clusters, which no frame could pay for on every line.
func plainWidth(text string) (cells int, ok bool) {
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			if c < ' ' || c > '~' {
				return 0, false
			}
			cells++
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if !plain(r) {
			return 0, false
		}
		cells++
		i += size
	}
	return cells, true
}

// plain reports whether r takes one cell and joins with nothing before it.
func plain(r rune) bool {
	switch {
	case r < 0xa1:
		return false
	case r <= 0x2ff:
		return r != 0xad
	case r >= 0x2010 && r <= 0x2027, r >= 0x2190 && r <= 0x2193, r == 0x2212, r >= 0x2260 && r <= 0x2265:
		return true
	case r >= 0x2500 && r <= 0x259f, r == 0x25b8:
		return true
	}
	return false
}

// Fit gives text as exactly cells cells: cleaned, cut with an ellipsis when it
// is longer, filled with spaces when it is shorter. A character is never cut
// in half. Everything that a frame shows passes here.
func Fit(text string, cells int) string {
	text, w := fitted(text, cells)
	return text + spaces(cells-w)
}

// FitRight is Fit with the text at the right end.
func FitRight(text string, cells int) string {
	text, w := fitted(text, cells)
	return spaces(cells-w) + text
}

// fitted cleans and cuts text to at most cells cells and says how many it
// takes.
func fitted(text string, cells int) (string, int) {
	if cells <= 0 {
		return "", 0
	}
	text = clip(text, cells)
	w, ok := plainWidth(text)
	if !ok {
		text = settle(Clean(text))
		w = Width(text)
	}
	if w > cells {
		text = cut(text, cells)
		w = Width(text)
	}
	return text, w
}

// settle drops the characters at the ends of clean text that would join with
// what a frame puts beside it, such as an accent without its letter.
func settle(text string) string {
	for text != "" {
		first, cells := ansi.FirstGraphemeCluster(text, ansi.GraphemeWidth)
		if ansi.StringWidth(" "+first) == cells+1 {
			break
		}
		_, size := utf8.DecodeRuneInString(text)
		text = text[size:]
	}
	for text != "" {
		tail := text[max(0, len(text)-64):]
		if ansi.StringWidth(tail+" ") == ansi.StringWidth(tail)+1 {
			break
		}
		_, size := utf8.DecodeLastRuneInString(text)
		text = text[:len(text)-size]
	}
	return text
}

// clip bounds the work on a very long text: what stands far behind the last
// cell that could be seen is not looked at.
func clip(text string, cells int) string {
	limit := cells*64 + 4096
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit] + ellipsis
}

// cut shortens clean text to at most cells cells, the ellipsis included.
func cut(text string, cells int) string {
	if _, ok := plainWidth(text); ok {
		n := 0
		for i := range text {
			if n == cells-1 {
				return text[:i] + ellipsis
			}
			n++
		}
	}
	return ansi.Truncate(text, cells, ellipsis)
}
