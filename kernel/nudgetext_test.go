package kernel

import (
	"slices"
	"strings"
	"testing"
)

func TestBreakdownLines(t *testing.T) {
	for want, b := range map[string]ContextBreakdown{
		"Context breakdown: 1.3K system | 999 tool | 12 summaries | 1.0K code | 7 text\n+22.5K since last nudge": {System: 1250, Tool: 999, Summaries: 12, Code: 1000, Text: 7, Growth: 22500},
		"Context breakdown: 500 tool":                         {Tool: 500, Growth: 0},
		"Context breakdown: 500 text":                         {Text: 500, Growth: -70000},
		"Context breakdown: 500 text\n+6.7K since last nudge": {Text: 500, Growth: 6660.3},
		"Context breakdown: ":                                 {},
	} {
		if got := breakdownLines(&b); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestRangeList(t *testing.T) {
	open := func(start, end string, place, count int, tokens Tokens, tool int) Range {
		return Range{StartRef: start, EndRef: end, StartIndex: place, EndIndex: place + count - 1, Count: count, Tokens: tokens, ToolPct: tool, TextPct: 100 - tool}
	}
	kept := func(start, end string, place, count int, tokens Tokens, tools ...string) ProtectedRange {
		return ProtectedRange{StartRef: start, EndRef: end, StartIndex: place, EndIndex: place + count - 1, Count: count, Tokens: tokens, Tools: tools}
	}
	withUsers := func(r Range, n int) Range { r.UserMsgs = n; return r }
	dangerous := func(r Range) Range { r.Dangerous = true; return r }
	for _, c := range []struct {
		name string
		open []Range
		kept []ProtectedRange
		want string
	}{
		{"nothing", nil, nil, "[No specific ranges detected — compress any consumed content.]"},
		{
			"a range",
			[]Range{open("m00001", "m00009", 0, 9, 1250, 83)},
			nil,
			"Compressible ranges (1, oldest first):\n  m00001–m00009  9 msgs  1.3K [tool 83% | text 17%]",
		},
		{
			"oldest first, by place",
			[]Range{open("m00020", "m00029", 19, 10, 900, 0), open("m00001", "m00009", 0, 9, 12500, 100)},
			nil,
			"Compressible ranges (2, oldest first):\n  m00001–m00009  9 msgs  12.5K [tool 100% | text 0%]\n  m00020–m00029  10 msgs  900 [tool 0% | text 100%]",
		},
		{
			"ranges that touch are one, with the shares of the first",
			[]Range{open("m00001", "m00003", 0, 3, 600, 67), withUsers(open("m00004", "m00006", 3, 3, 500, 0), 2)},
			nil,
			"Compressible ranges (1, oldest first):\n  m00001–m00006  6 msgs · 2 user msg(s)  1.1K [tool 67% | text 33%]",
		},
		{
			"protected alone", nil,
			[]ProtectedRange{kept("m00003", "m00006", 2, 4, 700, "compress", "skill")},
			"Compressible ranges (1, oldest first):\n  m00003–m00006  4 msgs  700 [PROTECTED: compress, skill — not compressible]",
		},
		{
			"both",
			[]Range{open("m00001", "m00002", 0, 2, 600, 50), open("m00005", "m00006", 4, 2, 400, 50)},
			[]ProtectedRange{kept("m00003", "m00004", 2, 2, 1400, "compress"), kept("m00007", "m00007", 6, 1, 10, "skill", "compress")},
			"Compressible ranges (1, oldest first):\n  m00001–m00007  7 msgs  2.4K [1.0K compressible | 1.4K protected: compress, skill]",
		},
		{
			"protected first, without tokens",
			[]Range{open("m00002", "m00003", 1, 2, 600, 50)},
			[]ProtectedRange{kept("m00001", "m00001", 0, 1, 0)},
			"Compressible ranges (1, oldest first):\n  m00001–m00003  3 msgs  600 [tool 0% | text 0%]",
		},
		{
			"refs in ascending order",
			[]Range{open("m00012", "m00009", 0, 2, 600, 50)},
			nil,
			"Compressible ranges (1, oldest first):\n  m00009–m00012  2 msgs  600 [tool 50% | text 50%]",
		},
		{
			"dangerous",
			[]Range{dangerous(open("m00001", "m00002", 0, 2, 600, 50))},
			nil,
			"Compressible ranges (1, oldest first):\n  m00001–m00002  2 msgs  600 [tool 50% | text 50%]  ⚠️ NOT recommended unless you are certain.",
		},
		{
			"without places the numbers order",
			[]Range{open("m00007", "m00008", noIndex, 2, 600, 50), open("m00002", "m00003", 5, 2, 500, 50)},
			nil,
			"Compressible ranges (2, oldest first):\n  m00002–m00003  2 msgs  500 [tool 50% | text 50%]\n  m00007–m00008  2 msgs  600 [tool 50% | text 50%]",
		},
	} {
		tools := asJSON(c.kept)
		if got := rangeList(c.open, c.kept); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
		if asJSON(c.kept) != tools {
			t.Errorf("%s: the protected ranges were changed", c.name)
		}
	}
}

func TestTargetListAndBlockMap(t *testing.T) {
	topic, empty := "set up the schema", ""
	one := Block{ID: "b3", Tier: 1, EffectiveMessageIDs: make([]string, 11), CompressedTokens: 19200, Summary: strings.Repeat("x", 3117), Topic: &topic}
	two := Block{ID: "b7", Tier: 1, EffectiveMessageIDs: make([]string, 1), CompressedTokens: 40, Summary: "🙂x", Topic: &empty}
	higher := Block{ID: "b9", Tier: 2}
	for want, targets := range map[string][]Block{
		"Target blocks: (none — no tier blocks found)\nExample: compress({ content: [{ startId: \"b1\", endId: \"b5\", summary: \"...\" }] })":                                                              nil,
		"Target tier-1 blocks to distill (2):\n  b3  11 msgs  19.2K→780  \"set up the schema\"\n  b7  1 msgs  40→1\nExample: compress({ content: [{ startId: \"b3\", endId: \"b7\", summary: \"...\" }] })": {one, two},
		"Target tier-2 blocks to distill (1):\n  b9  0 msgs  0→0\nExample: compress({ content: [{ startId: \"b9\", endId: \"b9\", summary: \"...\" }] })":                                                   {higher},
	} {
		if got := lines(targetList(targets), targetExample(targets)); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
	var spans []BlockSpan
	for i := range 10 {
		spans = append(spans, BlockSpan{BlockID: "b" + num(float64(i+1)), Tier: 1, StartRef: "m0000" + num(float64(i)), EndRef: "m0000" + num(float64(i))})
	}
	spans[9].Tier = 2
	if got, want := blockMap(spans[8:]), "Active blocks (2): b9=m00008–m00008 · b10=m00009–m00009 t2"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := blockMap(spans); !strings.HasPrefix(got, "Active blocks (10): +2 older · b3=m00002–m00002 · ") {
		t.Errorf("got %q", got)
	}
}

// sampleDecision is a decision for a tier and a band, with something on every
// list.
func sampleDecision(tier Tier, band Band) (Decision, []Block) {
	d := Decision{Tier: tier, Band: band}
	switch band {
	case BandOverLimit:
		d.Breakdown.OverLimit = 1
	case BandEmergency:
		d.Breakdown.OverLimit, d.Breakdown.EmergencyOverride = 1, 1
	}
	d.ContextBreakdown = ContextBreakdown{Tool: 90000, Text: 20000, Growth: 23000}
	d.Batches = ListOf(
		Range{StartRef: "m00003", EndRef: "m00009", Count: 7, Tokens: 21000, StartIndex: 2, EndIndex: 8, ToolPct: 80, TextPct: 20},
		Range{StartRef: "m00030", EndRef: "m00030", Count: 1, Tokens: 199, StartIndex: 29, EndIndex: 29},
	)
	d.ProtectedRanges = ListOf(ProtectedRange{StartRef: "m00020", EndRef: "m00021", Count: 2, Tokens: 400, Tools: []string{"compress"}, StartIndex: 19, EndIndex: 20})
	d.ActiveBlockSpans = []BlockSpan{{BlockID: "b1", Tier: 1, StartRef: "m00001", EndRef: "m00002"}}
	return d, []Block{{ID: "b1", Tier: max(1, tier-1), EffectiveMessageIDs: []string{"a", "b"}, CompressedTokens: 3000, Summary: strings.Repeat("s", 400)}}
}

const (
	sampleRanges    = "Compressible ranges (2, oldest first):\n  m00003–m00009  7 msgs  21.0K [tool 80% | text 20%]\n  m00020–m00021  2 msgs  400 [PROTECTED: compress — not compressible]"
	sampleBreakdown = "Context breakdown: 90.0K tool | 20.0K text\n+23.0K since last nudge"
	sampleMap       = "Active blocks (1): b1=m00001–m00002"
	sampleCall      = `Example: compress({ content: [{ startId: "b1", endId: "b1", summary: "..." }] })`
)

func TestFullTextsHaveTheirPartsInOrder(t *testing.T) {
	targets := func(tier string) string {
		return "Target tier-" + tier + " blocks to distill (1):\n  b1  2 msgs  3.0K→100"
	}
	for _, c := range []struct {
		tier Tier
		band Band
		kind NudgeKind
		want []string
	}{
		{1, BandNormal, NudgeGentle, []string{proseEfficiency, "", sampleBreakdown, "", proseHowTo, "", sampleRanges, "", sampleMap, "", proseOneCall}},
		{0, BandNormal, NudgeGentle, []string{proseEfficiency, "", sampleBreakdown, "", proseHowTo, "", sampleRanges, "", sampleMap, "", proseOneCall}},
		{1, BandOverLimit, NudgeEmergency, []string{proseEmergency, "", sampleBreakdown, "", proseHowTo, "", proseOlderFirst, "", sampleRanges, "", sampleMap, "", proseOneCall}},
		{1, BandEmergency, NudgeEmergency, []string{proseEmergency, "", sampleBreakdown, "", proseHowTo, "", proseOlderFirst, "", sampleRanges, "", sampleMap, "", proseOneCall}},
		{2, BandNormal, NudgeTier2, []string{proseEfficiency, "", sampleBreakdown, "", "[TIER 2 DISTILLATION TRIGGER]", proseTier2Guidance, targets("1"), sampleCall, "", proseHowTo, "", proseTier2Rules}},
		{2, BandOverLimit, NudgeTier2, []string{proseEfficiency, "", sampleBreakdown, "", "[EMERGENCY — TIER 2 DISTILLATION]" + proseUrgent, proseTier2Guidance, targets("1"), sampleCall, "", proseHowTo, "", proseTier2Rules}},
		{3, BandNormal, NudgeTier3, []string{proseEfficiency, "", sampleBreakdown, "", "[TIER 3 CONDENSATION TRIGGER]", proseTier3Guidance, targets("2"), sampleCall, "", proseHowTo, "", proseTier3Rules}},
		{3, BandEmergency, NudgeTier3, []string{proseEfficiency, "", sampleBreakdown, "", "[EMERGENCY — TIER 3 CONDENSATION]" + proseUrgent, proseTier3Guidance, targets("2"), sampleCall, "", proseHowTo, "", proseTier3Rules}},
	} {
		d, blocks := sampleDecision(c.tier, c.band)
		w := nudgeWriter{decision: &d, targets: blocks}
		if kind := kindOf(&d); kind != c.kind {
			t.Errorf("T%d %s is of kind %q, want %q", c.tier, c.band, kind, c.kind)
		}
		if got, want := w.full(c.kind), strings.Join(c.want, "\n"); got != want {
			t.Errorf("T%d %s:\n%s\nwant\n%s", c.tier, c.band, got, want)
		}
	}
}

func TestShortTextsKeepTheListAndAreShort(t *testing.T) {
	list := func(tail string) string {
		return sampleBreakdown + "\n" + tail + "\n" + proseGivenEarlier
	}
	first := `Example: compress({ content: [{ startId: "m00003", endId: "m00009", summary: "..." }] })`
	for _, c := range []struct {
		tier Tier
		band Band
		want string
	}{
		{1, BandNormal, list(sampleRanges + "\n" + first)},
		{1, BandEmergency, list(sampleRanges + "\n" + first)},
		{2, BandNormal, list("[TIER 2 DISTILLATION TRIGGER]\nTarget tier-1 blocks to distill (1):\n  b1  2 msgs  3.0K→100\n" + sampleCall)},
		{3, BandEmergency, list("[EMERGENCY — TIER 3 CONDENSATION]\nTarget tier-2 blocks to distill (1):\n  b1  2 msgs  3.0K→100\n" + sampleCall)},
	} {
		d, blocks := sampleDecision(c.tier, c.band)
		w := nudgeWriter{decision: &d, targets: blocks}
		kind := kindOf(&d)
		short, full := w.short(kind), w.full(kind)
		if want := prosePurpose[kind] + "\n" + c.want; short != want {
			t.Errorf("%s:\n%s\nwant\n%s", kind, short, want)
		}
		if s, f := Estimate(short), Estimate(full); s*4 > f {
			t.Errorf("%s: short is %v tokens of %v, more than a quarter", kind, s, f)
		}
	}
	d, _ := sampleDecision(1, BandNormal)
	d.Batches, d.ProtectedRanges = List[Range]{}, List[ProtectedRange]{}
	w := nudgeWriter{decision: &d}
	if got := w.short(NudgeGentle); strings.Contains(got, "Example:") || !strings.Contains(got, "[No specific ranges detected") {
		t.Errorf("without ranges:\n%s", got)
	}
}

func TestCandidatesStandInPlaceOfTheRanges(t *testing.T) {
	plan := Plan{Candidates: []Candidate{{Kind: Micro, StartRef: "m00004", EndRef: "m00005", MessageCount: 2, EstimatedTokens: 900, Label: "bash transaction"}}}
	d, _ := sampleDecision(1, BandNormal)
	w := nudgeWriter{decision: &d, plan: &plan}
	for _, text := range []string{w.full(NudgeGentle), w.short(NudgeGentle)} {
		if !strings.Contains(text, "\n"+plan.Text()+"\n") || strings.Contains(text, "Compressible ranges") {
			t.Errorf("candidates do not stand in the text:\n%s", text)
		}
	}
	if !strings.Contains(w.short(NudgeGentle), `startId: "m00004", endId: "m00005"`) {
		t.Error("the example is not the first candidate")
	}
	w.plan = &Plan{Failed: "no planner"}
	if !strings.Contains(w.full(NudgeGentle), sampleRanges) {
		t.Error("a failed plan does not fall back to the ranges")
	}
}

func TestRulesAreNamedByTheirWording(t *testing.T) {
	seen := map[string]NudgeKind{}
	for _, kind := range []NudgeKind{NudgeGentle, NudgeEmergency, NudgeTier2, NudgeTier3} {
		rules := rulesOf(kind)
		if other, known := seen[rules]; known || len(rules) != 16 {
			t.Errorf("the rules of %s are %q, as those of %q", kind, rules, other)
		}
		seen[rules] = kind
	}
	old := told{telling{NudgeRecord: NudgeRecord{Kind: NudgeGentle, Rules: "another wording"}}}
	if old.holds(NudgeGentle) {
		t.Error("rules in another wording still hold")
	}
}

// A host's compaction takes the rules away with everything else.
func TestRulesAreGivenAgainAfterACompaction(t *testing.T) {
	k := New(planConfig(), nil)
	big := Message{ID: "a", Role: RoleAssistant}
	big.Measure(strings.Repeat("x", 240000), nil)
	small := Message{ID: "s", Role: RoleUser}
	small.Measure("the story so far", nil)
	again := big
	again.ID = "b"
	entries := []Entry{
		{Op: Append, Message: big},
		{Op: Usage, Used: 100000},
		{Op: Reply},
		{Op: Usage, Used: 125000},
		{Op: Reply},
		{Op: Replace, List: []Message{small, again}},
		{Op: Usage, Used: 148000},
		{Op: Reply},
	}
	run := k.Start()
	var fulls []bool
	for i := range entries {
		run = k.Advance(run, Change{Keep: i, Entries: entries[i : i+1]})
		if entries[i].Op == Reply {
			turn := run.Turns().At(run.Turns().Len() - 1)
			if turn.Text == nil {
				t.Fatalf("turn %d does not nudge: %s", turn.Number, turn.Reason)
			}
			fulls = append(fulls, turn.Text.Full)
		}
	}
	if want := []bool{true, false, true}; !slices.Equal(fulls, want) {
		t.Errorf("full %v, want %v", fulls, want)
	}
	costs := run.NudgeCosts()
	if costs.Texts != 3 || costs.FullTexts != 2 || len(costs.Told) != 1 || costs.Told[0].Turn != 3 || costs.Told[0].Tokens != 148000 {
		t.Errorf("costs %+v", costs)
	}
	var sum Tokens
	for _, turn := range run.Turns().All() {
		sum += turn.Text.Tokens
	}
	if costs.Tokens != sum {
		t.Errorf("the texts cost %v in all, want %v", costs.Tokens, sum)
	}
}

// What a turn's text costs is the size of the text that is rendered for it.
func TestCostIsTheSizeOfTheText(t *testing.T) {
	seen := 0
	for _, config := range lawConfigs() {
		k := New(config, nil)
		k.AdvanceEach(k.Start(), Change{Entries: recording(4, 60)}, func(step Step) {
			if step.Turn == nil || step.Turn.Text == nil {
				return
			}
			seen++
			text := k.RenderNudge(step.Report().Nudge, step.Blocks, nil, step.Turn.Text.Full)
			if text.Tokens != step.Turn.Text.Tokens || text.Kind != step.Turn.Text.Kind || text.Tokens != Estimate(text.Text) {
				t.Errorf("turn %d cost %+v, its text %s has %v tokens", step.Turn.Number, *step.Turn.Text, text.Kind, text.Tokens)
			}
		})
	}
	if seen == 0 {
		t.Error("no turn nudged")
	}
}
