package decode

import (
	"cmp"
	"crypto/sha256"
	"fmt"

	"ctxscope/kernel"
)

// openExport reads what `opencode export` writes: one JSON object with the
// session and its messages, spread over many lines. Nothing of it is known
// before the object ends. Lines of screen text may stand around it.
type openExport struct {
	*Opencode
	document document
	lines    []Problem
	read     bool // an export was read to its end
}

func newOpenExport(count kernel.Counter) Decoder { return &openExport{Opencode: NewOpencode(count)} }

// Line takes a line of the object, or one around it.
func (d *openExport) Line(line []byte, at Place) {
	if !d.document.open() {
		start, end := bounds(line, at)
		start = skipBlank(line[:end], start)
		if start == end {
			return
		}
		if d.read || line[start] != '{' {
			d.note(at.Number, "not a whole JSON object")
			return
		}
	}
	whole, reason := d.document.take(line, at)
	if reason == "" && whole != nil {
		reason = d.export(whole)
	}
	if reason != "" {
		d.note(cmp.Or(d.document.number, at.Number), reason)
	}
}

// export reads the whole object. It says why it is none.
func (d *openExport) export(text []byte) (reason string) {
	defer d.scan.release()
	root, _, ok := d.scan.scan(text, 0)
	info, messages := root.get("info"), root.get("messages")
	switch {
	case !ok:
		return "not a whole JSON object"
	case !info.isObject() || !messages.isArray():
		return "a JSON object, but no export: it has no info and messages"
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
		at := d.document.offset + int64(rec.s.nodes[rec.i].start)
		d.put(id, rec, sha256.Sum256(raw), kernel.Source{Offset: at, Length: int64(len(raw))})
	}
	d.Arrange(ids)
	return ""
}

func (d *openExport) note(line int, reason string) {
	d.lines = append(d.lines, Problem{Line: line, Reason: reason})
}

// Session is what is known of the session so far, the lines around the object
// among its problems.
func (d *openExport) Session() Session {
	s := d.Opencode.Session()
	s.Whole, s.Half = true, d.document.open()
	s.Problems = append(d.lines[:len(d.lines):len(d.lines)], s.Problems...)
	return s
}
