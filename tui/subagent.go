package tui

import (
	"cmp"
	"encoding/json"
	"path/filepath"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ctxscope/kernel"
	"ctxscope/views"
	"ctxscope/watch"
)

// subagentMsg is the session of a subagent that a call started.
type subagentMsg struct {
	from target // the session that was on the screen
	to   target
	ok   bool
}

// subagent opens the session of the subagent that the selected call started.
func (m Model) subagent() (Model, tea.Cmd) {
	row := m.lists[views.PanelMessages].selected()
	if row < 0 || m.opts.Machine == nil || m.opts.OpenFile == nil {
		return m.say("There is no call here that could have started a subagent."), nil
	}
	log := m.shown().run.Log()
	x := log.At(row)
	if x.ToolCallID == "" && x.Type != kernel.ToolCall {
		return m.say("Only a call, or its result, leads to a subagent's session."), nil
	}
	source, machine, from := m.live.source, *m.opts.Machine, starter{m.place(), m.live.session.Agent, m.live.session.ID}
	m = m.say("Looking for the subagent's session …")
	return m, guard(func() tea.Msg {
		calls, result := exchangeOf(x, log, source)
		all := machine.All()
		for _, call := range calls {
			if to, ok := from.find(call, result, all); ok {
				return subagentMsg{from.target, to, true}
			}
		}
		return subagentMsg{from: from.target}
	})
}

// exchangeOf gives the arguments of the calls that message x is of, and what was
// answered. A whole message of opencode's holds both, one below the other.
func exchangeOf(x *kernel.Message, log kernel.List[kernel.Message], source watch.Source) (calls []string, result string) {
	if x.ToolCallID == "" {
		text, err := source.Text(*x)
		if err != nil { // what cannot be read tells nothing
			return nil, ""
		}
		calls = []string{""}
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, "{") {
				calls = append(calls, line)
			}
		}
		return calls, text
	}
	call := ""
	for i := range log.Len() {
		y := log.At(i)
		if y.ToolCallID != x.ToolCallID {
			continue
		}
		text, err := source.Text(*y)
		switch {
		case err != nil:
		case y.Type == kernel.ToolCall:
			call = text
		default:
			result += text
		}
	}
	return []string{call}, result
}

// starter is a session that may have started subagents.
type starter struct {
	target
	agent, id string
}

// find finds the session of the subagent that a call started, by one of three
// signs: the result holds its id, or the name that it was given, or what the
// call asks for is what it was asked first.
func (st starter) find(call, result string, all []watch.Found) (target, bool) {
	for i := range all {
		if id := idOf(&all[i]); id != "" && strings.Contains(result, id) && st.near(&all[i]) {
			return targetOf(all[i]), true
		}
	}
	var asked struct{ Prompt, Message string }
	_ = json.Unmarshal([]byte(call), &asked) // arguments of another shape ask for nothing
	prompt := strings.Join(strings.Fields(cmp.Or(asked.Prompt, asked.Message)), " ")
	for i := range all {
		if !st.near(&all[i]) || !all[i].Subagent && all[i].Agent != st.agent { // of another agent no look is needed
			continue
		}
		s := all[i].SeenAs(all[i].Look())
		first, task := s.Look.Prompt, s.Look.Session.Task
		if s.Subagent && st.near(&s.Found) &&
			(task != "" && strings.Contains(result, `"`+task+`"`) || first != "" && strings.HasPrefix(prompt, first)) {
			return targetOf(s.Found), true
		}
	}
	return target{}, false
}

// near reports whether this session may have started f: f is another one that
// is said to be its subagent's, or of which nothing says whose it is.
func (st starter) near(f *watch.Found) bool {
	own := watch.Found{Path: st.path, Session: st.session}
	if f.Refused != "" || f.Key() == own.Key() {
		return false
	}
	return !f.Subagent || f.Parent == "" || f.Parent == own.Key() || f.Parent == st.agent+" "+st.id
}

// idOf is the id by which others name a session; empty when it is too short to
// be told from other words.
func idOf(f *watch.Found) string {
	const least, uuid = 6, 36
	if f.Session != "" {
		return f.Session
	}
	name := strings.TrimSuffix(filepath.Base(f.Path), filepath.Ext(f.Path))
	name = strings.TrimPrefix(name, "agent-")
	if len(name) > uuid && name[len(name)-uuid-1] == '-' {
		name = name[len(name)-uuid:] // what stands before it is a time
	}
	if len(name) < least {
		return ""
	}
	return name
}

// started goes to the session of a subagent.
func (m Model) started(msg subagentMsg) (Model, tea.Cmd) {
	switch {
	case msg.from != m.place():
		return m, nil
	case !msg.ok:
		return m.say("No session of a subagent was found that this call started."), nil
	}
	m.trail = append(m.trail[:len(m.trail):len(m.trail)], m.place())
	return m.switchTo(msg.to, "This is the subagent's session: esc goes back to the one that started it.")
}

// trailBack goes back to the session that started the one on the screen.
func (m Model) trailBack() (Model, tea.Cmd) {
	to := m.trail[len(m.trail)-1]
	m.trail = m.trail[:len(m.trail)-1]
	return m.switchTo(to, "")
}
