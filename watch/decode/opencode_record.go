package decode

import (
	"bytes"
	"strings"

	"ctxscope/kernel"
)

// What opencode sends in place of what a part holds.
const (
	openCleared     = "[Old tool result content cleared]"
	openInterrupted = "[Tool execution was interrupted]"
	openCompaction  = "What did we do so far?"
	openSubtask     = "The following tool was executed by the user"
)

// openHead is what the info of a message says, and what of its parts matters
// to the list.
type openHead struct {
	role      kernel.Role
	created   int64
	parent    string // of a reply: the prompt that it answers
	model     string
	failed    bool // the reply failed or was aborted
	unsent    bool // it failed and is not sent
	summary   bool // a reply of the compaction's own agent
	finished  bool
	compacts  bool   // a request for a compaction
	tailStart string // of such a request: the first message that stays
	usage     Usage
}

// openRecord is one message as a store holds it.
type openRecord struct {
	info  value
	parts []openPart
	head  openHead

	damaged bool // one of the parts is no record
	unknown int  // parts of types that are not known
}

// openKinds are the types of parts that are known, sent or not.
var openKinds = map[string]bool{
	"text": true, "reasoning": true, "tool": true, "file": true, "compaction": true, "subtask": true,
	"step-start": true, "step-finish": true, "snapshot": true, "patch": true, "agent": true, "retry": true,
}

// openPart is one part of a message.
type openPart struct {
	id, kind string
	rec      value
	state    value // of a tool part
}

func readOpen(rec value) openRecord {
	r := openRecord{info: rec.get("info")}
	for part := range rec.get("parts").items() {
		r.damaged = r.damaged || !part.isObject()
		if kind := part.get("type").str(); part.isObject() && !openKinds[kind] {
			r.unknown++
		}
		r.parts = append(r.parts, openPart{id: part.get("id").str(), kind: part.get("type").str(), rec: part, state: part.get("state")})
	}
	r.readHead()
	return r
}

func (r *openRecord) readHead() {
	h := &r.head
	if h.role = kernel.RoleUser; r.info.get("role").is("assistant") {
		h.role = kernel.RoleAssistant
	}
	h.created = r.info.get("time").get("created").number()
	h.parent = r.info.get("parentID").str()
	if h.model = r.info.get("modelID").str(); h.model == "" {
		h.model = r.info.get("model").get("modelID").str()
	}
	h.summary = h.role == kernel.RoleAssistant && r.info.get("summary").truthy()
	h.finished = r.info.get("finish").isString()
	if failure := r.info.get("error"); failure.isObject() && h.role == kernel.RoleAssistant {
		h.failed = true
		h.unsent = !failure.get("name").is("MessageAbortedError") || !r.holdsContent()
	}
	if h.role == kernel.RoleAssistant && !h.failed && !h.summary {
		h.usage = openUsage(r.info.get("tokens"))
	}
	for _, p := range r.parts {
		if p.kind == "compaction" && h.role == kernel.RoleUser {
			h.compacts, h.tailStart = true, p.rec.get("tail_start_id").str()
		}
	}
}

// openUsage reads the tokens of a reply. The prompt is written without what
// came from the cache, the reply without its reasoning. All zero is none.
func openUsage(tokens value) Usage {
	cache := tokens.get("cache")
	u := Usage{Cached: tokensOf(cache.get("read")), Reply: tokensOf(tokens.get("output")) + tokensOf(tokens.get("reasoning"))}
	u.Prompt = tokensOf(tokens.get("input")) + u.Cached + tokensOf(cache.get("write"))
	if u.Tokens = tokensOf(tokens.get("total")); u.Tokens == 0 {
		u.Tokens = u.Prompt + u.Reply
	}
	u.Known = u.Tokens > 0
	return u
}

// holdsContent reports whether an aborted reply got as far as to say or do
// something.
func (r *openRecord) holdsContent() bool {
	for _, p := range r.parts {
		if p.kind != "step-start" && p.kind != "reasoning" {
			return true
		}
	}
	return false
}

// all is the number of parts.
func (r *openRecord) all() int { return len(r.parts) }

// before is the number of parts that stand before the part of that id.
func (r *openRecord) before(id string) int {
	for i, p := range r.parts {
		if p.id == id {
			return i
		}
	}
	return len(r.parts)
}

// openPiece is one text, one reasoning block, one call or one result.
type openPiece struct {
	part    int32 // as in kernel.Source.Part
	id      string
	role    kernel.Role
	kind    kernel.ContentType
	text    []byte
	tool    string // the plain name
	callID  string
	failed  bool
	open    bool // the result of a call that has not ended
	cleared bool // a result that the host cleared in what it sends
	images  int
	media   bool
	outcome kernel.Outcome
	blocks  uint16
}

// place is the piece's place in the record's parts. In Source.Part, 0 is a
// whole message and -n a whole message made of its first n parts; part k of
// the record is 1+2k, and the result of its call 2+2k.
func (p *openPiece) place() int { return int(p.part-1) / 2 }

// pieces are the sent pieces of the first parts of a record, in sending order.
func (r *openRecord) pieces(limit int) []openPiece {
	if r.head.unsent {
		return nil
	}
	var out []openPiece
	images, media := 0, false
	var file openPiece
	for k, p := range r.parts[:limit] {
		piece := openPiece{part: int32(1 + 2*k), id: p.id, role: r.head.role}
		switch p.kind {
		case "text":
			if r.head.role == kernel.RoleUser && p.rec.get("ignored").truthy() {
				continue
			}
			piece.text = p.rec.get("text").appendText(nil)
		case "reasoning":
			piece.kind, piece.text = kernel.Reasoning, p.rec.get("text").appendText(nil)
		case "compaction":
			piece.text = []byte(openCompaction)
		case "subtask":
			piece.text = []byte(openSubtask)
		case "tool":
			out = append(out, p.call(piece), p.result(piece))
			continue
		case "file":
			picture, other := mediaOf(p.rec)
			if media = media || picture || other; picture {
				images++
			}
			if file.part == 0 && (picture || other) {
				file = piece
			}
			continue
		default:
			continue
		}
		out = append(out, piece)
	}
	return addMedia(out, file, images, media)
}

// addMedia counts pictures with the first text, or with an empty one of their
// own where there is none.
func addMedia(pieces []openPiece, file openPiece, images int, media bool) []openPiece {
	if !media {
		return pieces
	}
	for i := range pieces {
		if pieces[i].kind == kernel.Text {
			pieces[i].images, pieces[i].media = images, true
			return pieces
		}
	}
	file.images, file.media = images, true
	return append(pieces, file)
}

// mediaOf says what a file part is to the model. Text and folders are none of
// both: their content comes as a text of its own.
func mediaOf(part value) (picture, other bool) {
	mime := part.get("mime").str()
	picture = strings.HasPrefix(mime, "image/")
	return picture, !picture && mime != "" && mime != "text/plain" && mime != "application/x-directory"
}

func (p openPart) call(piece openPiece) openPiece {
	piece.kind, piece.role = kernel.ToolCall, kernel.RoleAssistant
	piece.tool, piece.callID = plainToolName(p.rec.get("tool").str()), p.rec.get("callID").str()
	piece.text = appendArguments(nil, p.state.get("input"))
	return piece
}

func (p openPart) result(piece openPiece) openPiece {
	piece.part, piece.role, piece.kind = piece.part+1, kernel.RoleTool, kernel.ToolResult
	piece.tool, piece.callID = plainToolName(p.rec.get("tool").str()), p.rec.get("callID").str()
	switch status := p.state.get("status"); {
	case status.is("completed") && p.state.get("time").get("compacted").isNumber():
		piece.text, piece.cleared = []byte(openCleared), true
	case status.is("completed"):
		piece.text = p.state.get("output").appendText(nil)
		for file := range p.state.get("attachments").items() {
			picture, other := mediaOf(file)
			if piece.media = piece.media || picture || other; picture {
				piece.images++
			}
		}
	case status.is("error"):
		piece.text, piece.failed = p.state.get("error").appendText(nil), true
	default:
		piece.text, piece.open = []byte(openInterrupted), true
	}
	if piece.tool == compressTool && !piece.open {
		piece.outcome, piece.blocks = openOutcome(p.state, piece.failed)
	}
	return piece
}

// openOutcome reads the answer to a compress call. A success does not say how
// many blocks it made: each entry of the call makes one.
func openOutcome(state value, failed bool) (o kernel.Outcome, blocks uint16) {
	text := state.get("output").text()
	if failed || !bytes.HasPrefix(text, []byte("Compressed ")) || !bytes.Contains(text, []byte(kernel.SummaryHeader)) {
		return outcomeOf(text, failed)
	}
	for range state.get("input").get("content").items() {
		blocks++
	}
	return kernel.Succeeded, max(blocks, 1)
}

// message measures a piece.
func (p *openPiece) message(h openHead, src kernel.Source, count kernel.Counter) kernel.Message {
	id := p.id
	if p.kind == kernel.ToolResult {
		id += "#result"
	}
	m := kernel.Message{
		ID: id, Role: p.role, Type: p.kind, ToolName: p.tool, ToolCallID: p.callID, Time: h.created, Source: src,
		Failed: p.failed || h.failed, Outcome: p.outcome, OutcomeBlocks: p.blocks, Images: uint16(min(p.images, 1<<16-1)),
	}
	if m.Source.Part = p.part; p.media {
		m.Facts |= kernel.HasMedia
	}
	measure(&m, p.text, count)
	return m
}
