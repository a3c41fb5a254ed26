package decode

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
		c.putReply(c.slots[place:end], before)
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
	c.putMessages(slot)
	c.totals.asked = c.totals.asked || r.count > 0 && r.kind != claudeHostReply
	for next = place + 1; int(next) < len(c.slots) && c.d.tree.records[c.slots[next]].kind == claudeLink; {
		next++
	}
	return next
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

// putMessages puts the messages of a record at the end of the journal.
func (c *claudeChain) putMessages(slot int32) {
	r := &c.d.tree.records[slot]
	for at := r.messages; at < r.messages+r.count; at++ {
		c.count(at)
		c.journal.appendMessage(at)
	}
}

func (c *claudeChain) count(at int32) {
	m := c.journal.messages.at(at)
	c.totals.parts++
	c.totals.tokens += m.Tokens
	c.totals.images += int32(m.Images)
}

// putReply puts a reply, that is all of its blocks, and then the rest of its
// piece of the chain. before is the record in front of the reply.
func (c *claudeChain) putReply(piece []int32, before int32) {
	blocks, results := c.takeBack(piece, before, nil)
	at := c.d.tree.records[piece[0]].reply
	reply := &c.d.replies[at]
	c.totals.replies++
	c.totals.asked = false
	c.journal.reply(reply.held)
	for _, slot := range blocks {
		c.putMessages(slot)
	}
	if reply.model != "" {
		c.totals.model = at
	}
	if reply.usage.Known {
		c.journal.usage(reply.usage)
		c.totals.usage, c.totals.stale = at, false
	}
	for _, slot := range c.rest(piece, results) {
		c.putMessages(slot)
		c.totals.asked = true
	}
}

// rest is what follows the blocks of a reply on its piece of the chain: its
// results, those that were taken back among them in file order, and what
// stands between them. Records that are not sent are left out.
func (c *claudeChain) rest(piece, results []int32) []int32 {
	var rest []int32
	for _, slot := range piece {
		r := &c.d.tree.records[slot]
		if r.kind == claudeBlock || r.count == 0 {
			continue
		}
		for len(results) > 0 && (r.kind != claudeResult || c.order(results[0]) < r.order) {
			rest, results = append(rest, results[0]), results[1:]
		}
		rest = append(rest, slot)
	}
	return append(rest, results...)
}
