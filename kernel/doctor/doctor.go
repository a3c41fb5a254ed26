// Package doctor examines a session that the kernel has run: it names what
// looks wrong, with the turns and calls that show it, and what to do.
//
// It decides nothing itself. What was offered, kept, nudged and refused is
// read from the run's turns and verdicts. Like the kernel it is pure: equal
// runs give equal findings, in the same order. A finding says what the session
// resembles, never what it is, and there is none without evidence.
package doctor

import (
	"slices"

	"ctxscope/kernel"
)

// Session is what an examination knows beside the run.
type Session struct {
	Counter string // name of the token counter; empty is the kernel's estimate, which hosts use
	Window  string // where the window comes from, in words; empty when that is certain
}

// Examination is what was found in a session.
type Examination struct {
	Turns    int       `json:"turns"`    // examined
	Findings []Finding `json:"findings"` // at most one a code, the most telling first
	Muted    []string  `json:"muted"`    // codes of findings that a person does not want to see
	Refusals Refusals  `json:"refusals"`
	Outcomes []Outcome `json:"outcomes"` // of all compress calls of the transcript, oldest first
	Floor    Floor     `json:"floor"`    // what could not be folded, and how that went
}

// Examine looks over all turns and calls of a run that k has made. It costs a
// walk over them and over the list as it stands, and leaves the run as it is.
func Examine(k *kernel.Kernel, run kernel.Run, s Session) Examination {
	h := newHistory(k, run)
	e := Examination{
		Turns: len(h.turns), Muted: []string{}, Findings: Lint(k.Config(), s),
		Outcomes: h.calls, Refusals: refusalsOf(h.calls), Floor: h.floor(),
	}
	for _, look := range []func(*history) []Finding{
		disagreements, listedRefused, emptyAttempts, nudgeLoops, repeatedCalls, refusalRate,
		fruitlessPressure, stuckPressure, deadZones, starvedTiers,
		leftovers, highFloor, gainlessFolds, oddCounts, unreported, droppedBlocks, orphans, minimumAboveAll,
	} {
		e.Findings = append(e.Findings, look(h)...)
	}
	e.Findings = sorted(joined(e.Findings))
	if s.Window != "" {
		noteWindow(e.Findings, s.Window)
	}
	return e
}

// Mute takes the findings of some codes out and lists which there were.
func (e Examination) Mute(codes []string) Examination {
	kept := []Finding{}
	for _, f := range e.Findings {
		if slices.Contains(codes, f.Code) {
			e.Muted = append(e.Muted[:len(e.Muted):len(e.Muted)], f.Code)
		} else {
			kept = append(kept, f)
		}
	}
	e.Findings = kept
	return e
}

// joined makes one finding of all of a code.
func joined(findings []Finding) []Finding {
	out := []Finding{}
	for _, f := range findings {
		i := slices.IndexFunc(out, func(o Finding) bool { return o.Code == f.Code })
		if i < 0 {
			out = append(out, f)
			continue
		}
		o := &out[i]
		o.Details = append(append(o.Details, f.What), f.Details...)
		o.Turns, o.Calls, o.Refs = append(o.Turns, f.Turns...), append(o.Calls, f.Calls...), append(o.Refs, f.Refs...)
	}
	return out
}

// noteWindow says beside findings about shares of the window that its size is
// not certain.
func noteWindow(findings []Finding, source string) {
	for i := range findings {
		switch findings[i].Code {
		case PressureNoYield, PressureStuck, FloorHigh, GateNever:
			findings[i].detail("The size of the window is %s.", source)
		}
	}
}

// history is a run made ready for looking things up.
type history struct {
	kernel *kernel.Kernel
	config kernel.Config
	run    kernel.Run
	now    kernel.Report
	turns  []kernel.TurnRecord
	calls  []Outcome
	behind []int // by turn number: the first call after it or after a later turn
}

func newHistory(k *kernel.Kernel, run kernel.Run) *history {
	h := &history{kernel: k, config: k.Config(), run: run, now: run.Now(), turns: run.Turns().All(), calls: Outcomes(run)}
	h.behind = make([]int, len(h.turns)+2)
	at := 0
	for n := range h.behind {
		for at < len(h.calls) && h.calls[at].AfterTurn < n {
			at++
		}
		h.behind[n] = at
	}
	return h
}

// after are the calls between a turn and the next one.
func (h *history) after(turn int) []Outcome { return h.calls[h.behind[turn]:h.behind[turn+1]] }

// turn is the turn that a call came after, nil for a call before the first.
func (h *history) turn(o *Outcome) *kernel.TurnRecord {
	if o.AfterTurn < 1 || o.AfterTurn > len(h.turns) {
		return nil
	}
	return &h.turns[o.AfterTurn-1]
}

// foldedAfter reports whether a call between a turn and the next one folded.
func (h *history) foldedAfter(turn int) bool {
	return slices.ContainsFunc(h.after(turn), func(o Outcome) bool { return o.folded() })
}

// step and benefit are what the kernel works out from its settings, in tokens:
// the growth threshold, and the least that a fold under pressure must free.
func (h *history) step() kernel.Tokens { return kernel.Tokens(h.now.Nudge.Breakdown.NudgeGrowthTokens) }

func (h *history) benefit() kernel.Tokens {
	return kernel.Tokens(h.now.Nudge.Breakdown.MinPressureBenefit)
}

// least is a number of tokens that is worth a word: a share of the window, at
// most some fixed number.
func (h *history) least(share float64, most kernel.Tokens) kernel.Tokens {
	if limit := h.config.ModelContextLimit; limit > 0 {
		return min(most, kernel.Tokens(share*float64(limit)))
	}
	return most
}

// stretches gives the turns of each unbroken stretch, at least long turns, in
// which something holds.
func (h *history) stretches(long int, holds func(t *kernel.TurnRecord) bool) [][]int {
	var out [][]int
	var open []int
	for i := range h.turns {
		if holds(&h.turns[i]) {
			open = append(open, h.turns[i].Number)
			continue
		}
		if len(open) >= long {
			out = append(out, open)
		}
		open = nil
	}
	if len(open) >= long {
		out = append(out, open)
	}
	return out
}
