package tui

import (
	"ctxscope/kernel"
	"ctxscope/kernel/doctor"
	"ctxscope/views"
)

// span is the refs between which something stands.
type span struct{ start, end string }

// scene is what the screen shows of one run. It is made beside the loop and
// never changes.
type scene struct {
	run      kernel.Run
	report   kernel.Report
	totals   views.Totals
	mixed    []mixed // compressible and protected ranges together, oldest first
	blocks   []kernel.Block
	repeats  int
	stamps   kernel.NudgeState
	diverged string // where the replay left the host, or empty
	finished int    // turns
	ready    bool

	ledger   kernel.Ledger
	guard    kernel.GuardAnswer // with the batches as what is offered
	text     kernel.NudgeText   // with the ranges
	costs    kernel.NudgeCosts
	outcomes []doctor.Outcome // of the compress calls, oldest first
	alarms   int              // of them on which host and replay disagree
	host     *hosting         // of the live scene; nil before one was judged
}

// mixed points at a range: at a compressible one, or at a protected one.
type mixed struct {
	index     int32
	protected bool
}

func sceneOf(k *kernel.Kernel, run kernel.Run) scene {
	s := scene{run: run, report: run.Now(), blocks: run.Blocks(), ready: true}
	s.totals = views.Sum(&s.report)
	s.mixed = mix(s.report.Ranges, s.report.Nudge.ProtectedRanges)
	s.repeats, s.stamps = repeats(run.Turns()), run.Stamps()
	s.diverged, s.finished = run.Replay().Diverged(), run.Turns().Len()
	s.ledger, s.guard = k.Ledger(&s.report.Nudge), k.Guard(run, nil)
	s.text, s.costs = k.NudgeText(run, nil), run.NudgeCosts()
	s.outcomes = doctor.Outcomes(run)
	s.alarms = alarms(s.outcomes)
	return s
}

// mix merges two lists that are each in order.
func mix(ranges kernel.List[kernel.Range], protected kernel.List[kernel.ProtectedRange]) []mixed {
	out := make([]mixed, 0, ranges.Len()+protected.Len())
	i, j := 0, 0
	for i < ranges.Len() || j < protected.Len() {
		if j == protected.Len() || i < ranges.Len() && ranges.At(i).StartIndex < protected.At(j).StartIndex {
			out = append(out, mixed{index: int32(i)})
			i++
			continue
		}
		out = append(out, mixed{index: int32(j), protected: true})
		j++
	}
	return out
}

// repeats counts the last finished turns in a row that nudged for the same
// tier in the same band.
func repeats(turns kernel.List[kernel.TurnRecord]) int {
	n := turns.Len()
	if n == 0 || !turns.At(n-1).Inject {
		return 0
	}
	last, count := turns.At(n-1), 0
	for i := n - 1; i >= 0; i-- {
		t := turns.At(i)
		if !t.Inject || t.Tier != last.Tier || t.Band != last.Band {
			break
		}
		count++
	}
	return count
}

// rangeSpan gives the refs of row i of the Ranges panel.
func (s *scene) rangeSpan(i int) span {
	if m := s.mixed[i]; m.protected {
		p := s.report.Nudge.ProtectedRanges.At(int(m.index))
		return span{p.StartRef, p.EndRef}
	}
	r := s.report.Ranges.At(int(s.mixed[i].index))
	return span{r.StartRef, r.EndRef}
}
