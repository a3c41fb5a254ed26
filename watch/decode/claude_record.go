package decode

import (
	"bytes"

	"ctxscope/kernel"
)

// claudeKind says what a record of a Claude Code session is to the chain.
type claudeKind uint8

const (
	claudeLink      claudeKind = iota // holds the chain together, nothing of it is sent
	claudeAside                       // sent, but never the end of the conversation: host's notes, queued prompts
	claudePrompt                      // what the user typed, a local command, the summary of a compaction
	claudeResult                      // results of calls
	claudeBlock                       // one block of a reply
	claudeHostReply                   // a reply that the host made up: sent, but nobody asked for it
	claudeError                       // a request that failed: not sent
	claudeBoundary                    // a compaction of the host
	claudeApart                       // a subagent's record in the main file
)

// claudeFields are the members of a record that this reader knows. They are
// void after the record.
type claudeFields struct {
	kind, uuid, parent, logicalParent, session, folder, time value
	message, attachment, subtype, compact, microcompact      value
	title, aiTitle, customTitle                              value

	sidechain, team, meta, summary, failed bool
}

// read takes the members of a record. f is empty.
func (f *claudeFields) read(rec value) {
	for key, v := range rec.members() {
		switch string(key) {
		case "type":
			f.kind = v
		case "uuid":
			f.uuid = v
		case "parentUuid":
			f.parent = v
		case "logicalParentUuid":
			f.logicalParent = v
		case "sessionId":
			f.session = v
		case "cwd":
			f.folder = v
		case "timestamp":
			f.time = v
		case "message":
			f.message = v
		case "attachment":
			f.attachment = v
		case "subtype":
			f.subtype = v
		case "compactMetadata":
			f.compact = v
		case "microcompactMetadata":
			f.microcompact = v
		case "summary":
			f.title = v
		case "aiTitle":
			f.aiTitle = v
		case "customTitle":
			f.customTitle = v
		case "isSidechain":
			f.sidechain = v.truthy()
		case "teamName":
			f.team = len(v.quoted()) > 0
		case "isMeta":
			f.meta = v.truthy()
		case "isCompactSummary":
			f.summary = v.truthy()
		case "isApiErrorMessage":
			f.failed = v.truthy()
		}
	}
}

// spoken reports whether the record is one side's share of a conversation.
func (f *claudeFields) spoken() bool { return f.kind.is("user") || f.kind.is("assistant") }

// known reports whether it is known what a record of this type is. Most stand
// beside the context. A type that may change what is sent, and is not read, is
// not known here: content-replacement, marble-origami-commit.
func (f *claudeFields) known() bool {
	switch string(f.kind.quoted()) {
	case "user", "assistant", "attachment", "system", "progress",
		"summary", "custom-title", "ai-title", "tag", "last-prompt", "task-summary",
		"queue-operation", "permission-mode", "mode", "agent-name", "agent-color", "agent-setting",
		"file-history-snapshot", "file-history-delta", "attribution-snapshot", "speculation-accept",
		"pr-link", "frame-link", "worktree-state", "bridge-session", "cost-state", "relocated",
		"": // it has no type
		return true
	}
	return false
}

// classify says what the record is, from its fields and the parts that were
// made of it.
func (f *claudeFields) classify(parts []claudePart) claudeKind {
	switch {
	case f.kind.is("assistant") && f.failed:
		return claudeError
	case f.kind.is("assistant") && string(f.message.get("model").text()) == "<synthetic>":
		return claudeHostReply
	case f.kind.is("assistant") && f.message.isObject():
		return claudeBlock
	case f.kind.is("system") && f.subtype.is("compact_boundary"):
		return claudeBoundary
	case len(parts) == 0:
		return claudeLink
	case f.kind.is("attachment"):
		return claudeAside
	}
	for i := range parts {
		if parts[i].kind == kernel.ToolResult {
			return claudeResult
		}
	}
	if f.meta {
		return claudeAside
	}
	return claudePrompt
}

// mayEnd reports whether the conversation may end with the record: a reply,
// a prompt, a result, a compaction or its summary. A host's note or a local
// command says nothing about where the conversation goes on.
func (f *claudeFields) mayEnd(kind claudeKind, text []byte) bool {
	switch kind {
	case claudeBlock, claudeResult, claudeBoundary:
		return !f.meta
	case claudePrompt:
		return f.summary || !localCommand(text)
	case claudeAside:
		return f.kind.is("attachment") && !f.meta
	}
	return false
}

var localCommandMarks = [][]byte{
	[]byte("<command-name>"),
	[]byte("<local-command-stdout>"),
	[]byte("<local-command-stderr>"),
	[]byte("<local-command-caveat>"),
	[]byte("<bash-input>"),
	[]byte("<bash-stdout>"),
	[]byte("<bash-stderr>"),
	[]byte("<user-memory-input>"),
	[]byte("Caveat:"),
}

// localCommand reports whether a user's text is a command that the host runs
// by itself, or the output of one.
func localCommand(text []byte) bool {
	for _, mark := range localCommandMarks {
		if bytes.HasPrefix(text, mark) {
			return true
		}
	}
	return string(text) == "(no content)"
}

// claudeWire is how Claude Code writes down what a reply used.
var claudeWire = wire{input: "input_tokens", output: "output_tokens", read: "cache_read_input_tokens", write: "cache_creation_input_tokens"}
