package kernel

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Calls come from models, so their JSON is read by a parser that keeps the
// order of keys and can forgive what models get wrong. Values are nil, bool,
// float64, string, []any and *jsonObject.

// jsonObject is an object in the order of its keys. A key given twice has its
// last value at its first place.
type jsonObject struct {
	keys   []string
	values map[string]any
}

func (o *jsonObject) has(key string) bool {
	_, ok := o.values[key]
	return ok
}

func (o *jsonObject) set(key string, value any) {
	if !o.has(key) {
		o.keys = append(o.keys, key)
	}
	o.values[key] = value
}

// text is the first non-empty string under one of the keys, or empty.
func (o *jsonObject) text(keys ...string) string {
	for _, key := range keys {
		if s, ok := o.values[key].(string); ok && s != "" {
			return s
		}
	}
	return ""
}

const (
	jsonMaxDepth   = 10_000
	jsonMaxRepairs = 500
)

// parseJSON reads one value as JSON defines it.
func parseJSON(text string) (any, error) {
	return (&jsonParser{text: text}).document()
}

// parseLenient reads one value and forgives commas before a closing bracket,
// raw line ends and tabs in strings, and up to 500 other control characters
// and bad escapes in strings. Valid JSON gives the same as parseJSON.
func parseLenient(text string) (any, error) {
	return (&jsonParser{text: text, lenient: true}).document()
}

type jsonParser struct {
	text    string
	pos     int
	depth   int
	lenient bool
	repairs int
}

func (p *jsonParser) document() (any, error) {
	value, err := p.value()
	if err != nil {
		return nil, err
	}
	if p.blanks(); p.pos < len(p.text) {
		return nil, p.unexpected()
	}
	return value, nil
}

func (p *jsonParser) unexpected() error {
	if p.pos >= len(p.text) {
		return fmt.Errorf("byte %d: unexpected end", p.pos)
	}
	r, _ := utf8.DecodeRuneInString(p.text[p.pos:])
	return fmt.Errorf("byte %d: unexpected %q", p.pos, r)
}

func (p *jsonParser) blanks() {
	for p.pos < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.pos]) >= 0 {
		p.pos++
	}
}

// next skips blanks and takes c if it stands there.
func (p *jsonParser) next(c byte) bool {
	p.blanks()
	if p.pos < len(p.text) && p.text[p.pos] == c {
		p.pos++
		return true
	}
	return false
}

func (p *jsonParser) value() (any, error) {
	p.blanks()
	if p.pos >= len(p.text) {
		return nil, p.unexpected()
	}
	switch c := p.text[p.pos]; c {
	case '{', '[':
		if p.depth++; p.depth > jsonMaxDepth {
			return nil, fmt.Errorf("byte %d: nested deeper than %d", p.pos, jsonMaxDepth)
		}
		defer func() { p.depth-- }()
		p.pos++
		if c == '{' {
			return p.object()
		}
		return p.array()
	case '"':
		return p.string()
	case 't':
		return true, p.word("true")
	case 'f':
		return false, p.word("false")
	case 'n':
		return nil, p.word("null")
	}
	return p.number()
}

func (p *jsonParser) word(word string) error {
	if !strings.HasPrefix(p.text[p.pos:], word) {
		return p.unexpected()
	}
	p.pos += len(word)
	return nil
}

// closes takes the closing bracket c after an item, or the comma before the
// next one.
func (p *jsonParser) closes(c byte) (bool, error) {
	if p.next(c) {
		return true, nil
	}
	if !p.next(',') {
		return false, p.unexpected()
	}
	return p.lenient && p.next(c), nil
}

// empty takes the closing bracket c where the first item would stand.
func (p *jsonParser) empty(c byte) bool {
	if p.next(c) {
		return true
	}
	start := p.pos
	if p.lenient && p.next(',') && p.next(c) {
		return true
	}
	p.pos = start
	return false
}

func (p *jsonParser) array() (any, error) {
	items := []any{}
	if p.empty(']') {
		return items, nil
	}
	for {
		item, err := p.value()
		if err != nil {
			return nil, err
		}
		items = append(items, item)
		if done, err := p.closes(']'); done || err != nil {
			return items, err
		}
	}
}

func (p *jsonParser) object() (any, error) {
	o := &jsonObject{values: map[string]any{}}
	if p.empty('}') {
		return o, nil
	}
	for {
		if p.blanks(); p.pos >= len(p.text) || p.text[p.pos] != '"' {
			return nil, p.unexpected()
		}
		key, err := p.string()
		if err != nil {
			return nil, err
		}
		if !p.next(':') {
			return nil, p.unexpected()
		}
		value, err := p.value()
		if err != nil {
			return nil, err
		}
		o.set(key, value)
		if done, err := p.closes('}'); done || err != nil {
			return o, err
		}
	}
}

// number reads a number; one that is out of a double's bounds is infinite.
func (p *jsonParser) number() (any, error) {
	start := p.pos
	p.skip("-")
	whole := p.pos
	if p.digits() == 0 || p.text[whole] == '0' && p.pos > whole+1 {
		p.pos = whole
		return nil, p.unexpected()
	}
	if p.skip(".") && p.digits() == 0 {
		return nil, p.unexpected()
	}
	if p.skip("eE") {
		p.skip("+-")
		if p.digits() == 0 {
			return nil, p.unexpected()
		}
	}
	x, _ := strconv.ParseFloat(p.text[start:p.pos], 64)
	return x, nil
}

func (p *jsonParser) skip(any string) bool {
	if p.pos < len(p.text) && strings.IndexByte(any, p.text[p.pos]) >= 0 {
		p.pos++
		return true
	}
	return false
}

func (p *jsonParser) digits() int {
	start := p.pos
	for p.pos < len(p.text) && p.text[p.pos] >= '0' && p.text[p.pos] <= '9' {
		p.pos++
	}
	return p.pos - start
}
