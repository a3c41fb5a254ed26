package kernel

import "math"

// question is what a nudge decision is asked about: the state before the
// turn, this turn's recommendation and the settings.
type question struct {
	config  *Config
	used    float64 // tokens, the host's number
	stamps  NudgeState
	pending Pending
}

// answer is a decision while it is made: each gate is recorded where it is
// asked.
type answer struct {
	question
	Decision
	step, floor float64
	growth      float64
	benefit     float64
	byTier      [4]float64 // pending
	counts      [4]int     // blocks one tier below
	triggers    [4]int
	countReady  [4]bool
	max         float64
	byCount     bool // the chosen tier was chosen for its count
}

// ask records a gate and gives its answer.
func (a *answer) ask(name string, left float64, op string, right float64, unit string) bool {
	g := newGate(name, left, op, right, unit)
	a.Gates = append(a.Gates, g)
	return g.Holds
}

// decide makes the decision of one turn. It leaves the stamps as they are.
func (q question) decide() Decision {
	a := &answer{question: q}
	a.measure()
	over := a.ask("over-limit", a.ContextUsage, ">=", a.config.Nudge.MaxContextLimitPct, "share")
	emergency := a.ask("emergency", a.ContextUsage, ">=", a.config.Nudge.EmergencyThresholdPct, "share")
	a.Band = BandNormal
	switch {
	case emergency:
		a.Band = BandEmergency
	case over:
		a.Band = BandOverLimit
	}
	a.FirstSight = a.firstSight()
	a.NextSlot = a.nextSlot()
	switch {
	case a.Band != BandNormal:
		a.underPressure()
	case a.mayGrow():
		a.byGrowth()
	default:
		a.Order = OrderNone
	}
	a.ShouldInject = a.Tier != 0
	a.explain()
	a.report(over, emergency)
	return a.Decision
}

// measure works out the quantities that every path shares.
func (a *answer) measure() {
	n, limit := &a.config.Nudge, float64(a.config.ModelContextLimit)
	if limit > 0 {
		a.ContextUsage = a.used / limit
	}
	a.step, a.floor = a.config.StepAndFloor()
	mass := roundJS(a.step * multiplier(n))
	a.Threshold = [4]float64{0, a.step, mass, mass}
	if t := n.TierGrowthTokens; t != nil {
		for tier, own := range []*float64{nil, t.T1, t.T2, t.T3} {
			if own != nil {
				a.Threshold[tier] = *own
			}
		}
	}
	a.benefit = math.Max(5000, roundJS(limit*0.01))
	if n.MinPressureBenefitTokens != nil {
		a.benefit = *n.MinPressureBenefitTokens
	}
	a.Breakdown.GrowthReference, a.GrowthSourceStamp = a.used, "now"
	switch {
	case a.stamps.Shown > 0:
		a.Breakdown.GrowthReference, a.GrowthSourceStamp = float64(a.stamps.Shown), "shown"
	case a.stamps.Baseline > 0:
		a.Breakdown.GrowthReference, a.GrowthSourceStamp = float64(a.stamps.Baseline), "baseline"
	}
	a.growth = a.used - a.Breakdown.GrowthReference
	p := a.pending
	a.byTier = [4]float64{0, float64(p.T1), float64(p.T2), float64(p.T3)}
	a.counts = [4]int{0, 0, p.C2, p.C3}
	a.triggers = [4]int{0, 0, a.config.Tiers.Tier2Trigger, a.config.Tiers.Tier3Trigger}
	for tier := 2; tier <= 3; tier++ {
		a.countReady[tier] = a.counts[tier] >= a.triggers[tier]
	}
	a.max = math.Max(0, math.Max(a.byTier[1], math.Max(a.byTier[2], a.byTier[3])))
}

// StepAndFloor gives the growth threshold and the minimum growth between
// nudges, in tokens. The floor may be fractional.
func (c *Config) StepAndFloor() (step, floor float64) {
	n := &c.Nudge
	step = n.GrowthFloor
	if c.ModelContextLimit > 0 {
		step = math.Min(n.GrowthCap, math.Max(n.GrowthFloor, roundJS(float64(c.ModelContextLimit)*n.GrowthRatio)))
	}
	return step, math.Max(n.MinGrowthFloor, n.MinGrowthRatio*step)
}

func multiplier(n *NudgeRules) float64 {
	if n.Tier2GrowthMultiplier == nil {
		return tier2Multiplier
	}
	return *n.Tier2GrowthMultiplier
}

// firstSight: a session met for the first time with much to fold need not
// grow first (acp-kernel #194).
func (a *answer) firstSight() bool {
	return a.ask("first sight: never shown", float64(a.stamps.Shown), "=", 0, "tokens") &&
		a.ask("first sight: no baseline", float64(a.stamps.Baseline), "=", 0, "tokens") &&
		a.ask("first sight: usage", a.ContextUsage, ">=", a.config.Nudge.MinContextLimitPct, "share") &&
		a.ask("first sight: mass", a.max, ">=", a.step, "tokens")
}

func (a *answer) mayGrow() bool {
	grown := a.ask("growth", a.growth, ">=", a.floor, "tokens")
	return a.FirstSight || grown
}

// gatePending is the gate that says no when nothing could be folded at all.
const gatePending = "pressure: something pending"

// gateTurn is the gate of the rotation.
const gateTurn = "rotation: T1 did not go last"

// underPressure takes the tier that reclaims most, if that is worth a rewrite
// (acp-kernel #198).
func (a *answer) underPressure() {
	a.Order = OrderMost
	best := Tier(1)
	for tier := Tier(2); tier <= 3 && a.config.Tiers.Enabled; tier++ {
		if a.byTier[tier] > a.byTier[best] {
			best = tier
		}
	}
	if a.ask(gatePending, a.byTier[best], ">", 0, "tokens") &&
		a.ask("pressure: benefit", a.byTier[best], ">=", a.benefit, "tokens") {
		a.Tier = best
	}
}

// byGrowth lets the tiers take turns where a count trigger is met
// (acp-kernel #509), and else asks one tier after the other.
func (a *answer) byGrowth() {
	pool := a.pool()
	a.Order = OrderCascade
	if len(pool) > 0 {
		a.Order = OrderRotation
	}
	first := a.ask("T1 mass", a.byTier[1], ">=", a.Threshold[1], "tokens")
	switch {
	case len(pool) > 0:
		if first && a.ask(gateTurn, float64(a.stamps.LastInjectedTier), "!=", 1, "tier") {
			a.Tier = 1
			return
		}
		a.Tier, a.byCount = a.oldest(pool), true
	case first:
		a.Tier = 1
	case !a.config.Tiers.Enabled:
	case a.ready(2):
		a.injectIfDue(2)
	case a.ready(3):
		a.injectIfDue(3)
	}
}

// pool are the tiers above the first that are ready by count and due.
func (a *answer) pool() []Tier {
	if !a.ask("tiers enabled", truth(a.config.Tiers.Enabled), "=", 1, "yes/no") {
		return nil
	}
	var pool []Tier
	for tier := Tier(2); tier <= 3; tier++ {
		if a.askCount(tier) && a.due(tier) {
			pool = append(pool, tier)
		}
	}
	return pool
}

func (a *answer) askCount(tier Tier) bool {
	return a.ask(tierName(tier)+" count", float64(a.counts[tier]), ">=", float64(a.triggers[tier]), "blocks")
}

// due is the cadence: the tier was never shown, or the context grew by the
// floor since.
func (a *answer) due(tier Tier) bool {
	stamp := float64(a.stamps.ShownByTier[tier])
	if stamp == 0 {
		return a.ask(tierName(tier)+" cadence: never shown", stamp, "=", 0, "tokens")
	}
	return a.ask(tierName(tier)+" cadence", a.used-stamp, ">=", a.floor, "tokens")
}

func (a *answer) oldest(pool []Tier) Tier {
	best := pool[0]
	for _, tier := range pool[1:] {
		if a.stamps.ShownByTier[tier] < a.stamps.ShownByTier[best] {
			best = tier
		}
	}
	return best
}

// ready asks whether a tier has the count, or the mass and more than the
// tiers below it.
func (a *answer) ready(tier Tier) bool {
	if a.countReady[tier] {
		a.byCount = true
		return true
	}
	if !a.ask(tierName(tier)+" mass", a.byTier[tier], ">=", a.Threshold[tier], "tokens") {
		return false
	}
	for below := tier - 1; below >= 1; below-- {
		if !a.ask(tierName(tier)+" mass above "+tierName(below), a.byTier[tier], ">", a.byTier[below], "tokens") {
			return false
		}
	}
	return true
}

func (a *answer) injectIfDue(tier Tier) {
	if a.due(tier) {
		a.Tier = tier
	}
}

// nextSlot is the tier whose turn it is in the rotation, whether or not the
// growth gate is open; 0 when no tier is ready. What it asks is kept apart.
func (a *answer) nextSlot() Tier {
	gates := a.Gates
	defer func() { a.Gates = gates; a.byCount = false; a.Tier = 0 }()
	a.Gates = nil
	a.byGrowth()
	a.SlotGates, a.SlotOrder = a.Gates, a.Order
	return a.Tier
}
