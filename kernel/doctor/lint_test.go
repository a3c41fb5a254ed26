package doctor_test

import (
	"strings"
	"testing"

	"ctxscope/kernel"
	"ctxscope/kernel/doctor"
)

func with(limit kernel.Tokens, change func(c *kernel.Config)) kernel.Config {
	c := kernel.Default(limit)
	change(&c)
	return c
}

func set(x float64) *float64 { return &x }

func TestUsualSettingsHaveNoFault(t *testing.T) {
	for _, limit := range []kernel.Tokens{0, 100_000, 128_000, 200_000, 400_000, 1_000_000, 2_000_000} {
		for _, f := range doctor.Lint(kernel.Default(limit), doctor.Session{}) {
			t.Errorf("window %v: %s: %s", limit, f.Code, f.What)
		}
	}
	host := with(200_000, func(c *kernel.Config) { c.Nudge.GrowthFloor, c.Nudge.GrowthCap = 100_000, 100_000 })
	if f := doctor.Lint(host, doctor.Session{Counter: "o200k"}); len(f) > 0 {
		t.Errorf("a host's larger step: %+v", f)
	}
}

func TestLintNamesTheFault(t *testing.T) {
	cases := []struct {
		name   string
		config kernel.Config
		code   string
		says   string
	}{
		{"a step that the window does not hold", kernel.Default(60_000), doctor.GateNever, "T1 asks for 50,000 tokens in batches, and the over-limit band begins at 45,000"},
		{"a higher tier that the window cannot hold", kernel.Default(70_000), doctor.GateNever, "T2 and T3 can never be asked for by mass: that takes 75,000"},
		{"a higher tier that was set too high", with(200_000, func(c *kernel.Config) { c.Nudge.TierGrowthTokens = &kernel.TierGrowthTokens{T3: set(160_000)} }), doctor.GateNever, "T3 can never be asked for by mass: that takes 160,000"},
		{"growth between nudges that does not fit", with(60_000, func(c *kernel.Config) { c.Nudge.MinGrowthFloor = 50_000 }), doctor.GateNever, "must grow by 50,000"},
		{"a benefit above the window", with(200_000, func(c *kernel.Config) { c.Nudge.MinPressureBenefitTokens = set(300_000) }), doctor.GateNever, "a fold must free 300,000 tokens"},
		{"a minimum above everything, in chars", with(200_000, func(c *kernel.Config) { c.Compress.MinCompressRange = 700_000 }), doctor.GateNever, "asks for 700,000 chars, and about 600,000 fit"},
		{"a minimum above everything, in tokens", with(200_000, func(c *kernel.Config) { c.Compress.MinCompressRange, c.GateUnit = 150_000, kernel.GateTokens }), doctor.GateNever, "asks for 150,000 tokens"},
		{"a band above the window", with(200_000, func(c *kernel.Config) { c.Nudge.MaxContextLimitPct, c.Nudge.EmergencyThresholdPct = 1.2, 1.3 }), doctor.GateNever, "over-limit band begins at 120 %"},
		{"bands in the wrong order", with(200_000, func(c *kernel.Config) { c.Nudge.EmergencyThresholdPct = 0.6 }), doctor.ConfigInvalid, "nudge.maxContextLimitPct must not exceed nudge.emergencyThresholdPct"},
		{"first sight above the limit", with(200_000, func(c *kernel.Config) { c.Nudge.MinContextLimitPct = 0.9 }), doctor.ConfigInvalid, "nudge.minContextLimitPct must not exceed"},
		{"summaries that cannot be", with(200_000, func(c *kernel.Config) { c.Compress.MinSummaryLength, c.Compress.MaxSummaryLength = 500, 200 }), doctor.SettingConflict, "Every summary is refused"},
		{"a floor above the cap", with(200_000, func(c *kernel.Config) { c.Nudge.GrowthFloor = 60_000 }), doctor.SettingConflict, "the cap wins"},
		{"a benefit above the step", with(200_000, func(c *kernel.Config) { c.Nudge.MinPressureBenefitTokens = set(60_000) }), doctor.SettingConflict, "Under pressure a nudge asks for more (60,000"},
		{"cutting before asking", with(200_000, func(c *kernel.Config) { c.Truncate.Threshold = 0.5 }), doctor.SettingConflict, "Outputs are cut from 50 %"},
		{"a zone that takes everything", with(200_000, func(c *kernel.Config) { c.PreserveRecentTokens = 160_000 }), doctor.SettingConflict, "The recent zone keeps 160,000"},
		{"all tools protected", with(200_000, func(c *kernel.Config) { c.ProtectedTools = []string{"*"} }), doctor.SettingConflict, "protectedTools"},
		{"the minimum of the other unit", with(200_000, func(c *kernel.Config) { c.GateUnit = kernel.GateTokens }), doctor.SettingConflict, "5,000"},
		{"an empty band", with(200_000, func(c *kernel.Config) { c.Nudge.MaxContextLimitPct = 0.95 }), doctor.SettingShadowed, "band is empty"},
		{"a first sight that is too late", with(200_000, func(c *kernel.Config) { c.Nudge.MinContextLimitPct = 0.75 }), doctor.SettingShadowed, "met at first sight"},
		{"a floor above the mass", with(200_000, func(c *kernel.Config) { c.Nudge.TierGrowthTokens = &kernel.TierGrowthTokens{T1: set(10_000)} }), doctor.SettingShadowed, "must grow by 22,500 first"},
		{"a ratio that is clamped", with(200_000, func(c *kernel.Config) { c.Nudge.GrowthRatio = 0.2 }), doctor.SettingShadowed, "nudge.growthRatio has no effect"},
		{"triggers of tiers that are off", with(200_000, func(c *kernel.Config) { c.Tiers.Enabled, c.Tiers.Tier2Trigger = false, 5 }), doctor.SettingShadowed, "tiers.enabled is false"},
		{"a multiplier that is pinned over", with(200_000, func(c *kernel.Config) {
			c.Nudge.TierGrowthTokens, c.Nudge.Tier2GrowthMultiplier = &kernel.TierGrowthTokens{T2: set(60_000), T3: set(60_000)}, set(3)
		}), doctor.SettingShadowed, "tier2GrowthMultiplier has no effect"},
		{"what no rule reads", with(200_000, func(c *kernel.Config) { c.Nudge.Frequency, c.Nudge.Force = 2, "hard" }), doctor.SettingUnread, "nudge.frequency is set to 2"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			findings := doctor.Lint(c.config, doctor.Session{})
			for _, f := range findings {
				if f.Code == c.code && strings.Contains(strings.Join(append(f.Details, f.What), "\n"), c.says) {
					return
				}
			}
			t.Errorf("want %s that says %q, got %+v", c.code, c.says, findings)
		})
	}
}

func TestATokenGateWantsTheHostsCounter(t *testing.T) {
	c := with(200_000, func(c *kernel.Config) { c.Compress.MinCompressRange, c.GateUnit = 1250, kernel.GateTokens })
	for counter, want := range map[string]int{"": 0, "estimate": 0, "o200k": 1} {
		if got := len(doctor.Lint(c, doctor.Session{Counter: counter})); got != want {
			t.Errorf("counter %q: %d findings, want %d", counter, got, want)
		}
	}
}

func TestAnUnknownWindowIsNoFault(t *testing.T) {
	c := with(0, func(c *kernel.Config) { c.Nudge.Frequency = 7 })
	if f := doctor.Lint(c, doctor.Session{}); len(f) != 1 || f[0].Code != doctor.SettingUnread {
		t.Errorf("got %+v", f)
	}
}
