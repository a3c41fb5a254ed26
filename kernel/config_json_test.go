package kernel

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

func TestParseConfigLaysSettingsOverTheDefaults(t *testing.T) {
	const data = `{
		"op": "config",
		"modelContextLimit": 2e5,
		"tiers": {"tier2Trigger": 5},
		"nudge": {"growthFloor": 6660.5, "force": "hard", "tierGrowthTokens": {"t2": 9000}, "minPressureBenefitTokens": 0, "tier2GrowthMultiplier": null},
		"truncate": {"terminalEscapeAfter": 0},
		"compress": {"minCompressRange": 1250},
		"gateUnit": "tokens",
		"protectedTools": ["skill", "mcp__*"],
		"neverPreserveRecentTools": [],
		"preserveRecentMessages": 0
	}`
	want := Default(200000)
	zero, escape, t2 := 0.0, 0, 9000.0
	want.Tiers.Tier2Trigger = 5
	want.Nudge.GrowthFloor = 6660.5
	want.Nudge.Force = "hard"
	want.Nudge.TierGrowthTokens = &TierGrowthTokens{T2: &t2}
	want.Nudge.MinPressureBenefitTokens = &zero
	want.Nudge.Tier2GrowthMultiplier = nil
	want.Truncate.TerminalEscapeAfter = &escape
	want.Compress.MinCompressRange = 1250
	want.GateUnit = GateTokens
	want.ProtectedTools = []string{"skill", "mcp__*"}
	want.NeverPreserveRecentTools = &[]string{}
	want.PreserveRecentMessages = 0

	base := Default(100000)
	base.ProtectedTools = []string{"task"}
	got, problems := ParseConfig([]byte(data), base)
	if !reflect.DeepEqual(got, want) || len(problems) > 0 {
		t.Errorf("got %+v\nwant %+v\nproblems %v", got, want, problems)
	}
	if *base.Nudge.Tier2GrowthMultiplier != 1.5 || *base.Truncate.TerminalEscapeAfter != 3 || base.ProtectedTools[0] != "task" {
		t.Error("the base was changed")
	}
}

func TestParseConfigReplacesTheThresholdsByTier(t *testing.T) {
	first, _ := ParseConfig([]byte(`{"nudge":{"tierGrowthTokens":{"t1":1000}}}`), Default(1))
	second, problems := ParseConfig([]byte(`{"nudge":{"tierGrowthTokens":{"t2":2000}}}`), first)
	growth := second.Nudge.TierGrowthTokens
	if growth.T1 != nil || *growth.T2 != 2000 || *first.Nudge.TierGrowthTokens.T1 != 1000 || len(problems) > 0 {
		t.Errorf("got %+v, %v", growth, problems)
	}
}

func TestParseConfigNamesWhatItCannotTake(t *testing.T) {
	const data = `{
  "modelContextLimit": "200000",
  "promotionThreshold": 2.5,
  "growthFloor": 1,
  "nudge": {
    "growthCap": true,
    "frequency":
      null,
    "protectedTools": [],
    "tierGrowthTokens": {"t1": 5, "t4": 6, "t2": "x"}, "force": 3
  },
  "tiers": [1], "compress": {"minCompressRange": 1e999, "maxSummaryLength": 1e300},
  "protectedTools": ["a", 1], "preserveRecentTools": "read",
  "crush": {"enabled": true},
  "gateUnit": "words",
  "Truncate": {},
  "preserveRecentTokens": 7
}`
	got, problems := ParseConfig([]byte(data), Default(1000))
	var lines []string
	for _, p := range problems {
		lines = append(lines, fmt.Sprintf("%d: %s", p.Line, p.Reason))
	}
	want := []string{
		`2: modelContextLimit is a string, want a number`,
		`3: promotionThreshold is 2.5, want a whole number`,
		`4: unknown key "growthFloor", it belongs into "nudge"`,
		`6: nudge.growthCap is true or false, want a number`,
		`7: nudge.frequency is null, want a number`,
		`9: unknown key "nudge.protectedTools", it stands outside of the groups`,
		`10: unknown key "nudge.tierGrowthTokens.t4"`,
		`10: nudge.tierGrowthTokens.t2 is a string, want a number`,
		`10: nudge.force is a number, want a string`,
		`12: tiers is a list, want an object`,
		`12: compress.minCompressRange is out of range`,
		`12: compress.maxSummaryLength is out of range`,
		`13: protectedTools holds something that is not a string, want a list of strings`,
		`13: preserveRecentTools is a string, want a list of strings`,
		`14: crush is not used by ctxscope`,
		`15: gateUnit is "words", want "chars" or "tokens"`,
		`16: unknown key "Truncate"`,
	}
	if a, b := strings.Join(lines, "\n"), strings.Join(want, "\n"); a != b {
		t.Errorf("got\n%s\nwant\n%s", a, b)
	}
	five := 5.0
	wanted := Default(1000)
	wanted.Nudge.TierGrowthTokens = &TierGrowthTokens{T1: &five}
	wanted.PreserveRecentTokens = 7
	if !reflect.DeepEqual(got, wanted) {
		t.Errorf("got %+v\nwant %+v", got, wanted)
	}
}

func TestParseConfigTakesNothingFromWhatIsNoObject(t *testing.T) {
	for data, want := range map[string]ConfigProblem{
		"":                  {1, "the configuration is empty, want a JSON object"},
		" \n\n":             {3, "the configuration is empty, want a JSON object"},
		"\n[1]":             {2, "the configuration is not a JSON object"},
		"{\n\"nudge\": {,}": {2, "the configuration is not JSON: invalid character ',' looking for beginning of object key string"},
		"{\n":               {2, "the configuration is not JSON: unexpected end of JSON input"},
		"{}\n{}":            {2, "the configuration is not JSON: invalid character '{' after top-level value"},
	} {
		got, problems := ParseConfig([]byte(data), Default(5))
		if len(problems) != 1 || problems[0] != want || !reflect.DeepEqual(got, Default(5)) {
			t.Errorf("%q: %v", data, problems)
		}
	}
}

func FuzzParseConfig(f *testing.F) {
	f.Add([]byte(`{"nudge":{"growthFloor":1,"tierGrowthTokens":{"t1":2}},"protectedTools":["a"],"x":null}`))
	f.Add([]byte("{\"tiers\":{\"enabled\":false},\n\"tiers\":3}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		_, problems := ParseConfig(data, Default(200000))
		last := 1
		for _, p := range problems {
			if p.Line < last || p.Line > 1+strings.Count(string(data), "\n") || p.Reason == "" {
				t.Fatalf("problem %+v", p)
			}
			last = p.Line
		}
	})
}

func TestManyConfigProblemsAreCountedInOnePass(t *testing.T) {
	const keys = 100_000
	var text strings.Builder
	text.WriteString("{")
	for i := range keys {
		fmt.Fprintf(&text, "\n\"k%d\": 1,", i)
	}
	text.WriteString("\n\"last\": 1}")
	_, problems := ParseConfig([]byte(text.String()), Default(0))
	if len(problems) != keys+1 || problems[keys].Line != keys+2 {
		t.Errorf("%d problems, the last %+v; want %d, the last on line %d", len(problems), problems[len(problems)-1], keys+1, keys+2)
	}
}
