package decode

import (
	"strconv"
	"unicode"
	"unicode/utf8"

	"ctxscope/kernel"
)

// claudePart is one part of a record: one text, one reasoning block, one call
// or one result. The texts of a prompt are one part.
type claudePart struct {
	at         int // place of its block in the record's list
	role       kernel.Role
	kind       kernel.ContentType
	tool, call value
	start, end int // its text in the maker's buffer
	images     int
	media      bool
	failed     bool
}

// claudeParts makes the parts of one record after another. What it made is
// void after empty.
type claudeParts struct {
	parts []claudePart
	buf   []byte
}

func (p *claudeParts) empty() { p.parts, p.buf = p.parts[:0], p.buf[:0] }

// read makes the parts of a record: none of one that is not sent.
func (p *claudeParts) read(f *claudeFields) []claudePart {
	from := len(p.parts)
	switch {
	case f.kind.is("assistant") && !f.failed:
		p.reply(f.message.get("content"))
	case f.kind.is("user"):
		p.user(f.message.get("content"))
	case f.kind.is("attachment") && f.attachment.get("type").is("queued_command"):
		p.user(f.attachment.get("prompt"))
	}
	return p.parts[from:]
}

// release gives back the room that an unusually large record took.
func (p *claudeParts) release() {
	if cap(p.buf) > 1<<20 {
		p.buf = nil
	}
	if cap(p.parts) > 1<<12 {
		p.parts = nil
	}
}

func (p *claudeParts) text(part *claudePart) []byte { return p.buf[part.start:part.end] }

// add closes a part whose text was appended to the buffer from start on.
func (p *claudeParts) add(part claudePart, start int) {
	part.start, part.end = start, len(p.buf)
	p.parts = append(p.parts, part)
}

// reply makes one part of each block of a reply. A text of white space only is
// stored by the host but not sent.
func (p *claudeParts) reply(content value) {
	if content.isString() {
		p.replyText(0, content)
	}
	at := -1
	for block := range content.items() {
		at++
		start := len(p.buf)
		part := claudePart{at: at, role: kernel.RoleAssistant, kind: kernel.Reasoning}
		switch kind := block.get("type"); {
		case kind.is("text"):
			p.replyText(at, block.get("text"))
		case kind.is("thinking"):
			p.buf = block.get("thinking").appendText(p.buf)
			p.add(part, start)
		case kind.is("redacted_thinking"):
			p.add(part, start)
		case block.get("input").missing() && block.get("tool_use_id").isString():
			p.result(at, block)
		case kind.is("tool_use"), kind.is("server_tool_use"), kind.is("mcp_tool_use"):
			part.kind, part.tool, part.call = kernel.ToolCall, block.get("name"), block.get("id")
			if input := block.get("input"); input.isString() {
				p.buf = input.appendText(p.buf)
			} else {
				p.buf = input.appendCompact(p.buf)
			}
			p.add(part, start)
		}
	}
}

func (p *claudeParts) replyText(at int, text value) {
	start := len(p.buf)
	p.buf = text.appendText(p.buf)
	if blank(p.buf[start:]) {
		p.buf = p.buf[:start]
		return
	}
	p.add(claudePart{at: at, role: kernel.RoleAssistant, kind: kernel.Text}, start)
}

// blank reports whether a text is white space only.
func blank(text []byte) bool {
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if !unicode.IsSpace(r) && r != '\ufeff' {
			return false
		}
		text = text[size:]
	}
	return true
}

// user makes the parts of what is sent for the user: one of each result, and
// one of everything else together.
func (p *claudeParts) user(content value) {
	if content.isString() && len(content.quoted()) > 0 {
		start := len(p.buf)
		p.buf = content.appendText(p.buf)
		p.add(claudePart{role: kernel.RoleUser, kind: kernel.Text}, start)
		return
	}
	var prompt claudePart
	found, place, at := false, 0, -1
	for block := range content.items() {
		at++
		if block.get("type").is("tool_result") {
			p.result(at, block)
			continue
		}
		if promptBlock(block) && !found {
			found, place = true, len(p.parts)
			prompt = claudePart{at: at, role: kernel.RoleUser, kind: kernel.Text}
		}
	}
	if !found {
		return
	}
	start := len(p.buf)
	p.blocks(content, &prompt)
	p.add(prompt, start)
	for i := len(p.parts) - 1; i > place; i-- {
		p.parts[i-1], p.parts[i] = p.parts[i], p.parts[i-1]
	}
}

// promptBlock reports whether a block makes a prompt: a text that is not
// empty, a picture or a document.
func promptBlock(block value) bool {
	kind := block.get("type")
	return kind.is("text") && len(block.get("text").quoted()) > 0 || kind.is("image") || kind.is("document")
}

// result makes the part of one result: its texts, with images counted apart.
func (p *claudeParts) result(at int, block value) {
	start := len(p.buf)
	part := claudePart{
		at: at, role: kernel.RoleTool, kind: kernel.ToolResult,
		call: block.get("tool_use_id"), failed: block.get("is_error").truthy(),
	}
	content := block.get("content")
	if content.isString() {
		p.buf = content.appendText(p.buf)
	} else {
		p.blocks(content, &part)
	}
	p.add(part, start)
}

// blocks appends the texts of a list, joined by LF, and counts its images. A
// document that is plain text is a text too.
func (p *claudeParts) blocks(content value, part *claudePart) {
	first := true
	for block := range content.items() {
		var text value
		switch kind := block.get("type"); {
		case kind.is("text"):
			text = block.get("text")
		case kind.is("image"):
			part.images++
			part.media = true
		case kind.is("document"):
			if source := block.get("source"); source.get("type").is("text") {
				text = source.get("data")
			} else {
				part.media = true
			}
		}
		if !text.isString() {
			continue
		}
		if !first {
			p.buf = append(p.buf, '\n')
		}
		first = false
		p.buf = text.appendText(p.buf)
	}
}

// partID is the id of a part: the record's own where it is the only one, else
// with the place of its block.
func partID(uuid string, at, parts int) string {
	if parts == 1 {
		return uuid
	}
	return uuid + "#" + strconv.Itoa(at)
}
