package kernel

import "math"

// Validate says what in a configuration makes no sense, in the reference's
// sentences and order. The kernel decides with it all the same.
func Validate(c Config) []string {
	var found []string
	check := func(wrong bool, sentence string) {
		if wrong {
			found = append(found, sentence)
		}
	}
	n, t := &c.Nudge, &c.Tiers
	check(c.ModelContextLimit <= 0, "modelContextLimit must be a positive number")
	check(n.MinContextLimitPct > n.MaxContextLimitPct, "nudge.minContextLimitPct must not exceed nudge.maxContextLimitPct")
	check(n.MaxContextLimitPct > n.EmergencyThresholdPct, "nudge.maxContextLimitPct must not exceed nudge.emergencyThresholdPct")
	benefit := n.MinPressureBenefitTokens
	check(benefit != nil && (!isFinite(*benefit) || *benefit < 0), "nudge.minPressureBenefitTokens must be finite and >= 0")
	check(c.PromotionThreshold < 1, "promotionThreshold must be >= 1")
	check(c.Truncate.Threshold <= 0 || c.Truncate.Threshold > 1, "truncate.threshold must be in (0, 1]")
	escape := c.Truncate.TerminalEscapeAfter
	check(escape != nil && *escape < 0, "truncate.terminalEscapeAfter must be an integer >= 0")
	check(t.Tier2Trigger < 1, "tier triggers must be >= 1")
	check(t.Tier3Trigger < 1, "tier triggers must be >= 1")
	check(t.Tier3Trigger <= t.Tier2Trigger, "tiers.tier3Trigger must be greater than tiers.tier2Trigger")
	if g := n.TierGrowthTokens; g != nil {
		for _, entry := range []struct {
			key   string
			value *float64
		}{{"t1", g.T1}, {"t2", g.T2}, {"t3", g.T3}} {
			wrong := entry.value != nil && (!isFinite(*entry.value) || *entry.value < 1)
			check(wrong, "nudge.tierGrowthTokens."+entry.key+" must be a positive number")
		}
	}
	return found
}

func isFinite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
