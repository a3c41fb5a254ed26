package decode

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"ctxscope/kernel"
)

func codexLine(kind, payload string) string {
	return fmt.Sprintf(`{"timestamp":"2026-01-05T10:00:00.000Z","type":%q,"payload":%s}`, kind, payload)
}

func codexItemLine(payload string) string { return codexLine("response_item", payload) }

func codexSays(role, id, text string) string {
	kind := "input_text"
	if role == "assistant" {
		kind = "output_text"
	}
	return fmt.Sprintf(`{"type":"message","role":%q,"id":%q,"content":[{"type":%q,"text":%q}]}`, role, id, kind, text)
}

func codexUser(id string) string   { return codexItemLine(codexSays("user", id, "ask "+id)) }
func codexAnswer(id string) string { return codexItemLine(codexSays("assistant", id, "say "+id)) }

func codexCalls(id, call, name string) string {
	return codexItemLine(fmt.Sprintf(`{"type":"function_call","id":%q,"call_id":%q,"name":%q,"arguments":"{}"}`, id, call, name))
}

func codexReturns(id, call, output string) string {
	return codexItemLine(fmt.Sprintf(`{"type":"function_call_output","id":%q,"call_id":%q,"output":%s}`, id, call, output))
}

func codexCount(last, total int) string {
	return codexLine("event_msg", fmt.Sprintf(`{"type":"token_count","info":{"last_token_usage":{"input_tokens":%d,"output_tokens":1,"total_tokens":%d},"total_token_usage":{"total_tokens":%d}}}`, last-1, last, total))
}

// codexEstimate is the count that the host makes itself when it has rewritten
// its list.
func codexEstimate(size, total int) string {
	return codexLine("event_msg", fmt.Sprintf(`{"type":"token_count","info":{"last_token_usage":{"input_tokens":0,"output_tokens":0,"total_tokens":%d},"total_token_usage":{"total_tokens":%d}}}`, size, total))
}

func codexBack(turns int) string {
	return codexLine("event_msg", fmt.Sprintf(`{"type":"thread_rolled_back","num_turns":%d}`, turns))
}

func codexCompacted(history ...string) string {
	return codexLine("compacted", `{"message":"sum","replacement_history":[`+strings.Join(history, ",")+`]}`)
}

var codexHead = codexLine("session_meta", `{"id":"s","cwd":"/proj","base_instructions":{"text":"Be an agent."}}`)

func TestCodexJournal(t *testing.T) {
	cases := []struct {
		name  string
		lines []string
		want  string
	}{
		{"items of the assistant up to their count are one reply", []string{
			codexUser("u"), codexAnswer("a"), codexCalls("f", "1", "ls"), codexCount(9, 9), codexReturns("o", "1", `"x"`), codexAnswer("b"), codexCount(12, 21),
		}, "u reply(a) a f usage(9) o reply(b) b usage(12)"},
		{"a count that comes behind the results stands behind the reply", []string{
			codexUser("u"), codexCalls("f", "1", "ls"), codexReturns("o", "1", `"x"`), codexCount(9, 9),
		}, "u reply(f) f usage(9) o"},
		{"a repeated count reports nothing", []string{
			codexUser("u"), codexAnswer("a"), codexCount(9, 9), codexUser("v"), codexCount(9, 9), codexAnswer("b"),
		}, "u reply(a) a usage(9) v reply(b) b"},
		{"a count ends a reply", []string{
			codexUser("u"), codexAnswer("a"), codexCount(9, 9), codexAnswer("b"), codexCount(11, 20),
		}, "u reply(a) a usage(9) reply(b) b usage(11)"},
		{"a compaction gives a new list", []string{
			codexUser("u"), codexAnswer("a"), codexCount(9, 9), codexCompacted(codexSays("user", "u", "ask u"), codexSays("user", "s", "short")), codexUser("v"), codexAnswer("b"),
		}, "u reply(a) a usage(9) replace(u s) v reply(b) b"},
		{"items of a new history without ids are numbered", []string{
			codexUser("u"), codexCompacted(`{"type":"message","role":"user","content":"x"}`, `{"type":"compaction","encrypted_content":"ab"}`),
		}, "u replace(c0001-0 c0001-1)"},
		{"an old compaction keeps what was asked", []string{
			codexItemLine(codexSays("developer", "d", "rules")), codexUser("u"), codexAnswer("a"), codexLine("compacted", `{"message":"sum"}`), codexUser("v"),
		}, "d u reply(a) a replace(d u c0003) v"},
		{"a turn that is taken back takes its replies along", []string{
			codexUser("u"), codexAnswer("a"), codexCount(9, 9), codexUser("v"), codexAnswer("b"), codexCount(19, 28), codexBack(1), codexUser("w"),
		}, "u reply(a) a usage(9) w"},
		{"what the host says as the user is no turn", []string{
			codexUser("u"), codexItemLine(codexSays("user", "e", "<environment_context>x")), codexAnswer("a"), codexBack(1),
		}, ""},
		{"more turns than there are take back all of them", []string{
			codexItemLine(codexSays("developer", "d", "rules")), codexUser("u"), codexAnswer("a"), codexUser("v"), codexBack(9),
		}, "d"},
		{"a turn of a new history can be taken back", []string{
			codexUser("u"), codexAnswer("a"), codexCompacted(codexSays("user", "u", "ask u"), codexSays("user", "v", "ask v")), codexAnswer("b"), codexBack(1), codexUser("w"),
		}, "u reply(a) a replace(u) w"},
		{"taking back no turn changes nothing", []string{codexUser("u"), codexBack(0), codexBack(-1)}, "u"},
		{"wrong types hold nothing and stop nothing", []string{
			codexLine("response_item", `7`), codexLine("compacted", `[]`), codexLine("event_msg", `{"type":"token_count","info":{"last_token_usage":[]}}`),
			codexItemLine(`{"type":"message","role":7,"content":{}}`), codexItemLine(`{"type":"reasoning","summary":7}`), `{"type":[]}`, codexUser("u"),
		}, "reply(i0003) i0003 u"},
	}
	for _, c := range cases {
		r := readLines(append([]string{codexHead}, c.lines...)...)
		if got := short(r.journal); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, got, c.want)
		}
		for _, err := range checkLaws(r, r.data) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestCodexUsage(t *testing.T) {
	cases := []struct {
		name  string
		lines []string
		want  Usage
	}{
		{"the newest request counts, never the sum", []string{codexUser("u"), codexAnswer("a"), codexCount(9, 900)}, Usage{Known: true, Tokens: 9, Prompt: 8, Reply: 1, Spent: 900}},
		{"what was known before a compaction is old", []string{codexUser("u"), codexAnswer("a"), codexCount(9, 9), codexCompacted(codexSays("user", "s", "x"))}, Usage{Known: true, Stale: true, Tokens: 9, Prompt: 8, Reply: 1, Spent: 9}},
		{"the host's estimate of a new list counts", []string{codexUser("u"), codexAnswer("a"), codexCount(9, 9), codexCompacted(codexSays("user", "s", "x")), codexEstimate(4, 9)}, Usage{Known: true, Tokens: 4, Spent: 9}},
		{"the host's estimate of an empty list counts", []string{codexUser("u"), codexCompacted(), codexEstimate(4, 9)}, Usage{Known: true, Tokens: 4, Spent: 9}},
		{"a turn taken back gives back what was known before it", []string{codexUser("u"), codexAnswer("a"), codexCount(9, 9), codexUser("v"), codexAnswer("b"), codexCount(50, 59), codexBack(1)}, Usage{Known: true, Tokens: 9, Prompt: 8, Reply: 1, Spent: 59}},
		{"an estimate does not push out a report of the same list", []string{codexUser("u"), codexAnswer("a"), codexCount(9, 9), codexUser("v"), codexBack(1), codexEstimate(7, 9)}, Usage{Known: true, Tokens: 9, Prompt: 8, Reply: 1, Spent: 9}},
	}
	for _, c := range cases {
		r := readLines(append([]string{codexHead}, c.lines...)...)
		if r.session.Usage != c.want {
			t.Errorf("%s: got %+v, want %+v", c.name, r.session.Usage, c.want)
		}
		for _, err := range checkLaws(r, r.data) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestCodexItems(t *testing.T) {
	r := readLines(
		codexHead,
		codexItemLine(`{"type":"message","role":"assistant","id":"m","content":[{"type":"output_text","text":"one"},{"type":"refusal","refusal":"two"}]}`),
		codexItemLine(`{"type":"reasoning","id":"r","summary":[{"text":"a"},{"text":"b"}],"content":[{"text":"c"}]}`),
		codexItemLine(`{"type":"custom_tool_call","id":"p","call_id":"1","name":"apply_patch","input":"*** x\n"}`),
		codexItemLine(`{"type":"custom_tool_call_output","id":"po","call_id":"1","output":{"content":[{"type":"input_text","text":"bad"},{"type":"input_image","image_url":"data:"}],"success":false}}`),
		codexItemLine(`{"type":"web_search_call","id":"w","call_id":"9","action":{"type":"search", "query":"x"}}`),
		codexItemLine(`{"type":"image_generation_call","id":"g","revised_prompt":"a dot","result":"iVBORw0K"}`),
		codexItemLine(`{"type":"tool_search_call","id":"t","call_id":"2","arguments":{"query":"x"}}`),
		codexItemLine(`{"type":"tool_search_output","id":"to","call_id":"2","tools":[{"name":"y"}]}`),
		codexItemLine(`{"type":"ghost_snapshot","id":"gs"}`),
		codexItemLine(`{"type":"from_the_future","id":"ff"}`),
		codexLine("record_of_the_future", `{}`),
		codexCalls("c", "3", "mcp__bili__compress"),
		codexReturns("co", "3", `"Wall time: 0.1 seconds\nOutput:\n[Compressed m00001–m00042 → 2 block(s), ~1742 tokens saved.]"`),
		codexReturns("orphan", "77", `"x"`),
	)
	want := map[string]string{
		"m#0": "one", "m#1": "two", "r": "a\nb\nc", "p": "*** x\n", "po": "bad", "w": `{"type":"search","query":"x"}`, "g": "a dot",
		"t": `{"query":"x"}`, "to": `[{"name":"y"}]`, "c": "{}", "orphan": "x",
		"co": "Wall time: 0.1 seconds\nOutput:\n[Compressed m00001–m00042 → 2 block(s), ~1742 tokens saved.]",
	}
	got := map[string]string{}
	byID := map[string]kernel.Message{}
	for _, m := range r.log {
		text, err := r.text(m)
		if err != nil {
			t.Error(err)
		}
		got[m.ID], byID[m.ID] = text, m
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if m := byID["po"]; !m.Failed || m.Images != 1 || !m.Has(kernel.HasMedia) || m.ToolName != "apply_patch" {
		t.Errorf("the failed result is %+v", m)
	}
	if m := byID["co"]; m.Outcome != kernel.Succeeded || m.OutcomeBlocks != 2 || m.ToolName != "compress" {
		t.Errorf("the result of compress is %+v", m)
	}
	if byID["w"].ToolCallID != "" || byID["w"].ToolName != "web_search" || byID["g"].Images != 1 {
		t.Errorf("calls without a result: %+v, %+v", byID["w"], byID["g"])
	}
	if m := r.session.Meter; m.Unknown != 2 || m.Overhead != kernel.Estimate("Be an agent.") {
		t.Errorf("meter %+v", m)
	}
	for _, err := range checkLaws(r, r.data) {
		t.Error(err)
	}
}

func TestCodexForkOfAPartSaysWhatIsMissing(t *testing.T) {
	r := readLines(codexLine("session_meta", `{"id":"s","history_base":{"thread_id":"p","offset":9}}`), codexUser("u"))
	if p := r.session.Problems; len(p) != 1 || p[0].Line != 1 || !strings.Contains(p[0].Reason, "another one") {
		t.Errorf("problems %+v", p)
	}
}

// TestCodexRandomSessionsArePieceByPieceTheSame mixes compactions, turns taken
// back and counts.
func TestCodexRandomSessionsArePieceByPieceTheSame(t *testing.T) {
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 7))
		lines := []string{codexHead}
		for i := range 5 + r.IntN(40) {
			id := fmt.Sprintf("x%d", i)
			switch r.IntN(11) {
			case 0:
				lines = append(lines, codexBack(r.IntN(4)))
			case 1:
				lines = append(lines, codexCompacted(codexSays("user", id, "kept"), codexSays("assistant", id+"a", "too")))
			case 2:
				lines = append(lines, codexLine("compacted", `{"message":"sum"}`))
			case 3, 4:
				lines = append(lines, codexCount(10+r.IntN(3), 100+r.IntN(3)))
			case 5:
				lines = append(lines, codexEstimate(5, 100))
			case 6:
				lines = append(lines, codexReturns(id, "c", `"out"`))
			case 7, 8:
				lines = append(lines, codexCalls(id, "c", "ls"))
			case 9:
				lines = append(lines, codexAnswer(id))
			default:
				lines = append(lines, codexUser(id))
			}
		}
		reading := readLines(lines...)
		if errs := checkLaws(reading, reading.data); len(errs) > 0 {
			t.Fatalf("session %d: %v\n%s", seed, errs[0], strings.Join(lines, "\n"))
		}
	}
}

// TestAppendingToALongCodexSessionCostsWhatIsAppended compares what is
// allocated for the same lines at the end of a short and of a long session.
func TestAppendingToALongCodexSessionCostsWhatIsAppended(t *testing.T) {
	cost := func(turns int) uint64 {
		d := New("codex", nil)
		number := 0
		ask := func(i int) {
			for _, line := range []string{codexUser(fmt.Sprint("u", i)), codexAnswer(fmt.Sprint("a", i)), codexCount(10+i, 100+i)} {
				number++
				d.Line([]byte(line), Place{Number: number, Offset: int64(number) * 300})
				d.Change()
				d.Session()
			}
		}
		for i := range turns {
			ask(i)
		}
		costs := make([]uint64, 0, 40)
		for i := turns; i < turns+40; i++ {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			ask(i)
			runtime.ReadMemStats(&after)
			costs = append(costs, after.TotalAlloc-before.TotalAlloc)
		}
		slices.Sort(costs)
		return costs[len(costs)/2]
	}
	if short, long := cost(100), cost(10_000); long > 2*short {
		t.Errorf("a turn costs %d bytes behind 100 turns and %d behind 10,000", short, long)
	}
}
