package hoststate

import (
	"maps"

	"ctxscope/kernel"
)

// In is the host's kernel state with the ids of a log in place of the host's
// own, as far as the host's can be matched: a host that names messages by
// hashes has other ids than the transcript. For other hosts it is the state as
// it stands.
func (s State) In(log kernel.List[kernel.Message]) kernel.State {
	to := s.match(log)
	if len(to) == 0 {
		return s.Kernel
	}
	name := func(id string) string {
		if other, ok := to[id]; ok {
			return other
		}
		return id
	}
	out := fields{}
	maps.Copy(out, s.fields)
	blocks := s.Kernel.Blocks()
	for i := range blocks {
		for _, ids := range []*[]string{&blocks[i].DirectMessageIDs, &blocks[i].EffectiveMessageIDs} {
			named := make([]string, len(*ids))
			for k, id := range *ids {
				named[k] = name(id)
			}
			*ids = named
		}
	}
	out.put("blocks", blocks)
	byRaw, byRef := map[string]string{}, map[string]string{}
	for id, ref := range get[map[string]string](s.fields.object("messageRefs"), "byRaw") {
		byRaw[name(id)] = ref
	}
	for ref, id := range get[map[string]string](s.fields.object("messageRefs"), "byRef") {
		byRef[ref] = name(id)
	}
	out.put("messageRefs", map[string]any{"byRaw": byRaw, "byRef": byRef})
	state, err := out.state()
	if err != nil { // the fields were sound before
		return s.Kernel
	}
	return state
}

// match finds for ids of the host the messages of a log that they mean. Where
// the host's ids are hashes of what it sent, calls and results are known by
// their call id; texts in between by who says them and how long they are, in
// the order in which they stand.
func (s State) match(log kernel.List[kernel.Message]) map[string]string {
	to := map[string]string{}
	if len(s.Messages) == 0 {
		return to
	}
	here := map[string]bool{}
	calls := map[callKey]int{}
	for i := range log.Len() {
		m := log.At(i)
		here[m.ID] = true
		if m.ToolCallID != "" {
			calls[callKey{m.ToolCallID, m.Type}] = i
		}
	}
	next, limits := 0, s.limits(log.Len(), calls)
	for i, m := range s.Messages {
		at, ok := calls[callKey{m.ToolCallID, m.Type}]
		switch {
		case here[m.ID]:
			continue
		case m.ToolCallID != "" && ok:
		case m.ToolCallID == "":
			at, ok = find(log, next, limits[i], m)
		}
		if ok {
			to[m.ID] = log.At(at).ID
			next = max(next, at+1)
		}
	}
	return to
}

type callKey struct {
	id   string
	kind kernel.ContentType
}

// limits are the places in the log before which the messages of the host must
// stand: each before the next call or result that is known.
func (s State) limits(end int, calls map[callKey]int) []int {
	out := make([]int, len(s.Messages))
	for i := len(s.Messages) - 1; i >= 0; i-- {
		out[i] = end
		if m := &s.Messages[i]; m.ToolCallID != "" {
			if at, ok := calls[callKey{m.ToolCallID, m.Type}]; ok {
				end = at
			}
		}
	}
	return out
}

// find finds a text in a part of the log.
func find(log kernel.List[kernel.Message], from, to int, m kernel.Message) (int, bool) {
	for i := from; i < to; i++ {
		if o := log.At(i); o.Role == m.Role && o.Type == m.Type && o.Chars == m.Chars && o.Tokens == m.Tokens {
			return i, true
		}
	}
	return 0, false
}
