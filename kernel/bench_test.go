package kernel

import (
	"fmt"
	"testing"
)

// longSession makes a session of n messages in the rhythm of a coding agent:
// a prompt now and then, replies with a call, results, reasoning. The first
// part of it is folded into the given number of blocks.
func longSession(n int) []Message {
	var log []Message
	add := func(m Message, text string) {
		m.ID = fmt.Sprintf("x%d", len(log))
		m.Measure(text, nil)
		log = append(log, m)
	}
	line := "func (s *store) load(id string) (record, error) { return s.rows[id], nil }\n"
	for turn := 0; len(log) < n; turn++ {
		if turn%12 == 0 {
			add(Message{Role: RoleUser}, "please look at the next package and fix what is wrong there")
		}
		call := fmt.Sprintf("c%d", turn)
		add(Message{Role: RoleAssistant, Type: Reasoning}, "I should read the file first.")
		add(Message{Role: RoleAssistant}, line[:20+turn%50])
		add(Message{Role: RoleAssistant, Type: ToolCall, ToolName: "grep", ToolCallID: call}, `{"pattern":"load"}`)
		text := ""
		for range 5 + turn%9 {
			text += line
		}
		add(Message{Role: RoleTool, Type: ToolResult, ToolName: "grep", ToolCallID: call}, text)
	}
	return log[:n]
}

const benchBlocks = 20

// foldedSession is a long session whose older half is folded into blocks.
func foldedSession(b *testing.B, n int) (*Kernel, State, []Message) {
	b.Helper()
	config := Default(2_000_000)
	k := New(config, nil)
	log := longSession(n)
	state, _, _ := k.Turn(NewState(), log, Tokens(n*50))
	summary := placeholder(80)
	// A short session has no range that is large and old enough.
	config.Compress.MinCompressRange, config.PreserveRecentTokens = 0, 0
	folding := New(config, nil)
	const first = 6 // what stands before belongs to the first prompt, which stays
	per := max(n/2, min(n, 80)) / benchBlocks
	for i := range benchBlocks {
		var v Verdict
		state, v = folding.Execute(state, log, Call{Ranges: []CallRange{{
			StartRef: formatRef(int32(first + i*per)), EndRef: formatRef(int32(first + (i+1)*per - 1)), Summary: summary,
		}}}, nil)
		if v.BlocksCreated != 1 {
			b.Fatalf("block %d: %v", i, v.Errors)
		}
	}
	return k, state, log
}

func BenchmarkTurn(b *testing.B) {
	for _, n := range []int{100, 1000, 5000, 20000} {
		b.Run(fmt.Sprintf("messages=%d", n), func(b *testing.B) {
			k, state, log := foldedSession(b, n)
			b.ReportAllocs()
			for b.Loop() {
				k.Turn(state, log, Tokens(n*50))
			}
		})
	}
}

// benchRun follows a session whose older half is folded.
func benchRun(b *testing.B, n int) (*Kernel, Run) {
	b.Helper()
	k, state, log := foldedSession(b, n)
	run := k.Start()
	run.facts = state.facts
	run.index = state.refs
	w := k.open(run)
	w.e = k.engineOf(state)
	w.e.append(log...)
	w.peek()
	return k, w.close()
}

func BenchmarkCheck(b *testing.B) {
	k, run := benchRun(b, 20000)
	call := Call{Ranges: []CallRange{{StartRef: formatRef(15000), EndRef: formatRef(15040)}}}
	if v := k.Check(run, call); v.BlocksCreated != 1 || v.Ranges[0].Picked.Messages != 41 {
		b.Fatalf("%+v", v)
	}
	b.ReportAllocs()
	for b.Loop() {
		k.Check(run, call)
	}
}

// longJournal is a session as a reader gives it: each reply is a turn and
// reports its usage.
func longJournal(log []Message) []Entry {
	var entries []Entry
	used := Tokens(10000)
	for i, m := range log {
		if m.Type == Reasoning || i > 0 && m.Role == RoleAssistant && log[i-1].Role != RoleAssistant {
			entries = append(entries, Entry{Op: Reply})
		}
		used += m.Tokens
		entries = append(entries, Entry{Op: Append, Message: m})
		if m.Type == ToolCall {
			entries = append(entries, Entry{Op: Usage, Used: used})
		}
	}
	return entries
}

// BenchmarkAdvance runs every turn of a long session, one reply at a time.
func BenchmarkAdvance(b *testing.B) {
	k := New(Default(2_000_000), nil)
	journal := longJournal(longSession(20000))
	var cuts []int
	for i, e := range journal {
		if e.Op == Reply {
			cuts = append(cuts, i)
		}
	}
	cuts = append(cuts, len(journal))
	b.ReportAllocs()
	for b.Loop() {
		run, from := k.Start(), 0
		for _, to := range cuts {
			run = k.Advance(run, Change{Keep: from, Entries: journal[from:to]})
			from = to
		}
		if run.Turns().Len() == 0 {
			b.Fatal("no turn was run")
		}
	}
}
