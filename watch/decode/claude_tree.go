package decode

import "slices"

// none stands for no record, no place and no reply.
const none = -1

// claudeRecord is what the chain needs to know of a record. Its messages are
// held by the journal, its texts stay in the file.
type claudeRecord struct {
	time     int64
	messages int32 // the first one, as the journal holds it
	count    int32
	parent   int32 // the record that it hangs off, or none
	newest   int32 // the newest of the records that hang off it, or none
	older    int32 // its older neighbour below the same parent, or none
	newer    int32
	place    int32 // on the chain, or none
	home     int32 // place on the chain of what took it back, or none
	reply    int32
	order    int32 // in the file; a record written again counts anew
	kind     claudeKind
	summary  bool
	side     bool // marked as a subagent's
	ends     bool // the conversation may end with it
	team     bool // one of a team's records
	met      bool // on the way down to the tip
}

// claudeTree holds the records of a session as a tree. The parent of a record
// is the one that it names; where that is not in the file, the record that
// the conversation ended with when it was written.
type claudeTree struct {
	records    []claudeRecord
	slots      map[string]int32 // records by uuid
	newest     int32            // the record that was added last
	newestUUID string
	missing    map[string][]int32 // records by the uuid of a parent that is not in the file, in file order
	waits      map[int32]string   // the other way round
	order      int32
	mixed      bool // there are main records, so a subagent's stand apart
	main       int  // how many records are on the tree

	end      int32 // the last record that the conversation may end with, or none
	teamEnd  int32 // the same among a team's records
	last     int32 // the last main record, or none
	low      int32 // the tip as it was found last
	lowKnown bool
	compacts map[int32]*claudeCompact
	keptBy   map[int32][]int32  // boundaries of the compactions that kept a record, oldest first
	awaited  map[string][]int32 // boundaries of the compactions whose anchor has a uuid that is not in the file yet
}

func newClaudeTree() claudeTree {
	return claudeTree{
		slots: map[string]int32{}, missing: map[string][]int32{}, waits: map[int32]string{},
		compacts: map[int32]*claudeCompact{}, keptBy: map[int32][]int32{}, awaited: map[string][]int32{},
		end: none, teamEnd: none, last: none,
	}
}

// at is the record of a uuid that is on the tree, or none.
func (t *claudeTree) at(uuid []byte) int32 {
	slot, ok := t.slot(uuid)
	if !ok || t.records[slot].kind == claudeApart {
		return none
	}
	return slot
}

// slot is the record of a uuid. Most records name the one before them.
func (t *claudeTree) slot(uuid []byte) (int32, bool) {
	if len(uuid) > 0 && string(uuid) == t.newestUUID {
		return t.newest, true
	}
	slot, ok := t.slots[string(uuid)]
	return slot, ok
}

// add puts a new record in its place. orphans are the records that were
// waiting for it: they hang off it now.
func (t *claudeTree) add(r claudeRecord, uuid string, parent []byte, boundary bool) (slot int32, orphans []int32) {
	slot = int32(len(t.records))
	above := t.above(uuid, parent, boundary)
	r.parent, r.newest, r.older, r.newer, r.place, r.home = none, none, none, none, none, none
	t.order++
	r.order = t.order
	t.records = append(t.records, r)
	t.slots[uuid] = slot
	t.newest, t.newestUUID = slot, uuid
	t.main++
	t.hang(slot, above)
	if t.waiting(parent, uuid) && !boundary {
		t.wait(slot, string(parent))
	}
	orphans = t.missing[uuid]
	delete(t.missing, uuid)
	for _, o := range orphans {
		delete(t.waits, o)
		t.cut(o)
		t.hang(o, slot)
	}
	return slot, orphans
}

// above is the record that a new record hangs off.
func (t *claudeTree) above(uuid string, parent []byte, boundary bool) int32 {
	if p := t.at(parent); p != none {
		return p
	}
	if len(t.missing[uuid]) > 0 && !boundary {
		return none // what the conversation ended with hangs off the record itself
	}
	if boundary || (len(parent) > 0 && string(parent) != uuid) {
		return t.tip()
	}
	return none
}

// waiting reports whether a parent is named that is not in the file.
func (t *claudeTree) waiting(parent []byte, uuid string) bool {
	if len(parent) == 0 || string(parent) == uuid {
		return false
	}
	_, there := t.slot(parent)
	return !there
}

func (t *claudeTree) wait(slot int32, parent string) {
	t.missing[parent] = append(t.missing[parent], slot)
	t.waits[slot] = parent
}

// stopWaiting forgets which parent a record waits for.
func (t *claudeTree) stopWaiting(slot int32) {
	parent, ok := t.waits[slot]
	if !ok {
		return
	}
	delete(t.waits, slot)
	t.missing[parent] = slices.DeleteFunc(t.missing[parent], func(s int32) bool { return s == slot })
	if len(t.missing[parent]) == 0 {
		delete(t.missing, parent)
	}
}

// again puts a record that was written again where it says that it belongs,
// as the newest below its parent, and reports whether that may be another
// place on the chain.
func (t *claudeTree) again(slot int32, uuid string, parent []byte, boundary bool) (moved bool) {
	r := &t.records[slot]
	t.order++
	r.order = t.order
	above := t.at(parent)
	switch {
	case boundary && above == none:
		above = r.parent
		t.stopWaiting(slot)
	case t.waiting(parent, uuid):
		above = r.parent
		if t.waits[slot] != string(parent) {
			t.stopWaiting(slot)
			t.wait(slot, string(parent))
		}
	default:
		t.stopWaiting(slot)
	}
	if above == slot {
		above = none
	}
	moved = above != r.parent || len(t.keptBy[above]) > 0 // whether it stands behind a compaction counts too
	t.cut(slot)
	t.hang(slot, above)
	return moved
}

// hang makes a record the newest below parent.
func (t *claudeTree) hang(slot, parent int32) {
	r := &t.records[slot]
	r.parent, r.older, r.newer = parent, none, none
	if parent == none {
		return
	}
	p := &t.records[parent]
	if p.newest != none {
		t.records[p.newest].newer = slot
	}
	if t.lowKnown = t.lowKnown && parent == t.low && r.newest == none; t.lowKnown {
		t.low = slot
	}
	r.older, p.newest = p.newest, slot
}

// cut takes a record, with all below it, off its parent.
func (t *claudeTree) cut(slot int32) {
	t.lowKnown = false
	r := &t.records[slot]
	if r.newer != none {
		t.records[r.newer].older = r.older
	} else if r.parent != none {
		t.records[r.parent].newest = r.older
	}
	if r.older != none {
		t.records[r.older].newer = r.newer
	}
	r.parent, r.older, r.newer = none, none, none
}
