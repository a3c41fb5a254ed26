package doctor

import (
	"cmp"
	"fmt"
	"strings"

	"ctxscope/kernel"
)

// Cause says in a word why a call was refused.
type Cause string

// The causes of a refusal.
const (
	TooSmall      Cause = "too small"
	Protected     Cause = "protected"
	UnknownRef    Cause = "unknown ref"
	DeadRef       Cause = "dead ref"
	AlreadyFolded Cause = "already folded"
	SummaryLength Cause = "summary length"
	Unreadable    Cause = "unreadable call"
	HostAlone     Cause = "the host alone" // the replay would fold it
	OtherCause    Cause = "other"
)

// causes are the kinds of a verdict's codes.
var causes = map[string]Cause{
	"too-small":          TooSmall,
	"protected-only":     Protected,
	"splits-turn":        Protected,
	"nothing-left":       Protected,
	"unknown-ref":        UnknownRef,
	"invalid-ref":        UnknownRef,
	"dead-ref":           DeadRef,
	"already-compressed": AlreadyFolded,
	"no-new-content":     AlreadyFolded,
	"summary-empty":      SummaryLength,
	"summary-too-short":  SummaryLength,
	"summary-too-long":   SummaryLength,
}

// Outcome is one compress call of the transcript: what the executor would
// have said at that moment beside what the host answered.
type Outcome struct {
	CallID     string         `json:"callId,omitempty"`
	AfterTurn  int            `json:"afterTurn"`
	Ranges     []string       `json:"ranges"` // as asked, "m00003..m00009"
	Host       kernel.Outcome `json:"host"`
	HostBlocks int            `json:"hostBlocks"` // that the host reported
	Blocks     int            `json:"blocks"`     // that the replay would make
	Reclaims   kernel.Tokens  `json:"reclaims"`
	Would      string         `json:"would"` // "would fold 1 block, 3,400 tokens" or "would refuse: " and the executor's sentence
	Refused    bool           `json:"refused"`
	Cause      Cause          `json:"cause,omitempty"` // of a refusal
	Alarm      string         `json:"alarm,omitempty"` // how host and replay disagree; empty when they agree or one is silent

	offered bool // every range was recommended by the turn before
	blocks  bool // some end names a block
}

// Outcomes are the compress calls of a transcript, oldest first. Calls that a
// person tried are no part of it.
func Outcomes(run kernel.Run) []Outcome {
	folds := run.Folds()
	out := make([]Outcome, 0, folds.Len())
	for i := range folds.Len() {
		if f := folds.At(i); !f.Tried {
			out = append(out, outcomeOf(f))
		}
	}
	return out
}

func outcomeOf(f *kernel.FoldRecord) Outcome {
	v := &f.Verdict
	o := Outcome{
		CallID: f.CallID, AfterTurn: f.AfterTurn, Ranges: []string{}, Host: f.Host, HostBlocks: f.Blocks,
		Blocks: v.BlocksCreated, Reclaims: v.TokensCompressed,
		offered: len(v.Ranges) > 0 && f.Offered == len(v.Ranges),
	}
	for _, r := range v.Ranges {
		o.Ranges = append(o.Ranges, r.StartRef+".."+r.EndRef)
		o.blocks = o.blocks || kernel.NamesBlock(r.StartRef) || kernel.NamesBlock(r.EndRef)
	}
	o.Would = would(v)
	o.Refused = f.Host == kernel.Failed || f.Host != kernel.Succeeded && !v.Ok()
	if o.Refused {
		o.Cause = causeOf(v)
	}
	switch {
	case f.Host == kernel.Succeeded && !v.Ok():
		o.Alarm = "the host folded it, the replay would refuse it"
	case f.Host == kernel.Succeeded && v.BlocksCreated != f.Blocks:
		o.Alarm = fmt.Sprintf("the host reports %s, the replay makes %s", plural(f.Blocks, "block"), plural(v.BlocksCreated, "block"))
	case f.Host == kernel.Failed && v.Ok():
		o.Alarm = "the host refused it, the replay would fold it"
	}
	return o
}

// would says in words what the verdict is.
func would(v *kernel.Verdict) string {
	if v.Ok() {
		return fmt.Sprintf("would fold %s, %s tokens", plural(v.BlocksCreated, "block"), amount(v.TokensCompressed))
	}
	for _, sentence := range v.Errors {
		return "would refuse: " + sentence
	}
	for _, r := range v.Ranges {
		if r.Sentence != "" {
			return "would refuse: " + r.Sentence
		}
	}
	return "would refuse: no range can be read from its arguments"
}

// causeOf is the cause of the first range that was not folded.
func causeOf(v *kernel.Verdict) Cause {
	if v.Ok() {
		return HostAlone
	}
	if len(v.Ranges) == 0 {
		return Unreadable
	}
	for _, r := range v.Ranges {
		if cause := causes[r.Code]; cause != "" {
			return cause
		}
	}
	return OtherCause
}

// spec is what a call asked for, however it was written.
func (o *Outcome) spec() string {
	return strings.ToLower(strings.Join(strings.Fields(strings.Join(o.Ranges, ", ")), " "))
}

// name is a call for people.
func (o *Outcome) name() string { return cmp.Or(o.CallID, "a recorded call") }

// Refusals counts the refused calls by cause.
type Refusals struct {
	Calls   int          `json:"calls"` // that were folded or refused
	Refused int          `json:"refused"`
	Share   float64      `json:"share"`  // of the calls, 0 to 1
	InARow  int          `json:"inARow"` // the longest run of refusals without a fold
	Causes  []CauseCount `json:"causes"` // the most frequent first
}

// CauseCount is how often a cause was met.
type CauseCount struct {
	Cause Cause `json:"cause"`
	Calls int   `json:"calls"`
}

var causeOrder = []Cause{TooSmall, Protected, UnknownRef, DeadRef, AlreadyFolded, SummaryLength, Unreadable, HostAlone, OtherCause}

// refusalsOf counts. A call that the host neither folded nor refused, though
// the replay would fold it, is not counted.
func refusalsOf(outcomes []Outcome) Refusals {
	r := Refusals{Causes: []CauseCount{}}
	counts := map[Cause]int{}
	row := 0
	for i := range outcomes {
		switch o := &outcomes[i]; {
		case o.Refused:
			r.Refused++
			counts[o.Cause]++
			row++
			r.InARow = max(r.InARow, row)
		case o.folded():
			row = 0
		default:
			continue
		}
		r.Calls++
	}
	if r.Calls > 0 {
		r.Share = float64(r.Refused) / float64(r.Calls)
	}
	for most := r.Refused; most > 0; most-- {
		for _, cause := range causeOrder {
			if counts[cause] == most {
				r.Causes = append(r.Causes, CauseCount{cause, most})
			}
		}
	}
	return r
}

// folded reports whether the call made something, as far as is known.
func (o *Outcome) folded() bool {
	return o.Host == kernel.Succeeded || o.Host == kernel.NoOutcome && o.Blocks > 0
}
