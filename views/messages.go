package views

import (
	"strings"

	"ctxscope/kernel"
)

// messages draws the list of messages, oldest first.
func messages(s *Screen, st *Styles, width, lines int) []string {
	items, offset := visible(s.Messages, lines-headLines(lines))
	refs := 9
	for i := range items {
		refs = max(refs, Width(Clean(clip(items[i].Ref, 20)))+1)
	}
	c := messageColumns(width, min(refs, 12))
	t := table[MessageRow]{
		st: st, rows: s.Messages, focused: s.Focus == PanelMessages,
		head:  c.head(width),
		empty: emptyList(s, &s.Messages, "Waiting for the first message."),
		row:   c.row(st),
		mark:  func(r MessageRow) Mark { return r.Mark },
	}
	return t.draw(items, offset, width, lines)
}

// messageWidths are the widths of the columns of the list of messages; 0
// leaves a column out. Without a column for the role the kind of a text is who
// speaks. What became of the message takes the rest.
type messageWidths struct {
	ref, role, kind, tool, tokens int
	brief                         bool
}

func messageColumns(width, ref int) messageWidths {
	c := messageWidths{ref: ref, kind: 10, tokens: 6, brief: true}
	switch {
	case width >= 90:
		c.role, c.tool, c.tokens, c.brief = 11, 18, 10, false
	case width >= 58:
		c.tool, c.tokens, c.brief = 12, 8, false
	case width >= 44:
		c.tool = 8
	}
	return c
}

func (c messageWidths) head(width int) string {
	l := newLine(width)
	l.gap(2)
	l.cell(paint{}, "ref", c.ref)
	l.cell(paint{}, "role", c.role)
	l.cell(paint{}, "kind", c.kind)
	l.cell(paint{}, "tool", c.tool)
	l.right(paint{}, "tokens", c.tokens)
	l.gap(2)
	l.rest(paint{}, "state")
	return l.String()
}

func (c messageWidths) row(st *Styles) func(*line, MessageRow) {
	return func(l *line, m MessageRow) {
		ref := m.Ref
		if ref == "" {
			ref = "–"
		}
		l.cell(paint{}, ref, c.ref)
		l.cell(st.faint, m.Role.String(), c.role)
		kind := kindWord(m.Type)
		if c.role == 0 && m.Type == kernel.Text {
			kind = m.Role.String()
		}
		p := st.faint
		if m.Failed {
			p = st.bad
		}
		l.cell(p, kind, c.kind)
		if c.tool > 0 {
			l.cell(paint{}, m.Tool, c.tool-1)
			l.gap(1)
		}
		tokens := number(m.Tokens)
		if c.brief {
			tokens = short(m.Tokens)
		}
		l.right(paint{}, tokens, c.tokens)
		l.gap(2)
		l.rest(st.faint, stateOf(&m, l.left))
	}
}

// leastWhy is the number of cells from which a reason that is cut still says
// something.
const leastWhy = 8

// stateOf says what became of a message, in cells cells; the reason is left
// out where there is no room for it.
func stateOf(m *MessageRow, cells int) string {
	state := standing(m.Standing)
	if m.Failed {
		state = "failed, " + state
	}
	if why := m.Standing.Why; why != "" && cells >= Width(state)+leastWhy {
		state += ": " + why
	}
	if m.Images > 0 {
		state += ", " + plural(m.Images, "image", "images")
	}
	return state
}

// messagesCaption is what stands in the title of the Messages panel.
func messagesCaption(s *Screen) []string {
	if s.Report == nil {
		return nil
	}
	r := s.Report
	sent := number(r.Messages) + ", sent " + number(r.Sent.Messages)
	counted := sent
	if s.Session.Counting != "" { // a ref numbers nothing else
		counted = number(r.Messages) + " " + strings.TrimPrefix(s.Session.Counting, "whole ") + ", sent " + number(r.Sent.Messages)
	}
	follow, brief := "", ""
	switch {
	case s.Messages.Follow:
		follow, brief = ", follows the end", ", follows"
	case s.Messages.Unseen > 0:
		follow = ", " + number(s.Messages.Unseen) + " new below"
		brief = follow
	}
	return []string{
		counted + " (" + number(r.Sent.Tokens) + " tokens, " + counter(s) + ")" + follow,
		counted + follow,
		counted + brief,
		sent + follow,
		number(r.Messages) + follow,
		number(r.Messages),
	}
}
