package decode

import (
	"bytes"
	"crypto/sha256"
	"fmt"

	"ctxscope/kernel"
)

// openExport reads what `opencode export` writes: one JSON object with the
// session and its messages, spread over many lines. Nothing of it is known
// before the object ends. Lines of screen text may stand around it.
type openExport struct {
	*Opencode
	lines  []Problem
	text   []byte // of the object, as far as it was read
	offset int64  // of its first byte
	number int    // of its first line
	depth  int    // of the brackets that are open
	quoted bool   // the text ends inside a string
	escape bool   // and behind a backslash
	read   bool   // the object was read to its end
}

func newOpenExport(count kernel.Counter) Decoder { return &openExport{Opencode: NewOpencode(count)} }

// Line takes a line of the object, or one around it.
func (d *openExport) Line(line []byte, at Place) {
	start, end := bounds(line, at)
	start = skipBlank(line[:end], start)
	switch {
	case start == end && d.depth == 0:
		return
	case d.depth == 0 && (d.read || line[start] != '{'):
		d.note(at.Number, "not a whole JSON object")
		return
	case d.depth == 0:
		d.offset, d.number = at.Offset+int64(start), at.Number
		line = line[start:]
	}
	from := len(d.text)
	d.text = append(append(d.text, line...), '\n')
	if closing := d.closing(from); closing >= 0 {
		rest := d.text[closing:]
		d.document(d.text[:closing])
		if len(bytes.Trim(rest, "\x00 \t\r\n")) > 0 {
			d.note(at.Number, "not a whole JSON object")
		}
		d.text = nil
	}
}

// closing goes on over the text from a place on and gives the place behind the
// bracket that ends the object, -1 while it goes on.
func (d *openExport) closing(from int) int {
	for i := from; i < len(d.text); i++ {
		switch c := d.text[i]; {
		case d.escape:
			d.escape = false
		case d.quoted && c == '\\':
			d.escape = true
		case c == '"':
			d.quoted = !d.quoted
		case d.quoted:
		case c == '{', c == '[':
			d.depth++
		case c == '}', c == ']':
			if d.depth--; d.depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

// document reads the whole object.
func (d *openExport) document(text []byte) {
	defer d.scan.release()
	root, _, ok := d.scan.scan(text, 0)
	info, messages := root.get("info"), root.get("messages")
	switch {
	case !ok:
		d.note(d.number, "not a whole JSON object")
		return
	case !info.isObject() || !messages.isArray():
		d.note(d.number, "a JSON object, but no export: it has no info and messages")
		return
	}
	d.read = true
	d.setInfo(info)
	var ids []string
	for rec := range messages.items() {
		id := rec.get("info").get("id").str()
		if id == "" {
			id = fmt.Sprintf("unnamed-%d", len(ids)+1)
		}
		if d.messages[id] != nil {
			d.twice++
		} else {
			ids = append(ids, id)
		}
		raw := rec.raw()
		at := rec.s.nodes[rec.i].start
		d.put(id, rec, sha256.Sum256(raw), kernel.Source{Offset: d.offset + int64(at), Length: int64(len(raw))})
	}
	d.Arrange(ids)
}

func (d *openExport) note(line int, reason string) {
	if n := len(d.lines); n > 0 && d.lines[n-1].Line == line {
		return
	}
	d.lines = append(d.lines, Problem{Line: line, Reason: reason})
}

// Session is what is known of the session so far, the lines around the object
// among its problems.
func (d *openExport) Session() Session {
	s := d.Opencode.Session()
	s.Problems = append(d.lines[:len(d.lines):len(d.lines)], s.Problems...)
	return s
}
