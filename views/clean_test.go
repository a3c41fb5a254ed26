package views

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

func TestCleanKeepsWordsAndDropsControls(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"plain text stays", "go test ./...", "go test ./..."},
		{"a colour sequence goes whole", "a\x1b[31mred\x1b[0mb", "aredb"},
		{"a title with BEL goes whole", "x\x1b]0;title\ay", "xy"},
		{"a title with ST goes whole", "x\x1b]0;title\x1b\\y", "xy"},
		{"a device string goes whole", "x\x1bP1$r0m\x1b\\y", "xy"},
		{"a title without end keeps its words", "x\x1b]0;title y", "x0;title y"},
		{"a title does not swallow the next line", "x\x1b]0;title\nnext\a", "x0;title next"},
		{"an eight bit sequence goes whole", "x\u009b31mc1", "xc1"},
		{"a raw eight bit byte becomes a replacement", "x\x9b31m", "x\ufffd31m"},
		{"a character set switch goes whole", "x\x1b(0y", "xy"},
		{"a lone escape goes", "x\x1b", "x"},
		{"backspace goes", "pass\b\b\b\bSPOOF", "passSPOOF"},
		{"a bidi override goes", "safe\u202egnp.exe\u202ctail", "safegnp.exetail"},
		{"bidi isolates and marks go", "a\u2066b\u2069c\u200ed\u200fe\u061cf", "abcdef"},
		{"a zero width space goes", "a\u200bb", "ab"},
		{"a byte order mark goes", "\ufeffa", "a"},
		{"hidden tags go", "a\U000e0041\U000e0042b", "ab"},
		{"a tab becomes spaces", "a\tb", "a    b"},
		{"line breaks become one space", "a\r\nb\nc\rd\u2028e", "a b c d e"},
		{"a joined emoji stays", "👩‍👩‍👧", "👩‍👩‍👧"},
		{"a bad byte becomes a replacement", "a\xffb", "a\ufffdb"},
		{"marks do not pile up", "e" + strings.Repeat("\u0301", 100), "e" + strings.Repeat("\u0301", maxMarks)},
	}
	for _, test := range tests {
		if got := Clean(test.in); got != test.want {
			t.Errorf("%s: Clean(%q) = %q, want %q", test.name, test.in, got, test.want)
		}
	}
}

func TestCleanBoundsJoinedCharacters(t *testing.T) {
	got := Clean(strings.Repeat("👩\u200d", 500))
	for _, part := range strings.Split(got, "👩👩") {
		if n := strings.Count(part, "\u200d"); n > maxJoins {
			t.Fatalf("%d joiners in one character", n)
		}
	}
}

func TestCleanIsLinearOnHostileText(t *testing.T) {
	for _, piece := range []string{"\x1b]", "\u009d", "\x1b[", "\u009b1", "\x1bP"} {
		text := strings.Repeat(piece, 1<<20)
		if got := Clean(text); strings.Contains(got, "\x1b") {
			t.Errorf("an escape is left of %q repeated", piece)
		}
	}
}

func TestPlainRunesTakeOneCell(t *testing.T) {
	n := 0
	for r := rune(0xa0); r < 0x10000; r++ {
		if !plain(r) {
			continue
		}
		n++
		if w := ansi.StringWidth(string(r)); w != 1 {
			t.Errorf("%U is %d cells", r, w)
		}
		if got := Clean(string(r)); got != string(r) {
			t.Errorf("%U does not stay", r)
		}
	}
	if n < 500 {
		t.Fatalf("only %d plain runes", n)
	}
}

func TestFitIsExact(t *testing.T) {
	tests := []struct {
		text  string
		cells int
		want  string
	}{
		{"", 0, ""},
		{"", 3, "   "},
		{"abc", 3, "abc"},
		{"abcd", 3, "ab…"},
		{"abcd", 1, "…"},
		{"m00012–m00031", 9, "m00012–m…"},
		{"日本語", 5, "日本…"},
		{"日本語", 4, "日… "},
		{"日本語", 6, "日本語"},
		{"漢", 1, "…"},
		{"a\tb\x1b[2J", 8, "a    b  "},
	}
	for _, test := range tests {
		if got := Fit(test.text, test.cells); got != test.want {
			t.Errorf("Fit(%q, %d) = %q, want %q", test.text, test.cells, got, test.want)
		}
	}
	if got := FitRight("日本", 6); got != "  日本" {
		t.Errorf("FitRight puts the text at %q", got)
	}
}

func FuzzFit(f *testing.F) {
	for _, s := range []string{"abc", "日本語テキスト", "a\x1b[31mb", "👩‍👩‍👧👍🏽🇩🇪", "e\u0301\u0301", "한국어", "\u200d\u200d", "ก็ำ", "각"} {
		f.Add(s, 5)
	}
	f.Fuzz(func(t *testing.T, s string, cells int) {
		cells = max(0, cells%100)
		clean := Clean(s)
		if again := Clean(clean); again != clean {
			t.Fatalf("Clean(%q) = %q, again %q", s, clean, again)
		}
		if !utf8.ValidString(clean) {
			t.Fatalf("%q is no UTF-8", clean)
		}
		if r := forbidden(clean); r >= 0 {
			t.Fatalf("%U is left of %q", r, s)
		}
		fit := Fit(s, cells)
		if w := ansi.StringWidth(fit); w != cells {
			t.Fatalf("Fit(%q, %d) = %q takes %d cells", s, cells, fit, w)
		}
		if w := Width(fit); w != cells {
			t.Fatalf("Width(%q) = %d, want %d", fit, w, cells)
		}
	})
}

// forbidden gives the first rune of text that may not reach a terminal, or -1.
func forbidden(text string) rune {
	for _, r := range text {
		switch {
		case r < 0x20, r >= 0x7f && r <= 0x9f:
			return r
		case r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == 0x200e, r == 0x200f, r == 0x61c:
			return r
		}
	}
	return -1
}
