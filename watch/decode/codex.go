package decode

import (
	"fmt"

	"ctxscope/kernel"
)

// codex reads sessions of the Codex CLI: the records of today, each with a
// payload, and the bare response items of before. Response items and
// compactions are the context; what the screen was told repeats them.
//
// A reply is what the model made in one go: response items of the assistant
// that follow one another, up to the count of tokens that ends them.
type codex struct {
	lines    lines
	count    kernel.Counter
	seq      sequence
	session  Session
	number   int // of response items so far
	headed   bool
	replying bool              // the newest item is one of a reply that goes on
	last     int               // the newest item of the newest reply, while its usage was not reported; or none
	counted  [2]kernel.Tokens  // the newest report: of the request, and of all of them
	tools    map[string]string // call id → tool
}

func newCodex(count kernel.Counter) Decoder {
	return &codex{
		count: count, last: -1, tools: map[string]string{},
		session: Session{Format: "codex", Agent: "Codex CLI", Counting: "parts"},
	}
}

func (d *codex) Line(line []byte, at Place) { d.lines.each(line, at, d.record) }

func (d *codex) Change() kernel.Change { return d.seq.journal.change() }

func (d *codex) Session() Session {
	s := d.session
	s.Usage, s.Meter = d.seq.usage, d.seq.meter
	s.Usage.Spent = d.session.Usage.Spent
	s.Meter.Unknown, s.Meter.Overhead = d.session.Meter.Unknown, d.session.Meter.Overhead
	s.Problems = d.lines.problems[:len(d.lines.problems):len(d.lines.problems)]
	return s
}

// codexScreen are the records that hold nothing of the context.
var codexScreen = map[string]bool{
	"world_state": true, "token_usage_record": true, "inter_agent_communication": true,
	"inter_agent_communication_metadata": true, "realtime_item": true, "security_risk_score": true,
}

func (d *codex) record(rec value, src kernel.Source) string {
	payload, time := rec.get("payload"), rec.get("timestamp").when()
	switch kind := rec.get("type"); {
	case kind.is("session_meta"):
		return d.head(payload)
	case kind.is("turn_context"):
		if model := payload.get("model"); model.isString() {
			d.session.Model = model.str()
		}
	case kind.is("response_item"):
		d.item(payload, src, time)
	case kind.is("compacted") && payload.isObject():
		d.compacted(payload, src, time)
	case kind.is("event_msg"):
		d.event(payload)
	case kind.missing() && rec.get("record_type").isString():
		// The old way to note what the screen showed.
	case kind.missing() && rec.get("id").isString():
		return d.head(rec)
	case kind.isString() && payload.missing() && bareCodexItem(rec):
		d.item(rec, src, 0)
	case kind.isString() && !codexScreen[kind.str()]:
		d.session.Meter.Unknown++
	}
	return ""
}

// bareCodexItem reports whether a record without a payload is a response item
// itself, as they were written first.
func bareCodexItem(rec value) bool {
	kind := string(rec.get("type").text())
	return codexTypes[kind] != nil || kind == "ghost_snapshot"
}

// head reads the file's own header, which is the first: a fork has that of its
// parent behind it.
func (d *codex) head(meta value) (wrong string) {
	if d.headed || !meta.isObject() {
		return ""
	}
	d.headed = true
	d.session.ID, d.session.Folder = meta.get("id").str(), meta.get("cwd").str()
	d.origin(meta)
	instructions := meta.get("base_instructions").get("text")
	if !instructions.isString() {
		instructions = meta.get("instructions")
	}
	if instructions.isString() {
		d.session.Meter.Overhead = tokensIn(instructions.str(), d.count)
	}
	if meta.get("history_base").isObject() {
		return "the session goes on from a part of another one, which stands in that one's file and is not read"
	}
	return ""
}

// item takes a response item.
func (d *codex) item(rec value, src kernel.Source, time int64) {
	d.number++
	it, ok := d.build(rec, fmt.Sprintf("i%04d", d.number), src, time)
	if !ok {
		return
	}
	ofReply := it.own > 0
	if ofReply && !d.replying {
		it.reply = d.seq.journal.holdReply(d.seq.journal.messages.at(it.messages[0]).ID, time)
	}
	if d.seq.add(it); ofReply {
		d.last = len(d.seq.items) - 1
	}
	d.replying = ofReply
}

// build measures a response item. ok is false when nothing of it is sent.
func (d *codex) build(rec value, id string, src kernel.Source, time int64) (it item, ok bool) {
	parts, known := readCodexItem(rec)
	if !known {
		d.session.Meter.Unknown++
	}
	if own := rec.get("id"); len(own.quoted()) > 0 {
		id = own.str()
	}
	it = item{reply: none}
	for k := range parts {
		it.messages = append(it.messages, d.hold(&parts[k], partID(id, k, len(parts)), int32(k), src, time))
		if it.prompt = parts[k].prompt(); parts[k].role == kernel.RoleAssistant {
			it.own++
		}
	}
	return it, len(parts) > 0
}

func (d *codex) hold(p *codexPart, id string, part int32, src kernel.Source, time int64) int32 {
	m := kernel.Message{
		ID: id, Role: p.role, Type: p.kind, ToolName: p.tool, ToolCallID: p.call, Failed: p.failed,
		Images: uint16(min(p.images, 1<<16-1)), Time: time, Source: src,
	}
	m.Source.Part = part
	if p.media {
		m.Facts |= kernel.HasMedia
	}
	switch {
	case p.call == "":
	case p.kind == kernel.ToolCall:
		d.tools[p.call] = p.tool
	case p.kind == kernel.ToolResult:
		if m.ToolName = d.tools[p.call]; m.ToolName == compressTool {
			m.Outcome, m.OutcomeBlocks = outcomeOf(p.answer(), p.failed)
		}
	}
	measure(&m, p.text, d.count)
	return d.seq.journal.hold(m)
}

// Parts lists the parts in context: the log is made of them.
func (d *codex) Parts() []kernel.Message { return d.seq.parts() }

// Text is the text of a response item, or of the summary that a compaction
// puts in.
func (d *codex) Text(record []byte, part int32) (string, bool) {
	var s scanner
	rec, _, ok := s.scan(record, 0)
	if !ok || !rec.isObject() {
		return "", false
	}
	payload := rec.get("payload")
	switch {
	case rec.get("type").is("compacted") && payload.isObject():
		return payload.get("message").str(), true
	case !payload.isObject():
		payload = rec
	}
	parts, _ := readCodexItem(payload)
	if part < 0 || int(part) >= len(parts) {
		return "", false
	}
	return string(parts[part].text), true
}
