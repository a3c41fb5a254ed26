package views

import (
	"ctxscope/kernel"
)

// Nudging is what is known of the nudge beside the kernel's decision.
type Nudging struct {
	Ledger *kernel.Ledger      // of the decision; nil: not known
	Guard  *kernel.GuardAnswer // of a host that guards against loops; nil: not known
	Text   *kernel.NudgeText   // that the nudge has, or would have; nil: not known
	Costs  kernel.NudgeCosts   // of the texts so far
}

// Withheld reports whether the kernel nudges and a host that guards against
// loops would hold the nudge back.
func (n *Nudging) Withheld() bool {
	return n.Guard != nil && !n.Guard.Send && n.Guard.Gate != kernel.GuardKernel
}

// ledger draws the decision laid open: what was decided, each gate in the
// order in which it was asked, whose turn is next, what a nudge costs.
func ledger(s *Screen, st *Styles, width, lines int) []string {
	l := s.Nudging.Ledger
	w := nudgeWriter{s: s, st: st, width: width, label: wideLabel + 1}
	if width < 60 {
		w.label = briefLabel + 2
	}
	decided := "no nudge"
	if l.Inject {
		decided = "nudge " + tierName(l.Tier) + ": " + asked(s.Report, l.Tier)
	}
	w.fact("decision", band(s, st), decided)
	w.para("reason", paint{}, l.Reason)
	w.fact("band", band(s, st), string(l.Band))
	w.para("order", paint{}, l.OrderSays)
	w.para("next slot", paint{}, nextSlot(l.NextSlot)+": "+l.SlotSays)
	w.host()
	w.costs()
	w.blank()
	w.head("Gates, in the order in which they were asked")
	w.ledgerGates(l.Gates)
	w.slotGates(l)
	w.measures()
	w.hostGates()
	w.unused(l.Unused)
	return excerpt(w.out, scrolled(s, PanelNudge), lines, width)
}

// para writes a label and a text, broken into as many lines as it needs.
func (w *nudgeWriter) para(label string, p paint, text string) {
	for _, part := range Wrap(text, max(1, w.width-w.label-2)) {
		w.fact(label, p, part)
		label = ""
	}
}

func (w *nudgeWriter) blank() { w.out = append(w.out, plainLine(paint{}, "", w.width)) }

func (w *nudgeWriter) head(text string) {
	w.out = append(w.out, plainLine(w.st.title, " "+text, w.width))
}

// ledgerGates writes gates with their answers and what would flip them.
func (w *nudgeWriter) ledgerGates(gates []kernel.LedgerGate) {
	names := 0
	for i := range gates {
		names = max(names, Width(gates[i].Name))
	}
	for i := range gates {
		w.ledgerGate(i+1, &gates[i], names)
	}
}

func (w *nudgeWriter) ledgerGate(number int, g *kernel.LedgerGate, names int) {
	l := newLine(w.width)
	l.gap(1)
	if w.width >= sideBorders {
		l.right(w.st.faint, itoa(number)+" ", 4)
	}
	p, word := w.st.faint, "no"
	if g.Holds {
		p, word = w.st.good, "yes"
	}
	l.cell(p, word, 4)
	says := g.Says
	if need := names + 2 + Width(says); need > l.left && Width(g.Name)+2+Width(says) > l.left {
		l.rest(paint{}, g.Name)
		w.out = append(w.out, l.String())
		for _, part := range Wrap(says, max(1, w.width-8)) {
			w.out = append(w.out, plainLine(w.st.faint, "       "+part, w.width))
		}
		return
	}
	l.cell(paint{}, g.Name, min(names, l.left-Width(says)-2))
	l.gap(2)
	l.rest(w.st.faint, says)
	w.out = append(w.out, l.String())
}

// slotGates writes what was asked for the next slot, where that is not a part
// of the decision.
func (w *nudgeWriter) slotGates(l *kernel.Ledger) {
	if l.Order == kernel.OrderCascade || l.Order == kernel.OrderRotation || len(l.SlotGates) == 0 {
		return
	}
	w.blank()
	w.head("Asked for the next slot, as if the growth gate were open")
	w.ledgerGates(l.SlotGates)
}

// measures writes what growth was counted from.
func (w *nudgeWriter) measures() {
	d := &w.s.Report.Nudge
	b := &d.Breakdown
	w.blank()
	w.head("What growth is counted with")
	w.growth()
	w.fact("reference", paint{}, amount(b.GrowthReference)+" tokens, "+reference(d.GrowthSourceStamp), amount(b.GrowthReference)+" tokens")
	w.fact("step", paint{}, amount(b.NudgeGrowthTokens)+" tokens; floor "+amount(b.GrowthFloor)+" tokens")
	x := w.s.Stamps
	w.fact("stamps", paint{}, "baseline "+stamp(x.Baseline)+", shown "+stamp(x.Shown)+byTier(x.ShownByTier)+", last tier "+tierName(x.LastInjectedTier),
		"baseline "+stamp(x.Baseline)+", shown "+stamp(x.Shown), "shown "+stamp(x.Shown))
	w.fact("config", paint{}, configForms(w.s)...)
}

// unused lists what is reported and read by no rule.
func (w *nudgeWriter) unused(list []kernel.Unused) {
	w.blank()
	w.out = append(w.out, plainLine(w.st.faint, " Reported, not used", w.width))
	for _, u := range list {
		l := newLine(w.width)
		l.gap(1)
		l.cell(w.st.faint, u.Name, max(w.label, 26))
		l.rest(w.st.faint, u.Value)
		w.out = append(w.out, l.String())
	}
}
