package kernel

import (
	"encoding/binary"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"
)

// readLedger writes the reason anew and finds the tier, from a ledger alone.
// It shares no line with the code that decides.
type readLedger struct {
	Ledger
	gates gateSet
}

func newReadLedger(l Ledger) readLedger {
	r := readLedger{l, gateSet{}}
	for _, g := range l.Gates {
		r.gates[g.Name] = g.Gate
	}
	return r
}

func (r readLedger) usage() string {
	return num(roundJS(r.gates["over-limit"].Left * 100))
}

func (r readLedger) most() (most float64) {
	for _, t := range r.Tiers {
		most = math.Max(most, float64(t.Pending))
	}
	return most
}

// band is the band that the first two gates tell.
func (r readLedger) band() Band {
	switch {
	case r.gates["emergency"].Holds:
		return BandEmergency
	case r.gates["over-limit"].Holds:
		return BandOverLimit
	}
	return BandNormal
}

// tier is the tier that the gates and the order tell.
func (r readLedger) tier() Tier {
	switch r.Order {
	case OrderMost:
		if r.gates["pressure: benefit"].Holds {
			return r.firstWith(r.gates["pressure: benefit"].Left)
		}
	case OrderRotation:
		if r.gates.holds(gateTurn) {
			return 1
		}
		best := TierLine{}
		for _, t := range r.Tiers[1:] {
			due := r.gates.holds(tierName(t.Tier)+" cadence", tierName(t.Tier)+" cadence: never shown")
			if r.gates.holds(tierName(t.Tier)+" count") && due && (best.Tier == 0 || t.Shown < best.Shown) {
				best = t
			}
		}
		return best.Tier
	case OrderCascade:
		if r.gates.holds("T1 mass") {
			return 1
		}
		for _, t := range r.Tiers[1:] {
			name := tierName(t.Tier)
			mass := r.gates.holds(name+" mass") && !r.gates.shut(name+" mass above T1") && !r.gates.shut(name+" mass above T2")
			if !t.On || !mass && !r.gates.holds(name+" count") {
				continue
			}
			if r.gates.holds(name+" cadence", name+" cadence: never shown") && !r.gates.shut(name+" cadence") {
				return t.Tier
			}
			return 0
		}
	}
	return 0
}

func (r readLedger) firstWith(pending float64) Tier {
	for _, t := range r.Tiers {
		if t.On && float64(t.Pending) == pending {
			return t.Tier
		}
	}
	return 0
}

func (r readLedger) reason() string {
	text := ""
	switch {
	case r.Order == OrderMost:
		text = r.pressure()
	case r.Tier == 0:
		return r.idle()
	default:
		text = r.growth()
	}
	if r.Tier != 0 && r.gates.holds("first sight: mass") {
		text += " [first-sight mass]"
	}
	return text
}

func (r readLedger) pressure() string {
	label := map[Band]string{BandEmergency: "EMERGENCY", BandOverLimit: "OVER-LIMIT"}[r.band()]
	all := fmt.Sprintf("(T1 effective %s, T2 %s, T3 %s)", r.Tiers[0].Pending, r.Tiers[1].Pending, r.Tiers[2].Pending)
	best, benefit := r.gates["pressure: something pending"], r.gates["pressure: benefit"]
	switch {
	case !best.Holds:
		return label + ": usage " + r.usage() + "% but no tier has effective compressible content " + all +
			" — nudge suppressed to avoid offering ranges below minCompressRange"
	case !benefit.Holds:
		return label + ": usage " + r.usage() + "% but max pending " + num(best.Left) + " < min benefit " + num(benefit.Right) + " tokens " + all +
			" — suppressed: rewriting below the benefit floor reclaims almost nothing while usage stays high; truncate.threshold remains the safety valve"
	case r.Tier == 1:
		return label + " T1: max effective pending " + num(best.Left) + ", usage " + r.usage() + "%"
	}
	return fmt.Sprintf("%s T%d distill: max pending %s %s, usage %s%%", label, int(r.Tier), num(best.Left), all, r.usage())
}

func (r readLedger) growth() string {
	if r.Tier == 1 {
		return fmt.Sprintf("T1 effective %s >= %s, growth %s, usage %s%%",
			num(r.gates["T1 mass"].Left), num(r.gates["T1 mass"].Right), num(r.gates["growth"].Left), r.usage())
	}
	name, t := tierName(r.Tier), r.Tiers[r.Tier-1]
	text := map[Tier]string{2: "T2 distill ready: ", 3: "T3 condense ready: "}[r.Tier] + fmt.Sprintf("%d tier-%d blocks", t.Blocks, int(r.Tier)-1)
	if count := r.gates[name+" count"]; count.Holds {
		text += fmt.Sprintf(" >= tier%dTrigger %s (%s tokens)", int(r.Tier), num(count.Right), t.Pending)
	} else {
		text += fmt.Sprintf(" (%s tokens) >= %s", t.Pending, num(r.gates[name+" mass"].Right))
		if !t.Own {
			text += " (1.5x)"
		}
		if r.Tier == 3 {
			text += " and > T2 " + num(r.gates["T3 mass above T2"].Right)
		}
		text += " and > T1 effective " + num(r.gates[name+" mass above T1"].Right)
	}
	return text + ", usage " + r.usage() + "%"
}

func (r readLedger) idle() string {
	growth, least, most := r.gates["growth"], math.Inf(1), r.most()
	var mass, count, held []string
	for _, t := range r.Tiers {
		least = math.Min(least, t.Threshold)
		if !t.On {
			continue
		}
		ready := float64(t.Pending) >= t.Threshold
		if ready {
			mass = append(mass, fmt.Sprintf("T%d %s", int(t.Tier), t.Pending))
		} else if t.Blocks >= t.Trigger && t.Tier > 1 {
			ready, count = true, append(count, fmt.Sprintf("T%d %d blocks (count)", int(t.Tier), t.Blocks))
		}
		if ready && t.Shown > 0 && t.Since < growth.Right {
			held = append(held, tierName(t.Tier)+" (cadence)")
		}
	}
	var parts []string
	if most < least {
		parts = append(parts, "max compressible "+num(most)+" < threshold "+num(least))
	}
	if growth.Left < growth.Right {
		parts = append(parts, "growth "+num(growth.Left)+" < floor "+num(growth.Right))
	}
	if len(parts) == 0 {
		parts = append(parts, "max compressible "+num(most)+", growth "+num(growth.Left))
	}
	text := strings.Join(parts, "; ")
	if ready := append(mass, count...); len(ready) > 0 {
		text += ", ready: " + strings.Join(ready, ", ")
	}
	if len(held) > 0 {
		text += ", blocked: " + strings.Join(held, ", ")
	}
	return text
}

// faultOf says where a decision is not what its ledger tells, or is empty.
func faultOf(l Ledger) string {
	r := newReadLedger(l)
	switch {
	case r.band() != l.Band:
		return fmt.Sprintf("the gates tell the band %s, not %s", r.band(), l.Band)
	case (l.Order == OrderMost) != (l.Band != BandNormal):
		return fmt.Sprintf("the order is %s in the band %s", l.Order, l.Band)
	case r.tier() != l.Tier || l.Inject != (l.Tier != 0):
		return fmt.Sprintf("the gates tell tier %d, not %d (inject %v)", int(r.tier()), int(l.Tier), l.Inject)
	case r.reason() != l.Reason:
		return fmt.Sprintf("the gates tell the reason\n%s, not\n%s", r.reason(), l.Reason)
	}
	for _, g := range append(l.Gates[:len(l.Gates):len(l.Gates)], l.SlotGates...) {
		want := map[string]bool{">=": g.Left >= g.Right, ">": g.Left > g.Right, "=": g.Left == g.Right, "!=": g.Left != g.Right}
		if holds, known := want[g.Op]; !known || holds != g.Holds {
			return fmt.Sprintf("gate %s: %v %s %v is %v", g.Name, g.Left, g.Op, g.Right, g.Holds)
		}
		if g.Says == "" || strings.Contains(g.Says, "NaN") {
			return fmt.Sprintf("gate %s says %q", g.Name, g.Says)
		}
	}
	if l.OrderSays == "" || l.SlotSays == "" {
		return "the order or the slot is not said"
	}
	return ""
}

func TestTheLedgerOfEveryRecordedDecisionTellsItsTierAndReason(t *testing.T) {
	data, err := readPacked(filepath.Join(referenceFolder, "nudge.json.gz"))
	if err != nil {
		t.Fatal(err)
	}
	file, err := parseReferenceFile("nudge.json.gz", data)
	if err != nil {
		t.Fatal(err)
	}
	orders := map[TierOrder]int{}
	for _, c := range file.cases {
		var in nudgeInput
		if err := decodeStrict(c.Input, &in); err != nil {
			t.Fatal(err)
		}
		d, _, err := adaptDecide(in, messagesOf(in.Messages))
		if err != nil {
			t.Fatal(err)
		}
		l := New(Default(200_000), nil).Ledger(&d)
		if fault := faultOf(l); fault != "" {
			t.Errorf("%s: %s; gates:\n%s", c.Name, fault, gatesText(d.Gates))
		}
		orders[l.Order]++
	}
	for _, order := range []TierOrder{OrderNone, OrderMost, OrderRotation, OrderCascade} {
		if orders[order] == 0 {
			t.Errorf("no decision asked the tiers in the order %s: %v", order, orders)
		}
	}
}

func TestLedgersOfSessionsTellTierAndReason(t *testing.T) {
	seen := 0
	eachMoment(t, func(t *testing.T, k *Kernel, r Run) {
		d := r.Now().Nudge
		if len(d.Gates) == 0 {
			return
		}
		seen++
		if fault := faultOf(k.Ledger(&d)); fault != "" {
			t.Errorf("%s; gates:\n%s", fault, gatesText(d.Gates))
		}
	})
	if seen == 0 {
		t.Error("no decision was looked at")
	}
}

// FuzzLedger holds the law for made-up states and settings.
func FuzzLedger(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte("\x01\x02\x03\x04\x05\x06\x07\x08\x09\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x20"))
	f.Add([]byte(strings.Repeat("\xff\x80\x00\x10", 24)))
	f.Fuzz(func(t *testing.T, data []byte) {
		config, q := drawn(data)
		q.config = &config
		d := q.decide()
		if fault := faultOf(New(config, nil).Ledger(&d)); fault != "" {
			t.Errorf("%s; question %+v, gates:\n%s", fault, q, gatesText(d.Gates))
		}
	})
}

// drawn makes settings and a question from bytes: small numbers, so that they
// meet one another.
func drawn(data []byte) (Config, question) {
	next := func(bound int) int {
		var word [2]byte
		n := copy(word[:], data)
		data = data[n:]
		return int(binary.LittleEndian.Uint16(word[:])) % bound
	}
	thousands := func(bound int) float64 { return float64(next(bound)) * 1000 }
	config := Default(Tokens(thousands(300)))
	n := &config.Nudge
	n.MaxContextLimitPct, n.EmergencyThresholdPct = float64(next(110))/100, float64(next(110))/100
	n.MinContextLimitPct = float64(next(100)) / 100
	n.GrowthFloor, n.MinGrowthRatio = thousands(60), float64(next(100))/100
	config.Tiers.Enabled = next(3) > 0
	config.Tiers.Tier2Trigger, config.Tiers.Tier3Trigger = next(6), next(6)
	if next(2) == 1 {
		own := thousands(60)
		n.TierGrowthTokens = &TierGrowthTokens{T2: &own}
	}
	if next(3) == 1 {
		own := thousands(20)
		n.MinPressureBenefitTokens = &own
	}
	q := question{
		used:    thousands(320),
		pending: Pending{T1: Tokens(thousands(90)), T2: Tokens(thousands(90)), T3: Tokens(thousands(90)), C2: next(8), C3: next(8)},
		stamps: NudgeState{
			Baseline: Tokens(thousands(300)) * Tokens(next(2)), Shown: Tokens(thousands(300)) * Tokens(next(2)), LastInjectedTier: Tier(next(4)),
		},
	}
	for tier := 1; tier <= 3; tier++ {
		q.stamps.ShownByTier[tier] = Tokens(thousands(300)) * Tokens(next(2))
	}
	return config, q
}

func TestTheLedgerLawCatches(t *testing.T) {
	config := Default(200000)
	d := question{&config, 150000, NudgeState{}, Pending{T1: 60000}}.decide()
	good := New(config, nil).Ledger(&d)
	if fault := faultOf(good); fault != "" {
		t.Fatal(fault)
	}
	for name, spoil := range map[string]func(l *Ledger){
		"another tier":   func(l *Ledger) { l.Tier = 2 },
		"another reason": func(l *Ledger) { l.Reason += " or so" },
		"another band":   func(l *Ledger) { l.Band = BandNormal },
		"another order":  func(l *Ledger) { l.Order = OrderCascade },
		"another answer": func(l *Ledger) { l.Gates[2].Holds = !l.Gates[2].Holds },
	} {
		l := good
		l.Gates = append([]LedgerGate{}, good.Gates...)
		if spoil(&l); faultOf(l) == "" {
			t.Errorf("%s is not noticed", name)
		}
	}
}
