package tui

import (
	"bytes"
	"context"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/exp/golden"
	"github.com/charmbracelet/x/exp/teatest"

	"ctxscope/kernel"
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

// stream is a source that gives its events one after the other, as fast as
// they are taken.
type stream struct {
	script
	ended chan struct{}
}

func (s *stream) Next(ctx context.Context) (watch.Event, error) {
	if len(s.events) > 0 {
		return s.script.Next(ctx)
	}
	if s.ended != nil {
		close(s.ended)
		s.ended = nil
	}
	<-ctx.Done()
	return watch.Event{}, ctx.Err()
}

// TestKeysAndEventsAtOnce types while a session grows: picks, what-ifs and
// undos beside kernel jobs and checks. The race detector looks on in CI.
func TestKeysAndEventsAtOnce(t *testing.T) {
	s := working()
	ended := make(chan struct{})
	source := &stream{script: script{events: []watch.Event{s.event()}, texts: map[string]string{}}, ended: ended}
	for i := range 60 {
		s.reply(3000, kernel.Tokens(60_000+500*i))
		source.events = append(source.events, s.event())
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	p := teatest.NewTestModel(t, New(ctx, Options{Source: source, Counter: hostCounter}, plain()), teatest.WithInitialTermSize(120, 40))
	for range 10 {
		for _, msg := range keys("6", "g", "j", "v", "j", "j", "j", "j", "c", "enter") {
			p.Send(msg)
		}
		p.Send(typed(summary))
		for _, msg := range keys("ctrl+s", "esc", "1", "j", "k", "2", "j", "enter", "esc", "u", "r") {
			p.Send(msg)
		}
	}
	<-ended
	p.Send(press("q"))
	final := p.FinalModel(t, teatest.WithFinalTimeout(20*time.Second)).(Model)
	if final.fault != nil {
		t.Fatalf("%v\n%s", final.fault, final.fault.Stack)
	}
}

func waitFor(t *testing.T, p *teatest.TestModel, text string) {
	t.Helper()
	teatest.WaitFor(t, p.Output(), func(out []byte) bool { return bytes.Contains(out, []byte(text)) },
		teatest.WithDuration(10*time.Second), teatest.WithCheckInterval(10*time.Millisecond))
}
