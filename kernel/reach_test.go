package kernel

import "testing"

func TestGrowthIsOutOfReachWhereTheWindowIsTooSmallForAStep(t *testing.T) {
	small := 20000.0
	tests := []struct {
		name   string
		config Config
		want   bool
	}{
		{"a window of 200,000 holds a step of 50,000", Default(200000), false},
		{"a window of 50,000 does not", Default(50000), true},
		{"nor does one whose limit is the step exactly", func() Config {
			c := Default(100000)
			c.Nudge.MaxContextLimitPct = 0.5
			return c
		}(), true},
		{"a threshold of its own brings it back", func() Config {
			c := Default(50000)
			c.Nudge.TierGrowthTokens = &TierGrowthTokens{T1: &small}
			return c
		}(), false},
		{"of an unknown window nothing is said", Default(0), false},
	}
	for _, test := range tests {
		if got := test.config.GrowthOutOfReach(); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}
