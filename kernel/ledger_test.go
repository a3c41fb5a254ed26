package kernel

import "testing"

func TestAGateSaysWhatWouldFlipIt(t *testing.T) {
	gate := func(left float64, op string, right float64, unit string) Gate {
		return newGate("", left, op, right, unit)
	}
	tests := []struct {
		name  string
		gate  Gate
		limit Tokens
		want  string
	}{
		{"too little", gate(18290, ">=", 22500, "tokens"), 0, "18,290 of 22,500 tokens: 4,210 to go"},
		{"just enough", gate(22500, ">=", 22500, "tokens"), 0, "22,500 of 22,500 tokens: 0 to spare"},
		{"a context that shrank", gate(-70000, ">=", 22500, "tokens"), 0, "−70,000 of 22,500 tokens: 92,500 to go"},
		{"fractions", gate(2700, ">=", 2700.5, "tokens"), 0, "2,700 of 2,700.5 tokens: 0.5 to go"},
		{"a share in tokens", gate(0.59145, ">=", 0.75, "share"), 200000, "59.1 % of 75.0 %: 31,710 tokens to go"},
		{"a share that is met", gate(0.76, ">=", 0.75, "share"), 200000, "76.0 % of 75.0 %: 2,000 tokens to spare"},
		{"a share of an unknown window", gate(0.5, ">=", 0.75, "share"), 0, "50.0 % of 75.0 %: 25.0 % to go"},
		{"more than", gate(0, ">", 0, "tokens"), 0, "0 tokens, must be more than 0"},
		{"more than, met", gate(90, ">", 30, "tokens"), 0, "90 tokens, more than 30: 60 to spare"},
		{"a stamp that is not there", gate(0, "=", 0, "tokens"), 0, "none"},
		{"a stamp that is there", gate(100000, "=", 0, "tokens"), 0, "100,000 tokens, would have to be 0"},
		{"a switch", gate(0, "=", 1, "yes/no"), 0, "no"},
		{"another tier went last", gate(2, "!=", 1, "tier"), 0, "T2, anything but T1"},
		{"no tier went last", gate(0, "!=", 1, "tier"), 0, "none, anything but T1"},
		{"the same tier went last", gate(1, "!=", 1, "tier"), 0, "T1, would have to be another"},
		{"blocks", gate(4, ">=", 1000, "blocks"), 0, "4 of 1,000 blocks: 996 to go"},
	}
	for _, test := range tests {
		if got := test.gate.Says(test.limit); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

func TestCommasStandBetweenThousandsOnly(t *testing.T) {
	for number, want := range map[string]string{
		"": "", "999": "999", "1000": "1,000", "1234567": "1,234,567", "0.1234": "0.1234", "118290.5000": "118,290.5000",
		"-999": "-999", "-1563": "-1,563", "−118290": "−118,290", "+Inf": "+Inf", "NaN": "NaN",
	} {
		if got := Commas(number); got != want {
			t.Errorf("%s becomes %s, want %s", number, got, want)
		}
	}
}

func TestTheLedgerSaysWhoseTurnItIsAndWhy(t *testing.T) {
	config := Default(200000)
	config.Tiers.Tier2Trigger, config.Tiers.Tier3Trigger = 5, 6
	ask := func(p Pending, s NudgeState) Ledger {
		d := question{&config, 100000, s, p}.decide()
		return New(config, nil).Ledger(&d)
	}
	tests := []struct {
		name    string
		pending Pending
		stamps  NudgeState
		next    Tier
		says    string
	}{
		{"nothing is ready", Pending{T1: 100}, NudgeState{}, 0, "no tier holds what it asks for"},
		{"T1 alone", Pending{T1: 60000}, NudgeState{}, 1, "T1 holds its threshold"},
		{"T1 in a rotation", Pending{T1: 60000, C2: 22}, NudgeState{LastInjectedTier: 2}, 1, "T1 holds its threshold and did not go last"},
		{"T1 went last", Pending{T1: 60000, C2: 22}, NudgeState{LastInjectedTier: 1}, 2, "T1 went last, and of the tiers that are ready by count T2 waits longest"},
		{"T1 is not ready", Pending{C2: 22, C3: 22}, NudgeState{ShownByTier: TierStamps{2: 60000, 3: 50000}}, 3, "T1 does not hold its threshold, and of the tiers that are ready by count T3 waits longest"},
		{"by mass", Pending{T2: 80000}, NudgeState{}, 2, "the tiers before it do not hold what they ask for, T2 does"},
	}
	for _, test := range tests {
		if l := ask(test.pending, test.stamps); l.NextSlot != test.next || l.SlotSays != test.says {
			t.Errorf("%s: %d, %q, want %d, %q", test.name, int(l.NextSlot), l.SlotSays, int(test.next), test.says)
		}
	}
}

func TestTheLedgerListsWhatNoRuleReads(t *testing.T) {
	config := Default(200000)
	d := question{&config, 100000, NudgeState{Shown: 90000}, Pending{}}.decide()
	unused := map[string]string{}
	for _, u := range New(config, nil).Ledger(&d).Unused {
		unused[u.Name] = u.Value
	}
	want := map[string]string{
		"nudge.frequency": "5", "nudge.iterationThreshold": "15", "nudge.force": "soft",
		"effectiveThreshold": "25,000 tokens (half of the step, since a nudge is pending)",
	}
	for name, value := range want {
		if unused[name] != value {
			t.Errorf("%s is %q, want %q", name, unused[name], value)
		}
	}
}
