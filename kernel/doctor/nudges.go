package doctor

import (
	"strings"

	"ctxscope/kernel"
)

// From how many on something is a pattern.
const (
	emptyAttemptsFrom = 2 // refused calls at turns that offered nothing
	loopsFrom         = 2 // times that a nudge followed a refusal that followed a nudge
	fruitlessFrom     = 5 // nudges under pressure in a row without a fold
	stuckFrom         = 3 // turns under pressure in a row with nothing worth folding
	deadFrom          = 3 // turns in a row below the stamps with enough to fold
	starvedFrom       = 3 // nudges for a lower tier while a higher one waits
)

// emptyAttempts finds nudges with nothing pending, and refused calls at turns
// at which no batch was large enough to fold.
func emptyAttempts(h *history) []Finding {
	f := found(NudgeNothing, "")
	for i := range h.turns {
		if t := &h.turns[i]; t.Inject && t.Pending.T1+t.Pending.T2+t.Pending.T3 <= 0 {
			f.Turns = append(f.Turns, t.Number)
		}
	}
	nudged, calls := len(f.Turns), 0
	for i := range h.calls {
		o := &h.calls[i]
		if t := h.turn(o); o.Refused && !o.blocks && t != nil && t.Batches == 0 {
			calls++
			f.Turns, f.Calls = append(f.Turns, t.Number), append(f.Calls, o.CallID)
		}
	}
	if nudged == 0 && calls < emptyAttemptsFrom {
		return nil
	}
	switch {
	case calls == 0:
		f.What = plural(nudged, "nudge") + " came while no tier had anything to reclaim."
	case nudged == 0:
		f.What = plural(calls, "refused compress call") + " came at turns at which no batch was large enough to fold."
	default:
		f.What = plural(nudged, "nudge") + " and " + plural(calls, "refused compress call") + " came at turns at which nothing could be folded."
	}
	for _, n := range f.Turns {
		kept := h.turns[n-1].Kept
		f.detail("Turn %d: of %s tokens sent nothing could be folded: %s.", n, amount(h.turns[n-1].Sent.Tokens), keptText(kept))
	}
	return []Finding{f}
}

// nudgeLoops finds nudges that were answered by refusals and came again.
func nudgeLoops(h *history) []Finding {
	f := found(NudgeLoop, "")
	nudge, loops := 0, 0 // nudge: the turn of a nudge that was not answered by a fold
	refused := []string{}
	for i := range h.turns {
		t := &h.turns[i]
		if t.Inject && nudge > 0 && len(refused) > 0 {
			loops++
			f.Turns, f.Calls = append(f.Turns, nudge, t.Number), append(f.Calls, refused...)
			f.detail("Nudged at turn %d, refused (%s), nudged again at turn %d.", nudge, strings.Join(once(refused), ", "), t.Number)
		}
		if t.Inject {
			nudge, refused = t.Number, nil
		}
		for _, o := range h.after(t.Number) {
			switch {
			case o.folded():
				nudge, refused = 0, nil
			case o.Refused && nudge > 0:
				refused = append(refused, o.name())
			}
		}
	}
	if loops < loopsFrom {
		return nil
	}
	f.What = plural(loops, "time") + " a nudge was answered by a refused call and came again."
	return []Finding{f}
}

// fruitlessPressure finds nudges under pressure that came turn by turn while
// nothing was folded.
func fruitlessPressure(h *history) []Finding {
	f := found(PressureNoYield, "")
	var open []int
	longest := 0
	shut := func() {
		if len(open) >= fruitlessFrom {
			longest = max(longest, len(open))
			f.Turns = append(f.Turns, open...)
			first, last := &h.turns[open[0]-1], &h.turns[open[len(open)-1]-1]
			f.detail("%s at %s: from %s to %s tokens, %s pending at the last.", plural(len(open), "nudge"), turnsText(open),
				amount(first.Used.Tokens), amount(last.Used.Tokens), amount(last.Pending.T1+last.Pending.T2+last.Pending.T3))
		}
		open = nil
	}
	for i := range h.turns {
		t := &h.turns[i]
		fell := i > 0 && t.Used.Tokens < h.turns[i-1].Used.Tokens-h.benefit()
		if t.Band == kernel.BandNormal || fell || t.Compaction {
			shut()
		}
		if t.Inject && t.Band != kernel.BandNormal {
			open = append(open, t.Number)
		}
		if h.foldedAfter(t.Number) {
			shut()
		}
	}
	shut()
	if len(f.Turns) == 0 {
		return nil
	}
	f.What = "Up to " + plural(longest, "nudge") + " in a row came under pressure, and nothing was folded."
	return []Finding{f}
}

// stuckPressure finds turns under pressure at which no nudge came because a
// fold would have freed too little.
func stuckPressure(h *history) []Finding {
	f := found(PressureStuck, "")
	for _, turns := range h.stretches(stuckFrom, func(t *kernel.TurnRecord) bool {
		return t.Band != kernel.BandNormal && !t.Inject && !t.Used.Old
	}) {
		f.Turns = append(f.Turns, turns...)
		last := &h.turns[turns[len(turns)-1]-1]
		f.detail("%s, at the last: %s", capital(turnsText(turns)), last.Reason)
	}
	if len(f.Turns) == 0 {
		return nil
	}
	f.What = "At " + plural(len(f.Turns), "turn") + " usage was over the limit and no fold would have freed enough."
	return []Finding{f}
}

// deadZones finds turns at which a tier was ready but growth was below zero:
// the context fell under the stamp that growth is counted from, though not far
// enough to start anew. Right after a fold that is as it should be: the stamp
// is then made from the count before it.
func deadZones(h *history) []Finding {
	f := found(DeadZone, "")
	afterFold := false
	for _, turns := range h.stretches(deadFrom, func(t *kernel.TurnRecord) bool {
		afterFold = t.Used.Old || afterFold && t.Growth < 0
		return t.Growth < 0 && !afterFold && t.Band == kernel.BandNormal && !t.Inject && (t.Ready[1] || t.Ready[2] || t.Ready[3])
	}) {
		f.Turns = append(f.Turns, turns...)
		last := &h.turns[turns[len(turns)-1]-1]
		f.detail("%s: growth is counted from %s, the context holds %s, %s tokens could be folded.", capital(turnsText(turns)),
			amount(float64(last.Used.Tokens)-last.Growth), amount(last.Used.Tokens), amount(last.Pending.T1))
	}
	if len(f.Turns) == 0 {
		return nil
	}
	f.What = "For " + plural(len(f.Turns), "turn") + " a nudge was withheld because the context is smaller than the stamp that growth is counted from."
	return []Finding{f}
}

// starvedTiers finds tiers that were ready while nudges went to lower tiers
// only.
func starvedTiers(h *history) []Finding {
	f := found(TierStarved, "")
	for tier := kernel.Tier(2); tier <= 3; tier++ {
		var passed []int // turns of nudges for a lower tier
		shut := func() {
			if len(passed) >= starvedFrom {
				last := &h.turns[passed[len(passed)-1]-1]
				f.Turns = append(f.Turns, passed...)
				f.detail("%s was ready from turn %d to turn %d (%s) while %s went to lower tiers.", tierName(tier), passed[0], last.Number,
					waiting(last.Pending, tier), plural(len(passed), "nudge"))
			}
			passed = nil
		}
		for i := range h.turns {
			t := &h.turns[i]
			if !t.Ready[tier] || t.Inject && t.Tier == tier {
				shut()
			} else if t.Inject && t.Tier < tier {
				passed = append(passed, t.Number)
			}
		}
		shut()
	}
	if len(f.Turns) == 0 {
		return nil
	}
	f.What = "A tier had enough to merge, but " + plural(len(f.Turns), "nudge") + " in a row went to a lower one."
	return []Finding{f}
}

// waiting says what a tier holds.
func waiting(p kernel.Pending, tier kernel.Tier) string {
	if tier == 2 {
		return plural(p.C2, "block") + ", " + amount(p.T2) + " tokens"
	}
	return plural(p.C3, "block") + ", " + amount(p.T3) + " tokens"
}

func capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }
