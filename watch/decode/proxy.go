package decode

import (
	"fmt"

	"ctxscope/kernel"
)

// proxy reads the session files of the billion-context proxy: one object,
// written anew as a whole, with the messages of the newest request in it as
// kernel messages. What else it holds is the proxy's state.
type proxy struct {
	lines    lines
	reader   coreReader
	document document
	seq      sequence
	session  Session
	read     bool // the object was read
	here     map[string]bool
}

func newProxy(count kernel.Counter) Decoder {
	return &proxy{
		reader: coreReader{count: count, tools: map[string]string{}}, here: map[string]bool{},
		session: Session{Format: "proxy", Agent: "billion-context proxy", Counting: "parts"},
	}
}

func (d *proxy) Line(line []byte, at Place) {
	if !d.document.open() && (d.read || !d.document.begins(line, at)) {
		d.lines.each(line, at, func(rec value, src kernel.Source) string { return d.record(rec, src, at.Number) })
		return
	}
	whole, reason := d.document.take(line, at)
	if reason != "" {
		d.lines.problem(at.Number, reason)
	}
	if whole == nil {
		return
	}
	first := Place{Number: d.document.number, Offset: d.document.offset}
	d.lines.each(whole, first, func(rec value, src kernel.Source) string { return d.record(rec, src, first.Number) })
}

func (d *proxy) Change() kernel.Change { return d.seq.journal.change() }

func (d *proxy) Session() Session {
	s := d.session
	s.Usage, s.Meter = d.seq.usage, d.seq.meter
	s.Whole, s.Half = true, d.document.open()
	s.Problems = d.lines.problems[:len(d.lines.problems):len(d.lines.problems)]
	return s
}

// Parts lists the messages: each is a part.
func (d *proxy) Parts() []kernel.Message { return d.seq.parts() }

// Text is the text of a message.
func (d *proxy) Text(record []byte, _ int32) (string, bool) {
	var s scanner
	rec, _, ok := s.scan(record, 0)
	return rec.get("text").str(), ok && rec.isObject()
}

// record reads the object. Its first versions hold no messages; the very first
// has flat what later ones have in meta and stats.
func (d *proxy) record(rec value, src kernel.Source, line int) string {
	if d.read {
		return "a second object: a session file of the proxy holds one"
	}
	d.read = true
	body := rec
	if payload := rec.get("payload"); payload.isObject() {
		body = payload
	}
	meta, stats := body.get("meta"), body.get("stats")
	if !meta.isObject() {
		meta = body
	}
	if !stats.isObject() {
		stats = body
	}
	d.session.ID = body.get("id").str()
	if d.session.ID == "" {
		d.session.ID = rec.get("id").str()
	}
	if d.session.Title = meta.get("title").str(); d.session.Title == "" {
		d.session.Title = meta.get("label").str()
	}
	messages := body.get("messages")
	if !messages.isArray() {
		return "the record is of a version that keeps no messages"
	}
	for message := range messages.items() {
		d.message(message, inner(src, message), line)
	}
	d.used(stats)
	return ""
}

// message takes one message. Each run of the assistant's is a reply.
func (d *proxy) message(rec value, src kernel.Source, line int) {
	m, reason := d.reader.message(rec, src)
	if reason == "" && d.here[m.ID] {
		reason = fmt.Sprintf("id %q is in the list already", m.ID)
	}
	if reason != "" {
		d.lines.problems = append(d.lines.problems, Problem{Line: line, Record: fmt.Sprintf("message %d", len(d.seq.items)+1), Reason: reason})
		return
	}
	d.here[m.ID] = true
	it := item{messages: []int32{d.seq.journal.hold(m)}, own: 1, reply: none}
	if n := len(d.seq.items); m.Role == kernel.RoleAssistant && (n == 0 || d.role(n-1) != kernel.RoleAssistant) {
		it.reply = d.seq.journal.holdReply(m.ID, 0)
	}
	d.seq.add(it)
}

func (d *proxy) role(i int) kernel.Role {
	return d.seq.journal.messages.at(d.seq.items[i].messages[0]).Role
}

// used takes the size of the newest request, which is that of all messages:
// the reply to it is not counted.
func (d *proxy) used(stats value) {
	size := tokensOf(stats.get("contextTokens"))
	n := len(d.seq.items)
	if size == 0 || n == 0 {
		return
	}
	u := Usage{Known: true, Tokens: size, Prompt: size}
	if fresh := stats.get("lastInputTokens"); fresh.isNumber() {
		u.Cached = max(0, size-tokensOf(fresh))
	}
	it := d.seq.items[n-1]
	it.usage, it.reported = u, true
	d.seq.set(n-1, it)
}
