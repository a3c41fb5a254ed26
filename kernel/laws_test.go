package kernel

import (
	"fmt"
	"testing"
)

// lawConfigs are configurations under which every rule is met soon.
func lawConfigs() []Config {
	small := Default(60000)
	small.Nudge.GrowthFloor, small.Nudge.MinGrowthFloor, small.Nudge.GrowthRatio = 2000, 800, 0.02
	small.Compress.MinCompressRange = 3000
	small.Tiers.Tier2Trigger, small.Tiers.Tier3Trigger = 2, 3
	tokens := small
	tokens.GateUnit, tokens.Compress.MinCompressRange = GateTokens, 700
	guarded := small
	guarded.ProtectedTools, guarded.ProtectedLatestTools = []string{"skill", "mcp__*"}, []string{"todowrite"}
	open := small
	open.PreserveRecentMessages, open.PreserveRecentTokens = 0, 0
	ungated := open
	ungated.Compress.MinCompressRange = 0
	return []Config{Default(200000), small, tokens, guarded, open, ungated}
}

// eachMoment follows random sessions and calls look with the run after every
// few entries.
func eachMoment(t *testing.T, look func(t *testing.T, k *Kernel, r Run)) {
	for c, config := range lawConfigs() {
		for seed := int64(1); seed <= 6; seed++ {
			journal := transcript(seed, 40)
			if seed%2 == 0 {
				journal = recording(seed, 40)
			}
			t.Run(fmt.Sprintf("config %d seed %d", c, seed), func(t *testing.T) {
				k := New(config, nil)
				run := k.Start()
				for from := 0; from < len(journal); {
					to := min(from+1+int(seed)*3, len(journal))
					run = k.Advance(run, Change{Keep: from, Entries: journal[from:to]})
					look(t, k, run)
					from = to
				}
			})
		}
	}
}

// batchCall is a call that folds a batch, or several.
func batchCall(batches ...Range) Call {
	var call Call
	for _, b := range batches {
		call.Ranges = append(call.Ranges, CallRange{StartRef: b.StartRef, EndRef: b.EndRef})
	}
	return call
}

func TestRangesAreOrderedDisjointAndFreeOfProtectedMessages(t *testing.T) {
	seen := 0
	eachMoment(t, func(t *testing.T, _ *Kernel, r Run) {
		now := r.Now()
		end := -1
		for _, x := range now.Ranges.All() {
			seen++
			if x.StartIndex <= end || x.EndIndex < x.StartIndex || x.Count <= 0 || x.Tokens <= 0 {
				t.Errorf("range %+v follows place %d", x, end)
			}
			end = x.EndIndex
			start, _ := r.Index(x.StartRef)
			last, _ := r.Index(x.EndRef)
			if start > last {
				t.Errorf("range %+v runs backwards in the log", x)
			}
			for i := start; i <= last; i++ {
				kind := r.Standing(i).Kind
				inside := kind == StandsProtected || kind == StandsRecent || kind == StandsCheckpoint || kind == StandsWithdrawn
				if inside && r.Ref(i) != BlockedRef {
					t.Errorf("range %+v holds %s, which stands %q", x, r.Ref(i), kind)
				}
			}
		}
	})
	if seen == 0 {
		t.Error("no range was looked at")
	}
}

func TestEveryRangeIsInAtMostOneBatch(t *testing.T) {
	seen := 0
	eachMoment(t, func(t *testing.T, _ *Kernel, r Run) {
		now := r.Now()
		for _, x := range now.Ranges.All() {
			in := 0
			for _, b := range now.Nudge.Batches.All() {
				switch {
				case b.StartIndex <= x.StartIndex && x.EndIndex <= b.EndIndex:
					in++
					seen++
				case x.StartIndex <= b.EndIndex && b.StartIndex <= x.EndIndex:
					t.Errorf("range %+v is partly in batch %+v", x, b)
				}
			}
			if in > 1 {
				t.Errorf("range %+v is in %d batches", x, in)
			}
		}
	})
	if seen == 0 {
		t.Error("no range was in a batch")
	}
}

func TestEachBatchOfferedIsAccepted(t *testing.T) {
	seen := 0
	eachMoment(t, func(t *testing.T, k *Kernel, r Run) {
		if len(r.Now().Truncation.IDs) > 0 {
			return // a host that keeps the shortened texts measures those
		}
		batches := r.Now().Nudge.Batches.All()
		for _, b := range batches {
			seen++
			v := k.Check(r, batchCall(b))
			if !v.Ok() {
				t.Errorf("batch %+v is offered but refused: %v %v", b, v.Errors, v.Warnings)
			}
			if picked := v.Ranges[0].Picked; k.size(picked.Chars, picked.Tokens) < k.size(b.Chars, b.Tokens) {
				t.Errorf("batch %+v is larger than what the executor measures, %+v", b, picked)
			}
		}
		if len(batches) > 1 {
			if v := k.Check(r, batchCall(batches...)); v.BlocksCreated == 0 {
				t.Errorf("%d batches in one call are refused: %v", len(batches), v.Errors)
			}
		}
	})
	if seen == 0 {
		t.Error("no batch was offered")
	}
}

func TestCheckAndApplyGiveTheSameVerdict(t *testing.T) {
	folded, refused := 0, 0
	maker := newSessionMaker(99)
	eachMoment(t, func(t *testing.T, k *Kernel, r Run) {
		maker.ids = r.Log().Len()
		call := Call{Ranges: maker.ranges()}
		before := asJSON(r.Blocks())
		checked := k.Check(r, call)
		after, applied := k.Apply(r, call)
		if asJSON(checked) != asJSON(applied) {
			t.Errorf("call %+v: Check says %s, Apply %s", call, asJSON(checked), asJSON(applied))
		}
		if asJSON(r.Blocks()) != before {
			t.Errorf("call %+v changed the blocks of the run that it was given", call)
		}
		if !applied.Ok() {
			refused++
			if asJSON(after.Blocks()) != before {
				t.Errorf("call %+v made no block, but blocks changed", call)
			}
			return
		}
		folded++
		if len(after.Blocks()) < len(r.Blocks()) {
			t.Errorf("call %+v lost blocks", call)
		}
	})
	if folded == 0 || refused == 0 {
		t.Errorf("%d calls folded and %d were refused; both must occur", folded, refused)
	}
}

// snapshot is all that can be seen of a run.
func snapshot(r Run) string {
	return asJSON([]any{r.Log(), r.Now(), r.Turns(), r.Folds(), r.Blocks(), r.Diverged(), r.Guard(), r.NudgeCosts()})
}

func TestNoFunctionChangesItsArguments(t *testing.T) {
	maker := newSessionMaker(7)
	for _, config := range lawConfigs() {
		k := New(config, nil)
		journal := transcript(3, 40)
		given := asJSON(journal)
		run := k.Start()
		var runs []Run
		var seen []string
		for from := 0; from < len(journal); {
			to := min(from+15, len(journal))
			run = k.Advance(run, Change{Keep: from, Entries: journal[from:to]})
			runs, seen = append(runs, run), append(seen, snapshot(run))
			maker.ids = run.Log().Len()
			call := Call{Ranges: maker.ranges()}
			asked := asJSON(call)
			k.Check(run, call)
			k.Apply(run, call)
			k.Advance(run, Change{Keep: to / 2, Entries: journal[:1]})
			if asJSON(call) != asked {
				t.Fatal("a call was changed")
			}
			from = to
		}
		for i := range runs {
			if now := snapshot(runs[i]); now != seen[i] {
				t.Fatalf("run %d was changed later: %v", i, compareTexts(seen[i], now))
			}
		}
		if asJSON(journal) != given {
			t.Fatal("the entries were changed")
		}
	}
}

func TestGatesAnswerFromTheirOperands(t *testing.T) {
	seen := 0
	eachMoment(t, func(t *testing.T, _ *Kernel, r Run) {
		for _, g := range r.Now().Nudge.Gates {
			seen++
			var holds bool
			switch g.Op {
			case ">=":
				holds = g.Left >= g.Right
			case ">":
				holds = g.Left > g.Right
			case "<":
				holds = g.Left < g.Right
			case "!=":
				holds = g.Left != g.Right
			case "=":
				holds = g.Left == g.Right
			default:
				t.Errorf("gate %+v compares by %q", g, g.Op)
			}
			if holds != g.Holds || g.Margin != g.Left-g.Right {
				t.Errorf("gate %+v does not follow from its operands", g)
			}
		}
	})
	if seen == 0 {
		t.Error("no gate was looked at")
	}
}

// FuzzCheckAndApply asks for one range by arbitrary refs and summary: Check
// says what Apply does, and a refused call leaves the blocks alone.
func FuzzCheckAndApply(f *testing.F) {
	f.Add(int64(1), "m00002", "m00009", "a summary of the work that was done here, long enough", 5000)
	f.Add(int64(2), "b1", "b2", "x", 0)
	f.Add(int64(3), " M00012 ", "b007", " ", 1)
	f.Add(int64(4), "m00009", "m00001", "🙂", -1)
	f.Add(int64(6), "BLOCKED", "m0", "\ufeff", 100)
	f.Fuzz(func(t *testing.T, seed int64, start, end, summary string, minRange int) {
		if summary == "" {
			return // Check puts a placeholder in its place
		}
		config := lawConfigs()[1]
		config.Compress.MinCompressRange = minRange
		k := New(config, nil)
		run := k.Advance(k.Start(), Change{Entries: recording(seed%64, 12)})
		call := Call{Ranges: []CallRange{{StartRef: start, EndRef: end, Summary: summary}}}
		before := asJSON(run.Blocks())
		checked := k.Check(run, call)
		after, applied := k.Apply(run, call)
		if asJSON(checked) != asJSON(applied) {
			t.Errorf("Check says %s, Apply %s", asJSON(checked), asJSON(applied))
		}
		if asJSON(run.Blocks()) != before || !applied.Ok() && asJSON(after.Blocks()) != before {
			t.Error("blocks were changed")
		}
	})
}
