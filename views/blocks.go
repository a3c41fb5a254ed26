package views

import "strings"

// blocks draws the blocks in the order of their making.
func blocks(s *Screen, st *Styles, width, lines int) []string {
	items, offset := visible(s.Blocks, lines-headLines(lines))
	refs, id := 13, 6
	for i := range items {
		id = max(id, Width(Clean(clip(items[i].ID, 12)))+4) // a blank, the tier, a blank
		refs = max(refs, Width(Clean(clip(span(items[i].StartRef, items[i].EndRef), 40))))
	}
	c := blockColumns(width, id, refs)
	t := table[BlockRow]{
		st: st, rows: s.Blocks, focused: s.Focus == PanelBlocks,
		head:  c.head(width),
		empty: emptyList(s, &s.Blocks, "No block: nothing was folded so far."),
		row:   c.row(st),
		mark:  func(r BlockRow) Mark { return r.Mark },
	}
	return t.draw(items, offset, width, lines)
}

// blockWidths are the widths of the columns of the list of blocks; 0 leaves a
// column out. The topic takes the rest.
type blockWidths struct {
	id, refs, count, size int
	brief                 bool
}

func blockColumns(width, id, refs int) blockWidths {
	c := blockWidths{id: id, size: 12, brief: true}
	if width >= refs+id+30 {
		c.refs = refs + 1
	}
	if width >= refs+id+64 {
		c.size, c.count, c.brief = 17, 6, false
	}
	return c
}

func (c blockWidths) head(width int) string {
	l := newLine(width)
	l.gap(2)
	l.cell(paint{}, "block", c.id)
	l.cell(paint{}, "covers", c.refs)
	l.right(paint{}, "msgs", c.count)
	l.right(paint{}, pick(c.size-1, "tokens → summary", "tokens"), c.size)
	l.gap(2)
	l.rest(paint{}, "topic")
	return l.String()
}

func (c blockWidths) row(st *Styles) func(*line, BlockRow) {
	return func(l *line, b BlockRow) {
		l.cell(paint{}, b.ID+" "+tierName(b.Tier), c.id)
		l.cell(paint{}, span(b.StartRef, b.EndRef), c.refs)
		l.right(paint{}, number(b.Messages), c.count)
		size := number(b.Original) + " → " + number(b.Summary)
		if c.brief {
			size = short(b.Original) + "→" + short(b.Summary)
		}
		l.right(paint{}, size, c.size)
		l.gap(2)
		var notes []string
		if b.WhatIf {
			notes = append(notes, "what-if")
		}
		if b.Target {
			notes = append(notes, "nudge asks for it")
		}
		if !b.Active {
			notes = append(notes, "inactive")
		}
		if len(b.Consumed) > 0 {
			notes = append(notes, "consumed "+strings.Join(b.Consumed, " "))
		}
		p := paint{}
		if !b.Active {
			p = st.faint
		}
		topic := "no topic"
		if b.Topic != "" {
			topic = "\"" + b.Topic + "\""
		}
		l.rest(p, join(", ", strings.Join(notes, ", "), topic))
	}
}

// blocksCaption is what stands in the title of the Blocks panel.
func blocksCaption(s *Screen) []string {
	if s.Report == nil {
		return nil
	}
	active := len(s.Report.Nudge.ActiveBlockSpans)
	return []string{
		number(active) + " active of " + number(s.Blocks.All) + " (" + s.Session.Host.word() + "), tokens folded → summary",
		number(active) + " active of " + number(s.Blocks.All) + ", " + s.Session.Host.word(),
		number(active) + " active of " + number(s.Blocks.All),
		number(active),
	}
}
