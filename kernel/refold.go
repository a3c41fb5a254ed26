package kernel

import (
	"fmt"
	"slices"
)

// refold is whether a range may rewrite blocks in place (acp-kernel #398).
type refold struct {
	targets []int
	reasons []string // why not
}

func (r refold) may() bool { return len(r.targets) > 0 && len(r.reasons) == 0 }

// refoldFor asks whether a request covers whole blocks whose messages were put
// back inline.
func (e *execution) refoldFor(c CallRange) refold {
	low, high, ok := e.numberSpan(c)
	if !ok {
		return refold{}
	}
	var out refold
	for i := range e.facts.blocks {
		s := &e.facts.blocks[i]
		if !s.active {
			continue
		}
		start, end, ok := e.blockNumbers(s)
		reason := ""
		switch {
		case !ok:
			reason = "partially covered " + s.ID
		case end < low || start > high:
			continue
		case !s.RestoredInline:
			reason = fmt.Sprintf("blocked by %s (not restored)", s.ID)
		case start < low || end > high:
			reason = "partially covered " + s.ID
		default:
			if holder := e.unrestoredAncestor(s.ID, map[string]bool{}); holder != "" {
				reason = fmt.Sprintf("blocked by %s (not restored)", holder)
			}
		}
		if reason == "" {
			out.targets = append(out.targets, i)
		} else if !slices.Contains(out.reasons, reason) {
			out.reasons = append(out.reasons, reason)
		}
	}
	return out
}

// numberSpan is the ref numbers that a request spans: both ends of the span of
// a block that it names.
func (e *execution) numberSpan(c CallRange) (low, high int32, ok bool) {
	for _, ref := range []string{c.StartRef, c.EndRef} {
		b, valid := parseBoundary(ref)
		if !valid {
			return 0, 0, false
		}
		start, end := b.number, b.number
		if b.block {
			i := e.find(fmt.Sprintf("b%d", b.number))
			if i < 0 {
				return 0, 0, false
			}
			if start, end, valid = e.blockNumbers(&e.facts.blocks[i]); !valid {
				return 0, 0, false
			}
		}
		if low == 0 || start < low {
			low = start
		}
		high = max(high, end)
	}
	return low, high, true
}

// blockNumbers is a block's span as numbers, the lower first.
func (e *execution) blockNumbers(s *standing) (low, high int32, ok bool) {
	start, end, ok := e.l.span(s)
	if !ok {
		return 0, 0, false
	}
	low, okLow := refNumber(start)
	high, okHigh := refNumber(end)
	return min(low, high), max(low, high), okLow && okHigh
}

// unrestoredAncestor is an active block above id that is not restored.
func (e *execution) unrestoredAncestor(id string, seen map[string]bool) string {
	for i := range e.facts.blocks {
		s := &e.facts.blocks[i]
		if seen[s.ID] || !slices.Contains(s.DirectBlockIDs, id) {
			continue
		}
		seen[s.ID] = true
		if s.active && !s.RestoredInline {
			return s.ID
		}
		if above := e.unrestoredAncestor(s.ID, seen); above != "" {
			return above
		}
	}
	return ""
}

// rewrite refolds instead of folding: the range holds nothing new.
func (f *folding) rewrite(again refold) {
	f.p.refold = again
	if code, sentence := f.summaryFault(f.p); sentence != "" {
		f.execution.fail(f.p, f.v, code, sentence)
		return
	}
	f.warn(f.v, f.warnings...)
	f.refoldBlocks(f.p, f.v)
}

// refoldBlocks gives the targets the new summary; they keep everything else.
func (e *execution) refoldBlocks(p *part, v *RangeVerdict) {
	v.Kind, v.Code = Refolds, "refold"
	for _, i := range p.refold.targets {
		b := *e.facts.blocks[i].Block
		b.Summary, b.SummaryTokens = p.Summary, e.k.count(p.Summary)
		if p.Topic != nil {
			b.Topic = p.Topic
		}
		b.RunID, b.RestoredInline = e.runID, false
		e.facts.blocks[i].Block = &b
		e.verdict.BlocksCreated++
		e.verdict.NewBlocks = append(e.verdict.NewBlocks, b.ID)
		v.Consumes = append(v.Consumes, b.ID)
		v.Tier, v.BlockID = b.Tier, b.ID
	}
}
