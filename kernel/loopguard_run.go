package kernel

// newestUser is the id of the newest message that a person wrote, looking back
// to a position; empty without one.
func (l *lookup) newestUser(from int) string {
	for pos := l.log.Len() - 1; pos >= from; pos-- {
		m := l.log.At(pos)
		injected := l.slots.At(pos).marks&(markSynthetic|markRendered|markRetrieved) != 0 || m.SummaryOfBlockID != ""
		if m.Role == RoleUser && m.Type == Text && m.ID != "" && !injected {
			return m.ID
		}
	}
	return ""
}

// guardTurn is what a decision asks of a guard, but for the offer.
func guardTurn(d *Decision, used Tokens) GuardTurn {
	t := GuardTurn{Used: used, Inject: d.ShouldInject, Tier: d.Tier, Band: d.Band, Reason: d.Reason}
	for i := range d.Gates {
		t.Idle = t.Idle || d.Gates[i].Name == gatePending && !d.Gates[i].Holds
	}
	return t
}

// guarded asks the guard about the turn that is being finished; its report is
// filled when it injects. since is the length of the list at the turn before.
func (w *runner) guarded(report *Report, set cutSet, since int) GuardAnswer {
	if id := w.e.now.newestUser(since); id != "" {
		w.guard = w.guard.UserMessage(id)
	}
	t := guardTurn(&report.Nudge, report.Used.Tokens)
	if t.Inject {
		t.Offer = offering{w.k, w.e.facts, w.target(w.e, set), &w.guard}.batches(&report.Nudge)
	}
	guard, answer := w.k.Guarded(w.guard, t)
	w.guard = guard
	return answer
}

// target is the list that a call after the engine's turn would be carried out
// over.
func (w *runner) target(e *engine, set cutSet) *lookup {
	if !w.pruned {
		return e.now
	}
	return e.now.over(e.output(set))
}

// usedNow is the context size behind the newest message, as well as it is
// known between turns.
func (w *runner) usedNow() Tokens {
	if w.meter.known {
		return w.count().Tokens
	}
	var used Tokens
	if w.lastTurn > 0 {
		used = w.turns.at(w.turns.n - 1).Used.Tokens
	}
	for pos := w.lastTurn; pos < w.e.index.log.n; pos++ {
		used += w.e.index.log.at(pos).Size()
	}
	return used
}

// Guard is the guard of a host that nudges by this kernel's decisions, after
// the last finished turn or compress call.
func (r Run) Guard() Guard { return r.guard }

// Guard is what such a host's guard says of the turn that a request at this
// moment would run. With a plan that succeeded its candidates are what tier 1
// offers; nil asks about the batches.
func (k *Kernel) Guard(r Run, plan *Plan) GuardAnswer {
	g := r.guard
	if id := r.sight.list.newestUser(0); id != "" {
		g = g.UserMessage(id)
	}
	t := guardTurn(&r.now.Nudge, r.now.Used.Tokens)
	offered := offering{k, r.base(), r.sight.target, &g}
	switch {
	case !t.Inject:
	case t.Tier == 1 && plan != nil && plan.Ok():
		t.Offer = offered.planned(plan)
	default:
		t.Offer = offered.batches(&r.now.Nudge)
	}
	_, answer := k.Guarded(g, t)
	return answer
}

// HostTurn is a turn of a host that asks its guard before it nudges.
type HostTurn struct {
	State  State
	Guard  Guard
	Report Report // the decision is the kernel's own, whatever the guard says
	Answer GuardAnswer
	Output Output
}

// HostTurn is Turn for a host that nudges by itself: a nudge that the guard
// withholds leaves no stamp. Give the guard new user messages and compress
// calls before. Where refs run out the report and the output are empty, and
// state and guard stay as they were.
func (k *Kernel) HostTurn(s State, g Guard, log []Message, used Tokens) HostTurn {
	e := k.engineOf(s)
	e.append(log...)
	if e.prepare() != nil {
		return HostTurn{State: s, Guard: g}
	}
	before := e.nudge
	out := HostTurn{}
	report, set := e.finish(Count{Tokens: used, Source: CountRecorded})
	e.fill(&report)
	t := guardTurn(&report.Nudge, used)
	if t.Inject {
		t.Offer = offering{k, e.facts, e.now, &g}.batches(&report.Nudge)
	}
	out.Guard, out.Answer = k.Guarded(g, t)
	if t.Inject && !out.Answer.Send {
		e.nudge = before.stamp(used, report.Nudge.Breakdown.NudgeGrowthTokens, 0)
		report.StampsAfter = e.nudge
	}
	out.Report, out.State, out.Output = report, e.state(), Output{e, set}
	return out
}
