package kernel

import (
	"math"
	"slices"
	"testing"
)

func TestValidateSaysWhatMakesNoSense(t *testing.T) {
	number := func(x float64) *float64 { return &x }
	below := -1
	tests := []struct {
		name   string
		change func(*Config)
		want   []string
	}{
		{"the defaults", func(*Config) {}, nil},
		{"equal limits", func(c *Config) {
			c.Nudge.MinContextLimitPct, c.Nudge.MaxContextLimitPct, c.Nudge.EmergencyThresholdPct = 0.8, 0.8, 0.8
		}, nil},
		{"a threshold of 1", func(c *Config) { c.Truncate.Threshold = 1 }, nil},
		{"everything at once", func(c *Config) {
			c.ModelContextLimit = 0
			c.Nudge.MinContextLimitPct, c.Nudge.MaxContextLimitPct, c.Nudge.EmergencyThresholdPct = 0.9, 0.8, 0.7
			c.Nudge.MinPressureBenefitTokens = number(-1)
			c.PromotionThreshold = 0
			c.Truncate.Threshold = 0
			c.Truncate.TerminalEscapeAfter = &below
			c.Tiers.Tier2Trigger, c.Tiers.Tier3Trigger = 0, 0
			c.Nudge.TierGrowthTokens = &TierGrowthTokens{T1: number(0.5), T2: number(1), T3: number(math.Inf(1))}
		}, []string{
			"modelContextLimit must be a positive number",
			"nudge.minContextLimitPct must not exceed nudge.maxContextLimitPct",
			"nudge.maxContextLimitPct must not exceed nudge.emergencyThresholdPct",
			"nudge.minPressureBenefitTokens must be finite and >= 0",
			"promotionThreshold must be >= 1",
			"truncate.threshold must be in (0, 1]",
			"truncate.terminalEscapeAfter must be an integer >= 0",
			"tier triggers must be >= 1",
			"tier triggers must be >= 1",
			"tiers.tier3Trigger must be greater than tiers.tier2Trigger",
			"nudge.tierGrowthTokens.t1 must be a positive number",
			"nudge.tierGrowthTokens.t3 must be a positive number",
		}},
		{"a threshold above 1", func(c *Config) { c.Truncate.Threshold = 1.01 }, []string{"truncate.threshold must be in (0, 1]"}},
		{"a benefit that is no number", func(c *Config) { c.Nudge.MinPressureBenefitTokens = number(math.NaN()) }, []string{"nudge.minPressureBenefitTokens must be finite and >= 0"}},
		{"equal triggers", func(c *Config) { c.Tiers.Tier3Trigger = c.Tiers.Tier2Trigger }, []string{"tiers.tier3Trigger must be greater than tiers.tier2Trigger"}},
	}
	for _, test := range tests {
		c := Default(200000)
		test.change(&c)
		if got := Validate(c); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}
