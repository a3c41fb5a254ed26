package doctor

import (
	"cmp"
	"strings"

	"ctxscope/kernel"
)

// droppedBlocks finds turns before which blocks left together with what they
// stood for.
func droppedBlocks(h *history) []Finding {
	f := found(CompactionDropped, "")
	for i := range h.turns {
		t := &h.turns[i]
		if len(t.Gone) == 0 {
			continue
		}
		f.Turns, f.Refs = append(f.Turns, t.Number), append(f.Refs, t.Gone...)
		how := "their messages left the list"
		if t.Compaction {
			how = "the host rewrote its list"
		}
		f.detail("Before turn %d %s: %s dropped.", t.Number, how, strings.Join(t.Gone, ", "))
	}
	if len(f.Turns) == 0 {
		return nil
	}
	f.What = "The context lost " + plural(len(f.Refs), "block") + " together with the messages that were folded."
	return []Finding{f}
}

// orphans finds results without their call, and calls without a result that
// the session went on from. A compress call may stand alone.
func orphans(h *history) []Finding {
	f := found(Orphans, "")
	log := h.run.Log()
	calls, results := map[string]bool{}, map[string]bool{}
	settled := 0 // where the newest reply begins: calls before it have had their time
	for i := range log.Len() {
		m := log.At(i)
		switch {
		case m.Type == kernel.ToolCall:
			calls[m.ToolCallID] = true
		case m.Type == kernel.ToolResult:
			results[m.ToolCallID] = true
		}
		if m.Role == kernel.RoleAssistant && i > 0 && log.At(i-1).Role != kernel.RoleAssistant {
			settled = i
		}
	}
	lone, open := 0, 0
	for i := range log.Len() {
		m := log.At(i)
		switch {
		case m.ToolCallID == "" || m.ToolName == "compress" || m.Failed && m.Type == kernel.ToolCall:
			continue
		case m.Type == kernel.ToolResult && !calls[m.ToolCallID]:
			lone++
			f.detail("%s is a result without its call.", cmp.Or(h.run.Ref(i), m.ID))
		case m.Type == kernel.ToolCall && !results[m.ToolCallID] && i < settled:
			open++
			f.detail("%s is a call of %s without a result.", cmp.Or(h.run.Ref(i), m.ID), cmp.Or(m.ToolName, "a tool"))
		default:
			continue
		}
		f.Refs, f.Calls = append(f.Refs, cmp.Or(h.run.Ref(i), m.ID)), append(f.Calls, m.ToolCallID)
	}
	if lone+open == 0 {
		return nil
	}
	var kinds []string
	if lone > 0 {
		kinds = append(kinds, plural(lone, "result")+" without a call")
	}
	if open > 0 {
		kinds = append(kinds, plural(open, "call")+" without a result")
	}
	f.What = "In the list there are " + strings.Join(kinds, " and ") + "."
	return []Finding{f}
}
