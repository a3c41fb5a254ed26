package decode

import (
	"fmt"
	"strings"
	"testing"

	"ctxscope/kernel"
)

const piHeader = `{"type":"session","version":3,"id":"s","timestamp":"2026-01-05T10:00:00.000Z","cwd":"/proj"}`

// piLine is an entry of a tree with the members that the test names.
func piLine(id, parent, rest string) string {
	up := `null`
	if parent != "" {
		up = fmt.Sprintf("%q", parent)
	}
	return fmt.Sprintf(`{"id":%q,"parentId":%s,%s}`, id, up, rest)
}

func piUser(id, parent, text string) string {
	return piLine(id, parent, fmt.Sprintf(`"type":"message","message":{"role":"user","content":%q}`, text))
}

func piAnswer(id, parent, content, rest string) string {
	return piLine(id, parent, fmt.Sprintf(`"type":"message","message":{"role":"assistant","content":[%s]%s}`, content, rest))
}

func piResult(id, parent, call, tool, text string) string {
	return piLine(id, parent, fmt.Sprintf(`"type":"message","message":{"role":"toolResult","toolCallId":%q,"toolName":%q,"content":[{"type":"text","text":%q}]}`, call, tool, text))
}

func piCall(id, name, arguments string) string {
	return fmt.Sprintf(`{"type":"toolCall","id":%q,"name":%q,"arguments":%s}`, id, name, arguments)
}

func piText(text string) string { return fmt.Sprintf(`{"type":"text","text":%q}`, text) }

func readLines(lines ...string) *reading {
	return readData([]byte(strings.Join(lines, "\n") + "\n"))
}

// TestPiJournal tells in short what a session does.
func TestPiJournal(t *testing.T) {
	used := func(n int) string { return fmt.Sprintf(`,"usage":{"input":%d,"output":0}`, n) }
	cases := []struct {
		name  string
		lines []string
		want  string
	}{
		{"a reply stands behind its turn and before its usage", []string{
			piHeader, piUser("a", "", "x"), piAnswer("b", "a", piText("y"), used(7)), piUser("c", "b", "z"),
		}, "a reply(b) b usage(7) c"},
		{"a reply that failed is a turn without usage and keeps its number", []string{
			piHeader, piUser("a", "", "x"), piAnswer("b", "a", piText("half"), `,"stopReason":"aborted"`+used(7)), piUser("c", "b", "z"),
		}, "a reply(b) b c"},
		{"an empty reply is a turn and no message", []string{
			piHeader, piUser("a", "", "x"), piAnswer("b", "a", `{"type":"thinking","thinking":"hm"}`, used(7)),
		}, "a reply(b) usage(7)"},
		{"several calls are several messages", []string{
			piHeader, piUser("a", "", "x"), piAnswer("b", "a", piText("both")+","+piCall("1", "read", "{}")+","+piCall("2", "ls", "null"), ""),
			piResult("c", "b", "1", "read", "r"),
		}, "a reply(b) b#1 b#2 c"},
		{"a reply made before a compaction is a turn over the list of its time", []string{
			piHeader, piUser("a", "", "x"), piAnswer("b", "a", piText("y"), ""), piUser("c", "b", "z"),
			piLine("k", "c", `"type":"compaction","summary":"short","firstKeptEntryId":"c","tokensBefore":9`),
			piAnswer("d", "k", piText("w"), used(5)),
		}, "a reply(b) b c replace(k c) reply(d) d usage(5)"},
		{"a first kept entry that is not on the path keeps nothing", []string{
			piHeader, piUser("a", "", "x"),
			piLine("k", "a", `"type":"compaction","summary":"short","firstKeptEntryId":"gone"`), piUser("b", "k", "y"),
		}, "a replace(k) b"},
		{"a compaction keeps entries, not an older compaction", []string{
			piHeader, piUser("a", "", "x"), piLine("k", "a", `"type":"compaction","summary":"one","firstKeptEntryId":"a"`), piUser("b", "k", "y"),
			piLine("l", "b", `"type":"compaction","summary":"two","firstKeptEntryId":"a"`),
		}, "a replace(k a) b replace(l a b)"},
		{"the later of reset and compaction counts", []string{
			piHeader, piUser("a", "", "x"), piLine("k", "a", `"type":"compaction","summary":"one","firstKeptEntryId":"a"`),
			piLine("r", "k", `"type":"reset_boundary"`), piUser("b", "r", "y"),
		}, "a replace(k a) replace() b"},
		{"an edit outlives a compaction that keeps its target", []string{
			piHeader, piUser("a", "", "x"), piUser("b", "a", "long"), piLine("e", "b", `"type":"context_edit","targetId":"a","replacement":null`),
			piLine("k", "e", `"type":"compaction","summary":"one","firstKeptEntryId":"a"`),
		}, "a b replace(b) replace(k b)"},
		{"an abandoned branch takes its turns along", []string{
			piHeader, piUser("a", "", "x"), piAnswer("b", "a", piText("y"), used(9)), piUser("c", "a", "z"),
		}, "a c"},
		{"an entry that is written again counts with what it says last", []string{
			piHeader, piUser("a", "", "x"), piUser("b", "a", "y"), piUser("a", "", "x again"), piUser("c", "b", "z"),
		}, "a b c"},
		{"a parent that comes late is found", []string{piHeader, piUser("b", "a", "y"), piUser("a", "", "x"), piUser("c", "b", "z")}, "a b c"},
		{"the screen's own notices have no number", []string{
			piHeader, piUser("a", "", "x"), piLine("n", "a", `"type":"custom_message","customType":"acp-export","content":"saved"`),
			piLine("m", "n", `"type":"message","message":{"role":"custom","customType":"acp-status","content":"fine"}`), piUser("c", "m", "z"),
		}, "a c"},
		{"oh-my-pi sends neither a failed reply nor its results", []string{
			piHeader, piLine("m", "", `"type":"mode_change"`), piUser("a", "m", "x"),
			piAnswer("b", "a", piText("t")+","+piCall("1", "ls", "{}"), `,"stopReason":"error"`), piResult("c", "b", "1", "ls", "r"), piUser("d", "c", "z"),
		}, "a reply(b) d"},
		{"wrong types hold nothing and stop nothing", []string{
			piHeader, piUser("a", "", "x"), `{"type":7,"id":"b","parentId":"a"}`, `{"type":"message","id":"c","parentId":"b","message":"no"}`,
			`{"type":"message","id":"d","parentId":"c","message":{"role":"assistant","content":{"x":1},"usage":"much","stopReason":3}}`, piUser("e", "d", "y"),
		}, "a reply(d) e"},
	}
	for _, c := range cases {
		r := readLines(c.lines...)
		if got := short(r.journal); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, got, c.want)
		}
		for _, err := range checkLaws(r, r.data) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestPiHostTexts(t *testing.T) {
	compress := `{"content":[{"startId":"m1","endId":"m2","summary":"s"}]}`
	r := readLines(
		piHeader,
		piLine("o", "", `"type":"title_change","title":"Work"`),
		piLine("p", "o", `"type":"branch_summary","summary":"tried"`),
		piLine("k", "p", `"type":"compaction","summary":"all","firstKeptEntryId":"p"`),
		piAnswer("a", "k", piText("<acp>m00004</acp> one")+","+piText("two")+","+piCall("1", "mcp__bili__compress", compress), ""),
		piResult("b", "a", "1", "mcp__bili__compress", "▣ ACP | 2K → 1K tokens (~1K reclaimed, 2 blocks)"),
		piAnswer("c", "b", piText("both")+","+piCall("2", "ls", "null")+","+piCall("3", "read", `{"path" : "\u00e9"}`), ""),
		piResult("c2", "c", "2", "ls", "r"),
		piResult("c3", "c2", "3", "read", "r"),
		piAnswer("d", "c3", piText("asis")+","+piCall("4", "raw", `"not json"`), ""),
		piLine("e", "d", `"type":"context_edit","targetId":"d","replacement":{"content":"[gone]"}`),
		piLine("f", "e", `"type":"message","message":{"role":"bashExecution","command":"ls","output":"x\ny"}`),
	)
	want := map[string]string{
		"p":   "[Compressed conversation section] — omp branch summary\ntried",
		"k":   "[Compressed conversation section] — omp compaction summary\nall",
		"a":   "one\ntwo\n" + compress,
		"b":   "▣ ACP | 2K → 1K tokens (~1K reclaimed, 2 blocks)",
		"c#2": "both",
		"c2":  "r",
		"c3":  "r",
		"c#3": `{"path":"é"}`,
		"d":   "[gone]",
		"f":   "$ ls\nx\ny",
	}
	if len(r.log) != len(want) {
		t.Errorf("the log is %s, want %d messages", short(r.journal), len(want))
	}
	for _, m := range r.log {
		if got, err := r.text(m); err != nil || got != want[m.ID] {
			t.Errorf("%s says %q (%v), want %q", m.ID, got, err, want[m.ID])
		}
		summary := m.ID == "p" || m.ID == "k"
		if m.Has(kernel.HasSummaryHeader) != summary {
			t.Errorf("%s counts as a summary: %v", m.ID, !summary)
		}
		switch m.ID {
		case "a":
			if m.ToolName != "compress" || m.Text != compress {
				t.Errorf("the call goes by %q and keeps %q, want its arguments alone", m.ToolName, m.Text)
			}
		case "b":
			if m.Outcome != kernel.Succeeded || m.OutcomeBlocks != 2 {
				t.Errorf("the result has outcome %d with %d blocks, want a success with 2", m.Outcome, m.OutcomeBlocks)
			}
		}
	}
	for _, err := range checkLaws(r, r.data) {
		t.Error(err)
	}
	if s := r.session; s.Agent != "oh-my-pi" || s.Title != "Work" {
		t.Errorf("the session is of %q with title %q", s.Agent, s.Title)
	}
}

func TestPiResultBeforeItsCall(t *testing.T) {
	lines := []string{
		piHeader, piUser("a", "", "x"), piResult("b", "a", "1", "write", "▣ ACP | 2K → 1K tokens (~1K reclaimed, 1 block)"),
		piAnswer("c", "b", piCall("1", "write", `{"path":"xd://compress?x=1","content":"{\"content\":[]}"}`), ""),
	}
	r := readLines(lines...)
	for _, err := range checkLaws(r, r.data) {
		t.Error(err)
	}
	result, call := r.log[1], r.log[2]
	if result.ToolName != "compress" || result.Outcome != kernel.Succeeded || result.OutcomeBlocks != 1 {
		t.Errorf("the result is %+v, want a success of compress", result)
	}
	if call.ToolName != "compress" || call.Text != `{"content":[]}` {
		t.Errorf("the call is %+v, want one of compress with the inner arguments", call)
	}
}

func TestPiModelAndUsage(t *testing.T) {
	change := piLine("m", "", `"type":"model_change","model":"router/best/of"`)
	r := readLines(piHeader, change, piUser("a", "m", "x"))
	if r.session.Model != "best/of" || r.session.Usage.Known {
		t.Errorf("before a reply: model %q, usage %+v", r.session.Model, r.session.Usage)
	}
	r = readLines(piHeader, change, piUser("a", "m", "x"),
		piAnswer("b", "a", piText("y"), `,"model":"m-1","usage":{"input":10,"output":5,"cacheRead":100,"cacheWrite":1,"totalTokens":120}`),
		piLine("k", "b", `"type":"compaction","summary":"s","firstKeptEntryId":"b","tokensBefore":118`))
	want := Usage{Known: true, Stale: true, Tokens: 120, Prompt: 111, Cached: 100, Reply: 5, Before: 118}
	if r.session.Model != "m-1" || r.session.Usage != want {
		t.Errorf("after a compaction: model %q, usage %+v, want %+v", r.session.Model, r.session.Usage, want)
	}
}

func TestPiCountsWhatIsNoMessage(t *testing.T) {
	r := readLines(piHeader,
		piLine("s", "", `"type":"message","message":{"role":"system","content":[{"type":"text","text":"You are an agent with tools."}]}`),
		piLine("n", "s", `"type":"from_the_future"`), piLine("l", "n", `"type":"label","label":"x"`), piUser("a", "l", "x"))
	if m := r.session.Meter; m.Overhead != kernel.Estimate("You are an agent with tools.") || m.Unknown != 1 || m.Parts != 1 {
		t.Errorf("meter %+v", m)
	}
}
