package decode

import (
	"fmt"

	"ctxscope/kernel"
)

// coreMessage is the members of a message.
type coreMessage struct {
	id, role, contentType, text, toolName, callID, thinking, summaryOf, image value
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
		}
	}
	return f
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
