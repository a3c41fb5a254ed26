package headless

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"ctxscope/watch"
	"ctxscope/watch/settings"
)

// machineOf makes a home folder with the named files, each newer than the one
// before, the last one a minute old.
func machineOf(t *testing.T, files ...[2]string) watch.Machine {
	t.Helper()
	home := t.TempDir()
	for i, file := range files {
		path := filepath.Join(home, file[0])
		at := time.Now().Add(-time.Minute - time.Duration(len(files)-1-i)*20*time.Minute)
		for _, err := range []error{
			os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(file[1]), 0o600), os.Chtimes(path, at, at),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	return watch.Machine{Home: home, Folder: "/code/api", Getenv: func(string) string { return "" }}
}

func claudeFile(folder, prompt string, used int) string {
	asked, _ := json.Marshal(prompt) // a string always has JSON
	return fmt.Sprintf(`{"type":"user","uuid":"a","parentUuid":null,"sessionId":"s","cwd":%q,"message":{"role":"user","content":%s}}
{"type":"assistant","uuid":"b","parentUuid":"a","sessionId":"s","cwd":%[1]q,"message":{"id":"m","role":"assistant","model":"claude-sonnet-4-5","content":[{"type":"text","text":"Yes."}],"usage":{"input_tokens":%[3]d,"output_tokens":0}}}
`, folder, asked, used)
}

func someSessions(t *testing.T) watch.Machine {
	m := machineOf(t,
		[2]string{".claude/projects/-code-web/old.jsonl", claudeFile("/code/web", "Draw \x1b[31mit\n red", 120_000)},
		[2]string{".claude/projects/-code-api/s/subagents/agent-1.jsonl", claudeFile("/code/api", "Search", 9_000)},
		[2]string{".claude/projects/-code-api/s.jsonl", claudeFile("/code/api", "Fix the login page", 50_000)},
	)
	if err := os.Symlink("/etc/hostname", filepath.Join(m.Home, ".claude/projects/-code-api/link.jsonl")); err != nil {
		t.Fatal(err)
	}
	return m
}

func TestListGroupsByFolder(t *testing.T) {
	m := someSessions(t)
	var out, errs bytes.Buffer
	if err := List(t.Context(), m, Options{Out: &out, Err: &errs}, false); err != nil {
		t.Fatal(err)
	}
	want := `/code/api (the current folder)
  running  1 min ago     Claude Code  1 KB       50,000 of 200,000 tokens, 25 %
    Fix the login page
    HOME/.claude/projects/-code-api/s.jsonl
      idle     21 min ago    Claude Code  1 KB       9,000 of 200,000 tokens, 4 %
        Search
        HOME/.claude/projects/-code-api/s/subagents/agent-1.jsonl

/code/web
  idle     41 min ago    Claude Code  1 KB       120,000 of 200,000 tokens, 60 %
    Draw \x1b[31mit red
    HOME/.claude/projects/-code-web/old.jsonl

Not opened
  HOME/.claude/projects/-code-api/link.jsonl: it is a symbolic link that leads out of the session folder, to /etc/hostname; name that file itself to open it
`
	got := strings.ReplaceAll(out.String(), m.Home, "HOME")
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if errs.Len() > 0 {
		t.Errorf("errors: %s", errs.String())
	}
}

func TestListWritesJSON(t *testing.T) {
	m := someSessions(t)
	m.Agent = "Claude Code"
	var out bytes.Buffer
	if err := List(t.Context(), m, Options{Out: &out}, true); err != nil {
		t.Fatal(err)
	}
	var got []Listed
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if len(got) != 3 || len(got[0].Subagents) != 1 || got[2].Refused == "" {
		t.Fatalf("got %+v", got)
	}
	first := got[0]
	if time.Since(time.UnixMilli(first.Modified)) > 5*time.Minute || first.Bytes == 0 {
		t.Errorf("modified %d, %d bytes", first.Modified, first.Bytes)
	}
	first.Modified, first.Bytes, first.Subagents = 0, 0, nil
	want := Listed{
		File: filepath.Join(m.Home, ".claude/projects/-code-api/s.jsonl"), Agent: "Claude Code", Format: "claude",
		Folder: "/code/api", Here: true, Prompt: "Fix the login page", Model: "claude-sonnet-4-5", Running: true,
		Context: 50_000, Window: &settings.Window{Tokens: 200_000, Source: settings.ModelTable},
	}
	if !reflect.DeepEqual(first, want) {
		t.Errorf("got %+v\nwant %+v", first, want)
	}
}

func codexFile(id, more, prompt string) string {
	return fmt.Sprintf(`{"type":"session_meta","payload":{"id":%q,"cwd":"/code/api"%s}}
{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":%q}]}}
`, id, more, prompt)
}

// All sessions of Codex lie in one folder: whose subagent's one is, it says
// itself.
func TestListNestsWhatOnlyTheContentNests(t *testing.T) {
	const day = ".codex/sessions/2026/01/05/rollout-2026-01-05T10-00-00-"
	started := func(parent, name string) string {
		return fmt.Sprintf(`,"source":{"subagent":{"thread_spawn":{"parent_thread_id":%q,"agent_nickname":%q}}}`, parent, name)
	}
	m := machineOf(t,
		[2]string{day + "one.jsonl", codexFile("one", `,"source":"cli"`, "Fix the login page")},
		[2]string{day + "two.jsonl", codexFile("two", `,"source":"cli","forked_from_id":"one"`, "Fix the login page")},
		[2]string{day + "three.jsonl", codexFile("three", started("one", "Boole"), "Find the form")},
		[2]string{day + "four.jsonl", codexFile("four", started("three", "Noether"), "Count the fields")},
	)
	var text, out bytes.Buffer
	for _, err := range []error{List(t.Context(), m, Options{Out: &text}, false), List(t.Context(), m, Options{Out: &out}, true)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	want := `/code/api (the current folder)
  idle     41 min ago    Codex CLI    1 KB       context unknown
    Fix the login page
    HOME/two.jsonl
  idle     1 h ago       Codex CLI    1 KB       context unknown
    Fix the login page
    HOME/one.jsonl
      idle     21 min ago    Codex CLI    1 KB       context unknown
        Boole: Find the form
        HOME/three.jsonl
          running  1 min ago     Codex CLI    1 KB       context unknown
            Noether: Count the fields
            HOME/four.jsonl
`
	if got := strings.ReplaceAll(text.String(), m.Home+"/"+day, "HOME/"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	var got []Listed
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 || len(got[1].Subagents) != 1 || len(got[1].Subagents[0].Subagents) != 1 {
		t.Fatalf("got %+v", got)
	}
	if deep := got[1].Subagents[0].Subagents[0]; deep.Title != "Noether" || deep.Prompt != "Count the fields" || !strings.HasSuffix(deep.File, "four.jsonl") {
		t.Errorf("got %+v", deep)
	}
	if a := (Arguments{Latest: true}); a.Locate(m) != nil || !strings.HasSuffix(a.Options.File, "two.jsonl") {
		t.Errorf("the latest is %s", a.Options.File)
	}
}

func TestListOfNothing(t *testing.T) {
	m := machineOf(t)
	var out, errs bytes.Buffer
	if err := List(t.Context(), m, Options{Out: &out, Err: &errs}, false); err != nil || out.Len() > 0 || !strings.Contains(errs.String(), "no agent has left a session") {
		t.Errorf("out %q, errors %q, %v", out.String(), errs.String(), err)
	}
	if err := List(t.Context(), m, Options{Out: &out, Err: &errs}, true); err != nil || out.String() != "[]\n" {
		t.Errorf("out %q, %v", out.String(), err)
	}
}

func TestUnknownFillIsSaid(t *testing.T) {
	m := machineOf(t, [2]string{".claude/projects/-code-api/s.jsonl", strings.Split(claudeFile("/code/api", "Hello", 1), "\n")[0] + "\n"})
	var out bytes.Buffer
	if err := List(t.Context(), m, Options{Out: &out}, false); err != nil || !strings.Contains(out.String(), "context unknown") {
		t.Errorf("out %s, %v", out.String(), err)
	}
}

func TestLocate(t *testing.T) {
	m := someSessions(t)
	at := func(path string) string { return filepath.Join(m.Home, path) }
	for _, c := range []struct {
		name string
		args Arguments
		want string
		err  string
	}{
		{"the current folder's session comes first", Arguments{}, at(".claude/projects/-code-api/s.jsonl"), ""},
		{"the latest of another folder", Arguments{Latest: true}, at(".claude/projects/-code-api/s.jsonl"), ""},
		{"another agent has none", Arguments{Agent: "pi"}, "", watch.ErrNoSession.Error()},
		{"a named file stands", Arguments{Options: Options{File: "x.jsonl"}}, "x.jsonl", ""},
		{"standard input stands", Arguments{Options: Options{File: "-"}}, "-", ""},
		{"the demo needs none", Arguments{Demo: true}, "", ""},
		{"a link out of the folder", Arguments{Options: Options{File: at(".claude/projects/-code-api/link.jsonl")}}, "", "leads out of the session folder"},
	} {
		err := c.args.Locate(m)
		if c.err == "" && err != nil || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
			t.Errorf("%s: error %v", c.name, err)
		}
		if c.err == "" && c.args.Options.File != c.want {
			t.Errorf("%s: %q, want %q", c.name, c.args.Options.File, c.want)
		}
	}
	m.Folder = "/code/web"
	var here, latest Arguments
	latest.Latest = true
	for a, want := range map[*Arguments]string{&here: "old.jsonl", &latest: "s.jsonl"} {
		if err := a.Locate(m); err != nil || filepath.Base(a.Options.File) != want {
			t.Errorf("%q, error %v, want %q", a.Options.File, err, want)
		}
	}
}

func TestParseChoosesSessions(t *testing.T) {
	a, err := Parse([]string{"report", "--latest", "--agent", "claude-code"})
	if err != nil || a.Verb != VerbReport || !a.Latest || a.Agent != "Claude Code" {
		t.Errorf("%+v, error %v", a, err)
	}
	for _, line := range []string{
		"ls x.jsonl", "ls --pick", "report", "report x.jsonl --latest", "x.jsonl --agent pi", "--agent vim", "--demo --latest",
		"--session s", "report x.jsonl --follow-latest", "replay --latest --json",
	} {
		if a, err := Parse(strings.Fields(line)); err == nil {
			t.Errorf("%q gives %+v", line, a)
		}
	}
	for _, line := range []string{"ls --json --agent pi", "--pick", "--follow-latest", "x.jsonl --follow-latest", "x.db --session s"} {
		if _, err := Parse(strings.Fields(line)); err != nil {
			t.Errorf("%q: %v", line, err)
		}
	}
}

func TestEachOfManySessionsIsListedWithItsOwnFacts(t *testing.T) {
	const many = 300
	var files [][2]string
	for i := range many {
		files = append(files, [2]string{fmt.Sprintf(".claude/projects/-code-api/s%03d.jsonl", i), claudeFile("/code/api", fmt.Sprintf("Task %d", i), 1_000+i)})
	}
	m := machineOf(t, files...)
	var out bytes.Buffer
	if err := List(t.Context(), m, Options{Out: &out}, true); err != nil {
		t.Fatal(err)
	}
	var got []Listed
	if err := json.Unmarshal(out.Bytes(), &got); err != nil || len(got) != many {
		t.Fatalf("%d sessions, error %v", len(got), err)
	}
	for n, s := range got { // newest first
		i := many - 1 - n
		if filepath.Base(s.File) != fmt.Sprintf("s%03d.jsonl", i) || s.Prompt != fmt.Sprintf("Task %d", i) || int(s.Context) != 1_000+i {
			t.Fatalf("session %d is %+v", n, s)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := List(ctx, m, Options{Out: &out}, true); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: error %v", err)
	}
}
