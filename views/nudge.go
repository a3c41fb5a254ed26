package views

import (
	"slices"
	"strings"

	"ctxscope/kernel"
)

// Cells of the labels: in a narrow panel, and else.
const (
	briefLabel = 8
	wideLabel  = 11
)

// nudge draws the decision with everything that it was made from.
func nudge(s *Screen, st *Styles, width, lines int, folded bool) []string {
	if s.Report == nil {
		return []string{plainLine(st.faint, "  Nothing was evaluated yet.", width)}
	}
	if s.Zoom && s.Focus == PanelNudge && s.Nudging.Ledger != nil {
		return ledger(s, st, width, lines)
	}
	w := nudgeWriter{s: s, st: st, width: width, label: wideLabel}
	if width < 40 {
		w.label = briefLabel
	}
	w.facts(folded)
	w.reason()
	w.costs()
	w.gates()
	return excerpt(w.out, scrolled(s, PanelNudge), lines, width)
}

// nudgeCaption is what stands in the title of the Nudge panel.
func nudgeCaption(s *Screen) []string {
	switch {
	case s.Report == nil:
		return nil
	case s.Report.Nudge.ShouldInject && s.Nudging.Withheld():
		return []string{"nudges " + tierName(s.Report.Nudge.Tier) + ", a host gate holds it", "held by a host gate", "held back"}
	case s.Report.Nudge.ShouldInject:
		return []string{"nudges " + tierName(s.Report.Nudge.Tier)}
	}
	if s.Report.Nudge.Band != kernel.BandNormal {
		return []string{"no nudge"}
	}
	return []string{"idle, no nudge", "no nudge"}
}

type nudgeWriter struct {
	s     *Screen
	st    *Styles
	width int
	label int // cells
	out   []string
}

// fact writes a label and its value.
func (w *nudgeWriter) fact(label string, p paint, texts ...string) {
	l := newLine(w.width)
	l.gap(1)
	l.cell(w.st.faint, label, w.label)
	l.rest(p, pick(l.left, texts...))
	w.out = append(w.out, l.String())
}

func (w *nudgeWriter) facts(folded bool) {
	r, d := w.s.Report, &w.s.Report.Nudge
	share := unknown
	if x, ok := used(r); ok {
		share = percent(x)
	}
	over, urgent := percent(w.s.Config.Nudge.MaxContextLimitPct), percent(w.s.Config.Nudge.EmergencyThresholdPct)
	w.fact("band", band(w.s, w.st), string(d.Band)+" ("+share+"; over-limit from "+over+", emergency from "+urgent+")",
		string(d.Band)+" ("+share+"; limits "+over+", "+urgent+")", string(d.Band)+" "+share)
	b := &d.Breakdown
	w.host()
	w.growth()
	if folded {
		for t := kernel.Tier(1); t <= 3; t++ {
			w.fact(tierName(t), paint{}, number(pendingOf(r, t))+" tokens, needs "+amount(d.Threshold[t])+", "+holds(w.s, t),
				number(pendingOf(r, t))+", needs "+amount(d.Threshold[t]), short(pendingOf(r, t))+", needs "+short(int64(d.Threshold[t])))
		}
	}
	last := "last " + tierName(w.s.Stamps.LastInjectedTier)
	w.fact("slot", paint{}, nextSlot(d.NextSlot)+" ("+last+")", nextSlot(d.NextSlot))
	w.fact(pick(w.label-1, "reference", "from"), paint{}, amount(b.GrowthReference)+" tokens, "+reference(d.GrowthSourceStamp),
		amount(b.GrowthReference)+", "+d.GrowthSourceStamp, amount(b.GrowthReference)+" tokens")
	w.fact("step", paint{}, amount(b.NudgeGrowthTokens)+" tokens, floor "+amount(b.GrowthFloor)+" tokens", amount(b.NudgeGrowthTokens)+" tokens")
	if d.Band != kernel.BandNormal {
		w.fact("benefit", paint{}, "a fold must free "+amount(b.MinPressureBenefit)+" tokens; best is "+number(b.MaxPending),
			number(b.MaxPending)+" of "+amount(b.MinPressureBenefit)+" tokens", number(b.MaxPending)+" of "+amount(b.MinPressureBenefit))
	}
	x := w.s.Stamps
	w.fact("stamps", paint{}, "baseline "+stamp(x.Baseline)+", shown "+stamp(x.Shown)+byTier(x.ShownByTier),
		"baseline "+stamp(x.Baseline)+", shown "+stamp(x.Shown), "shown "+stamp(x.Shown))
	w.truncated()
	w.state()
	w.fact("config", paint{}, configForms(w.s)...)
}

// truncated writes what the emergency truncation would do to the request.
func (w *nudgeWriter) truncated() {
	t := &w.s.Report.Truncation
	if n := len(t.IDs); n > 0 {
		w.fact("cut", w.st.bad, plural(n, "output is", "outputs are")+" shortened, which saves "+number(t.Saved)+" tokens",
			number(n)+" shortened, saves "+number(t.Saved)+" tokens", number(n)+" shortened")
	}
	if t.Terminal != "" {
		w.para("terminal", w.st.bad, t.Terminal)
	}
}

// growth writes how much the context grew and how far a nudge is. Under
// pressure and at first sight the decision does not ask for growth.
func (w *nudgeWriter) growth() {
	d := &w.s.Report.Nudge
	grew, togo := amount(d.Breakdown.Growth), amount(d.TokensToNudge)
	whole := grew + " of " + amount(d.Breakdown.GrowthFloor) + " tokens"
	switch {
	case d.Band != kernel.BandNormal || d.FirstSight:
		w.fact("growth", paint{}, whole+", not asked for", grew+" tokens")
	case d.TokensToNudge == 0:
		w.fact("growth", w.st.good, whole+", due", grew+", due")
	case d.Breakdown.Growth < 0:
		w.fact("growth", paint{}, whole+", "+togo+" to go", grew+" tokens")
	default:
		w.fact("growth", paint{}, whole+", "+togo+" to go", togo+" tokens to go")
	}
}

// nextSlot says whose turn it is.
func nextSlot(t kernel.Tier) string {
	if t == 0 {
		return "no tier is ready"
	}
	return tierName(t) + " is next"
}

// reference says what the growth is measured from.
func reference(from string) string {
	switch from {
	case "shown":
		return "at the last nudge"
	case "baseline":
		return "at the baseline"
	}
	return "now, nothing is remembered"
}

// stamp writes a stamp; 0 means that there is none.
func stamp(t kernel.Tokens) string {
	if t == 0 {
		return "none"
	}
	return number(t)
}

func byTier(x kernel.TierStamps) string {
	text := ""
	for t := 1; t < len(x); t++ {
		if x[t] != 0 {
			text += ", " + tierName(kernel.Tier(t)) + " " + number(x[t])
		}
	}
	return text
}

// reason writes the kernel's own sentence.
func (w *nudgeWriter) reason() {
	first := true
	for _, part := range Wrap(w.s.Report.Nudge.Reason, max(1, w.width-w.label-2)) {
		label := ""
		if first {
			label = "reason"
		}
		w.fact(label, paint{}, part)
		first = false
	}
}

// gates writes every condition that was asked, with its answer.
func (w *nudgeWriter) gates() {
	d := &w.s.Report.Nudge
	if len(d.Gates) == 0 {
		return
	}
	w.out = append(w.out, plainLine(w.st.faint, " asked in this order:", w.width))
	names := 0
	for i := range d.Gates {
		names = max(names, Width(d.Gates[i].Name))
	}
	for i := range d.Gates {
		l := newLine(w.width)
		l.gap(1)
		gateLine(l, w.st, &d.Gates[i], names)
		w.out = append(w.out, l.String())
	}
}

// configForms say whose settings are used, longest form first: where there is
// little room, the file that counts most is named, and how many it lies over.
func configForms(s *Screen) []string {
	n := len(s.ConfigOver)
	if n == 0 {
		return []string{s.ConfigFrom}
	}
	most := s.ConfigOver[n-1]
	forms := []string{s.ConfigFrom, most + " over the kernel's defaults", most}
	if n > 1 {
		forms[1] = most + " over " + plural(n-1, "file", "files") + " and the kernel's defaults"
		forms = slices.Insert(forms, 2, most+" over "+plural(n-1, "file", "files"), most+" +"+number(n-1))
	}
	return append(forms, most[strings.LastIndexByte(most, '/')+1:])
}
