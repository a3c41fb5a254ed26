package tui

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"ctxscope/watch"
)

// What is no session is not waited for, and the reason stands before anything
// is pressed.
func TestWhatCannotBeReadAsASessionIsSaidAtOnce(t *testing.T) {
	for name, take := range map[string]func(m Model) tea.Msg{
		"the source fails": func(m Model) tea.Msg {
			return eventMsg{feed: m.live.feed, err: fmt.Errorf("read transcript /p/zeros.jsonl: %w", errors.New("a line is longer than 1 GiB"))}
		},
		"the session is refused": func(m Model) tea.Msg {
			e := watch.Event{Status: watch.Status{Name: "zeros.jsonl", Path: "/p/zeros.jsonl", Mode: watch.ModeWatching}}
			e.Session.Refused = "a line is longer than 1 GiB"
			return eventMsg{feed: m.live.feed, event: e}
		},
	} {
		t.Run(name, func(t *testing.T) {
			m := begin(t, Options{Source: &script{}, Counter: hostCounter}, 80, 24)
			m = drive(t, m, take(m))
			shows(t, m, "This cannot be read as a session.")
			shows(t, m, "A line is longer than 1 GiB.")
			if text := m.View(); strings.Contains(text, "Waiting") || strings.Contains(text, "0 of") {
				t.Errorf("it is waited for, or counted:\n%s", text)
			}
			m = drive(t, m, press("p"))
			if strings.Contains(m.View(), "No problems") {
				t.Errorf("no problem is listed:\n%s", m.View())
			}
		})
	}
}

func TestRecordsThatAreNotKnownAreCounted(t *testing.T) {
	m, s, _ := openWorking(t, 120, 40)
	e := s.event()
	e.Session.Meter.Unknown = 3
	m = drive(t, push(t, m, e), press("p"))
	shows(t, m, "records of types that are not known here, passed over: 3")
}

// While nothing was said, the screen says so once and tells the window; any
// other note stands in its place.
func TestANoteIsSaidOnceWhileNothingWasSaid(t *testing.T) {
	for _, c := range []struct {
		waiting bool
		note    string
		says    string
	}{
		{true, "waiting for the first session", "The window is"},
		{false, "waiting for the first snow", "waiting for the first snow"},
	} {
		m := begin(t, Options{Source: &script{}, Counter: hostCounter}, 120, 40)
		e := watch.Event{Status: watch.Status{Name: "s.jsonl", Path: "/p/s.jsonl", Mode: watch.ModeWatching, Note: c.note, Waiting: c.waiting}}
		m = drive(t, m, eventMsg{feed: m.live.feed, event: e})
		shows(t, m, "Waiting for the first message.")
		shows(t, m, c.says)
		if said := strings.Contains(m.View(), c.note); said == c.waiting {
			t.Errorf("%q is said: %v", c.note, said)
		}
	}
}
