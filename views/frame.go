package views

import (
	"strconv"
	"strings"
)

// Frame draws s: exactly s.Height lines of exactly s.Width cells, joined by
// line feeds. Nothing of it can control the terminal but its own colours.
func Frame(s Screen, st Styles) string {
	if s.Width < 1 || s.Height < 1 {
		return ""
	}
	b := Layout(s.Width, s.Height, s.Want())
	c := canvas{rows: make([]strings.Builder, s.Height), width: s.Width}
	if b.Small {
		c.small(&s)
		return c.String()
	}
	for i := range c.rows {
		c.rows[i].Grow(s.Width + 96)
	}
	c.put(b.Header, []string{header(&s, &st, b.Header.W)})
	c.put(b.Sentence, sentence(&s, &st, b.Sentence.W))
	if b.Gauge.H > 0 {
		c.put(b.Gauge, gauge(&s, &st, b.Gauge.W, b.Gauge.H))
	}
	for _, box := range b.Body {
		c.box(&s, &st, box, b.Folded)
	}
	if b.Action.H > 0 {
		c.box(&s, &st, b.Action, false)
	}
	if b.Pick.H > 0 {
		c.put(b.Pick, []string{pickLine(&s, &st, b.Pick.W)})
	}
	c.put(b.Foot, []string{foot(&s, &st, b.Foot.W)})
	return c.String()
}

// Want is what the layout of s depends on beside its size.
func (s *Screen) Want() Want {
	return Want{Focus: s.Focus, Last: s.Last, Zoom: s.Zoom, Pick: s.Form.Stage != NoPick, Reader: s.Reader != nil}
}

// canvas takes the frame line by line; what is put side by side is put from
// left to right.
type canvas struct {
	rows  []strings.Builder
	width int
}

// put writes lines of r.W cells into r; missing ones are empty.
func (c *canvas) put(r Rect, lines []string) {
	for i := range r.H {
		if i < len(lines) {
			c.rows[r.Y+i].WriteString(lines[i])
		} else {
			c.rows[r.Y+i].WriteString(spaces(r.W))
		}
	}
}

func (c *canvas) String() string {
	var b strings.Builder
	n := 0
	for i := range c.rows {
		n += c.rows[i].Len() + 1
	}
	b.Grow(n)
	for i := range c.rows {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(c.rows[i].String())
	}
	return b.String()
}

// small says what is needed where the screen is too small for panels.
func (c *canvas) small(s *Screen) {
	text := "context " + unknown
	if share, ok := used(s.Report); ok {
		text = percent(share) + " full"
	}
	text += "; ctxscope needs " + strconv.Itoa(MinWidth) + "x" + strconv.Itoa(MinHeight) + ", has " +
		strconv.Itoa(s.Width) + "x" + strconv.Itoa(s.Height)
	lines := Wrap(text, s.Width)
	for i := range c.rows {
		line := ""
		if i < len(lines) {
			line = lines[i]
		}
		c.rows[i].WriteString(Fit(line, s.Width))
	}
}

// box draws a panel with its title and borders.
func (c *canvas) box(s *Screen, st *Styles, b Box, folded bool) {
	width, lines := b.Inner()
	content := panel(s, st, b.Panel, width, lines, folded)
	border := st.border
	if b.Panel == s.Focus {
		border = st.focus
	}
	c.rows[b.Y].WriteString(title(s, st, b, border))
	side := ""
	if b.Sides {
		side = border.on("│")
	}
	for i := range lines {
		row := &c.rows[b.Y+1+i]
		row.WriteString(side)
		if i < len(content) {
			row.WriteString(content[i])
		} else {
			row.WriteString(spaces(width))
		}
		row.WriteString(side)
	}
	if b.Close && b.H > 1 {
		c.rows[b.Y+b.H-1].WriteString(border.on("└" + strings.Repeat("─", b.W-2) + "┘"))
	}
}

// panel draws the content of one panel: at most lines lines of width cells.
func panel(s *Screen, st *Styles, p Panel, width, lines int, folded bool) []string {
	if width < 1 || lines < 1 {
		return nil
	}
	if s.Reader != nil && p == s.Focus {
		return reader(s, st, width, lines)
	}
	switch p {
	case PanelBatches:
		return batches(s, st, width, lines)
	case PanelRanges:
		return ranges(s, st, width, lines)
	case PanelTiers:
		return tiers(s, st, width, lines)
	case PanelNudge:
		return nudge(s, st, width, lines, folded)
	case PanelCompress:
		return compress(s, st, width, lines)
	case PanelMessages:
		return messages(s, st, width, lines)
	case PanelBlocks:
		return blocks(s, st, width, lines)
	case PanelCandidates:
		return candidates(s, st, width, lines)
	case PanelDoctor:
		return findings(s, st, width, lines)
	case PanelOutcomes:
		return outcomes(s, st, width, lines)
	case PanelSessions:
		return sessions(s, st, width, lines)
	case PanelTokens:
		return tokens(s, st, width, lines)
	case PanelGrowth:
		return growth(s, st, width, lines)
	case PanelProblems:
		return problems(s, st, width, lines)
	case PanelHelp:
		return help(s, st, width, lines)
	}
	return nil
}
