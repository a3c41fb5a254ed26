package decode

import (
	"cmp"

	"ctxscope/kernel"
)

// claudeReply is what is known of one reply.
type claudeReply struct {
	held  int32 // as the journal holds it
	usage Usage
	model string
	start int32 // place on the chain of its first block, or none
}

// claudeNameless is a result whose call was not read yet, with what it says
// should the call turn out to be a compress call.
type claudeNameless struct {
	slot, part int32
	outcome    kernel.Outcome
	blocks     uint16
}

// reply finds the reply that a record belongs to and takes over what the
// record says of it: of the usages that the records of one reply report, the
// last one in the file counts.
func (d *claude) reply(f *claudeFields, r *claudeRecord, uuid string, slot int32, again bool) int32 {
	if r.kind != claudeBlock && r.kind != claudeError && r.kind != claudeHostReply {
		return none
	}
	name := f.message.get("id")
	if r.kind != claudeBlock {
		if old := d.tree.records; again && old[slot].kind == r.kind {
			return old[slot].reply
		}
		return d.newReply(cmp.Or(name.str(), uuid), r.time)
	}
	at, known := d.byID[string(name.text())]
	if len(name.quoted()) == 0 {
		at, known = d.byID[uuid]
	}
	if !known {
		id := cmp.Or(name.str(), uuid)
		at = d.newReply(id, r.time)
		d.byID[id] = at
	}
	d.learn(at, f)
	return at
}

// learn takes over the usage and the model that a record names for its reply.
// The record may stand beside the path and the reply on it.
func (d *claude) learn(at int32, f *claudeFields) {
	reply := &d.replies[at]
	usage, model := claudeWire.usage(f.message.get("usage")), f.message.get("model")
	news := usage.Known && usage != reply.usage
	if news {
		reply.usage = usage
	}
	if len(model.quoted()) > 0 && string(model.quoted()) != reply.model {
		news = news || reply.model == ""
		reply.model = model.str()
		if at > 0 && d.replies[at-1].model == reply.model {
			reply.model = d.replies[at-1].model // one copy for all
		}
	}
	if news && reply.start != none {
		d.chain.stain(reply.start)
	}
}

func (d *claude) newReply(id string, time int64) int32 {
	d.replies = append(d.replies, claudeReply{held: d.chain.journal.holdReply(id, time), start: none})
	return int32(len(d.replies) - 1)
}

// nameTools gives the calls and results of a record the names of their tools, as
// far as they are known by now.
func (d *claude) nameTools(read *claudeRead) {
	for i := range read.messages {
		switch m := &read.messages[i]; m.Type {
		case kernel.ToolCall:
			m.ToolName = d.one(m.ToolName)
			d.tools[m.ToolCallID] = m.ToolName
		case kernel.ToolResult:
			m.ToolName = d.tools[m.ToolCallID]
			if m.ToolName == compressTool {
				m.Outcome, m.OutcomeBlocks = outcomeOf(read.text(i), m.Failed)
			}
		}
	}
}

// one gives one copy of a tool name for all its calls.
func (d *claude) one(name string) string {
	if known, ok := d.names[name]; ok {
		return known
	}
	d.names[name] = name
	return name
}

func (d *claude) hold(messages []kernel.Message) int32 {
	first := d.chain.journal.messages.count
	for i := range messages {
		d.chain.journal.hold(messages[i])
	}
	return first
}

// sameMessages reports whether a record that was written again says the same.
func (d *claude) sameMessages(old *claudeRecord, messages []kernel.Message) bool {
	if int(old.count) != len(messages) {
		return false
	}
	for i, now := range messages {
		was := d.held(old, i)
		if now.Source = was.Source; now != *was {
			return false
		}
	}
	return true
}

// held is one of the messages of a record.
func (d *claude) held(r *claudeRecord, i int) *kernel.Message {
	return d.chain.journal.messages.at(r.messages + int32(i))
}

// pair brings calls and results together, whichever was written first.
func (d *claude) pair(slot int32, read *claudeRead) {
	for i := range read.messages {
		m := &read.messages[i]
		switch {
		case m.ToolCallID == "":
		case m.Type == kernel.ToolCall:
			d.nameResults(m.ToolCallID, m.ToolName)
		case m.Type == kernel.ToolResult && m.ToolName == "":
			outcome, blocks := outcomeOf(read.text(i), m.Failed)
			d.nameless[m.ToolCallID] = append(d.nameless[m.ToolCallID], claudeNameless{slot, int32(i), outcome, blocks})
		}
	}
}

// nameResults tells the results that were written before their call which
// tool they come from.
func (d *claude) nameResults(call, tool string) {
	for _, n := range d.nameless[call] {
		r := &d.tree.records[n.slot]
		if n.part >= r.count || d.held(r, int(n.part)).ToolCallID != call {
			continue // the record was written again with something else
		}
		messages := make([]kernel.Message, r.count)
		for i := range messages {
			messages[i] = *d.held(r, i)
		}
		m := &messages[n.part]
		m.ToolName = tool
		if tool == compressTool {
			m.Outcome, m.OutcomeBlocks = n.outcome, n.blocks
		}
		r.messages = d.hold(messages)
		d.chain.stainRecord(n.slot)
	}
	delete(d.nameless, call)
}
