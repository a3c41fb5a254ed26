package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/exp/golden"
	"github.com/muesli/termenv"

	"ctxscope/kernel"
	"ctxscope/views"
	"ctxscope/watch"
	"ctxscope/watch/decode"
)

// script is a source whose events are known beforehand. With none left, Next
// answers as if the program had ended, so that a driven model listens no
// longer; push gives the model further events itself.
type script struct {
	events []watch.Event
	texts  map[string]string
	closed bool
}

func (s *script) Next(context.Context) (watch.Event, error) {
	if len(s.events) == 0 {
		return watch.Event{}, context.Canceled
	}
	event := s.events[0]
	s.events = s.events[1:]
	return event, nil
}

func (s *script) Text(m kernel.Message) (string, error) {
	text, ok := s.texts[m.ID]
	if !ok {
		return "", errors.New("the file has changed since: the text is gone")
	}
	return text, nil
}

func (s *script) Close() error {
	s.closed = true
	return nil
}

// drive runs Update for each message, and the commands that come of it, until
// nothing is left to do.
func drive(t testing.TB, m Model, msgs ...tea.Msg) Model {
	t.Helper()
	for _, msg := range msgs {
		next, cmd := m.Update(msg)
		m = settle(t, sound(t, next.(Model)), cmd)
	}
	return m
}

// settle runs commands and feeds the model what they give.
func settle(t testing.TB, m Model, cmds ...tea.Cmd) Model {
	t.Helper()
	for steps := 0; len(cmds) > 0; steps++ {
		if steps > 10_000 {
			t.Fatal("the model never comes to rest")
		}
		cmd := cmds[0]
		cmds = cmds[1:]
		if cmd == nil {
			continue
		}
		switch msg := cmd().(type) {
		case nil:
		case tea.BatchMsg:
			cmds = append(append([]tea.Cmd(nil), msg...), cmds...)
		default:
			next, more := m.Update(msg)
			m = sound(t, next.(Model))
			cmds = append(cmds, more)
		}
	}
	return m
}

// sound fails the test after a panic.
func sound(t testing.TB, m Model) Model {
	t.Helper()
	if m.fault != nil {
		t.Fatalf("%v\n%s", m.fault, m.fault.Stack)
	}
	return m
}

// keys makes the messages of key presses: names as Bubble Tea writes them, or
// single characters.
func keys(names ...string) []tea.Msg {
	var out []tea.Msg
	for _, name := range names {
		out = append(out, press(name))
	}
	return out
}

var named = map[string]tea.KeyType{
	"enter": tea.KeyEnter, "esc": tea.KeyEsc, "tab": tea.KeyTab, "shift+tab": tea.KeyShiftTab, "up": tea.KeyUp,
	"down": tea.KeyDown, "home": tea.KeyHome, "end": tea.KeyEnd, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown,
	"ctrl+c": tea.KeyCtrlC, "ctrl+s": tea.KeyCtrlS, "ctrl+u": tea.KeyCtrlU, "ctrl+z": tea.KeyCtrlZ,
	"backspace": tea.KeyBackspace,
}

func press(name string) tea.KeyMsg {
	if kind, ok := named[name]; ok {
		return tea.KeyMsg{Type: kind}
	}
	if name == " " {
		return tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
}

// typed makes one message of a text, as it arrives when typed fast.
func typed(text string) tea.Msg { return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text)} }

// size is a window of that many cells and lines.
func size(width, height int) tea.Msg { return tea.WindowSizeMsg{Width: width, Height: height} }

// plain is a renderer without colours.
func plain() *lipgloss.Renderer {
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(termenv.Ascii)
	return r
}

// begin makes a model of a source and lets it read what there is.
func begin(t testing.TB, opts Options, width, height int) Model {
	t.Helper()
	if opts.Counter == "" {
		opts.Counter = hostCounter
	}
	m := New(t.Context(), opts, plain())
	m = drive(t, m, size(width, height))
	return settle(t, m, m.Init())
}

// push gives the model an event of the session on the screen.
func push(t *testing.T, m Model, event watch.Event) Model {
	t.Helper()
	return drive(t, m, eventMsg{feed: m.live.feed, event: event})
}

// same compares a frame with the golden file of the test, after checking its
// size.
func same(t *testing.T, m Model) {
	t.Helper()
	frame := m.View()
	lines := strings.Split(frame, "\n")
	if len(lines) != m.height {
		t.Errorf("the frame has %d lines, want %d", len(lines), m.height)
	}
	for i, line := range lines {
		if w := views.Width(line); w != m.width {
			t.Errorf("line %d has %d cells, want %d", i+1, w, m.width)
		}
	}
	golden.RequireEqual(t, []byte(frame))
}

// shows fails unless the frame holds text. Line breaks of the frame count as
// spaces.
func shows(t testing.TB, m Model, text string) {
	t.Helper()
	if !strings.Contains(m.View(), text) {
		t.Errorf("the screen does not show %q:\n%s", text, m.View())
	}
}

// session writes a journal.
type session struct {
	entries []kernel.Entry
	given   int
	n       int
	texts   map[string]string
}

func newSession() *session { return &session{texts: map[string]string{}} }

func (s *session) add(role kernel.Role, kind kernel.ContentType, tool, call, text string) {
	s.n++
	m := kernel.Message{
		ID: fmt.Sprintf("id%d", s.n), Role: role, Type: kind, ToolName: tool, ToolCallID: call,
		Time: int64(s.n) * 1000,
	}
	m.Measure(text, nil)
	s.texts[m.ID] = text
	s.entries = append(s.entries, kernel.Entry{Op: kernel.Append, Message: m})
}

// user adds what a person says.
func (s *session) user(text string) { s.add(kernel.RoleUser, kernel.Text, "", "", text) }

// reply adds an answer: a text, and a call of bash with a result of chars
// characters where chars is not 0. used is the context that was reported.
func (s *session) reply(chars int, used kernel.Tokens) {
	s.entries = append(s.entries, kernel.Entry{Op: kernel.Reply, ReplyID: fmt.Sprintf("r%d", s.n), Time: int64(s.n) * 1000})
	s.add(kernel.RoleAssistant, kernel.Text, "", "", fmt.Sprintf("Step %d: looking at the build output.", s.n))
	if chars > 0 {
		call := fmt.Sprintf("call%d", s.n)
		s.add(kernel.RoleAssistant, kernel.ToolCall, "bash", call, `{"command":"go test ./..."}`)
		if used > 0 {
			s.entries = append(s.entries, kernel.Entry{Op: kernel.Usage, Used: used})
		}
		s.add(kernel.RoleTool, kernel.ToolResult, "bash", call, strings.Repeat("ok   ", chars/5))
		return
	}
	if used > 0 {
		s.entries = append(s.entries, kernel.Entry{Op: kernel.Usage, Used: used})
	}
}

// event is what was added since the last one.
func (s *session) event() watch.Event {
	e := watch.Event{
		Change: kernel.Change{Keep: s.given, Entries: s.entries[s.given:]},
		Session: decode.Session{
			Format: "pi", Agent: "pi", ID: "s1", Title: "orders-service", Model: "claude-sonnet-4-5",
			Counting: "Pi host messages",
		},
		Status: watch.Status{
			Name: "orders.jsonl", Path: "/sessions/orders.jsonl", Live: true, Mode: "watching",
			Read: int64(100 * len(s.entries)), Size: int64(100 * len(s.entries)), Modified: int64(s.n) * 1000,
		},
	}
	s.given = len(s.entries)
	return e
}

// working is a session of a few long steps, with enough behind it to fold.
func working() *session {
	s := newSession()
	s.user("The orders service loses every second order. Find out why and fix it.")
	for i := range 8 {
		s.reply(6000+500*i, kernel.Tokens(20_000+4_000*i))
	}
	s.user("Good. Now write a test for it.")
	s.reply(0, 56_000)
	return s
}

// openWorking is a model of working at a size, with its source.
func openWorking(t *testing.T, width, height int) (Model, *session, *script) {
	t.Helper()
	s := working()
	source := &script{events: []watch.Event{s.event()}, texts: s.texts}
	return begin(t, Options{Source: source}, width, height), s, source
}
