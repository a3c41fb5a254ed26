package tui

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/sahilm/fuzzy"

	"ctxscope/views"
	"ctxscope/watch"
	"ctxscope/watch/settings"
)

// looksAtOnce is how many sessions are looked into before the list is shown
// anew.
const looksAtOnce = 64

// chooser is the list of the sessions of this machine. It is made by and by:
// first from names, then from what the files tell. What it holds never
// changes.
type chooser struct {
	seen    []watch.Seen // newest first
	looked  int          // of seen
	known   bool         // the folders were gone through
	out     bool         // it is being made
	rows    []choice
	counts  views.Choice
	refused []views.Problem
}

// choice is one row: a folder, or a session in it.
type choice struct {
	views.SessionRow
	key  string
	text string // that the filter looks at
	to   target // of a folder: its newest session
}

// foundMsg is a chooser that was made further.
type foundMsg struct{ chooser chooser }

// choose makes the list of sessions further while it is looked at.
func (m Model) choose() (Model, tea.Cmd) {
	c := m.chooser
	if m.opts.Machine == nil || c.out || m.focus != views.PanelSessions || c.known && c.looked == len(c.seen) {
		return m, nil
	}
	m.chooser.out = true
	machine := *m.opts.Machine
	return m, guard(func() tea.Msg { return foundMsg{c.further(machine)} })
}

// further finds the sessions, or looks into some more of them.
func (c chooser) further(machine watch.Machine) chooser {
	if !c.known {
		old := c.seen
		c.seen, c.looked, c.known = nil, 0, true
		for _, f := range machine.All() {
			s := watch.Seen{Found: f}
			for i := range old { // what was seen and did not change need not be looked into first
				if old[i].Key() == f.Key() && old[i].Modified.Equal(f.Modified) {
					s = f.SeenAs(old[i].Look)
					break
				}
			}
			c.seen = append(c.seen, s)
		}
	} else {
		c.seen = slices.Clone(c.seen)
		for n := 0; n < looksAtOnce && c.looked < len(c.seen); n++ {
			s := &c.seen[c.looked]
			*s = s.Found.Seen()
			c.looked++
		}
	}
	c.arrange(machine)
	return c
}

// arrange makes the rows.
func (c *chooser) arrange(machine watch.Machine) {
	c.rows, c.counts, c.refused = nil, views.Choice{}, nil
	for _, s := range c.seen {
		if s.Look.Refused != "" || s.Found.Refused != "" {
			c.counts.Refused++
			c.refused = append(c.refused, views.Problem{
				Where: filepath.Base(s.Path), Reason: cmp.Or(s.Found.Refused, s.Look.Refused) + " (" + s.Path + ")",
			})
		}
	}
	for _, g := range machine.Grouped(c.seen) {
		c.counts.Folders++
		c.counts.Sessions += len(g.Sessions)
		c.rows = append(c.rows, choice{
			SessionRow: views.SessionRow{Folder: g.Folder, Here: g.Here, Sessions: len(g.Sessions)},
			key:        "folder " + g.Folder, to: newest(g.Sessions),
		})
		for _, s := range g.Sessions {
			c.add(g.Folder, s, false)
		}
	}
}

// newest is the session that stands for a folder: the newest one, but one of a
// subagent only where there is no other.
func newest(sessions []watch.Seen) target {
	own := slices.IndexFunc(sessions, func(s watch.Seen) bool { return !s.Subagent })
	return targetOf(sessions[max(0, own)].Found)
}

// add makes the rows of a session and of its subagents.
func (c *chooser) add(folder string, s watch.Seen, subagent bool) {
	d := s.Look.Session
	row := views.SessionRow{
		Agent: cmp.Or(d.Agent, s.Agent), About: s.About(), Modified: s.Modified.UnixMilli(), Size: s.Size, Subagent: subagent,
	}
	if d.Usage.Known && !d.Usage.Stale {
		row.Known, row.Context = true, d.Usage.Tokens
		row.Window = settings.Resolve(settings.Choice{}, d, max(s.Look.Peak, d.Usage.Tokens)).Window.Tokens
	}
	c.rows = append(c.rows, choice{
		SessionRow: row, key: s.Key(), to: targetOf(s.Found),
		text: strings.Join([]string{folder, row.Agent, row.About, filepath.Base(s.Path), s.Session}, " "),
	})
	for _, sub := range s.Subagents {
		c.add(folder, sub, true)
	}
}

func targetOf(f watch.Found) target { return target{f.Path, f.Session} }

// search gives the rows that match the pattern, and the folders above them, in
// their order.
func (c *chooser) search(pattern string) []int32 {
	texts := make([]string, len(c.rows))
	for i := range c.rows {
		texts[i] = c.rows[i].text
	}
	rows := []int32{}
	for _, match := range fuzzy.Find(pattern, texts) {
		rows = append(rows, int32(match.Index))
	}
	folder := int32(-1)
	for i := range c.rows {
		switch {
		case c.rows[i].Folder != "":
			folder = int32(i)
		case folder >= 0 && slices.Contains(rows, int32(i)):
			rows, folder = append(rows, folder), -1
		}
	}
	slices.Sort(rows)
	return rows
}

// found takes a chooser that was made further.
func (m Model) found(msg foundMsg) Model {
	m.chooser = msg.chooser
	m.chooser.out = false
	m.lists[views.PanelSessions].due = m.lists[views.PanelSessions].filter != ""
	return m
}

// sessions goes to the list of sessions, or back from it.
func (m Model) sessions() Model {
	if m.opts.Machine == nil || m.opts.OpenFile == nil {
		return m.say("No other session can be opened from here.")
	}
	m.chooser.known = m.chooser.known && m.focus == views.PanelSessions
	return m.visit(views.PanelSessions)
}

// sessionRow is row i of the list of sessions.
func (m *Model) sessionRow(i int) views.SessionRow {
	r := m.chooser.rows[i].SessionRow
	r.Running = r.Folder == "" && m.now-r.Modified < lively
	r.Shown = r.Folder == "" && m.chooser.rows[i].to == m.place()
	return r
}

// choiceView is the state of the list of sessions.
func (m *Model) choiceView() views.Choice {
	c := m.chooser.counts
	c.Looking = m.opts.Machine != nil && (!m.chooser.known || m.chooser.looked < len(m.chooser.seen))
	return c
}

// openSession shows the session of a row.
func (m Model) openSession(row int) (Model, tea.Cmd) {
	to := m.chooser.rows[row].to
	m.lists[views.PanelSessions] = m.lists[views.PanelSessions].unfilter()
	if to == m.place() {
		m = m.turn(m.origin())
		return m.say("This session is on the screen already."), nil
	}
	m.trail = nil
	return m.switchTo(to, "")
}
