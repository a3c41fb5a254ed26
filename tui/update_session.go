package tui

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"
)

// event takes what a source said and listens on.
func (m Model) event(msg eventMsg) (Model, tea.Cmd) {
	switch {
	case msg.feed == m.live.feed:
		return m.liveEvent(msg)
	case m.next != nil && msg.feed == m.next.feed:
		return m.nextEvent(msg)
	case m.beside != nil && msg.feed == m.beside.feed:
		return m.besideEvent(msg)
	}
	return m, nil
}

func (m Model) liveEvent(msg eventMsg) (Model, tea.Cmd) {
	if msg.err != nil {
		m.live = m.live.end(msg.err)
	} else {
		m = m.dropBy(msg.event.Reset)
		m.gens++
		m.live = m.live.take(msg.event, m.gens)
		m.host.due = true
	}
	var listen, restart tea.Cmd
	if msg.err == nil {
		listen = m.live.listen(m.ctx)
	}
	m, restart = m.settle()
	return m, tea.Batch(listen, restart)
}

// dropBy says what a reset takes away.
func (m Model) dropBy(reset bool) Model {
	if !reset {
		return m
	}
	switch {
	case len(m.live.what) > 0:
		m.note = "The session was started over: the what-if was dropped."
	case len(m.form.picks()) > 0:
		m.note = "The session was started over: the pick was dropped."
	}
	m.form = m.form.emptied()
	m.insight, m.checkup = insight{}, checkup{out: m.checkup.out}
	return m
}

// heard gives a session that is not on the screen after an event of its own.
func (m Model) heard(next track, msg eventMsg) (Model, track, tea.Cmd) {
	if msg.err != nil {
		next = next.end(msg.err)
	} else {
		m.gens++
		next = next.take(msg.event, m.gens)
	}
	if next.loaded {
		next, _ = next.settle(m.opts.Choice)
	}
	if msg.err != nil {
		return m, next, nil
	}
	return m, next, next.listen(m.ctx)
}

// nextEvent takes an event of the session that is opened anew.
func (m Model) nextEvent(msg eventMsg) (Model, tea.Cmd) {
	m, next, cmd := m.heard(*m.next, msg)
	m.next = &next
	return m, cmd
}

// restart makes the runs again with the configuration that now holds.
func (m Model) restart() (Model, tea.Cmd) {
	if m.opts.Open == nil {
		m.live.outdated = true
		return m, nil
	}
	return m.open(m.live.counter)
}

// open starts to open the session anew with a counter.
func (m Model) open(counter string) (Model, tea.Cmd) {
	open := m.opts.Open
	m, closed := m.abandon()
	m.feeds++
	m.gens++
	feed := m.feeds
	m.next = &track{feed: feed, gen: m.gens, counter: counter, informed: m.live.informed, layers: m.live.layers}
	return m, tea.Batch(closed, guard(func() tea.Msg {
		opened, err := open(counter)
		return openedMsg{feed: feed, opened: opened, err: err}
	}))
}

// abandon gives up the session that is being opened anew.
func (m Model) abandon() (Model, tea.Cmd) {
	next := m.next
	m.next = nil
	if next == nil || next.source == nil {
		return m, nil
	}
	return m, closing(next.source)
}

func (m Model) opened(msg openedMsg) (Model, tea.Cmd) {
	switch {
	case m.next == nil || m.next.feed != msg.feed:
		if msg.err != nil {
			return m, nil
		}
		return m, closing(msg.opened.Source)
	case msg.err != nil:
		m.live.outdated = m.live.outdated || m.next.counter == m.live.counter
		m.next = nil
		return m.say(fmt.Sprintf("The session cannot be opened again: %v.", msg.err)), nil
	}
	next := *m.next
	next.source, next.count = msg.opened.Source, msg.opened.Count
	m.next = &next
	return m, next.listen(m.ctx)
}

// advanced takes the outcome of a kernel job.
func (m Model) advanced(msg advancedMsg) (Model, tea.Cmd) {
	switch {
	case msg.feed == m.live.feed && msg.gen == m.live.gen:
		ready, lost := m.live.live.ready, false
		if m.live, lost = m.live.advanced(msg); lost {
			m.note = "The session went back to before the what-if: it was dropped."
		}
		if lost && msg.anew {
			m.note = "The host's own state has changed: the what-if was dropped."
		}
		if m = m.changed(); !ready && m.live.live.ready {
			return m, m.errand.relieve
		}
	case m.next != nil && msg.feed == m.next.feed && msg.gen == m.next.gen:
		next, _ := m.next.advanced(msg)
		m.next = &next
	case m.beside != nil && msg.feed == m.beside.feed && msg.gen == m.beside.gen:
		next, _ := m.beside.advanced(msg)
		m.beside = &next
	}
	return m, nil
}
