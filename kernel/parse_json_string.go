package kernel

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

func (p *jsonParser) string() (string, error) {
	p.pos++
	start := p.pos
	for p.pos < len(p.text) && p.text[p.pos] != '"' && p.text[p.pos] != '\\' && p.text[p.pos] >= ' ' {
		p.pos++
	}
	if p.pos < len(p.text) && p.text[p.pos] == '"' {
		p.pos++
		return p.text[start : p.pos-1], nil
	}
	out := []byte(p.text[start:p.pos])
	for p.pos < len(p.text) {
		c := p.text[p.pos]
		switch {
		case c == '"':
			p.pos++
			return string(out), nil
		case c == '\\':
			r, width := p.escape()
			if width == 0 {
				if !p.forgive() {
					return "", fmt.Errorf("byte %d: bad escape", p.pos)
				}
				r, width = '\\', 1
			}
			out = utf8.AppendRune(out, r)
			p.pos += width
		case c < ' ' && !(p.lenient && (c == '\n' || c == '\r' || c == '\t')) && !p.forgive():
			return "", p.unexpected()
		default:
			out = append(out, c)
			p.pos++
		}
	}
	return "", p.unexpected()
}

// forgive allows one more repair.
func (p *jsonParser) forgive() bool {
	p.repairs++
	return p.lenient && p.repairs <= jsonMaxRepairs
}

// escape reads the escape that stands here without taking it. Width is its
// length in bytes, 0 when it is none that JSON knows. Half a surrogate pair
// is U+FFFD.
func (p *jsonParser) escape() (r rune, width int) {
	const names, values = `"\/bfnrt`, "\"\\/\b\f\n\r\t"
	rest := p.text[p.pos:]
	if len(rest) < 2 {
		return 0, 0
	}
	if at := strings.IndexByte(names, rest[1]); at >= 0 {
		return rune(values[at]), 2
	}
	unit, ok := jsonUnit(rest)
	if !ok {
		return 0, 0
	}
	if !utf16.IsSurrogate(unit) {
		return unit, 6
	}
	if low, ok := jsonUnit(rest[6:]); ok {
		if pair := utf16.DecodeRune(unit, low); pair != utf8.RuneError {
			return pair, 12
		}
	}
	return utf8.RuneError, 6
}

// jsonUnit reads the \uXXXX that text starts with.
func jsonUnit(text string) (rune, bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	unit, err := strconv.ParseUint(text[2:6], 16, 16)
	return rune(unit), err == nil
}
