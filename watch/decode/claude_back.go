package decode

import (
	"cmp"
	"slices"

	"ctxscope/kernel"
)

// back gathers what belongs to one reply and is not on its piece of the
// chain.
type back struct {
	c       *claudeChain
	reply   int32
	has     map[int32]bool // what is not to be taken; nil means what is on the chain or taken already
	blocks  []int32        // of the reply, those on the chain too
	results []int32        // taken back
	found   []int32        // results that may be taken back
}

// takeBack finds the records that belong to a reply but are not on its piece
// of the chain. A record is taken back when its parent is on the piece, or was
// taken back, and it is a block of the same reply, or the result of a call
// that has none yet. The record before the reply may be the parent of a
// block. It gives all blocks, and the results that were taken back, both in
// file order. has, where it is given, stands for what is taken already.
func (c *claudeChain) takeBack(piece []int32, before int32, has map[int32]bool) (blocks, results []int32) {
	if c.calls == nil {
		c.calls = map[string]bool{}
	}
	clear(c.calls)
	b := back{c: c, reply: c.d.tree.records[piece[0]].reply, has: has}
	for _, slot := range piece {
		if c.d.tree.records[slot].kind == claudeBlock {
			b.blocks = append(b.blocks, slot)
		}
		c.noteCalls(slot)
	}
	seen := len(b.blocks)
	if before != none {
		b.below(before)
		b.found = nil // a result that hangs in front of the reply is not one of its own
	}
	for _, slot := range piece {
		b.below(slot)
	}
	for seen < len(b.blocks) || len(b.found) > 0 {
		open := slices.Clone(b.blocks[seen:])
		seen = len(b.blocks)
		open = append(open, b.answers()...)
		for _, slot := range open {
			b.below(slot)
		}
	}
	c.sort(b.blocks)
	c.sort(b.results)
	return b.blocks, b.results
}

// below looks at what hangs off a record and is neither on the chain nor
// taken back yet. Blocks of the reply are taken at once.
func (b *back) below(parent int32) {
	records := b.c.d.tree.records
	for slot := records[parent].newest; slot != none; slot = records[slot].older {
		r := &records[slot]
		switch {
		case b.has[slot], b.has == nil && (r.place != none || r.home != none):
		case r.kind == claudeBlock && r.reply == b.reply:
			b.blocks = append(b.blocks, slot)
			b.take(slot)
		case r.kind == claudeResult:
			b.found = append(b.found, slot)
		}
	}
}

// answers takes those of the found results whose call has none yet, the first
// in the file for each.
func (b *back) answers() []int32 {
	first := len(b.results)
	b.c.sort(b.found)
	for _, slot := range b.found {
		r := &b.c.d.tree.records[slot]
		for i := range int(r.count) {
			m := b.c.d.held(r, i)
			if m.Type == kernel.ToolResult && b.c.calls[m.ToolCallID] {
				b.results = append(b.results, slot)
				b.take(slot)
				break
			}
		}
	}
	b.found = nil
	return b.results[first:]
}

func (b *back) take(slot int32) {
	b.c.noteCalls(slot)
	if b.has != nil {
		b.has[slot] = true
		return
	}
	b.c.d.tree.records[slot].home = b.c.units[len(b.c.units)-1].start
	b.c.taken = append(b.c.taken, slot)
}

// noteCalls notes the calls of a record as open and those that it has the
// results of as answered.
func (c *claudeChain) noteCalls(slot int32) {
	r := &c.d.tree.records[slot]
	for i := range int(r.count) {
		m := c.d.held(r, i)
		switch m.Type {
		case kernel.ToolCall:
			if _, known := c.calls[m.ToolCallID]; !known {
				c.calls[m.ToolCallID] = true
			}
		case kernel.ToolResult:
			c.calls[m.ToolCallID] = false
		}
	}
}

// sort puts records in file order.
func (c *claudeChain) sort(slots []int32) {
	slices.SortFunc(slots, func(a, b int32) int { return cmp.Compare(c.order(a), c.order(b)) })
}

func (c *claudeChain) order(slot int32) int32 { return c.d.tree.records[slot].order }
