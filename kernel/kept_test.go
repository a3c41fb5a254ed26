package kernel

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

func TestWhatIsSentIsKeptOrCanBeFolded(t *testing.T) {
	eachMoment(t, func(t *testing.T, k *Kernel, r Run) {
		now := r.Now()
		var foldable Tokens
		for i := range now.Nudge.Batches.Len() {
			foldable += now.Nudge.Batches.At(i).Tokens
		}
		if sum := now.Kept.Total() + foldable; math.Abs(float64(sum-now.Sent.Tokens)) > 1e-6 {
			t.Errorf("kept %+v and %v in batches make %v, want the %v that are sent", now.Kept, foldable, sum, now.Sent.Tokens)
		}
	})
}

// talk is a journal of n replies, each about as long as the size gate asks.
func talk(n int) []Entry {
	var entries []Entry
	for i := range n {
		said := Message{ID: fmt.Sprintf("u%d", i), Role: RoleUser}
		said.Measure(strings.Repeat("please go on ", 400), nil)
		answered := Message{ID: fmt.Sprintf("a%d", i), Role: RoleAssistant}
		answered.Measure(strings.Repeat("it is done. ", 400), nil)
		entries = append(entries, Entry{Op: Append, Message: said}, Entry{Op: Reply}, Entry{Op: Append, Message: answered})
	}
	return entries
}

// folding is a compress call and its result.
func foldEntries(id, from, to string, o Outcome) []Entry {
	call := Message{ID: id + "c", Role: RoleAssistant, Type: ToolCall, ToolName: "compress", ToolCallID: id}
	call.Measure(fmt.Sprintf(`{"content":[{"startId":%q,"endId":%q,"summary":%q}]}`, from, to, placeholder(80)), nil)
	result := Message{ID: id + "r", Role: RoleTool, Type: ToolResult, ToolName: "compress", ToolCallID: id, Outcome: o, OutcomeBlocks: 1}
	result.Measure("answer", nil)
	return []Entry{{Op: Append, Message: call}, {Op: Append, Message: result}}
}

func TestATurnNamesTheBlocksThatLeftWithTheirMessages(t *testing.T) {
	k := New(Default(200_000), nil)
	entries := append(talk(6), foldEntries("k1", "m00002", "m00004", Succeeded)...)
	run := k.Advance(k.Start(), Change{Entries: entries})
	if f := run.Folds().At(0); !f.Applied || f.Verdict.BlocksCreated != 1 {
		t.Fatalf("the fold was not made: %+v", f)
	}
	log := run.Log()
	rest := log.Slice(log.Len()-4, log.Len())
	run = k.Advance(run, Change{Keep: run.Entries(), Entries: append([]Entry{{Op: Replace, List: rest}}, talk(1)...)})
	last := run.Turns().At(run.Turns().Len() - 1)
	if !last.Compaction || fmt.Sprint(last.Gone) != "[b1]" {
		t.Errorf("compaction %v, gone %v, want b1 gone", last.Compaction, last.Gone)
	}
	run = k.Advance(run, Change{Keep: run.Entries(), Entries: talk(1)})
	if last := run.Turns().At(run.Turns().Len() - 1); len(last.Gone) != 0 {
		t.Errorf("the turn after it names %v again", last.Gone)
	}
}

func TestAFoldSaysWhetherItAskedForWhatWasRecommended(t *testing.T) {
	k := New(Default(200_000), nil)
	run := k.Advance(k.Start(), Change{Entries: talk(6)})
	turn := run.Turns().At(run.Turns().Len() - 1)
	if turn.Batches == 0 {
		t.Fatal("nothing was recommended")
	}
	// What the last turn recommended is not what stands now: one reply came since.
	cut := run.Entries() - 1
	before := k.Advance(k.Start(), Change{Entries: talk(6)[:cut]})
	batch := before.Now().Nudge.Batches.At(0)
	for _, c := range []struct {
		from, to string
		want     int
	}{{batch.StartRef, batch.EndRef, 1}, {batch.StartRef, "m00099", 0}} {
		next := k.Advance(run, Change{Keep: run.Entries(), Entries: foldEntries("k1", c.from, c.to, Failed)})
		if got := next.Folds().At(0).Offered; got != c.want {
			t.Errorf("a call for %s..%s: %d ranges were recommended, want %d", c.from, c.to, got, c.want)
		}
	}
}
