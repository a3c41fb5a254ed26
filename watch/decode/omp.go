package decode

import (
	"strconv"

	"ctxscope/kernel"
)

// What only sessions of oh-my-pi have: models for other jobs, a provider's own
// history in a compaction, and calls that are not sent for want of a result.

// mainRole reports whether a change of model is about the one that the
// conversation is with. The others do small jobs beside it.
func mainRole(role value) bool {
	return !role.isString() || role.is("") || role.is("default") || role.is("temporary")
}

// remoteHistory is the list of items that a provider gave for what it
// compacted itself. They are sent instead of the summary and of what would be
// kept.
func remoteHistory(preserved value) value {
	return preserved.get("openaiRemoteCompaction").get("replacementHistory")
}

// remoteParts makes the parts of such a list.
func remoteParts(history value) []codexPart {
	var parts []codexPart
	for rec := range history.items() {
		item, _ := readCodexItem(rec)
		parts = append(parts, item...)
	}
	return parts
}

// readRemote holds the messages of a provider's own history: each part is one.
func (d *pi) readRemote(e *piEntry, history value) {
	d.beOmp()
	e.remote = true
	e.hosts = d.journal.messages.count
	parts := remoteParts(history)
	for k := range parts {
		p := &parts[k]
		m := kernel.Message{
			ID: e.id + "-" + strconv.Itoa(k), Role: p.role, Type: p.kind, ToolName: p.tool, ToolCallID: p.call, Failed: p.failed,
		}
		if p.media {
			m.Facts |= kernel.HasMedia
		}
		if m.Type == kernel.ToolResult {
			m.ToolName = d.tools[p.call]
		} else if m.Type == kernel.ToolCall {
			d.meet(p.call, p.tool)
		}
		if m.Type == kernel.ToolResult && m.ToolName == compressTool {
			m.Outcome, m.OutcomeBlocks = outcomeOf(p.answer(), p.failed)
		}
		d.measure(&m, e, firstRemote+int32(k), p.text, p.images)
		d.journal.hold(m)
		e.parts = append(e.parts, partOf(m))
	}
	e.hostEnd = d.journal.messages.count
}

// place is the part's place in its record's list.
func (p *piPart) place() int {
	if p.part >= firstRemote {
		return int(p.part - firstRemote)
	}
	return int(firstBlock - p.part)
}

// holdAlone holds the text of a reply with calls, as it is sent when none of
// the calls is.
func (d *pi) holdAlone(e *piEntry, c piContent, echo bool) {
	text := c.text
	if echo {
		text = cutRefTags(text)
	}
	if len(text) == 0 {
		return
	}
	m := kernel.Message{ID: e.id, Role: kernel.RoleAssistant, Type: kernel.Text, Failed: e.reply != nil && e.reply.failed}
	d.measure(&m, e, textAlone, text, 0)
	e.alone = d.journal.hold(m) + 1
}

// await notes the calls of a reply, which have no result yet.
func (c *piChain) await(r *piReply) {
	if r.failed {
		return
	}
	for _, id := range r.calls {
		if id != "" {
			c.waiting[id] = true
		}
	}
}

// leavesCalls reports whether entries that come behind the path, newest first,
// change which calls were not answered when the next request was made.
func (d *pi) leavesCalls(tail []int32) bool {
	if !d.omp {
		return false
	}
	return d.walkCalls(tail, d.chain.waiting, d.chain.given)
}

// giveUpCalls finds the calls on a whole path, newest entry first, that had no
// result when the next request was made and got none later.
func (d *pi) giveUpCalls(path []int32) {
	if d.omp {
		d.walkCalls(path, map[string]bool{}, d.chain.given)
	}
}

// walkCalls follows calls and results along entries, newest first. On a walk
// from an empty path it fills given; else it only reports whether it would be
// another one.
func (d *pi) walkCalls(tail []int32, before, given map[string]bool) (changed bool) {
	whole := len(d.chain.path) == 0
	waiting := map[string]bool{}
	for id := range before {
		waiting[id] = true
	}
	for i := len(tail) - 1; i >= 0; i-- {
		e := &d.entries[tail[i]]
		switch {
		case e.callID != "":
			changed = changed || given[e.callID]
			delete(waiting, e.callID)
			if whole {
				delete(given, e.callID)
			}
		case e.kind == piReplyEntry:
			for id := range waiting {
				changed = changed || !given[id]
				if whole {
					given[id] = true
				}
			}
			if !e.reply.failed {
				for _, id := range e.reply.calls {
					waiting[id] = id != ""
				}
				delete(waiting, "")
			}
		}
	}
	return changed
}

// givenUp reports whether calls of a reply are not sent.
func (d *pi) givenUp(e *piEntry) bool {
	if !d.omp || e.reply == nil {
		return false
	}
	for _, id := range e.reply.calls {
		if d.chain.given[id] {
			return true
		}
	}
	return false
}

// withoutCalls appends what the host's list has for a reply some of whose calls
// are not sent: the others, or its text where there are none.
func (d *pi) withoutCalls(e *piEntry, messages []int32) []int32 {
	n := len(messages)
	for m := e.hosts; m < e.hostEnd; m++ {
		if !d.chain.given[d.journal.messages.at(m).ToolCallID] {
			messages = append(messages, m)
		}
	}
	if len(messages) == n && e.alone > 0 {
		messages = append(messages, e.alone-1)
	}
	return messages
}
