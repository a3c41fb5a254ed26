package kernel

import (
	"slices"
	"strings"
	"testing"
)

// loose is a configuration whose floors let much be a candidate.
func loose(c Config) Config {
	c.MinCandidateTokens = 50
	c.Compress.MinCompressRange = min(c.Compress.MinCompressRange, 1200)
	return c
}

// planCall folds candidates in one call.
func planCall(candidates ...Candidate) Call {
	var call Call
	for _, c := range candidates {
		call.Ranges = append(call.Ranges, CallRange{StartRef: c.StartRef, EndRef: c.EndRef})
	}
	return call
}

// planLaws holds a plan to what its readers rely on.
func planLaws(t *testing.T, k *Kernel, r Run) Plan {
	t.Helper()
	before := snapshot(r)
	plan := k.Plan(r, DefaultPlanners())
	if again := k.Plan(r, DefaultPlanners()); asJSON(again) != asJSON(plan) {
		t.Errorf("the same run gives another plan: %v", compareTexts(asJSON(plan), asJSON(again)))
	}
	if snapshot(r) != before {
		t.Error("planning changed the run")
	}
	if !plan.Ok() || len(plan.Candidates) > candidateCap || plan.TruncatedCount > 0 && len(plan.Candidates) < candidateCap {
		t.Errorf("%d candidates and %d beyond the cap, failed %q", len(plan.Candidates), plan.TruncatedCount, plan.Failed)
	}
	if !slices.IsSortedFunc(plan.Candidates, func(a, b Candidate) int { return byYield(&a, &b) }) {
		t.Errorf("candidates out of order: %q", candidateLines(plan))
	}
	seen := map[string]bool{}
	for _, c := range plan.Candidates {
		for _, id := range c.SourceMessageIDs {
			if seen[id] {
				t.Errorf("message %s is in two candidates", id)
			}
			seen[id] = true
		}
		candidateLaws(t, k, r, c)
	}
	v := k.Check(r, planCall(plan.Candidates...))
	if v.BlocksCreated != len(plan.Candidates) {
		t.Errorf("all candidates together make %d blocks of %d: %v", v.BlocksCreated, len(plan.Candidates), v.Errors)
	}
	if len(v.Warnings) > 0 {
		t.Errorf("all candidates together are warned of: %q", v.Warnings)
	}
	return plan
}

func candidateLaws(t *testing.T, k *Kernel, r Run, c Candidate) {
	t.Helper()
	if len(c.SourceMessageIDs) != c.MessageCount || c.Kind == Episode && c.MessageCount < 2 {
		t.Errorf("candidate %+v holds %d messages", c, len(c.SourceMessageIDs))
	}
	if !k.enough(k.size(c.RetainedChars, c.EstimatedTokens)) || c.EstimatedTokens < k.config.MinCandidateTokens {
		t.Errorf("candidate %+v is too small", c)
	}
	v := k.Check(r, planCall(c))
	folded := v.Ranges[0].Folded
	whole := folded.Tokens == c.EstimatedTokens || len(r.Now().Truncation.IDs) > 0 // shortened texts may be what is folded
	if !v.Ok() || folded.Messages != c.MessageCount || !whole || len(v.Ranges[0].Consumes) > 0 {
		t.Errorf("candidate %+v alone: %+v", c, v.Ranges[0])
	}
	after, _ := k.Apply(r, planCall(c).withSummary(k))
	blocks := after.Blocks()
	if len(blocks) == 0 || !slices.Equal(blocks[len(blocks)-1].EffectiveMessageIDs, c.SourceMessageIDs) {
		t.Errorf("candidate %+v alone: the block covers something else", c)
	}
	splitLaws(t, r, c)
}

// withSummary gives each range a summary of the least length.
func (c Call) withSummary(k *Kernel) Call {
	c, _ = k.withPlaceholders(c)
	return c
}

// splitLaws: no call without its result, no reasoning without its reply.
func splitLaws(t *testing.T, r Run, c Candidate) {
	t.Helper()
	inside := map[string]bool{}
	for _, id := range c.SourceMessageIDs {
		inside[id] = true
	}
	log := r.Log().All()
	calls := map[string]bool{}
	for i := range log {
		m := &log[i]
		if m.isTool() && m.ToolCallID != "" {
			if in, known := calls[m.ToolCallID]; known && in != inside[m.ID] && r.Standing(i).Kind != StandsUnpaired {
				t.Errorf("candidate %+v splits call %s", c, m.ToolCallID)
			}
			calls[m.ToolCallID] = inside[m.ID]
		}
		next := i + 1
		for next < len(log) && slices.Contains([]StandingKind{StandsUnpaired, StandsHidden}, r.Standing(next).Kind) { // not sent
			next++
		}
		if next < len(log) && m.Type == Reasoning && inside[m.ID] && log[next].Role == RoleAssistant && !inside[log[next].ID] {
			t.Errorf("candidate %+v tears reasoning %s off its reply", c, m.ID)
		}
	}
}

func TestEveryCandidateIsTakenAloneAndWithTheOthers(t *testing.T) {
	micros, episodes, beyond := 0, 0, 0
	reasons := map[OmissionReason]int{}
	for _, config := range lawConfigs() {
		config = loose(config)
		for seed := int64(1); seed <= 5; seed++ {
			journal := transcript(seed, 40)
			if seed%2 == 0 {
				journal = recording(seed, 40)
			}
			k := New(config, nil)
			run := k.Start()
			for from := 0; from < len(journal); {
				to := min(from+23, len(journal))
				run = k.Advance(run, Change{Keep: from, Entries: journal[from:to]})
				from = to
				plan := planLaws(t, k, run)
				beyond += plan.TruncatedCount
				for _, c := range plan.Candidates {
					if c.Kind == Micro {
						micros++
					} else {
						episodes++
					}
				}
				for _, o := range plan.Omitted {
					reasons[o.Reason]++
				}
			}
		}
	}
	if micros == 0 || episodes == 0 || beyond == 0 {
		t.Errorf("%d micros, %d episodes, %d beyond the cap; all must occur", micros, episodes, beyond)
	}
	for _, reason := range []OmissionReason{OmitsMissingReference, OmitsActiveCompression, OmitsProtected, OmitsRecent} {
		if reasons[reason] == 0 {
			t.Errorf("nothing was omitted for %s", reason)
		}
	}
	t.Logf("%d micros, %d episodes, %d beyond the cap, omitted %v", micros, episodes, beyond, reasons)
}

// FuzzPlan plans over arbitrary sessions and floors.
func FuzzPlan(f *testing.F) {
	f.Add(int64(1), 5000, 200, 5, false)
	f.Add(int64(2), 0, 0, 0, true)
	f.Add(int64(3), 100, 0, 1, false)
	f.Add(int64(4), 700, 60, 3, true)
	f.Fuzz(func(t *testing.T, seed int64, least, tokens, recent int, recorded bool) {
		config := lawConfigs()[1]
		config.Compress.MinCompressRange, config.MinCandidateTokens = least, Tokens(tokens)
		config.PreserveRecentMessages, config.PreserveRecentTokens = recent, 0
		if strings.Contains(string(config.GateUnit), "tokens") != (seed%3 == 0) {
			config.GateUnit = GateTokens
		}
		journal := transcript(seed, 16)
		if recorded {
			journal = recording(seed, 16)
		}
		k := New(config, nil)
		planLaws(t, k, k.Advance(k.Start(), Change{Entries: journal}))
	})
}

func BenchmarkPlan(b *testing.B) {
	k, run := benchRun(b, 20000)
	b.ReportAllocs()
	for b.Loop() {
		if p := k.Plan(run, DefaultPlanners()); len(p.Candidates) == 0 {
			b.Fatalf("%+v", p.Failed)
		}
	}
}

// BenchmarkPlanBulky plans where every transaction is a candidate and nothing
// is folded yet.
func BenchmarkPlanBulky(b *testing.B) {
	config := Default(2_000_000)
	config.Compress.MinCompressRange, config.MinCandidateTokens = 300, 50
	k := New(config, nil)
	entries := []Entry{{Op: Recording}}
	for _, m := range longSession(20000) {
		entries = append(entries, Entry{Op: Append, Message: m})
	}
	run := k.Advance(k.Start(), Change{Entries: append(entries, Entry{Op: RecordedTurn, Used: 1_000_000})})
	b.ReportAllocs()
	for b.Loop() {
		if p := k.Plan(run, DefaultPlanners()); p.TruncatedCount < 1000 {
			b.Fatalf("%d", p.TruncatedCount)
		}
	}
}
