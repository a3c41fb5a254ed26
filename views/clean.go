package views

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// tabCells is the width that a tab is drawn with.
const tabCells = 4

// The longest run of marks on one character, and of joined characters, that
// is drawn: text can pile up thousands of them in one cell.
const (
	maxMarks = 8
	maxJoins = 8
)

const (
	escape          = '\x1b'
	bell            = '\a'
	zeroWidthJoiner = '\u200d'
)

// Clean gives text as it may be drawn in one line: escape sequences are taken
// out whole, control, bidi and invisible characters are dropped, a tab becomes
// spaces, a line break one space, a byte that is no UTF-8 the replacement
// character. Plain words stay. Clean(Clean(s)) is Clean(s).
func Clean(text string) string {
	if _, ok := plainWidth(text); ok {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	var c cleaner
	for len(text) > 0 {
		if n := sequence(text); n > 0 {
			text = text[n:]
			continue
		}
		r, size := utf8.DecodeRuneInString(text)
		switch {
		case r == '\r' && strings.HasPrefix(text, "\r\n"):
			// The line feed behind it makes the space.
		case r == '\n' || r == '\r' || r == '\u2028' || r == '\u2029' || r == '\u0085':
			c.put(&b, ' ')
		case r == '\t':
			for range tabCells {
				c.put(&b, ' ')
			}
		case !drawable(r):
		default:
			c.put(&b, r)
		}
		text = text[size:]
	}
	return b.String()
}

// cleaner bounds what piles up in one cell.
type cleaner struct {
	marks int
	joins int
	after bool // the rune before was a joiner
}

func (c *cleaner) put(b *strings.Builder, r rune) {
	switch {
	case r == zeroWidthJoiner:
		if c.after || c.joins == maxJoins || b.Len() == 0 {
			return
		}
		c.joins++
		c.after = true
	case r >= 0x300 && unicode.In(r, unicode.Mn, unicode.Me, unicode.Mc):
		if c.marks == maxMarks {
			return
		}
		c.marks++
	default:
		if !c.after {
			c.joins = 0
		}
		c.after = false
		c.marks = 0
	}
	b.WriteRune(r)
}

// printable reports whether text is printable ASCII.
func printable(text string) bool {
	for i := range len(text) {
		if text[i] < ' ' || text[i] > '~' {
			return false
		}
	}
	return true
}

// drawable reports whether r may reach the terminal. Joiners and the variation
// selectors stay, since scripts and emoji need them.
func drawable(r rune) bool {
	switch {
	case r < 0x20, r >= 0x7f && r <= 0x9f:
		return false
	case r < 0xad:
		return true
	case r == 0x200c, r == zeroWidthJoiner:
		return true
	case unicode.Is(unicode.Cf, r): // bidi controls, zero width space, word joiner, tags, BOM, soft hyphen
		return false
	case r == 0x115f, r == 0x1160, r == 0x3164, r == 0xffa0: // Hangul fillers
		return false
	case r == 0x034f, r >= 0x180b && r <= 0x180f, r == 0x17b4, r == 0x17b5:
		return false
	case r >= 0xe0000 && r <= 0xe0fff: // tags and further variation selectors
		return false
	case r&0xfffe == 0xfffe: // no characters
		return false
	}
	return true
}

// sequence is the length of the escape sequence that text starts with, in
// bytes, or 0. A sequence that does not end in its line is only its
// introducer, so that it cannot swallow the words behind it.
func sequence(text string) int {
	switch {
	case strings.HasPrefix(text, "\x1b["):
		return 2 + control(text[2:])
	case strings.HasPrefix(text, "\u009b"):
		return 2 + control(text[2:])
	case len(text) > 1 && text[0] == escape && strings.IndexByte("]PX^_", text[1]) >= 0:
		return 2 + stringTo(text[2:])
	case len(text) > 1 && text[0] == 0xc2 && strings.IndexByte("\x9d\x90\x98\x9e\x9f", text[1]) >= 0:
		return 2 + stringTo(text[2:])
	case text[0] == escape:
		return 1 + afterEscape(text[1:])
	}
	return 0
}

// control is the length of the parameters and the final byte of a control
// sequence, 0 when they are malformed.
func control(text string) int {
	i := 0
	for i < len(text) && text[i] >= 0x30 && text[i] <= 0x3f {
		i++
	}
	for i < len(text) && text[i] >= 0x20 && text[i] <= 0x2f {
		i++
	}
	if i < len(text) && text[i] >= 0x40 && text[i] <= 0x7e {
		return i + 1
	}
	return 0
}

// stringTo is the length of a control string with its terminator, 0 when
// another control stands before it or its line ends first.
func stringTo(text string) int {
	for i := range len(text) {
		switch rest := text[i:]; {
		case text[i] == bell:
			return i + 1
		case strings.HasPrefix(rest, "\x1b\\"), strings.HasPrefix(rest, "\u009c"):
			return i + 2
		case text[i] == '\n' || text[i] == '\r' || text[i] == escape:
			return 0
		case text[i] == 0xc2 && len(rest) > 1 && rest[1] < 0xa0:
			return 0
		}
	}
	return 0
}

// afterEscape is the length of what follows a lone ESC: intermediates and a final
// byte. An ESC before an ordinary word takes only itself away when the word
// would lose a letter that is not part of a known sequence.
func afterEscape(text string) int {
	i := 0
	for i < len(text) && text[i] >= 0x20 && text[i] <= 0x2f {
		i++
	}
	if i < len(text) && i > 0 && text[i] >= 0x30 && text[i] <= 0x7e {
		return i + 1
	}
	if i == 0 && len(text) > 0 && strings.IndexByte("78=>cDEHMNOZn|}~\\", text[0]) >= 0 {
		return 1
	}
	return 0
}
