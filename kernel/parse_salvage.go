package kernel

import "strings"

// What models wrap around their JSON, and what is left of it when it was cut.

// unfence takes one leading code fence off: what is left stands between the
// first line end and the last fence.
func unfence(text string) string {
	text = trimJS(text)
	if !strings.HasPrefix(text, "```") {
		return text
	}
	_, body, ok := strings.Cut(text, "\n")
	if !ok {
		return text
	}
	if last := strings.LastIndex(body, "```"); last >= 0 {
		body = body[:last]
	}
	return trimJS(body)
}

// doubleQuotes turns single-quoted strings into double-quoted ones, outside of
// double-quoted strings. It reports false when it changed nothing.
func doubleQuotes(text string) (string, bool) {
	if !strings.Contains(text, "'") || !strings.ContainsAny(text, "{[") {
		return text, false
	}
	var b strings.Builder
	quote, changed := byte(0), false
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quote == 0 && c == '\'':
			quote, changed = c, true
			b.WriteByte('"')
		case quote == 0:
			if c == '"' {
				quote = c
			}
			b.WriteByte(c)
		case c == '\\' && i+1 < len(text):
			i++
			if quote == '\'' && text[i] == '\'' {
				b.WriteByte('\'')
				continue
			}
			b.WriteByte(c)
			b.WriteByte(text[i])
		case c == quote:
			quote = 0
			b.WriteByte('"')
		case quote == '\'':
			writeSingleQuoted(&b, c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), changed
}

func writeSingleQuoted(b *strings.Builder, c byte) {
	switch c {
	case '"':
		b.WriteString(`\"`)
	case '\n':
		b.WriteString(`\n`)
	case '\r':
		b.WriteString(`\r`)
	case '\t':
		b.WriteString(`\t`)
	default:
		b.WriteByte(c)
	}
}

// jsonScanner walks over JSON text, well-formed or not, and knows the nesting.
type jsonScanner struct {
	depth    int
	inString bool
	escaped  bool
}

func (s *jsonScanner) step(c byte) {
	switch {
	case s.escaped:
		s.escaped = false
	case s.inString && c == '\\':
		s.escaped = true
	case c == '"':
		s.inString = !s.inString
	case s.inString:
	case c == '{' || c == '[':
		s.depth++
	case c == '}' || c == ']':
		s.depth--
	}
}

// balanced reports whether every string and bracket of a text is closed.
func balanced(text string) bool {
	var s jsonScanner
	for i := range len(text) {
		s.step(text[i])
	}
	return s.depth == 0 && !s.inString
}

// salvage reads the whole entries of the first content array of a text that
// does not parse; an entry that was cut is left out.
func salvage(text string) []any {
	start := contentArray(text)
	if start < 0 {
		return nil
	}
	return salvageArray(text[start:])
}

// contentArray is the position behind the bracket of the first
// `"content": [`, or -1.
func contentArray(text string) int {
	const key = `"content"`
	for at := 0; ; {
		next := strings.Index(text[at:], key)
		if next < 0 {
			return -1
		}
		at += next + len(key)
		rest := strings.TrimLeftFunc(text[at:], isSpaceJS)
		if !strings.HasPrefix(rest, ":") {
			continue
		}
		rest = strings.TrimLeftFunc(rest[1:], isSpaceJS)
		if strings.HasPrefix(rest, "[") {
			return len(text) - len(rest) + 1
		}
	}
}

// salvageArray reads the whole objects of an array that starts right before
// text.
func salvageArray(text string) []any {
	var found []any
	var s jsonScanner
	start := -1
	for i := 0; i < len(text) && s.depth >= 0; i++ {
		before := s.depth
		s.step(text[i])
		switch {
		case before == 0 && s.depth == 1 && text[i] == '{':
			start = i
		case before == 1 && s.depth == 0 && start >= 0 && text[i] == '}':
			if value, err := parseLenient(text[start : i+1]); err == nil {
				found = append(found, value)
			}
			start = -1
		}
	}
	return found
}
