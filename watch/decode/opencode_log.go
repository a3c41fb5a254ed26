package decode

import "ctxscope/kernel"

// openItem is one message of the log: which pieces it joins, and what the
// rules are to see of them.
type openItem struct {
	main    bool // it is the message itself and has its id
	part    int32
	role    kernel.Role
	kind    kernel.ContentType
	joins   []int // pieces
	call    int   // the piece whose arguments and path it keeps, -1 without
	tool    string
	callID  string
	failed  bool
	outcome kernel.Outcome
	blocks  uint16
}

// logOf says what a record of these pieces is in the log: the message, then
// the calls that rules read.
func (r *openRecord) logOf(pieces []openPiece, limit int) []openItem {
	main := openItem{main: true, role: r.head.role, call: -1}
	if limit < len(r.parts) {
		main.part = -int32(limit)
	}
	if r.onlyForScreen() {
		main.role = kernel.RoleSystem
	}
	read, others := splitCalls(pieces)
	for i := range pieces {
		if p := &pieces[i]; p.kind == kernel.Text || p.isTool() && !p.isRead() {
			main.joins = append(main.joins, i)
			main.failed = main.failed || p.failed
		}
	}
	var behind []openItem
	switch {
	case len(others) > 0:
		main.kind, main.tool, main.call = kernel.ToolCall, pieces[others[0]].tool, others[0]
	case len(read) > 0:
		i := read[0]
		main.kind, main.tool, main.callID, main.call = kernel.ToolCall, pieces[i].tool, pieces[i].callID, i
		main.joins = append(main.joins, i)
		behind = append(behind, answerTo(pieces, i)...)
		read = read[1:]
	}
	for _, i := range read {
		p := &pieces[i]
		call := openItem{part: p.part, role: p.role, kind: p.kind, joins: []int{i}, call: i, tool: p.tool, callID: p.callID}
		behind = append(append(behind, call), answerTo(pieces, i)...)
	}
	return append([]openItem{main}, behind...)
}

// onlyForScreen reports whether a user message says nothing to the agent: the
// plugin's own notices are such messages.
func (r *openRecord) onlyForScreen() bool {
	ignored := false
	for _, p := range r.parts {
		if p.kind != "text" || !p.rec.get("ignored").truthy() {
			return false
		}
		ignored = true
	}
	return ignored && r.head.role == kernel.RoleUser
}

// splitCalls gives the calls whose arguments rules read, and all others.
func splitCalls(pieces []openPiece) (read, others []int) {
	for i := range pieces {
		switch p := &pieces[i]; {
		case p.kind != kernel.ToolCall:
		case p.isRead():
			read = append(read, i)
		default:
			others = append(others, i)
		}
	}
	return read, others
}

// answerTo is the result of a call in the log; none while the call goes on.
func answerTo(pieces []openPiece, call int) []openItem {
	p := &pieces[call+1]
	if p.open {
		return nil
	}
	return []openItem{{
		part: p.part, role: p.role, kind: p.kind, joins: []int{call + 1}, call: -1, tool: p.tool, callID: p.callID,
		failed: p.failed, outcome: p.outcome, blocks: p.blocks,
	}}
}

func (p *openPiece) isTool() bool { return p.kind == kernel.ToolCall || p.kind == kernel.ToolResult }

// isRead reports whether rules read the piece: a compress or decompress call
// and its result.
func (p *openPiece) isRead() bool {
	m := kernel.Message{Type: kernel.ToolCall, ToolName: p.tool}
	return p.isTool() && m.KeepsText()
}

// alone is the piece that the item is made of, -1 when it joins several.
func (o openItem) alone() int {
	if len(o.joins) != 1 {
		return -1
	}
	return o.joins[0]
}

// text joins the pieces, those without text left out. Ref tags that the model
// echoes are cut off what it says.
func (o openItem) text(pieces []openPiece) []byte {
	var out []byte
	for _, i := range o.joins {
		text := pieces[i].text
		if pieces[i].kind == kernel.Text && pieces[i].role == kernel.RoleAssistant {
			text = cutRefTags(text)
		}
		if len(out) > 0 && len(text) > 0 {
			out = append(out, '\n')
		}
		out = append(out, text...)
	}
	return out
}

// Text is the text of the message whose Source.Part is part, read again from
// its record. It may be called beside any other method.
func (d *Opencode) Text(record []byte, part int32) (string, bool) {
	var s scanner
	rec, _, ok := s.scan(record, 0)
	if !ok {
		return "", false
	}
	r := readOpen(rec)
	if !r.info.isObject() || part < -int32(len(r.parts)) {
		return "", false
	}
	limit := r.all()
	if part < 0 {
		limit = int(-part)
	}
	pieces := r.pieces(limit)
	if part <= 0 {
		return string(r.logOf(pieces, limit)[0].text(pieces)), true
	}
	for i := range pieces {
		if pieces[i].part == part {
			return string(pieces[i].text), true
		}
	}
	return "", false
}
