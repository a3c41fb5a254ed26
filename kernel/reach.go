package kernel

// GrowthOutOfReach reports whether growth alone can never lead to a tier-1
// nudge in this window: the tokens that tier 1 must hold are as many as the
// context holds where the over-limit band begins, so that only the bands
// nudge.
func (c *Config) GrowthOutOfReach() bool {
	mass, _ := c.StepAndFloor()
	if t := c.Nudge.TierGrowthTokens; t != nil && t.T1 != nil {
		mass = *t.T1
	}
	return c.ModelContextLimit > 0 && mass >= c.Nudge.MaxContextLimitPct*float64(c.ModelContextLimit)
}
