package tui

import (
	"maps"
	"strings"

	"github.com/charmbracelet/bubbles/cursor"
	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textarea"
	tea "github.com/charmbracelet/bubbletea"

	"ctxscope/kernel"
	"ctxscope/views"
)

// form is the call that is put together: its ranges, their summaries, what
// the executor says of it.
type form struct {
	ranges   []drafted
	drafts   map[span]string // summaries written for a range, kept when it is dropped
	growing  *growth
	taken    bool // the only range was taken from under the cursor, not marked
	selected int
	writing  bool
	applied  bool // the call was applied to the newest what-if branch
	json     string
	editor   textarea.Model
	scroll   int

	number  int // of the call as it is now
	due     bool
	out     bool // a verdict is being worked out
	verdict *kernel.Verdict
	before  *kernel.Report // of an applied call
	then    *kernel.Report
}

func newForm() form {
	e := textarea.New()
	e.CharLimit, e.MaxHeight, e.ShowLineNumbers, e.Prompt = 0, 0, false, ""
	e.KeyMap.Paste = key.NewBinding()
	e.Cursor.SetMode(cursor.CursorStatic)
	return form{editor: e}
}

// cleared is the form without ranges. What was written for them comes back
// when they are picked again.
func (f form) cleared() form {
	return form{editor: f.editor, drafts: f.drafts, number: f.number + 1, out: f.out}
}

// emptied is the form of a session whose refs mean something else.
func (f form) emptied() form {
	f = f.cleared()
	f.drafts = nil
	return f
}

// touched is the form whose verdict has to be worked out anew.
func (f form) touched() form {
	f.number++
	f.due = len(f.picks()) > 0 && !f.applied
	if len(f.picks()) == 0 {
		f.verdict, f.then = nil, nil
	}
	return f
}

// check starts the verdict of the call, unless one is being worked out: then
// the newest call follows.
func (m Model) check() (Model, tea.Cmd) {
	scene := m.shown()
	if !m.form.due || m.form.out || !scene.ready || m.live.kernel == nil {
		return m, nil
	}
	m.form.due, m.form.out = false, true
	k, run, call, number := m.live.kernel, scene.run, m.form.call(), m.form.number
	return m, guard(func() tea.Msg {
		return checkedMsg{number: number, call: call, verdict: k.Check(run, call)}
	})
}

// filled is call with a summary of the least length where there is none, so
// that what would hold afterwards can be worked out.
func filled(call kernel.Call, config kernel.Config) kernel.Call {
	least := max(1, int(config.Compress.MinSummaryLength))
	out := kernel.Call{Ranges: append([]kernel.CallRange(nil), call.Ranges...)}
	for i := range out.Ranges {
		if r := &out.Ranges[i]; strings.TrimSpace(r.Summary) == "" {
			r.Summary, r.SummaryMaxChars = strings.Repeat("x", least), &least
		}
	}
	return out
}

// checked takes the verdict of the form's call and asks for its outcome.
func (m Model) checked(msg checkedMsg) Model {
	m.form.out = false
	if msg.number != m.form.number {
		return m
	}
	m.form.verdict, m.live.ahead = &msg.verdict, nil
	if !msg.verdict.Ok() {
		m.form.then = nil
		return m
	}
	m.live.ahead = &outlook{number: msg.number, call: filled(msg.call, m.live.kernel.Config())}
	return m
}

// foreseen takes what would hold after the form's call.
func (m Model) foreseen(msg foreseenMsg) Model {
	if msg.feed != m.live.feed || msg.gen != m.live.gen {
		return m
	}
	m.live.busy = false
	if msg.number == m.form.number {
		m.form.then = msg.report
	}
	return m
}

// formKey takes the keys of the Compress panel. ok is false when it is none
// of them.
func (m Model) formKey(msg tea.KeyMsg) (next Model, cmd tea.Cmd, ok bool) {
	lines := m.boxes().Lines(views.PanelCompress)
	if delta, ok := m.movement(msg, lines); ok {
		switch {
		case delta == 1 || delta == -1:
			m.form.selected = max(0, min(m.form.selected+delta, len(m.form.ranges)-1))
		default:
			m.form.scroll = m.scrolledBy(m.form.scroll, delta)
		}
		return m, nil, true
	}
	switch {
	case key.Matches(msg, m.keys.Write):
		next, cmd = m.write()
	case key.Matches(msg, m.keys.Drop):
		next = m.drop()
	default:
		return m, nil, false
	}
	return next, cmd, true
}

// write opens the summary of the selected range.
func (m Model) write() (Model, tea.Cmd) {
	f := &m.form
	switch {
	case f.applied:
		return m.say("The call was applied: " + m.formHint()), nil
	case len(f.ranges) == 0:
		return m.say("There is no range to summarise: pick one in a list, then press c."), nil
	}
	f.writing, f.scroll = true, 0
	f.editor.SetValue(f.ranges[f.selected].summary)
	cmd := f.editor.Focus()
	return m, cmd
}

// drop takes the selected range out of the call.
func (m Model) drop() Model {
	f := &m.form
	switch {
	case f.applied:
		return m.say("The call was applied: " + m.formHint())
	case len(f.ranges) == 0:
		return m.say("There is no range to drop.")
	}
	m.form = f.toggled(f.ranges[f.selected].span)
	return m
}

// typeSummary takes what is typed into the summary.
func (m Model) typeSummary(msg tea.KeyMsg) (Model, tea.Cmd) {
	switch {
	case key.Matches(msg, m.keys.Submit):
		return m.submit()
	case key.Matches(msg, m.keys.Cancel):
		m.form.writing = false
		m.form.editor.Blur()
		return m, nil
	}
	var cmd tea.Cmd
	m.form.editor, cmd = m.form.editor.Update(msg)
	m.form = m.form.written(m.form.editor.Value())
	return m, cmd
}

// written is the form with the summary of its selected range replaced.
func (f form) written(summary string) form {
	if f.ranges[f.selected].summary == summary {
		return f
	}
	ranges := append([]drafted(nil), f.ranges...)
	ranges[f.selected].summary = summary
	f.ranges = ranges
	f.drafts = maps.Clone(f.drafts)
	if f.drafts == nil {
		f.drafts = map[span]string{}
	}
	f.drafts[ranges[f.selected].span] = summary
	return f.touched()
}

// submit hands the call to the lane, once every range has a summary.
func (m Model) submit() (Model, tea.Cmd) {
	f := &m.form
	for i, d := range f.ranges {
		if strings.TrimSpace(d.summary) == "" {
			if i == f.selected {
				return m.say("This range has no summary yet: what should stand for it?"), nil
			}
			f.selected = i
			next, cmd := m.write()
			return next.say(d.start + "–" + d.end + " has no summary yet."), cmd
		}
	}
	if m.live.call != nil || m.live.busy {
		m.note = "The call is applied as soon as the new messages are judged."
	}
	m.live.submitted++
	m.live.call = &submission{id: m.live.submitted, call: f.call(), ranges: f.ranges}
	return m, nil
}

// applied takes the outcome of a submitted call: a what-if branch, or the
// executor's reasons.
func (m Model) applied(msg appliedMsg) Model {
	if msg.feed != m.live.feed || msg.gen != m.live.gen {
		return m
	}
	m.live.busy = false
	if msg.verdict.Ok() && msg.scene.run.WhatIf() != len(m.live.what)+1 {
		return m.say("Not applied: the what-if was taken back meanwhile.")
	}
	if !msg.verdict.Ok() {
		m.form.verdict, m.form.then = &msg.verdict, nil
		return m.say("Not applied: " + firstReason(msg.verdict))
	}
	s, before := msg.submission, m.shown().report
	b := branch{id: s.id, scene: msg.scene, ranges: s.ranges, json: callJSON(s.call)}
	if n := len(m.live.what); n > 0 {
		b.made = append(b.made, m.live.what[n-1].made...)
	}
	b.made = append(b.made, msg.verdict.NewBlocks...)
	m.live.what = append(m.live.what[:len(m.live.what):len(m.live.what)], b)
	m.form = m.form.cleared()
	m.form.ranges, m.form.applied, m.form.json = s.ranges, true, b.json
	m.form.editor.Blur()
	m.form.verdict, m.form.due = &msg.verdict, false
	m.form.before, m.form.then = &before, &msg.scene.report
	return m.changed().say("Applied to a what-if copy; the session itself is as it was. y copies the call, u takes it back.")
}

// firstReason is the executor's first sentence about a call that made
// nothing.
func firstReason(v kernel.Verdict) string {
	for _, r := range v.Ranges {
		if r.Sentence != "" {
			return r.Sentence
		}
	}
	for _, list := range [][]string{v.Errors, v.Warnings, v.Notes} {
		if len(list) > 0 {
			return list[0]
		}
	}
	return "no block would be made."
}

// undo takes the newest call off the what-if copy and puts its ranges back
// into the form.
func (m Model) undo() Model {
	n := len(m.live.what)
	if n == 0 {
		return m.say("There is no what-if to undo.")
	}
	last := m.live.what[n-1]
	m.live.what = m.live.what[: n-1 : n-1]
	if m.form.applied || len(m.form.picks()) == 0 {
		m.form = m.form.cleared()
		m.form.ranges = last.ranges
	}
	note := "Undone: the live session is shown."
	if n > 1 {
		note = "Undone: the what-if holds the calls before it."
	}
	return m.changed().say(note)
}

// reset drops the what-if copy.
func (m Model) reset() Model {
	if len(m.live.what) == 0 {
		return m.say("There is no what-if to reset.")
	}
	m.live.what = nil
	return m.changed().say("The what-if was dropped: the live session is shown.")
}

// copyCall sends the call to the clipboard of the terminal.
func (m Model) copyCall() (Model, tea.Cmd) {
	text := m.form.json
	if !m.form.applied {
		for _, d := range m.form.picks() {
			if strings.TrimSpace(d.summary) == "" {
				return m.say("The call has no summary for " + d.start + "–" + d.end + " yet: c, then enter writes it."), nil
			}
		}
		text = callJSON(m.form.call())
	}
	switch {
	case len(m.form.picks()) == 0:
		return m.say("There is no call to copy: pick a range and write its summary first."), nil
	case m.errand.copy == nil:
		return m, nil
	}
	return m, m.errand.copy(text)
}
