package kernel

import (
	"strings"
)

// pending adds up what each tier could reclaim.
func (e *engine) pending() Pending {
	p := tierPending(e.blocks)
	p.T1 = e.flow.pending
	if !e.k.gated() {
		for i := range e.flow.ranges.n {
			p.T1 += e.flow.ranges.at(i).Tokens
		}
	}
	return p
}

// tierPending counts the summaries of the active blocks below tiers 2 and 3.
func tierPending(blocks []standing) Pending {
	var p Pending
	for i := range blocks {
		b := &blocks[i]
		switch {
		case !b.active: // its content counts in the block that consumed it
		case b.Tier == 1:
			p.T2, p.C2 = p.T2+b.SummaryTokens, p.C2+1
		case b.Tier == 2:
			p.T3, p.C3 = p.T3+b.SummaryTokens, p.C3+1
		}
	}
	return p
}

// targets are the blocks that a nudge for a tier asks to consume.
func (e *engine) targets(tier Tier) []string {
	out := []string{}
	for i := range e.blocks {
		if tier > 1 && e.blocks[i].active && e.blocks[i].Tier == tier-1 {
			out = append(out, e.blocks[i].ID)
		}
	}
	return out
}

func (e *engine) zoneRefs() []string {
	out := make([]string, 0, len(e.flow.zone.places))
	for _, place := range e.flow.zone.places {
		out = append(out, formatRef(e.now.ref(int(e.flow.sent.at(int(place)).pos))))
	}
	return out
}

// spans are the active blocks with the refs between which they stand.
func (e *engine) spans() []BlockSpan {
	out := []BlockSpan{}
	for i := range e.blocks {
		if !e.blocks[i].active {
			continue
		}
		if start, end, ok := e.now.span(&e.blocks[i]); ok {
			out = append(out, BlockSpan{e.blocks[i].ID, e.blocks[i].Tier, start, end})
		}
	}
	return out
}

// span is a block's own refs when both are message refs, else the lowest and
// highest ref that it covers.
func (l *lookup) span(s *standing) (start, end string, ok bool) {
	if isPlainRef(s.StartRef) && isPlainRef(s.EndRef) {
		return s.StartRef, s.EndRef, true
	}
	var low, high int32
	for _, id := range s.covers {
		ref := l.ids.At(int(id)).ref
		if ref <= 0 {
			continue
		}
		if low == 0 || ref < low {
			low = ref
		}
		high = max(high, ref)
	}
	return formatRef(low), formatRef(high), low > 0
}

// isPlainRef reports whether a ref is an m and digits, exactly.
func isPlainRef(ref string) bool {
	rest, ok := strings.CutPrefix(ref, "m")
	return ok && rest != "" && strings.Trim(rest, "0123456789") == ""
}
