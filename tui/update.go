package tui

import (
	"runtime/debug"
	"strconv"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"ctxscope/views"
)

// Update takes one message. A panic in it ends the program in order.
func (m Model) Update(msg tea.Msg) (next tea.Model, cmd tea.Cmd) {
	defer func() {
		if v := recover(); v != nil {
			m.fault = &PanicError{Value: v, Stack: debug.Stack()}
			next, cmd = m, tea.Quit
		}
	}()
	m, cmd = m.route(msg)
	m, more := m.work()
	return m, tea.Batch(cmd, more)
}

// route gives msg to what it is for.
func (m Model) route(msg tea.Msg) (Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return m.press(msg)
	case tea.WindowSizeMsg:
		return m.resize(msg.Width, msg.Height)
	case tickMsg:
		m.now = time.Time(msg).UnixMilli()
		m.host.due = true
		return m, m.tick()
	case eventMsg:
		return m.event(msg)
	case openedMsg:
		return m.opened(msg)
	case advancedMsg:
		return m.advanced(msg)
	case appliedMsg:
		return m.applied(msg), nil
	case checkedMsg:
		return m.checked(msg), nil
	case foreseenMsg:
		return m.foreseen(msg), nil
	case judgedMsg:
		return m.judged(msg), nil
	case hostMsg:
		return m.sought(msg), nil
	case insightMsg:
		return m.looked(msg)
	case foundMsg:
		return m.found(msg), nil
	case switchedMsg:
		return m.switched(msg)
	case successorMsg:
		return m.succeeded(msg)
	case subagentMsg:
		return m.started(msg)
	case layersMsg:
		return m.learned(msg)
	case besideMsg:
		return m.besideOpened(msg)
	case explainedMsg:
		return m.explained(msg), nil
	case examinedMsg:
		return m.examined(msg), nil
	case filteredMsg:
		return m.filtered(msg), nil
	case textMsg:
		return m.wrapped(msg), nil
	case doneMsg:
		return m.say(msg.note), nil
	case continuedMsg:
		return m, retake()
	case resumedMsg:
		return m.resumed(msg)
	case faultMsg:
		m.fault = msg.fault
		return m, tea.Quit
	}
	return m, nil
}

// work starts what has become possible or due: kernel jobs, verdicts, filters,
// the change to a session that was opened anew.
func (m Model) work() (Model, tea.Cmd) {
	var cmds [14]tea.Cmd
	if m.beside != nil {
		beside, cmd := m.beside.job(&host{})
		m.beside, cmds[9] = &beside, cmd
	}
	if m.next != nil {
		next, cmd := m.next.job(&m.host)
		m.next, cmds[0] = &next, cmd
	}
	m, cmds[1] = m.swap()
	m, cmds[8] = m.seek()
	m.live, cmds[2] = m.live.job(&m.host)
	m = m.fit()
	m, cmds[3] = m.judge()
	m, cmds[4] = m.sift()
	m, cmds[5] = m.check()
	m, cmds[6] = m.look()
	m, cmds[7] = m.examine()
	m, cmds[10] = m.choose()
	m, cmds[11] = m.measure()
	m, cmds[12] = m.lookOut()
	m, cmds[13] = m.inform()
	return m, tea.Batch(cmds[:]...)
}

// swap puts the session that was opened anew on the screen once it is
// complete.
func (m Model) swap() (Model, tea.Cmd) {
	next := m.next
	if next == nil || !next.live.ready || next.busy || len(next.waiting) > 0 {
		return m, nil
	}
	old, dropped := m.live, len(m.live.what) > 0
	m.live, m.next = *next, nil
	if p, ok := m.live.source.(Player); ok {
		p.Pause(m.paused)
		p.SetSpeed(m.speed)
	}
	if old.counter != next.counter {
		m.note = "Tokens are now counted by " + next.counter + "."
	} else {
		m.note = "The window of the session has changed: judged again with " + strconv.Itoa(int(next.setting.Window.Tokens)) + " tokens."
	}
	if dropped {
		m.note += " The what-if was dropped."
	}
	m, closed := m.closeBeside()
	return m.changed(), tea.Batch(closed, closing(old.source))
}

// View draws the screen.
func (m Model) View() string {
	if m.width == 0 || m.height == 0 {
		return ""
	}
	return views.Frame(m.project(), m.styles)
}

// The largest frame that is drawn, in cells: a terminal that says that it is
// larger says nonsense, and would get gigabytes of blanks.
const (
	widest  = 1000
	highest = 500
)

func (m Model) resize(width, height int) (Model, tea.Cmd) {
	if width == 0 || height == 0 {
		width, height = 80, 24 // the terminal does not know its size
	}
	m.width, m.height = min(width, widest), min(height, highest)
	m.form.editor.SetWidth(max(10, m.width-4))
	return m.rewrap()
}
