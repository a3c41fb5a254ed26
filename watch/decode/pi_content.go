package decode

import "ctxscope/kernel"

// Part numbers of Pi entries, as in kernel.Source.Part. A message of the
// host's list is wholeEntry, or firstCall+k for call k of a reply with
// several calls, or labelledSummary, or textAlone, or firstRemote+k for part k
// of a provider's own history; a part that is metered is firstBlock-k for block
// k of the content, or the same firstRemote+k.
const (
	firstBlock      int32 = -1
	wholeEntry      int32 = 0
	firstCall       int32 = 1
	textAlone       int32 = 1 << 28
	firstRemote     int32 = 1 << 29
	labelledSummary int32 = 1 << 30
)

// piContent is what an entry says, read from its record.
type piContent struct {
	text   []byte // the texts joined by LF
	texts  int
	images int       // pictures, whose bytes are never text
	blocks []piBlock // texts, thinking and calls in their order
	calls  int
}

// piBlock is one block of a reply.
type piBlock struct {
	kind      kernel.ContentType
	index     int32 // in the record's list
	text      value
	arguments value // of a call
	id, name  string
}

// readPiContent reads a content: a string, or a list of blocks. The text is
// put into room.
func readPiContent(content value, room []byte) piContent {
	c := piContent{text: room[:0]}
	if content.isString() {
		c.add(piBlock{kind: kernel.Text, text: content})
		return c
	}
	index := int32(-1)
	for block := range content.items() {
		index++
		b := piBlock{index: index}
		kind := value{}
		for k, v := range block.members() {
			switch string(k) {
			case "type":
				kind = v
			case "text", "thinking":
				b.text = v
			case "id":
				b.id = v.str()
			case "name":
				b.name = v.str()
			case "arguments":
				b.arguments = v
			}
		}
		switch {
		case kind.is("text"):
			c.add(b)
		case kind.is("thinking"):
			b.kind = kernel.Reasoning
			c.blocks = append(c.blocks, b)
		case kind.is("toolCall"):
			b.kind = kernel.ToolCall
			c.calls++
			c.blocks = append(c.blocks, b)
		case kind.is("image"):
			c.images++
		}
	}
	return c
}

// add takes a text block up.
func (c *piContent) add(b piBlock) {
	if c.texts > 0 {
		c.text = append(c.text, '\n')
	}
	c.text = b.text.appendText(c.text)
	c.texts++
	c.blocks = append(c.blocks, b)
}

// readPiEntry reads what an entry says, whatever its kind. The text is put
// into room.
func readPiEntry(f piFields, room []byte) piContent {
	switch {
	case f.kind.is("message"):
		m := readPiMessage(f.message)
		switch {
		case m.role.is("bashExecution"):
			text := m.command.appendText(append(room[:0], "$ "...))
			return piContent{text: m.output.appendText(append(text, '\n')), texts: 1}
		case m.summary.isString():
			return readPiContent(m.summary, room)
		}
		return readPiContent(m.content, room)
	case f.kind.is("context_edit"):
		return readPiContent(f.replacement.get("content"), room)
	case f.summary.isString():
		return readPiContent(f.summary, room)
	}
	return readPiContent(f.content, room)
}

// appendArguments appends the arguments of a call as compact JSON, or a
// string as it is. A call without arguments has none.
func appendArguments(dst []byte, arguments value) []byte {
	switch {
	case arguments.missing() || arguments.isNull():
		return dst
	case arguments.isString():
		return arguments.appendText(dst)
	}
	return arguments.appendCompact(dst)
}

// whole is the text of the host's message for the entry. echo says that ref
// tags, which a model echoes, are cut off.
func (c piContent) whole(echo bool) []byte {
	text := c.text
	if echo {
		text = cutRefTags(text)
	}
	for _, b := range c.blocks {
		if b.kind == kernel.ToolCall && c.calls == 1 {
			arguments := appendArguments(nil, b.arguments)
			if len(text) > 0 && len(arguments) > 0 {
				text = append(append([]byte(nil), text...), '\n')
			}
			text = append(text[:len(text):len(text)], arguments...)
		}
	}
	return text
}

// call is the text of the host's message for call k of several.
func (c piContent) call(k int, echo bool) (piBlock, []byte) {
	for _, b := range c.blocks {
		if b.kind != kernel.ToolCall {
			continue
		}
		if k == 0 {
			text := appendArguments(nil, b.arguments)
			if len(text) == 0 && echo {
				text = cutRefTags(c.text)
			} else if len(text) == 0 {
				text = c.text
			}
			return b, text
		}
		k--
	}
	return piBlock{}, nil
}

// block is the text of the part that stands at an index of the list.
func (c piContent) block(index int32) []byte {
	for _, b := range c.blocks {
		if b.index != index {
			continue
		}
		if b.kind == kernel.ToolCall {
			return appendArguments(nil, b.arguments)
		}
		return b.text.appendText(nil)
	}
	return nil
}

// summaryLabel is what the oh-my-pi plugin puts before a summary of the host.
func summaryLabel(compaction bool) string {
	if compaction {
		return kernel.SummaryHeader + " — omp compaction summary\n"
	}
	return kernel.SummaryHeader + " — omp branch summary\n"
}

// Text is the text of a message of the host's list or of a metered part.
func (d *pi) Text(record []byte, part int32) (string, bool) {
	var s scanner
	rec, _, ok := s.scan(record, 0)
	if !ok || !rec.isObject() {
		return "", false
	}
	f := readPiFields(rec)
	c := readPiEntry(f, nil)
	reply := f.kind.is("message") && f.message.get("role").is("assistant")
	switch {
	case part == labelledSummary:
		return summaryLabel(f.kind.is("compaction")) + string(c.text), true
	case part >= firstRemote:
		parts := remoteParts(remoteHistory(f.preserved))
		if int(part-firstRemote) >= len(parts) {
			return "", false
		}
		return string(parts[part-firstRemote].text), true
	case part == textAlone:
		return string(cutRefTags(c.text)), true
	case part >= firstCall:
		_, text := c.call(int(part-firstCall), reply)
		return string(text), int(part-firstCall) < c.calls
	case part <= firstBlock:
		return string(c.block(firstBlock - part)), true
	case reply || f.kind.is("context_edit"):
		return string(c.whole(reply)), true
	}
	return string(c.text), true
}
