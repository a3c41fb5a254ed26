package decode

import (
	"slices"

	"ctxscope/kernel"
)

// claudeCompact is what a compaction says of itself.
type claudeCompact struct {
	before     kernel.Tokens // tokens before it
	anchor     string        // the record that the kept ones follow
	kept       []string      // the records that stay, oldest first
	beside     []string      // those and what else stays, though it is not sent
	head, tail string        // or the ends of the piece of the chain that stays
	records    []int32       // the records that stay, as they are sent
}

// compact notes what a boundary says of a compaction.
func (d *claude) compact(boundary int32, c *claudeCompact) {
	d.tree.compacts[boundary] = c
	if _, there := d.tree.slots[c.anchor]; !there && c.anchor != "" {
		d.tree.awaited[c.anchor] = append(d.tree.awaited[c.anchor], boundary)
	}
	d.chain.keep(boundary)
}

// compaction reads what a boundary says of itself; nil for any other record.
func compaction(f *claudeFields, kind claudeKind) *claudeCompact {
	if kind != claudeBoundary {
		return nil
	}
	c := &claudeCompact{before: tokensOf(f.compact.get("preTokens"))}
	if kept := f.compact.get("preservedMessages"); kept.isObject() {
		c.anchor = kept.get("anchorUuid").str()
		for uuid := range kept.get("uuids").items() {
			c.kept = append(c.kept, uuid.str())
		}
		for uuid := range kept.get("allUuids").items() {
			c.beside = append(c.beside, uuid.str())
		}
	} else if kept := f.compact.get("preservedSegment"); kept.isObject() {
		c.anchor, c.head, c.tail = kept.get("anchorUuid").str(), kept.get("headUuid").str(), kept.get("tailUuid").str()
	}
	return c
}

// forget drops what a boundary said of a compaction, when it is written again.
func (t *claudeTree) forget(boundary int32) {
	c := t.compacts[boundary]
	if c == nil {
		return
	}
	delete(t.compacts, boundary)
	isIt := func(b int32) bool { return b == boundary }
	for slot := range t.keptBy {
		t.keptBy[slot] = slices.DeleteFunc(t.keptBy[slot], isIt)
	}
	for uuid := range t.awaited {
		t.awaited[uuid] = slices.DeleteFunc(t.awaited[uuid], isIt)
	}
}

// kept are the records that a compaction names as kept, oldest first: those
// of a list, or the piece of the chain between two ends. The piece is nothing
// when its ends do not meet, and it does not reach over an older compaction.
func (t *claudeTree) kept(c *claudeCompact) []int32 {
	slots, met := t.all(c.kept), map[int32]bool{}
	if len(c.kept) > 0 || c.tail == "" {
		return slots
	}
	head := t.at([]byte(c.head))
	for slot := t.at([]byte(c.tail)); slot != none && !met[slot] && t.records[slot].kind != claudeBoundary; slot = t.records[slot].parent {
		met[slot] = true
		slots = append(slots, slot)
		if slot == head {
			slices.Reverse(slots)
			return slots
		}
	}
	return nil
}

// all are the records of some uuids that are on the tree, each once.
func (t *claudeTree) all(uuids []string) (slots []int32) {
	met := map[int32]bool{}
	for _, uuid := range uuids {
		if slot := t.at([]byte(uuid)); slot != none && !met[slot] {
			met[slot] = true
			slots = append(slots, slot)
		}
	}
	return slots
}

// keep finds what a compaction keeps: the records that it names or, where it
// names a piece of the chain, that piece with what parallel calls left beside
// it, as the tree stands now. It is sent whatever becomes of the tree later.
func (c *claudeChain) keep(boundary int32) {
	t := &c.d.tree
	compact := t.compacts[boundary]
	named := t.kept(compact)
	compact.records = named
	if len(compact.kept) == 0 && len(named) > 0 {
		compact.records = c.complete(named)
	}
	for _, slot := range slices.Concat(named, compact.records, t.all(compact.beside)) {
		if !slices.Contains(t.keptBy[slot], boundary) {
			t.keptBy[slot] = append(t.keptBy[slot], boundary)
		}
	}
}

// complete puts a piece of the chain in the order in which it is sent, with
// the blocks and results that belong to it. What hangs off its end came later.
func (c *claudeChain) complete(chain []int32) (sent []int32) {
	has := map[int32]bool{}
	for _, slot := range chain {
		has[slot] = true
	}
	for slot := c.d.tree.records[chain[len(chain)-1]].newest; slot != none; slot = c.d.tree.records[slot].older {
		has[slot] = true
	}
	for len(chain) > 0 {
		end := 1
		r := &c.d.tree.records[chain[0]]
		if r.kind != claudeBlock {
			sent = append(sent, chain[0])
		} else {
			for end < len(chain) && !c.closes(chain[end], r.reply) {
				end++
			}
			blocks, results := c.takeBack(chain[:end], none, has)
			sent = append(append(sent, blocks...), c.rest(chain[:end], results)...)
		}
		chain = chain[end:]
	}
	return sent
}

// putCompaction makes the list anew: the summary, what the host kept behind
// it, and nothing else. What follows on the chain is appended later.
func (c *claudeChain) putCompaction(place int32) (next int32) {
	boundary := c.slots[place]
	compact := c.d.tree.compacts[boundary]
	c.totals = claudeTotals{
		usage: c.totals.usage, model: c.totals.model, stale: true, asked: true,
		preceded: compact.before, boundary: place,
	}
	next = c.summaryEnd(place, compact.anchor)
	var list []int32
	add := func(r *claudeRecord) {
		for at := r.messages; at < r.messages+r.count; at++ {
			c.count(at)
			list = append(list, at)
		}
	}
	for _, slot := range c.slots[place+1 : next] {
		add(&c.d.tree.records[slot])
	}
	reply := int32(none)
	for _, slot := range compact.records {
		r := &c.d.tree.records[slot]
		if r.place > place {
			continue // stands behind the compaction anyway
		}
		if r.kind == claudeBlock && r.reply != reply {
			reply = r.reply
			c.totals.replies++
		}
		add(r)
	}
	c.journal.replace(list, c.d.tree.records[boundary].time)
	return next
}

// summaryEnd is the place behind the record that the kept ones follow: the
// boundary itself, or what was written right behind it, which is the summary.
func (c *claudeChain) summaryEnd(place int32, anchor string) (next int32) {
	slot := c.d.tree.at([]byte(anchor))
	for next = place + 1; c.slots[next-1] != slot && int(next) < len(c.slots); next++ {
		r := &c.d.tree.records[c.slots[next]]
		if !r.summary && r.kind != claudeLink && c.slots[next] != slot {
			break
		}
	}
	return next
}
