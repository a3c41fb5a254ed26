package views

// problems draws what the reader or the replay could not do right.
func problems(s *Screen, st *Styles, width, lines int) []string {
	where := 5
	items, offset := visible(s.Problems, lines-headLines(lines))
	for i := range items {
		where = max(where, Width(Clean(clip(items[i].Where, 30))))
	}
	where = min(where, width/3)
	head := newLine(width)
	head.gap(2)
	head.cell(paint{}, "where", where+2)
	head.rest(paint{}, "what")
	t := table[Problem]{
		st: st, rows: s.Problems, focused: s.Focus == PanelProblems,
		head:  head.String(),
		empty: emptyList(s, &s.Problems, "No problems: every line was read, and the replay agrees with the host as far as the file shows."),
		row: func(l *line, p Problem) {
			l.cell(paint{}, p.Where, where)
			l.gap(2)
			l.rest(paint{}, p.Reason)
		},
		mark: func(Problem) Mark { return Mark{} },
	}
	return t.draw(items, offset, width, lines)
}

// problemsCaption is what stands in the title of the Problems panel.
func problemsCaption(s *Screen) []string {
	return []string{number(s.Problems.All)}
}
