package kernel

import "fmt"

// afterMessage carries out what the newest message says the host did: a fold,
// or a block put back. It reports whether the message says such a thing.
func (w *runner) afterMessage() bool {
	pos := w.e.index.log.n - 1
	m := w.e.index.log.at(pos)
	if m.Type != ToolResult || m.ToolCallID == "" {
		return false
	}
	at := w.callBefore(int32(pos))
	if at < 0 {
		return false
	}
	switch call := w.e.index.log.at(int(at)); call.ToolName {
	case "compress":
		w.hostFold(int(at), call, m)
	case "decompress":
		w.hostRestore(call, m)
	default:
		return false
	}
	return true
}

// callBefore is the position of the newest call with the call id of the
// result at pos, -1 without.
func (w *runner) callBefore(pos int32) int32 {
	for p := w.e.index.slots.at(int(pos)).prev; p >= 0; p = w.e.index.slots.at(int(p)).prev {
		if w.e.index.log.at(int(p)).Type == ToolCall {
			return p
		}
	}
	return -1
}

// hostFold replays a compress call over the messages before it, if the host
// says that it folded; what the executor would have said is recorded either
// way.
func (w *runner) hostFold(at int, call, result *Message) {
	parsed, _ := ParseCall(call.Text, call.ToolCallID)
	x := w.k.execute(w.e.facts, w.e.index.lookup().before(at), parsed, nil, result.Time)
	record := FoldRecord{
		CallID: call.ToolCallID, AfterTurn: w.turns.n, Host: result.Outcome,
		Blocks: int(result.OutcomeBlocks), Offered: w.offeredOf(parsed), Verdict: x.verdict,
	}
	if result.Outcome == Succeeded {
		record.Applied = true
		w.take(x)
		if x.verdict.BlocksCreated != record.Blocks {
			w.diverge(fmt.Sprintf("call %s: the host reported %d block(s), the replay made %d", call.ToolCallID, record.Blocks, x.verdict.BlocksCreated))
		}
	}
	w.agentFold(record)
}

// hostRestore marks a block that the agent had put back.
func (w *runner) hostRestore(call, result *Message) {
	if result.Failed {
		return
	}
	id, inline, ok := parseDecompress(call.Text)
	i := -1
	if ok {
		i = w.e.find(id)
	}
	if i < 0 {
		w.diverge(fmt.Sprintf("call %s: decompress names no known block", call.ToolCallID))
		return
	}
	blocks := append([]standing(nil), w.e.blocks...)
	b := *blocks[i].Block
	if inline {
		b.RestoredInline = true
	} else {
		b.Expanded = true
		blocks[i].survived, blocks[i].since = blocks[i].survivedAt(w.e.turns), w.e.turns
		blocks[i].active = false
	}
	blocks[i].Block = &b
	w.e.blocks, w.e.moved, w.e.resync = blocks, true, true
}

// before is the list as it stood before a position.
func (l *lookup) before(cut int) *lookup {
	if cut >= l.log.Len() {
		return l
	}
	out := *l
	ids, calls := l.ids.builder(), l.calls.builder()
	for pos := l.log.Len() - 1; pos >= cut; pos-- {
		s := l.slots.At(pos)
		if s.call >= 0 {
			facts := *calls.at(int(s.call))
			facts.last = s.prev
			if int(facts.firstResult) >= cut {
				facts.firstResult = -1
			}
			calls.set(int(s.call), facts)
		}
		if s.id >= 0 {
			l.forget(&ids, s.id, cut)
		}
	}
	out.ids, out.calls = ids.list(), calls.list()
	out.log.n, out.slots.n = cut, cut
	out.rendered, out.compress = below(l.rendered, cut), below(l.compress, cut)
	if l.firstUser >= int32(cut) {
		out.firstUser = -1
	}
	out.latest = nil
	for key, positions := range l.latest {
		n := len(positions)
		for n > 0 && int(positions[n-1]) >= cut {
			n--
		}
		if n > 0 {
			if out.latest == nil {
				out.latest = map[string][]int32{}
			}
			out.latest[key] = positions[:n:n]
		}
	}
	return &out
}

// forget moves an id back to its last position before cut, if it has one.
func (l *lookup) forget(ids *listBuilder[idFacts], id int32, cut int) {
	facts := *ids.at(int(id))
	if int(facts.at) >= cut {
		facts.at = -1
		for pos := cut - 1; l.repeatedID && pos >= 0; pos-- {
			if l.slots.At(pos).id == id {
				facts.at = int32(pos)
				break
			}
		}
	}
	if int(facts.first) >= cut {
		facts.first = -1
	}
	ids.set(int(id), facts)
	if facts.base != id {
		if base := *ids.at(int(facts.base)); int(base.first) >= cut {
			base.first = -1
			ids.set(int(facts.base), base)
		}
	}
}
