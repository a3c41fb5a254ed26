package tui

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"ctxscope/keymap"
	"ctxscope/views"
)

// target is a session: a file, and its id in one that holds many.
type target struct{ path, session string }

// going is a session that is being opened to take the screen.
type going struct {
	feed int
	to   target
	note string // to say when it is open
}

// switchedMsg is a session that was opened to take the screen.
type switchedMsg struct {
	feed   int
	opened Opened
	err    error
}

// place is the session on the screen.
func (m *Model) place() target {
	return target{m.live.status.Path, m.session}
}

// switchTo opens another session. It takes the screen as soon as it is open,
// before it is read.
func (m Model) switchTo(to target, note string) (Model, tea.Cmd) {
	if m.opts.OpenFile == nil {
		return m.say("No other session can be opened from here."), nil
	}
	m, closed := m.abandon()
	m.feeds++
	m.going = &going{m.feeds, to, note}
	feed, counter, open := m.feeds, m.live.counter, m.opts.OpenFile
	return m, tea.Batch(closed, guard(func() tea.Msg {
		opened, err := open(to.path, to.session, counter)
		return switchedMsg{feed, opened, err}
	}))
}

// switched puts the session that was opened on the screen.
func (m Model) switched(msg switchedMsg) (Model, tea.Cmd) {
	g := m.going
	switch {
	case g == nil || g.feed != msg.feed:
		if msg.err != nil {
			return m, nil
		}
		return m, closing(msg.opened.Source)
	case msg.err != nil:
		m.going = nil
		return m.say(fmt.Sprintf("That session cannot be opened: %v.", msg.err)), nil
	}
	m, closed := m.abandon()
	old, open := m.live, m.opts.OpenFile
	m.gens++
	m.going = nil
	m.live = track{feed: g.feed, gen: m.gens, source: msg.opened.Source, counter: old.counter, count: msg.opened.Count}
	m.session = g.to.session
	m.opts.Open = func(counter string) (Opened, error) { return open(g.to.path, g.to.session, counter) }
	m, ended := m.forget()
	return m.say(g.note), tea.Batch(closed, ended, closing(old.source), m.live.listen(m.ctx))
}

// forget drops everything that belongs to the session that was left. What a
// command that is still out says of it is dropped when it comes.
func (m Model) forget() (Model, tea.Cmd) {
	m, closed := m.closeBeside()
	if m.endScout != nil {
		m.endScout()
	}
	m.scout, m.endScout, m.scouting, m.offer = nil, nil, false, nil
	m.version++
	m.begun = m.version
	m.verdicts, m.insight, m.checkup = nil, insight{}, checkup{out: m.checkup.out}
	m.form, m.reader, m.zoom, m.scroll = m.form.emptied(), m.reader.closed(), false, 0
	m.paused, m.speed, m.keys = false, 1, keymap.Default()
	for _, p := range listed {
		if p != views.PanelSessions {
			m.lists[p] = list{tail: m.lists[p].tail, number: m.lists[p].number + 1}
		}
	}
	m.focus, m.last, m.before = views.PanelBatches, views.PanelBatches, views.NoPanel
	return m, closed
}
