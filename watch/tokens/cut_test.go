package tokens

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// hostile are texts on which the library alone takes seconds to minutes.
var hostile = map[string]string{
	"equal letters":           strings.Repeat("a", 80_000),
	"capitals":                strings.Repeat("A", 80_000),
	"spaces":                  strings.Repeat(" ", 80_000),
	"newlines":                strings.Repeat("\n", 80_000),
	"a rule of =":             strings.Repeat("=", 80_000),
	"CJK without punctuation": strings.Repeat("汉字没有标点", 80_000/6),
	"one CJK character":       strings.Repeat("字", 80_000),
	"joined emoji":            strings.Repeat("👩\u200d👩\u200d👧\u200d👦", 80_000/7),
	"marks":                   strings.Repeat("\u0301", 80_000),
	"signs and marks":         strings.Repeat("!\u0301", 40_000),
	"letters and marks":       strings.Repeat("e\u0301", 40_000),
	"signs, then newlines":    strings.Repeat("!", 40_000) + strings.Repeat("\n", 40_000),
	"apostrophes":             strings.Repeat("'", 80_000),
	"words and apostrophes":   strings.Repeat("a'", 40_000),
	"bytes that are no UTF-8": strings.Repeat("\xff", 80_000),
	"a cut character":         strings.Repeat("\xe6\xb1", 40_000),
	"digits":                  strings.Repeat("7", 80_000),
	"base64":                  strings.Repeat("QUJDREVGRw0K/+", 80_000/14),
}

// The library's time is the square of the longest run, and its memory a
// multiple of the piece; so both are what has to be bounded.
func TestNoPieceIsLongAndNoRunInItIs(t *testing.T) {
	for name, text := range hostile {
		t.Run(name, func(t *testing.T) {
			var joined strings.Builder
			cut(text, func(piece string) {
				joined.WriteString(piece)
				if len(piece) == 0 || len(piece) > most+utf8.UTFMax {
					t.Errorf("a piece of %d bytes", len(piece))
				}
				if run := longestRunIn(piece); run > longestRun+utf8.UTFMax {
					t.Errorf("a run of %d bytes", run)
				}
			})
			if joined.String() != text {
				t.Error("the pieces are not the text")
			}
		})
	}
}

// longestRunIn looks for the runs in a way of its own.
func longestRunIn(s string) int {
	in := []func(r rune) bool{
		func(r rune) bool { return unicode.In(r, unicode.L, unicode.M) },
		func(r rune) bool { return !unicode.In(r, unicode.L, unicode.N) && !unicode.IsSpace(r) },
		unicode.IsSpace,
	}
	longest := 0
	for _, belongs := range in {
		for _, run := range strings.FieldsFunc(s, func(r rune) bool { return !belongs(r) }) {
			longest = max(longest, len(string([]rune(run))))
		}
	}
	return longest
}

func TestOrdinaryTextIsCutOnlyWhereNothingChanges(t *testing.T) {
	for name, text := range ordinary(t) {
		cut(text, func(piece string) {
			rest, _ := strings.CutPrefix(text, piece)
			text = rest
			if rest == "" {
				return
			}
			if len(piece) < enough {
				t.Errorf("%s: a run was cut before %.20q", name, rest)
			}
			last, _ := utf8.DecodeLastRuneInString(piece)
			first, _ := utf8.DecodeRuneInString(rest)
			if unicode.IsLetter(last) && unicode.IsLetter(first) || unicode.IsSpace(last) && unicode.IsSpace(first) {
				t.Errorf("%s: cut between %q and %q", name, last, first)
			}
		})
	}
}
