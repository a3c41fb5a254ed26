package kernel

// Rebuild replays the compress calls of a list on a state, as hosts do when
// their own state is lost: every message gets a number, and each call is
// carried out over the full list with today's settings, whatever the host
// answered then. It gives the number of blocks made.
func (k *Kernel) Rebuild(s State, log []Message) (State, int) {
	e := k.engineOf(s)
	e.append(log...)
	for pos := range e.index.log.n {
		slot := e.index.slots.at(pos)
		if slot.id < 0 || e.index.ids.at(int(slot.id)).ref != 0 {
			continue
		}
		facts := *e.index.ids.at(int(slot.id))
		facts.ref = e.index.nextRef()
		e.index.refs.push(refEntry{facts.ref, slot.id})
		e.index.ids.set(int(slot.id), facts)
	}
	l, created := e.index.lookup(), 0
	for i := range l.compress.Len() {
		m := l.log.At(int(*l.compress.At(i)))
		call, notes := ParseCall(m.Text, m.ToolCallID)
		if !notes.Ok {
			continue
		}
		x := k.execute(e.facts, l, call, nil, m.Time)
		if x.untraced {
			continue
		}
		e.facts = x.facts
		created += x.verdict.BlocksCreated
	}
	return State{facts: e.facts, refs: l, passed: s.passed}, created
}
