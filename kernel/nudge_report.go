package kernel

import "math"

// report fills in the numbers under the reference's names.
func (a *answer) report(over, emergency bool) {
	b := &a.Breakdown
	b.Usage, b.Growth = a.ContextUsage, a.growth
	b.NudgeGrowthTokens, b.GrowthFloor = a.step, a.floor
	b.EffectiveThreshold = a.step
	if a.stamps.Shown > 0 {
		b.HasPendingNudge = 1
		b.EffectiveThreshold = math.Floor(a.step / 2)
	}
	for _, tier := range a.eligible() {
		a.Ready[tier] = a.massReady(tier) || a.countReady[tier]
	}
	for tier := Tier(1); tier <= 3; tier++ {
		a.Tiers[tier] = a.line(tier)
	}
	b.OverLimit, b.EmergencyOverride = int(truth(over)), int(truth(emergency))
	b.MinPressureBenefit = a.benefit
	b.PendingT1, b.PendingT2, b.PendingT3 = a.pending.T1, a.pending.T2, a.pending.T3
	b.MaxPending = Tokens(a.max)
	a.TokensToNudge = math.Max(0, a.floor-a.growth)
	if a.FirstSight || a.Band != BandNormal {
		a.TokensToNudge = 0
	}
}

// line is what the decision knew of a tier.
func (a *answer) line(tier Tier) TierLine {
	l := TierLine{
		Tier: tier, On: tier == 1 || a.config.Tiers.Enabled, Pending: Tokens(a.byTier[tier]), Threshold: a.Threshold[tier],
		Blocks: a.counts[tier], Trigger: a.triggers[tier], Own: a.pinned(tier), Shown: a.stamps.ShownByTier[tier],
		MassReady: a.massReady(tier), CountReady: a.countReady[tier],
	}
	if l.Shown > 0 {
		l.Since = a.used - float64(l.Shown)
	}
	return l
}

func truth(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

func tierName(t Tier) string { return "T" + num(float64(t)) }

// stamp leaves the traces of a decision. A context that fell by more than a
// step below either stamp starts growth anew (acp-kernel #478).
func (n NudgeState) stamp(used Tokens, step float64, inject Tier) NudgeState {
	fell := func(stamp Tokens) bool { return stamp > 0 && float64(used) < float64(stamp)-step }
	if fell(n.Baseline) || fell(n.Shown) {
		n.Baseline, n.Shown, n.ShownByTier = used, 0, TierStamps{}
	}
	if n.Baseline == 0 {
		n.Baseline = used
	}
	if inject != 0 {
		n.Shown, n.LastInjectedTier = used, inject
		n.ShownByTier[inject] = used
	}
	return n
}

// afterFold is the stamps after a call that made a block.
func (n NudgeState) afterFold() NudgeState {
	n.Baseline, n.Shown, n.ShownByTier = 0, 0, TierStamps{}
	return n
}
