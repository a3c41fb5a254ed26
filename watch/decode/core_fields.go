package decode

import (
	"fmt"

	"ctxscope/kernel"
)

// coreMessage is the members of a message.
type coreMessage struct {
	id, role, contentType, text, toolName, callID, thinking, summaryOf, image value

	media bool // one of the forms of the providers that hosts keep beside it holds something else than text
}

// coreReader measures kernel messages.
type coreReader struct {
	count kernel.Counter
	tools map[string]string // call id → tool
}

// message reads one message. wrong says why it is none.
func (r *coreReader) message(rec value, src kernel.Source) (m kernel.Message, wrong string) {
	f := readCoreMessage(rec)
	if wrong = f.wrong(); wrong != "" {
		return m, wrong
	}
	m.Source, m.ID, m.ToolName = src, f.id.str(), f.toolName.str()
	m.ToolCallID, m.SummaryOfBlockID = f.callID.str(), f.summaryOf.str()
	if m.ID == "" {
		return m, "id is empty"
	}
	if err := m.Role.UnmarshalText(f.role.text()); err != nil {
		return m, err.Error()
	}
	if err := m.Type.UnmarshalText(f.contentType.text()); err != nil {
		return m, "contentType: " + err.Error()
	}
	m.ThinkingTokens = f.thinking.tokens()
	if len(f.image.quoted()) > 0 {
		m.Images = 1
	}
	if m.Images > 0 || f.media {
		m.Facts |= kernel.HasMedia
	}
	text := f.text.str()
	switch {
	case m.Type == kernel.ToolCall && m.ToolCallID != "":
		r.tools[m.ToolCallID] = m.ToolName
	case m.Type == kernel.ToolResult && (m.ToolName == compressTool || r.tools[m.ToolCallID] == compressTool):
		m.Outcome, m.OutcomeBlocks = outcomeOf([]byte(text), false)
	}
	m.Measure(text, r.count)
	return m, ""
}

func readCoreMessage(rec value) coreMessage {
	var f coreMessage
	for k, v := range rec.members() {
		switch string(k) {
		case "id":
			f.id = v
		case "role":
			f.role = v
		case "contentType":
			f.contentType = v
		case "text":
			f.text = v
		case "toolName":
			f.toolName = v
		case "toolCallId":
			f.callID = v
		case "thinkingTokens":
			f.thinking = v
		case "summaryOfBlockId":
			f.summaryOf = v
		case "imageBase64":
			f.image = v
		case "rawOpenaiContent", "rawOpenaiContentParts", "rawAnthropicBlock", "rawResponsesItem", "rawGoogleParts":
			f.media = f.media || rawMedia(string(k), v)
		}
	}
	return f
}

// rawMedia reports whether a provider's own form of a message, kept beside it,
// carries something else than text.
func rawMedia(name string, v value) bool {
	switch name {
	case "rawOpenaiContent":
		return !v.isNull()
	case "rawOpenaiContentParts":
		for range v.items() {
			return true
		}
	case "rawAnthropicBlock":
		return v.get("type").is("image") || v.get("type").is("tool_result") && otherThan(v.get("content"), "text")
	case "rawResponsesItem":
		return v.get("type").is("input_image") || holds(v.get("content"), "input_image")
	case "rawGoogleParts":
		for part := range v.items() {
			if geminiMedia(part) {
				return true
			}
			for nested := range part.get("functionResponse").get("parts").items() {
				if geminiMedia(nested) {
					return true
				}
			}
		}
	}
	return false
}

// holds reports whether a list has a part of that type, and otherThan whether
// it has one of another.
func holds(list value, kind string) bool {
	for part := range list.items() {
		if part.get("type").is(kind) {
			return true
		}
	}
	return false
}

func otherThan(list value, kind string) bool {
	for part := range list.items() {
		if !part.get("type").is(kind) {
			return true
		}
	}
	return false
}

// wrong names the first member that is missing or of the wrong type.
func (f coreMessage) wrong() string {
	for _, m := range []struct {
		name     string
		v        value
		required bool
	}{
		{"id", f.id, true},
		{"role", f.role, true},
		{"contentType", f.contentType, true},
		{"text", f.text, false},
		{"toolName", f.toolName, false},
		{"toolCallId", f.callID, false},
		{"summaryOfBlockId", f.summaryOf, false},
		{"imageBase64", f.image, false},
	} {
		switch {
		case m.v.missing() && m.required:
			return "neither a message nor an event: it has no " + m.name
		case !m.v.missing() && !m.v.isString():
			return m.name + " is not a string"
		}
	}
	if !f.thinking.missing() && !f.thinking.isNumber() {
		return "thinkingTokens is not a number"
	}
	return ""
}

// readCoreCall reads the ranges of one compress call.
func readCoreCall(ranges value) (call kernel.Call, wrong string) {
	if !ranges.isArray() {
		return call, "ranges is not a list"
	}
	for r := range ranges.items() {
		c := kernel.CallRange{}
		where := fmt.Sprintf("range %d: ", len(call.Ranges)+1)
		if !r.isObject() {
			return call, where + "not an object"
		}
		for _, s := range []struct {
			name string
			at   *string
		}{{"startRef", &c.StartRef}, {"endRef", &c.EndRef}, {"summary", &c.Summary}} {
			v := r.get(s.name)
			if !v.isString() {
				return call, where + s.name + " is not a string"
			}
			*s.at = v.str()
		}
		if topic := r.get("topic"); topic.isString() {
			text := topic.str()
			c.Topic = &text
		} else if !topic.missing() {
			return call, where + "topic is not a string"
		}
		if limit := r.get("summaryMaxChars"); limit.isNumber() {
			n := int(limit.number())
			c.SummaryMaxChars = &n
		} else if !limit.missing() {
			return call, where + "summaryMaxChars is not a number"
		}
		c.CompressCallID = r.get("compressCallId").str()
		call.Ranges = append(call.Ranges, c)
	}
	return call, ""
}
