package views

import "strings"

// problems draws what the reader or the replay could not do right.
func problems(s *Screen, st *Styles, width, lines int) []string {
	where, detail := 5, detailLines(lines)
	lines -= detail
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
		empty: emptyList(s, &s.Problems, "No problems: every line was read, and the replay agrees with "+agreed(s)+"."),
		row: func(l *line, p Problem) {
			l.cell(paint{}, p.Where, where)
			l.gap(2)
			l.rest(paint{}, p.Reason)
		},
		mark: func(Problem) Mark { return Mark{} },
	}
	out := t.draw(items, offset, width, lines)
	if i := s.Problems.Selected; detail > 0 && i < s.Problems.Len && Width(Clean(s.Problems.At(i).Reason)) > width-where-4 {
		for len(out) <= lines {
			out = append(out, plainLine(paint{}, "", width))
		}
		out = append(out, wrapped(st.title, s.Problems.At(i).Reason, width, detail-1)...)
	}
	return out
}

// detailLines is how many of lines lines of the Problems panel say in full what
// its row under the cursor has no room for.
func detailLines(lines int) int {
	if lines < 12 {
		return 0
	}
	return 4
}

// wrapped breaks text into at most lines lines. Only the last one is cut.
func wrapped(p paint, text string, width, lines int) []string {
	var out []string
	parts := Wrap(text, max(1, width-2))
	for len(parts) > 0 && len(out) < lines {
		part := parts[0]
		if len(out) == lines-1 {
			part = strings.Join(parts, " ")
		}
		out, parts = append(out, plainLine(p, " "+part, width)), parts[1:]
	}
	return out
}

// agreed names what a replay without drift agrees with.
func agreed(s *Screen) string {
	if s.Session.Host.Used {
		return "the host's own state"
	}
	return "the host as far as the file shows"
}

// problemsCaption is what stands in the title of the Problems panel.
func problemsCaption(s *Screen) []string {
	all := number(s.Problems.All)
	if h := &s.Session.Host; h.Drift > 0 {
		return []string{all + ", " + plural(h.Drift, "drift", "drifts") + " between host and replay", all}
	}
	return []string{all}
}
