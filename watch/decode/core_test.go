package decode

import (
	"fmt"
	"strings"
	"testing"

	"ctxscope/kernel"
)

func TestCoreJournal(t *testing.T) {
	const (
		u = `{"id":"u","role":"user","contentType":"text","text":"go"}`
		a = `{"id":"a","role":"assistant","contentType":"text","text":"I look"}`
		c = `{"id":"c","role":"assistant","contentType":"tool-call","toolName":"ls","toolCallId":"1","text":"{}"}`
		r = `{"id":"r","role":"tool","contentType":"tool-result","toolCallId":"1","text":"x"}`
		e = `{"id":"e","role":"assistant","contentType":"text","text":"done"}`
	)
	cases := []struct {
		name  string
		lines []string
		want  string
	}{
		{"without turns a run of assistant messages is a reply", []string{u, a, c, r, e}, "u reply(a) a c r reply(e) e"},
		{"a turn makes a recording of all of it", []string{u, a, `{"op":"turn","tokenCount":12.25}`, c, r, e}, "recording u a turn(12.25) c r e"},
		{"events in their order", []string{
			`{"op":"config","modelContextLimit":1000}`, `{"op":"host","view":"pruned-view"}`, u, a, `{"op":"turn","tokenCount":3}`,
			`{"op":"compress","ranges":[{"startRef":"m00001","endRef":"m00002","summary":"s","topic":"t","summaryMaxChars":9}]}`,
			`{"op":"remove","ids":["u","nobody"]}`, `{"op":"host","view":"full-log"}`, u,
		}, "recording pruned(true) u a turn(3) compress(1) remove(u nobody) pruned(false) u"},
	}
	for _, c := range cases {
		d := readLines(c.lines...)
		if got := short(d.journal); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, got, c.want)
		}
		if len(d.session.Problems) > 0 {
			t.Errorf("%s: problems %v", c.name, d.session.Problems)
		}
		for _, err := range checkLaws(d, d.data) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestCoreMembers(t *testing.T) {
	d := readLines(
		`{"op":"config","modelContextLimit":64000,"nudge":{"growthFloor":1}}`,
		`{"id":"i","role":"user","contentType":"text","imageBase64":"AAAA","thinkingTokens":7.5,"summaryOfBlockId":"b3","more":1}`,
		`{"id":"c","role":"assistant","contentType":"tool-call","toolName":"compress","toolCallId":"1","text":"{\"content\":[]}"}`,
		`{"id":"r","role":"tool","contentType":"tool-result","toolCallId":"1","text":"[Compressed m00001–m00002 → 1 block(s), ~9 tokens saved.]"}`,
	)
	s := d.session
	if s.Format != "core" || s.Window != 64000 || s.Recording || string(s.Config) != `{"op":"config","modelContextLimit":64000,"nudge":{"growthFloor":1}}` {
		t.Errorf("the session is %+v with configuration %s", s, s.Config)
	}
	if len(d.log) != 3 {
		t.Fatalf("the log is %s", short(d.journal))
	}
	if m := d.log[0]; !m.Has(kernel.HasMedia) || m.Images != 1 || m.ThinkingTokens != 7.5 || m.SummaryOfBlockID != "b3" {
		t.Errorf("the picture is %+v", m)
	}
	if m := d.log[1]; m.Text != `{"content":[]}` {
		t.Errorf("the call keeps %q", m.Text)
	}
	if m := d.log[2]; m.Outcome != kernel.Succeeded || m.OutcomeBlocks != 1 {
		t.Errorf("the result is %+v", m)
	}
}

func TestCoreNamesWhatIsWrong(t *testing.T) {
	const first = `{"id":"u","role":"user","contentType":"text","text":"go"}`
	cases := []struct{ line, want string }{
		{`{"id":"u","role":"user","contentType":"text"}`, `id "u" is in the log already`},
		{`{"id":"","role":"user","contentType":"text"}`, `id is empty`},
		{`{"id":1,"role":"user","contentType":"text"}`, `id is not a string`},
		{`{"id":"x","contentType":"text"}`, `neither a message nor an event: it has no role`},
		{`{"id":"x","role":"developer","contentType":"text"}`, `role "developer" is none of user, assistant, system, tool`},
		{`{"id":"x","role":"user","contentType":"image"}`, `content type "image" is none of text, tool-call, tool-result, reasoning`},
		{`{"id":"x","role":"user","contentType":"text","text":7}`, `text is not a string`},
		{`{"id":"x","role":"user","contentType":"text","thinkingTokens":"7"}`, `thinkingTokens is not a number`},
		{`{"op":"config"}`, `config stands on the first line only`},
		{`{"op":"turn"}`, `turn: tokenCount is not a number of tokens`},
		{`{"op":"turn","tokenCount":-1}`, `turn: tokenCount is not a number of tokens`},
		{`{"op":"host","view":"half"}`, `host: view is neither "full-log" nor "pruned-view"`},
		{`{"op":"remove","ids":"u"}`, `remove: ids is not a list`},
		{`{"op":"remove","ids":[1]}`, `remove: ids holds something that is not a string`},
		{`{"op":"compress"}`, `compress: ranges is not a list`},
		{`{"op":"compress","ranges":[7]}`, `compress: range 1: not an object`},
		{`{"op":"compress","ranges":[{"startRef":"m1","endRef":"m2","summary":"s"},{"startRef":"m1","summary":"s"}]}`, `compress: range 2: endRef is not a string`},
		{`{"op":"compress","ranges":[{"startRef":"m1","endRef":"m2","summary":"s","topic":1}]}`, `compress: range 1: topic is not a string`},
		{`{"op":"compress","ranges":[{"startRef":"m1","endRef":"m2","summary":"s","summaryMaxChars":"1"}]}`, `compress: range 1: summaryMaxChars is not a number`},
		{`{"op":"fold"}`, `op "fold" is none of config, host, turn, compress, remove`},
		{`{"op":["x"]}`, `op ["x"] is none of config, host, turn, compress, remove`},
		{`{"x":1}`, `neither a message nor an event: it has no id`},
		{`text`, `not a whole JSON object`},
	}
	for _, c := range cases {
		d := readLines(first, c.line)
		got := fmt.Sprint(d.session.Problems)
		if want := fmt.Sprintf("[{2 %s}]", c.want); !strings.HasSuffix(got, want[3:]) || !strings.HasPrefix(got, "[{2 ") || short(d.journal) != "u" {
			t.Errorf("%s: problems %s and journal %q, want %s", c.line, got, short(d.journal), want)
		}
	}
}

func TestCoreTakesOutManyMessages(t *testing.T) {
	d := newCore(nil)
	const pairs = 20_000
	for i := range pairs {
		d.Line(fmt.Appendf(nil, `{"id":"m%d","role":"user","contentType":"text","text":"abcd"}`, i%3), Place{Number: 2*i + 1})
		d.Line(fmt.Appendf(nil, `{"op":"remove","ids":["m%d","m%d"]}`, i%3, i%3), Place{Number: 2*i + 2})
	}
	d.Line([]byte(`{"id":"m0","role":"user","contentType":"text","text":"abcd"}`), Place{Number: 2*pairs + 1})
	s, parts := d.Session(), d.(Parter).Parts()
	if len(s.Problems) > 0 || s.Meter.Parts != 1 || s.Meter.Tokens != parts[0].Size() || len(parts) != 1 || parts[0].ID != "m0" {
		t.Errorf("problems %v, meter %+v, parts %v", s.Problems, s.Meter, parts)
	}
}
