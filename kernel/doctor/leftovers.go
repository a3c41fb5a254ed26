package doctor

import (
	"fmt"
	"strings"

	"ctxscope/kernel"
)

// From how many on something is a pattern.
const (
	residueFrom   = 3 // pieces between folds
	fragmentsFrom = 3 // turns in a row with much in fragments
	floorTurns    = 5 // newest turns that the floor is judged by
)

// floorShare is the share of what fits below the over-limit band from which
// on the floor is high.
const floorShare = 0.5

// Floor is what of the context no compress call could fold, by cause, at the
// first turn and now.
type Floor struct {
	Causes  []FloorCause  `json:"causes"`
	First   kernel.Tokens `json:"first"` // of the first turn
	Now     kernel.Tokens `json:"now"`
	PerTurn float64       `json:"perTurn"` // tokens that it grew a turn
	Beside  kernel.Tokens `json:"beside"`  // reported but not in the transcript: system prompt and tools; 0 when unknown. No part of Now
}

// FloorCause is one cause of the floor, in tokens.
type FloorCause struct {
	Cause string        `json:"cause"`
	First kernel.Tokens `json:"first"`
	Now   kernel.Tokens `json:"now"`
}

// keptBy names the causes for which messages stay.
func keptBy(k kernel.Kept) []FloorCause {
	return []FloorCause{
		{"protected tools", 0, k.Protected},
		{"recent zone", 0, k.Recent},
		{"summaries of blocks", 0, k.Summaries},
		{"pictures and attachments", 0, k.Media},
		{"turns that would be split", 0, k.Withdrawn},
		{"pieces below the size gate", 0, k.Fragments},
		{"other", 0, k.Other},
	}
}

// keptText lists the causes that hold something.
func keptText(k kernel.Kept) string {
	var parts []string
	for _, c := range keptBy(k) {
		if c.Now > 0 {
			parts = append(parts, c.Cause+" "+amount(c.Now))
		}
	}
	if len(parts) == 0 {
		return "nothing is there yet"
	}
	return strings.Join(parts, ", ")
}

// floor follows what could not be folded.
func (h *history) floor() Floor {
	f := Floor{Causes: keptBy(h.now.Kept), Now: h.now.Kept.Total()}
	if len(h.turns) > 0 {
		first := h.turns[0].Kept
		for i, c := range keptBy(first) {
			f.Causes[i].First = c.Now
		}
		f.First = first.Total()
		f.PerTurn = float64(f.Now-f.First) / float64(len(h.turns))
	}
	if used := h.now.Used; (used.Source == kernel.CountReported || used.Source == kernel.CountExtended) && !used.Old {
		f.Beside = max(0, used.Reported-(h.now.Sent.Tokens-used.Estimated))
	}
	return f
}

// highFloor finds sessions whose newest turns could not fold much of what
// fits.
func highFloor(h *history) []Finding {
	line := kernel.Tokens(h.config.BandStart(kernel.BandOverLimit))
	n := len(h.turns)
	if n < floorTurns || line <= 0 {
		return nil
	}
	f := found(FloorHigh, "")
	for _, t := range h.turns[n-floorTurns:] {
		if float64(t.Kept.Total()) < floorShare*float64(line) {
			return nil
		}
		f.Turns = append(f.Turns, t.Number)
	}
	kept := h.turns[n-1].Kept
	f.What = fmt.Sprintf("%s tokens could not be folded at turn %d, of %s that fit below the over-limit band.", amount(kept.Total()), n, amount(line))
	first := keptBy(h.turns[0].Kept)
	for i, c := range keptBy(kept) {
		if c.Now > 0 {
			f.detail("%s: %s tokens, %s at turn 1.", capital(c.Cause), amount(c.Now), amount(first[i].Now))
		}
	}
	switch perTurn := h.floor().PerTurn; {
	case perTurn >= 1:
		f.detail("It grew by %s tokens a turn.", amount(perTurn))
	case perTurn <= -1:
		f.detail("It shrank by %s tokens a turn.", amount(-perTurn))
	}
	return []Finding{f}
}

// leftovers finds what is compressible but in ranges that no batch takes:
// between folds, or anywhere.
func leftovers(h *history) []Finding {
	if h.config.Compress.MinCompressRange <= 0 {
		return nil
	}
	var between, elsewhere []*kernel.Range
	for _, r := range h.fragmentsNow() {
		if h.betweenBlocks(r) {
			between = append(between, r)
		} else {
			elsewhere = append(elsewhere, r)
		}
	}
	var out []Finding
	residue := len(between) >= residueFrom && sizeOf(between) >= h.benefit()
	if residue {
		f := found(Residue, "%s between folds hold %s tokens, each below the size gate.", plural(len(between), "piece"), amount(sizeOf(between)))
		out = append(out, h.pieces(f, between))
	}
	if f, ok := h.fragments(elsewhere, residue); ok {
		out = append(out, f)
	}
	return out
}

// fragments finds turns at which more lay in fragments than in batches. Where
// residue was found already, only what now lies elsewhere counts.
func (h *history) fragments(elsewhere []*kernel.Range, residue bool) (Finding, bool) {
	if residue && sizeOf(elsewhere) < h.benefit() {
		return Finding{}, false
	}
	f := found(FragmentsLost, "")
	var most kernel.Tokens
	for _, turns := range h.stretches(fragmentsFrom, func(t *kernel.TurnRecord) bool {
		return t.Kept.Fragments >= h.benefit() && t.Kept.Fragments > t.Pending.T1
	}) {
		f.Turns = append(f.Turns, turns...)
		for _, n := range turns {
			most = max(most, h.turns[n-1].Kept.Fragments)
		}
	}
	if len(f.Turns) == 0 {
		return Finding{}, false
	}
	f.What = fmt.Sprintf("At %s up to %s compressible tokens lay in ranges that no batch takes.", plural(len(f.Turns), "turn"), amount(most))
	return h.pieces(f, elsewhere), true
}

// pieces adds ranges as evidence.
func (h *history) pieces(f Finding, ranges []*kernel.Range) Finding {
	for _, r := range ranges {
		gate := h.kernel.SizeGate(r.Chars, r.Tokens)
		f.Refs = append(f.Refs, span(r.StartRef, r.EndRef))
		f.detail("%s: %s %s, the minimum is %s.", span(r.StartRef, r.EndRef), amount(gate.Left), gate.Unit, amount(gate.Right))
	}
	return f
}

// fragmentsNow are the ranges that no batch holds.
func (h *history) fragmentsNow() []*kernel.Range {
	var out []*kernel.Range
	ranges, batches := h.now.Ranges, h.now.Nudge.Batches
	at := 0
	for i := range ranges.Len() {
		r := ranges.At(i)
		for at < batches.Len() && batches.At(at).EndIndex < r.StartIndex {
			at++
		}
		if at == batches.Len() || r.EndIndex < batches.At(at).StartIndex {
			out = append(out, r)
		}
	}
	return out
}

func sizeOf(ranges []*kernel.Range) kernel.Tokens {
	var sum kernel.Tokens
	for _, r := range ranges {
		sum += r.Tokens
	}
	return sum
}

// betweenBlocks reports whether active blocks stand on both sides of a range,
// by the messages that they stand for.
func (h *history) betweenBlocks(r *kernel.Range) bool {
	at, ok := h.run.Index(r.StartRef)
	before, behind := false, false
	for _, b := range h.now.Nudge.ActiveBlockSpans {
		start, known := h.run.Index(b.StartRef)
		before = before || known && start < at
		behind = behind || known && start > at
	}
	return ok && before && behind
}
