package tui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"ctxscope/kernel"
	"ctxscope/views"
	"ctxscope/watch/hoststate"
)

// host is what is known of the state that the session's host keeps. One look
// for it is out at a time.
type host struct {
	follower *hoststate.Follower // nil: it is not looked for
	due, out bool
	view     hoststate.View
	number   int             // of the view: 0 is none
	query    hoststate.Query // what the view answers
}

// hostMsg is what a look found.
type hostMsg struct {
	query   hoststate.Query
	view    hoststate.View
	changed bool
}

// hosting is what a scene owes to the host's state.
type hosting struct {
	view  hoststate.View
	drift hoststate.Comparison // of the state that was found, from the replay
}

// newHost looks on a machine; nil: nowhere.
func newHost(m *hoststate.Machine) host {
	if m == nil {
		return host{}
	}
	return host{follower: hoststate.Follow(*m)}
}

// seek starts a look for the host's state when one is due. A session that is
// no file has none, and a recording says itself what its host did.
func (m Model) seek() (Model, tea.Cmd) {
	h, t := &m.host, &m.live
	if h.follower == nil || !h.due || h.out || !t.loaded || t.status.Path == "" || t.session.Recording {
		return m, nil
	}
	h.due, h.out = false, true
	follower, query := h.follower, hoststate.Query{Path: t.status.Path, Session: t.session}
	return m, guard(func() tea.Msg {
		view, changed := follower.Look(query)
		return hostMsg{query, view, changed}
	})
}

// sought takes what a look found: the lane judges by it.
func (m Model) sought(msg hostMsg) Model {
	m.host.out, m.host.query = false, msg.query
	if msg.changed {
		m.host.view = msg.view
		m.host.number++
	}
	return m
}

// viewOf is the view that a track is judged by, and its number: none while what
// is known is of another session.
func (h *host) viewOf(t *track) (hoststate.View, int) {
	if q := &h.query; q.Path != t.status.Path || q.Session.ID != t.session.ID {
		return hoststate.View{}, 0
	}
	return h.view, h.number
}

// judgedBy is the run judged by the host's state, where there is one. anew says
// that another state judged it before, or none.
func judgedBy(k *kernel.Kernel, run kernel.Run, view hoststate.View, anew bool) (kernel.Run, *hosting) {
	h := &hosting{view: view}
	switch {
	case !view.Found:
		run = run.Replay()
	case anew:
		run, h.drift = view.State.Judge(k, run)
	default:
		run, h.drift = view.State.Keep(k, run)
	}
	return run, h
}

// branchOn moves a what-if run on to where the live one is. Where that was made
// anew, the calls are tried again on it.
func branchOn(k *kernel.Kernel, branch, live kernel.Run, changes []kernel.Change, anew bool) kernel.Run {
	if anew {
		return k.Retry(live, branch)
	}
	return advanced(k, branch, changes)
}

func advanced(k *kernel.Kernel, run kernel.Run, changes []kernel.Change) kernel.Run {
	if len(changes) == 0 {
		return run
	}
	return k.Advance(run, merge(changes))
}

// hostNotices is what there is to say of the host's state: why it is not used,
// what is odd in it, and how the replay differs, each with its likely cause.
func (m *Model) hostNotices() []views.Problem {
	h := m.live.live.host
	if h == nil {
		return nil
	}
	var out []views.Problem
	note := func(reason string) {
		if reason != "" {
			out = append(out, views.Problem{Where: "host state", Reason: reason})
		}
	}
	note(h.view.Note)
	note(h.drift.Note)
	for _, n := range h.view.State.Notes {
		note(n)
	}
	if n := h.drift.Unseen; n > 0 && m.live.live.run.Hosted() {
		note("the host has not seen the newest " + messages(n) + "; their refs are those that it would give next")
	}
	for _, d := range h.drift.Differences {
		out = append(out, views.Problem{Where: "drift " + d.Name, Reason: d.Said() + ". Likely: " + d.Cause})
	}
	return out
}

func messages(n int) string {
	if n == 1 {
		return "message"
	}
	return views.Number(n) + " messages"
}

// hostView is what the screen tells of the host's state.
func (m *Model) hostView() views.Host {
	scene := &m.live.live
	if scene.host == nil || !scene.host.view.Found {
		note := ""
		if scene.host != nil {
			note = scene.host.view.Note
		}
		return views.Host{Note: note}
	}
	v := scene.host.view
	return views.Host{
		Name: v.State.Named(), Used: scene.run.Hosted(), Saved: m.clock(v.State.When()), Forks: v.State.Parents,
		Unseen: scene.host.drift.Unseen, Drift: len(scene.host.drift.Differences), Note: v.Note,
	}
}

// clock is a time for people: of the day, with its date when that is not
// today's.
func (m *Model) clock(at int64) string {
	if at == 0 {
		return ""
	}
	t, now := time.UnixMilli(at), time.UnixMilli(m.now)
	if m.now == 0 || t.YearDay() == now.YearDay() && t.Year() == now.Year() {
		return t.Format("15:04:05")
	}
	return t.Format("2006-01-02 15:04")
}
