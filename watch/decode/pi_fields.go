package decode

import "fmt"

// piFields are the members of an entry.
type piFields struct {
	kind, id, parent, time, message, content, summary value
	firstKept, firstKeptIndex, tokensBefore           value
	customType, target, replacement                   value
	model, modelID, name, title                       value
	folder, role, preserved                           value
	hasParent                                         bool
}

func readPiFields(rec value) piFields {
	var f piFields
	for k, v := range rec.members() {
		switch string(k) {
		case "type":
			f.kind = v
		case "id":
			f.id = v
		case "parentId":
			f.parent, f.hasParent = v, true
		case "timestamp":
			f.time = v
		case "message":
			f.message = v
		case "content":
			f.content = v
		case "summary":
			f.summary = v
		case "firstKeptEntryId":
			f.firstKept = v
		case "firstKeptEntryIndex":
			f.firstKeptIndex = v
		case "tokensBefore":
			f.tokensBefore = v
		case "customType":
			f.customType = v
		case "targetId":
			f.target = v
		case "replacement":
			f.replacement = v
		case "model":
			f.model = v
		case "modelId":
			f.modelID = v
		case "name":
			f.name = v
		case "title":
			f.title = v
		case "cwd":
			f.folder = v
		case "role":
			f.role = v
		case "preserveData":
			f.preserved = v
		}
	}
	return f
}

// piMessage is the members of an entry's message.
type piMessage struct {
	role, content, callID, tool, isError, command, output value
	excluded, stop, usage, model, summary, kind           value
}

func readPiMessage(message value) piMessage {
	var m piMessage
	for k, v := range message.members() {
		switch string(k) {
		case "role":
			m.role = v
		case "content":
			m.content = v
		case "toolCallId":
			m.callID = v
		case "toolName":
			m.tool = v
		case "isError":
			m.isError = v
		case "command":
			m.command = v
		case "output":
			m.output = v
		case "excludeFromContext":
			m.excluded = v
		case "stopReason":
			m.stop = v
		case "usage":
			m.usage = v
		case "model":
			m.model = v
		case "summary":
			m.summary = v
		case "customType":
			m.kind = v
		}
	}
	return m
}

// linearID is the id of an entry that has none, by its place in the file.
func linearID(number int) string {
	return fmt.Sprintf("v1-%04d", number)
}
