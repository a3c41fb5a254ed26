// Package views draws one screen.
//
// A Screen holds kernel values as they are and the few facts of the edge that
// a person needs to read them; Frame turns it into text. Nothing here decides:
// every verdict, gate and reason is read from the kernel's values.
package views

import (
	"github.com/charmbracelet/bubbles/key"

	"ctxscope/kernel"
	"ctxscope/kernel/doctor"
)

// Panel names a panel. Those up to LastNumbered are reached by their number.
type Panel uint8

// The panels. Those behind LastNumbered have no number and take the whole body
// while they have the focus.
const (
	NoPanel Panel = iota
	PanelBatches
	PanelRanges
	PanelTiers
	PanelNudge
	PanelCompress
	PanelMessages
	PanelBlocks
	PanelCandidates
	PanelProblems
	PanelHelp
	PanelDoctor
	PanelOutcomes
	PanelSessions
	PanelTokens
	PanelGrowth
	panels
)

// LastNumbered is the last panel that is reached by its number.
const LastNumbered = PanelCandidates

// Panels is one more than the last panel, to size tables.
const Panels = panels

var panelNames = [panels]string{
	"", "Batches", "Ranges", "Tiers", "Nudge", "Compress", "Messages", "Blocks", "Candidates", "Problems", "Help", "Doctor", "Compress calls",
	"Sessions", "Tokens", "Growth",
}

func (p Panel) String() string { return panelNames[p] }

// Whole reports whether a panel takes the whole body while it has the focus.
func (p Panel) Whole() bool { return p > LastNumbered }

// Screen is everything that one frame shows. Frame changes nothing in it.
type Screen struct {
	Width  int // cells
	Height int // lines
	Focus  Panel
	Last   Panel // the list panel that had the focus last; NoPanel means Batches
	Zoom   bool  // the focused panel takes the whole body
	Now    int64 // epoch milliseconds, for ages; 0 when unknown

	Session    Session
	Config     kernel.Config
	ConfigFrom string   // "kernel defaults", and the names of the files laid over them
	ConfigOver []string // those names, the file that counts most last

	Report  *kernel.Report    // of the list as it stands; nil while nothing was evaluated
	Totals  Totals            // Sum of Report
	Stamps  kernel.NudgeState // as the last turn or fold left them
	Repeats int               // finished turns in a row, the last one included, with a nudge of the same tier and band
	WhatIf  WhatIf

	Batches  Rows[RangeRow]
	Ranges   Rows[RangeRow] // compressible and protected ones together, oldest first
	Messages Rows[MessageRow]
	Blocks   Rows[BlockRow]
	Problems Rows[Problem]

	Nudging    Nudging
	Plan       *kernel.Plan // nil: not asked for yet
	Candidates Rows[CandidateRow]
	Checkup    Checkup
	Findings   Rows[FindingRow]
	Outcomes   Rows[doctor.Outcome]

	Choice      Choice
	Sessions    Rows[SessionRow]
	TokenScales TokenScales
	Tokens      Rows[TokenRow] // finished turns, oldest first
	Growth      Growth

	Form   Form
	Reader *Reader // a text that is open; it takes the whole body
	Keys   []KeyGroup
	Foot   Foot
	Scroll int // lines that the help, Nudge or Tiers panel is scrolled down
}

// FollowState says how the session is followed.
type FollowState uint8

// The follow states.
const (
	Waiting  FollowState = iota // nothing was read yet
	Loading                     // the first read is under way
	Live                        // followed, and written to lately
	Quiet                       // followed, not written to for a while
	Missing                     // there is no file: it is gone and the last state stands, or it was never there
	ReadOnce                    // the end of the input was reached, nothing follows
	Stopped                     // reading failed for good, the last state stands
	Playing                     // the demo plays
	Paused                      // the demo is paused
)

// Session is what the header tells about the session. Empty and zero mean
// unknown.
type Session struct {
	Name       string // title, or the file's name
	Agent      string // for people: "pi", "Claude Code", "demo"
	Model      string
	Window     kernel.Tokens
	WindowFrom string        // "model table", "recorded", "set by you", "assumed"
	Recorded   kernel.Tokens // a recorded window beside one that was set

	Follow  FollowState
	Mode    string // "watching", "polling", "read once", "demo 2x"
	Changed int64  // epoch milliseconds of the file's last change
	Read    int64  // bytes
	Size    int64  // bytes
	Note    string // one sentence about the file, or empty
	Refused string // why it cannot be read as a session, a sentence; empty: it can, or may yet

	Turn      int           // finished turns
	Stale     kernel.Tokens // the context that was reported last, when a compaction or an edit came since; 0: none
	Counting  string        // what a ref numbers: "Pi host messages", "whole opencode messages" or "parts"
	Counter   string        // of the tokens: "estimate", "o200k", "cl100k"
	NotHost   bool          // Counter is not the one that the host uses
	Preparing string        // a counter whose run is made in the background, or empty
	Problems  int           // lines that were skipped
	Settings  int           // settings that cannot be used as they were written
	Alarms    int           // compress calls on which host and replay disagree
	Diverged  string        // where the replay left the host, or empty
	Host      Host
}

// Totals are sums over the lists of a report, made once for each report.
type Totals struct {
	BatchTokens   kernel.Tokens // in batches
	RangeTokens   kernel.Tokens // in compressible ranges
	RangeChars    kernel.Chars
	RangeMessages int
}

// Sum adds up the lists of r.
func Sum(r *kernel.Report) Totals {
	var t Totals
	for i := range r.Nudge.Batches.Len() {
		t.BatchTokens += r.Nudge.Batches.At(i).Tokens
	}
	for i := range r.Ranges.Len() {
		x := r.Ranges.At(i)
		t.RangeTokens += x.Tokens
		t.RangeChars += x.Chars
		t.RangeMessages += x.Count
	}
	return t
}

// empty reports whether there is no message to speak of yet.
func (s *Screen) empty() bool { return s.Report == nil || s.Report.Messages == 0 }

// Rows is the list of one panel. Only rows that are visible are asked for, so
// that a long list costs no more than a short one.
//
// Keep Offset with Scroll, so that the selected row is visible and no line of
// the panel is wasted.
type Rows[T any] struct {
	Len      int           // rows that the filter leaves
	At       func(i int) T // row i, oldest first; nil when Len is 0
	Offset   int           // first visible row
	Selected int           // row under the cursor
	Follow   bool          // stays at the end when rows arrive
	Unseen   int           // rows that arrived behind the visible ones while not following
	All      int           // rows without the filter
	Filter   string        // empty: none
	Editing  bool          // the filter is being typed
}

// Mark says how a row belongs to the pick.
type Mark struct {
	Picked bool // inside the pick that grows
	Marked bool // marked for the next call
}

// RangeRow is a compressible or protected range, or a batch.
type RangeRow struct {
	kernel.Range
	Protected bool            // never folded; ToolPct and Chars are unknown
	Why       string          // what protects it, for example "compress, todo"
	Verdict   *kernel.Verdict // the executor's answer to a call of this range alone; nil: not known yet
	Mark
}

// MessageRow is one message.
type MessageRow struct {
	Ref      string // empty: the kernel gave none
	Role     kernel.Role
	Type     kernel.ContentType
	Tool     string
	Tokens   kernel.Tokens
	Chars    kernel.Chars
	Images   int
	Failed   bool
	Standing kernel.Standing
	Mark
}

// BlockRow is one block.
type BlockRow struct {
	ID       string
	Tier     kernel.Tier
	StartRef string // of what it covers; empty: unknown
	EndRef   string
	Messages int           // that it covers
	Original kernel.Tokens // newly folded messages and consumed summaries
	Summary  kernel.Tokens
	Topic    string
	Consumed []string // ids of the blocks that it consumed
	Active   bool
	WhatIf   bool // made by the what-if branch
	Target   bool // the nudge asks to fold it
	Mark
}

// Problem is something that the reader or the replay could not do right.
type Problem struct {
	Where  string // "line 412", "turn 88"
	Reason string // a sentence
}

// KeyGroup is a set of bindings with a title, for the help panel.
type KeyGroup struct {
	Title string
	Keys  []key.Binding
}

// Foot is the last line of the screen.
type Foot struct {
	Problems key.Binding   // stands before what the Problems panel says more of
	Keys     []key.Binding // of the current context, most useful first
	Note     string        // takes the place of the keys until the next key: why a key did not act, or what it did
}
