package tui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ctxscope/kernel"
)

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
	return m.changed().say("Applied to a what-if copy only: y copies the call, u takes it back.")
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
