package views

import "strings"

// foot is the last line: the keys of the context, or a note that takes their
// place, and how many problems there are.
func foot(s *Screen, st *Styles, width int) string {
	trouble, p := troubles(s, st)
	name := ""
	if key := s.Foot.Problems.Help().Key; listedTrouble(s) && s.Width >= sideBorders && key != "" {
		name = key + " "
	}
	room := width - 1
	if trouble != "" {
		room -= Width(name) + Width(trouble) + 2
	}
	l := newLine(width)
	l.gap(1)
	switch {
	case s.Foot.Note != "":
		l.cell(st.warn, s.Foot.Note, room)
	default:
		keys(l, s, st, room)
	}
	if trouble != "" {
		l.gap(l.left - Width(name) - Width(trouble) - 1)
		l.flow(st.title, name)
		l.flow(p, trouble)
	}
	return l.String()
}

// keys writes as many bindings as fit into cells cells.
func keys(l *line, s *Screen, st *Styles, cells int) {
	end := l.left - cells
	for i, b := range s.Foot.Keys {
		h := b.Help()
		need := Width(h.Key) + 1 + Width(h.Desc)
		if i > 0 {
			need += 2
		}
		if l.left-need < end {
			continue
		}
		if i > 0 {
			l.gap(2)
		}
		l.flow(st.title, h.Key)
		l.gap(1)
		l.flow(st.faint, h.Desc)
	}
}

// listedTrouble reports whether the Problems panel says more of the troubles.
func listedTrouble(s *Screen) bool {
	x := &s.Session
	return x.Problems > 0 || x.Alarms > 0 || x.Settings > 0 || x.Diverged != "" || x.Host.Drift > 0 || x.Host.Note != ""
}

// troubles says what a person should know to be wrong.
func troubles(s *Screen, st *Styles) (string, paint) {
	x := &s.Session
	text := ""
	if x.Problems > 0 {
		text = plural(x.Problems, "line", "lines") + " skipped"
	}
	if x.Alarms > 0 {
		text = join(", ", text, plural(x.Alarms, "parity alarm", "parity alarms"))
	}
	if x.Settings > 0 {
		text = join(", ", text, plural(x.Settings, "wrong setting", "wrong settings"))
	}
	switch {
	case x.Host.Drift > 0:
		text = join(", ", text, plural(x.Host.Drift, "drift", "drifts"))
	case x.Diverged != "" && !x.Host.Used:
		text = join(", ", text, "differs from the host")
	}
	text = join(", ", text, x.Host.Note)
	if x.Preparing != "" {
		text = join(", ", text, "counting with "+x.Preparing+" …")
	}
	if !s.empty() && x.Follow != Missing {
		text = join(", ", text, x.Note)
	}
	if s.Width < sideBorders && x.Problems > 0 {
		text = number(x.Problems) + " skipped"
	}
	text = Clean(clip(text, s.Width))
	if most := s.Width / 2; Width(text) > most {
		text = strings.TrimRight(Fit(text, most), " ")
	}
	return text, st.warn
}
