// Package decode turns the lines of one session into changes of its journal.
//
// A decoder keeps what it has measured, not the texts. Where a text stands is
// said by kernel.Message.Source: Offset and Length are the bytes of the whole
// record in the file, without what else stands on its line, and Part is the
// decoder's own number of the piece in it, good for Decoder.Text alone.
//
// In a session of Claude Code, Codex or Gemini CLI, in one of the proxy and in
// a core file each message of the log is a part. Ids are the record's, or
// record#k for block k of several; Codex items without an id are numbered
// i0001 on, and a Gemini result is record_response#call. A record that stands
// inside another one, as in a list that replaces the history, has a Source of
// its own.
//
// In a Pi session the log is the list that the compression plugin numbers: a
// reply with one call is one message under the entry's id, a reply with several
// is entry#callId for each, and thinking is left out. In a session of opencode
// each of its messages is one of the log (see Opencode). Parter lists the parts
// of both.
//
// To add a format, write a Decoder on lines and journal, add it to Formats,
// and give it transcripts: the conformance tests do the rest.
package decode

import (
	"strconv"

	"ctxscope/kernel"
)

// Place says where a line stands in its file.
type Place struct {
	Number int   // from 1
	Offset int64 // bytes
}

// Decoder reads one session, line by line. It is a value machine without I/O:
// the journal that it has given after any number of lines depends on those
// lines alone, never on when Change was asked.
type Decoder interface {
	// Line takes one whole line without its LF. It never fails: what it
	// cannot use becomes a Problem. The decoder does not keep the slice.
	Line(line []byte, at Place)

	// Change is what changed in the journal since the last call.
	Change() kernel.Change

	// Session is what is known of the session so far.
	Session() Session

	// Text is the text of the message whose Source.Part is part, read again
	// from the record that it was read from. ok is false when the record does
	// not hold it.
	Text(record []byte, part int32) (text string, ok bool)
}

// Session is what a transcript says about itself. Empty and zero mean that it
// does not say.
type Session struct {
	Format   string // "pi", "claude", "codex", "gemini", "opencode", "proxy", "core"; empty while it is not known
	Refused  string // why the file cannot be read as a session, a sentence; empty when it can or may yet
	Agent    string // for people: "pi", "oh-my-pi", "Claude Code", "recording"
	ID       string
	Title    string
	Folder   string // working folder of the agent
	Model    string
	Window   kernel.Tokens // as recorded in the file
	Counting string        // what a ref numbers: "Pi host messages", "whole opencode messages" or "parts"

	Subagent bool   // another session started it for a part of its own work; a fork is none
	Parent   string // ID of that session, where the file says so
	Task     string // what that session calls it, in its calls and their results

	Usage     Usage
	Meter     Meter
	Config    []byte // a recording's own overrides (its first line), JSON
	Recording bool   // the file's own entries run the turns
	Whole     bool   // the file is one object, which its host writes anew as a whole
	Half      bool   // the end of that object is not there yet

	Problems []Problem // lines that hold no record, in file order; append-only
}

// Usage is the context size as the provider reported it last.
type Usage struct {
	Known  bool
	Stale  bool          // older than a compaction or an edit by the host
	Tokens kernel.Tokens // input, cache read, cache write and output
	Prompt kernel.Tokens // the part of Tokens that is the prompt, cache included
	Cached kernel.Tokens // the part of Prompt read from the cache
	Reply  kernel.Tokens // the part of Tokens that is the reply
	Before kernel.Tokens // the count that the newest compaction record carries
	Spent  kernel.Tokens // the sum over all requests, where the file has it: never a size of the context
}

// Meter counts what the file holds, part by part: one text, one reasoning
// block, one tool call or one tool result is one part.
type Meter struct {
	Parts      int
	Tokens     kernel.Tokens // estimate of the parts in context
	Images     int
	OffBranch  int // records on branches that were left
	Sidechain  int // records of subagents in the same file
	Dangling   int // records whose parent is not in the file
	Duplicates int // records written again
	Recovered  int // records added back to the chain by reply or call id
	Replies    int
	Overhead   kernel.Tokens // of the system prompt and the tools, as far as the file holds them beside the messages
	Unknown    int           // records of types that the reader does not know, where it counts them
	Cleared    []string      // call ids of results that the host cleared in what it sends
}

// Problem is a line that holds no usable record.
type Problem struct {
	Line   int    // from 1; 0 when Record says where
	Record string // names the record of a session that has no lines: "message msg_1"
	Reason string // a sentence without the line number
}

// Where says which line or record it is.
func (p Problem) Where() string {
	if p.Record != "" {
		return p.Record
	}
	return "line " + strconv.Itoa(p.Line)
}

// Parter is implemented by the decoders whose log may be made of something
// else than parts. A log without it is made of parts.
type Parter interface {
	// Parts lists what is in context part by part, in sending order. The ID
	// is the record's id, or record#k for block k of several; the text is
	// found like that of any other message. Parts are for lists and for
	// metering: refs number the messages of the log.
	Parts() []kernel.Message
}
