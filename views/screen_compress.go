package views

import (
	"ctxscope/kernel"
)

// WhatIf describes the what-if branch.
type WhatIf struct {
	Folds int // calls applied to it; 0: the live session is shown
}

// Stage says how far the compress form is.
type Stage uint8

// The stages of the compress form.
const (
	NoPick  Stage = iota // nothing was picked
	Picking              // ranges are picked, their verdict is shown
	Writing              // the summary is being written
	Applied              // the call was applied to the what-if branch
)

// Form is the compress form.
type Form struct {
	Stage    Stage
	Growing  bool            // the last range still grows with the cursor
	Ranges   []Pick          // of the call, in request order
	Selected int             // the range that the cursor or the summary is at
	Verdict  *kernel.Verdict // of the whole call; nil: not known yet
	Checking bool            // a newer verdict is being worked out
	Before   *kernel.Report  // what held before the call; nil: Report of the screen
	Then     *kernel.Report  // what would hold afterwards; nil: unknown
	Editor   Editor
	Call     string // the exact compress call, ready to copy
	Scroll   int    // lines that the panel is scrolled down
}

// Pick is one range of the form.
type Pick struct {
	StartRef string
	EndRef   string
	Written  bool // its summary was written
}

// Editor is a text that is being written, with its cursor.
type Editor struct {
	Text string
	Line int // of the cursor, from 0, counted in line feeds
	Col  int // of the cursor in its line, in runes
}

// Reader is a text opened to be read: a message, a summary, a verdict.
type Reader struct {
	Title   string   // for example "m00209 tool result bash"
	Facts   string   // for example "3,902 tokens (estimate), 15,608 chars, sent"
	Lines   []string // made by Wrap for the width that Boxes.Reader gives
	Offset  int      // first visible line
	Loading bool
	Problem string // why the text cannot be shown; a sentence
}
