package kernel

import "fmt"

// ExplainBlock says what the rules make of a block: whether it stands, which
// tier would consume it, and what the executor would answer to a call of it
// alone. An id that is no block has no rules.
func (k *Kernel) ExplainBlock(r Run, id string) Explanation {
	x := explaining{k: k, r: r, l: r.sight.list}
	x.StartRef, x.EndRef, x.Answer = id, id, "unknown"
	f := r.base()
	i := f.find(id)
	if i < 0 {
		return x.Explanation
	}
	b := f.block(i)
	if !b.Active {
		x.Answer = "not active"
		x.stop("active", "", "%s", x.inactive(&f, id))
		return x.Explanation
	}
	x.Answer = "active"
	x.pass("active", "a summary of %s stands for %d message%s and replaced %s", tokensOf(b.SummaryTokens), len(b.EffectiveMessageIDs), plural(len(b.EffectiveMessageIDs)), tokensOf(b.CompressedTokens))
	x.consumer(&b)
	v := k.Check(r, Call{Ranges: []CallRange{{StartRef: id, EndRef: id}}})
	one := &v.Ranges[0]
	says := fmt.Sprintf("a call of it alone %s", one.Kind)
	if one.Kind == Refused || one.Kind == Skipped {
		says = fmt.Sprintf("a call of it alone is %s: %s", one.Kind, one.Sentence)
	} else if one.BlockID != "" {
		says += fmt.Sprintf(" into a tier-%d block and frees %s beside the new summary", int(one.Tier), tokensOf(one.Reclaims))
	}
	x.pass("executor", "%s", says)
	return x.Explanation
}

// inactive says why a block does not stand any more.
func (x *explaining) inactive(f *facts, id string) string {
	for i := range f.blocks {
		for _, consumed := range f.blocks[i].DirectBlockIDs {
			if consumed == id {
				return f.blocks[i].ID + " consumed it"
			}
		}
	}
	return "the messages that it stood for left the list, or it was decompressed"
}

// consumer says which tier a block is pending in.
func (x *explaining) consumer(b *Block) {
	tier := b.Tier + 1
	if tier > 3 {
		x.pass("tier", "no nudge asks for blocks of tier 3: a call may rewrite them")
		return
	}
	line := &x.r.now.Nudge.Tiers[tier]
	switch {
	case !line.On:
		x.stop("tier", "switching the tiers on (tiers.enabled)", "tier %d would consume it, but it is switched off", int(tier))
	case x.r.now.Nudge.Tier == tier:
		x.pass("tier", "the nudge for tier %d asks to consume it", int(tier))
	default:
		x.pass("tier", "%s of the %s that are pending in T%d, which asks for %s, or for %d blocks (%d stand)",
			grouped(float64(b.SummaryTokens)), tokensOf(line.Pending), int(tier), grouped(line.Threshold), line.Trigger, line.Blocks)
	}
}
