package decode

import (
	"fmt"
	"slices"

	"ctxscope/kernel"
)

// core reads the format of recorded runs, of tests and of other tools: one
// JSON object a line, a kernel message or an event with an op.
//
// A file without turn lines gets one turn a reply, and a reply is a run of
// assistant messages. A file with a turn line is a recording: its own events
// run the turns and fold.
type core struct {
	lines   lines
	reader  coreReader
	session Session
	entries []kernel.Entry // as they stand
	given   int            // how many of them were given by Change and stand since
	here    map[string]bool
	reply   bool // the last message is an assistant's
	removed bool // the meter still counts what was taken out
	records int
}

// coreOps are the events.
var coreOps = map[string]bool{"config": true, "host": true, "turn": true, "compress": true, "remove": true}

func newCore(count kernel.Counter) Decoder {
	return &core{
		reader:  coreReader{count: count, tools: map[string]string{}},
		here:    map[string]bool{},
		session: Session{Format: "core", Agent: "core file", Counting: "messages"},
	}
}

func (d *core) Line(line []byte, at Place) { d.lines.each(line, at, d.record) }

func (d *core) Change() kernel.Change {
	c := kernel.Change{Keep: d.given, Entries: slices.Clone(d.entries[d.given:])}
	d.given = len(d.entries)
	return c
}

func (d *core) Session() Session {
	if d.removed {
		d.weigh()
	}
	s := d.session
	s.Problems = d.lines.problems[:len(d.lines.problems):len(d.lines.problems)]
	return s
}

func (d *core) Text(record []byte, _ int32) (string, bool) {
	var s scanner
	rec, _, ok := s.scan(record, 0)
	return rec.get("text").str(), ok && rec.isObject()
}

// Parts lists the messages of the log: each is a part.
func (d *core) Parts() []kernel.Message {
	var out []kernel.Message
	at := map[string]int{} // by id, of what is there
	for _, e := range d.entries {
		switch e.Op {
		case kernel.Append:
			at[e.Message.ID] = len(out)
			out = append(out, e.Message)
		case kernel.Remove:
			for _, id := range e.IDs {
				delete(at, id)
			}
		}
	}
	kept := out[:0]
	for i, m := range out {
		if place, there := at[m.ID]; there && place == i {
			kept = append(kept, m)
		}
	}
	return kept
}

func (d *core) record(rec value, src kernel.Source) string {
	d.records++
	if op := rec.get("op"); !op.missing() {
		return d.event(op, rec)
	}
	return d.message(rec, src)
}

// message reads a message.
func (d *core) message(rec value, src kernel.Source) string {
	m, reason := d.reader.message(rec, src)
	switch {
	case reason != "":
		return reason
	case d.here[m.ID]:
		return fmt.Sprintf("id %q is in the log already", m.ID)
	}
	d.add(m)
	return ""
}

// add appends a message, and the reply that it begins.
func (d *core) add(m kernel.Message) {
	assistant := m.Role == kernel.RoleAssistant
	if assistant && !d.reply {
		d.session.Meter.Replies++
		if !d.session.Recording {
			d.entries = append(d.entries, kernel.Entry{Op: kernel.Reply, ReplyID: m.ID})
		}
	}
	d.reply = assistant
	d.here[m.ID] = true
	d.entries = append(d.entries, kernel.Entry{Op: kernel.Append, Message: m})
	d.session.Meter.Parts++
	d.session.Meter.Tokens += m.Size()
	d.session.Meter.Images += int(m.Images)
}

// weigh counts anew what is there.
func (d *core) weigh() {
	meter := Meter{Replies: d.session.Meter.Replies}
	for _, m := range d.Parts() {
		meter.Parts++
		meter.Tokens += m.Size()
		meter.Images += int(m.Images)
	}
	d.session.Meter, d.removed = meter, false
}

// event reads an event.
func (d *core) event(op, rec value) string {
	switch {
	case op.is("config"):
		return d.config(rec)
	case op.is("host"):
		view := rec.get("view")
		if !view.is("full-log") && !view.is("pruned-view") {
			return `host: view is neither "full-log" nor "pruned-view"`
		}
		d.entries = append(d.entries, kernel.Entry{Op: kernel.View, PrunedView: view.is("pruned-view")})
	case op.is("turn"):
		count := rec.get("tokenCount")
		if !count.isNumber() || count.tokens() < 0 {
			return "turn: tokenCount is not a number of tokens"
		}
		d.beRecording()
		d.entries = append(d.entries, kernel.Entry{Op: kernel.RecordedTurn, Used: count.tokens()})
		d.reply = false
	case op.is("compress"):
		call, reason := readCoreCall(rec.get("ranges"))
		if reason != "" {
			return "compress: " + reason
		}
		d.entries = append(d.entries, kernel.Entry{Op: kernel.Compress, Call: call})
	case op.is("remove"):
		return d.remove(rec.get("ids"))
	default:
		return fmt.Sprintf("op %s is none of config, host, turn, compress, remove", op.appendCompact(nil))
	}
	return ""
}

// beRecording makes the file a recording: what was taken for replies was none.
func (d *core) beRecording() {
	if d.session.Recording {
		return
	}
	d.session.Recording, d.session.Agent = true, "recording"
	entries := []kernel.Entry{{Op: kernel.Recording}}
	for _, e := range d.entries {
		if e.Op != kernel.Reply {
			entries = append(entries, e)
		}
	}
	d.entries, d.given = entries, 0
}

// maxConfig is how many bytes of settings a recording may have.
const maxConfig = 1 << 20

func (d *core) config(rec value) string {
	if d.records > 1 {
		return "config stands on the first line only"
	}
	if len(rec.raw()) > maxConfig {
		return "config is longer than 1 MiB"
	}
	d.session.Config = slices.Clone(rec.raw())
	d.session.Window = max(rec.get("modelContextLimit").tokens(), 0)
	return ""
}

func (d *core) remove(list value) string {
	if !list.isArray() {
		return "remove: ids is not a list"
	}
	var ids []string
	for id := range list.items() {
		if !id.isString() {
			return "remove: ids holds something that is not a string"
		}
		ids = append(ids, id.str())
	}
	for _, id := range ids {
		delete(d.here, id)
	}
	d.entries = append(d.entries, kernel.Entry{Op: kernel.Remove, IDs: ids})
	d.removed = true
	return ""
}
