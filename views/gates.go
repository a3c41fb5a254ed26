package views

import (
	"strings"

	"ctxscope/kernel"
)

// gateNamed gives the gate of that name, or nil when the decision did not ask
// it.
func gateNamed(d *kernel.Decision, name string) *kernel.Gate {
	for i := range d.Gates {
		if d.Gates[i].Name == name {
			return &d.Gates[i]
		}
	}
	return nil
}

// heldBack gives the tier that has enough but was nudged too lately, or 0.
func heldBack(d *kernel.Decision) kernel.Tier {
	for t := kernel.Tier(2); t <= 3; t++ {
		if g := gateNamed(d, tierName(t)+" cadence"); g != nil && !g.Holds {
			return t
		}
	}
	return 0
}

// gateLine writes a gate: the answer, what was asked, in names cells where
// there is room, what was compared, and the margin.
func gateLine(l *line, st *Styles, g *kernel.Gate, names int) {
	p, word := st.faint, "no"
	if g.Holds {
		p, word = st.good, "yes"
	}
	l.cell(p, word, 4)
	compared := operand(g.Left, g.Unit) + " " + sign(g.Op) + " " + operand(g.Right, g.Unit)
	long := compared
	if unit := gateUnits[g.Unit]; unit != "" {
		long += unit
	}
	names = max(8, min(names, l.left-Width(compared)-1))
	l.cell(paint{}, g.Name, names)
	l.gap(1)
	l.flow(paint{}, pick(l.left, long, compared))
	if g.Op != "=" && g.Op != "!=" {
		if margin := " (" + signed(g.Margin, g.Unit) + ")"; Width(margin) <= l.left {
			l.flow(st.faint, margin)
		}
	}
}

// gateUnits is what stands behind the numbers of a gate.
var gateUnits = map[string]string{"tokens": " tokens", "chars": " chars", "blocks": " blocks"}

// signed writes a margin with its sign.
func signed(x float64, unit string) string {
	text := operand(x, unit)
	if x > 0 {
		text = "+" + text
	}
	return strings.Replace(text, "-", "−", 1)
}

// operand writes one side of a gate in the gate's unit.
func operand(x float64, unit string) string {
	switch unit {
	case "share":
		return percent(x)
	case "yes/no":
		if x != 0 {
			return "yes"
		}
		return "no"
	case "tier":
		return tierName(kernel.Tier(x))
	}
	return amount(x)
}

var signs = strings.NewReplacer(">=", "≥", "<=", "≤", "!=", "≠")

func sign(op string) string { return signs.Replace(op) }
