package kernel

import (
	"fmt"
	"slices"
)

// failure is why a range names no messages.
type failure string

const (
	failsUnknown  failure = "unknown"  // a ref that never was
	failsConsumed failure = "consumed" // a ref whose content is not visible any more
	failsInvalid  failure = "invalid"  // text that is no ref
)

// resolved is what two refs name in a list.
type resolved struct {
	failure  failure
	endpoint string // "start" or "end", of unknown and consumed ones
	message  string // of the failure

	from, to  int32 // positions
	positions []int32
	nested    []int // blocks that stand in between, in order
	block     bool  // an end is a block ref
	snaps     []string
	reversed  string
}

// resolver turns refs into positions of one list. Blocks are those of the
// state that the refs are read in.
type resolver struct {
	l     *lookup
	state *facts
	first []int32 // by block: its first visible covered position, -1 without, -2 not looked up
}

func newResolver(l *lookup, f *facts) *resolver { return &resolver{l: l, state: f} }

// resolve looks both ends up, the start first.
func (r *resolver) resolve(startRef, endRef string) resolved {
	start, okStart := parseBoundary(startRef)
	end, okEnd := parseBoundary(endRef)
	if !okStart || !okEnd {
		return resolved{failure: failsInvalid, message: fmt.Sprintf(
			`Invalid boundary ref(s): startId="%s", endId="%s". Use mNNNNN or bN.`, startRef, endRef)}
	}
	var out resolved
	a := r.anchor(start, "startId", &out)
	if out.failure != "" {
		out.endpoint = "start"
		return out
	}
	b := r.anchor(end, "endId", &out)
	if out.failure != "" {
		out.endpoint = "end"
		return out
	}
	if a > b {
		a, b = b, a
		out.reversed = fmt.Sprintf("note: refs were given reversed (%s→%s), normalized to %s..%s", start.text, end.text, end.text, start.text)
	}
	out.from, out.to = a, b
	out.block = start.block || end.block
	for pos := a; pos <= b; pos++ {
		if r.l.slots.At(int(pos)).marks&(markRendered|markRetrieved) == 0 {
			out.positions = append(out.positions, pos)
		}
	}
	out.nested = r.blocksIn(a, b)
	return out
}

func (r *resolver) anchor(b boundary, label string, out *resolved) int32 {
	if b.block {
		return r.blockAnchor(b, label, out)
	}
	return r.messageAnchor(b, label, out)
}

func (r *resolver) messageAnchor(b boundary, label string, out *resolved) int32 {
	id, ok := r.l.refID(b.number)
	if !ok {
		return out.unknown(label, b.text)
	}
	if at := r.l.ids.At(int(id)).at; at >= 0 {
		return at
	}
	if at := r.inheritor([]int32{id}); at >= 0 {
		out.snaps = append(out.snaps, fmt.Sprintf(
			"%s=\"%s\" refers to a message already compressed into an active block — anchored to the active block covering it instead.", label, b.text))
		return at
	}
	if slices.Contains(r.state.hiddenOrphanRefs, formatRef(b.number)) {
		return r.neighbour(b, label, out)
	}
	out.failure = failsConsumed
	out.message = fmt.Sprintf("%s=\"%s\" not found in visible context (likely consumed by an existing block).", label, b.text)
	return -1
}

func (out *resolved) unknown(label, ref string) int32 {
	out.failure = failsUnknown
	out.message = fmt.Sprintf("%s=\"%s\" does not exist in this session (typo or wrong session) — run acp_status for current refs.", label, ref)
	return -1
}

// neighbour anchors a hidden compress call at the visible message next to it.
func (r *resolver) neighbour(b boundary, label string, out *resolved) int32 {
	side, best, bestRef := "next visible message after it", int32(-1), int32(0)
	if label == "endId" {
		side = "previous visible message before it"
	}
	for pos := range r.l.log.Len() {
		ref := r.l.ref(pos)
		if ref <= 0 {
			continue
		}
		after := label == "startId" && ref > b.number && (best < 0 || ref < bestRef)
		before := label == "endId" && ref < b.number && (best < 0 || ref > bestRef)
		if after || before {
			best, bestRef = r.l.ids.At(int(r.l.slots.At(pos).id)).at, ref
		}
	}
	if best < 0 {
		out.failure = failsConsumed
		out.message = fmt.Sprintf("%s=\"%s\" is a hidden orphan compress call with no adjacent visible message to anchor to — run acp_status for current refs.", label, b.text)
		return -1
	}
	out.snaps = append(out.snaps, fmt.Sprintf(
		"%s=\"%s\" is a hidden orphan compress call (no matching block) — snapped to the %s instead.", label, b.text, side))
	return best
}

func (r *resolver) blockAnchor(b boundary, label string, out *resolved) int32 {
	name := fmt.Sprintf("b%d", b.number)
	i := r.state.find(name)
	if i < 0 {
		return out.unknown(label, name)
	}
	if r.state.blocks[i].active {
		if at := r.visibleAnchor(i); at >= 0 {
			return at
		}
	}
	if at := r.inheritor(r.state.blocks[i].covers); at >= 0 {
		out.snaps = append(out.snaps, fmt.Sprintf(
			"%s=\"%s\" was consumed by a higher-tier block — anchored to the active block covering its content instead.", label, name))
		return at
	}
	out.failure = failsConsumed
	if r.state.blocks[i].active {
		out.message = fmt.Sprintf("%s=\"%s\" is an active block but none of its content (raw messages or rendered summary) is visible in the current context — run acp_status to verify.", label, name)
	} else {
		out.message = fmt.Sprintf("%s=\"%s\" not found in visible context (block distilled/consumed by a higher-tier block).", label, name)
	}
	return -1
}

// inheritor is the smallest visible anchor of the active blocks that took any
// of these ids over from a block that they consumed, -1 without.
func (r *resolver) inheritor(ids []int32) int32 {
	wanted := make(map[int32]bool, len(ids))
	for _, id := range ids {
		wanted[id] = true
	}
	best := int32(-1)
	for i := range r.state.blocks {
		if !r.state.blocks[i].active || len(r.state.blocks[i].DirectBlockIDs) == 0 || !r.inherited(&r.state.blocks[i], wanted) {
			continue
		}
		if at := r.visibleAnchor(i); at >= 0 && (best < 0 || at < best) {
			best = at
		}
	}
	return best
}

func (r *resolver) inherited(s *standing, wanted map[int32]bool) bool {
	for i := range r.state.blocks {
		if !slices.Contains(s.DirectBlockIDs, r.state.blocks[i].ID) {
			continue
		}
		for _, id := range r.state.blocks[i].covers {
			if wanted[id] {
				return true
			}
		}
	}
	return false
}

// visibleAnchor is where a block stands: its summary in the list, else its
// first visible message, -1 without.
func (r *resolver) visibleAnchor(block int) int32 {
	if at := r.summaryAt(block); at >= 0 {
		return at
	}
	return r.firstCovered(block)
}

// summaryAt is the position of the message that has the id of the block's
// summary, whatever its role, -1 without.
func (r *resolver) summaryAt(block int) int32 {
	return r.l.summaryAt(r.state.blocks[block].ID)
}

func (r *resolver) firstCovered(block int) int32 {
	for len(r.first) < len(r.state.blocks) {
		r.first = append(r.first, -2)
	}
	if r.first[block] != -2 {
		return r.first[block]
	}
	first := int32(-1)
	for _, id := range r.state.blocks[block].covers {
		if at := r.l.ids.At(int(id)).at; at >= 0 && (first < 0 || at < first) {
			first = at
		}
	}
	r.first[block] = first
	return first
}

// blocksIn are the active blocks that stand between two positions: only the
// summary and the first covered message count.
func (r *resolver) blocksIn(from, to int32) []int {
	inside := func(at int32) bool { return at >= from && at <= to && at >= 0 }
	var out []int
	for i := range r.state.blocks {
		if r.state.blocks[i].active && (inside(r.summaryAt(i)) || inside(r.firstCovered(i))) {
			out = append(out, i)
		}
	}
	return out
}
