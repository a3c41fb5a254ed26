package decode

import (
	"slices"

	"ctxscope/kernel"
)

// claude reads the sessions of Claude Code. The file holds a tree of records
// that only grows; what is sent is one path through it, and where that path
// runs is looked up when somebody asks, so that a long file is read at the
// price of its records.
type claude struct {
	lines lines
	count kernel.Counter
	tree  claudeTree
	parts claudeParts
	chain claudeChain

	replies  []claudeReply
	byID     map[string]int32  // real replies by message.id
	tools    map[string]string // tool names by call id
	names    map[string]string // one copy of each tool name
	nameless map[string][]claudeNameless
	cleared  map[int32][]string // call ids by the record that says that their results were cleared

	session    Session // what does not depend on the chain
	titled     int     // how much the title counts: 0 none, 1 summary, 2 made by the agent, 3 given by the user
	sidechain  int
	duplicates int
}

// claudeReply is what is known of one reply.
type claudeReply struct {
	held  int32 // as the journal holds it
	usage claudeUsage
	model string
	start int32 // place on the chain of its first block, or none
}

// claudeNameless is a result whose call was not read yet, with what it says
// should the call turn out to be a compress call.
type claudeNameless struct {
	slot, part int32
	outcome    kernel.Outcome
	blocks     uint16
}

func newClaude(count kernel.Counter) Decoder {
	d := &claude{
		count: count, tree: newClaudeTree(), byID: map[string]int32{}, tools: map[string]string{},
		names: map[string]string{}, nameless: map[string][]claudeNameless{}, cleared: map[int32][]string{},
	}
	d.chain.d = d
	d.chain.stained = nowhere
	d.chain.totals = claudeTotals{usage: none, model: none, boundary: none}
	return d
}

func (d *claude) Line(line []byte, at Place) {
	defer d.parts.release()
	d.lines.each(line, at, func(rec value, src kernel.Source) string {
		d.record(rec, src)
		return ""
	})
}

func (d *claude) Change() kernel.Change {
	d.chain.update()
	return d.chain.journal.change()
}

func (d *claude) Text(record []byte, part int32) (text string, ok bool) {
	rec, _, ok := new(scanner).scan(record, 0)
	if !ok {
		return "", false
	}
	var p claudeParts
	f := readClaude(rec)
	parts := p.read(&f)
	if part < 0 || int(part) >= len(parts) {
		return "", false
	}
	return string(p.text(&parts[part])), true
}

// record takes one record into account.
func (d *claude) record(rec value, src kernel.Source) {
	f := readClaude(rec)
	d.about(&f)
	uuid := f.uuid.str()
	if uuid == "" {
		return
	}
	if f.sidechain && d.tree.mixed {
		d.apart(uuid)
		return
	}
	if !f.sidechain && f.spoken() && !d.tree.mixed {
		d.sidechain = d.tree.setApart()
		d.chain.broken = true
	}
	parts := d.parts.read(&f)
	r := claudeRecord{time: f.time.when(), kind: f.classify(parts), summary: f.summary, side: f.sidechain, reply: none}
	var text []byte
	if len(parts) > 0 {
		text = d.parts.text(&parts[0])
	}
	ends := f.mayEnd(r.kind, text)
	slot, again := d.tree.slots[uuid]
	if again && d.tree.records[slot].kind != claudeApart {
		d.duplicates++
	} else {
		again = false
	}
	r.reply = d.reply(&f, &r, uuid, slot, again)
	messages := d.measure(uuid, parts, src, r.time)
	if again {
		d.replace(slot, r, uuid, messages, &f)
	} else {
		slot = d.put(r, uuid, messages, &f)
	}
	d.named(slot, messages)
	d.tree.mark(slot, ends, f.team)
	d.chain.seen = append(d.chain.seen, slot)
}

// apart counts a subagent's record in the main file.
func (d *claude) apart(uuid string) {
	d.sidechain++
	if _, again := d.tree.slots[uuid]; again {
		d.duplicates++
		return
	}
	d.tree.slots[uuid] = int32(len(d.tree.records))
	d.tree.records = append(d.tree.records, claudeRecord{
		kind: claudeApart, side: true, reply: none,
		parent: none, newest: none, older: none, newer: none, place: none, home: none,
	})
}

// about takes what a record says of the session as a whole.
func (d *claude) about(f *claudeFields) {
	s := &d.session
	if id := f.session.quoted(); len(id) > 0 && string(id) != s.ID {
		s.ID = f.session.str()
	}
	if s.Folder == "" {
		s.Folder = f.folder.str()
	}
	var title value
	rank := 0
	switch {
	case f.kind.is("custom-title"):
		title, rank = f.customTitle, 3
	case f.kind.is("ai-title"):
		title, rank = f.aiTitle, 2
	case f.kind.is("summary"):
		title, rank = f.title, 1
	}
	if rank >= d.titled && title.isString() {
		s.Title, d.titled = title.str(), rank
	}
}

// reply finds the reply that a record belongs to and takes over what the
// record says of it: of the usages that the records of one reply report, the
// last one in the file counts.
func (d *claude) reply(f *claudeFields, r *claudeRecord, uuid string, slot int32, again bool) int32 {
	if r.kind != claudeBlock && r.kind != claudeError && r.kind != claudeHostReply {
		return none
	}
	id := f.message.get("id").str()
	if id == "" {
		id = uuid
	}
	if r.kind != claudeBlock {
		if old := d.tree.records; again && old[slot].kind == r.kind {
			return old[slot].reply
		}
		return d.newReply(id, r.time)
	}
	at, known := d.byID[id]
	if !known {
		at = d.newReply(id, r.time)
		d.byID[id] = at
	}
	reply := &d.replies[at]
	if usage := readClaudeUsage(f.message.get("usage")); usage.total() > 0 && usage != reply.usage {
		reply.usage = usage
		if reply.start != none {
			d.chain.stain(reply.start)
		}
	}
	if model := f.message.get("model"); len(model.quoted()) > 0 && string(model.quoted()) != reply.model {
		reply.model = model.str()
		if at > 0 && d.replies[at-1].model == reply.model {
			reply.model = d.replies[at-1].model // one copy for all
		}
	}
	return at
}

func (d *claude) newReply(id string, time int64) int32 {
	d.replies = append(d.replies, claudeReply{held: d.chain.journal.holdReply(id, time), start: none})
	return int32(len(d.replies) - 1)
}

// measure makes the messages of a record from its parts.
func (d *claude) measure(uuid string, parts []claudePart, src kernel.Source, time int64) []kernel.Message {
	messages := make([]kernel.Message, len(parts))
	for i := range parts {
		p := &parts[i]
		text := d.parts.text(p)
		m := kernel.Message{
			ID: partID(uuid, p.at, len(parts)), Role: p.role, Type: p.kind, Time: time, Source: src,
			Images: uint16(min(p.images, 1<<16-1)), Failed: p.failed, ToolCallID: p.call.str(),
		}
		m.Source.Part = int32(i)
		if p.media {
			m.Facts |= kernel.HasMedia
		}
		switch p.kind {
		case kernel.ToolCall:
			m.ToolName = d.one(plainToolName(p.tool.str()))
			d.tools[m.ToolCallID] = m.ToolName
		case kernel.ToolResult:
			m.ToolName = d.tools[m.ToolCallID]
			if m.ToolName == compressTool {
				m.Outcome, m.OutcomeBlocks = outcomeOf(text, p.failed)
			}
		}
		m.Measure(string(text), d.count)
		messages[i] = m
	}
	return messages
}

// one gives one copy of a tool name for all its calls.
func (d *claude) one(name string) string {
	if known, ok := d.names[name]; ok {
		return known
	}
	d.names[name] = name
	return name
}

// put adds a new record to the tree.
func (d *claude) put(r claudeRecord, uuid string, messages []kernel.Message, f *claudeFields) int32 {
	r.count = int32(len(messages))
	r.messages = d.hold(messages)
	c := compaction(f, r.kind)
	parent := f.parent
	if c != nil {
		parent = f.above(&d.tree)
	}
	slot, orphans := d.tree.add(r, uuid, parent.text(), c)
	for _, o := range orphans {
		d.chain.broken = d.chain.broken || d.tree.records[o].place != none || d.tree.records[o].home != none
	}
	if c != nil {
		d.compact(slot, c)
	}
	for _, boundary := range d.tree.awaited[uuid] {
		d.chain.keep(boundary)
		d.chain.stainCompaction(boundary)
	}
	delete(d.tree.awaited, uuid)
	d.clear(slot, f)
	return slot
}

// above is the parent of a compaction: the record that the conversation ended
// with, where the boundary names it.
func (f *claudeFields) above(t *claudeTree) value {
	if t.at(f.logicalParent.text()) != none {
		return f.logicalParent
	}
	return f.parent
}

func (d *claude) hold(messages []kernel.Message) int32 {
	first := int32(len(d.chain.journal.messages))
	for _, m := range messages {
		d.chain.journal.hold(m)
	}
	return first
}

// replace puts a record in the place of an older one with the same uuid.
func (d *claude) replace(slot int32, r claudeRecord, uuid string, messages []kernel.Message, f *claudeFields) {
	old := &d.tree.records[slot]
	c := compaction(f, r.kind)
	parent := f.parent
	if c != nil {
		parent = f.above(&d.tree)
	}
	if d.tree.again(slot, uuid, parent.text()) || old.kind == claudeBoundary {
		d.chain.broken = true
	}
	if old.kind != r.kind || old.reply != r.reply || old.summary != r.summary || !d.sameMessages(old, messages) {
		old.kind, old.reply, old.summary, old.time = r.kind, r.reply, r.summary, r.time
		old.count, old.messages = int32(len(messages)), d.hold(messages)
		d.chain.stainRecord(slot)
	}
	if d.tree.forget(slot); c != nil {
		d.compact(slot, c)
		d.chain.broken = true
	}
	d.clear(slot, f)
}

// sameMessages reports whether a record that was written again says the same.
func (d *claude) sameMessages(old *claudeRecord, messages []kernel.Message) bool {
	return slices.EqualFunc(d.held(old), messages, func(a, b kernel.Message) bool {
		b.Source = a.Source
		return a == b
	})
}

// held are the messages of a record.
func (d *claude) held(r *claudeRecord) []kernel.Message {
	return d.chain.journal.messages[r.messages : r.messages+r.count]
}

// clear notes which results the host says it cleared in what it sends.
func (d *claude) clear(slot int32, f *claudeFields) {
	delete(d.cleared, slot)
	for id := range f.microcompact.get("compactedToolIds").items() {
		if id.isString() {
			d.cleared[slot] = append(d.cleared[slot], id.str())
		}
	}
}

func (d *claude) compact(slot int32, c *claudeCompact) {
	d.tree.compacts[slot] = c
	d.tree.await(slot, c)
	d.chain.keep(slot)
}

// compaction reads what a boundary says of itself; nil for any other record.
func compaction(f *claudeFields, kind claudeKind) *claudeCompact {
	if kind != claudeBoundary {
		return nil
	}
	c := &claudeCompact{before: f.compact.get("preTokens").number()}
	if kept := f.compact.get("preservedMessages"); kept.isObject() {
		c.anchor = kept.get("anchorUuid").str()
		for uuid := range kept.get("uuids").items() {
			c.kept = append(c.kept, uuid.str())
		}
	} else if kept := f.compact.get("preservedSegment"); kept.isObject() {
		c.anchor, c.head, c.tail = kept.get("anchorUuid").str(), kept.get("headUuid").str(), kept.get("tailUuid").str()
	}
	return c
}

// named brings calls and results together, whichever was written first.
func (d *claude) named(slot int32, messages []kernel.Message) {
	for i := range messages {
		m := &messages[i]
		switch {
		case m.ToolCallID == "":
		case m.Type == kernel.ToolCall:
			d.nameResults(m.ToolCallID, m.ToolName)
		case m.Type == kernel.ToolResult && m.ToolName == "":
			outcome, blocks := outcomeOf(d.parts.text(&d.parts.parts[i]), m.Failed)
			d.nameless[m.ToolCallID] = append(d.nameless[m.ToolCallID], claudeNameless{slot, int32(i), outcome, blocks})
		}
	}
}

// nameResults tells the results that were written before their call which
// tool they come from.
func (d *claude) nameResults(call, tool string) {
	for _, n := range d.nameless[call] {
		r := &d.tree.records[n.slot]
		if n.part >= r.count || d.held(r)[n.part].ToolCallID != call {
			continue // the record was written again with something else
		}
		messages := slices.Clone(d.held(r))
		m := &messages[n.part]
		m.ToolName = tool
		if tool == compressTool {
			m.Outcome, m.OutcomeBlocks = n.outcome, n.blocks
		}
		r.messages = d.hold(messages)
		d.chain.stainRecord(n.slot)
	}
	delete(d.nameless, call)
}
