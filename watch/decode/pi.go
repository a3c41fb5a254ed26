package decode

import (
	"strings"

	"ctxscope/kernel"
)

// pi reads sessions of Pi and of oh-my-pi. Its log is the list that the
// compression plugin of the host numbers: a reply with one call is one
// message, thinking is left out, and so on.
type pi struct {
	lines   lines
	count   kernel.Counter
	journal journal
	session Session
	room    []byte // for texts

	entries []piEntry
	byID    map[string]int32   // the newest entry of that id
	tools   map[string]string  // call id → the plain name of its tool
	early   map[string][]int32 // call id → results that stand before their call
	chain   piChain
	omp     bool // written by oh-my-pi
	header  bool
}

// piEntry is one entry of the tree as far as it is kept.
type piEntry struct {
	id     string
	parent string // empty for a root
	kind   piKind
	time   int64
	src    kernel.Source

	hosts, hostEnd int32 // messages of the host's list, places in the journal's messages
	labelled       int32 // of a summary: the message that oh-my-pi makes of it; 0: none
	alone          int32 // of a reply with calls: its text as a message, for when the calls get no result: its place and 1; 0: none
	remote         bool  // of a compaction: the messages are a provider's own, and nothing is kept beside them
	parts          []piPart
	unsent         bool   // not sent, whatever it holds
	callID         string // of a result
	reply          *piReply
	model          string // of a reply or a change of model
	target         string // of an edit: the entry; of a compaction: the first kept entry
	firstKept      int32  // of a linear compaction: the number of the first kept entry, or 0
	before         kernel.Tokens
	answer         kernel.Outcome // of a result whose tool is not known
	answerBlocks   uint16
	place          int32 // on the path, from 1; 0: on none
	seen           int32 // the walk that met it last
}

// piKind says what an entry does to the list.
type piKind uint8

const (
	piNothing piKind = iota
	piMessageEntry
	piReplyEntry
	piCompaction
	piEdit
	piReset
)

// piReply is what only a reply has.
type piReply struct {
	at     int32 // in the journal's replies
	failed bool
	usage  Usage
	calls  []string // their ids
}

// piPart is one metered part.
type piPart struct {
	role   kernel.Role
	kind   kernel.ContentType
	images uint16
	part   int32 // as in kernel.Source.Part
	chars  kernel.Chars
	tokens kernel.Tokens
	tool   string
	callID string
	failed bool
	answer kernel.Outcome
	blocks uint16
}

func newPi(count kernel.Counter) Decoder {
	return &pi{
		count:   count,
		byID:    map[string]int32{},
		tools:   map[string]string{},
		early:   map[string][]int32{},
		chain:   newPiChain(),
		session: Session{Format: "pi", Agent: "pi", Counting: "Pi host messages"},
	}
}

func (d *pi) Line(line []byte, at Place) { d.lines.each(line, at, d.record) }

func (d *pi) Change() kernel.Change {
	d.settle()
	return d.journal.change()
}

func (d *pi) Session() Session {
	d.settle()
	s := d.session
	s.Model, s.Usage, s.Meter = d.chain.modelName(), d.chain.usage, d.chain.meter
	s.Meter.OffBranch = len(d.byID) - len(d.chain.path)
	s.Meter.Duplicates, s.Meter.Unknown, s.Meter.Overhead = d.session.Meter.Duplicates, d.session.Meter.Unknown, d.session.Meter.Overhead
	s.Problems = d.lines.problems[:len(d.lines.problems):len(d.lines.problems)]
	return s
}

// record takes one record up: the title line, the header, or an entry.
func (d *pi) record(rec value, src kernel.Source) string {
	f := readPiFields(rec)
	switch {
	case f.kind.is("title"):
		d.session.Title = f.title.str()
		d.beOmp()
		return ""
	case f.kind.is("session"):
		d.readHeader(f)
		return ""
	}
	e := piEntry{id: f.id.str(), time: f.time.when(), src: src}
	number := len(d.entries) + 1
	linear := e.id == ""
	if linear {
		e.id = linearID(number)
	}
	if f.hasParent && !linear {
		e.parent = f.parent.str()
	} else if number > 1 {
		e.parent = d.entries[number-2].id
	}
	d.readEntry(&e, f)
	d.add(e)
	if d.room = d.room[:0]; cap(d.room) > 1<<20 {
		d.room = nil
	}
	return ""
}

func (d *pi) readHeader(f piFields) {
	if d.header {
		return
	}
	d.header = true
	d.session.ID, d.session.Folder = f.id.str(), f.folder.str()
	if f.title.isString() {
		d.session.Title = f.title.str()
		d.beOmp()
	}
}

// beOmp notes that the file is oh-my-pi's. Its host sends failed replies to
// nobody and labels its summaries.
func (d *pi) beOmp() {
	if !d.omp {
		d.omp, d.session.Agent = true, "oh-my-pi"
		d.chain.stale = true
	}
}

// add puts an entry into the tree.
func (d *pi) add(e piEntry) {
	at := int32(len(d.entries))
	if _, again := d.byID[e.id]; again {
		d.session.Meter.Duplicates++
		d.chain.stale = true
	}
	if d.chain.missing[e.id] {
		d.chain.stale = true
	}
	d.byID[e.id] = at
	d.entries = append(d.entries, e)
	if e.callID != "" && e.answer != kernel.NoOutcome {
		d.early[e.callID] = append(d.early[e.callID], at)
	}
}

// readEntry sets what the kind of the entry says.
func (d *pi) readEntry(e *piEntry, f piFields) {
	switch string(f.kind.text()) {
	case "message":
		d.readMessage(e, f)
	case "custom_message":
		d.readText(e, f, f.customType)
	case "branch_summary":
		d.readText(e, f, value{})
		d.label(e, false)
	case "compaction":
		if history := remoteHistory(f.preserved); history.isArray() {
			d.readRemote(e, history)
		} else {
			d.readText(e, f, value{})
			d.label(e, true)
		}
		e.kind = piCompaction
		e.target = f.firstKept.str()
		if f.firstKeptIndex.isNumber() {
			e.firstKept = int32(min(max(f.firstKeptIndex.number(), 1), 1<<31-1)) // 0 is the header
		}
		e.before = tokensOf(f.tokensBefore)
	case "context_edit":
		d.readEdit(e, f)
	case "reset_boundary":
		e.kind = piReset
		d.beOmp()
	case "model_change":
		if f.model.isString() {
			d.beOmp()
			if mainRole(f.role) {
				_, e.model, _ = strings.Cut(f.model.str(), "/")
			}
		} else {
			e.model = f.modelID.str()
		}
	case "session_info":
		d.session.Title = f.name.str()
	case "title_change":
		d.session.Title = f.title.str()
		d.beOmp()
	case "model_usage", "service_tier_change", "mode_change", "ttsr_injection", "credential_pin", "session_init":
		d.beOmp()
	case "custom", "label", "thinking_level_change", "usage":
		// On the screen or for the host alone.
	default:
		d.session.Meter.Unknown++
	}
}

// readMessage reads an entry of a message.
func (d *pi) readMessage(e *piEntry, f piFields) {
	m := readPiMessage(f.message)
	if e.time == 0 {
		e.time = f.message.get("timestamp").when()
	}
	switch string(m.role.text()) {
	case "user", "branchSummary", "compactionSummary":
		d.readText(e, f, value{})
	case "custom", "hookMessage":
		d.readText(e, f, m.kind)
	case "bashExecution":
		d.readText(e, f, value{})
		if m.excluded.truthy() {
			e.kind = piNothing
		}
	case "toolResult":
		d.readResult(e, f, m)
	case "assistant":
		d.readReply(e, f, m)
	case "system":
		d.session.Meter.Overhead += tokensIn(string(readPiEntry(f, d.room).text), d.count)
	}
}
