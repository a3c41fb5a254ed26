package tui

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ctxscope/views"
	"ctxscope/watch"
)

// threads is a home folder with two Codex threads that started subagents. All
// lie in one folder, and only what they hold tells which are which.
type threads struct {
	watch.Machine
	paths map[string]string
}

// threadID is the id of a thread, as long as a real one.
func threadID(name string) string { return fmt.Sprintf("00000000-0000-7000-8000-%012x", name) }

// put makes the file of a thread, newer than those before.
func (th *threads) put(t *testing.T, name, more string, items ...string) {
	t.Helper()
	lines := []string{fmt.Sprintf(`{"type":"session_meta","payload":{"id":%q,"cwd":"/proj"%s}}`, threadID(name), more)}
	for _, item := range items {
		lines = append(lines, `{"type":"response_item","payload":`+item+`}`)
	}
	path := filepath.Join(th.Home, ".codex/sessions/2026/01/05/rollout-2026-01-05T10-00-00-"+threadID(name)+".jsonl")
	at := time.Now().Add(time.Duration(len(th.paths)-60) * time.Minute)
	for _, err := range []error{
		os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600), os.Chtimes(path, at, at),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	th.paths[name] = path
}

func asks(text string) string {
	return fmt.Sprintf(`{"type":"message","role":"user","content":[{"type":"input_text","text":%q}]}`, text)
}

func spawns(call, arguments, output string) []string {
	items := []string{fmt.Sprintf(`{"type":"function_call","call_id":%q,"name":"spawn_agent","arguments":%q}`, call, arguments)}
	if output != "" {
		items = append(items, fmt.Sprintf(`{"type":"function_call_output","call_id":%q,"output":%q}`, call, output))
	}
	return items
}

func startedIn(parent, more string) string {
	return fmt.Sprintf(`,"source":{"subagent":{"thread_spawn":{"parent_thread_id":%q%s}}}`, threadID(parent), more)
}

func newThreads(t *testing.T) threads {
	t.Helper()
	th := threads{watch.Machine{Home: t.TempDir(), Folder: "/proj", Getenv: func(string) string { return "" }}, map[string]string{}}
	one := []string{asks("Fix the login page")}
	one = append(one, spawns("c1", `{"message":"Find the form"}`, `{"agent_id":"`+threadID("by id")+`","nickname":"Boole"}`)...)
	one = append(one, spawns("c2", `{"task_name":"docs","message":"gAAAAA"}`, `{"task_name":"/root/docs"}`)...)
	one = append(one, spawns("c3", `{"message":"Paint the page"}`, "")...)
	one = append(one, spawns("c4", `{"message":"Sell the page"}`, `{"task_name":"/root/doc"}`)...)
	th.put(t, "one", `,"source":"cli"`, one...)
	th.put(t, "by id", startedIn("one", `,"agent_nickname":"Boole"`), asks("Find the form"))
	th.put(t, "by name", startedIn("one", `,"agent_path":"/root/docs"`), asks("Fix the login page"))
	th.put(t, "by prompt", startedIn("one", ""), asks("Paint the page"))
	th.put(t, "deep", startedIn("by id", `,"agent_nickname":"Noether"`), asks("Count the fields"))
	th.put(t, "two", `,"source":"cli"`, asks("Write the manual"))
	th.put(t, "namesake", startedIn("two", `,"agent_path":"/root/docs"`), asks("Write the manual"))
	th.put(t, "double", startedIn("two", ""), asks("Paint the page"))
	return th
}

func TestCodexSubagentsStandBelowTheirThread(t *testing.T) {
	th := newThreads(t)
	m := openMachine(t, machine{Machine: th.Machine}, th.paths["one"], nil)
	m = drive(t, m, keys("s")...)
	shows(t, m, "2 sessions in 1 folder")
	var got []string
	for _, r := range m.chooser.rows {
		about := r.About
		if r.Subagent {
			about = "└ " + about
		}
		got = append(got, r.Folder+about)
	}
	want := []string{
		"/proj", "Write the manual", "└ Paint the page", "└ docs",
		"Fix the login page", "└ Paint the page", "└ docs", "└ Boole: Find the form", "└ Noether: Count the fields",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	m = drive(t, m, append(append(keys("/"), typed("Noether")), keys("enter", "j", "enter")...)...)
	if m.live.status.Path != th.paths["deep"] {
		t.Errorf("%s is on the screen, note %q", m.live.status.Path, m.note)
	}
}

func TestACodexSubagentOpensFromTheCallThatStartedIt(t *testing.T) {
	for row, name := range map[int]string{1: "by id", 2: "by id", 3: "by name", 4: "by name", 5: "by prompt", 6: "", 7: ""} {
		th := newThreads(t)
		m := openMachine(t, machine{Machine: th.Machine}, th.paths["one"], nil)
		m = drive(t, m, keys("6", "g")...)
		for range row {
			m = drive(t, m, keys("j")...)
		}
		m = drive(t, m, keys("a")...)
		if name == "" {
			if m.live.status.Path != th.paths["one"] || !strings.Contains(m.note, "No session of a subagent was found") {
				t.Errorf("row %d: %s is on the screen, note %q", row, m.live.status.Path, m.note)
			}
			continue
		}
		if m.live.status.Path != th.paths[name] || !strings.Contains(m.note, "subagent's session") {
			t.Errorf("row %d: %s is on the screen, note %q; want %s", row, m.live.status.Path, m.note, name)
		}
		if m = drive(t, m, keys("1", "esc")...); m.live.status.Path != th.paths["one"] {
			t.Errorf("row %d: esc leads to %s", row, m.live.status.Path)
		}
	}
}

func TestAFolderStandsForASessionRatherThanForASubagent(t *testing.T) {
	th := threads{watch.Machine{Home: t.TempDir(), Folder: "/proj", Getenv: func(string) string { return "" }}, map[string]string{}}
	th.put(t, "review", `,"source":{"subagent":"review"}`, asks("Review it"))
	m := openMachine(t, machine{Machine: th.Machine}, th.paths["review"], nil)
	m = drive(t, m, keys("s")...)
	if m.chooser.rows[0].to.path != th.paths["review"] {
		t.Errorf("the folder stands for %v", m.chooser.rows[0].to)
	}
	th.put(t, "one", "", asks("Fix it"))
	th.put(t, "newer", `,"source":{"subagent":"review"}`, asks("Review it"))
	m = drive(t, m, keys("esc", "s", "g", "enter")...)
	if m.live.status.Path != th.paths["one"] || m.focus != views.PanelBatches {
		t.Errorf("%s is on the screen, focus %s", m.live.status.Path, m.focus)
	}
}

func TestAGeminiSubagentIsNearItsSession(t *testing.T) {
	all := []watch.Found{{Path: "/h/chats/s/sub-of-s.jsonl", Agent: "Gemini CLI", Subagent: true, Parent: "Gemini CLI s"}}
	for id, want := range map[string]bool{"s": true, "t": false} {
		at := starter{target{path: "/h/chats/session-1.jsonl"}, "Gemini CLI", id}
		if to, ok := at.find(`{}`, "done by sub-of-s", all); ok != want || ok && to.path != all[0].Path {
			t.Errorf("session %s started %v, %v", id, to, ok)
		}
	}
}
