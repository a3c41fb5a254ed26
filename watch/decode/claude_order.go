package decode

import "slices"

// put makes the entries of the unit that starts at a place, and gives the
// place behind it.
func (c *claudeChain) put(place int32) (next int32) {
	slot := c.slots[place]
	r := &c.d.tree.records[slot]
	switch r.kind {
	case claudeBoundary:
		return c.putCompaction(place)
	case claudeBlock:
		end := place + 1
		for int(end) < len(c.slots) && !c.closes(c.slots[end], r.reply) {
			end++
		}
		before := int32(none)
		if place > 0 {
			before = c.slots[place-1]
		}
		c.units[len(c.units)-1].reply = r.reply
		if reply := &c.d.replies[r.reply]; reply.start == none {
			reply.start = place
		}
		c.putReply(c.slots[place:end], before, nil)
		return end
	case claudeError:
		// A request needs something to ask. An error right behind a reply is
		// what the host says of that reply (it was cut off at its limit), or
		// one more line on a request that was counted already.
		if c.totals.asked {
			c.journal.reply(c.d.replies[r.reply].held)
			c.totals.asked = false
		}
		return place + 1
	}
	c.putMessages(slot, nil)
	c.totals.asked = c.totals.asked || r.count > 0 && r.kind != claudeHostReply
	return place + 1
}

// closes reports whether a record ends the piece of the chain that belongs to
// a reply.
func (c *claudeChain) closes(slot, reply int32) bool {
	switch r := &c.d.tree.records[slot]; r.kind {
	case claudeBlock:
		return r.reply != reply
	case claudePrompt, claudeHostReply, claudeError, claudeBoundary:
		return true
	}
	return false
}

// claudeList gathers what a compaction leaves, instead of entries.
type claudeList struct {
	messages []int32
	has      map[int32]bool // the records that were kept
}

// putMessages adds the messages of a record to the list, or to the end of the
// journal.
func (c *claudeChain) putMessages(slot int32, list *claudeList) {
	r := &c.d.tree.records[slot]
	for at := r.messages; at < r.messages+r.count; at++ {
		m := &c.journal.messages[at]
		c.totals.parts++
		c.totals.tokens += m.Tokens
		c.totals.images += int32(m.Images)
		if list != nil {
			list.messages = append(list.messages, at)
		} else {
			c.journal.appendMessage(at)
		}
	}
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
	list := &claudeList{has: map[int32]bool{}}
	next = c.summaryEnd(place, compact.anchor)
	for _, slot := range c.slots[place+1 : next] {
		c.putMessages(slot, list)
	}
	kept := slices.DeleteFunc(c.d.tree.kept(boundary), func(slot int32) bool {
		return c.d.tree.records[slot].place > place // stands behind the compaction anyway
	})
	for _, slot := range kept {
		list.has[slot] = true
	}
	for len(kept) > 0 {
		end := 1
		if r := &c.d.tree.records[kept[0]]; r.kind != claudeBlock {
			c.putMessages(kept[0], list)
		} else {
			for end < len(kept) && !c.closes(kept[end], r.reply) {
				end++
			}
			c.putReply(kept[:end], none, list)
		}
		kept = kept[end:]
	}
	c.journal.replace(list.messages, c.d.tree.records[boundary].time)
	return next
}

// summaryEnd is the place behind the record that the kept ones follow; where
// none is named or it stands elsewhere, behind the summary.
func (c *claudeChain) summaryEnd(place int32, anchor string) int32 {
	if slot := c.d.tree.at([]byte(anchor)); slot != none {
		if at := c.d.tree.records[slot].place; at >= place && !slices.ContainsFunc(c.slots[place+1:at+1], c.replied) {
			return at + 1
		}
	}
	next := place + 1
	for int(next) < len(c.slots) && c.d.tree.records[c.slots[next]].summary {
		next++
	}
	return next
}

func (c *claudeChain) replied(slot int32) bool {
	kind := c.d.tree.records[slot].kind
	return kind == claudeBlock || kind == claudeError || kind == claudeBoundary
}

// putReply puts a reply, that is all of its blocks, and then the rest of its
// piece of the chain: its results and what stands between them. Blocks and
// results that parallel calls left beside the chain are taken back; before is
// the record in front of the reply. With a list the reply is one that a
// compaction kept: its messages only.
func (c *claudeChain) putReply(piece []int32, before int32, list *claudeList) {
	blocks, results := c.takeBack(piece, before, list)
	reply := &c.d.replies[c.d.tree.records[piece[0]].reply]
	c.totals.replies++
	if list == nil {
		c.journal.reply(reply.held)
	}
	for _, slot := range blocks {
		c.putMessages(slot, list)
	}
	if list == nil {
		at := c.d.tree.records[piece[0]].reply
		if reply.model != "" {
			c.totals.model = at
		}
		if used := reply.usage.total(); used > 0 {
			c.journal.usage(used)
			c.totals.usage, c.totals.stale = at, false
		}
		c.totals.asked = false
	}
	for _, slot := range piece {
		r := &c.d.tree.records[slot]
		if r.kind == claudeBlock || r.count == 0 {
			continue
		}
		for len(results) > 0 && (r.kind != claudeResult || c.order(results[0]) < r.order) {
			c.putMessages(results[0], list)
			results = results[1:]
		}
		c.putMessages(slot, list)
		c.totals.asked = true
	}
	for _, slot := range results {
		c.putMessages(slot, list)
		c.totals.asked = true
	}
}
