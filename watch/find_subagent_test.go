package watch

import (
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

const codexDay = ".codex/sessions/2026/01/05/rollout-2026-01-05T10-00-00-"

// seen looks at everything on the machine.
func seen(m Machine) []Seen {
	var all []Seen
	for _, f := range m.All() {
		all = append(all, f.Seen())
	}
	return all
}

func TestSubagentsStandBelowTheSessionThatStartedThem(t *testing.T) {
	h := newHome(t)
	gemini := func(id string) string {
		return fmt.Sprintf(`{"sessionId":%q,"projectHash":"x","kind":"main"}`+"\n"+`{"id":"1","type":"user","content":"Hello"}`+"\n", id)
	}
	omp := strings.Replace(piHeader, "/elsewhere", "/p", 1) + `{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":"Hello"}}` + "\n"
	for _, file := range [][2]string{
		{codexDay + "fork.jsonl", codexThread("fork", `,"forked_from_id":"one"`, "Fork")},
		{codexDay + "one.jsonl", codexThread("one", `,"source":"cli"`, "First")},
		{codexDay + "two.jsonl", codexThread("two", `,"source":"cli"`, "Second")},
		{codexDay + "a.jsonl", codexSubagent("a", "one", "Read")},
		{codexDay + "b.jsonl", codexSubagent("b", "one", "Write")},
		{codexDay + "c.jsonl", codexSubagent("c", "two", "Test")},
		{codexDay + "deep.jsonl", codexSubagent("deep", "a", "Count")},
		{codexDay + "orphan.jsonl", codexSubagent("orphan", "gone", "Lost")},
		{codexDay + "review.jsonl", codexThread("review", `,"source":{"subagent":"review"}`, "Review")},
		{codexDay + "x.jsonl", codexSubagent("x", "y", "Chicken")},
		{codexDay + "y.jsonl", codexSubagent("y", "x", "Egg")},
		{".claude/projects/-p/agent-4.jsonl", claudePrompt(1, "Hello")},
		{".claude/projects/-p/agent-5.jsonl", claudePrompt(1, "Hello")},
		{".gemini/tmp/p/chats/session-1.jsonl", gemini("main")},
		{".gemini/tmp/p/chats/main/sub.jsonl", gemini("sub")},
		{".gemini/tmp/p/chats/sub/deeper.jsonl", gemini("deeper")},
		{".omp/agent/sessions/--p--/s.jsonl", omp},
		{".omp/agent/sessions/--p--/s/Explore.jsonl", omp},
		{".omp/agent/sessions/--p--/s/Explore/Count.jsonl", omp},
		{".omp/agent/sessions/--p--/s/notes/other.jsonl", omp},
		{".omp/agent/sessions/--p--/none/other.jsonl", omp},
	} {
		h.add(file[0], file[1])
	}
	m := h.machine("/p")
	got := map[string][]string{}
	for _, g := range m.Grouped(seen(m)) {
		for _, s := range g.Sessions {
			got[s.Agent] = append(got[s.Agent], tree(s))
		}
	}
	want := map[string][]string{
		"Codex CLI":   {"y(x)", "review", "orphan", "two(c)", "one(b a(deep))", "fork"},
		"Claude Code": {"agent-5", "agent-4"}, // their session is gone
		"Gemini CLI":  {"session-1(sub(deeper))"},
		"oh-my-pi":    {"s(Explore(Count))"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

// tree writes a session with its subagents in brackets.
func tree(s Seen) string {
	name := strings.TrimPrefix(strings.TrimSuffix(filepath.Base(s.Path), ".jsonl"), filepath.Base(codexDay))
	var below []string
	for _, sub := range s.Subagents {
		below = append(below, tree(sub))
	}
	if below == nil {
		return name
	}
	return name + "(" + strings.Join(below, " ") + ")"
}

func TestASubagentIsTheNewestSessionOnlyWhereThereIsNoOther(t *testing.T) {
	own := codexThread("one", `,"source":"cli"`, "First")
	for name, c := range map[string]struct {
		files [][2]string // below the home folder, the newest last
		want  string
	}{
		"of Codex": {[][2]string{
			{codexDay + "one.jsonl", own}, {codexDay + "sub.jsonl", codexSubagent("sub", "one", "Read")},
		}, codexDay + "one.jsonl"},
		"of Codex, without the session": {[][2]string{
			{codexDay + "old.jsonl", codexSubagent("old", "one", "Read")}, {codexDay + "sub.jsonl", codexSubagent("sub", "one", "Read")},
		}, codexDay + "sub.jsonl"},
		"a review": {[][2]string{
			{codexDay + "one.jsonl", own}, {codexDay + "r.jsonl", codexThread("r", `,"source":{"subagent":"review"}`, "Review")},
		}, codexDay + "one.jsonl"},
		"a fork is a session": {[][2]string{
			{codexDay + "one.jsonl", own}, {codexDay + "f.jsonl", codexThread("f", `,"forked_from_id":"one"`, "Fork")},
		}, codexDay + "f.jsonl"},
		"of Claude Code, without the session": {[][2]string{
			{".claude/projects/-p/gone/subagents/agent-1.jsonl", claudePrompt(1, "Hello")},
		}, ".claude/projects/-p/gone/subagents/agent-1.jsonl"},
		"of oh-my-pi": {[][2]string{
			{".omp/agent/sessions/--p--/s.jsonl", piHeader}, {".omp/agent/sessions/--p--/s/Explore.jsonl", piHeader},
		}, ".omp/agent/sessions/--p--/s.jsonl"},
		"of oh-my-pi, in a folder for all projects": {[][2]string{
			{"flat/s.jsonl", piHeader}, {"flat/s/Explore.jsonl", piHeader},
		}, "flat/s.jsonl"},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHome(t)
			h.env["PI_CODING_AGENT_SESSION_DIR"] = h.path("flat")
			for _, file := range c.files {
				h.add(file[0], file[1])
			}
			m := h.machine("/p")
			for _, find := range []func() (Found, error){m.Newest, m.Latest} {
				if got, err := find(); err != nil || got.Path != h.path(c.want) {
					t.Errorf("%s, error %v", got.Path, err)
				}
			}
		})
	}
}

// A session may have started more subagents than sessions are looked into to
// find those of the current folder.
func TestTheCurrentFoldersSessionIsFoundBehindItsSubagents(t *testing.T) {
	h := newHome(t)
	h.add(codexDay+"one.jsonl", codexThread("one", "", "First"))
	for i := range 2 * sessionsRead {
		h.add(fmt.Sprint(codexDay, i, ".jsonl"), codexSubagent(fmt.Sprint(i), "one", "Read"))
	}
	h.add(codexDay+"other.jsonl", strings.Replace(codexThread("other", "", "Elsewhere"), `"/p"`, `"/q"`, 1))
	h.wantNewest("/p", codexDay+"one.jsonl")
	if found := h.machine("/p").Sessions(); len(found) != 2 {
		t.Errorf("%d sessions: %+v", len(found), found)
	}
}

func TestASessionIsFoundBehindMoreSubagentsThanAreLookedInto(t *testing.T) {
	h := newHome(t)
	h.add(codexDay+"one.jsonl", codexThread("one", "", "First"))
	for i := range filesRead + 1 {
		h.add(fmt.Sprint(codexDay, i, ".jsonl"), codexSubagent(fmt.Sprint(i), "one", "Read"))
	}
	h.wantNewest("/p", codexDay+"one.jsonl")
}

func TestTheScoutNamesNoSubagent(t *testing.T) {
	h := newHome(t)
	path := h.add(codexDay+"one.jsonl", codexThread("one", "", "First"))
	old := h.add(codexDay+"old.jsonl", codexSubagent("old", "one", "Read"))
	s := h.machine("/p").Scout(path, "", "/p")
	h.at = h.at.Add(time.Minute)
	h.add(strings.TrimPrefix(old, h.folder+"/"), codexSubagent("old", "one", "Read on"))
	h.add(codexDay+"sub.jsonl", codexSubagent("sub", "one", "Write"))
	h.add(codexDay+"review.jsonl", codexThread("review", `,"thread_source":"subagent"`, "Review"))
	if next, ok := s.look(); ok {
		t.Fatalf("%s is named", next.Path)
	}
	fork := h.add(codexDay+"fork.jsonl", codexThread("fork", `,"forked_from_id":"one"`, "Fork"))
	h.add(codexDay+"sub.jsonl", codexSubagent("sub", "one", "Write on"))
	if next, ok := s.look(); !ok || next.Path != fork {
		t.Errorf("%q is named, %v", next.Path, ok)
	}
}

func TestWhatASubagentIsAbout(t *testing.T) {
	h := newHome(t)
	h.add(codexDay+"one.jsonl", codexThread("one", "", "Fix the login page"))
	h.add(codexDay+"own.jsonl", codexSubagent("own", "one", "Find the form"))
	h.add(codexDay+"heir.jsonl", codexSubagent("heir", "one", "Fix the login page"))
	h.add(codexDay+"bare.jsonl", codexThread("bare", `,"parent_thread_id":"one"`, "Fix the login page"))
	m := h.machine("/p")
	s := m.Grouped(seen(m))[0].Sessions[0]
	got := []string{s.About()}
	for _, sub := range s.Subagents {
		got = append(got, sub.About())
	}
	// A session that begins with its parent's messages was not asked for that,
	// but where it has no name either, that says more than nothing.
	if want := []string{"Fix the login page", "Fix the login page", "heir", "own: Find the form"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
