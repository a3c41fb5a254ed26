package views

// columns are the widths of the columns of a list of ranges; 0 leaves a
// column out. The verdict takes the rest.
type columns struct {
	refs, count, tokens, chars, tool int
	brief                            bool // token numbers are shortened
}

// rangeColumns fits the columns into width cells; refs is the width of the
// widest pair of refs.
func rangeColumns(width, refs int) columns {
	c := columns{refs: refs, count: 5, tokens: 8, brief: true}
	if width >= refs+32 {
		c.tokens, c.brief = 10, false
	}
	if width >= refs+44 {
		c.chars = 10
	}
	if width >= refs+50 {
		c.tokens, c.chars, c.tool = 9, 9, 6
	}
	if width >= refs+66 {
		c.count, c.tokens, c.chars, c.tool = 7, 11, 12, 7
	}
	return c
}

// rangeHead names the columns.
func rangeHead(c columns, width int, last string) string {
	l := newLine(width)
	l.gap(2)
	l.cell(paint{}, "refs", c.refs)
	l.right(paint{}, "msgs", c.count)
	l.right(paint{}, "tokens", c.tokens)
	l.right(paint{}, "chars", c.chars)
	l.right(paint{}, "tools", c.tool)
	l.gap(2)
	l.rest(paint{}, last)
	return l.String()
}

// rangeRow writes a range: its refs, its size and the verdict or what
// protects it.
func rangeRow(st *Styles, c columns) func(*line, RangeRow) {
	return func(l *line, r RangeRow) {
		l.cell(paint{}, span(r.StartRef, r.EndRef), c.refs)
		l.right(paint{}, number(r.Count), c.count)
		tokens := number(r.Tokens)
		if c.brief {
			tokens = short(r.Tokens)
		}
		l.right(paint{}, tokens, c.tokens)
		if r.Protected {
			l.gap(2)
			l.rest(st.faint, pick(l.left, "protected: "+r.Why, "kept: "+r.Why))
			return
		}
		l.right(paint{}, number(r.Chars), c.chars)
		l.right(paint{}, percent(float64(r.ToolPct)/100), c.tool)
		l.gap(2)
		l.rest(st.verdict(r.Verdict), verdictWords(r.Verdict, l.left))
	}
}

// rangeList draws a list of ranges or batches.
func rangeList(s *Screen, st *Styles, p Panel, rows Rows[RangeRow], empty string, width, lines int) []string {
	items, offset := visible(rows, lines-headLines(lines))
	refs := 13
	for i := range items {
		refs = max(refs, Width(Clean(clip(span(items[i].StartRef, items[i].EndRef), 40))))
	}
	c := rangeColumns(width, min(refs, width/2))
	t := table[RangeRow]{
		st: st, rows: rows, focused: s.Focus == p, empty: empty,
		head: rangeHead(c, width, "verdict"),
		row:  rangeRow(st, c),
		mark: func(r RangeRow) Mark { return r.Mark },
	}
	return t.draw(items, offset, width, lines)
}

func ranges(s *Screen, st *Styles, width, lines int) []string {
	return rangeList(s, st, PanelRanges, s.Ranges, emptyList(s, &s.Ranges, "No range is compressible or protected: every message is recent, folded or not sent."), width, lines)
}

// rangesCaption is what stands in the title of the Ranges panel.
func rangesCaption(s *Screen) []string {
	if s.Report == nil {
		return nil
	}
	open, kept := s.Report.Ranges.Len(), s.Report.Nudge.ProtectedRanges.Len()
	return []string{
		number(open) + " compressible (" + number(s.Totals.RangeTokens) + " tokens), " + number(kept) + " protected",
		number(open) + " compressible, " + number(kept) + " protected",
		number(open) + " + " + number(kept) + " protected",
	}
}

// emptyList is the sentence for a list without rows.
func emptyList[T any](s *Screen, rows *Rows[T], sentence string) string {
	switch {
	case rows.Filter != "":
		return "Nothing matches the filter \"" + rows.Filter + "\" in " + plural(rows.All, "row", "rows") + "."
	case s.Report == nil:
		return "Nothing was read yet."
	}
	return sentence
}
