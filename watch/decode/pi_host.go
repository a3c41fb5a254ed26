package decode

import "ctxscope/kernel"

// readText reads an entry that is one user text to the host and one part.
// Notices of the plugin itself are on the screen only: the host's list leaves
// them out.
func (d *pi) readText(e *piEntry, f piFields, customType value) {
	c := readPiEntry(f, d.room)
	d.room = c.text
	if c.texts == 0 && c.images == 0 {
		return
	}
	e.kind = piMessageEntry
	m := kernel.Message{ID: e.id, Role: kernel.RoleUser, Type: kernel.Text}
	d.measure(&m, e, wholeEntry, c.text, c.images)
	e.parts = []piPart{partOf(m)}
	e.hosts = d.journal.hold(m)
	if e.hostEnd = e.hosts + 1; customType.is("acp-status") || customType.is("acp-export") {
		e.hostEnd = e.hosts
	}
}

// label holds, behind a summary's message, the one that oh-my-pi makes of it.
func (d *pi) label(e *piEntry, compaction bool) {
	if e.kind != piMessageEntry {
		return
	}
	m := kernel.Message{ID: e.id, Role: kernel.RoleUser, Type: kernel.Text}
	d.measure(&m, e, labelledSummary, append([]byte(summaryLabel(compaction)), d.room...), 0)
	e.labelled = d.journal.hold(m)
}

// readResult reads the result of a call.
func (d *pi) readResult(e *piEntry, f piFields, m piMessage) {
	c := readPiEntry(f, d.room)
	d.room = c.text
	e.kind, e.callID = piMessageEntry, m.callID.str()
	known := d.tools[e.callID]
	tool := known
	if tool == "" || (tool != compressTool && m.tool.isString()) {
		tool = plainToolName(m.tool.str())
	}
	e.holdResult(d, tool, c, m.isError.truthy())
	if known == "" {
		e.answer, e.answerBlocks = outcomeOf(c.text, m.isError.truthy())
	}
}

func (e *piEntry) holdResult(d *pi, tool string, c piContent, failed bool) {
	m := kernel.Message{
		ID: e.id, Role: kernel.RoleTool, Type: kernel.ToolResult, ToolName: tool, ToolCallID: e.callID, Failed: failed,
	}
	if tool == compressTool {
		m.Outcome, m.OutcomeBlocks = outcomeOf(c.text, failed)
	}
	d.measure(&m, e, wholeEntry, c.text, c.images)
	e.parts = []piPart{partOf(m)}
	e.hosts = d.journal.hold(m)
	e.hostEnd = e.hosts + 1
}

// meet notes a call by its id. Results that stood before their call take the
// name of its tool now.
func (d *pi) meet(callID, tool string) {
	if callID == "" {
		return
	}
	d.tools[callID] = tool
	for _, at := range d.early[callID] {
		e := &d.entries[at]
		m := *d.journal.messages.at(e.hosts)
		if m.ToolName != "" && tool != compressTool {
			continue
		}
		if m.ToolName = tool; tool == compressTool {
			m.Outcome, m.OutcomeBlocks = e.answer, e.answerBlocks
		}
		e.hosts = d.journal.hold(m)
		e.hostEnd = e.hosts + 1
		e.parts = []piPart{partOf(m)}
		d.chain.stale = true
	}
	delete(d.early, callID)
}

// readReply reads a reply: its parts one by one, and what the host makes of
// it.
func (d *pi) readReply(e *piEntry, f piFields, m piMessage) {
	failed := m.stop.is("error") || m.stop.is("aborted")
	e.kind = piReplyEntry
	e.reply = &piReply{at: d.journal.holdReply(e.id, e.time), failed: failed}
	e.model = m.model.str()
	if !failed {
		e.reply.usage = piWire.usage(m.usage)
	}
	c := readPiEntry(f, d.room)
	d.room = c.text
	e.unsent = failed
	d.holdReply(e, c, true)
	for _, b := range c.blocks {
		if b.kind == kernel.ToolCall {
			e.reply.calls = append(e.reply.calls, b.id)
		}
	}
}

// holdReply measures what a reply says: parts, and messages of the host's
// list. echo says that the text may hold ref tags that the model echoed.
func (d *pi) holdReply(e *piEntry, c piContent, echo bool) {
	failed := e.reply != nil && e.reply.failed
	for _, b := range c.blocks {
		p := kernel.Message{Role: kernel.RoleAssistant, Type: b.kind, Failed: failed}
		if b.kind == kernel.ToolCall {
			p.ToolName, p.ToolCallID = callName(b), b.id
			d.meet(b.id, p.ToolName)
		}
		d.measure(&p, e, firstBlock-b.index, c.block(b.index), 0)
		e.parts = append(e.parts, partOf(p))
	}
	if c.calls > 0 && d.omp {
		d.holdAlone(e, c, echo)
	}
	e.hosts = d.journal.messages.count
	m := kernel.Message{ID: e.id, Role: kernel.RoleAssistant, Failed: failed}
	switch c.calls {
	case 0:
		if text := c.whole(echo); len(text) > 0 {
			d.measure(&m, e, wholeEntry, text, 0)
			d.journal.hold(m)
		}
	case 1:
		b, arguments := c.call(0, false)
		m.Type, m.ToolName, m.ToolCallID = kernel.ToolCall, callName(b), b.id
		d.measure(&m, e, wholeEntry, c.whole(echo), 0)
		keepArguments(&m, b, arguments)
		d.journal.hold(m)
	default:
		for k := range c.calls {
			b, text := c.call(k, echo)
			m.ID = e.id + "#" + b.id
			m.Type, m.ToolName, m.ToolCallID = kernel.ToolCall, callName(b), b.id
			d.measure(&m, e, firstCall+int32(k), text, 0)
			keepArguments(&m, b, text)
			d.journal.hold(m)
		}
	}
	e.hostEnd = d.journal.messages.count
}

// callName is the plain name of the tool that a block calls.
func callName(b piBlock) string {
	if _, ok := deviceCall(b.name, b.arguments); ok {
		return compressTool
	}
	return plainToolName(b.name)
}

// keepArguments keeps the arguments alone, where rules read them: without
// the text of the reply before them, and out of the oldest form of the call.
func keepArguments(m *kernel.Message, b piBlock, arguments []byte) {
	if !m.KeepsText() {
		return
	}
	m.Text = string(arguments)
	if text, ok := deviceCall(b.name, b.arguments); ok {
		m.Text = text
	}
}

// readEdit reads what a context edit makes of its target, which stands before
// it. Without a replacement the target is dropped.
func (d *pi) readEdit(e *piEntry, f piFields) {
	e.kind, e.target = piEdit, f.target.str()
	at, ok := d.byID[e.target]
	if !ok || !f.replacement.isObject() {
		return
	}
	target := d.entries[at]
	c := readPiEntry(f, d.room)
	d.room = c.text
	shape := piEntry{id: target.id, src: e.src, callID: target.callID, reply: target.reply}
	switch {
	case target.kind == piReplyEntry:
		d.holdReply(&shape, c, false)
	case target.callID != "" && target.hostEnd > target.hosts:
		old := *d.journal.messages.at(target.hosts)
		shape.holdResult(d, old.ToolName, c, old.Failed)
	case target.kind == piMessageEntry, target.kind == piCompaction:
		m := kernel.Message{ID: target.id, Role: kernel.RoleUser, Type: kernel.Text}
		d.measure(&m, &shape, wholeEntry, c.text, c.images)
		shape.parts = []piPart{partOf(m)}
		shape.hosts = d.journal.hold(m)
		if shape.hostEnd = shape.hosts + 1; target.hosts == target.hostEnd {
			shape.hostEnd = shape.hosts
		}
	}
	e.hosts, e.hostEnd, e.parts = shape.hosts, shape.hostEnd, shape.parts
}

// measure sets what rules and lists need of a message's text, and where the
// text stands.
func (d *pi) measure(m *kernel.Message, e *piEntry, part int32, text []byte, images int) {
	m.Time, m.Source = e.time, e.src
	m.Source.Part = part
	if images > 0 {
		m.Images = uint16(min(images, 1<<16-1))
		m.Facts |= kernel.HasMedia
	}
	measure(m, text, d.count)
}

func partOf(m kernel.Message) piPart {
	return piPart{
		role: m.Role, kind: m.Type, images: m.Images, part: m.Source.Part, chars: m.Chars, tokens: m.Tokens,
		tool: m.ToolName, callID: m.ToolCallID, failed: m.Failed, answer: m.Outcome, blocks: m.OutcomeBlocks,
	}
}
