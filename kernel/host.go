package kernel

import "slices"

// hosted is what a run is made of that is judged by a host's own state.
type hosted struct {
	replay Run // of the same journal, which knows nothing of the state
	state  State
}

// FromHost judges the list of r as it stands by the state that a host keeps of
// the session: blocks, refs, stamps and counters are the host's, and what the
// host has not numbered gets the refs that its next turn would give. What turns
// and calls came to (Turns, Folds) stays what r's journal says, and r itself
// what it was.
//
// The run is looked at and tried on like any other; Advance moves the replay on
// and judges its list by the same state. When r was made so itself, the run is
// made of its replay. Calls that a person tried on r are not on the run: Retry
// brings them there. Any other r must have none.
func (k *Kernel) FromHost(r Run, s State) Run {
	h := hosted{r.Replay(), s}
	e := k.engineOf(s)
	e.index.log = h.replay.index.log.builder()
	for pos := range e.index.log.n {
		e.index.file(pos)
	}
	e.books = h.replay.past.books()
	w := &runner{k: k, Run: h.replay, e: e, books: &e.books}
	w.host, w.facts, w.committed = &h, e.facts, turnRefs{refs: e.index.refs.n}
	w.diverged = ""
	w.peek()
	return w.close()
}

// Hosted reports whether the run is judged by a host's state.
func (r Run) Hosted() bool { return r.host != nil }

// Replay is the run without a host's state: what the journal alone makes of
// the session. For any other run it is the run itself.
func (r Run) Replay() Run {
	if r.host == nil {
		return r
	}
	return r.host.replay
}

// Retry tries the calls on r that a person tried on from, oldest first. The
// first that does not make the blocks that it made there is left out, with all
// behind it: WhatIf says how many are on the run.
func (k *Kernel) Retry(r, from Run) Run {
	made := from.tries()
	for i, tried := range from.extras {
		next, verdict := k.Apply(r, tried.call)
		if !verdict.Ok() || !slices.Equal(verdict.NewBlocks, made[i].Verdict.NewBlocks) {
			break
		}
		r = next
	}
	return r
}

// tries are the records of the calls that a person tried, oldest first.
func (r Run) tries() []FoldRecord {
	var out []FoldRecord
	for i := range r.past.folds.Len() {
		if f := r.past.folds.At(i); f.Tried {
			out = append(out, *f)
		}
	}
	return out
}

// advanceHosted moves the replay of a run on and judges its list by the same
// state. What is only appended costs what was appended.
func (k *Kernel) advanceHosted(r Run, c Change, visit func(Step)) Run {
	replay := k.AdvanceEach(r.host.replay, c, visit)
	if c.Keep < r.Entries() || r.recording || !onlyAppends(c.Entries) {
		return k.Retry(k.FromHost(replay, r.host.state), r)
	}
	w := k.open(r)
	for i := range c.Entries {
		if c.Entries[i].Op == Append {
			w.e.append(c.Entries[i].Message)
		}
	}
	w.keepUpWith(replay)
	w.peek()
	return w.close()
}

// onlyAppends reports whether entries change the list by appending alone.
func onlyAppends(entries []Entry) bool {
	for i := range entries {
		switch entries[i].Op {
		case Append, Reply, Usage:
		default:
			return false
		}
	}
	return true
}

// keepUpWith takes over what the replay of the same journal knows beside the
// list and the state. Calls that a person tried stay among the folds.
func (w *runner) keepUpWith(replay Run) {
	tries, before := w.tries(), w.meter
	w.host = &hosted{replay, w.host.state}
	w.e.books = replay.past.books()
	w.meter, w.lastTurn, w.rewritten = replay.meter, replay.lastTurn, replay.rewritten
	w.offered, w.told, w.guard = replay.offered, replay.told, replay.guard
	for i := range tries {
		w.folds.push(tries[i])
		w.told = w.told.after(&tries[i].Verdict)
		w.meter.old = w.meter.old || before.old && before.at == w.meter.at
	}
}
