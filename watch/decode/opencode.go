package decode

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"slices"

	"ctxscope/kernel"
)

// Opencode reads one session of opencode, whatever holds it: rows of a
// database, a folder of files, an export. Its records change in place while a
// reply is written, so it takes messages by id, again whenever one has changed,
// and makes the journal anew from there. The journal depends on what it was
// given last alone.
//
// The log is the list that the compression plugin numbers, which names whole
// messages: a message of opencode is one message of the log under its own id,
// with the texts, arguments and results of all its parts joined by LF.
// Reasoning is sent but not part of that text (kernel.Message.ThinkingTokens).
// A reply that calls tools is a tool call that needs no result; it goes by the
// name of the first tool. Replies that failed and messages that are only for
// the screen keep their number and have no text. A message with pictures has a
// number too, so it is not marked as media: that would take the number away.
//
// Compress and decompress calls are what rules read, so they stand in the log
// as a call and its result. If a message holds nothing but one (and texts),
// the call is the message; else calls stand behind it. Whatever stands behind a
// message has no id, so it gets no number and is part of no range.
type Opencode struct {
	count    kernel.Counter
	scan     scanner
	info     openInfo
	messages map[string]*openMessage
	order    []*openMessage // as arranged
	problems []Problem
	twice    int // messages of an export that stand in it twice

	journal journal
	free    []int32 // places in the journal's messages that no step points at
	chain   openChain
	stale   bool
}

// openInfo is what the session's own record says.
type openInfo struct {
	id, title, folder, model string
	revert, revertPart       string // the session was set back to before this message, or this part of it
}

// openMessage is one message as it was put last.
type openMessage struct {
	id      string
	sum     [sha256.Size]byte // of its record
	head    openHead
	log     []kernel.Message // what it is in the log
	held    []int32          // places of log in the journal
	next    bool             // log is not in the journal yet
	sent    []kernel.Message // its parts that are sent
	cleared []string         // call ids of results that the host cleared
	unknown int              // parts of types that are not known
	// reply is its place in the journal's replies, 0 when it has none yet.
	reply int32
}

// NewOpencode returns a reader of one session. Messages are measured with
// count; nil means kernel.Estimate.
func NewOpencode(count kernel.Counter) *Opencode {
	d := &Opencode{count: count, messages: map[string]*openMessage{}}
	d.journal.holdReply("", 0) // so that 0 is none
	return d
}

// Info takes the session's own record: a JSON object with id, title,
// directory, revert and model. It comes before the messages, and again when it
// has changed. It gives the ids of messages that must be put again, changed or
// not.
func (d *Opencode) Info(record []byte) (again []string) {
	rec, _, ok := d.scan.scan(record, 0)
	defer d.scan.release()
	if !ok || !rec.isObject() {
		d.problem("session", "not a whole JSON object")
		return nil
	}
	return d.setInfo(rec)
}

func (d *Opencode) setInfo(rec value) (again []string) {
	old := d.info
	revert := rec.get("revert")
	d.info = openInfo{
		id: rec.get("id").str(), title: rec.get("title").str(), folder: rec.get("directory").str(), model: rec.get("model").get("id").str(),
		revert: revert.get("messageID").str(), revertPart: revert.get("partID").str(),
	}
	d.stale = true
	for _, i := range []openInfo{old, d.info} {
		if i.revertPart != "" && (old.revert != d.info.revert || old.revertPart != d.info.revertPart) && d.messages[i.revert] != nil {
			d.messages[i.revert].sum = [sha256.Size]byte{}
			again = append(again, i.revert)
		}
	}
	return again
}

// Put takes a message: a JSON object with info and parts, in their order, as
// in an export. src says where the record stands; its Part is set here. A
// message that is as it was put before changes nothing.
func (d *Opencode) Put(id string, record []byte, src kernel.Source) {
	sum := sha256.Sum256(record)
	if m := d.messages[id]; m != nil && m.sum == sum {
		return
	}
	rec, _, _ := d.scan.scan(record, 0)
	d.put(id, rec, sum, src)
	d.scan.release()
}

func (d *Opencode) put(id string, rec value, sum [sha256.Size]byte, src kernel.Source) {
	m := d.messages[id]
	if m == nil {
		m = &openMessage{id: id}
		d.messages[id] = m
	}
	m.sum, m.next, m.head, m.log, m.sent = sum, true, openHead{}, nil, nil
	m.cleared, m.unknown = nil, 0
	d.stale = true
	r := readOpen(rec)
	if !r.info.isObject() {
		d.problem("message "+id, "its record is no message")
		return
	}
	if r.damaged {
		d.problem("message "+id, "one of its parts is no record")
	}
	m.head, m.unknown = r.head, r.unknown
	limit := r.all()
	if id == d.info.revert && d.info.revertPart != "" {
		limit = r.before(d.info.revertPart)
	}
	d.measure(m, r, limit, src)
}

// Arrange says which messages there are now, in their order. Those that were
// not put yet, and all behind them, are left out until they are.
func (d *Opencode) Arrange(ids []string) {
	now := make([]*openMessage, 0, len(ids))
	for _, id := range ids {
		m := d.messages[id]
		if m == nil {
			break
		}
		now = append(now, m)
	}
	if slices.Equal(now, d.order) {
		return
	}
	d.order, d.stale = now, true
}

// Forget drops a message that is there no more. Arrange must leave it out.
func (d *Opencode) Forget(id string) {
	if m := d.messages[id]; m != nil {
		delete(d.messages, id)
		d.chain.freed = append(d.chain.freed, m.held...)
	}
}

// Miss notes why a record, or a piece of it, was not read: a sentence of a
// record such as "message msg_1". Of each record the first one stands.
func (d *Opencode) Miss(record, reason string) { d.problem(record, reason) }

// problem notes what cannot be read, once for each record.
func (d *Opencode) problem(record, reason string) {
	for _, p := range d.problems {
		if p.Record == record {
			return
		}
	}
	d.problems = append(d.problems, Problem{Record: record, Reason: reason})
}

// Change is what changed in the journal since the last call.
func (d *Opencode) Change() kernel.Change {
	d.settle()
	return d.journal.change()
}

// Session is what is known of the session so far.
func (d *Opencode) Session() Session {
	d.settle()
	c := &d.chain
	s := Session{
		Format: "opencode", Agent: "opencode", ID: d.info.id, Title: d.info.title, Folder: d.info.folder,
		Model: c.model, Counting: "whole opencode messages", Usage: c.usage, Meter: c.meter,
		Problems: d.problems[:len(d.problems):len(d.problems)],
	}
	s.Meter.Duplicates = d.twice
	if s.Model == "" {
		s.Model = d.info.model
	}
	return s
}

// Parts lists what is in context part by part, in sending order. The result of
// a call goes by the id of its part with #result behind it.
func (d *Opencode) Parts() []kernel.Message {
	d.settle()
	var out []kernel.Message
	for _, m := range d.chain.context {
		out = append(out, m.sent...)
	}
	return out
}

// measure makes the log's messages and the parts of a record.
func (d *Opencode) measure(m *openMessage, r openRecord, limit int, src kernel.Source) {
	pieces := r.pieces(limit)
	for i := range pieces {
		p := &pieces[i]
		if p.id == "" {
			p.id = fmt.Sprintf("%s#%d", m.id, p.place())
		}
		if p.cleared {
			m.cleared = append(m.cleared, p.callID)
		}
		m.sent = append(m.sent, p.message(m.head, src, d.count))
	}
	for _, item := range r.logOf(pieces, limit) {
		m.log = append(m.log, d.logMessage(m, pieces, item, src))
	}
}

// logMessage makes one message of the log of the pieces that it joins.
func (d *Opencode) logMessage(m *openMessage, pieces []openPiece, item openItem, src kernel.Source) kernel.Message {
	out := kernel.Message{
		Role: item.role, Type: item.kind, ToolName: item.tool, ToolCallID: item.callID, Time: m.head.created, Source: src,
		Failed: m.head.failed || item.failed, Outcome: item.outcome, OutcomeBlocks: item.blocks,
	}
	out.Source.Part = item.part
	text := item.text(pieces)
	if at := item.alone(); at >= 0 && bytes.Equal(text, pieces[at].text) && out.Type == m.sent[at].Type {
		one := m.sent[at]
		out.Tokens, out.Chars, out.CutTokens, out.CutChars = one.Tokens, one.Chars, one.CutTokens, one.CutChars
		out.Facts, out.Text = one.Facts&^kernel.HasMedia, one.Text
	} else {
		measure(&out, text, d.count)
	}
	out.ToolPath = ""
	if out.Text = ""; item.call >= 0 {
		call := m.sent[item.call]
		out.ToolPath, out.Text = call.ToolPath, call.Text
	}
	if item.main {
		out.ID = m.id
		for i, p := range pieces {
			out.Images += m.sent[i].Images
			if p.kind == kernel.Reasoning {
				out.ThinkingTokens += m.sent[i].Tokens
			}
		}
	}
	return out
}
