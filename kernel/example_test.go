package kernel_test

import (
	"fmt"
	"strings"

	"ctxscope/kernel"
)

// work is a session behind one turn: a backlog of bulky results, then a long
// answer by the agent.
func work(k *kernel.Kernel) kernel.Run {
	var entries []kernel.Entry
	say := func(m kernel.Message, text string) {
		m.ID = fmt.Sprintf("x%d", len(entries))
		m.Measure(text, nil)
		entries = append(entries, kernel.Entry{Op: kernel.Append, Message: m})
	}
	say(kernel.Message{Role: kernel.RoleUser}, "Find out why the build fails.")
	for i := range 5 {
		id := fmt.Sprintf("c%d", i)
		say(kernel.Message{Role: kernel.RoleAssistant, Type: kernel.ToolCall, ToolName: "grep", ToolCallID: id}, `{"pattern":"semicolon"}`)
		say(kernel.Message{Role: kernel.RoleTool, Type: kernel.ToolResult, ToolName: "grep", ToolCallID: id}, strings.Repeat("main.go:12: x := 1\n", 4000))
	}
	say(kernel.Message{Role: kernel.RoleAssistant}, strings.Repeat("Line 12 lacks a semicolon. ", 900))
	entries = append(entries, kernel.Entry{Op: kernel.Usage, Used: 120000}, kernel.Entry{Op: kernel.Reply})
	return k.Advance(k.Start(), kernel.Change{Entries: entries})
}

// What a request at this moment would be told, and why.
func ExampleRun_Now() {
	k := kernel.New(kernel.Default(200000), nil)
	now := work(k).Now()
	fmt.Println(now.Used.Tokens, now.Nudge.ShouldInject, now.Nudge.Reason)
	for _, b := range now.Nudge.Batches.All() {
		fmt.Println(b.StartRef, b.EndRef, b.Tokens)
	}
	// Output:
	// 120000 false growth 0 < floor 22500, ready: T1 57018, blocked: T1 (cadence)
	// m00002 m00007 57018
}

// What the executor would say of a call, before it is made.
func ExampleKernel_Check() {
	k := kernel.New(kernel.Default(200000), nil)
	v := k.Check(work(k), kernel.Call{Ranges: []kernel.CallRange{{StartRef: "m00002", EndRef: "m00002"}}})
	fmt.Println(v.Ranges[0].Kind)
	fmt.Println(v.Ranges[0].Sentence)
	// Output:
	// refused
	// Total compressible content too small (23 chars across 1 range(s), min 5000). Combine more messages into your range(s) to meet the threshold.
}

// Small pieces that can be folded alone or together.
func ExampleKernel_Plan() {
	k := kernel.New(kernel.Default(200000), nil)
	plan := k.Plan(work(k), kernel.DefaultPlanners())
	if !plan.Ok() {
		fmt.Println("showing the batches:", plan.Failed)
		return
	}
	fmt.Println(plan.Text())
	// Output:
	// COMPRESSION CANDIDATES (independent; batchable)
	//   MICRO   m00002–m00003  2 msgs  19.0K tokens  grep transaction
	//   MICRO   m00004–m00005  2 msgs  19.0K tokens  grep transaction
	//   MICRO   m00006–m00007  2 msgs  19.0K tokens  grep transaction
}

// The text for the nudge, short where the rules were given before, and what
// such texts have cost.
func ExampleKernel_NudgeText() {
	k := kernel.New(kernel.Default(200000), nil)
	run := work(k)
	plan := k.Plan(run, kernel.DefaultPlanners())
	text := k.NudgeText(run, &plan)
	fmt.Println(text.Kind, text.Full, text.Tokens == kernel.Estimate(text.Text))
	fmt.Println(strings.Contains(text.Text, plan.Text()))
	costs := run.NudgeCosts()
	fmt.Println(costs.Texts, costs.FullTexts, costs.Tokens > 0)
	// Output:
	// T1 gentle false true
	// true
	// 1 1 true
}

// What a host's guard says of the turn that comes next, and said of finished
// ones.
func ExampleKernel_Guard() {
	k := kernel.New(kernel.Default(200000), nil)
	run := work(k)
	for _, turn := range run.Turns().All() {
		fmt.Println(turn.Number, turn.Inject, turn.Guard.Send, turn.Guard.Sentence)
	}
	next := k.Guard(run, nil)
	fmt.Println(next.Send, next.Gate, next.Sentence)
	// Output:
	// 1 true true T1 effective 57018 >= 50000, growth 0, usage 60% [first-sight mass]
	// false kernel growth 0 < floor 22500, ready: T1 57018, blocked: T1 (cadence)
}
