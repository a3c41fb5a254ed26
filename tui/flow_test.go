package tui

import (
	"errors"
	"io"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"ctxscope/kernel"
	"ctxscope/views"
	"ctxscope/watch"
)

const summary = "The orders service dropped every second order because the consumer acknowledged twice; fixed in consumer.go."

func TestAHandPickedRangeFromPickToUndo(t *testing.T) {
	m, s, _ := openWorking(t, 120, 40)
	m = drive(t, m, keys("6", "g", "j", "v", "j", "j", "j", "j", "j")...)
	if m.form.growing == nil || m.form.verdict == nil {
		t.Fatalf("no verdict while the pick grows: %+v", m.form)
	}
	if kind := m.form.verdict.Ranges[0].Kind; kind == kernel.Refused || kind == kernel.Skipped {
		t.Fatalf("the pick is %s", kind)
	}
	m = drive(t, m, keys("c")...)
	if m.focus != views.PanelCompress {
		t.Fatalf("c leads to %s, want Compress", m.focus)
	}
	m = drive(t, m, append(keys("enter"), typed("too short"))...)
	if m.form.verdict.Ok() || !strings.Contains(strings.Join(m.form.verdict.Errors, " "), "Summary too short (9 chars, min 50)") {
		t.Fatalf("a summary of 9 chars gives %+v", m.form.verdict)
	}
	before := m.live.live.run.Blocks()
	m = drive(t, m, keys("ctrl+s")...)
	if len(m.live.what) != 0 || !strings.Contains(m.note, "Summary too short") {
		t.Fatalf("a refused call was applied, or the reason is not said: %q", m.note)
	}
	m = drive(t, m, typed(summary), press("ctrl+s"))
	if len(m.live.what) != 1 || !m.form.applied {
		t.Fatalf("the call was not applied: %q", m.note)
	}
	shows(t, m, "what-if")
	if got := len(m.shown().blocks); got != len(before)+1 {
		t.Errorf("the what-if has %d blocks, want %d", got, len(before)+1)
	}
	if got := len(m.live.live.run.Blocks()); got != len(before) {
		t.Errorf("the live session has %d blocks, want %d as before", got, len(before))
	}
	if !strings.Contains(m.form.json, `{"content":[{"startId":"m`) || !strings.Contains(m.form.json, "acknowledged twice") {
		t.Errorf("the call to copy is %s", m.form.json)
	}

	s.user("And the other queue?")
	s.reply(5000, 61_000)
	m = push(t, m, s.event())
	if live, what := m.live.live.run.Log().Len(), m.shown().run.Log().Len(); live != what {
		t.Errorf("the what-if has %d messages, the live session %d", what, live)
	}
	if len(m.shown().blocks) != len(before)+1 {
		t.Error("following the session took the what-if's block away")
	}

	m = drive(t, m, keys("u")...)
	if len(m.live.what) != 0 || m.shown() != &m.live.live {
		t.Fatal("u does not take the what-if back")
	}
	if len(m.form.ranges) != 1 || !strings.Contains(m.form.ranges[0].summary, "acknowledged twice") {
		t.Error("the ranges of an undone call are not in the form")
	}
	m = drive(t, m, keys("u")...)
	if m.note == "" {
		t.Error("u without a what-if does not say why it does nothing")
	}
}

func TestAResetDropsTheWhatIfAndSaysSo(t *testing.T) {
	m, _, _ := openWorking(t, 120, 40)
	m = applySomething(t, m)
	fresh := newSession()
	fresh.user("Something else entirely.")
	event := fresh.event()
	event.Reset = true
	m = push(t, m, event)
	if len(m.live.what) != 0 || !strings.Contains(m.note, "what-if was dropped") {
		t.Errorf("after a reset: %d what-if calls, note %q", len(m.live.what), m.note)
	}
	if n := m.shown().run.Log().Len(); n != 1 {
		t.Errorf("after a reset the screen shows %d messages, want 1", n)
	}
	if len(m.form.picks()) != 0 || m.form.applied {
		t.Error("the form still holds refs of the session before")
	}
}

func TestAnEmptiedSessionIsFollowedAgain(t *testing.T) {
	m, _, _ := openWorking(t, 120, 40)
	m = drive(t, m, keys("6", "g", "v", "j")...)
	empty := newSession().event()
	empty.Reset = true
	m = push(t, m, empty)
	if !strings.Contains(m.note, "pick was dropped") {
		t.Errorf("note %q", m.note)
	}
	s := working()
	m = push(t, m, s.event())
	if l := m.lists[views.PanelMessages]; !l.follow || l.cursor != l.all-1 {
		t.Errorf("follow %v, row %d of %d", l.follow, l.cursor+1, l.all)
	}
}

// applySomething applies one call on the messages panel to the what-if.
func applySomething(t *testing.T, m Model) Model {
	t.Helper()
	m = drive(t, m, keys("6", "g", "j", "v", "j", "j", "j", "j", "j", "c", "enter")...)
	m = drive(t, m, typed(summary), press("ctrl+s"))
	if len(m.live.what) == 0 {
		t.Fatalf("the call was not applied: %q", m.note)
	}
	return m
}

func TestACallThatComesTooLateIsNotApplied(t *testing.T) {
	m, _, _ := openWorking(t, 120, 40)
	m = applySomething(t, m)
	m = drive(t, m, keys("esc", "1", "c", "enter")...)
	m = drive(t, m, typed(summary))
	next, job := m.Update(press("ctrl+s"))
	m = drive(t, next.(Model), keys("esc", "esc", "r")...)
	m = settle(t, m, job)
	if len(m.live.what) != 0 || m.live.busy || !strings.Contains(m.note, "taken back meanwhile") {
		t.Errorf("%d what-if calls, busy %v, note %q", len(m.live.what), m.live.busy, m.note)
	}
	m = applySomething(t, m)
	m = drive(t, m, keys("r")...)
	if m.form.applied || m.shown() != &m.live.live {
		t.Error("r leaves the form at a call that is gone")
	}
}

func TestATakenBackPlaceDropsTheWhatIf(t *testing.T) {
	m, s, _ := openWorking(t, 120, 40)
	m = applySomething(t, m)
	event := s.event()
	event.Change = kernel.Change{Keep: 10}
	m = push(t, m, event)
	if len(m.live.what) != 0 || !strings.Contains(m.note, "before the what-if") {
		t.Errorf("%d what-if calls, note %q", len(m.live.what), m.note)
	}
}

func TestSeveralCallsAreTakenBackOneByOne(t *testing.T) {
	m, s, _ := openWorking(t, 120, 40)
	for n := 1; n <= 3; n++ {
		m = drive(t, m, keys("1", "g", "c", "enter")...)
		m = drive(t, m, typed(summary), press("ctrl+s"))
		if len(m.live.what) != n {
			t.Fatalf("call %d was not applied: %q", n, m.note)
		}
		s.reply(200, 0)
		m = push(t, m, s.event())
	}
	for n := 2; n >= 0; n-- {
		m = drive(t, m, press("u"))
		if got := len(m.shown().blocks); got != n || m.shown().run.WhatIf() != n {
			t.Errorf("%d blocks after undo, want %d", got, n)
		}
		if got, want := m.shown().run.Log().Len(), m.live.live.run.Log().Len(); got != want {
			t.Errorf("%d messages, want the %d of the live session", got, want)
		}
	}
}

func TestBlocksCanBePicked(t *testing.T) {
	m, _, _ := openWorking(t, 120, 40)
	for range 2 {
		m = drive(t, m, keys("1", "g", "c", "enter")...)
		m = drive(t, m, typed(summary), press("ctrl+s"))
	}
	m = drive(t, m, keys("7", "g", "v", "j")...)
	if g := m.form.growing; g == nil || g.start != "b1" || g.end != "b2" {
		t.Fatalf("the pick is %+v", g)
	}
	if v := m.form.verdict; v == nil || v.Ranges[0].Tier != 2 {
		t.Errorf("the verdict is %+v", v)
	}
	shows(t, m, "b1–b2")
}

func TestAnotherWindowIsJudgedFromTheStart(t *testing.T) {
	s := newSession()
	s.user("Begin.")
	first := s.event()
	first.Session.Model = ""
	source := &script{events: []watch.Event{first}}
	opens := 0
	m := begin(t, Options{Source: source}, 120, 40)
	shows(t, m, "200,000 (assumed)")
	s.reply(0, 0)
	event := s.event()
	event.Session.Model = "claude-opus-4-6"
	s2 := *s
	m.opts.Open = func(string) (Opened, error) {
		opens++
		s2.given = 0
		e := s2.event()
		e.Session.Model = "claude-opus-4-6"
		return Opened{Source: &script{events: []watch.Event{e}}}, nil
	}
	m = push(t, m, event)
	if opens != 1 || m.live.kernel.Config().ModelContextLimit != 1_000_000 || !source.closed {
		t.Errorf("opened %d times, judged with %v tokens", opens, m.live.kernel.Config().ModelContextLimit)
	}
	shows(t, m, "1,000,000 (model table)")
}

func TestAWindowThatCannotBeUsedIsAProblem(t *testing.T) {
	m, s, _ := openWorking(t, 120, 40)
	s.user("More.")
	event := s.event()
	event.Session.Model = "claude-opus-4-6"
	m = push(t, m, event)
	shows(t, drive(t, m, press("p")), "The window of this session has changed")
	if m.live.kernel.Config().ModelContextLimit != 200_000 {
		t.Error("the runs are judged with two windows")
	}
}

func TestAResultOfAnOlderGenerationIsDropped(t *testing.T) {
	m, s, _ := openWorking(t, 120, 40)
	s.user("More.")
	next, late := m.Update(eventMsg{feed: m.live.feed, event: s.event()})
	m = next.(Model)
	fresh := newSession()
	fresh.user("Another file.")
	event := fresh.event()
	event.Reset = true
	m = push(t, m, event)
	m = settle(t, m, late)
	if n := m.shown().run.Log().Len(); n != 1 {
		t.Errorf("a late result put %d messages on the screen, want 1", n)
	}
}

func TestChangesThatArriveDuringAJobGoTogether(t *testing.T) {
	m, s, _ := openWorking(t, 120, 40)
	s.user("One.")
	next, job := m.Update(eventMsg{feed: m.live.feed, event: s.event()})
	m = next.(Model)
	turns := m.shown().run.Turns().Len()
	for range 3 {
		s.reply(400, 60_000)
		next, more := m.Update(eventMsg{feed: m.live.feed, event: s.event()})
		m = settle(t, next.(Model), more)
	}
	if !m.live.busy || len(m.live.waiting) != 3 {
		t.Fatalf("busy %v with %d changes waiting, want a job out and 3", m.live.busy, len(m.live.waiting))
	}
	m = settle(t, m, job)
	if got := m.shown().run.Turns().Len(); got != turns+3 {
		t.Errorf("%d turns after the burst, want %d", got, turns+3)
	}
	if m.live.busy || len(m.live.waiting) != 0 {
		t.Error("the lane did not come to rest")
	}
}

func TestTheFirstFrameStandsBeforeAnythingIsRead(t *testing.T) {
	m := New(t.Context(), Options{Source: &script{}, Counter: hostCounter}, plain())
	next, _ := m.Update(size(80, 24))
	same(t, next.(Model))
}

func TestKeysWorkWhileTheFileIsRead(t *testing.T) {
	s := working()
	event := s.event()
	event.Status.Read, event.Status.Size = 3<<20, 200<<20
	m := begin(t, Options{Source: &script{events: []watch.Event{event}}}, 80, 24)
	if m.live.busy || m.shown().ready {
		t.Fatal("a job ran before the file was read")
	}
	every := keys("1", "2", "3", "4", "5", "6", "7", "tab", "shift+tab", "z", "j", "k", "g", "G", "enter", " ", "v", "c", "y", "u", "r", "t", "p", "?", "/", "esc", "esc", "esc", "esc")
	m = drive(t, m, every...)
	same(t, drive(t, m, keys("1")...))
}

func TestAMissingFileKeepsTheLastState(t *testing.T) {
	m, s, _ := openWorking(t, 80, 24)
	event := s.event()
	event.Status.Missing, event.Status.Live = true, false
	event.Status.Note = "file is gone, showing the last state, watching for its return"
	m = push(t, m, event)
	shows(t, m, "gone")
	if m.shown().run.Log().Len() == 0 {
		t.Error("the last state is not on the screen")
	}
}

func TestASourceThatFailsIsAProblem(t *testing.T) {
	m, _, _ := openWorking(t, 80, 24)
	m = drive(t, m, eventMsg{feed: m.live.feed, err: errors.New("read orders.jsonl: input/output error")})
	shows(t, m, "Stopped: ")
	shows(t, drive(t, m, press("p")), "input/output error")
}

func TestTheEndOfAnInputIsNoProblem(t *testing.T) {
	m, _, _ := openWorking(t, 80, 24)
	m = drive(t, m, eventMsg{feed: m.live.feed, err: io.EOF})
	if m.follow() != views.ReadOnce || m.live.failure != nil {
		t.Errorf("after the end the session is %v, failure %v", m.follow(), m.live.failure)
	}
}

func TestAPanicInACommandBecomesAFault(t *testing.T) {
	msg := guard(func() tea.Msg { panic("kernel: internal error: made up") })()
	m, _, _ := openWorking(t, 80, 24)
	next, cmd := m.Update(msg)
	if f := next.(Model).fault; f == nil || !strings.Contains(f.Error(), "made up") || len(f.Stack) == 0 {
		t.Fatalf("fault %v", f)
	}
	if cmd == nil {
		t.Error("the program does not quit")
	}
}
