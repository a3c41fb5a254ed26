package decode

import "ctxscope/kernel"

// claude reads the sessions of Claude Code. The file holds a tree of records
// that only grows; what is sent is one path through it, and where that path
// runs is looked up when somebody asks, so that a long file is read at the
// price of its records.
type claude struct {
	lines  lines
	count  kernel.Counter
	reader claudeReader
	tree   claudeTree
	chain  claudeChain

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
	unknown    int // records of types that are not known
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
	defer d.reader.release()
	d.lines.each(line, at, func(rec value, src kernel.Source) string {
		d.reader.empty()
		var r claudeRead
		d.reader.record(&r, rec, src, d.count)
		d.record(&r)
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
	var f claudeFields
	f.read(rec)
	parts := p.read(&f)
	if part < 0 || int(part) >= len(parts) {
		return "", false
	}
	return string(p.text(&parts[part])), true
}

// record takes one record into account.
func (d *claude) record(read *claudeRead) {
	f, uuid := &read.fields, read.uuid
	d.about(f)
	if !f.known() {
		d.unknown++
	}
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
	r := claudeRecord{time: read.time, kind: read.kind, summary: f.summary, side: f.sidechain, reply: none}
	slot, again := d.tree.slots[uuid]
	if again && d.tree.records[slot].kind != claudeApart {
		d.duplicates++
	} else {
		again = false
	}
	r.reply = d.reply(f, &r, uuid, slot, again)
	d.nameTools(read)
	if again {
		d.replace(slot, r, uuid, read.messages, f)
	} else {
		slot = d.put(r, uuid, read.messages, f)
	}
	d.pair(slot, read)
	d.tree.mark(slot, read.ends, f.team)
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

// put adds a new record to the tree.
func (d *claude) put(r claudeRecord, uuid string, messages []kernel.Message, f *claudeFields) int32 {
	r.count = int32(len(messages))
	r.messages = d.hold(messages)
	c := compaction(f, r.kind)
	parent := f.parent
	if c != nil {
		parent = f.above(&d.tree)
	}
	slot, orphans := d.tree.add(r, uuid, parent.text(), c != nil)
	for _, o := range orphans {
		d.chain.broken = d.chain.broken || d.tree.records[o].place != none || d.tree.records[o].home != none
	}
	if c != nil {
		d.compact(slot, c)
	}
	for _, boundary := range d.tree.awaited[uuid] {
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

// replace puts a record in the place of an older one with the same uuid.
func (d *claude) replace(slot int32, r claudeRecord, uuid string, messages []kernel.Message, f *claudeFields) {
	old := &d.tree.records[slot]
	c := compaction(f, r.kind)
	parent := f.parent
	if c != nil {
		parent = f.above(&d.tree)
	}
	if d.tree.again(slot, uuid, parent.text(), c != nil) || old.kind == claudeBoundary {
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

// clear notes which results the host says it cleared in what it sends.
func (d *claude) clear(slot int32, f *claudeFields) {
	delete(d.cleared, slot)
	for id := range f.microcompact.get("compactedToolIds").items() {
		if id.isString() {
			d.cleared[slot] = append(d.cleared[slot], id.str())
		}
	}
}
