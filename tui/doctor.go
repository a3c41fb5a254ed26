package tui

import (
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"ctxscope/kernel/doctor"
	"ctxscope/views"
	"ctxscope/watch/settings"
)

// checkup is the doctor's examination of a scene, with what a person does not
// want to see.
type checkup struct {
	version int // of the scene
	ready   bool
	out     bool // an examination is being made
	exam    doctor.Examination
	rows    []finding
}

// finding is one row of the Doctor panel. Of a table there is no finding.
type finding struct {
	views.FindingRow
	found *doctor.Finding
	text  string // of a table
}

// examinedMsg is an examination that was made.
type examinedMsg struct {
	feed, version int
	exam          doctor.Examination
}

// examine starts an examination while the doctor is looked at, unless that of
// the shown scene is there or one is being made.
func (m Model) examine() (Model, tea.Cmd) {
	scene := m.shown()
	looked := m.focus == views.PanelDoctor || m.focus == views.PanelOutcomes
	if !looked || m.checkup.out || !scene.ready || m.live.kernel == nil || m.checkup.ready && m.checkup.version == m.version {
		return m, nil
	}
	m.checkup.out = true
	k, run, version, feed, session := m.live.kernel, scene.run, m.version, m.live.feed, m.patient()
	return m, guard(func() tea.Msg {
		return examinedMsg{feed, version, doctor.Examine(k, run, session)}
	})
}

// patient is what the doctor is told beside the run.
func (m *Model) patient() doctor.Session {
	s := doctor.Session{Counter: m.live.counter}
	switch source := m.live.setting.Window.Source; source {
	case settings.Assumed, settings.Inferred, settings.UnknownSize:
		s.Window = string(source)
	}
	return s
}

func (m Model) examined(msg examinedMsg) Model {
	m.checkup.out = false
	if msg.feed != m.live.feed {
		return m
	}
	m.checkup.version, m.checkup.ready, m.checkup.exam = msg.version, true, msg.exam
	m.checkup.rows = findingRows(msg.exam, m.muted)
	return m
}

// findingRows are the findings, the muted ones behind the others, then the
// tables.
func findingRows(e doctor.Examination, muted []string) []finding {
	var rows, quiet []finding
	for i := range e.Findings {
		f := &e.Findings[i]
		row := finding{FindingRow: views.FindingRow{Title: f.Title, What: f.What, Muted: slices.Contains(muted, f.Code)}, found: f}
		if row.Muted {
			quiet = append(quiet, row)
			continue
		}
		rows = append(rows, row)
	}
	return append(append(rows, quiet...),
		finding{FindingRow: views.FindingRow{Title: "Compress calls, by cause of refusal", What: views.RefusalsLine(e.Refusals), Table: true}, text: views.RefusalsText(e.Refusals)},
		finding{FindingRow: views.FindingRow{Title: "What cannot be folded, by cause", What: views.FloorLine(e.Floor), Table: true}, text: views.FloorText(e.Floor)})
}

// key names a row for as long as it exists.
func (f *finding) key() string {
	if f.found != nil {
		return f.found.Code
	}
	return f.Title
}

// view is the state of the examination for the panel's title.
func (c *checkup) view() views.Checkup {
	v := views.Checkup{Done: c.ready, Running: c.out, Turns: c.exam.Turns, Calls: c.exam.Refusals}
	for i := range c.rows {
		switch {
		case c.rows[i].Table:
		case c.rows[i].Muted:
			v.Muted++
		default:
			v.Found++
		}
	}
	return v
}

// doctorKey takes the keys of the doctor's lists. ok is false when it is none
// of them.
func (m Model) doctorKey(msg tea.KeyMsg) (next Model, cmd tea.Cmd, ok bool) {
	switch {
	case key.Matches(msg, m.keys.Mute):
		return m.mute(), nil, true
	case key.Matches(msg, m.keys.Calls) && m.focus == views.PanelOutcomes:
		return m.turn(views.PanelDoctor), nil, true
	case key.Matches(msg, m.keys.Calls):
		return m.turn(views.PanelOutcomes), nil, true
	case key.Matches(msg, m.keys.Mark), key.Matches(msg, m.keys.Select):
		return m, nil, false
	}
	return m.listKey(msg)
}

// mute leaves the selected finding out, or brings it back.
func (m Model) mute() Model {
	row := m.lists[m.focus].selected()
	if m.focus != views.PanelDoctor || row < 0 || m.checkup.rows[row].found == nil {
		return m.say("Only a finding can be muted.")
	}
	code := m.checkup.rows[row].found.Code
	if i := slices.Index(m.muted, code); i >= 0 {
		m.muted = slices.Delete(slices.Clone(m.muted), i, i+1)
		m = m.say("Findings of the kind " + code + " are shown again.")
	} else {
		m.muted = append(m.muted[:len(m.muted):len(m.muted)], code)
		m = m.say("Muted until ctxscope ends; --mute " + code + " does it for doctor.")
	}
	m.checkup.rows = findingRows(m.checkup.exam, m.muted)
	m.lists[m.focus].key = "" // the cursor stays where it is, the row goes
	return m
}

// openFinding is the text of a row of the Doctor panel for the reader.
func (m *Model) openFinding(r reader, row int) reader {
	f := &m.checkup.rows[row]
	r.title, r.facts, r.text = f.Title, "from "+views.Number(m.checkup.exam.Turns)+" turns", f.text
	if f.found != nil {
		r.facts = f.found.Code + ": it resembles this, it need not be it"
		r.text = views.FindingText(f.found)
	}
	return r
}

// openOutcome is the text of a compress call for the reader.
func openOutcome(r reader, o *doctor.Outcome) reader {
	r.title, r.facts = "Compress call "+o.CallID, "what the host answered, and what the executor would have"
	r.text = views.OutcomeText(o)
	return r
}

// alarms counts the calls on which host and replay disagree.
func alarms(outcomes []doctor.Outcome) int {
	n := 0
	for i := range outcomes {
		if outcomes[i].Alarm != "" {
			n++
		}
	}
	return n
}

// alarmNotices are the parity alarms as problems.
func alarmNotices(outcomes []doctor.Outcome) []views.Problem {
	var out []views.Problem
	for i := range outcomes {
		if o := &outcomes[i]; o.Alarm != "" {
			out = append(out, views.Problem{Where: strings.TrimSpace("call " + o.CallID), Reason: "parity alarm: " + o.Alarm + " (" + o.Would + ")"})
		}
	}
	return out
}

// outcomeText is what the filter looks at.
func outcomeText(o *doctor.Outcome) string {
	return strings.Join([]string{o.CallID, strings.Join(o.Ranges, " "), o.Host.String(), o.Would, o.Alarm, string(o.Cause)}, " ")
}
