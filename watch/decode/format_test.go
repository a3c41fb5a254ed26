package decode

import (
	"fmt"
	"strings"
	"testing"

	"ctxscope/kernel"
)

func TestNotEverythingIsHeldBackForAFormat(t *testing.T) {
	d := New("", nil)
	line := []byte(`{"foo":"` + strings.Repeat("x", 8<<20) + `"}`)
	lines := 0
	for ; d.Session().Refused == "" && lines < maxRecords; lines++ {
		d.Line(line, Place{Number: lines + 1, Offset: int64(lines * (len(line) + 1))})
	}
	if want := maxHeld/len(line) + 1; lines != want {
		t.Errorf("%d lines were held back, want %d: %s", lines, want, d.Session().Refused)
	}
	if held := d.(*detecting).held; held != nil {
		t.Errorf("%d lines are still held", len(held))
	}
}

func TestDetect(t *testing.T) {
	const claude = `{"type":"user","uuid":"n1","parentUuid":null,"sessionId":"s","message":{"role":"user","content":"x"}}`
	user := piUser("a", "", "x")
	many := func(n int, line string) string { return strings.TrimSuffix(strings.Repeat(line+"\n", n), "\n") }
	cases := []struct{ name, text, format, refused string }{
		{"nothing", "", "", ""},
		{"a header alone is not Pi", piHeader, "", ""},
		{"a header and a message", piHeader + "\n" + user, "pi", ""},
		{"a message before the header", user + "\n" + piHeader, "", ""},
		{"a title line and a header", `{"type":"title","v":1,"title":"x","pad":"  "}` + "\n" + piHeader, "pi", ""},
		{"Pi's event stream", piHeader + "\n" + `{"type":"agent_start"}`, "", "this is Pi's event stream, not a session file"},
		{"a header and fifty other entries", piHeader + "\n" + many(49, piLine("l", "", `"type":"label"`)), "", "none of its first 50 records is a message"},
		{"a Claude record", claude, "claude", ""},
		{"a Claude title", `{"type":"summary","summary":"x","leafUuid":"y"}`, "claude", ""},
		{"text before the first record", "# shared\nby a tool\n" + claude, "claude", ""},
		{"records from the future before it", `{"type":"new","sessionId":"s","payload":[1]}` + "\n" + claude, "claude", ""},
		{"two hundred lines of text", many(200, "hello there"), "", "none of the first 200 lines in this file is a JSON record"},
		{"a text too short to tell", many(20, "hello there"), "", ""},
		{"unknown records wait", many(49, `{"foo":1}`), "", ""},
		{"fifty unknown records", many(50, `{"foo":1}`), "", "none of the first 50 records in this file is of a session format that ctxscope knows"},
		{"a core message", `{"id":"a","role":"user","contentType":"text"}`, "core", ""},
		{"a core event", `{"op":"config","modelContextLimit":1}`, "core", ""},
		{"an op that is none", `{"op":"replace"}`, "", ""},
		{"Codex", `{"type":"session_meta","payload":{}}`, "codex", ""},
		{"old Codex", `{"id":"x","timestamp":"t","instructions":null}`, "codex", ""},
		{"old Codex, from its second line", `{"record_type":"state"}`, "codex", ""},
		{"an archived session", "\x28\xb5\x2f\xfd\x04\x00", "", "this is a compressed file"},
		{"Gemini", `{"sessionId":"s","projectHash":"p"}`, "gemini", ""},
		{"Gemini, whole", "{\n  \"sessionId\": \"s\",\n  \"projectHash\": \"p\",\n", "gemini", ""},
		{"formatted JSON with a session but no project", "{\n  \"sessionId\": \"s\",\n" + many(7, `  "a": 1,`), "", "the JSON in this file is spread over many lines"},
		{"the proxy", `{"version":3,"savedAt":1,"id":"x","meta":{},"stats":{},"state":{"blocks":[]},"messages":[]}`, "proxy", ""},
		{"the proxy in an envelope", `{"version":3,"savedAt":1,"id":"x","payload":{"meta":{},"state":{"blocks":[]}}}`, "proxy", ""},
		{"a kernel store", `{"version":1,"savedAt":1,"id":"x","payload":{"blocks":[]}}`, "", "this is a state file of a compression plugin, not a session"},
		{"a fold store", `{"version":1,"savedAt":1,"id":"x","payload":{"identities":[],"state":{"blocks":[]}}}`, "", "this is a state file of a compression plugin, not a session"},
		{"opencode on one line", `{"info":{"id":"x"},"messages":[]}`, "opencode", ""},
		{"a database", "SQLite format 3\x00\x10", "", "this is an SQLite database"},
		{"a state file", `{"blocks":[],"messageRefs":{}}`, "", "this is a state file of a compression plugin, not a session"},
		{"one line of formatted JSON may be half a record", "{\n\"a\": 1,", "", ""},
		{"formatted JSON", "{\n" + many(8, `  "a": 1,`), "", "the JSON in this file is spread over many lines"},
		{"an opencode export behind a line of text", "Exporting session: x\n{\n  \"info\": {\n    \"slug\": \"a\",\n    \"id\": \"ses_1\",\n", "opencode", ""},
		{"formatted JSON with info but no session", "{\n  \"info\": {\n    \"id\": \"x\",\n" + many(7, `  "a": 1,`), "", "the JSON in this file is spread over many lines"},
	}
	for _, c := range cases {
		d := New("", nil)
		var offset int64
		for i, line := range strings.Split(c.text, "\n") {
			d.Line([]byte(line), Place{Number: i + 1, Offset: offset})
			offset += int64(len(line)) + 1
		}
		format, refused := d.Session().Format, d.Session().Refused
		if format != c.format || (c.refused == "") != (refused == "") || !strings.Contains(refused, c.refused) {
			t.Errorf("%s: found %q, refused with %q; want %q and %q", c.name, format, refused, c.format, c.refused)
		}
	}
}

func TestLinesWaitUntilTheFormatIsKnown(t *testing.T) {
	d := New("", nil)
	var journal []kernel.Entry
	want := []string{" ", " ", "pi a", "pi a b"}
	for i, line := range []string{"hello", piHeader, piUser("a", "", "x"), piUser("b", "a", "y")} {
		d.Line([]byte(line), Place{Number: i + 1, Offset: int64(i * 1000)})
		c := d.Change()
		journal = append(journal[:c.Keep], c.Entries...)
		if got := d.Session().Format + " " + short(journal); got != want[i] {
			t.Errorf("after line %d: %q, want %q", i+1, got, want[i])
		}
	}
	if got := fmt.Sprintf("%+v", d.Session().Problems); got != "[{Line:1 Record: Reason:not a whole JSON object}]" {
		t.Errorf("problems are %s", got)
	}
}

func TestNewPanicsOnAnUnknownFormat(t *testing.T) {
	defer func() {
		if got := fmt.Sprint(recover()); !strings.Contains(got, `no format is named "txt"`) {
			t.Errorf("New says %s", got)
		}
	}()
	New("txt", nil)
}
