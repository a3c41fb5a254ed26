package decode

import (
	"strconv"

	"ctxscope/kernel"
)

// gemini reads sessions of Gemini CLI: one record a line, or, as older
// versions wrote them, one object that is written anew as a whole each time.
//
// A record that is written again takes the place of the earlier one. A list
// that $set gives is a rewriting of the list by the host; $rewindTo takes back
// what came later, as a branch that was left.
type gemini struct {
	lines    lines
	count    kernel.Counter
	document document
	seq      sequence
	ids      []string       // of the records, in their order
	places   map[string]int // record id → its place in the list
	names    map[string]string
	session  Session
	records  int
	whole    bool // the file is one object
}

func newGemini(count kernel.Counter) Decoder {
	return &gemini{
		count: count, places: map[string]int{}, names: map[string]string{},
		session: Session{Format: "gemini", Agent: "Gemini CLI", Counting: "parts"},
	}
}

func (d *gemini) Line(line []byte, at Place) {
	if !d.document.open() && (d.records > 0 || !d.document.begins(line, at)) {
		d.lines.each(line, at, d.record)
		return
	}
	d.whole = true
	whole, reason := d.document.take(line, at)
	if reason != "" {
		d.lines.problem(at.Number, reason)
	}
	if whole == nil {
		return
	}
	d.lines.each(whole, Place{Number: d.document.number, Offset: d.document.offset}, d.record)
}

func (d *gemini) Change() kernel.Change { return d.seq.journal.change() }

func (d *gemini) Session() Session {
	s := d.session
	s.Usage, s.Meter = d.seq.usage, d.seq.meter
	s.Whole, s.Half = d.whole, d.document.open()
	s.Meter.Unknown, s.Meter.Duplicates = d.session.Meter.Unknown, d.session.Meter.Duplicates
	s.Problems = d.lines.problems[:len(d.lines.problems):len(d.lines.problems)]
	return s
}

// Parts lists the parts in context: the log is made of them.
func (d *gemini) Parts() []kernel.Message { return d.seq.parts() }

func (d *gemini) record(rec value, src kernel.Source) string {
	d.records++
	set, rewind := rec.get("$set"), rec.get("$rewindTo")
	switch {
	case set.isObject():
		d.about(set)
		if list := set.get("messages"); list.isArray() {
			d.replace(list, src, set.get("lastUpdated").when())
		}
	case rewind.isString():
		d.rewind(rewind.str())
	case rec.get("projectHash").isString(), rec.get("sessionId").isString():
		d.about(rec)
		messages := rec.get("messages")
		d.whole = d.whole || messages.isArray()
		for message := range messages.items() {
			d.message(message, inner(src, message))
		}
	case rec.get("id").isString():
		d.message(rec, src)
	default:
		d.session.Meter.Unknown++
	}
	return ""
}

// about reads what a record says of the session itself.
func (d *gemini) about(rec value) {
	if id := rec.get("sessionId"); id.isString() {
		d.session.ID = id.str()
	}
	if summary := rec.get("summary"); summary.isString() {
		d.session.Title = summary.str()
	}
}

// message takes a message, at the place of an earlier one with its id or at
// the end.
func (d *gemini) message(rec value, src kernel.Source) {
	if !rec.isObject() {
		d.session.Meter.Unknown++
		return
	}
	id := geminiID(rec, len(d.ids))
	it := d.build(rec, id, src)
	if place, again := d.places[id]; again {
		if it.reply != none && d.seq.items[place].reply != none {
			it.reply = d.seq.items[place].reply // it is the same reply
		}
		d.session.Meter.Duplicates++
		d.seq.set(place, it)
		return
	}
	d.places[id] = len(d.ids)
	d.ids = append(d.ids, id)
	d.seq.add(it)
}

// replace takes a list that the host put in the place of what was there. One
// that says what stands there already is none.
func (d *gemini) replace(list value, src kernel.Source, time int64) {
	var items []item
	var ids []string
	for rec := range list.items() {
		if rec.isObject() {
			id := geminiID(rec, len(ids))
			it := d.build(rec, id, inner(src, rec))
			it.usage, it.reported = Usage{}, false
			items, ids = append(items, it), append(ids, id)
		}
	}
	if d.same(items, ids) {
		return
	}
	clear(d.places)
	d.ids = ids
	for place, id := range ids {
		d.places[id] = place
	}
	d.seq.replace(items, time)
}

// same reports whether items say what the list says.
func (d *gemini) same(items []item, ids []string) bool {
	if len(ids) != len(d.ids) {
		return false
	}
	for i := range items {
		old := &d.seq.items[i]
		if ids[i] != d.ids[i] || len(items[i].messages) != len(old.messages) {
			return false
		}
		for k, at := range items[i].messages {
			a, b := *d.seq.journal.messages.at(at), *d.seq.journal.messages.at(old.messages[k])
			if b.Source = a.Source; a != b {
				return false
			}
		}
	}
	return true
}

// rewind takes back a message and all behind it; one that is not there takes
// back everything.
func (d *gemini) rewind(id string) {
	place := d.places[id]
	for _, gone := range d.ids[place:] {
		delete(d.places, gone)
	}
	d.ids = d.ids[:place]
	d.seq.cut(place)
}

// geminiID is the id of a message, or one made of its place in the list for one
// that has none.
func geminiID(rec value, place int) string {
	if id := rec.get("id").str(); id != "" {
		return id
	}
	return "unnamed-" + strconv.Itoa(place+1)
}

// build measures a message.
func (d *gemini) build(rec value, id string, src kernel.Source) item {
	it := item{reply: none}
	kind := rec.get("type")
	time := rec.get("timestamp").when()
	parts := readGemini(rec)
	switch {
	case kind.is("gemini"):
		it.reply = d.seq.journal.holdReply(id, time)
		if it.usage = geminiUsage(rec.get("tokens")); it.usage.Known {
			it.reported = true
		}
		if model := rec.get("model"); len(model.quoted()) > 0 {
			d.session.Model = model.str()
		}
	case !kind.is("user") && !kind.is("info") && !kind.is("error") && !kind.is("warning"):
		d.session.Meter.Unknown++
	}
	said := 0
	for i := range parts {
		if !parts[i].answers {
			said++
		}
	}
	for k := range parts {
		p := &parts[k]
		if p.id = id; p.answers {
			p.id += "_response#" + p.call
		} else {
			p.id = partID(id, k, said)
		}
		it.messages = append(it.messages, d.hold(p, int32(k), src, time))
		if p.role == kernel.RoleAssistant {
			it.own++
		}
	}
	return it
}

func (d *gemini) hold(p *geminiPart, part int32, src kernel.Source, time int64) int32 {
	m := kernel.Message{
		ID: p.id, Role: p.role, Type: p.kind, ToolName: p.tool, ToolCallID: p.call, Failed: p.failed,
		Images: uint16(min(p.images, 1<<16-1)), Time: time, Source: src,
	}
	m.Source.Part = part
	if p.media {
		m.Facts |= kernel.HasMedia
	}
	switch p.kind {
	case kernel.ToolCall:
		d.names[p.call] = p.tool
	case kernel.ToolResult:
		if m.ToolName == "" {
			m.ToolName = d.names[p.call]
		}
		if m.ToolName == compressTool {
			m.Outcome, m.OutcomeBlocks = outcomeOf(p.text, p.failed)
		}
	}
	measure(&m, p.text, d.count)
	return d.seq.journal.hold(m)
}

// Text is the text of a part of a message.
func (d *gemini) Text(record []byte, part int32) (string, bool) {
	var s scanner
	rec, _, ok := s.scan(record, 0)
	if !ok || !rec.isObject() {
		return "", false
	}
	parts := readGemini(rec)
	if part < 0 || int(part) >= len(parts) {
		return "", false
	}
	return string(parts[part].text), true
}
