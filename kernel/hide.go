package kernel

import "slices"

const orphansKept = 2 // newest compress calls without a block that stay visible

// hiding is what becomes of compress calls in what is sent.
type hiding struct {
	parts     int                // compress calls and results seen when it was made
	calls     map[int32]bool     // call numbers whose compress calls and results are hidden
	rewritten map[int32]*Message // kept calls as they are shown, by log position; nil: as written
	refs      []string           // of hidden orphans, in list order
}

// hides reports whether a message is a hidden compress call or its result.
func (h *hiding) hides(l *lookup, s *slot, pos int32) bool {
	if s.marks&markCompress != 0 {
		return s.call < 0 || h.calls[s.call]
	}
	return s.call >= 0 && h.calls[s.call] && l.log.At(int(pos)).Type == ToolResult
}

// hide decides which compress calls stay: those of active blocks and the
// newest of those that no block knows. It gives the first log position whose
// answer changed, or the length of the log.
func (f *flow) hide(l *lookup, blocks []standing) int {
	old := f.hidden
	now := hiding{parts: l.compressParts, calls: map[int32]bool{}, rewritten: map[int32]*Message{}}
	known, live := callsOfBlocks(blocks)
	var orphans []int32
	for i := range l.compress.Len() {
		pos := *l.compress.At(i)
		m, s := l.log.At(int(pos)), l.slots.At(int(pos))
		switch {
		case !f.walked(l, pos):
		case s.call < 0 || !known[m.ToolCallID]:
			orphans = append(orphans, pos)
		case live[m.ToolCallID]:
			f.rewrite(&now, old, l, pos, blocks)
		default:
			now.calls[s.call] = true
		}
	}
	f.hideOrphans(&now, old, l, orphans)
	f.hidden = now
	return firstDifference(l, old.calls, now.calls)
}

// hideOrphans hides calls that no block knows, except those that carry the
// call id of one of the newest.
func (f *flow) hideOrphans(now *hiding, old hiding, l *lookup, orphans []int32) {
	kept := map[int32]bool{}
	for _, pos := range orphans[max(0, len(orphans)-orphansKept):] {
		kept[l.slots.At(int(pos)).call] = true
	}
	delete(kept, -1)
	var positions []int32
	for _, pos := range orphans {
		call := l.slots.At(int(pos)).call
		if kept[call] {
			f.rewrite(now, old, l, pos, nil)
			continue
		}
		positions = append(positions, pos)
		if call < 0 || now.calls[call] {
			continue
		}
		now.calls[call] = true
		for p := l.calls.At(int(call)).last; p >= 0; p = l.slots.At(int(p)).prev {
			if l.log.At(int(p)).Type == ToolResult && f.walked(l, p) {
				positions = append(positions, p)
			}
		}
	}
	slices.Sort(positions)
	now.refs = []string{}
	for _, pos := range positions {
		if ref := l.ref(int(pos)); ref > 0 && !slices.Contains(now.refs, formatRef(ref)) {
			now.refs = append(now.refs, formatRef(ref))
		}
	}
}

// rewrite shortens a call that stays. Blocks are those that may know it.
func (f *flow) rewrite(now *hiding, old hiding, l *lookup, pos int32, blocks []standing) {
	if m, ok := old.rewritten[pos]; ok {
		now.rewritten[pos] = m
		return
	}
	m := *l.log.At(int(pos))
	text, changed := rewriteCall(m.Text, liveKeys(m.ToolCallID, blocks))
	if !changed {
		now.rewritten[pos] = nil
		return
	}
	m.Measure(text, f.k.count)
	m.Text = text
	now.rewritten[pos] = &m
}

// liveKeys tells the entries of a call that made blocks which are still
// active; nil when there are none or one of them does not say its refs.
func liveKeys(call string, blocks []standing) func(string) bool {
	keys := map[string]bool{}
	for i := range blocks {
		b := &blocks[i]
		if !b.active || b.CompressCallID != call {
			continue
		}
		if b.StartRef == "" || b.EndRef == "" {
			return nil
		}
		keys[b.StartRef+"::"+b.EndRef] = true
	}
	if len(keys) == 0 {
		return nil
	}
	return func(key string) bool { return keys[key] }
}

// callsOfBlocks are the call ids that blocks were made by, and those of
// active blocks.
func callsOfBlocks(blocks []standing) (known, live map[string]bool) {
	known, live = map[string]bool{}, map[string]bool{}
	for i := range blocks {
		if id := blocks[i].CompressCallID; id != "" {
			known[id] = true
			live[id] = live[id] || blocks[i].active
		}
	}
	return known, live
}

// firstDifference is the first log position of a call that is in one set
// only, or the length of the log.
func firstDifference(l *lookup, a, b map[int32]bool) int {
	first := l.log.Len()
	for _, pair := range [2][2]map[int32]bool{{a, b}, {b, a}} {
		for call := range pair[0] {
			if pair[1][call] {
				continue
			}
			for p := l.calls.At(int(call)).last; p >= 0; p = l.slots.At(int(p)).prev {
				first = min(first, int(p))
			}
		}
	}
	return first
}
