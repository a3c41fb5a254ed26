package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"ctxscope/kernel"
	"ctxscope/views"
)

// drafted is one range of the call that is put together, with its summary as
// far as it is written.
type drafted struct {
	span
	summary string
}

// growth is a range that grows with the cursor of a list, from the row with
// the anchor's key.
type growth struct {
	panel  views.Panel
	anchor string
	span   // as it stands; empty where no row in it has a ref
}

// picks are the ranges of the call, the one that still grows last.
func (f *form) picks() []drafted {
	if f.growing == nil || f.growing.start == "" {
		return f.ranges
	}
	return append(f.ranges[:len(f.ranges):len(f.ranges)], drafted{span: f.growing.span})
}

// call is the compress call that the form stands for.
func (f *form) call() kernel.Call {
	var c kernel.Call
	for _, d := range f.picks() {
		r := kernel.CallRange{StartRef: d.start, EndRef: d.end, Summary: d.summary}
		if topic := topicOf(d.summary); topic != "" {
			r.Topic = &topic
		}
		c.Ranges = append(c.Ranges, r)
	}
	return c
}

// mark puts the row under the cursor, or the range that grows, among the
// ranges of the call, or takes it out again.
func (m Model) mark() Model {
	if m.form.growing != nil {
		return m.keep()
	}
	s, why := m.rowSpan()
	if why != "" {
		return m.say(why)
	}
	if m.form.applied {
		m.form = m.form.cleared()
	}
	if m.form.taken {
		m.form.ranges, m.form.taken = nil, false
	}
	m.form = m.form.toggled(s)
	return m
}

// keep ends the growth of a range and leaves it in the call.
func (m Model) keep() Model {
	g := m.form.growing
	m.form.growing = nil
	if g.start == "" {
		m.form = m.form.touched()
		return m.say("No row of this range has a ref that a call could name.")
	}
	if !m.form.holds(g.span) {
		m.form = m.form.toggled(g.span)
	}
	return m
}

// selectRows starts a range that grows with the cursor, or ends its growth.
func (m Model) selectRows() Model {
	if m.form.growing != nil {
		return m.keep()
	}
	row := m.lists[m.focus].selected()
	switch {
	case row < 0:
		return m.say("There is no row here to start from.")
	case m.focus == views.PanelCandidates:
		return m.say("Candidates stand by size, not in order: mark several of them instead.")
	}
	if m.form.applied {
		m.form = m.form.cleared()
	}
	if m.form.taken {
		m.form.ranges, m.form.taken = nil, false
	}
	m.form.growing = &growth{panel: m.focus, anchor: m.content().key(m.focus, row)}
	m.form = m.form.touched()
	return m.grow()
}

// grow makes the growing range what lies between its first row and the
// cursor. It ends where its list is left or its first row is gone.
func (m Model) grow() Model {
	g := m.form.growing
	if g == nil {
		return m
	}
	c, l := m.content(), m.lists[g.panel]
	anchor := l
	anchor.key = g.anchor
	from, to := anchor.find(func(i int) string { return c.key(g.panel, i) }), l.cursor
	if from < 0 {
		m.form.growing = nil
		m.form = m.form.touched()
		return m
	}
	s := c.between(g.panel, l, min(from, to), max(from, to))
	if s != g.span {
		m.form.growing = &growth{panel: g.panel, anchor: g.anchor, span: s}
		m.form = m.form.touched()
	}
	return m
}

// between gives the refs of the first and the last row that have one, from
// position lo to position hi.
func (c content) between(p views.Panel, l list, lo, hi int) span {
	var s span
	for at := lo; at <= hi && s.start == ""; at++ {
		s.start = c.span(p, l.row(at)).start
	}
	for at := hi; at >= lo && s.end == ""; at-- {
		s.end = c.span(p, l.row(at)).end
	}
	return s
}

// rowSpan gives the refs of the row under the cursor, or why it has none.
func (m *Model) rowSpan() (s span, why string) {
	if !isList(m.focus) || m.focus.Whole() {
		return span{}, "Pick a range first: space marks a row of a list, v grows a range there."
	}
	row := m.lists[m.focus].selected()
	if row < 0 {
		return span{}, "There is no row here to pick."
	}
	c := m.content()
	s = c.span(m.focus, row)
	if m.focus == views.PanelCandidates && (s.start == "" || s.end == "") {
		return span{}, "What was left out here has no ref that a call could name."
	}
	if s.start == "" || s.end == "" {
		return span{}, "This message has no ref: it is never folded" + because(c.run.Standing(row).Why)
	}
	return s, ""
}

func because(why string) string {
	if why == "" {
		return "."
	}
	return " (" + why + ")."
}

// compress takes what is picked, else the row under the cursor, to the form.
func (m Model) compress() (Model, tea.Cmd) {
	if m.focus == views.PanelCompress {
		return m.say("You are in the Compress panel: " + m.formHint()), nil
	}
	if m.form.growing != nil {
		m = m.keep()
	}
	if len(m.form.ranges) == 0 || m.form.taken || m.form.applied {
		s, why := m.rowSpan()
		if why != "" && len(m.form.ranges) == 0 {
			return m.say(why), nil
		}
		if why == "" {
			m.form = m.form.taking(s)
		}
	}
	m.reader = m.reader.closed()
	return m.turn(views.PanelCompress), nil
}

// formHint says what can be done in the Compress panel.
func (m *Model) formHint() string {
	switch {
	case m.form.applied:
		return "y copies the call, u takes it back, esc leaves."
	case len(m.form.ranges) == 0:
		return "pick a range in a list first."
	}
	return "enter writes the summary, x drops a range, esc leaves."
}

// holds reports whether s is among the ranges of the call.
func (f *form) holds(s span) bool {
	for _, d := range f.ranges {
		if d.span == s {
			return true
		}
	}
	return false
}

// toggled is the form with s added to its ranges, or taken out.
func (f form) toggled(s span) form {
	ranges := make([]drafted, 0, len(f.ranges)+1)
	for _, d := range f.ranges {
		if d.span != s {
			ranges = append(ranges, d)
		}
	}
	if len(ranges) == len(f.ranges) {
		ranges = append(ranges, drafted{span: s, summary: f.drafts[s]})
	}
	f.ranges = ranges
	f.selected = max(0, min(f.selected, len(ranges)-1))
	return f.touched()
}

// taking is the form with s as its only range.
func (f form) taking(s span) form {
	if len(f.ranges) == 1 && f.ranges[0].span == s && !f.applied {
		return f
	}
	f = f.cleared().toggled(s)
	f.taken = true
	return f
}

// shrunk is the form without the range that grows.
func (f form) shrunk() form {
	f.growing = nil
	return f.touched()
}
