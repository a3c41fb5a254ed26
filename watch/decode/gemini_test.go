package decode

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"ctxscope/kernel"
)

const geminiHead = `{"sessionId":"s","projectHash":"p","kind":"main"}`

func geminiUser(id, text string) string {
	return fmt.Sprintf(`{"id":%q,"timestamp":"2026-01-05T10:00:00.000Z","type":"user","content":[{"text":%q}]}`, id, text)
}

func geminiAnswer(id, text string, total int) string {
	return fmt.Sprintf(`{"id":%q,"type":"gemini","content":%q,"model":"gemini-3-pro-preview","tokens":{"input":%d,"output":1,"total":%d}}`, id, text, total-1, total)
}

func geminiCall(id, call, name, result string) string {
	return fmt.Sprintf(`{"id":%q,"type":"gemini","content":"","toolCalls":[{"id":%q,"name":%q,"args":{"x":1},"status":"success","result":%s}]}`, id, call, name, result)
}

func geminiOutput(call, output string) string {
	return fmt.Sprintf(`[{"functionResponse":{"id":%q,"name":"f","response":{"output":%q}}}]`, call, output)
}

func geminiSet(messages ...string) string {
	return `{"$set":{"messages":[` + strings.Join(messages, ",") + `]}}`
}

func TestGeminiJournal(t *testing.T) {
	cases := []struct {
		name  string
		lines []string
		want  string
	}{
		{"a reply stands before the results of its calls", []string{geminiUser("u", "x"), geminiCall("a", "1", "ls", geminiOutput("1", "r")), geminiAnswer("b", "y", 9)}, "u reply(a) a a_response#1 reply(b) b usage(9)"},
		{"a record written again takes its old place", []string{geminiUser("u", "x"), geminiCall("a", "1", "ls", "null"), geminiUser("v", "z"), geminiCall("a", "1", "ls", geminiOutput("1", "r"))}, "u reply(a) a a_response#1 v"},
		{"a rewind takes back a message and what follows", []string{geminiUser("u", "x"), geminiAnswer("a", "y", 9), geminiUser("v", "z"), geminiAnswer("b", "w", 99), `{"$rewindTo":"v"}`, geminiUser("w", "z")}, "u reply(a) a usage(9) w"},
		{"a rewind to nothing known takes back everything", []string{geminiUser("u", "x"), `{"$rewindTo":"gone"}`, geminiUser("v", "z")}, "v"},
		{"a message can come again after it was taken back", []string{geminiUser("u", "x"), geminiUser("v", "y"), `{"$rewindTo":"v"}`, geminiUser("v", "z")}, "u v"},
		{"a checkpoint gives a new list", []string{geminiUser("u", "x"), geminiAnswer("a", "y", 9), geminiSet(geminiUser("s", "short"), geminiAnswer("t", "ok", 1)), geminiUser("v", "z")}, "u reply(a) a usage(9) replace(s t) v"},
		{"a message of a checkpoint can be written again", []string{geminiSet(geminiUser("s", "short"), geminiAnswer("t", "ok", 1)), geminiUser("v", "z"), geminiUser("s", "shorter")}, "replace(s t) v"},
		{"a rewind reaches into a checkpoint", []string{geminiUser("u", "x"), geminiSet(geminiUser("s", "a"), geminiUser("t", "b")), geminiAnswer("a", "y", 9), `{"$rewindTo":"t"}`}, "u replace(s)"},
		{"a checkpoint that says what is there is none", []string{geminiUser("u", "x"), geminiSet(geminiUser("u", "x")), geminiUser("v", "y")}, "u v"},
		{"notices and commands are not sent", []string{`{"id":"i","type":"info","content":"hi"}`, geminiUser("u", "/stats"), geminiUser("v", "?"), geminiUser("w", "x"), `{"id":"e","type":"error","content":"no"}`}, "w"},
		{"messages without ids are kept apart", []string{geminiSet(`{"type":"user","content":"a"}`, `{"type":"user","content":"b"}`), geminiUser("u", "x")}, "replace(unnamed-1 unnamed-2) u"},
		{"wrong types hold nothing and stop nothing", []string{`{"$set":7}`, `{"$set":{"messages":[7,{"id":8}]}}`, `{"id":"a","type":"gemini","content":7,"toolCalls":[1],"thoughts":{},"tokens":[]}`, geminiUser("u", "x")}, "replace() reply(a) u"},
	}
	for _, c := range cases {
		r := readLines(append([]string{geminiHead}, c.lines...)...)
		if got := short(r.journal); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, got, c.want)
		}
		for _, err := range checkLaws(r, r.data) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestGeminiParts(t *testing.T) {
	r := readLines(geminiHead,
		`{"id":"a","type":"user","content":[{"text":"one"},{"inlineData":{"mimeType":"image/png","data":"iVBO"}},{"text":"two"}]}`,
		`{"id":"b","type":"gemini","content":[{"text":"hm","thought":true},{"text":"say"},{"functionCall":{"id":"1","name":"mcp__bili__compress","args":{"a":1}}},{"inlineData":{"mimeType":"audio/wav","data":"x"}}],`+
			`"toolCalls":[{"id":"1","name":"mcp__bili__compress","status":"success","result":[{"functionResponse":{"id":"1","response":{"output":"[Compressed m00001–m00042 → 1 block(s), ~5 tokens saved.]"}}}]}]}`,
		`{"id":"c","type":"gemini","content":[{"text":"plain"}],"thoughts":[{"subject":"S","description":"d"},{"description":"only"}],`+
			`"toolCalls":[{"id":"2","name":"f","args":{},"status":"error","result":[{"functionResponse":{"response":{"error":"broken"}}},{"text":"more"}]},{"id":"3","name":"g","args":null,"status":"executing"},`+
			`{"id":"4","name":"h","args":{},"result":[{"functionResponse":{"response":{"b":[1, 2]}}}]}]}`,
		`{"id":"d","type":"user","content":[{"functionResponse":{"id":"5","name":"k","response":{"output":"late"}}}]}`,
		`{"id":"e","type":"from_the_future","content":"x"}`, `{"foo":1}`,
		`{"$set":{"summary":"What it was about"}}`,
	)
	want := map[string]string{
		"a": "one\ntwo", "b#0": "hm", "b#1": "say", "b#2": `{"a":1}`, "b#3": "", "b_response#1": "[Compressed m00001–m00042 → 1 block(s), ~5 tokens saved.]",
		"c#0": "**S** d", "c#1": "only", "c#2": "plain", "c#3": "{}", "c#4": "", "c#5": "{}", "c_response#2": "more\nbroken", "c_response#4": `{"b":[1,2]}`, "d": "late",
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
	if media := byID["b#3"]; byID["a"].Images != 1 || media.Images != 0 || !media.Has(kernel.HasMedia) || !byID["c_response#2"].Failed {
		t.Errorf("%+v\n%+v\n%+v", byID["a"], byID["b#3"], byID["c_response#2"])
	}
	if m := byID["b_response#1"]; m.Outcome != kernel.Succeeded || m.OutcomeBlocks != 1 || m.ToolName != "compress" || byID["b#2"].Text != `{"a":1}` {
		t.Errorf("compress: %+v, %+v", byID["b#2"], m)
	}
	if s := r.session; s.Title != "What it was about" || s.Meter.Unknown != 2 || s.ID != "s" {
		t.Errorf("session %+v", s)
	}
	for _, err := range checkLaws(r, r.data) {
		t.Error(err)
	}
}

func TestGeminiUsage(t *testing.T) {
	r := readLines(geminiHead, `{"id":"a","type":"gemini","content":"x","tokens":{"input":100,"cached":60,"output":5,"thoughts":7,"tool":3,"total":115}}`)
	want := Usage{Known: true, Tokens: 115, Prompt: 103, Cached: 60, Reply: 12}
	if r.session.Usage != want {
		t.Errorf("got %+v, want %+v", r.session.Usage, want)
	}
	r = readLines(geminiHead, `{"id":"a","type":"gemini","content":"x","tokens":{"input":100,"cached":60,"output":5,"thoughts":7,"tool":3}}`)
	if r.session.Usage != want {
		t.Errorf("without a total: got %+v, want %+v", r.session.Usage, want)
	}
	r = readLines(geminiHead, geminiAnswer("a", "x", 9), geminiSet(geminiUser("s", "y")))
	if u := r.session.Usage; !u.Known || !u.Stale || u.Tokens != 9 {
		t.Errorf("behind a checkpoint: %+v", u)
	}
}

// TestAWholeObjectIsReadHoweverItIsWritten reads the same session on one line,
// formatted, without a last LF and with a half of it.
func TestAWholeObjectIsReadHoweverItIsWritten(t *testing.T) {
	object := `{"sessionId":"s","projectHash":"p","messages":[` + geminiUser("u", `a "{" in [ a \ text`) + `,` + geminiAnswer("a", "yes", 9) + `]}`
	var formatted strings.Builder
	encoder := json.NewEncoder(&formatted)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(json.RawMessage(object)); err != nil {
		t.Fatal(err)
	}
	const want = "u reply(a) a usage(9)"
	for name, text := range map[string]string{
		"on one line": object + "\n", "formatted": formatted.String(), "without a last LF": strings.TrimSuffix(formatted.String(), "\n"),
		"with CRLF and a mark": "\ufeff" + strings.ReplaceAll(formatted.String(), "\n", "\r\n"),
	} {
		r := readData([]byte(text))
		if got := short(r.journal); got != want || r.session.Format != "gemini" || len(r.session.Problems) > 0 {
			t.Errorf("%s: %q as %q, problems %v", name, got, r.session.Format, r.session.Problems)
		}
		for _, err := range checkLaws(r, r.data) {
			t.Errorf("%s: %v", name, err)
		}
	}
	half := readData([]byte(formatted.String()[:formatted.Len()/2]))
	if len(half.log) > 0 || half.session.Format != "gemini" || len(half.session.Problems) > 0 {
		t.Errorf("half a file holds %s, problems %v", short(half.journal), half.session.Problems)
	}
}

func TestGeminiRandomSessionsArePieceByPieceTheSame(t *testing.T) {
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 3))
		id := func() string { return string(rune('a' + r.IntN(12))) }
		lines := []string{geminiHead}
		for range 5 + r.IntN(30) {
			switch r.IntN(9) {
			case 0:
				lines = append(lines, fmt.Sprintf(`{"$rewindTo":%q}`, id()))
			case 1:
				lines = append(lines, geminiSet(geminiUser(id(), "x"), geminiAnswer(id(), "y", 5)))
			case 2, 3:
				lines = append(lines, geminiUser(id(), fmt.Sprint(r.IntN(3))))
			case 4, 5:
				lines = append(lines, geminiAnswer(id(), fmt.Sprint(r.IntN(3)), 5+r.IntN(3)))
			default:
				lines = append(lines, geminiCall(id(), id(), "ls", []string{"null", geminiOutput("1", "r")}[r.IntN(2)]))
			}
		}
		reading := readLines(lines...)
		if errs := checkLaws(reading, reading.data); len(errs) > 0 {
			t.Fatalf("session %d: %v\n%s", seed, errs[0], strings.Join(lines, "\n"))
		}
	}
}

func TestProxy(t *testing.T) {
	const messages = `[{"id":"u","role":"user","contentType":"text","text":"x"},{"id":"a","role":"assistant","contentType":"tool-call","text":"{}","toolName":"compress","toolCallId":"1"},` +
		`{"id":"r","role":"tool","contentType":"tool-result","text":"[Compressed m00001–m00002 → 1 block(s), ~5 tokens saved.]","toolCallId":"1"},` +
		`{"id":"v","role":"user","contentType":"text","text":"see","rawAnthropicBlock":{"type":"image"}},{"id":"u","role":"user","contentType":"text"},{"role":"user"}]`
	const head = `"version":3,"savedAt":1,"id":"anthropic|o|k"`
	stats := `"stats":{"contextTokens":3400,"lastInputTokens":900}`
	for name, text := range map[string]string{
		"bare":           `{` + head + `,"meta":{"title":"T","label":"k"},` + stats + `,"state":{"blocks":[]},"messages":` + messages + `}`,
		"in an envelope": `{` + head + `,"payload":{"id":"anthropic|o|k","meta":{"title":"T"},` + stats + `,"state":{"blocks":[]},"messages":` + messages + `}}`,
	} {
		r := readLines(text)
		if got := short(r.journal); got != "u reply(a) a r v usage(3400)" {
			t.Errorf("%s: %s", name, got)
		}
		want := Usage{Known: true, Tokens: 3400, Prompt: 3400, Cached: 2500}
		if s := r.session; s.Format != "proxy" || s.ID != "anthropic|o|k" || s.Title != "T" || s.Usage != want || len(s.Problems) != 2 {
			t.Errorf("%s: %+v", name, s)
		}
		if r.log[2].Outcome != kernel.Succeeded || !r.log[3].Has(kernel.HasMedia) {
			t.Errorf("%s: %+v", name, r.log)
		}
		for _, err := range checkLaws(r, r.data) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, text := range map[string]string{
		"version 2": `{"version":2,"savedAt":1,"id":"x","meta":{"title":"T"},"stats":{"contextTokens":5},"state":{"blocks":[]}}`,
		"version 1": `{"version":1,"savedAt":1,"id":"x","title":"T","contextTokens":5,"state":{"blocks":[]}}`,
	} {
		r := readLines(text)
		if s := r.session; s.Format != "proxy" || s.Title != "T" || s.Usage.Known || len(s.Problems) != 1 || !strings.Contains(s.Problems[0].Reason, "keeps no messages") {
			t.Errorf("%s: %+v", name, s)
		}
	}
}
