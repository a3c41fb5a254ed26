package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"ctxscope/kernel"
	"ctxscope/views"
)

// explainedMsg is the explanation that the open reader waits for.
type explainedMsg struct {
	number      int
	explanation kernel.Explanation
}

// explain opens the rules behind the row under the cursor, or closes them. In
// the Compress panel it is about the selected range of the call.
func (m Model) explain() (Model, tea.Cmd) {
	if m.reader.open && m.reader.kind == readsWhy {
		m.reader = m.reader.closed()
		return m, nil
	}
	ask, title, why := m.question()
	if why != "" {
		return m.say(why), nil
	}
	r := m.reader.closed()
	r.open, r.kind, r.panel, r.loading = true, readsWhy, m.focus, true
	r.title, r.facts = title, "the rules in the order in which they are asked; a STOP is what decides"
	m.reader = r
	number := r.number
	return m, guard(func() tea.Msg { return explainedMsg{number, ask()} })
}

// question is what an explanation of the selected row asks the kernel, and its
// title; why says that there is nothing to explain.
func (m *Model) question() (ask func() kernel.Explanation, title, why string) {
	k, c := m.live.kernel, m.content()
	if !c.ready || k == nil {
		return nil, "", "There is nothing to explain: nothing was evaluated yet."
	}
	run, row := c.run, m.lists[m.focus].selected()
	var s span
	switch {
	case m.focus == views.PanelCompress && len(m.form.ranges) > 0:
		s = m.form.ranges[m.form.selected].span
	case m.focus == views.PanelCompress || !isList(m.focus) || m.focus.Whole():
		return nil, "", "e explains a message, range, batch, candidate or block: select one in its list first."
	case row < 0:
		return nil, "", "There is no row here to explain."
	case m.focus == views.PanelMessages:
		return func() kernel.Explanation { return k.Explain(run, row) }, "Why: " + nameOf(c.run.Ref(row), "message"), ""
	default:
		s = c.span(m.focus, row)
	}
	switch {
	case s.start == "" || s.end == "":
		return nil, "", "What was left out here has no ref: there is nothing to ask about."
	case s.start == s.end && s.start[0] == 'b':
		return func() kernel.Explanation { return k.ExplainBlock(run, s.start) }, "Why: " + s.start, ""
	}
	return func() kernel.Explanation { return k.ExplainRange(run, s.start, s.end) }, "Why: " + s.start + "–" + s.end, ""
}

func nameOf(ref, otherwise string) string {
	if ref == "" {
		return otherwise
	}
	return ref
}

// explained takes an explanation.
func (m Model) explained(msg explainedMsg) Model {
	r := &m.reader
	if !r.open || r.number != msg.number {
		return m
	}
	r.loading, r.why = false, &msg.explanation
	r.width, _ = m.readerSize()
	r.lines = views.Explained(msg.explanation, r.width)
	return m
}
