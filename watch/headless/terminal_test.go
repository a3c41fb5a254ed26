package headless

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"ctxscope/watch/settings"
)

// driving drives a terminal, and would write lines of its own.
const driving = "\x1b]0;x\a\u009b31m\x7f\u202e\u2066\u200b\ufeff\U000e0041\r\nFORGED"

// quoted is a text as JSON.
func quoted(text string) string {
	data, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(data)
}

// drivingSession has what drives a terminal in every member that it can be in.
func drivingSession() string {
	d, long := quoted(driving), quoted(driving+strings.Repeat("word ", 2000))
	lines := []string{
		`{"op":"config","modelContextLimit":20000,` + d + `:1,"compress":{` + d + `:1,"protectedTools":[` + d + `]}}`,
		`{"id":` + quoted("u"+driving) + `,"role":"user","contentType":"text","text":` + long + `}`,
		`{"id":` + quoted("c"+driving) + `,"role":"assistant","contentType":"tool-call","toolName":` + d + `,"toolCallId":` + d + `,"text":` + d + `}`,
		`{"id":` + quoted("r"+driving) + `,"role":"tool","contentType":"tool-result","toolName":` + d + `,"toolCallId":` + d + `,"text":` + long + `}`,
		`{"id":"v","role":"user","contentType":"text","text":` + long + `}`,
		`{"id":"w","role":"assistant","contentType":"text","text":` + long + `}`,
		`{"id":"x","role":"user","contentType":"text","text":` + long + `}`,
		`{"id":"y","role":` + d + `,"contentType":"text"}`,
		`{"id":` + d + `,"role":"user","contentType":` + d + `}`,
		`{"op":` + d + `}`,
		`{"id":"v","role":"user","contentType":"text","text":` + d + `}`,
		`{"op":"turn","tokenCount":19000}`,
		`{"op":"compress","ranges":[{"startRef":"m00004","endRef":"m00005","summary":` + long + `,"topic":` + d + `,"compressCallId":` + d + `}]}`,
		`{"op":"compress","ranges":[{"startRef":` + d + `,"endRef":` + quoted("m00005"+driving) + `,"summary":` + d + `,"topic":` + d + `}]}`,
		`{"op":"turn","tokenCount":19000}`,
	}
	return strings.Join(lines, "\n") + "\n"
}

func TestNothingThatIsWrittenDrivesATerminal(t *testing.T) {
	file := filepath.Join(t.TempDir(), "s\x1b[31m\u202e\n.jsonl")
	if err := os.WriteFile(file, []byte(drivingSession()), 0o600); err != nil {
		t.Fatal(err)
	}
	rules := filepath.Join(t.TempDir(), "r\x1b[31m\u009b\n.json")
	if err := os.WriteFile(rules, []byte(`{`+quoted(driving)+`:1, "nudge": {`+quoted(driving)+`: 2}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	choice, err := settings.Read(0, rules)
	if err != nil {
		t.Fatal(err)
	}
	ranges := []string{driving + ".." + driving, "m00004.." + driving, "m00001..m00006"}
	ctx := context.Background()
	for name, write := range map[string]func(Options, bool) error{
		"report": func(o Options, asJSON bool) error { return Report(ctx, o, asJSON) },
		"replay": func(o Options, _ bool) error { return Replay(ctx, o) },
		"check": func(o Options, asJSON bool) error {
			_, err := Check(ctx, o, Request{Ranges: ranges, JSON: asJSON})
			return err
		},
		"doctor": func(o Options, asJSON bool) error {
			_, err := Doctor(ctx, o, Request{JSON: asJSON})
			return err
		},
	} {
		for _, asJSON := range []bool{false, true} {
			var out, warnings bytes.Buffer
			if err := write(Options{File: file, Choice: choice, Out: &out, Err: &warnings}, asJSON); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if !strings.Contains(out.String(), "FORGED") {
				t.Errorf("%s, JSON %v: nothing of the session's texts is written, so nothing was tried", name, asJSON)
			}
			checkHarmless(t, name, out.String())
			checkHarmless(t, name+" on standard error", warnings.String())
		}
	}
}

func checkHarmless(t *testing.T, name, text string) {
	t.Helper()
	for i, r := range text {
		if r != '\n' && !unicode.IsGraphic(r) {
			t.Errorf("%s writes %q in %q", name, r, text[max(0, i-60):i+len(string(r))])
			return
		}
	}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimLeft(line, " "), "FORGED") {
			t.Errorf("%s lets a text begin a line: %q", name, line)
		}
	}
}

func TestJSONWithEscapesSaysTheSame(t *testing.T) {
	for _, text := range []string{driving, "日本語 👩‍👩‍👧 \u2028", "plain", "\x00\x01\\u0041"} {
		var out bytes.Buffer
		if err := writeJSON(&out, text); err != nil {
			t.Fatal(err)
		}
		var again string
		if err := json.Unmarshal(out.Bytes(), &again); err != nil || again != text {
			t.Errorf("%q comes back as %q, %v", text, again, err)
		}
		checkHarmless(t, "writeJSON", out.String())
	}
}

func TestLongListsOfProblemsAreCutForPeople(t *testing.T) {
	session := conversation + strings.Repeat("no record\n", 1000)
	text := reportOf(t, Options{In: strings.NewReader(session)}, false)
	if n := strings.Count(text, "not a whole JSON object"); n != problemsShown || !strings.Contains(text, "980 more") {
		t.Errorf("%d problems are listed, want %d and a word about the others: %s", n, problemsShown, text)
	}
	var warnings bytes.Buffer
	o := Options{File: "-", In: strings.NewReader(session), Out: io.Discard, Err: &warnings}
	if err := Replay(context.Background(), o); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(warnings.String(), "\n"); n != problemsShown+1 || !strings.Contains(warnings.String(), "980 more") {
		t.Errorf("%d warnings: %s", n, warnings.String())
	}
}
