package decode

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"ctxscope/kernel"
)

func TestLineGivesItsRecords(t *testing.T) {
	long := `{"a":"` + strings.Repeat("x", 100) + `"`
	cases := []struct {
		name, line string
		at         Place
		want       string // the records with their offsets, and the problems
	}{
		{"one record", `{"a":1}`, Place{1, 0}, `0:{"a":1}`},
		{"empty", ``, Place{1, 0}, ``},
		{"blanks only", " \t ", Place{1, 0}, ``},
		{"a byte-order mark at the start of the file", "\xef\xbb\xbf{\"a\":1}\r", Place{1, 0}, `3:{"a":1}`},
		{"a byte-order mark elsewhere", "\xef\xbb\xbf{\"a\":1}", Place{2, 50}, `line 2: not a whole JSON object`},
		{"NUL runs at both ends", "\x00\x00{\"a\":1}\r\x00\x00", Place{2, 50}, `52:{"a":1}`},
		{"NUL only", "\x00\x00\x00", Place{2, 50}, ``},
		{"two objects glued", `{"a":1}{"a":2}`, Place{3, 10}, `10:{"a":1} 17:{"a":2}`},
		{"two objects with blanks between", `{"a":1} {"a":2} `, Place{3, 10}, `10:{"a":1} 18:{"a":2}`},
		{"half a record", `{"a":1,"b`, Place{4, 10}, `line 4: not a whole JSON object`},
		{"half and whole", `{"a":1,"b"{"a":1,"b":2}`, Place{4, 10}, `20:{"a":1,"b":2} line 4: half a record stands before the whole one, which was read`},
		{"half, cut in a string, and whole", `{"a":"xy{"a":"xyz","b":{"a":1}}`, Place{4, 0}, `8:{"a":"xyz","b":{"a":1}} line 4: half a record stands before the whole one, which was read`},
		{"whole and half", `{"a":1}{"a":2,`, Place{4, 0}, `0:{"a":1} line 4: not a whole JSON object`},
		{"the inner object of half a record is no record", `{"a":{"a":1},"b`, Place{4, 0}, `line 4: not a whole JSON object`},
		{"a list", `[1,2]`, Place{5, 0}, `line 5: JSON, but not an object`},
		{"a word", `null`, Place{5, 0}, `line 5: JSON, but not an object`},
		{"text", `not json at all`, Place{5, 0}, `line 5: not a whole JSON object`},
		{"a long half", long, Place{6, 0}, `line 6: not a whole JSON object`},
	}
	for _, c := range cases {
		var l lines
		var got []string
		l.each([]byte(c.line), c.at, func(rec value, src kernel.Source) string {
			if int64(len(rec.raw())) != src.Length {
				t.Errorf("%s: length %d of a record of %d bytes", c.name, src.Length, len(rec.raw()))
			}
			got = append(got, fmt.Sprintf("%d:%s", src.Offset, rec.raw()))
			return ""
		})
		for _, p := range l.problems {
			got = append(got, fmt.Sprintf("line %d: %s", p.Line, p.Reason))
		}
		if g := strings.Join(got, " "); g != c.want {
			t.Errorf("%s: got %s, want %s", c.name, g, c.want)
		}
	}
}

func TestHostileHalvesAreReadInBoundedTime(t *testing.T) {
	var l lines
	line := []byte(strings.Repeat(`{"a":[`, 500_000))
	l.each(line, Place{1, 0}, func(value, kernel.Source) string {
		t.Error("there is no record")
		return ""
	})
	if len(l.problems) != 1 {
		t.Errorf("got %d problems, want 1", len(l.problems))
	}
}

func TestJournalKeepsWhatComesOutTheSame(t *testing.T) {
	var j journal
	a := j.hold(kernel.Message{ID: "a"})
	b := j.hold(kernel.Message{ID: "b"})
	c := j.hold(kernel.Message{ID: "c"})
	r := j.holdReply("b", 7)
	write := func(steps func()) string {
		steps()
		ch := j.change()
		var out []string
		for _, e := range ch.Entries {
			text := fmt.Sprint(e.Op, e.Message.ID, e.ReplyID, e.Used)
			for _, m := range e.List {
				text += "/" + m.ID
			}
			out = append(out, text)
		}
		return fmt.Sprintf("keep %d: %s", ch.Keep, strings.Join(out, " "))
	}
	for i, c := range []struct {
		steps func()
		want  string
	}{
		{func() { j.appendMessage(a); j.reply(r); j.appendMessage(b); j.usage(Usage{Tokens: 12}) }, "keep 0: 0a0 1b0 0b0 212"},
		{func() {}, "keep 4: "},
		{func() { j.appendMessage(c) }, "keep 4: 0c0"},
		{func() { j.restart(); j.appendMessage(a); j.reply(r); j.appendMessage(b); j.usage(Usage{Tokens: 12}) }, "keep 4: "},
		{func() { j.restart(); j.appendMessage(a); j.appendMessage(c) }, "keep 1: 0c0"},
		{func() { j.replace([]int32{a, b}, 3); j.appendMessage(c) }, "keep 2: 30/a/b 0c0"},
		{func() {
			j.restart()
			j.appendMessage(a)
			j.appendMessage(c)
			j.replace([]int32{a, b}, 3)
			j.appendMessage(b)
		}, "keep 3: 0b0"},
		{func() { j.restart(); j.appendMessage(a); j.appendMessage(c); j.replace([]int32{a}, 3) }, "keep 2: 30/a"},
		{func() { j.restart() }, "keep 0: "},
	} {
		if got := write(c.steps); got != c.want {
			t.Errorf("write %d: got %q, want %q", i, got, c.want)
		}
	}
}

func TestPlainToolNames(t *testing.T) {
	for name, want := range map[string]string{
		"compress": "compress", "mcp__bili__compress": "compress", "bili_compress": "compress", "x/bili__compress": "compress",
		"mcp__bili__decompress": "decompress", "bilicompress": "bilicompress", "bili___compress": "bili___compress",
		"mcp__other__compress": "mcp__other__compress", "Compress": "Compress", "": "", "read": "read",
	} {
		if got := plainToolName(name); got != want {
			t.Errorf("%q goes by %q, want %q", name, got, want)
		}
	}
}

func TestOutcomes(t *testing.T) {
	cases := []struct {
		text   string
		failed bool
		want   kernel.Outcome
		blocks uint16
	}{
		{"▣ ACP | 10.5K → 3.3K tokens (~7.2K reclaimed, 1 block)", false, kernel.Succeeded, 1},
		{"▣ ACP | 10.5K → 3.3K tokens (~7.2K reclaimed, 3 blocks)\n⚠️ one range was widened", false, kernel.Succeeded, 3},
		{"▣ ACP | 3.4K → 3.4K tokens (~0 reclaimed, 0 blocks)\nErrors: range too small", false, kernel.NoOp, 0},
		{"▣ ACP | 90K → 43K tokens (~47.4K reclaimed, blocks: b3=m00044–m00097*, b4(T2)=m00103–m00123*)", false, kernel.Succeeded, 2},
		{"▣ ACP | 90K → 43K tokens (~47.4K reclaimed, blocks: b3=m00044–m00097 (tests, b9 too), b4=m00103)", false, kernel.Succeeded, 2},
		{"▣ ACP | 10.5K → 3.3K tokens (~7.2K reclaimed, 1 block)", true, kernel.Failed, 0},
		{"range m00099..m00003 does not resolve", true, kernel.Failed, 0},
		{"Validation failed for tool \"compress\":\n  - content.0: must be object", false, kernel.Failed, 0},
		{"Compression rejected: x. No changes applied — run acp_status to verify current state.", false, kernel.Failed, 0},
		{"[Compressed m00001–m00042 → 2 block(s), ~1742 tokens saved. ⚠️ widened]", false, kernel.Succeeded, 2},
		{"[Compression FAILED: startId=\"m00099\" does not exist in this session]", false, kernel.Failed, 0},
		{"[Compressed conversation section] — old", false, kernel.Neutral, 0},
		{"No ranges provided.", false, kernel.Neutral, 0},
		{"", false, kernel.Neutral, 0},
	}
	for _, c := range cases {
		got, blocks := outcomeOf([]byte(c.text), c.failed)
		if got != c.want || blocks != c.blocks {
			t.Errorf("%q: outcome %d with %d blocks, want %d with %d", c.text, got, blocks, c.want, c.blocks)
		}
	}
}

func TestRefTagsAreCutOffBothEnds(t *testing.T) {
	for text, want := range map[string]string{
		"<acp tokens=\"12\" type=\"text\">m00002</acp>\nReading.": "Reading.",
		"[m1] Reading. [b2]": "Reading.",
		"<dcp-message-id>m0001</dcp-message-id><dcp-message-id>b1</dcp-message-id> x": "x",
		"Reading.\n\n<acp>m00012</acp>\n":                                             "Reading.",
		"<acp>m00012</acp>":                                                           "",
		" keep the blanks ":                                                           " keep the blanks ",
		"see [m1] in the middle, and <acp> x":                                         "see [m1] in the middle, and <acp> x",
		"":                                                                            "",
	} {
		if got := string(cutRefTags([]byte(text))); got != want {
			t.Errorf("%q is cut to %q, want %q", text, got, want)
		}
	}
}

func TestALineOfCountlessValuesIsNamedAndPassedOver(t *testing.T) {
	d := newCore(nil)
	line := append([]byte(`{"id":"a","role":"user","contentType":"text","v":[0`), bytes.Repeat([]byte(",0"), maxNodes)...)
	d.Line(append(line, "]}"...), Place{Number: 1})
	d.Line([]byte(`{"id":"b","role":"user","contentType":"text","text":"go"}`), Place{Number: 2})
	s, parts := d.Session(), d.(Parter).Parts()
	if len(s.Problems) != 1 || s.Problems[0].Line != 1 || len(parts) != 1 || parts[0].ID != "b" {
		t.Errorf("problems %v, parts %v", s.Problems, parts)
	}
}

func TestProblemsAreNamedUpToABound(t *testing.T) {
	var l lines
	for i := range maxProblems + 10 {
		l.each([]byte("x"), Place{Number: i + 1}, nil)
	}
	last := l.problems[len(l.problems)-1]
	if len(l.problems) != maxProblems+1 || last.Line != maxProblems+1 || !strings.Contains(last.Reason, "not named any more") {
		t.Errorf("%d problems, the last %+v", len(l.problems), last)
	}
}

func TestAGiantHalfRecordIsOneProblem(t *testing.T) {
	line := []byte(`{"type":"x","v":[` + strings.Repeat(`{"type":[0,0,0,0,0,0,0,0,0,0,0,0],"y":1},`, 1_000_000))
	var l lines
	l.each(line, Place{Number: 1}, func(value, kernel.Source) string { return "" })
	if len(l.problems) != 1 {
		t.Errorf("%d problems, want 1", len(l.problems))
	}
}
