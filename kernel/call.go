package kernel

// Execute carries out one compress call over a list: the state after it and
// what the executor says. protected are the refs that stay visible; nil means
// the recent zone of the list. A call that makes no block changes no block.
func (k *Kernel) Execute(s State, log []Message, c Call, protected *[]string) (State, Verdict) {
	e := k.engineOf(s)
	e.append(log...)
	l := e.index.lookup()
	x := k.execute(e.facts, l, c, protected, 0)
	if x.untraced {
		return s, x.verdict
	}
	return State{facts: x.facts, refs: l, passed: s.passed}, x.verdict
}
