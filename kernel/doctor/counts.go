package doctor

import (
	"fmt"

	"ctxscope/kernel"
)

// From how many on something is a pattern.
const (
	frozenFrom     = 4 // reports in a row of the same count
	jumpsFrom      = 2
	unreportedFrom = 4 // turns of a session
	silentFrom     = 5 // replies in a row that report nothing
)

// farFactor is how many times the one count grows faster than the other when
// they are far apart.
const farFactor = 2.0

// reading is one reported count beside the estimate of what it covers.
type reading struct {
	turn     int           // at which the count was known
	reported kernel.Tokens // with the reply before the turn
	estimate kernel.Tokens // of what that reply had before it, and of the reply
	newRow   bool          // what was sent changed otherwise than by growing: do not compare with the one before
}

// beside is the part of a reading that the transcript does not hold: system
// prompt and tools, and what the estimate is wrong by.
func (r reading) beside() kernel.Tokens { return r.reported - r.estimate }

// readings are the reported counts, turn by turn. A fold, a compaction and a
// truncation each start a new row of them.
func (h *history) readings() []reading {
	var out []reading
	fresh := true
	for i := range h.turns {
		t := &h.turns[i]
		reported := t.Used.Source == kernel.CountReported || t.Used.Source == kernel.CountExtended
		if !reported || t.Used.Old || t.Compaction || len(t.Gone) > 0 {
			fresh = true
		}
		if reported && !t.Used.Old {
			out = append(out, reading{t.Number, t.Used.Reported, t.Sent.Tokens - t.Used.Estimated, fresh})
			fresh = false
		}
		if t.Saved > 0 || h.foldedAfter(t.Number) {
			fresh = true
		}
	}
	return out
}

// rows are the readings that can be compared with one another.
func rows(readings []reading) [][]reading {
	var out [][]reading
	for i, r := range readings {
		if i == 0 || r.newRow {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], r)
	}
	return out
}

// oddCounts finds reported counts that stand still, jump, or go another way
// than the estimate. The first two explain the third.
func oddCounts(h *history) []Finding {
	readings := h.readings()
	out := append(h.frozen(readings), h.jumps(readings)...)
	if len(out) > 0 {
		return out
	}
	return h.farApart(readings)
}

func (h *history) frozen(readings []reading) []Finding {
	f := found(CountFrozen, "")
	longest := 0
	for from := 0; from < len(readings); {
		to := from + 1
		for to < len(readings) && readings[to].reported == readings[from].reported {
			to++
		}
		first, last := readings[from], readings[to-1]
		if to-from >= frozenFrom && last.estimate-first.estimate >= h.least(0.01, 2000) {
			for _, r := range readings[from:to] {
				f.Turns = append(f.Turns, r.turn)
			}
			longest = max(longest, to-from)
			f.detail("%s tokens were reported from turn %d to turn %d while the estimate grew by %s.", amount(first.reported), first.turn, last.turn, amount(last.estimate-first.estimate))
		}
		from = to
	}
	if longest == 0 {
		return nil
	}
	f.What = fmt.Sprintf("The same count was reported %s in a row.", plural(longest, "time"))
	return []Finding{f}
}

func (h *history) jumps(readings []reading) []Finding {
	f := found(CountJumps, "")
	least := h.least(0.25, h.step())
	jumps := 0
	for i := 1; i < len(readings); i++ {
		a, b := readings[i-1], readings[i]
		if d := b.beside() - a.beside(); !b.newRow && (d >= least || -d >= least) {
			jumps++
			f.Turns = append(f.Turns, b.turn)
			f.detail("Turn %d: reported %s after %s, though the transcript changed by %s.", b.turn, amount(b.reported), amount(a.reported), amount(b.estimate-a.estimate))
		}
	}
	if jumps < jumpsFrom {
		return nil
	}
	f.What = fmt.Sprintf("%s the reported count changed by %s tokens or more beside what the transcript shows.", plural(jumps, "time"), amount(least))
	return []Finding{f}
}

// farApart compares how the two counts grow over each row: what the transcript
// does not hold stays the same meanwhile. A report of less than half of the
// estimate is far off by itself.
func (h *history) farApart(readings []reading) []Finding {
	f := found(EstimateFar, "")
	least := h.least(0.1, 20_000)
	for _, row := range rows(readings) {
		first, last := row[0], row[len(row)-1]
		reported, estimate := growthOf(row)
		switch {
		case last.estimate >= least && farFactor*float64(last.reported) <= float64(last.estimate):
			f.detail("At turn %d %s tokens were reported, the estimate of the same is %s.", last.turn, amount(last.reported), amount(last.estimate))
		case estimate >= least && reported >= 0 && (float64(reported) >= farFactor*float64(estimate) || farFactor*float64(reported) <= float64(estimate)):
			f.detail("From turn %d to turn %d the reported count grew by %s tokens, the estimate by %s.", first.turn, last.turn, amount(reported), amount(estimate))
		default:
			continue
		}
		f.Turns = append(f.Turns, first.turn, last.turn)
	}
	if len(f.Turns) == 0 {
		return nil
	}
	f.What = f.Details[len(f.Details)-1]
	f.Details = f.Details[:len(f.Details)-1]
	return []Finding{f}
}

// growthOf is how much both counts grew over a row, but for the one step in
// which they went apart most: tools that were added or taken away change the
// prompt once, which is no fault of the estimate.
func growthOf(row []reading) (reported, estimate kernel.Tokens) {
	odd, apart := 0, kernel.Tokens(-1)
	for i := 1; i < len(row); i++ {
		if d := row[i].beside() - row[i-1].beside(); max(d, -d) > apart {
			odd, apart = i, max(d, -d)
		}
	}
	for i := 1; i < len(row); i++ {
		if i != odd {
			reported += row[i].reported - row[i-1].reported
			estimate += row[i].estimate - row[i-1].estimate
		}
	}
	return reported, estimate
}

// unreported finds sessions, and long stretches of them, without a report of
// the context size.
func unreported(h *history) []Finding {
	f := found(UsageNever, "")
	reports, zeros := 0, 0
	if h.now.Used.Source != kernel.CountEstimate { // the newest report is not behind any turn yet
		reports++
	}
	for i := range h.turns {
		t := &h.turns[i]
		if t.Used.Source != kernel.CountEstimate {
			reports++
		}
		if t.Used.Tokens <= 0 && t.Messages > 0 {
			zeros++
		}
		f.Turns = append(f.Turns, t.Number)
	}
	switch n := len(h.turns); {
	case n < unreportedFrom:
		return nil
	case zeros == n:
		f.What = "A context of 0 tokens was recorded at all " + plural(n, "turn") + "."
		return []Finding{f}
	case reports == 0:
		f.What = "No reply of " + amount(n) + " reported how large the context is."
		return []Finding{f}
	}
	return h.silences()
}

// silences finds stretches in which replies came but reported nothing.
func (h *history) silences() []Finding {
	f := found(UsageNever, "")
	for from := 0; from < len(h.turns); {
		to := from + 1
		for to < len(h.turns) && silentSince(&h.turns[from], &h.turns[to]) {
			to++
		}
		if to-from > silentFrom {
			for _, t := range h.turns[from+1 : to] {
				f.Turns = append(f.Turns, t.Number)
			}
			f.detail("No reply from turn %d to turn %d reported a count; %s tokens are an estimate.", h.turns[from].Number, h.turns[to-2].Number, amount(h.turns[to-1].Used.Estimated))
		}
		from = to
	}
	if len(f.Turns) == 0 {
		return nil
	}
	f.What = "For " + plural(len(f.Turns), "turn") + " no reply reported a count, though earlier ones did."
	return []Finding{f}
}

// silentSince reports whether turn b still counts from the report that turn a
// counted from, with more behind it.
func silentSince(a, b *kernel.TurnRecord) bool {
	return a.Used.Source != kernel.CountEstimate && a.Used.Source != kernel.CountRecorded && b.Used.Source == kernel.CountExtended &&
		a.Used.Reported == b.Used.Reported && b.Used.Estimated > a.Used.Estimated && b.Messages > a.Messages && !b.Compaction
}
