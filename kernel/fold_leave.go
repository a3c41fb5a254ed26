package kernel

import (
	"fmt"
	"slices"
	"strings"
)

// leave takes ids out of the fold; they stay visible.
func (f *folding) leave(gone map[int32]bool) {
	f.fresh.removeAll(gone)
	f.effective.removeAll(gone)
}

// leaveProtected leaves media and protected tools out, and the results that
// belong to them.
func (f *folding) leaveProtected() {
	gone, calls := map[int32]bool{}, map[int32]bool{}
	media := 0
	for _, id := range f.fresh.order {
		m, s := f.message(id), f.slot(id)
		isMedia := m.Has(HasMedia)
		if !isMedia && s.marks&markProtected == 0 && !f.l.isLatest(s, m, f.latest) {
			continue
		}
		if isMedia {
			media++
		}
		gone[id] = true
		if s.call >= 0 {
			calls[s.call] = true
		}
	}
	for _, id := range f.fresh.order {
		s := f.slot(id)
		if f.message(id).Type == ToolResult && s.call >= 0 && (calls[s.call] || f.protectedCall(s)) {
			gone[id] = true
		}
	}
	f.leave(gone)
	if media > 0 {
		f.warnf("Excluded %d message(s) carrying image/attachment payload(s) from compression range — their bytes are unrecoverable once folded (billion-context#1188); enable stripImages to release old ones.", media)
	}
}

// protectedCall reports whether a protected part anywhere in the list has the
// slot's call id.
func (f *folding) protectedCall(s *slot) bool {
	if f.l.calls.At(int(s.call)).protectedPart {
		return true
	}
	for pos := range f.latest {
		if f.l.slots.At(int(pos)).call == s.call {
			return true
		}
	}
	return false
}

// leaveRecent carves the recent zone out.
func (f *folding) leaveRecent() {
	gone := map[int32]bool{}
	var refs []string
	for _, id := range f.fresh.order {
		if ref := f.l.ids.At(int(id)).ref; ref > 0 && f.zone[ref] {
			gone[id] = true
			refs = append(refs, formatRef(ref))
		}
	}
	if len(gone) == 0 {
		return
	}
	f.leave(gone)
	if len(f.fresh.order) == 0 && len(f.consumes) == 0 {
		f.fail("protected-only", fmt.Sprintf("Range is entirely within the protected zone (the last %d messages and/or the most recent user message): %s. Adjust startId/endId to older messages.",
			f.k.config.PreserveRecentMessages, strings.Join(refs, ", ")))
		return
	}
	f.warnf("Excluded %d protected message(s) %s from compression range (recent/last-user zone) — they stay visible outside the new block; do not target them in another compress call.",
		len(gone), strings.Join(refs, ", "))
}

// keepTurns withdraws what would split a turn.
func (f *folding) keepTurns() {
	if f.failed != "" {
		return
	}
	from, to := f.l.log.Len(), 0
	for _, id := range f.effective.order {
		if at := int(f.l.ids.At(int(id)).at); at >= 0 {
			from, to = min(from, at), max(to, at+1)
		}
	}
	if to == 0 {
		return
	}
	from, to = f.l.settledSpan(from, to)
	folded := make([]bool, to-from)
	for i := range folded {
		folded[i] = f.effective.in[f.l.slots.At(from+i).id]
	}
	before := slices.Clone(folded)
	turns, pairs := withdraw(logSequence{f.l}, from, to, folded)
	if turns+pairs == 0 {
		return
	}
	gone := map[int32]bool{}
	for i := range folded {
		if before[i] && !folded[i] {
			gone[f.l.slots.At(from+i).id] = true
		}
	}
	lost := len(f.fresh.order)
	f.leave(gone)
	lost -= len(f.fresh.order)
	what := splitWords(turns, pairs)
	if len(f.fresh.order) == 0 && len(f.consumes) == 0 {
		f.fail("splits-turn", fmt.Sprintf("Range would split %s at the protected-zone boundary: a visible tool-call must keep its reasoning run and its results (strict providers reject a rebuilt request that lost either). Shrink the range to end before the turn starts, or wait until the whole turn ages out of the protected zone.", what))
		return
	}
	f.warnf("Withdrawn %d message(s) from compression range to keep %s intact (visible tool-call would lose its reasoning run or its results).", lost, what)
}

func splitWords(turns, pairs int) string {
	var words []string
	if turns > 0 {
		words = append(words, fmt.Sprintf("%d turn(s)", turns))
	}
	if pairs > 0 {
		words = append(words, fmt.Sprintf("%d tool call/result pair(s)", pairs))
	}
	return strings.Join(words, " and ")
}
