package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"ctxscope/kernel"
	"ctxscope/views"
)

// insight is what is worked out of a scene only when it is asked for, since it
// asks the executor about many ranges: the plan, and what follows from it.
type insight struct {
	version int // of the scene
	ready   bool
	plan    kernel.Plan
	guard   kernel.GuardAnswer
	text    kernel.NudgeText
}

// insightMsg is an insight that was worked out.
type insightMsg struct{ insight insight }

// wantsInsight reports whether something on the screen needs a plan: a nudge
// that would be sent, the candidates, the nudge's text or its ledger.
func (m *Model) wantsInsight() bool {
	if _, shown := m.boxes().Of(views.PanelCandidates); shown {
		return true
	}
	return m.shown().report.Nudge.ShouldInject || m.reader.kind == readsNudge || m.zoom && m.focus == views.PanelNudge
}

// look starts the insight of the shown scene, unless it is there, nobody wants
// it, or one is being worked out.
func (m Model) look() (Model, tea.Cmd) {
	scene := m.shown()
	if m.looking || !scene.ready || m.live.kernel == nil || m.insight.ready && m.insight.version == m.version || !m.wantsInsight() {
		return m, nil
	}
	m.looking = true
	k, run, version := m.live.kernel, scene.run, m.version
	return m, guard(func() tea.Msg {
		in := insight{version: version, ready: true, plan: k.Plan(run, kernel.DefaultPlanners())}
		in.guard, in.text = k.Guard(run, &in.plan), k.NudgeText(run, &in.plan)
		return insightMsg{in}
	})
}

// looked takes an insight. One of an older scene stands until there is a newer
// one.
func (m Model) looked(msg insightMsg) (Model, tea.Cmd) {
	m.looking = false
	if msg.insight.version < m.begun {
		return m, nil
	}
	m.insight = msg.insight
	if m.reader.kind == readsNudge && m.reader.loading {
		return m.readNudge()
	}
	return m, nil
}

// nudging is what is known of the nudge beside the decision.
func (m *Model) nudging() views.Nudging {
	scene := m.shown()
	if !scene.ready {
		return views.Nudging{}
	}
	n := views.Nudging{Ledger: &scene.ledger, Guard: &scene.guard, Text: &scene.text, Costs: scene.costs}
	if in := &m.insight; in.ready && in.version == m.version {
		n.Guard, n.Text = &in.guard, &in.text
	}
	return n
}

// nudgeText opens the text that a host would send now.
func (m Model) nudgeText() (Model, tea.Cmd) {
	if m.reader.kind == readsNudge {
		m.reader = m.reader.closed()
		return m, nil
	}
	if !m.shown().ready {
		return m.say("There is no nudge text: nothing was evaluated yet."), nil
	}
	m.reader = m.reader.closed()
	m.reader.open, m.reader.kind, m.reader.loading, m.reader.title = true, readsNudge, true, "Nudge text"
	if m.insight.ready && m.insight.version == m.version {
		return m.readNudge()
	}
	return m, nil
}

// readNudge fills the open reader with the text of the insight.
func (m Model) readNudge() (Model, tea.Cmd) {
	r := &m.reader
	r.loading, r.width, r.text = false, 0, m.insight.text.Text
	r.facts = views.NudgeTextFacts(&m.insight.text, m.live.counter, m.insight.guard.Send)
	return m.rewrap()
}
