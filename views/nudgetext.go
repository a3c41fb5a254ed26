package views

import (
	"strconv"
	"strings"

	"ctxscope/kernel"
)

func itoa(n int) string { return strconv.Itoa(n) }

// host writes what a host that guards against loops would do, where that is
// not what the kernel decides.
func (w *nudgeWriter) host() {
	n := &w.s.Nudging
	if n.Guard == nil {
		return
	}
	if n.Withheld() {
		text := withheld(n.Guard)
		if w.width < 40 {
			text = withheldBrief(n.Guard)
		}
		w.para("host", w.st.warn, text)
	}
	if n.Guard.Notice != "" {
		w.para("notice", w.st.bad, n.Guard.Notice)
	}
}

// withheld sets the two decisions against each other.
func withheld(g *kernel.GuardAnswer) string {
	return "kernel: inject — host gate: " + g.Sentence
}

// withheldBrief is withheld without what would end it.
func withheldBrief(g *kernel.GuardAnswer) string {
	why, _, _ := strings.Cut(g.Sentence, ":")
	switch g.Gate {
	case kernel.GuardEmpty:
		why = "nothing would be taken"
	case kernel.GuardResponded:
		why = "the last attempt failed"
	case kernel.GuardDedupe:
		why = "sent in this user turn"
	}
	return "kernel: inject — host gate: " + why
}

// costs writes what the text of a nudge costs, and what all of them cost so
// far.
func (w *nudgeWriter) costs() {
	n := &w.s.Nudging
	if t := n.Text; t != nil {
		form := "short form"
		if t.Full {
			form = "full"
		}
		tokens := plural(t.Tokens, "token", "tokens")
		w.fact(pick(w.label-1, "its text", "text"), paint{}, tokens+" ("+string(t.Kind)+", "+form+"); n shows it", tokens+" ("+form+")", tokens)
	}
	c := &n.Costs
	if c.Texts == 0 {
		return
	}
	so := plural(c.Texts, "text", "texts") + " so far, " + plural(c.Tokens, "token", "tokens")
	w.fact("texts", paint{}, so+", "+number(c.FullTexts)+" in full; the kernel counts none of them", so, number(c.Tokens)+" tokens so far")
	if c.Growth != c.GrowthWithout {
		w.fact("", paint{}, "growth "+amount(c.Growth)+" tokens, without the last text "+amount(c.GrowthWithout), amount(c.GrowthWithout)+" of growth without it")
	}
}

// hostGates writes the gates of a host that guards against loops.
func (w *nudgeWriter) hostGates() {
	g := w.s.Nudging.Guard
	if g == nil {
		return
	}
	w.blank()
	w.head("Gates of a host that guards against nudge loops")
	names := 0
	for i := range g.Gates {
		names = max(names, Width(guardWords[g.Gates[i].Name]))
	}
	for i := range g.Gates {
		gate := g.Gates[i]
		says := kernel.LedgerGate{Gate: gate, Says: ""}
		if gate.Unit == "tokens" {
			says.Says = gate.Says(0)
		}
		if !gate.Holds {
			says.Says = g.Sentence
		}
		says.Name = guardWords[gate.Name]
		w.ledgerGate(i+1, &says, names)
	}
	if g.Gate == kernel.GuardKernel {
		w.out = append(w.out, plainLine(w.st.faint, "       the others are asked when the kernel nudges", w.width))
	}
}

// guardWords name the gates of a guard as what has to hold.
var guardWords = map[string]string{
	kernel.GuardKernel:    "kernel: it decides to nudge",
	kernel.GuardEmpty:     "empty: something offered would be taken",
	kernel.GuardResponded: "responded: no failed attempt since, or growth",
	kernel.GuardCoolDown:  "cool-down: no three refusals in a row, or growth",
	kernel.GuardDedupe:    "dedupe: not sent in this user turn, or growth",
}

// NudgeTextFacts says what a nudge text is and what it costs.
func NudgeTextFacts(t *kernel.NudgeText, counter string, sends bool) string {
	form, now := "short, since the model was given the rules before", "no nudge is due: this is what one would say"
	if t.Full {
		form = "with all the rules"
	}
	if sends {
		now = "would be sent now"
	}
	return now + "; " + string(t.Kind) + ", " + form + ", " + number(t.Tokens) + " tokens (" + counter + ")"
}
