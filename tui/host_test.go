package tui

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ctxscope/kernel"
	"ctxscope/views"
	"ctxscope/watch"
	"ctxscope/watch/hoststate"
)

// hostFile is a folder with a state beside a session, written as a host does
// that writes in place.
type hostFile struct {
	t     *testing.T
	path  string
	clock time.Time
}

func newHostFile(t *testing.T) *hostFile {
	return &hostFile{t, filepath.Join(t.TempDir(), "orders.jsonl"), time.Date(2026, 1, 5, 14, 20, 10, 0, time.Local)}
}

func (f *hostFile) write(text string) {
	f.t.Helper()
	f.clock = f.clock.Add(time.Second)
	path := f.path + ".acp.json"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		f.t.Fatal(err)
	}
	if err := os.Chtimes(path, f.clock, f.clock); err != nil {
		f.t.Fatal(err)
	}
}

// save writes the state of a run, changed.
func (f *hostFile) save(run kernel.Run, change func(state map[string]any)) {
	f.t.Helper()
	data, err := json.Marshal(run.State())
	if err != nil {
		f.t.Fatal(err)
	}
	state := map[string]any{}
	if err := json.Unmarshal(data, &state); err != nil {
		f.t.Fatal(err)
	}
	if change != nil {
		change(state)
	}
	if data, err = json.Marshal(state); err != nil {
		f.t.Fatal(err)
	}
	f.write(string(data))
}

// open follows a session beside which the file stands.
func (f *hostFile) open(s *session, width, height int) Model {
	hosts := &hoststate.Machine{Home: f.t.TempDir(), Getenv: func(string) string { return "" }}
	return begin(f.t, Options{Source: &script{events: []watch.Event{f.event(s)}, texts: s.texts}, Hosts: hosts}, width, height)
}

func (f *hostFile) event(s *session) watch.Event {
	e := s.event()
	e.Status.Path, e.Status.Modified = f.path, f.clock.UnixMilli()
	return e
}

// later is the screen a second later: at each tick the file is looked at.
func (f *hostFile) later(m Model) Model {
	f.t.Helper()
	return drive(f.t, m, tickMsg(f.clock.Add(time.Second)))
}

// replayed is the run of a session that is followed without a host's state.
func replayed(t *testing.T, s *session) kernel.Run {
	t.Helper()
	k := kernel.New(kernel.Default(200_000), nil)
	return k.Advance(k.Start(), kernel.Change{Entries: s.entries})
}

// drifting changes stamps and a ref, as a host with other settings would.
func drifting(state map[string]any) {
	nudge := state["nudge"].(map[string]any)
	nudge["lastPerMessageNudgeTokens"], nudge["lastNudgeShownTokens"] = 40_000, 41_000
}

func TestTheHostsStateIsShown(t *testing.T) {
	s, f := working(), newHostFile(t)
	f.save(replayed(t, s), drifting)
	m := f.open(s, 120, 40)
	if !m.shown().run.Hosted() || m.shown().stamps.Baseline != 40_000 {
		t.Fatalf("hosted %v, stamps %+v", m.shown().run.Hosted(), m.shown().stamps)
	}
	m = f.later(m)
	for _, want := range []string{"host 14:20:11", "host state, saved 14:20:11", "active of 0, host state", "baseline 40,000, shown 41,000", "2 drifts"} {
		shows(t, m, want)
	}
	m = drive(t, m, keys("p")...)
	for _, want := range []string{"2 drifts between host and replay", "drift baseline", "host: 40000; replay: ", "Likely: the host counts tokens otherwise"} {
		shows(t, m, want)
	}
	same(t, m)
}

func TestTheHostsStateIsShownOnASmallScreen(t *testing.T) {
	s, f := working(), newHostFile(t)
	f.save(replayed(t, s), drifting)
	m := f.later(f.open(s, 80, 24))
	shows(t, m, "host, 14:20:11")
	shows(t, m, "2 drifts")
	same(t, m)
}

func TestAnUnreadableStateKeepsTheLastGoodOne(t *testing.T) {
	s, f := working(), newHostFile(t)
	f.save(replayed(t, s), drifting)
	m := f.open(s, 120, 40)
	f.write(`{"blocks":[`)
	m = f.later(m)
	shows(t, m, "last good, 14:20:11; 2 drifts")
	shows(t, m, "the host's state file is being written")
	if !m.shown().run.Hosted() || m.shown().stamps.Baseline != 40_000 {
		t.Errorf("half written: hosted %v, stamps %+v", m.shown().run.Hosted(), m.shown().stamps)
	}
	for range 4 {
		m = f.later(m)
	}
	shows(t, m, "the host's state is unreadable")
	if note := m.live.live.host.view.Note; !strings.HasSuffix(note, "; the one of 14:20:11 stands") {
		t.Errorf("note %q", note)
	}
	f.write("BILIENC1\x01\x00secret")
	m = f.later(m)
	shows(t, m, "the state is encrypted")
	f.save(replayed(t, s), nil)
	m = f.later(m)
	if m.shown().stamps.Baseline == 40_000 || m.live.live.host.view.Note != "" {
		t.Errorf("a whole state again: stamps %+v, note %q", m.shown().stamps, m.live.live.host.view.Note)
	}
	shows(t, m, "host state (Pi sidecar), saved 14:20:14")
}

func TestAnEncryptedStateIsNamed(t *testing.T) {
	s, f := working(), newHostFile(t)
	f.write("BILIENC1\x01\x00secret")
	m := f.open(s, 120, 40)
	if m.shown().run.Hosted() {
		t.Error("an encrypted state is used")
	}
	shows(t, m, "the state is encrypted; only the host has its key")
	shows(t, m, "replay of the transcript")
}

func TestAStateThatComesLaterIsFound(t *testing.T) {
	s, f := working(), newHostFile(t)
	m := f.open(s, 120, 40)
	shows(t, m, "replay of the transcript")
	run := replayed(t, s)
	s.user("And the other queue?")
	s.reply(5000, 61_000)
	f.save(run, nil) // saved before what came since
	m = drive(t, m, eventMsg{feed: m.live.feed, event: f.event(s)})
	if run := m.shown().run; !run.Hosted() || run.Log().Len() != s.n {
		t.Errorf("hosted %v, %d messages of %d", run.Hosted(), run.Log().Len(), s.n)
	}
	if unseen := m.live.live.host.drift.Unseen; unseen < 4 {
		t.Errorf("%d messages are not seen by the host yet, want the 4 that came since", unseen)
	}
	m = drive(t, m, keys("p")...)
	shows(t, m, "the host has not seen the newest")
	if err := os.Remove(f.path + ".acp.json"); err != nil {
		t.Fatal(err)
	}
	m = f.later(m)
	shows(t, m, "the host's state file is gone")
	if !m.shown().run.Hosted() {
		t.Error("a state that is gone stands no longer")
	}
}

func TestAStateOfAnotherListIsNotUsed(t *testing.T) {
	s, f := working(), newHostFile(t)
	f.write(`{"blocks":[],"messageRefs":{"byRaw":{"other":"m00001"},"byRef":{"m00001":"other"}}}`)
	m := f.open(s, 120, 40)
	if m.shown().run.Hosted() {
		t.Error("a state that names nothing of the list is used")
	}
	m = drive(t, m, keys("p")...)
	shows(t, m, "that this list does not hold")
}

func TestAWhatIfFollowsTheHostsState(t *testing.T) {
	s, f := working(), newHostFile(t)
	f.save(replayed(t, s), nil)
	m := applySomething(t, f.open(s, 120, 40))
	if !m.shown().run.Hosted() || len(m.shown().blocks) != 1 {
		t.Fatalf("hosted %v, %d blocks", m.shown().run.Hosted(), len(m.shown().blocks))
	}
	s.user("And the other queue?")
	s.reply(5000, 61_000)
	m = drive(t, m, eventMsg{feed: m.live.feed, event: f.event(s)})
	f.save(replayed(t, s), drifting)
	m = f.later(m)
	if len(m.live.what) != 1 || len(m.shown().blocks) != 1 || m.shown().stamps.Baseline != 0 || m.live.live.stamps.Baseline != 40_000 {
		t.Errorf("%d what-if calls, %d blocks, stamps %+v of %+v, note %q", len(m.live.what), len(m.shown().blocks), m.shown().stamps, m.live.live.stamps, m.note)
	}
	// The host makes the block b1 itself: the call would make another one.
	folded := m.shown().run
	f.save(folded, nil)
	m = f.later(m)
	if len(m.live.what) != 0 || !strings.Contains(m.note, "The host's own state has changed: the what-if was dropped.") || len(m.shown().blocks) != 1 {
		t.Errorf("%d what-if calls, %d blocks, note %q", len(m.live.what), len(m.shown().blocks), m.note)
	}
}

func TestAWhatIfOnTheReplayGoesOverToAHost(t *testing.T) {
	s, f := working(), newHostFile(t)
	m := applySomething(t, f.open(s, 120, 40))
	f.save(replayed(t, s), nil)
	m = f.later(m)
	if len(m.live.what) != 1 || !m.shown().run.Hosted() || len(m.shown().blocks) != 1 {
		t.Errorf("%d what-if calls, hosted %v, note %q", len(m.live.what), m.shown().run.Hosted(), m.note)
	}
	m = drive(t, m, keys("u")...)
	if len(m.live.what) != 0 || !m.shown().run.Hosted() {
		t.Errorf("undone: %d what-if calls, hosted %v", len(m.live.what), m.shown().run.Hosted())
	}
}

func TestNoStateIsLookedForWhereThereIsNone(t *testing.T) {
	s, f := working(), newHostFile(t)
	f.save(replayed(t, s), nil)
	m := begin(t, Options{Source: &script{events: []watch.Event{f.event(s)}, texts: s.texts}}, 120, 40)
	if m = f.later(m); m.shown().run.Hosted() {
		t.Error("a state is used that nobody asked for")
	}
	for name, change := range map[string]func(*watch.Event){
		"no file":     func(e *watch.Event) { e.Status.Path = "" },
		"a recording": func(e *watch.Event) { e.Session.Recording = true },
	} {
		s := working()
		e := f.event(s)
		change(&e)
		m := begin(t, Options{Source: &script{events: []watch.Event{e}, texts: s.texts}, Hosts: &hoststate.Machine{Home: t.TempDir(), Getenv: os.Getenv}}, 120, 40)
		if m = f.later(m); m.shown().run.Hosted() || m.host.number != 0 {
			t.Errorf("%s: a state is looked for", name)
		}
	}
}

func TestAResetIsJudgedByTheHostAgain(t *testing.T) {
	s, f := working(), newHostFile(t)
	f.save(replayed(t, s), drifting)
	m := f.open(s, 120, 40)
	again := working()
	e := f.event(again)
	e.Reset = true
	m = drive(t, m, eventMsg{feed: m.live.feed, event: e})
	if !m.shown().run.Hosted() || m.shown().stamps.Baseline != 40_000 {
		t.Errorf("hosted %v, stamps %+v", m.shown().run.Hosted(), m.shown().stamps)
	}
}

// TestProblemsKeepTheirRow holds that a difference that comes or goes does not
// move the row under the cursor.
func TestProblemsKeepTheirRow(t *testing.T) {
	s, f := working(), newHostFile(t)
	f.save(replayed(t, s), drifting)
	m := drive(t, f.open(s, 120, 40), keys("p", "G")...)
	selected := func(m Model) views.Problem {
		return m.content().problem(m.lists[views.PanelProblems].selected())
	}
	before := selected(m)
	if !strings.HasPrefix(before.Where, "drift") {
		t.Fatalf("the last row is %+v", before)
	}
	f.save(replayed(t, s), func(state map[string]any) {
		drifting(state)
		refs := state["messageRefs"].(map[string]any)["byRaw"].(map[string]any)
		maps.Copy(refs, map[string]any{"id3": "BLOCKED"})
	})
	m = f.later(m)
	if after := selected(m); after != before {
		t.Errorf("the row moved from %+v to %+v", before, after)
	}
}

// TestAStateIsOfItsOwnSession holds that a state that was read for one session
// does not judge another one that comes on the screen, not even for a moment.
func TestAStateIsOfItsOwnSession(t *testing.T) {
	s, f := working(), newHostFile(t)
	f.save(replayed(t, s), drifting)
	m := f.open(s, 120, 40)
	other := working()
	e := other.event()
	e.Status.Path, e.Reset = f.path+".fork", true
	next, _ := m.Update(eventMsg{feed: m.live.feed, event: e})
	m = next.(Model)
	if view, number := m.host.viewOf(&m.live); view.Found || number != 0 {
		t.Errorf("the state of the session before is view %d", number)
	}
	m = drive(t, m, eventMsg{feed: m.live.feed, event: e})
	if m.shown().run.Hosted() {
		t.Error("the state of the session before judges this one")
	}
}
