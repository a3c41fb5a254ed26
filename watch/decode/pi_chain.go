package decode

import (
	"slices"
	"strconv"

	"ctxscope/kernel"
)

// piChain is the path from a root of the tree to the newest entry, and what
// it makes of the list.
type piChain struct {
	path    []int32
	context []int32          // entries in the list, in sending order
	edits   map[string]int32 // entry id → its newest edit on the path
	gone    map[string]bool  // call ids of failed replies, for oh-my-pi
	dropped map[int32]bool   // results of such calls
	waiting map[string]bool  // call ids of oh-my-pi without a result so far
	given   map[string]bool  // call ids of oh-my-pi that were still waiting at the next request: not sent
	missing map[string]bool  // parents that were looked for in vain
	walk    int32            // number of the newest walk
	read    int              // entries that were there at the last settling
	stale   bool             // what stands no longer follows from the entries: walk all of it again

	usage   Usage
	meter   Meter
	model   string // of the newest reply
	changed string // of the newest change of model
}

func newPiChain() piChain {
	return piChain{
		edits: map[string]int32{}, gone: map[string]bool{}, dropped: map[int32]bool{}, missing: map[string]bool{},
		waiting: map[string]bool{}, given: map[string]bool{},
	}
}

func (c *piChain) modelName() string {
	if c.model != "" {
		return c.model
	}
	return c.changed
}

// settle brings path, list and journal up to the entries read so far. Where
// the newest entries hang below the old end of the path this costs what they
// hold; else the path is walked anew.
func (d *pi) settle() {
	c := &d.chain
	if c.read == len(d.entries) && !c.stale {
		return
	}
	added := len(d.entries) - c.read
	tail, joined := d.walkUp(added)
	if c.stale || !joined || d.leavesCalls(tail) {
		for _, at := range c.path {
			d.entries[at].place = 0
		}
		missing, walk := c.missing, c.walk
		*c = newPiChain()
		c.missing, c.walk = missing, walk
		d.journal.restart()
		tail, _ = d.walkUp(len(d.entries))
		d.giveUpCalls(tail)
	}
	c.read, c.stale = len(d.entries), false
	for i := len(tail) - 1; i >= 0; i-- {
		d.extend(tail[i])
	}
}

// walkUp walks from the newest entry towards a root, limit entries at most,
// and gives what it met, newest first. joined says that the next one above is
// the old end of the path.
func (d *pi) walkUp(limit int) (met []int32, joined bool) {
	c := &d.chain
	c.walk++
	at := int32(len(d.entries)) - 1
	for at >= 0 && len(met) <= limit {
		if n := len(c.path); n > 0 && at == c.path[n-1] {
			return met, true
		}
		e := &d.entries[at]
		if e.seen == c.walk || e.place > 0 {
			return met, len(c.path) == 0
		}
		e.seen = c.walk
		met = append(met, at)
		if e.parent == "" {
			return met, len(c.path) == 0
		}
		parent, ok := d.byID[e.parent]
		if !ok {
			c.missing[e.parent] = true
			return met, len(c.path) == 0
		}
		at = parent
	}
	return met, false
}

// extend takes one more entry onto the path.
func (d *pi) extend(at int32) {
	c := &d.chain
	e := &d.entries[at]
	c.path = append(c.path, at)
	e.place = int32(len(c.path))
	if _, ok := d.byID[e.parent]; e.parent != "" && !ok {
		c.meter.Dangling++
	}
	switch e.kind {
	case piMessageEntry:
		if c.gone[e.callID] {
			c.dropped[at] = true
		}
		delete(c.waiting, e.callID)
		d.enter(at)
	case piReplyEntry:
		d.journal.reply(e.reply.at)
		if e.model != "" {
			c.model = e.model
		}
		if e.reply.failed && d.omp {
			for _, id := range e.reply.calls {
				c.gone[id] = id != ""
			}
		}
		c.await(e.reply)
		d.enter(at)
		if e.reply.usage.Known {
			before := c.usage.Before
			c.usage = e.reply.usage
			c.usage.Before = before
			d.journal.usage(c.usage)
		}
	case piCompaction:
		c.usage.Stale, c.usage.Before = c.usage.Known, e.before
		context := []int32{at}
		if !e.remote {
			context = append(context, d.kept(e)...)
		}
		d.rewrite(context, e.time)
	case piReset:
		c.usage.Stale = c.usage.Known
		d.rewrite(nil, e.time)
	case piEdit:
		c.usage.Stale = c.usage.Known
		c.edits[e.target] = at
		d.rewrite(c.context, e.time)
	case piNothing:
		if e.model != "" {
			c.changed = e.model
		}
	}
}

// enter puts an entry at the end of the list.
func (d *pi) enter(at int32) {
	d.chain.context = append(d.chain.context, at)
	d.meterEntry(at)
	for _, m := range d.hostMessages(at, nil) {
		d.journal.appendMessage(m)
	}
}

// rewrite makes the list that of the given entries.
func (d *pi) rewrite(context []int32, time int64) {
	c := &d.chain
	c.context = context
	c.meter = Meter{Dangling: c.meter.Dangling}
	var messages []int32
	for _, at := range context {
		d.meterEntry(at)
		messages = d.hostMessages(at, messages)
	}
	d.journal.replace(messages, time)
}

// kept is the entries that a compaction keeps: those on the path from the
// first kept one up to the compaction, older compactions left out.
func (d *pi) kept(e *piEntry) []int32 {
	first, ok := d.byID[e.target]
	if e.firstKept > 0 {
		first, ok = d.byID[linearID(int(e.firstKept))]
	}
	if !ok || d.entries[first].place == 0 {
		return nil
	}
	var kept []int32
	for _, at := range d.chain.path[d.entries[first].place-1:] {
		if k := d.entries[at].kind; k == piMessageEntry || k == piReplyEntry {
			kept = append(kept, at)
		}
	}
	return kept
}

// shape is the entry that says what an entry holds now: itself, or its newest
// edit.
func (d *pi) shape(at int32) *piEntry {
	if edit, ok := d.chain.edits[d.entries[at].id]; ok {
		return &d.entries[edit]
	}
	return &d.entries[at]
}

// hostMessages appends the messages that the host's list has for an entry.
func (d *pi) hostMessages(at int32, messages []int32) []int32 {
	e, shape := &d.entries[at], d.shape(at)
	if d.omp && (e.unsent || d.chain.dropped[at]) {
		return messages
	}
	if d.omp && shape.labelled > 0 {
		return append(messages, shape.labelled)
	}
	if d.givenUp(e) {
		return d.withoutCalls(shape, messages)
	}
	for m := shape.hosts; m < shape.hostEnd; m++ {
		messages = append(messages, m)
	}
	return messages
}

// sentParts is the parts that the host sends for an entry.
func (d *pi) sentParts(at int32) []piPart {
	if d.entries[at].unsent || d.chain.dropped[at] {
		return nil
	}
	parts := d.shape(at).parts
	if !d.givenUp(&d.entries[at]) {
		return parts
	}
	return slices.DeleteFunc(slices.Clone(parts), func(p piPart) bool {
		return p.kind == kernel.ToolCall && d.chain.given[p.callID]
	})
}

func (d *pi) meterEntry(at int32) {
	m := &d.chain.meter
	parts := d.sentParts(at)
	m.Parts += len(parts)
	for _, p := range parts {
		m.Tokens += p.tokens
		m.Images += int(p.images)
	}
	if d.entries[at].kind == piReplyEntry && len(parts) > 0 {
		m.Replies++
	}
}

// Parts lists the parts in context, in sending order.
func (d *pi) Parts() []kernel.Message {
	d.settle()
	var out []kernel.Message
	for _, at := range d.chain.context {
		shape, parts := d.shape(at), d.sentParts(at)
		for _, p := range parts {
			m := kernel.Message{
				ID: d.entries[at].id, Role: p.role, Type: p.kind, ToolName: p.tool, ToolCallID: p.callID, Tokens: p.tokens, Chars: p.chars,
				Images: p.images, Failed: p.failed, Outcome: p.answer, OutcomeBlocks: p.blocks, Time: d.entries[at].time, Source: shape.src,
			}
			if m.Source.Part = p.part; len(shape.parts) > 1 {
				m.ID += "#" + strconv.Itoa(p.place())
			}
			out = append(out, m)
		}
	}
	return out
}
