package headless

import (
	"strings"

	"ctxscope/kernel"
)

// Why is what explains a decision, and what follows from it beside the
// kernel's rules.
type Why struct {
	Ledger     kernel.Ledger      `json:"ledger"`     // the gates in the order in which they were asked, with what would flip each
	Plan       kernel.Plan        `json:"plan"`       // candidates: pieces that can be folded by themselves or together
	Guard      kernel.GuardAnswer `json:"guard"`      // of a host that guards against nudge loops; the decision does not heed it
	NudgeText  kernel.NudgeText   `json:"nudgeText"`  // that a nudge has now, or would have
	NudgeCosts kernel.NudgeCosts  `json:"nudgeCosts"` // of all texts so far
}

// why asks the kernel to lay the decision of a run open.
func (l loaded) why(run kernel.Run) Why {
	now := run.Now()
	w := Why{Ledger: l.kernel.Ledger(&now.Nudge), Plan: l.kernel.Plan(run, kernel.DefaultPlanners()), NudgeCosts: run.NudgeCosts()}
	w.Guard, w.NudgeText = l.kernel.Guard(run, &w.Plan), l.kernel.NudgeText(run, &w.Plan)
	return w
}

// beside writes what stands beside the decision: the order of the tiers, whose
// turn is next, a host gate that would hold the nudge back, what texts cost.
func (p *page) beside(f Facts) {
	l := &f.Ledger
	p.line("  order       %s", l.OrderSays)
	p.line("  next slot   %s", slotText(l))
	if f.Now.Nudge.ShouldInject && !f.Guard.Send {
		p.line("  host gate   kernel: inject — host gate: %s", oneLine(f.Guard.Sentence))
	}
	if f.Guard.Notice != "" {
		p.line("  notice      %s", oneLine(f.Guard.Notice))
	}
	t, c := &f.NudgeText, &f.NudgeCosts
	p.line("  text        %s tokens (%s, %s); so far %s, %s tokens", number(t.Tokens), t.Kind, formText(t), count(c.Texts, "text"), number(c.Tokens))
	if c.Growth != c.GrowthWithout {
		p.line("              growth %s tokens, without the last text %s", number(c.Growth), number(c.GrowthWithout))
	}
}

func slotText(l *kernel.Ledger) string {
	if l.NextSlot == 0 {
		return l.SlotSays
	}
	return "T" + number(int(l.NextSlot)) + ", " + l.SlotSays
}

func formText(t *kernel.NudgeText) string {
	if t.Full {
		return "full"
	}
	return "short"
}

// gates writes the ledger, then what no rule reads.
func (p *page) gates(l *kernel.Ledger) {
	for _, g := range l.Gates {
		says := yesNo(g.Holds)
		if g.Says != says {
			says += ", " + g.Says
		}
		p.line("  gate        %s: %s", g.Name, says)
	}
	var unused []string
	for _, u := range l.Unused {
		unused = append(unused, u.Name+" "+u.Value)
	}
	p.line("  not used    %s", strings.Join(unused, ", "))
}

// candidates writes the plan.
func (p *page) candidates(f Facts) {
	if !f.Plan.Ok() {
		p.title("Candidates: no plan")
		p.line("  %s; the batches stand", f.Plan.Failed)
		return
	}
	p.title("Candidates: %d, each foldable alone or together (%s)", len(f.Plan.Candidates), f.Plan.Planner)
	for _, c := range f.Plan.Candidates {
		p.line("  %-7s %-16s  %s, %s tokens, %s chars: %s", c.Kind, refs(c.StartRef, c.EndRef), count(c.MessageCount, "message"), number(c.EstimatedTokens), number(c.RetainedChars), oneLine(c.Label))
	}
	if n := f.Plan.TruncatedCount; n > 0 {
		p.line("  and %d more", n)
	}
	var reasons []string
	counts := map[string]int{}
	for _, o := range f.Plan.Omitted {
		reason := string(o.Reason)
		if counts[reason]++; counts[reason] == 1 {
			reasons = append(reasons, reason)
		}
	}
	for _, reason := range reasons {
		p.line("  left out    %s: %s", count(counts[reason], "piece"), strings.ReplaceAll(reason, "-", " "))
	}
}
