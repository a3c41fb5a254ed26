package decode

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"ctxscope/kernel"
)

// openSession is a session as a test writes it down: records by id.
type openSession struct {
	*Opencode
	journal []kernel.Entry
	order   []string
}

func newOpenSession() *openSession { return &openSession{Opencode: NewOpencode(nil)} }

// set puts a message: its info, then its parts, as JSON without ids.
func (s *openSession) set(id, info string, parts ...string) {
	var b strings.Builder
	fmt.Fprintf(&b, `{"info":%s,"parts":[`, info)
	for i, part := range parts {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"id":"%s.p%d",%s`, id, i+1, part[1:])
	}
	b.WriteString("]}")
	s.Put(id, []byte(b.String()), kernel.Source{Length: int64(b.Len())})
	if !slices.Contains(s.order, id) {
		s.order = append(s.order, id)
	}
	s.Arrange(s.order)
}

func (s *openSession) short() string {
	c := s.Change()
	s.journal = append(s.journal[:c.Keep:c.Keep], c.Entries...)
	return short(s.journal)
}

const (
	openUser   = `{"role":"user","time":{"created":1}}`
	openReply  = `{"role":"assistant","parentID":"u","tokens":{"input":100,"output":5,"reasoning":2,"cache":{"read":10,"write":3}},"finish":"stop","modelID":"m","time":{"created":2}}`
	openFailed = `{"role":"assistant","error":{"name":"APIError"},"tokens":{"input":9},"time":{"created":3}}`
	openAbort  = `{"role":"assistant","error":{"name":"MessageAbortedError"},"tokens":{"input":0},"time":{"created":3}}`
)

func openText(text string) string { return fmt.Sprintf(`{"type":"text","text":%q}`, text) }

func openTool(tool, callID, state string) string {
	return fmt.Sprintf(`{"type":"tool","tool":%q,"callID":%q,"state":%s}`, tool, callID, state)
}

func TestARefOfOpencodeNamesAWholeMessage(t *testing.T) {
	r, err := readFile(filepath.Join(transcriptFolder, "opencode", "export.json"))
	if err != nil {
		t.Fatal(err)
	}
	k := kernel.New(kernel.Default(200000), nil)
	run := k.Advance(k.Start(), kernel.Change{Entries: r.journal})
	// The plugin's own state for this session has the same numbers.
	var state struct {
		MessageIDs struct{ ByRawID map[string]string }
	}
	if err := readJSON(filepath.Join(transcriptFolder, "acp", "opencode-acp.json"), &state); err != nil {
		t.Fatal(err)
	}
	named := 0
	for i := range run.Log().Len() {
		m := run.Log().At(i)
		want := ""
		if m.ID != "" {
			named++
			want = "m0" + state.MessageIDs.ByRawID[m.ID][1:]
		}
		if got := run.Ref(i); got != want {
			t.Errorf("%s %s %s is %q, want %q", m.ID, m.Type, m.ToolName, got, want)
		}
	}
	if named != 6 || len(state.MessageIDs.ByRawID) != 6 {
		t.Errorf("%d messages have a number, the state names %d", named, len(state.MessageIDs.ByRawID))
	}
	if got := r.session.Counting; got != "whole opencode messages" {
		t.Errorf("counting %q", got)
	}
	if folds := run.Folds(); folds.Len() != 2 || folds.At(0).Host != kernel.Succeeded || folds.At(0).Blocks != 1 || folds.At(1).Host != kernel.Failed {
		t.Errorf("folds %+v", folds.All())
	}
}

func TestWhatAWholeMessageIs(t *testing.T) {
	done := func(output string) string {
		return fmt.Sprintf(`{"status":"completed","input":{"a":1},"output":%q}`, output)
	}
	compress := openTool("compress", "c1", `{"status":"completed","input":{"content":[{"startId":"m1"},{"startId":"m2"}]},"output":"Compressed 4 messages into [Compressed conversation section].\nAdvice."}`)
	cases := []struct {
		name, info string
		parts      []string
		want       []string // role/type tool(call) "text"
	}{
		{"texts are joined", openUser, []string{openText("one"), openText(""), openText("two")}, []string{`id user/text "one\ntwo"`}},
		{"pictures take no number away", openUser, []string{`{"type":"file","mime":"image/png"}`, `{"type":"file","mime":"text/plain"}`, openText("see")}, []string{`id user/text "see" 1 picture`}},
		{"a prompt of pictures only", openUser, []string{`{"type":"file","mime":"image/png"}`, `{"type":"file","mime":"image/gif"}`}, []string{`id user/text "" 2 pictures`}},
		{"a notice keeps its number and says nothing", openUser, []string{`{"type":"text","text":"x","ignored":true}`}, []string{`id system/text ""`}},
		{"a notice beside a prompt", openUser, []string{`{"type":"text","text":"x","ignored":true}`, openText("go")}, []string{`id user/text "go"`}},
		{"a compaction and a subtask are sentences", openUser, []string{`{"type":"compaction"}`, `{"type":"subtask"}`}, []string{`id user/text "What did we do so far?\nThe following tool was executed by the user"`}},
		{"reasoning is beside the text", openReply, []string{`{"type":"reasoning","text":"think"}`, openText("say")}, []string{`id assistant/text "say" +2 thinking`}},
		{"echoed tags are cut", openReply, []string{openText("say\n<dcp-message-id>m0003</dcp-message-id>")}, []string{`id assistant/text "say"`}},
		{"calls and results are one message", openReply, []string{openText("say"), openTool("read", "c1", done("out")), openTool("bash", "c2", `{"status":"error","input":{},"error":"no"}`)}, []string{`id assistant/tool-call read() "say\n{\"a\":1}\nout\n{}\nno" failed`}},
		{"a cleared result", openReply, []string{openTool("read", "c1", `{"status":"completed","input":{},"output":"long","time":{"compacted":5}}`)}, []string{`id assistant/tool-call read() "{}\n[Old tool result content cleared]"`}},
		{"a call that goes on", openReply, []string{openTool("read", "c1", `{"status":"running","input":{}}`)}, []string{`id assistant/tool-call read() "{}\n[Tool execution was interrupted]"`}},
		{"a compress call is the message", openReply, []string{openText("fold"), compress}, []string{`id assistant/tool-call compress(c1) "fold\n{\"content\":[{\"startId\":\"m1\"},{\"startId\":\"m2\"}]}" keeps 47`, `- tool/tool-result compress(c1) "Compressed 4 messages into [Compressed conversation section].\nAdvice." succeeded 2`}},
		{"a compress call beside another stands behind", openReply, []string{openTool("read", "c0", done("out")), compress}, []string{`id assistant/tool-call read() "{\"a\":1}\nout"`, `- assistant/tool-call compress(c1) "{\"content\":[{\"startId\":\"m1\"},{\"startId\":\"m2\"}]}" keeps 47`, `- tool/tool-result compress(c1) "Compressed 4 messages into [Compressed conversation section].\nAdvice." succeeded 2`}},
		{"a compress call that goes on has no answer", openReply, []string{openTool("compress", "c1", `{"status":"running","input":{"x":1}}`)}, []string{`id assistant/tool-call compress(c1) "{\"x\":1}" keeps 7`}},
		{"a compress call over a bridge", openReply, []string{openTool("bili_compress", "c1", `{"status":"error","input":{},"error":"no"}`)}, []string{`id assistant/tool-call compress(c1) "{}" keeps 2`, `- tool/tool-result compress(c1) "no" failed failed 0`}},
		{"a failed reply", openFailed, []string{openText("half")}, []string{`id assistant/text "" failed`}},
		{"an aborted reply that says something", openAbort, []string{openText("half")}, []string{`id assistant/text "half" failed`}},
		{"an aborted reply that says nothing", openAbort, []string{`{"type":"step-start"}`, `{"type":"reasoning","text":"x"}`}, []string{`id assistant/text "" failed`}},
		{"nothing yet", openReply, nil, []string{`id assistant/text ""`}},
		{"wrong types", `{"role":7,"time":[],"tokens":"x"}`, []string{`{"type":3}`, `{"type":"text","text":{}}`, `{"type":"tool","state":[]}`}, []string{`id user/tool-call () "[Tool execution was interrupted]"`}},
	}
	for _, c := range cases {
		s := newOpenSession()
		s.set("id", c.info, c.parts...)
		s.short()
		got := []string{}
		for _, m := range fold(s.journal) {
			got = append(got, describe(t, s, c.info, c.parts, m))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s:\n got %s\nwant %s", c.name, strings.Join(got, "\n     "), strings.Join(c.want, "\n     "))
		}
	}
}

// describe says a message in one line, its text read again from the record.
func describe(t *testing.T, s *openSession, info string, parts []string, m kernel.Message) string {
	t.Helper()
	record := fmt.Sprintf(`{"info":%s,"parts":[%s]}`, info, strings.Join(parts, ","))
	text, ok := s.Text([]byte(record), m.Source.Part)
	if !ok || kernel.Len16(text) != m.Chars || kernel.Estimate(text) != m.Tokens {
		t.Errorf("%s part %d: read %q again, measured %d chars", m.ID, m.Source.Part, text, m.Chars)
	}
	var b strings.Builder
	id := m.ID
	if id == "" {
		id = "-"
	}
	fmt.Fprintf(&b, "%s %s/%s ", id, m.Role, m.Type)
	if m.Type != kernel.Text {
		fmt.Fprintf(&b, "%s(%s) ", m.ToolName, m.ToolCallID)
	}
	fmt.Fprintf(&b, "%q", text)
	switch {
	case m.Images == 1:
		b.WriteString(" 1 picture")
	case m.Images > 1:
		fmt.Fprintf(&b, " %d pictures", m.Images)
	}
	if m.ThinkingTokens > 0 {
		fmt.Fprintf(&b, " +%v thinking", m.ThinkingTokens)
	}
	if m.Failed {
		b.WriteString(" failed")
	}
	if m.Outcome != kernel.NoOutcome {
		fmt.Fprintf(&b, " %s %d", m.Outcome, m.OutcomeBlocks)
	}
	if m.Text != "" {
		fmt.Fprintf(&b, " keeps %d", len(m.Text))
	}
	if m.Has(kernel.HasMedia) {
		b.WriteString(" media")
	}
	return b.String()
}

func TestASkillThatOpencodeLoadsKeepsItsPath(t *testing.T) {
	s := newOpenSession()
	s.set("id", openReply, openTool("bash", "c0", `{"status":"completed","input":{},"output":"x/SKILL.md"}`))
	s.set("id2", openReply, openTool("skill", "c1", `{"status":"completed","input":{"name":"plan"},"output":"long"}`))
	s.short()
	if log := fold(s.journal); log[0].ToolPath != "" || log[1].ToolPath != "skill/plan" {
		t.Errorf("paths %q and %q", log[0].ToolPath, log[1].ToolPath)
	}
}

func TestRepliesOfOpencodeAreTurns(t *testing.T) {
	s := newOpenSession()
	running := strings.Replace(openReply, `"input":100,"output":5,"reasoning":2,"cache":{"read":10,"write":3}`, `"input":0`, 1)
	s.set("u", openUser, openText("go"))
	s.set("a", running, openText("h"))
	if got := s.short(); got != "u reply(a) a" {
		t.Errorf("while it runs: %s", got)
	}
	s.set("a", openReply, openText("hello"))
	if got := s.short(); got != "u reply(a) a usage(120)" {
		t.Errorf("when it ended: %s", got)
	}
	if u := s.Session().Usage; u != (Usage{Known: true, Tokens: 120, Prompt: 113, Cached: 10, Reply: 7}) {
		t.Errorf("usage %+v", u)
	}
	s.set("f", openFailed)
	if got := s.short(); got != "u reply(a) a usage(120) reply(f) f" {
		t.Errorf("after a failure: %s", got)
	}
	if u := s.Session().Usage; u.Tokens != 120 {
		t.Errorf("usage after a failure %+v", u)
	}
}

func TestOnlyWhatChangedIsGivenAgain(t *testing.T) {
	s := newOpenSession()
	for i := range 50 {
		s.set(fmt.Sprintf("a%d", i), openReply, openText("hello"))
	}
	s.Change()
	s.set("a40", openReply, openText("hello"))
	if c := s.Change(); c.Keep != 150 || len(c.Entries) != 0 {
		t.Errorf("the same record again: %d kept, %d new", c.Keep, len(c.Entries))
	}
	s.set("a40", openReply, openText("hello you"))
	if c := s.Change(); c.Keep != 121 || len(c.Entries) != 29 {
		t.Errorf("a changed record: %d kept, %d new", c.Keep, len(c.Entries))
	}
	s.order = slices.Delete(s.order, 45, 46)
	s.Arrange(s.order)
	s.Forget("a45")
	if c := s.Change(); c.Keep != 135 || len(c.Entries) != 12 {
		t.Errorf("a record less: %d kept, %d new", c.Keep, len(c.Entries))
	}
	for range 1000 {
		for _, text := range []string{"one", "two"} {
			s.set("a40", openReply, openText(text))
			s.Change()
		}
	}
	if n := s.Opencode.journal.messages.count; n > 60 {
		t.Errorf("%d messages are held for 49", n)
	}
}

func TestCompactionsOfOpencode(t *testing.T) {
	request := `{"type":"compaction","auto":true,"tail_start_id":"a2"}`
	summary := `{"role":"assistant","parentID":"c","summary":true,"finish":"stop","tokens":{"input":77},"time":{"created":9}}`
	s := newOpenSession()
	s.set("u", openUser, openText("go"))
	s.set("a", openReply, openText("one"))
	s.set("a2", openReply, openText("two"))
	s.set("c", openUser, request)
	s.set("s", strings.Replace(summary, `"finish":"stop",`, "", 1), openText("so f"))
	before := "u reply(a) a usage(120) reply(a2) a2 usage(120) c"
	if got := s.short(); got != before+" s" {
		t.Errorf("while it runs: %s", got)
	}
	s.set("s", strings.Replace(summary, `"finish"`, `"error":{"name":"x"},"finish"`, 1))
	if got := s.short(); got != before+" s" {
		t.Errorf("when it failed: %s", got)
	}
	s.set("s", summary, openText("so far"))
	s.set("u2", openUser, openText("on"))
	if got := s.short(); got != before+" replace(c s a2) u2" {
		t.Errorf("when it ended: %s", got)
	}
	if u := s.Session().Usage; !u.Stale || u.Tokens != 120 {
		t.Errorf("usage %+v", u)
	}
	s.set("a3", openReply, openText("three"))
	s.set("c2", openUser, `{"type":"compaction"}`)
	s.set("u3", openUser, openText("meanwhile"))
	s.set("s2", strings.Replace(summary, `"parentID":"c"`, `"parentID":"c2"`, 1), openText("all"))
	if got := s.short(); got != before+" replace(c s a2) u2 reply(a3) a3 usage(120) c2 u3 replace(c2 s2 u3)" {
		t.Errorf("the second: %s", got)
	}
	if got := fmt.Sprint(ids(s.Parts())); got != "[c2.p1 s2.p1 u3.p1]" {
		t.Errorf("parts %s", got)
	}
}

func TestASessionOfOpencodeThatWasSetBack(t *testing.T) {
	s := newOpenSession()
	s.set("u", openUser, openText("go"))
	s.set("a", openReply, openText("one"), openText("two"), openText("three"))
	s.set("u2", openUser, openText("on"))
	whole := "u reply(a) a usage(120) u2"
	s.short()
	again := s.Info([]byte(`{"id":"ses","title":"t","directory":"/p","revert":{"messageID":"u2"}}`))
	if got := s.short(); got != "u reply(a) a usage(120)" || again != nil || s.Session().Meter.OffBranch != 1 {
		t.Errorf("before a message: %s, %v, %+v", got, again, s.Session().Meter)
	}
	again = s.Info([]byte(`{"id":"ses","revert":{"messageID":"a","partID":"a.p3"}}`))
	if fmt.Sprint(again) != "[a]" {
		t.Errorf("to be put again: %v", again)
	}
	s.set("a", openReply, openText("one"), openText("two"), openText("three"))
	if got := s.short(); got != "u reply(a) a usage(120)" {
		t.Errorf("before a part: %s", got)
	}
	record := fmt.Sprintf(`{"info":%s,"parts":[%s,%s,%s]}`, openReply, openText("one"), openText("two"), openText("three"))
	m := fold(s.journal)[1]
	if text, ok := s.Text([]byte(record), m.Source.Part); text != "one\ntwo" || !ok || m.Chars != 7 || len(s.Parts()) != 3 {
		t.Errorf("the message is %q of %d chars, parts %v", text, m.Chars, ids(s.Parts()))
	}
	again = s.Info([]byte(`{"id":"ses"}`))
	s.set("a", openReply, openText("one"), openText("two"), openText("three"))
	if got := s.short(); got != whole || fmt.Sprint(again) != "[a]" || fold(s.journal)[1].Chars != 13 {
		t.Errorf("after it was taken back: %s, %v", got, again)
	}
}

func TestDamagedRecordsOfOpencodeAreNamed(t *testing.T) {
	s := newOpenSession()
	s.Put("x", []byte(`{"info":{`), kernel.Source{})
	s.Put("y", []byte(`{"info":null,"parts":[]}`), kernel.Source{})
	s.order = []string{"x", "y"}
	s.set("z", openUser, openText("go"))
	s.Put("z", []byte(`{"info":`+openUser+`,"parts":[null,`+openText("go")+`]}`), kernel.Source{})
	s.Info([]byte(`[]`))
	if got := s.short(); got != "z" {
		t.Errorf("journal %s", got)
	}
	var got []string
	for _, p := range s.Session().Problems {
		got = append(got, p.Where()+": "+p.Reason)
	}
	want := []string{"message x: its record is no message", "message y: its record is no message", "message z: one of its parts is no record", "session: not a whole JSON object"}
	if !slices.Equal(got, want) {
		t.Errorf("problems %q", got)
	}
}

// However messages were put, changed, moved and dropped, the journal is the one
// that their last state makes.
func TestTheWayToAStateOfOpencodeDoesNotMatter(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 7))
		records, order := map[string]string{}, []string{}
		followed := NewOpencode(nil)
		var journal []kernel.Entry
		for range 30 {
			id := fmt.Sprintf("m%d", r.IntN(8))
			switch r.IntN(8) {
			case 0:
				if i := slices.Index(order, id); i >= 0 {
					order = slices.Delete(order, i, i+1)
					delete(records, id)
					followed.Arrange(order)
					followed.Forget(id)
				}
			case 1:
				followed.Info(fmt.Appendf(nil, `{"id":"s","revert":{"messageID":"m%d"}}`, r.IntN(16)))
			default:
				if records[id] = randomOpenRecord(r); !slices.Contains(order, id) {
					order = slices.Insert(order, r.IntN(len(order)+1), id)
				}
				followed.Put(id, []byte(records[id]), kernel.Source{})
				followed.Arrange(order)
			}
			if r.IntN(3) > 0 {
				followed.Session()
			}
			if r.IntN(2) > 0 {
				c := followed.Change()
				journal = append(journal[:c.Keep:c.Keep], c.Entries...)
			}
		}
		c := followed.Change()
		journal = append(journal[:c.Keep:c.Keep], c.Entries...)
		fresh := NewOpencode(nil)
		fresh.Info(fmt.Appendf(nil, `{"id":%q,"revert":{"messageID":%q}}`, followed.info.id, followed.info.revert))
		for _, id := range order {
			fresh.Put(id, []byte(records[id]), kernel.Source{})
		}
		fresh.Arrange(order)
		if want := fresh.Change().Entries; short(journal) != short(want) || len(want) > 0 && !reflect.DeepEqual(journal, want) {
			t.Fatalf("seed %d:\n got %s\nwant %s", seed, short(journal), short(want))
		}
		if !reflect.DeepEqual(fresh.Session(), followed.Session()) || !reflect.DeepEqual(fresh.Parts(), followed.Parts()) {
			t.Fatalf("seed %d: session %+v, want %+v", seed, followed.Session(), fresh.Session())
		}
	}
}

func randomOpenRecord(r *rand.Rand) string {
	infos := []string{
		openUser, openReply, openFailed,
		fmt.Sprintf(`{"role":"assistant","parentID":"m%d","summary":true,"finish":"stop","time":{"created":%d}}`, r.IntN(8), r.IntN(3)),
	}
	parts := []string{
		openText("hello"), openText("you"), fmt.Sprintf(`{"type":"compaction","tail_start_id":"m%d"}`, r.IntN(8)),
		openTool("compress", "c", `{"status":"completed","input":{},"output":"x"}`), openTool("read", "c2", `{"status":"completed","input":{},"output":"y"}`),
	}
	r.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	return fmt.Sprintf(`{"info":%s,"parts":[%s]}`, infos[r.IntN(len(infos))], strings.Join(parts[:r.IntN(4)], ","))
}

func exportFiles(t testing.TB) [][]byte {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(transcriptFolder, "opencode", "*.json"))
	if err != nil || len(names) < 3 {
		t.Fatalf("%d exports (%v)", len(names), err)
	}
	var all [][]byte
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, data)
	}
	return all
}

func TestAnExportMayBeWrittenInManyWays(t *testing.T) {
	for _, data := range exportFiles(t) {
		want := short(readData(data).journal)
		var compact bytes.Buffer
		if err := json.Compact(&compact, data); err != nil {
			t.Fatal(err)
		}
		for name, other := range map[string][]byte{
			"on one line":          compact.Bytes(),
			"with CRLF":            bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n")),
			"with a byte mark":     append([]byte("\xef\xbb\xbf"), data...),
			"behind a screen line": append([]byte("Exporting session: ses_x\n\n"), data...),
			"before a screen line": append(bytes.Clone(data), "done\n"...),
		} {
			r := readData(other)
			if got := short(r.journal); got != want || want == "" {
				t.Errorf("%s: journal %s, want %s", name, got, want)
			}
			if lines := strings.Contains(name, "screen"); lines != (len(r.session.Problems) == 1) {
				t.Errorf("%s: problems %+v", name, r.session.Problems)
			}
			for _, err := range checkLaws(r, other) {
				t.Errorf("%s: %v", name, err)
			}
		}
		r := readData(data[:len(data)*2/3])
		if len(r.log) > 0 || r.session.Format != "opencode" || len(r.session.Problems) > 0 {
			t.Errorf("two thirds of it: %s, %+v", short(r.journal), r.session)
		}
	}
}

func TestObjectsThatAreNoExport(t *testing.T) {
	export := `{"info":{"id":"ses_1"},"messages":[{"info":{"id":"u","role":"user"},"parts":[{"type":"text","text":"go"}]},{"info":{"id":"u","role":"user"},"parts":[]},{"info":{},"parts":[]},7]}`
	d := New("opencode", nil)
	offset := int64(0)
	for i, line := range []string{`{"info":1}`, `{"info":{} "x"}`, export, `{"info":{},"messages":[]}`} {
		d.Line([]byte(line), Place{Number: i + 1, Offset: offset})
		offset += int64(len(line)) + 1
	}
	if got := short(d.Change().Entries); got != "u unnamed-2" {
		t.Errorf("journal %s", got)
	}
	var got []string
	for _, p := range d.Session().Problems {
		got = append(got, p.Where())
	}
	if want := "[line 1 line 2 line 4 message unnamed-3]"; fmt.Sprint(got) != want || d.Session().Meter.Duplicates != 1 {
		t.Errorf("problems %+v, want %s", d.Session().Problems, want)
	}
}

func FuzzOpencode(f *testing.F) {
	for _, data := range exportFiles(f) {
		f.Add(data, byte(1))
		var compact bytes.Buffer
		if err := json.Compact(&compact, data); err != nil {
			f.Fatal(err)
		}
		f.Add(compact.Bytes(), byte(0))
	}
	fuzzDecoder(f, "opencode")
}

// What the plugin folded is folded in the replay: calls stand among whole
// messages, and the answer, which has no number, is in nobody's way.
func TestAFoldOfOpencodeIsReplayed(t *testing.T) {
	long := strings.Repeat("word ", 800)
	s := newOpenSession()
	s.set("u", openUser, openText("go "+long))
	done := fmt.Sprintf(`{"status":"completed","input":{},"output":%q}`, long)
	for i := range 8 {
		s.set(fmt.Sprintf("a%d", i), openReply, `{"type":"reasoning","text":"hm"}`, openTool("read", fmt.Sprintf("c%d", i), done), openTool("bash", fmt.Sprintf("d%d", i), done))
	}
	arguments := fmt.Sprintf(`{"topic":"t","content":[{"startId":"m0002","endId":"m0004","summary":%q}]}`, strings.Repeat("It was read. ", 20))
	s.set("k", openReply, openTool("compress", "k1", `{"status":"completed","input":`+arguments+`,"output":"Compressed 3 messages into [Compressed conversation section]."}`))
	s.set("n", openUser, `{"type":"text","text":"notice","ignored":true}`)
	for i := range 3 {
		s.set(fmt.Sprintf("b%d", i), openReply, openText(long))
	}
	s.short()
	k := kernel.New(kernel.Default(200000), nil)
	run := k.Advance(k.Start(), kernel.Change{Entries: s.journal})
	if run.Diverged() != "" || len(run.Blocks()) != 1 {
		t.Fatalf("diverged %q, blocks %+v", run.Diverged(), run.Blocks())
	}
	if got := fmt.Sprint(run.Blocks()[0].EffectiveMessageIDs); got != "[a0 a1 a2]" {
		t.Errorf("the block covers %s", got)
	}
	standings := ""
	for i := range run.Log().Len() {
		standings += fmt.Sprintf("%s %s, ", run.Ref(i), run.Standing(i).Kind)
	}
	if want := "m00001 recent zone, m00002 folded, m00003 folded, m00004 folded, m00005 sent, m00006 sent, m00007 sent, m00008 sent, m00009 sent, m00010 protected,  sent, m00011 recent zone, "; !strings.HasPrefix(standings, want) {
		t.Errorf("standings %s", standings)
	}
	batches := run.Now().Nudge.Batches.All()
	if len(batches) == 0 {
		t.Error("nothing is offered")
	}
	for _, b := range batches {
		v := k.Check(run, kernel.Call{Ranges: []kernel.CallRange{{StartRef: b.StartRef, EndRef: b.EndRef}}})
		if v.BlocksCreated != 1 {
			t.Errorf("%s..%s: %+v", b.StartRef, b.EndRef, v)
		}
	}
}
