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
	return c.ModelContextLimit > 0 && mass >= c.BandStart(BandOverLimit)
}

// BandStart is the context size from which on a band holds, in tokens with
// their fraction; 0 for the normal band, and for any without a window.
func (c *Config) BandStart(b Band) float64 {
	share := map[Band]float64{BandOverLimit: c.Nudge.MaxContextLimitPct, BandEmergency: c.Nudge.EmergencyThresholdPct}[b]
	return share * float64(max(c.ModelContextLimit, 0))
}
