package tui

import (
	"cmp"
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"ctxscope/views"
	"ctxscope/watch"
)

// Scout waits for the session that an agent goes on with.
type Scout interface {
	// Next waits until the agent writes to another session. After ctx is done
	// it returns ctx.Err().
	Next(ctx context.Context) (watch.Successor, error)
}

// successorMsg is the session that the agent went on with.
type successorMsg struct {
	from  target // the session that was on the screen
	scout Scout
	next  watch.Successor
	err   error
}

// lookOut waits for the agent to go on in another session, once the one on the
// screen is known.
func (m Model) lookOut() (Model, tea.Cmd) {
	t := &m.live
	if m.opts.Scout == nil || m.scouting || !t.loaded || t.ended || t.status.Path == "" || t.status.Mode == watch.ModeOnce {
		return m, nil
	}
	var ctx context.Context
	m.scouting = true
	ctx, m.endScout = context.WithCancel(m.ctx)
	scout, send := m.scout, m.opts.Scout
	at, folder := m.place(), t.session.Folder
	return m, guard(func() tea.Msg {
		if scout == nil {
			scout = send(at.path, at.session, folder)
		}
		next, err := scout.Next(ctx)
		return successorMsg{at, scout, next, err}
	})
}

// succeeded offers the session that the agent went on with, or follows it.
func (m Model) succeeded(msg successorMsg) (Model, tea.Cmd) {
	if msg.from != m.place() || msg.err != nil {
		return m, nil
	}
	m.scout, m.scouting = msg.scout, false
	m.offer = &msg.next
	if m.opts.FollowLatest {
		return m.followOffer()
	}
	how := "a new session"
	if msg.next.Resumed {
		how = "an older session"
	}
	return m.say("The agent goes on in " + how + ": f follows it there."), nil
}

// followOffer goes to the session that the agent went on with.
func (m Model) followOffer() (Model, tea.Cmd) {
	if m.offer == nil {
		return m.say("The agent has not gone on in another session."), nil
	}
	to := targetOf(m.offer.Found)
	m.trail = nil
	name := cmp.Or(m.offer.Look.Session.Title, m.offer.Look.Prompt, "the session that the agent went on with")
	return m.switchTo(to, "Now following: "+views.Clean(name))
}
