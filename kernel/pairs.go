package kernel

// sequence is a list of messages in some order, as the rules about pairs and
// turns look at it.
type sequence interface {
	marksAt(i int) marks
	callAt(i int) int32      // call number, -1 without
	firstResult(i int) int32 // place of the first result of the call at i, -1 without
}

// turnGroup is a run of reasoning, maybe empty, and the run of replies right
// behind it: places [from, replies) and [replies, to).
type turnGroup struct{ from, replies, to int32 }

// turnGroups finds the groups of the places from up to to.
func turnGroups(q sequence, from, to int) []turnGroup {
	var groups []turnGroup
	for i := from; i < to; {
		start := i
		for i < to && q.marksAt(i)&markReasoning != 0 {
			i++
		}
		replies := i
		for i < to && q.marksAt(i)&markAssistant != 0 {
			i++
		}
		switch {
		case i > replies:
			groups = append(groups, turnGroup{int32(start), int32(replies), int32(i)})
		case i == start:
			i++
		}
	}
	return groups
}

// members are the places of a group in order: the reasoning, then each reply
// directly followed by its result.
func (g turnGroup) members(q sequence) []int32 {
	var out []int32
	for i := g.from; i < g.to; i++ {
		out = append(out, i)
		if q.marksAt(int(i))&markAssistantCall == 0 {
			continue
		}
		result := q.firstResult(int(i))
		for _, known := range out {
			if known == result {
				result = -1
			}
		}
		if result >= 0 {
			out = append(out, result)
		}
	}
	return out
}

// withdrawals takes out of folded what must stay visible to keep turns whole:
// a call that stays must keep its reasoning and its results. It counts the
// turns and the pairs that it kept. folded is by place, from is its first.
type withdrawals struct {
	q      sequence
	from   int
	folded []bool
	groups []turnGroup
	turns  int
	pairs  int

	turnDone []bool
	pairDone map[int32]bool
}

func withdraw(q sequence, from, to int, folded []bool) (turns, pairs int) {
	w := newWithdrawals(q, from, to, folded)
	w.run()
	return w.turns, w.pairs
}

func newWithdrawals(q sequence, from, to int, folded []bool) *withdrawals {
	groups := turnGroups(q, from, to)
	return &withdrawals{q: q, from: from, folded: folded, groups: groups, turnDone: make([]bool, len(groups))}
}

func (w *withdrawals) run() {
	for again := true; again; {
		turns := w.keepTurns()
		again = w.keepPairs() || turns
	}
}

func (w *withdrawals) isFolded(place int32) bool { return w.folded[int(place)-w.from] }
func (w *withdrawals) keep(place int32)          { w.folded[int(place)-w.from] = false }

// keepTurns keeps each group that would lose reasoning but not a call.
func (w *withdrawals) keepTurns() bool {
	changed := false
	for i, g := range w.groups {
		if w.turnDone[i] || !w.splits(g) {
			continue
		}
		w.turnDone[i] = true
		w.turns++
		changed = true
		for _, place := range g.members(w.q) {
			w.keep(place)
		}
	}
	return changed
}

func (w *withdrawals) splits(g turnGroup) bool {
	loses := false
	for i := g.from; i < g.replies && !loses; i++ {
		loses = w.isFolded(i)
	}
	if !loses {
		return false
	}
	for i := g.replies; i < g.to; i++ {
		if w.q.marksAt(int(i))&markAssistantCall != 0 && !w.isFolded(i) {
			return true
		}
	}
	return false
}

// keepPairs keeps each call and first result of which one alone would go.
func (w *withdrawals) keepPairs() bool {
	changed := false
	for _, g := range w.groups {
		for i := g.replies; i < g.to; i++ {
			if w.q.marksAt(int(i))&markAssistantCall == 0 {
				continue
			}
			result := w.q.firstResult(int(i))
			if result < 0 || w.isFolded(i) == w.isFolded(result) || w.pairDone[w.q.callAt(int(i))] {
				continue
			}
			if w.pairDone == nil {
				w.pairDone = map[int32]bool{}
			}
			w.pairDone[w.q.callAt(int(i))] = true
			w.pairs++
			changed = true
			w.keep(i)
			w.keep(result)
		}
	}
	return changed
}
