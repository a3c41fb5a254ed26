package decode

import "slices"

// tip is where the chain ends: from the last record that the conversation may
// end with, down to the newest of what hangs off it.
func (t *claudeTree) tip() int32 {
	if !t.lowKnown {
		t.low, t.lowKnown = t.findTip(), true
	}
	return t.low
}

func (t *claudeTree) findTip() int32 {
	slot := t.end
	if slot == none {
		slot = t.teamEnd
	}
	if slot == none {
		slot = t.last
	}
	if slot == none {
		return none
	}
	first := slot
	for next := slot; next != none && !t.records[next].met; next = t.records[next].newest {
		slot = next
		t.records[slot].met = true
	}
	for met := first; t.records[met].met; met = t.records[met].newest {
		t.records[met].met = false
		if met == slot {
			break
		}
	}
	return slot
}

// up is the record that a record follows on the chain, or none. What was
// written after a compaction behind a record that it kept follows the
// compaction.
func (t *claudeTree) up(slot int32) int32 {
	parent := t.records[slot].parent
	boundaries := t.keptBy[parent]
	for i := len(boundaries) - 1; i >= 0; i-- {
		b := boundaries[i]
		if t.records[b].order >= t.records[slot].order {
			continue // the boundary itself, or what was written before it
		}
		if slices.Contains(t.keptBy[slot], b) {
			return parent
		}
		if anchor := t.at([]byte(t.compacts[b].anchor)); anchor != none {
			return anchor
		}
		return b
	}
	return parent
}

// setApart takes the records of subagents off the tree, once the file turns
// out to hold a main conversation, and counts them.
func (t *claudeTree) setApart() (apart int) {
	t.mixed, t.lowKnown = true, false
	t.end, t.teamEnd, t.last = none, none, none
	for i := range t.records {
		slot := int32(i)
		r := &t.records[i]
		r.newest, r.older, r.newer = none, none, none
		if r.side {
			r.kind = claudeApart
			t.stopWaiting(slot)
			t.main--
			apart++
		}
	}
	for i := range t.records {
		slot := int32(i)
		r := &t.records[i]
		if r.side {
			continue
		}
		if r.parent != none && t.records[r.parent].side {
			r.parent = none
		}
		t.hang(slot, r.parent)
		t.mark(slot, r.ends, r.team)
	}
	for _, c := range t.compacts {
		c.records = slices.DeleteFunc(c.records, func(slot int32) bool { return t.records[slot].side })
	}
	return apart
}

// mark notes whether the conversation may end with a record that was just
// written.
func (t *claudeTree) mark(slot int32, ends, team bool) {
	r := &t.records[slot]
	r.ends, r.team = ends, team
	t.last = slot
	t.lowKnown = t.lowKnown && !ends && t.end != none && slot != t.end
	switch {
	case ends && team:
		t.teamEnd = slot
	case ends:
		t.end = slot
	}
	if ends && !team || slot != t.end {
		return
	}
	t.end = none // written again as something that ends nothing
	for i := range t.records {
		r := &t.records[i]
		if r.ends && !r.team && r.kind != claudeApart && (t.end == none || r.order > t.records[t.end].order) {
			t.end = int32(i)
		}
	}
}
