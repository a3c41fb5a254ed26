package watch

import (
	"slices"

	"ctxscope/watch/decode"
)

// cutOff reads the beginning of a first record that goes on behind the head: a
// Codex header says first whose it is, and then holds the agent's instructions,
// which may be long.
func (l *Look) cutOff(head []byte) {
	d := decode.New("", nil)
	d.Line(closed(head), decode.Place{Number: 1})
	if s := d.Session(); s.Format == "codex" {
		l.Session = s
	}
}

// closed makes a whole JSON text of the start of one: what stands before the
// last comma, with the brackets closed that are open there. It is empty where
// no member is whole.
func closed(head []byte) []byte {
	var open, left []byte // brackets that close what is open: here, and at the comma
	comma, quoted := 0, false
	for i := 0; i < len(head); i++ {
		switch c := head[i]; {
		case c == '"':
			quoted = !quoted
		case quoted && c == '\\':
			i++
		case quoted:
		case c == '{', c == '[':
			open = append(open, c+2) // in ASCII, the one that closes it
		case c == '}', c == ']':
			open = open[:max(0, len(open)-1)]
		case c == ',':
			comma, left = i, append(left[:0], open...)
		}
	}
	slices.Reverse(left)
	return slices.Concat(head[:comma], left)
}
