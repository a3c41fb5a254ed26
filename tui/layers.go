package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"ctxscope/watch/settings"
)

// layersMsg are the settings that the live session's host has.
type layersMsg struct {
	feed   int
	whose  patron
	layers []settings.Layer
}

// patron is whose settings a session is judged by.
type patron struct{ agent, folder string }

func (t *track) patron() patron { return patron{t.session.Agent, t.session.Folder} }

// informed reports whether the settings of the session's host are known, or
// nobody looks for them: before that nothing is judged.
func (m *Model) informed() bool {
	now := m.live.patron()
	return m.opts.Layers == nil || now.agent == "" || m.live.informed == now
}

// inform reads the settings of the session's host, once it is known whose
// session it is.
func (m Model) inform() (Model, tea.Cmd) {
	t := &m.live
	if m.informed() || t.asked == t.patron() || !t.loaded {
		return m, nil
	}
	t.asked = t.patron()
	read, session, feed, whose := m.opts.Layers, t.session, t.feed, t.asked
	return m, guard(func() tea.Msg { return layersMsg{feed, whose, read(session)} })
}

// learned takes the settings of the session's host.
func (m Model) learned(msg layersMsg) (Model, tea.Cmd) {
	if msg.feed != m.live.feed {
		return m, nil
	}
	m.live.layers, m.live.informed = msg.layers, msg.whose
	return m.settle()
}

// settle makes the kernel of the live session from what is known, and starts
// again where it was made with less.
func (m Model) settle() (Model, tea.Cmd) {
	if !m.live.loaded || !m.informed() {
		return m, nil
	}
	var changed bool
	if m.live, changed = m.live.settle(m.opts.Choice); changed && m.next == nil && !m.live.outdated {
		return m.restart()
	}
	return m, nil
}
