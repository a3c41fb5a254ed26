package doctor_test

import (
	"fmt"
	"strings"
	"testing"

	"ctxscope/kernel"
	"ctxscope/kernel/doctor"
)

// longSession is the journal of a session of n messages, five a reply: each
// reply reports its usage, and every hundredth one folds or is refused.
func longSession(n int) kernel.Change {
	var entries []kernel.Entry
	messages := 0
	add := func(m kernel.Message, text string) {
		m.ID = fmt.Sprintf("x%d", messages)
		m.Measure(text, nil)
		messages++
		entries = append(entries, kernel.Entry{Op: kernel.Append, Message: m})
	}
	line := "func (s *store) load(id string) (record, error) { return s.rows[id], nil }\n"
	used := kernel.Tokens(10_000)
	for reply := 1; messages < n; reply++ {
		add(kernel.Message{Role: kernel.RoleUser}, "please look at the next package and fix what is wrong there")
		entries = append(entries, kernel.Entry{Op: kernel.Reply})
		call := fmt.Sprintf("c%d", reply)
		add(kernel.Message{Role: kernel.RoleAssistant, Type: kernel.Reasoning}, "I should read the file first.")
		add(kernel.Message{Role: kernel.RoleAssistant}, line[:20+reply%50])
		tool, arguments := "grep", `{"pattern":"load"}`
		result := kernel.Message{Role: kernel.RoleTool, Type: kernel.ToolResult, ToolCallID: call}
		if reply%100 == 0 {
			tool = "compress"
			arguments = fmt.Sprintf(`{"content":[{"startId":"m%05d","endId":"m%05d","summary":%q}]}`, messages-400, messages-100-reply%200*2, strings.Repeat("done ", 30))
			result.Outcome, result.OutcomeBlocks = kernel.Succeeded, 1
			if reply%300 == 0 {
				result.Outcome, result.OutcomeBlocks = kernel.Failed, 0
			}
		}
		add(kernel.Message{Role: kernel.RoleAssistant, Type: kernel.ToolCall, ToolName: tool, ToolCallID: call}, arguments)
		used += 400
		entries = append(entries, kernel.Entry{Op: kernel.Usage, Used: used})
		result.ToolName = tool
		add(result, strings.Repeat(line, 5+reply%9))
	}
	return kernel.Change{Entries: entries}
}

// BenchmarkReplay runs every turn of a long session.
func BenchmarkReplay(b *testing.B) {
	k := kernel.New(kernel.Default(2_000_000), nil)
	change := longSession(20_000)
	b.ReportAllocs()
	for b.Loop() {
		if run := k.Advance(k.Start(), change); run.Turns().Len() == 0 {
			b.Fatal("no turn was run")
		}
	}
}

// BenchmarkDoctor runs the same session and examines it.
func BenchmarkDoctor(b *testing.B) {
	k := kernel.New(kernel.Default(2_000_000), nil)
	change := longSession(20_000)
	b.ReportAllocs()
	for b.Loop() {
		e := doctor.Examine(k, k.Advance(k.Start(), change), doctor.Session{})
		if len(e.Outcomes) == 0 || e.Turns == 0 {
			b.Fatal("nothing was examined")
		}
	}
}

// BenchmarkExamine examines a long session that was run before.
func BenchmarkExamine(b *testing.B) {
	k := kernel.New(kernel.Default(2_000_000), nil)
	run := k.Advance(k.Start(), longSession(20_000))
	b.ReportAllocs()
	for b.Loop() {
		doctor.Examine(k, run, doctor.Session{})
	}
}
