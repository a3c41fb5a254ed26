package tui

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"ctxscope/keymap"
	"ctxscope/views"
)

// press takes what was typed. Characters that arrive together are taken one
// by one, unless a text is being typed; a pasted text is for texts alone.
func (m Model) press(msg tea.KeyMsg) (Model, tea.Cmd) {
	m.note = ""
	typing := m.context() == keymap.Writing || m.context() == keymap.Filter
	if msg.Type != tea.KeyRunes || typing || len(msg.Runes) == 1 {
		return m.pressOne(msg)
	}
	if msg.Paste {
		return m.say("A pasted text has no place here: enter in the Compress panel opens the summary."), nil
	}
	var cmds []tea.Cmd
	for _, r := range msg.Runes {
		var cmd tea.Cmd
		one := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}}
		if r == ' ' {
			one.Type = tea.KeySpace
		}
		m, cmd = m.pressOne(one)
		m = m.fit()
		cmds = append(cmds, cmd)
	}
	return m, tea.Batch(cmds...)
}

func (m Model) pressOne(msg tea.KeyMsg) (Model, tea.Cmd) {
	k := &m.keys
	switch {
	case key.Matches(msg, k.Interrupt):
		m.interrupted = true
		return m, tea.Quit
	case key.Matches(msg, k.Suspend):
		if m.errand.suspend == nil {
			return m, nil
		}
		return m, m.errand.suspend()
	}
	switch m.context() {
	case keymap.Filter:
		return m.typeFilter(msg)
	case keymap.Writing:
		return m.typeSummary(msg)
	case keymap.Text:
		if next, cmd, ok := m.textKey(msg); ok {
			return next, cmd
		}
	case keymap.Form:
		if next, cmd, ok := m.formKey(msg); ok {
			return next, cmd
		}
	case keymap.Doctor:
		if next, cmd, ok := m.doctorKey(msg); ok {
			return next, cmd
		}
	case keymap.List, keymap.Messages:
		if next, cmd, ok := m.listKey(msg); ok {
			return next, cmd
		}
		if m.context() == keymap.Messages && key.Matches(msg, k.Subagent) {
			return m.subagent()
		}
	case keymap.Plain:
		if !key.Matches(msg, k.Mark) && !key.Matches(msg, k.Select) {
			if next, cmd, ok := m.listKey(msg); ok {
				return next, cmd
			}
		}
	default:
		if delta, ok := m.movement(msg, m.boxes().Lines(m.focus)); ok {
			m.scroll = m.scrolledBy(m.scroll, delta)
			return m, nil
		}
	}
	return m.anyKey(msg)
}

// movement gives how far a key moves, in rows, where a page has lines rows.
func (m *Model) movement(msg tea.KeyMsg, lines int) (delta int, ok bool) {
	const far = 1 << 30
	k, page := &m.keys, max(1, lines-1)
	switch {
	case key.Matches(msg, k.Up):
		return -1, true
	case key.Matches(msg, k.Down):
		return 1, true
	case key.Matches(msg, k.PageUp):
		return -page, true
	case key.Matches(msg, k.PageDown):
		return page, true
	case key.Matches(msg, k.Top):
		return -far, true
	case key.Matches(msg, k.Bottom):
		return far, true
	}
	return 0, false
}

// scrolledBy is how far the focused panel is scrolled down after a move.
func (m *Model) scrolledBy(now, delta int) int {
	return max(0, min(now+delta, views.MaxScroll(m.project())))
}

// listKey takes the keys of a list. ok is false when it is none of them.
func (m Model) listKey(msg tea.KeyMsg) (next Model, cmd tea.Cmd, ok bool) {
	k, l := &m.keys, &m.lists[m.focus]
	if delta, ok := m.movement(msg, m.boxes().Lines(m.focus)); ok {
		*l = l.move(delta)
		return m, nil, true
	}
	switch {
	case key.Matches(msg, k.Open):
		next, cmd = m.openRow()
	case key.Matches(msg, k.Mark):
		next, cmd = m.mark(), nil
	case key.Matches(msg, k.Select):
		next, cmd = m.selectRows(), nil
	case key.Matches(msg, k.Filter):
		l.editing = true
		next = m
	default:
		return m, nil, false
	}
	return next, cmd, true
}

// typeFilter takes what is typed into the filter of the focused list.
func (m Model) typeFilter(msg tea.KeyMsg) (Model, tea.Cmd) {
	l := &m.lists[m.focus]
	switch {
	case key.Matches(msg, m.keys.Accept):
		l.editing = false
	case key.Matches(msg, m.keys.Cancel):
		*l = l.unfilter()
	case msg.Type == tea.KeyBackspace && l.filter == "":
		l.editing = false
	case msg.Type == tea.KeyBackspace:
		runes := []rune(l.filter)
		*l = l.narrow(string(runes[:len(runes)-1]))
	case msg.Type == tea.KeyCtrlU:
		*l = l.narrow("")
	case msg.Type == tea.KeyUp:
		*l = l.move(-1)
	case msg.Type == tea.KeyDown:
		*l = l.move(1)
	case msg.Type == tea.KeyRunes || msg.Type == tea.KeySpace:
		text := strings.Map(oneLine, string(msg.Runes))
		*l = l.narrow(l.filter + text)
	}
	return m, nil
}

// oneLine makes line breaks and other controls blanks.
func oneLine(r rune) rune {
	if r < ' ' || r == 0x7f {
		return ' '
	}
	return r
}

// anyKey takes the keys that mean the same everywhere.
func (m Model) anyKey(msg tea.KeyMsg) (Model, tea.Cmd) {
	k := &m.keys
	switch {
	case key.Matches(msg, k.Quit):
		return m, tea.Quit
	case key.Matches(msg, k.Back):
		return m.back()
	case key.Matches(msg, k.Panel):
		return m.leave().turn(views.Panel(msg.String()[0] - '0')), nil
	case key.Matches(msg, k.Next):
		return m.leave().cycle(1), nil
	case key.Matches(msg, k.Prev):
		return m.leave().cycle(-1), nil
	case key.Matches(msg, k.Zoom):
		return m.zoomed(), nil
	case key.Matches(msg, k.Help):
		return m.visit(views.PanelHelp), nil
	case key.Matches(msg, k.Problems):
		return m.visit(views.PanelProblems), nil
	case key.Matches(msg, k.Doctor):
		return m.visit(views.PanelDoctor), nil
	case key.Matches(msg, k.Sessions):
		return m.sessions(), nil
	case key.Matches(msg, k.Tokens):
		return m.visit(views.PanelTokens), nil
	case key.Matches(msg, k.Growth):
		return m.visit(views.PanelGrowth), nil
	case key.Matches(msg, k.Follow):
		return m.followOffer()
	case key.Matches(msg, k.Explain):
		return m.explain()
	case key.Matches(msg, k.NudgeText):
		return m.nudgeText()
	case key.Matches(msg, k.Compress):
		return m.compress()
	case key.Matches(msg, k.Copy):
		return m.copyCall()
	case key.Matches(msg, k.Undo):
		return m.undo(), nil
	case key.Matches(msg, k.Reset):
		return m.reset(), nil
	case key.Matches(msg, k.Counter):
		return m.switchCounter()
	case key.Matches(msg, k.Pause), key.Matches(msg, k.Faster), key.Matches(msg, k.Slower):
		return m.play(msg)
	}
	return m.say(m.nothing(msg)), nil
}

// nothing says why a key does nothing here.
func (m *Model) nothing(msg tea.KeyMsg) string {
	pressed := msg.String()
	if why := m.keys.Why(m.context(), pressed); why != "" {
		return why
	}
	return strconv.Quote(pressed) + " does nothing; ? lists the keys."
}

// leave closes an open text.
func (m Model) leave() Model {
	m.reader = m.reader.closed()
	return m
}

// visit goes to a panel that takes the whole body, or back from there.
func (m Model) visit(p views.Panel) Model {
	m = m.leave()
	if m.focus == p {
		return m.turn(m.origin())
	}
	return m.turn(p)
}

func (m Model) zoomed() Model {
	if m.reader.open || m.focus.Whole() {
		return m.say("This already takes the whole screen: esc goes back.")
	}
	m.zoom = !m.zoom
	return m
}

// switchCounter starts a second run with the next counter.
func (m Model) switchCounter() (Model, tea.Cmd) {
	if m.opts.Open == nil || len(m.opts.Counters) < 2 {
		return m.say("Tokens of this session are counted by " + m.opts.Counter + " only."), nil
	}
	now := m.live.counter
	if m.next != nil {
		now = m.next.counter
	}
	at := 0
	for i, name := range m.opts.Counters {
		if name == now {
			at = (i + 1) % len(m.opts.Counters)
		}
	}
	if m.opts.Counters[at] == m.live.counter {
		m, cmd := m.abandon()
		return m.say("Tokens stay counted by " + m.live.counter + "."), cmd
	}
	return m.open(m.opts.Counters[at])
}

// play takes the keys of the demo.
func (m Model) play(msg tea.KeyMsg) (Model, tea.Cmd) {
	player, ok := m.live.source.(Player)
	if !ok {
		return m.say("Only the demo can be paused."), nil
	}
	const slowest, fastest = 0.25, 16
	switch {
	case key.Matches(msg, m.keys.Pause):
		m.paused = !m.paused
	case key.Matches(msg, m.keys.Faster) && m.speed == fastest:
		m = m.say("The demo cannot play faster.")
	case key.Matches(msg, m.keys.Slower) && m.speed == slowest:
		m = m.say("The demo cannot play slower.")
	case key.Matches(msg, m.keys.Faster):
		m.speed = min(m.speed*2, fastest)
	default:
		m.speed = max(m.speed/2, slowest)
	}
	player.Pause(m.paused)
	player.SetSpeed(m.speed)
	return m, nil
}
