package decode

import (
	"slices"

	"ctxscope/kernel"
)

// openChain is what the messages, in their order, make of the list.
type openChain struct {
	context []*openMessage // in sending order
	usage   Usage
	meter   Meter
	model   string  // of the newest message that has one
	freed   []int32 // places that the journal needs no more after this settling
}

// settle brings list and journal up to what was put and arranged last.
func (d *Opencode) settle() {
	if !d.stale {
		return
	}
	d.stale = false
	c := &d.chain
	*c = openChain{freed: c.freed}
	d.journal.restart()
	there := d.reached()
	for i, m := range there {
		d.hold(m)
		d.extend(there, i)
	}
	c.meter.OffBranch = len(d.order) - len(there)
	for _, m := range c.context {
		m.count(&c.meter)
	}
	// Steps that were not pushed again are gone now, and with them the last that
	// points at a freed place.
	d.journal.settle()
	d.free = append(d.free, c.freed...)
	c.freed = nil
}

// reached is the messages up to where the session was set back to.
func (d *Opencode) reached() []*openMessage {
	for i, m := range d.order {
		if m.id != d.info.revert || m.id == "" {
			continue
		}
		if d.info.revertPart != "" && len(m.sent) > 0 {
			i++
		}
		return d.order[:i]
	}
	return d.order
}

// hold puts what a message is in the log into the journal. Places that steps
// point at, or did before this settling, are not written.
func (d *Opencode) hold(m *openMessage) {
	if !m.next {
		return
	}
	d.chain.freed = append(d.chain.freed, m.held...)
	m.next, m.held = false, nil
	for _, message := range m.log {
		if n := len(d.free); n > 0 {
			at := d.free[n-1]
			d.free = d.free[:n-1]
			*d.journal.messages.at(at) = message
			m.held = append(m.held, at)
			continue
		}
		m.held = append(m.held, d.journal.hold(message))
	}
	if h := m.head; h.role == kernel.RoleAssistant && (m.reply == 0 || d.journal.replies[m.reply].time != h.created) {
		m.reply = d.journal.holdReply(m.id, h.created)
	}
}

// extend takes message i on.
func (d *Opencode) extend(there []*openMessage, i int) {
	c, m := &d.chain, there[i]
	if m.head.model != "" && !m.head.summary {
		c.model = m.head.model
	}
	if request := compactionOf(there[:i], m); request >= 0 {
		d.compact(there, request, i)
		return
	}
	// The summary is asked for by an agent of its own: that is no turn.
	reply := m.head.role == kernel.RoleAssistant && !m.head.summary && len(m.log) > 0
	if reply {
		d.journal.reply(m.reply)
	}
	c.context = append(c.context, m)
	for _, at := range m.held {
		d.journal.appendMessage(at)
	}
	if reply && m.head.usage.Known {
		c.usage = m.head.usage
		d.journal.usage(c.usage)
	}
}

// compactionOf is the place of the request that m completes as its summary, -1
// when it does not.
func compactionOf(before []*openMessage, m *openMessage) int {
	if !m.head.summary || !m.head.finished || m.head.failed {
		return -1
	}
	return slices.IndexFunc(before, func(o *openMessage) bool { return o.id == m.head.parent && o.head.compacts })
}

// compact makes the list that of a compaction: the request and its summary,
// then the messages that stay, then what was said since the request.
func (d *Opencode) compact(there []*openMessage, request, summary int) {
	c := &d.chain
	list := []*openMessage{there[request], there[summary]}
	start := there[request].head.tailStart
	tail := slices.IndexFunc(there[:request], func(m *openMessage) bool { return m.id == start && start != "" })
	if tail >= 0 {
		list = append(list, there[tail:request]...)
	}
	c.context = append(list, there[request+1:summary]...)
	c.usage.Stale = c.usage.Known
	var held []int32
	for _, m := range c.context {
		held = append(held, m.held...)
	}
	d.journal.replace(held, there[summary].head.created)
}

// count adds what of a message is in context.
func (m *openMessage) count(to *Meter) {
	to.Parts += len(m.sent)
	to.Unknown += m.unknown
	if m.head.role == kernel.RoleAssistant && len(m.sent) > 0 {
		to.Replies++
	}
	for _, p := range m.sent {
		to.Tokens += p.Tokens
		to.Images += int(p.Images)
	}
	to.Cleared = append(to.Cleared, m.cleared...)
}
