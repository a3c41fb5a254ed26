package tui

import (
	"bytes"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/exp/golden"
	"github.com/charmbracelet/x/exp/teatest"

	"ctxscope/watch"
)

// TestAProgramStartsDrawsAndQuits runs the model in a program. Only the view
// of the final model is compared: what is written on the way depends on time.
func TestAProgramStartsDrawsAndQuits(t *testing.T) {
	s := working()
	source := &script{events: []watch.Event{s.event()}, texts: s.texts}
	m := New(t.Context(), Options{Source: source, Counter: hostCounter}, plain())
	p := teatest.NewTestModel(t, m, teatest.WithInitialTermSize(80, 24))
	waitFor(t, p, "batches would fold now")
	p.Send(press("4"))
	p.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("1c")})
	waitFor(t, p, "then  sent")
	p.Send(press("q"))
	final := p.FinalModel(t, teatest.WithFinalTimeout(10*time.Second))
	golden.RequireEqual(t, []byte(final.View()))
}

func waitFor(t *testing.T, p *teatest.TestModel, text string) {
	t.Helper()
	teatest.WaitFor(t, p.Output(), func(out []byte) bool { return bytes.Contains(out, []byte(text)) },
		teatest.WithDuration(10*time.Second), teatest.WithCheckInterval(10*time.Millisecond))
}
