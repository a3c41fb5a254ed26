package tui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ctxscope/views"
)

// sift starts the filters that are due, one at a time for each list.
func (m Model) sift() (Model, tea.Cmd) {
	var cmds []tea.Cmd
	for _, p := range listed {
		l := &m.lists[p]
		if !l.due || l.out || l.filter == "" {
			continue
		}
		l.due, l.out = false, true
		c, number, words := m.content(), l.number, strings.Fields(strings.ToLower(l.filter))
		kept, chooser := *c.scene, *c.chooser
		c.scene, c.chooser = &kept, &chooser
		cmds = append(cmds, guard(func() tea.Msg {
			return filteredMsg{panel: p, number: number, rows: sifted(c, p, words)}
		}))
	}
	return m, tea.Batch(cmds...)
}

func sifted(c content, p views.Panel, words []string) []int32 {
	if p == views.PanelSessions {
		return c.chooser.search(strings.Join(words, " "))
	}
	rows := []int32{}
	for i := range c.rows(p) {
		if matches(c.text(p, i), words) {
			rows = append(rows, int32(i))
		}
	}
	return rows
}

func (m Model) filtered(msg filteredMsg) Model {
	l := &m.lists[msg.panel]
	l.out = false
	if l.number != msg.number || l.filter == "" {
		return m
	}
	c := m.content()
	rows := msg.rows
	for len(rows) > 0 && int(rows[len(rows)-1]) >= c.rows(msg.panel) {
		rows = rows[:len(rows)-1]
	}
	*l = l.filtered(rows, func(i int) string { return c.key(msg.panel, i) })
	return m
}
