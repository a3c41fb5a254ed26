package tui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ctxscope/kernel"
	"ctxscope/views"
	"ctxscope/watch"
	"ctxscope/watch/decode"
	"ctxscope/watch/settings"
)

// machine is a home folder with sessions: a Claude Code session with a
// subagent's, an older one, and one of Pi in another folder.
type machine struct {
	watch.Machine
	main, sub, older, pi string
}

func newMachine(t *testing.T) machine {
	t.Helper()
	home := t.TempDir()
	age := 5 * time.Minute
	put := func(path, from string) string {
		path = filepath.Join(home, path)
		data, err := os.ReadFile(filepath.Join("../testdata/transcripts", from))
		at := time.Now().Add(-age)
		age -= time.Minute
		for _, err := range []error{err, os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, data, 0o600), os.Chtimes(path, at, at)} {
			if err != nil {
				t.Fatal(err)
			}
		}
		return path
	}
	const id = "00000000-0000-4000-8000-0000000000c8"
	return machine{
		Machine: watch.Machine{Home: home, Folder: "/proj", Getenv: func(string) string { return "" }},
		pi:      put(".pi/agent/sessions/--work--/one.jsonl", "pi/basic.jsonl"),
		older:   put(".claude/projects/-proj/basic.jsonl", "claude/basic.jsonl"),
		sub:     put(".claude/projects/-proj/"+id+"/subagents/agent-a9f8e7d.jsonl", "claude/subagent/"+id+"/subagents/agent-a9f8e7d.jsonl"),
		main:    put(".claude/projects/-proj/"+id+".jsonl", "claude/subagent/"+id+".jsonl"),
	}
}

// openOnce opens a file that is not followed, so that a driven model comes to
// rest.
func openOnce(path, session, counter string) (Opened, error) {
	var count kernel.Counter
	if counter == "words" {
		count = func(text string) kernel.Tokens { return kernel.Tokens(len(strings.Fields(text))) }
	}
	source, err := watch.Open(path, watch.Options{Once: true, Session: session, Counter: count})
	return Opened{Source: source, Count: count}, err
}

// openMachine shows a session of the machine.
func openMachine(t *testing.T, m machine, path string, change func(*Options)) Model {
	t.Helper()
	opened, err := openOnce(path, "", hostCounter)
	if err != nil {
		t.Fatal(err)
	}
	opts := Options{
		Source: opened.Source, Counter: hostCounter, Counters: []string{hostCounter, "words"}, Machine: &m.Machine, OpenFile: openOnce,
		Open: func(counter string) (Opened, error) { return openOnce(path, "", counter) },
	}
	if change != nil {
		change(&opts)
	}
	return begin(t, opts, 120, 40)
}

func TestASessionIsChosenFromTheList(t *testing.T) {
	at := newMachine(t)
	m := openMachine(t, at, at.main, nil)
	m = drive(t, m, keys("s")...)
	showsAll(t, m, "3 sessions in 1 folder", "/proj  the current folder", "Find it.", "└", "search", "95,035 of 200,000")
	if !strings.Contains(m.View(), "shown") {
		t.Errorf("the session on the screen is not marked:\n%s", m.View())
	}
	m = drive(t, m, append(keys("/"), typed("wrdinnot"), press("enter"))...)
	if l := m.lists[views.PanelSessions]; l.len() != 2 {
		t.Fatalf("the filter leaves %d rows\n%s", l.len(), m.View())
	}
	m = drive(t, m, keys("j", "enter")...)
	if m.live.status.Path != at.older || !m.live.live.ready || m.focus != views.PanelBatches {
		t.Fatalf("%s is on the screen, focus %s, note %q", m.live.status.Path, m.focus, m.note)
	}
	shows(t, m, "Words in notes")
	m = drive(t, m, keys("s", "esc")...)
	if m.focus != views.PanelBatches {
		t.Errorf("esc leads to %s", m.focus)
	}
}

func TestTheListIsReadAgainAndNamesWhatIsNotOpened(t *testing.T) {
	at := newMachine(t)
	m := openMachine(t, at, at.main, nil)
	m = drive(t, m, keys("s", "esc")...)
	link := filepath.Join(filepath.Dir(at.older), "link.jsonl")
	if err := errors.Join(os.Symlink("/dev/zero", link), os.Remove(at.older)); err != nil {
		t.Fatal(err)
	}
	m = drive(t, m, keys("s")...)
	shows(t, m, "2 sessions in 1 folder, 1 not opened")
	m = drive(t, m, keys("p")...)
	showsAll(t, m, "link.jsonl", "leads out of the session folder")
}

func TestASessionThatIsGoneIsSaid(t *testing.T) {
	at := newMachine(t)
	m := openMachine(t, at, at.main, nil)
	m = drive(t, m, keys("s")...)
	if err := os.Remove(at.older); err != nil {
		t.Fatal(err)
	}
	m = drive(t, m, append(append(keys("/"), typed("words")), keys("enter", "j", "enter")...)...)
	if m.live.status.Path != at.main || !strings.Contains(m.note, "cannot be opened") {
		t.Errorf("%s is on the screen, note %q", m.live.status.Path, m.note)
	}
}

func TestTheProgramMayStartWithTheList(t *testing.T) {
	at := newMachine(t)
	m := openMachine(t, at, at.main, func(o *Options) { o.Pick = true })
	shows(t, m, "Sessions ── 3 sessions")
	m = drive(t, m, keys("enter")...) // the folder stands for its newest session
	if m.focus != views.PanelBatches || !strings.Contains(m.note, "on the screen already") {
		t.Errorf("focus %s, note %q", m.focus, m.note)
	}
}

func TestASubagentOpensFromTheCallThatStartedIt(t *testing.T) {
	for _, row := range []string{"call", "result"} {
		at := newMachine(t)
		m := openMachine(t, at, at.main, nil)
		m = drive(t, m, keys("6", "g", "j")...)
		if row == "result" {
			m = drive(t, m, keys("j")...)
		}
		m = drive(t, m, keys("a")...)
		if m.live.status.Path != at.sub || !strings.Contains(m.note, "subagent's session") {
			t.Fatalf("from the %s: %s is on the screen, note %q", row, m.live.status.Path, m.note)
		}
		m = drive(t, m, keys("6", "a")...)
		if !strings.Contains(m.note, "Only a call") {
			t.Errorf("note %q", m.note)
		}
		m = drive(t, m, keys("1", "esc")...)
		if m.live.status.Path != at.main || len(m.trail) != 0 {
			t.Errorf("esc leads to %s", m.live.status.Path)
		}
	}
}

func TestASubagentWithoutAnAnswerIsFoundByWhatItWasAsked(t *testing.T) {
	at := newMachine(t)
	all := at.All()
	for name, c := range map[string]struct {
		call, result string
		ok           bool
	}{
		"by its id":              {`{}`, "done, agentId: a9f8e7d", true},
		"by its prompt":          {`{"prompt":"search"}`, "", true},
		"by neither":             {`{"prompt":"paint"}`, "done", false},
		"by arguments of a kind": {`[1]`, "", false},
	} {
		to, ok := starter{target: target{path: at.main}}.find(c.call, c.result, all)
		if ok != c.ok || ok && to.path != at.sub {
			t.Errorf("%s: %v, %v", name, to, ok)
		}
	}
	if to, ok := (starter{target: target{path: at.older}}).find(`{"prompt":"search"}`, "a9f8e7d", all); ok {
		t.Errorf("another session started %v", to)
	}
}

// herald is a scout that has one session to name.
type herald struct {
	next  *watch.Successor
	asked *int
}

func (h *herald) Next(ctx context.Context) (watch.Successor, error) {
	*h.asked++
	if h.next == nil {
		return watch.Successor{}, context.Canceled
	}
	next := *h.next
	h.next = nil
	return next, nil
}

func TestTheAgentIsFollowedIntoAnotherSession(t *testing.T) {
	for _, alone := range []bool{false, true} {
		t.Run(fmt.Sprint("alone ", alone), func(t *testing.T) {
			at, asked := newMachine(t), 0
			var places []target
			next := &watch.Successor{Found: watch.Found{Path: at.older}, Look: watch.Look{Prompt: "Which words?"}}
			s := &script{}
			s.events = []watch.Event{{
				Session: decode.Session{Format: "claude", Agent: "Claude Code", Folder: "/proj"},
				Status:  watch.Status{Name: "a.jsonl", Path: at.main, Mode: watch.ModeWatching},
			}}
			opts := Options{
				Source: s, Counter: hostCounter, OpenFile: openOnce, FollowLatest: alone,
				Scout: func(path, session, folder string) Scout {
					places = append(places, target{path, folder})
					h := &herald{asked: &asked, next: next}
					next = nil
					return h
				},
			}
			m := begin(t, opts, 120, 40)
			if !alone {
				if m.live.status.Path != at.main || !strings.Contains(m.note, "The agent goes on in a new session: f follows it") {
					t.Fatalf("%s is on the screen, note %q", m.live.status.Path, m.note)
				}
				shows(t, m, "f follows it")
				m = drive(t, m, keys("f")...)
			}
			if m.live.status.Path != at.older || !strings.Contains(m.note, "Now following: Which words?") || !s.closed {
				t.Fatalf("%s is on the screen, note %q, closed %v", m.live.status.Path, m.note, s.closed)
			}
			if places[0] != (target{at.main, "/proj"}) || m.offer != nil {
				t.Errorf("the scout was sent to %v, offer %v", places, m.offer)
			}
		})
	}
}

func TestTheHostsSettingsAreReadBeforeAnythingIsJudged(t *testing.T) {
	at := newMachine(t)
	asked := 0
	m := openMachine(t, at, at.main, func(o *Options) {
		o.Layers = func(s decode.Session) []settings.Layer {
			asked++
			if s.Agent != "Claude Code" || s.Folder != "/proj" {
				t.Errorf("asked for %s in %s", s.Agent, s.Folder)
			}
			return []settings.Layer{{File: "~/acp.jsonc", Config: []byte(`{"preserveRecentMessages": 2}`)}}
		}
	})
	if !m.live.live.ready || m.live.setting.Config.PreserveRecentMessages != 2 || asked != 1 {
		t.Fatalf("ready %v, asked %d, config %+v", m.live.live.ready, asked, m.live.setting.Config)
	}
	m = drive(t, m, keys("t")...) // read again with another counter
	if m.live.counter != "words" || m.live.setting.Config.PreserveRecentMessages != 2 || asked != 1 {
		t.Errorf("counter %s, asked %d, config %+v", m.live.counter, asked, m.live.setting.Config)
	}
	m = drive(t, m, keys("4", "z")...)
	if !strings.Contains(strings.Join(strings.Fields(m.View()), " "), "~/acp.jsonc") {
		t.Errorf("the screen does not say which settings are used:\n%s", m.View())
	}
}

// showsAll fails unless the frame holds every text.
func showsAll(t testing.TB, m Model, texts ...string) {
	t.Helper()
	for _, text := range texts {
		shows(t, m, text)
	}
}
