package tui

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/bubbles/key"

	"ctxscope/kernel/doctor"
	"ctxscope/keymap"
	"ctxscope/views"
	"ctxscope/watch"
	"ctxscope/watch/settings"
)

// lively is how long after its last change a session counts as live, in
// milliseconds.
const lively = 600_000

// project makes the screen of what is known. It touches only rows that are
// visible.
func (m *Model) project() views.Screen {
	scene := m.shown()
	s := views.Screen{
		Width: m.width, Height: m.height, Focus: m.focus, Last: m.last, Zoom: m.zoom, Now: m.now,
		Session: m.sessionView(), Config: m.live.setting.Config, ConfigFrom: m.live.setting.From, ConfigOver: m.live.setting.Over,
		Totals: scene.totals, Repeats: scene.repeats, Stamps: scene.stamps,
		WhatIf: views.WhatIf{Folds: len(m.live.what)},
		Form:   m.formView(), Scroll: m.scroll, Nudging: m.nudging(), Checkup: m.checkup.view(),
		Foot: m.foot(),
	}
	if scene.ready {
		s.Report = &scene.report
	}
	if m.focus == views.PanelHelp {
		s.Keys = m.keyGroups()
	}
	if r := m.reader; r.open {
		s.Reader = &views.Reader{
			Title: r.title, Facts: r.facts, Lines: r.lines, Offset: r.offset, Loading: r.loading, Problem: r.problem,
		}
	}
	c := m.content()
	marks := m.marker()
	s.Batches = rowsOf(m.lists[views.PanelBatches], func(i int) views.RangeRow { return m.batchRow(c, marks, i) })
	s.Ranges = rowsOf(m.lists[views.PanelRanges], func(i int) views.RangeRow { return m.rangeRow(c, marks, i) })
	s.Messages = rowsOf(m.lists[views.PanelMessages], func(i int) views.MessageRow { return messageRow(c, marks, i) })
	s.Blocks = rowsOf(m.lists[views.PanelBlocks], func(i int) views.BlockRow { return m.blockRow(c, marks, i) })
	s.Problems = rowsOf(m.lists[views.PanelProblems], c.problem)
	s.Plan = c.plan
	s.Candidates = rowsOf(m.lists[views.PanelCandidates], func(i int) views.CandidateRow { return candidateRow(c, marks, i) })
	s.Findings = rowsOf(m.lists[views.PanelDoctor], func(i int) views.FindingRow { return c.found[i].FindingRow })
	m.projectWhole(&s)
	s.Outcomes = rowsOf(m.lists[views.PanelOutcomes], func(i int) doctor.Outcome { return c.outcomes[i] })
	return s
}

// projectWhole fills in the panels that take the whole body while they are
// looked at.
func (m *Model) projectWhole(s *views.Screen) {
	switch m.focus {
	case views.PanelSessions:
		s.Choice = m.choiceView()
		s.Sessions = rowsOf(m.lists[views.PanelSessions], m.sessionRow)
	case views.PanelTokens:
		s.TokenScales = m.tokenScales()
		s.Tokens = rowsOf(m.lists[views.PanelTokens], m.tokenRow)
	case views.PanelGrowth:
		s.Growth = m.growthView()
	}
}

func rowsOf[T any](l list, at func(row int) T) views.Rows[T] {
	return views.Rows[T]{
		Len: l.len(), At: func(position int) T { return at(l.row(position)) },
		Offset: l.offset, Selected: l.cursor, Follow: l.follow, Unseen: l.unseen(),
		All: l.all, Filter: l.filter, Editing: l.editing,
	}
}

// foot is the last line. Of an open text the help and the problems have no
// next and no previous one.
func (m *Model) foot() views.Foot {
	keys := m.keys.Foot(m.context())
	if m.context() == keymap.Text && !m.reader.open {
		keys = slices.DeleteFunc(keys, func(b key.Binding) bool {
			return b.Help() == m.keys.NextText.Help() || b.Help() == m.keys.PrevText.Help()
		})
	}
	return views.Foot{Keys: keys, Problems: m.keys.Problems, Note: m.note}
}

func (m *Model) keyGroups() []views.KeyGroup {
	var groups []views.KeyGroup
	for _, g := range m.keys.Groups() {
		groups = append(groups, views.KeyGroup(g))
	}
	return groups
}

func (m *Model) sessionView() views.Session {
	t, d := &m.live, &m.live.session
	w := t.setting.Window
	s := views.Session{
		Name: d.Title, Agent: d.Agent, Model: d.Model,
		Window: w.Tokens, WindowFrom: string(w.Source), Recorded: w.Recorded,
		Follow: m.follow(), Mode: t.status.Mode, Changed: t.status.Modified,
		Read: t.status.Read, Size: t.status.Size, Note: t.status.Note,
		Turn: t.live.finished, Counting: d.Counting,
		Counter: t.counter, NotHost: t.counter != hostCounter,
		Problems: len(d.Problems), Alarms: t.live.alarms, Diverged: t.live.diverged, Host: m.hostView(),
		Settings: len(slices.DeleteFunc(slices.Clone(t.setting.Problems), func(p settings.Problem) bool { return p.Advice })),
	}
	if s.Name == "" && !d.Recording {
		s.Name = t.title.text
	}
	if s.Name == "" {
		s.Name = t.status.Name
	}
	if d.Usage.Known && d.Usage.Stale {
		s.Stale = d.Usage.Tokens
	}
	if w.Recorded == w.Tokens { // the same number twice says no more
		s.Recorded = 0
	}
	if t.status.Waiting { // the screen says that itself
		s.Note = ""
	}
	if s.Refused = d.Refused; t.failure != nil {
		s.Refused = reason(t.failure)
		s.Note = s.Refused
	}
	if m.offer != nil && m.note == "" {
		s.Note = "the agent goes on in another session: f follows it"
	}
	if m.next != nil && m.next.counter != t.counter {
		s.Preparing = m.next.counter
	}
	if _, demo := t.source.(Player); demo && m.speed != 1 {
		s.Mode += " " + strconv.FormatFloat(m.speed, 'g', -1, 64) + "x"
	}
	return s
}

// reason is err without what says which file was read, which stands above it.
func reason(err error) string {
	if inner := errors.Unwrap(err); inner != nil {
		return inner.Error()
	}
	return err.Error()
}

// hostCounter is the name of the counter that hosts decide with.
const hostCounter = "estimate"

// follow says how the session is followed.
func (m *Model) follow() views.FollowState {
	t := &m.live
	_, demo := t.source.(Player)
	switch {
	case t.failure != nil:
		return views.Stopped
	case t.status == (watch.Status{}):
		return views.Waiting
	case demo && m.paused:
		return views.Paused
	case demo:
		return views.Playing
	case t.status.Missing:
		return views.Missing
	case !t.loaded || !t.live.ready:
		return views.Loading
	case t.status.Mode == "read once", t.ended:
		return views.ReadOnce
	case m.now == 0 && t.status.Live, m.now != 0 && m.now-t.status.Modified < lively:
		return views.Live
	}
	return views.Quiet
}

func (m *Model) formView() views.Form {
	f := &m.form
	out := views.Form{
		Growing: f.growing != nil, Selected: f.selected, Verdict: f.verdict, Checking: f.due || f.out,
		Before: f.before, Then: f.then, Call: f.json, Scroll: f.scroll,
	}
	for _, d := range f.picks() {
		out.Ranges = append(out.Ranges, views.Pick{
			StartRef: d.start, EndRef: d.end, Written: strings.TrimSpace(d.summary) != "",
		})
	}
	switch {
	case len(out.Ranges) == 0:
		out.Stage = views.NoPick
	case f.applied:
		out.Stage = views.Applied
	case f.writing:
		out.Stage = views.Writing
		at := f.editor.LineInfo()
		out.Editor = views.Editor{Text: f.editor.Value(), Line: f.editor.Line(), Col: at.StartColumn + at.ColumnOffset}
	default:
		out.Stage = views.Picking
	}
	return out
}

// marker tells which rows belong to the pick. Message refs are compared by
// their places in the log, block ids by theirs among the blocks.
type marker struct {
	ranges  []place
	growing *place
}

// place is a range of positions in the log, or of block numbers.
type place struct {
	from, to int
	blocks   bool
}

func (m *Model) marker() marker {
	var out marker
	c := m.content()
	if !c.ready {
		return out
	}
	for _, d := range m.form.ranges {
		if p, ok := c.place(d.span); ok {
			out.ranges = append(out.ranges, p)
		}
	}
	if g := m.form.growing; g != nil {
		if p, ok := c.place(g.span); ok {
			out.growing = &p
		}
	}
	return out
}

// place finds where s stands; ok is false when one of its refs names nothing.
func (c content) place(s span) (p place, ok bool) {
	p.from, p.blocks, ok = c.position(s.start)
	if !ok {
		return place{}, false
	}
	to, blocks, ok := c.position(s.end)
	p.to = max(p.from, to)
	p.from = min(p.from, to)
	return p, ok && blocks == p.blocks
}

func (c content) position(ref string) (at int, block, ok bool) {
	if strings.HasPrefix(ref, "b") {
		n, err := strconv.Atoi(ref[1:])
		return n, true, err == nil
	}
	at, ok = c.run.Index(ref)
	return at, false, ok
}

// mark says how a row that stands at s belongs to the pick.
func (k marker) mark(c content, s span) views.Mark {
	if len(k.ranges) == 0 && k.growing == nil {
		return views.Mark{}
	}
	p, ok := c.place(s)
	if !ok {
		return views.Mark{}
	}
	inside := func(q place) bool { return q.blocks == p.blocks && q.from <= p.from && p.to <= q.to }
	return views.Mark{
		Picked: k.growing != nil && inside(*k.growing),
		Marked: slices.ContainsFunc(k.ranges, inside),
	}
}
