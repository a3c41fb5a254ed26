package kernel

import (
	"slices"
)

// recordedTurn runs a turn with the host's own count.
func (w *runner) recordedTurn(entry *Entry) {
	w.prepareList()
	if w.e.prepare() != nil {
		w.diverge("refs ran out")
		return
	}
	set := w.finishTurn(entry, Count{Tokens: entry.Used, Source: CountRecorded})
	w.meter = meter{total: entry.Used, at: w.e.index.log.n, known: true, recorded: true}
	if w.pruned {
		w.output = w.e.output(set)
	}
	w.saveAtTimes()
}

// prepareList makes the list that the next recorded turn runs over.
func (w *runner) prepareList() {
	list := w.nextList()
	if list == nil {
		return
	}
	w.replace(list)
	w.removed, w.output = nil, nil
}

// nextList is the list of the next recorded turn where it differs from the
// list as it stands, else nil.
func (w *runner) nextList() []Message {
	if w.output == nil && len(w.removed) == 0 {
		return nil
	}
	log := w.e.index.log.list()
	list := w.output
	if w.output == nil {
		list = log.Slice(0, w.lastTurn)
	}
	list = slices.Concat(list, log.Slice(w.lastTurn, log.Len())) // a copy: deleting writes to it
	return slices.DeleteFunc(list, func(m Message) bool { return slices.Contains(w.removed, m.ID) })
}

// recordedCall carries a recorded call out over the last turn's list, or over
// its output.
func (w *runner) recordedCall(entry *Entry) {
	l := w.e.index.lookup().before(w.lastTurn)
	if w.pruned {
		l = w.e.index.lookup().over(w.output)
	}
	x := w.k.execute(w.e.facts, l, entry.Call, nil, entry.Time)
	w.take(x)
	record := FoldRecord{AfterTurn: w.turns.n, Host: NoOutcome, Applied: true, Offered: w.offeredOf(entry.Call), Verdict: x.verdict}
	if len(entry.Call.Ranges) > 0 {
		record.CallID = entry.Call.Ranges[0].CompressCallID
	}
	w.agentFold(record)
}

// take makes what a call left the engine's state.
func (w *runner) take(x *execution) {
	if x.untraced {
		return
	}
	w.e.facts = x.facts
	w.e.moved = true
	w.meter.old = w.meter.old || x.verdict.BlocksCreated > 0 && !w.meter.recorded
}

// offeredOf counts the ranges of a call that are batches of the last turn.
func (w *runner) offeredOf(c Call) int {
	count := 0
	for _, r := range c.Ranges {
		for i := range w.offered.Len() {
			if b := w.offered.At(i); b.StartRef == r.StartRef && b.EndRef == r.EndRef {
				count++
				break
			}
		}
	}
	return count
}

// agentFold records a call of the agent.
func (w *runner) agentFold(record FoldRecord) {
	record.Used = w.usedNow()
	w.guard = w.guard.Attempted(record.attempt())
	w.recordFold(record)
}

func (w *runner) recordFold(record FoldRecord) {
	w.folds.push(record)
	if record.Applied {
		w.told = w.told.after(&record.Verdict)
	}
	if w.visit != nil {
		w.visit(Step{Fold: &record, State: w.e.nudge, Blocks: w.e.all()})
	}
}

// tryOut takes a call that a person tries.
func (w *runner) tryOut(c Call, x *execution) {
	w.prepareList()
	w.e.reconcile()
	if _, err := w.e.index.assignRefs(w.e.assigned); err != nil {
		w.diverge("refs ran out")
	}
	w.e.assigned, w.e.loose = w.e.index.log.n, nil
	w.committed = turnRefs{assigned: w.e.assigned, refs: w.e.index.refs.n}
	w.take(x)
	w.extras = append(w.extras[:len(w.extras):len(w.extras)], extra{w.journal.n, c})
	w.recordFold(FoldRecord{AfterTurn: w.turns.n, Applied: true, Tried: true, Offered: w.offeredOf(c), Used: w.usedNow(), Verdict: x.verdict})
}

// diverge marks where the replay left what the host did; the first place
// counts.
func (w *runner) diverge(why string) {
	if w.diverged == "" {
		w.diverged = why
	}
}
