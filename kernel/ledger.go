package kernel

import (
	"math"
	"strconv"
	"strings"
)

// Ledger is a decision laid open for a person: every gate in the order in
// which it was asked, the order of the tiers, whose turn is next. Tier and
// reason follow from it. Its words are for people; programs read the gates.
type Ledger struct {
	Inject    bool         `json:"shouldInject"`
	Tier      Tier         `json:"tier"`
	Reason    string       `json:"reason"`
	Band      Band         `json:"band"`
	Order     TierOrder    `json:"order"`
	OrderSays string       `json:"orderSays"`
	Gates     []LedgerGate `json:"gates"`
	NextSlot  Tier         `json:"nextSlot"`
	SlotSays  string       `json:"slotSays"`  // why it is that one's turn
	SlotGates []LedgerGate `json:"slotGates"` // asked for it as if the growth gate were open
	Tiers     []TierLine   `json:"tiers"`
	Unused    []Unused     `json:"unused"`
}

// LedgerGate is a gate with its margin in words.
type LedgerGate struct {
	Gate
	Says string `json:"says"` // for example "18,290 of 22,500 tokens: 4,210 to go"
}

// Unused is a setting or a reported number that no rule reads.
type Unused struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Ledger lays a decision of this kernel open. A decision that was read from
// JSON does not hold all of it.
func (k *Kernel) Ledger(d *Decision) Ledger {
	l := Ledger{
		Inject: d.ShouldInject, Tier: d.Tier, Reason: d.Reason, Band: d.Band,
		Order: d.Order, OrderSays: orderWords[d.Order], Gates: k.ledgerGates(d.Gates),
		NextSlot: d.NextSlot, SlotSays: slotWords(d), SlotGates: k.ledgerGates(d.SlotGates),
		Tiers: append([]TierLine{}, d.Tiers[1:]...),
	}
	n := &k.config.Nudge
	l.Unused = []Unused{
		{"nudge.frequency", num(n.Frequency)},
		{"nudge.iterationThreshold", num(n.IterationThreshold)},
		{"nudge.force", n.Force},
		{"effectiveThreshold", effectiveWords(&d.Breakdown)},
	}
	return l
}

// effectiveWords says what the reported threshold is: half of the step while a
// nudge is pending. No branch looks at it.
func effectiveWords(b *Breakdown) string {
	if b.HasPendingNudge != 0 {
		return grouped(b.EffectiveThreshold) + " tokens (half of the step, since a nudge is pending)"
	}
	return grouped(b.EffectiveThreshold) + " tokens"
}

var orderWords = map[TierOrder]string{
	OrderNone:     "the growth gate is shut: no tier is asked",
	OrderMost:     "under pressure: the tier that would free most; growth and turns do not count",
	OrderRotation: "T1 and the tiers that are ready by count take turns",
	OrderCascade:  "T1 first, then T2, then T3: the first that is ready",
}

// slotWords says why the next slot is whose it is, from what was asked.
func slotWords(d *Decision) string {
	asked := func(name string) (holds, found bool) {
		for i := range d.SlotGates {
			if d.SlotGates[i].Name == name {
				return d.SlotGates[i].Holds, true
			}
		}
		return false, false
	}
	turn, rotated := asked(gateTurn)
	switch mass, _ := asked("T1 mass"); {
	case d.NextSlot == 0:
		return "no tier holds what it asks for"
	case d.NextSlot == 1 && rotated:
		return "T1 holds its threshold and did not go last"
	case d.NextSlot == 1:
		return "T1 holds its threshold"
	case rotated && !turn:
		return "T1 went last, and of the tiers that are ready by count " + tierName(d.NextSlot) + " waits longest"
	case d.SlotOrder == OrderRotation && !mass:
		return "T1 does not hold its threshold, and of the tiers that are ready by count " + tierName(d.NextSlot) + " waits longest"
	}
	return "the tiers before it do not hold what they ask for, " + tierName(d.NextSlot) + " does"
}

func (k *Kernel) ledgerGates(gates []Gate) []LedgerGate {
	out := make([]LedgerGate, len(gates))
	for i, g := range gates {
		out[i] = LedgerGate{g, g.Says(k.config.ModelContextLimit)}
	}
	return out
}

// Says tells in words what was compared and what would flip the answer. A
// share of the window is also said in tokens where limit, the window, is
// known.
func (g Gate) Says(limit Tokens) string {
	left, right := g.operand(g.Left), g.operand(g.Right)
	unit := ""
	if g.Unit == "tokens" || g.Unit == "chars" || g.Unit == "blocks" || g.Unit == "batches" || g.Unit == "candidates" || g.Unit == "calls" {
		unit = " " + g.Unit
	}
	switch {
	case (g.Op == "=" || g.Op == "!=") && g.Unit == "yes/no":
		return left
	case g.Op == "=" && g.Holds:
		return "none"
	case g.Op == "=":
		return left + unit + ", would have to be " + right
	case g.Op == "!=" && g.Holds:
		return left + ", anything but " + right
	case g.Op == "!=":
		return left + ", would have to be another"
	case g.Op == ">" && g.Holds:
		return left + unit + ", more than " + right + ": " + g.room(limit) + " to spare"
	case g.Op == ">":
		return left + unit + ", must be more than " + right
	case g.Holds:
		return left + " of " + right + unit + ": " + g.room(limit) + " to spare"
	}
	return left + " of " + right + unit + ": " + g.room(limit) + " to go"
}

// room is the margin without its sign. Tokens of a share are rounded away from
// the limit, so that what is missing is enough.
func (g Gate) room(limit Tokens) string {
	margin := math.Abs(g.Margin)
	if g.Unit != "share" {
		return grouped(margin)
	}
	if limit <= 0 {
		return g.operand(margin)
	}
	tokens := math.Floor(margin * float64(limit))
	if !g.Holds {
		tokens = math.Ceil(g.Right*float64(limit)) - math.Round(g.Left*float64(limit))
	}
	return grouped(tokens) + " tokens"
}

// operand writes one side in the gate's unit.
func (g Gate) operand(x float64) string {
	switch g.Unit {
	case "share":
		return strconv.FormatFloat(x*100, 'f', 1, 64) + " %"
	case "yes/no":
		if x != 0 {
			return "yes"
		}
		return "no"
	case "tier":
		if x == 0 {
			return "none"
		}
		return tierName(Tier(x))
	}
	return grouped(x)
}

// grouped writes a number for people: with commas, a fraction with one
// decimal.
func grouped(x float64) string {
	if math.IsNaN(x) || math.Abs(x) > 1e15 {
		return num(x)
	}
	text := Commas(strings.TrimSuffix(strconv.FormatFloat(math.Abs(x), 'f', 1, 64), ".0"))
	if x < 0 && text != "0" {
		return "−" + text
	}
	return text
}

// Commas puts commas between the thousands of a number that is written in
// digits, with or without a sign and a fraction: "-118290.5" is "-118,290.5".
func Commas(number string) string {
	end := strings.IndexByte(number, '.')
	if end < 0 {
		end = len(number)
	}
	for i := end - 3; i > 0 && '0' <= number[i-1] && number[i-1] <= '9'; i -= 3 {
		number = number[:i] + "," + number[i:]
	}
	return number
}
