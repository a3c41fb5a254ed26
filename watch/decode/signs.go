package decode

import "bytes"

// Names of what is recognised but not read as a session.
const (
	sqliteDatabase = "an SQLite database (opencode keeps its sessions in one)"
	stateFile      = "a state file of a compression plugin, not a session"
	eventStream    = "Pi's event stream, not a session file"
	formattedJSON  = "formatted JSON"
	compressed     = "a compressed file"
)

// refusal is the sentence for something that was recognised.
func refusal(what string) string {
	switch what {
	case stateFile, eventStream:
		return "this is " + what
	case sqliteDatabase:
		return "this is " + what + "; it can be read by its file's name, but not as a stream of bytes"
	case compressed:
		return "this is a compressed file, as Codex CLI archives its sessions; unpack it first"
	case formattedJSON:
		return "the JSON in this file is spread over many lines, as a formatter writes it; a session has one record a line"
	}
	return "this is " + what + "; ctxscope does not read that format yet"
}

// signs is what the first lines of a file have told of its format.
type signs struct {
	records   int
	texts     int  // lines that hold no record
	fragments int  // of these, lines that look like a piece of formatted JSON
	opencode  bool // the first member of the formatted JSON is named info
	session   bool // the formatted JSON has a member sessionId
	project   bool // and projectHash
	piTitle   bool
	piHeader  bool
}

// giveUp is why no more lines are looked at, or empty.
func (s *signs) giveUp() string {
	switch {
	case s.fragments >= 8 && s.records == 0 && s.fragments >= s.texts-2:
		return refusal(formattedJSON)
	case s.records >= maxRecords && s.piHeader:
		return "the file begins like a Pi session, but none of its first 50 records is a message"
	case s.records >= maxRecords:
		return "none of the first 50 records in this file is of a session format that ctxscope knows"
	case s.texts >= maxText && s.records == 0:
		return "none of the first 200 lines in this file is a JSON record"
	}
	return ""
}

// text takes a line without a record into account. It names the format when
// the line tells.
func (s *signs) text(line []byte) string {
	if bytes.HasPrefix(line, []byte("SQLite format 3\x00")) {
		return sqliteDatabase
	}
	if bytes.HasPrefix(line, []byte("\x28\xb5\x2f\xfd")) || bytes.HasPrefix(line, []byte("\x1f\x8b\x08")) {
		return compressed
	}
	line = bytes.Trim(bytes.TrimPrefix(line, []byte("\xef\xbb\xbf")), "\x00\r\t ")
	if len(line) == 0 {
		return ""
	}
	s.texts++
	first, last := line[0], line[len(line)-1]
	if bytes.IndexByte([]byte(`{}[]"`), first) < 0 || bytes.IndexByte([]byte(`{}[],"`), last) < 0 {
		return ""
	}
	s.fragments++
	key, _, _ := bytes.Cut(line, []byte(":"))
	switch string(bytes.TrimSpace(key)) {
	case `"sessionId"`:
		s.session = true
	case `"projectHash"`:
		s.project = true
	case `"upstreamOrigin"`:
		return "proxy"
	case `"info"`:
		s.opencode = s.opencode || s.fragments == 2
	case `"id"`:
		if s.opencode && bytes.Contains(line, []byte(`"ses_`)) {
			return "opencode"
		}
	case `"messageRefs"`, `"prune"`:
		return stateFile
	}
	if s.session && s.project {
		return "gemini"
	}
	return ""
}

// record takes a record into account. It names the format when the records
// so far tell.
func (s *signs) record(rec value) string {
	s.records++
	f := topFields(rec)
	kind := f.kind.text()
	switch {
	case f.kind.isString() && isPi(s, string(kind), f):
		return "pi"
	case s.piHeader && (string(kind) == "agent_start" || string(kind) == "message_update"):
		return eventStream
	case isCodex(s, string(kind), f):
		return "codex"
	case f.projectHash.isString() && f.sessionID.isString(), f.set, f.rewind:
		return "gemini"
	case isClaude(string(kind), f):
		return "claude"
	case f.info.isObject() && f.messages.isArray():
		return "opencode"
	case isProxy(f):
		return "proxy"
	case f.refs.isObject(), f.prune.isObject(), f.savedAt && (f.stateful || f.payload.isObject()):
		return stateFile
	case f.op.isString() && coreOps[f.op.str()], f.id.isString() && f.role.isString() && f.contentType.isString():
		return "core"
	}
	return ""
}

// isPi looks for the header of Pi's family with a message behind it, and for
// the title line of oh-my-pi with the header behind it.
func isPi(s *signs, kind string, f fields) bool {
	switch kind {
	case "title":
		s.piTitle = s.piTitle || (f.v && f.pad)
	case "session":
		s.piHeader = s.piHeader || f.id.isString()
		return s.piHeader && s.piTitle
	case "message":
		return s.piHeader && f.messageRole
	}
	return false
}

func isCodex(s *signs, kind string, f fields) bool {
	switch kind {
	case "session_meta", "response_item", "event_msg", "turn_context":
		return f.payload.isObject()
	case "":
		return f.recordType.is("state") || (s.records == 1 && f.instructions && f.id.isString() && f.time.isString())
	}
	return false
}

// isProxy looks for a session file of the proxy: its state stands beside what
// it knows of the session, in an envelope or without.
func isProxy(f fields) bool {
	if f.payload.isObject() {
		return f.payload.get("state").isObject() && (f.payload.get("meta").isObject() || f.payload.get("messages").isArray())
	}
	return f.stateful && f.savedAt && f.id.isString()
}

// claudeTypes are the record types that, with a sessionId, only Claude Code
// writes.
var claudeTypes = map[string]bool{
	"user": true, "assistant": true, "system": true, "attachment": true, "progress": true, "summary": true, "custom-title": true,
	"ai-title": true, "last-prompt": true, "queue-operation": true, "permission-mode": true, "mode": true,
	"file-history-snapshot": true, "pr-link": true, "tag": true, "agent-name": true, "worktree-state": true,
}

func isClaude(kind string, f fields) bool {
	switch {
	case kind == "summary" && f.leafUUID, kind == "file-history-snapshot":
		return true
	}
	return f.sessionID.isString() && (f.uuid || claudeTypes[kind])
}

// fields are the members of a record that tell formats apart.
type fields struct {
	kind, id, role, contentType, op, sessionID, projectHash value
	payload, recordType, time, info, messages, refs, prune  value
	uuid, leafUUID, set, rewind, instructions, savedAt      bool
	v, pad, messageRole, stateful                           bool
}

func topFields(rec value) fields {
	var f fields
	named := map[string]*value{
		"type": &f.kind, "id": &f.id, "role": &f.role, "contentType": &f.contentType, "op": &f.op, "sessionId": &f.sessionID,
		"projectHash": &f.projectHash, "payload": &f.payload, "record_type": &f.recordType, "timestamp": &f.time,
		"info": &f.info, "messages": &f.messages, "messageRefs": &f.refs, "prune": &f.prune,
	}
	present := map[string]*bool{
		"uuid": &f.uuid, "parentUuid": &f.uuid, "leafUuid": &f.leafUUID, "$set": &f.set, "$rewindTo": &f.rewind, "instructions": &f.instructions,
		"savedAt": &f.savedAt, "v": &f.v, "pad": &f.pad,
	}
	for k, v := range rec.members() {
		if at := named[string(k)]; at != nil {
			*at = v
		}
		if at := present[string(k)]; at != nil {
			*at = true
		}
		switch string(k) {
		case "message":
			f.messageRole = v.get("role").isString()
		case "state":
			f.stateful = v.isObject()
		}
	}
	return f
}
