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
