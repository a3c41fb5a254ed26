package decode

import "ctxscope/kernel"

// claudeRead is one record with all that it says by itself, whatever stands
// before it. It is void when its reader is emptied.
type claudeRead struct {
	fields   claudeFields
	uuid     string
	time     int64
	kind     claudeKind
	ends     bool             // the conversation may end with it
	messages []kernel.Message // measured; the tools of results have no names yet
	parts    []claudePart     // one for each message
	texts    *claudeParts
}

// text is the text of a message.
func (r *claudeRead) text(i int) []byte { return r.texts.text(&r.parts[i]) }

// claudeReader reads records, each by itself.
type claudeReader struct {
	parts    claudeParts
	messages []kernel.Message
}

// record reads one record that stands at src into r, which is empty.
func (c *claudeReader) record(r *claudeRead, rec value, src kernel.Source, count kernel.Counter) {
	r.texts = &c.parts
	f := &r.fields
	f.read(rec)
	if r.uuid = f.uuid.str(); r.uuid == "" {
		return
	}
	r.time = f.time.when()
	r.parts = c.parts.read(f)
	r.kind = f.classify(r.parts)
	var text []byte
	if len(r.parts) > 0 {
		text = r.text(0)
	}
	r.ends = f.mayEnd(r.kind, text)
	from := len(c.messages)
	for i := range r.parts {
		c.messages = append(c.messages, kernel.Message{})
		r.measure(&c.messages[from+i], i, src, count)
	}
	r.messages = c.messages[from:]
}

// measure makes one part the message m.
func (r *claudeRead) measure(m *kernel.Message, i int, src kernel.Source, count kernel.Counter) {
	p := &r.parts[i]
	src.Part = int32(i)
	*m = kernel.Message{
		ID: partID(r.uuid, p.at, len(r.parts)), Role: p.role, Type: p.kind, Time: r.time, Source: src,
		Images: uint16(min(p.images, 1<<16-1)), Failed: p.failed, ToolCallID: p.call.str(),
	}
	if p.media {
		m.Facts |= kernel.HasMedia
	}
	if p.kind == kernel.ToolCall {
		m.ToolName = plainToolName(p.tool.str())
	}
	measure(m, r.text(i), count)
}

// empty makes room for other records.
func (c *claudeReader) empty() {
	c.parts.empty()
	c.messages = c.messages[:0]
}

// release gives back the room that unusually large records took.
func (c *claudeReader) release() {
	c.parts.release()
	if cap(c.messages) > 1<<10 {
		c.messages = nil
	}
}
