package settings

import (
	"ctxscope/kernel"
	"ctxscope/watch/decode"
)

// Source names where a window comes from.
type Source string

// The sources of a window, the most certain first.
const (
	SetByYou    Source = "set by you"
	SetInFile   Source = "configuration file"
	Recorded    Source = "recorded"
	ModelTable  Source = "model table"
	Inferred    Source = "inferred" // a reported context proves the table or the assumption too small
	Assumed     Source = "assumed"
	UnknownSize Source = "unknown" // a reported context is larger than any known window
)

// assumedWindow stands in for the window of a model that nobody knows.
const assumedWindow kernel.Tokens = 200_000

// Window is the size of the model's context in tokens and where it comes
// from.
type Window struct {
	Tokens   kernel.Tokens `json:"tokens"` // 0 only when the source is "unknown"
	Source   Source        `json:"source"`
	Recorded kernel.Tokens `json:"recorded,omitempty"` // what the transcript says, whatever the source
}

// window decides by the first that is known: what the person set, what the
// configuration file says, what the transcript records, the model table, an
// assumption. The last two give way to a context that was reported larger.
func window(set, inFile, recorded kernel.Tokens, s decode.Session, peak kernel.Tokens) Window {
	switch {
	case set > 0:
		return Window{Tokens: set, Source: SetByYou, Recorded: recorded}
	case inFile > 0:
		return Window{Tokens: inFile, Source: SetInFile, Recorded: recorded}
	case recorded > 0:
		return Window{Tokens: recorded, Source: Recorded, Recorded: recorded}
	}
	w, family := Window{Tokens: assumedWindow, Source: Assumed}, ""
	if r, ok := lookup(s.Model); ok {
		w, family = Window{Tokens: r.tokens, Source: ModelTable}, r.family
	}
	if peak <= w.Tokens {
		return w
	}
	if tokens := larger(family, peak); tokens > 0 {
		return Window{Tokens: tokens, Source: Inferred}
	}
	return Window{Source: UnknownSize}
}

// Peak follows the largest context size that the provider reported in a
// journal. It is a value: following a change leaves it as it was.
type Peak struct {
	reports []report
}

type report struct {
	entry int           // its position in the journal
	peak  kernel.Tokens // the largest of it and those before it
}

// After is the peak of the journal with c applied.
func (p Peak) After(c kernel.Change) Peak {
	n := len(p.reports)
	for n > 0 && p.reports[n-1].entry >= c.Keep {
		n--
	}
	p.reports = p.reports[:n:n]
	for i, e := range c.Entries {
		if e.Op == kernel.Usage || e.Op == kernel.RecordedTurn {
			p.reports = append(p.reports, report{c.Keep + i, max(p.Tokens(), e.Used)})
		}
	}
	return p
}

// Tokens is the peak, 0 when nothing was reported.
func (p Peak) Tokens() kernel.Tokens {
	if len(p.reports) == 0 {
		return 0
	}
	return p.reports[len(p.reports)-1].peak
}
