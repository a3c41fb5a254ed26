package kernel

import (
	"fmt"
	"math/rand"
	"testing"
)

// pairedAt appends parts with the given call ids; a number without a pair is a
// message without a call.
func pairedAt(calls []int) *index {
	rules := compileRules(Default(0))
	x := newIndex(&rules, len(calls))
	for i, call := range calls {
		m := Message{ID: fmt.Sprint("id", i), Role: RoleAssistant, Type: Text}
		if call >= 0 {
			m.Type, m.ToolCallID = ToolCall, fmt.Sprint("call", call)
		}
		x.append(m)
	}
	return x
}

func TestReachSaysWhereAListCanBeCut(t *testing.T) {
	for seed := range int64(300) {
		r := rand.New(rand.NewSource(seed))
		calls := make([]int, 1+r.Intn(40))
		for i := range calls {
			calls[i] = r.Intn(1+r.Intn(24)) - 1
		}
		l := pairedAt(calls).lookup()
		for cut := 1; cut < len(calls); cut++ {
			over := false
			for _, call := range calls[:cut] {
				for j := range calls[cut:] {
					over = over || call >= 0 && call == calls[cut+j]
				}
			}
			if reach := int(l.slots.At(cut - 1).reach); (reach >= cut) != over {
				t.Fatalf("calls %v: reach of %d is %d, but a pair reaches over the cut behind it: %v", calls, cut-1, reach, over)
			}
		}
	}
}

func TestManyOpenPairsAreLinked(t *testing.T) {
	const pairs = 100_000
	calls := make([]int, 2*pairs)
	for i := range pairs {
		calls[i], calls[pairs+i] = i, i
	}
	l := pairedAt(calls).lookup()
	if call := l.calls.At(pairs - 1); call.last != 2*pairs-1 {
		t.Errorf("the last of %d open calls ends at %d, want %d", pairs, call.last, 2*pairs-1)
	}
}
