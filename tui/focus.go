package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"ctxscope/keymap"
	"ctxscope/views"
)

// want is what the layout depends on.
func (m *Model) want() views.Want {
	return views.Want{
		Focus: m.focus, Last: m.last, Zoom: m.zoom, Pick: len(m.form.picks()) > 0, Reader: m.reader.open,
	}
}

func (m *Model) boxes() views.Boxes { return views.Layout(m.width, m.height, m.want()) }

// context says which bindings a key is looked up in.
func (m *Model) context() keymap.Context {
	switch {
	case m.lists[m.focus].editing:
		return keymap.Filter
	case m.focus == views.PanelCompress && m.form.writing:
		return keymap.Writing
	case !m.reader.open && (m.focus == views.PanelDoctor || m.focus == views.PanelOutcomes):
		return keymap.Doctor
	case m.reader.open, m.focus == views.PanelHelp, m.focus == views.PanelProblems:
		return keymap.Text
	case m.focus == views.PanelSessions, m.focus == views.PanelTokens:
		return keymap.Plain
	case m.focus == views.PanelCompress:
		return keymap.Form
	case m.focus == views.PanelMessages:
		return keymap.Messages
	case isList(m.focus):
		return keymap.List
	}
	return keymap.Global
}

// turn gives the focus to panel p.
func (m Model) turn(p views.Panel) Model {
	if p == m.focus {
		return m
	}
	switch {
	case p.Whole() || p == views.PanelCompress:
		if !m.focus.Whole() && m.focus != views.PanelCompress {
			m.before = m.focus
		}
	case isList(p):
		m.last = p
	}
	m.focus, m.scroll = p, 0
	return m
}

// cycle gives the focus to the panel delta numbers further.
func (m Model) cycle(delta int) Model {
	const first, count = int(views.PanelBatches), int(views.LastNumbered)
	if m.focus.Whole() {
		return m.turn(m.origin())
	}
	return m.turn(views.Panel((int(m.focus)-first+delta+count)%count + first))
}

// origin is the panel to go back to from the form, or from a panel that takes
// the whole body.
func (m *Model) origin() views.Panel {
	if m.before == views.NoPanel {
		return views.PanelBatches
	}
	return m.before
}

// back leaves what was entered last: an open text, a panel that was gone to,
// the pick that grows, the zoom, the filter, the marks.
func (m Model) back() (Model, tea.Cmd) {
	l := m.lists[m.focus]
	switch {
	case m.reader.open:
		m.reader = m.reader.closed()
	case m.focus == views.PanelCompress && m.form.applied:
		m.form = m.form.cleared()
		m = m.turn(m.origin())
	case m.focus.Whole() && l.filter != "":
		m.lists[m.focus] = l.unfilter()
	case m.focus == views.PanelOutcomes:
		m = m.turn(views.PanelDoctor)
	case m.focus.Whole(), m.focus == views.PanelCompress && !m.zoom:
		m = m.turn(m.origin())
	case m.form.growing != nil:
		m.form = m.form.shrunk()
	case m.zoom:
		m.zoom = false
	case l.filter != "":
		m.lists[m.focus] = l.unfilter()
	case len(m.form.ranges) > 0:
		m.form = m.form.cleared()
		m = m.say("The pick was dropped.")
	case len(m.trail) > 0:
		return m.trailBack()
	default:
		m = m.say("There is nothing to go back from: q quits.")
	}
	return m, nil
}

// changed fits everything to a new scene on the screen.
func (m Model) changed() Model {
	m.version++
	if m.form.applied && len(m.live.what) == 0 {
		m.form = m.form.cleared()
	}
	for _, p := range listed {
		m.lists[p].due = m.lists[p].filter != ""
	}
	m.form = m.form.touched()
	return m
}

// fit keeps lists, pick and reader in agreement with what is shown.
func (m Model) fit() Model {
	c, boxes := m.content(), m.boxes()
	for _, p := range listed {
		key := func(i int) string { return c.key(p, i) }
		l := m.lists[p].arrive(c.rows(p), key)
		m.lists[p] = l.scroll(boxes.Lines(p)).remember(key)
	}
	m = m.grow()
	_, lines := m.readerSize()
	m.reader = m.reader.scrolled(0, lines)
	return m
}
