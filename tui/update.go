package tui

import (
	"fmt"
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
		ready := m.live.live.ready
		if m = m.advanced(msg); !ready && m.live.live.ready {
			return m, m.errand.relieve
		}
		return m, nil
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
func (m Model) advanced(msg advancedMsg) Model {
	switch {
	case msg.feed == m.live.feed && msg.gen == m.live.gen:
		var lost bool
		if m.live, lost = m.live.advanced(msg); lost {
			m.note = "The session went back to before the what-if: it was dropped."
		}
		if lost && msg.anew {
			m.note = "The host's own state has changed: the what-if was dropped."
		}
		return m.changed()
	case m.next != nil && msg.feed == m.next.feed && msg.gen == m.next.gen:
		next, _ := m.next.advanced(msg)
		m.next = &next
	case m.beside != nil && msg.feed == m.beside.feed && msg.gen == m.beside.gen:
		next, _ := m.beside.advanced(msg)
		m.beside = &next
	}
	return m
}
