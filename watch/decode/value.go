package decode

import (
	"iter"
	"strconv"
	"time"
	"unicode/utf8"

	"ctxscope/kernel"
)

// value is one JSON value of the text that its scanner read last. The zero
// value is a missing one: it is of no kind and holds nothing, so that fields
// of the wrong type or none at all need no case of their own.
type value struct {
	s *scanner
	i int32
}

// kind is the first byte of the value: '{', '[', '"', 't', 'f', 'n', '-' or a
// digit; 0 for a missing value.
func (v value) kind() byte {
	if v.s == nil {
		return 0
	}
	return v.s.data[v.s.nodes[v.i].start]
}

func (v value) isObject() bool { return v.kind() == '{' }
func (v value) isArray() bool  { return v.kind() == '[' }
func (v value) isString() bool { return v.kind() == '"' }
func (v value) isNull() bool   { return v.kind() == 'n' }
func (v value) missing() bool  { return v.s == nil }

// truthy reports whether the value is the literal true.
func (v value) truthy() bool { return v.kind() == 't' }

// raw is the value as it stands in the text; it must not be kept.
func (v value) raw() []byte {
	if v.s == nil {
		return nil
	}
	n := &v.s.nodes[v.i]
	return v.s.data[n.start:n.end]
}

// inner is where a value stands that the record at src holds.
func inner(src kernel.Source, v value) kernel.Source {
	n := &v.s.nodes[v.i]
	return kernel.Source{Offset: src.Offset + int64(n.start-v.s.nodes[0].start), Length: int64(n.end - n.start)}
}

// quoted is what stands between the quotes of a string, not decoded.
func (v value) quoted() []byte {
	if !v.isString() {
		return nil
	}
	raw := v.raw()
	return raw[1 : len(raw)-1]
}

// members walks the members of an object in their order; a key that occurs
// twice is met twice. Any other value has none. Keys must not be kept.
func (v value) members() iter.Seq2[[]byte, value] {
	return func(yield func([]byte, value) bool) {
		if !v.isObject() {
			return
		}
		nodes := v.s.nodes
		for i, end := v.i+1, nodes[v.i].next; i < end; i = nodes[i+1].next {
			if !yield(value{v.s, i}.name(), value{v.s, i + 1}) {
				return
			}
		}
	}
}

// name is a key as its bytes mean it.
func (v value) name() []byte {
	raw := v.quoted()
	for _, c := range raw {
		if c == '\\' || c >= utf8.RuneSelf {
			return appendDecoded(nil, raw)
		}
	}
	return raw
}

// items walks the items of an array in their order. Any other value has none.
func (v value) items() iter.Seq[value] {
	return func(yield func(value) bool) {
		if !v.isArray() {
			return
		}
		nodes := v.s.nodes
		for i, end := v.i+1, nodes[v.i].next; i < end; i = nodes[i].next {
			if !yield(value{v.s, i}) {
				return
			}
		}
	}
}

// get is the last member of an object with that key, or a missing value.
func (v value) get(key string) value {
	if !v.isObject() {
		return value{}
	}
	nodes, found := v.s.nodes, value{}
	for i, end := v.i+1, nodes[v.i].next; i < end; i = nodes[i+1].next {
		quoted := v.s.data[nodes[i].start+1 : nodes[i].end-1]
		// A key with an escape is longer than what it means.
		if string(quoted) == key || len(quoted) > len(key) && string(value{v.s, i}.name()) == key {
			found = value{v.s, i + 1}
		}
	}
	return found
}

// is reports whether the value is that string. The string must be one that
// needs no escapes in JSON.
func (v value) is(text string) bool { return v.isString() && string(v.quoted()) == text }

// str is a string of its own with what the value says; empty for any other
// kind. Bytes that are not UTF-8 and halves of surrogate pairs become U+FFFD.
func (v value) str() string { return string(v.text()) }

// text is str without a copy where possible. It stands until text is called
// again for any value of the scanner.
func (v value) text() []byte {
	raw := v.quoted()
	if plain(raw) {
		return raw
	}
	v.s.text = appendDecoded(v.s.text[:0], raw)
	return v.s.text
}

// appendText appends what a string says to dst.
func (v value) appendText(dst []byte) []byte { return appendDecoded(dst, v.quoted()) }

// number is a JSON number cut to an integer; 0 for any other kind and for a
// number that is too large.
func (v value) number() int64 {
	raw := v.raw()
	if len(raw) == 0 || (raw[0] != '-' && (raw[0] < '0' || raw[0] > '9')) {
		return 0
	}
	if n, err := strconv.ParseInt(string(raw), 10, 64); err == nil {
		return n
	}
	f, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || f >= 1<<62 || f <= -(1<<62) {
		return 0
	}
	return int64(f)
}

// tokens is a number of tokens with its fraction; 0 for what is no number.
func (v value) tokens() kernel.Tokens {
	if !v.isNumber() {
		return 0
	}
	f, err := strconv.ParseFloat(string(v.raw()), 64)
	if err != nil {
		return 0
	}
	return kernel.Tokens(f)
}

// isNumber reports whether the value is a number.
func (v value) isNumber() bool {
	k := v.kind()
	return k == '-' || ('0' <= k && k <= '9')
}

// when is the time that the value names, in epoch milliseconds: an RFC 3339
// string or a number of milliseconds; 0 for anything else.
func (v value) when() int64 {
	if v.isNumber() {
		return v.number()
	}
	raw := v.quoted()
	if len(raw) == 0 || len(raw) > 40 {
		return 0
	}
	t, err := time.Parse(time.RFC3339, string(raw))
	if err != nil {
		return 0
	}
	return t.UnixMilli()
}
