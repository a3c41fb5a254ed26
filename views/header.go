package views

import (
	"strings"

	"ctxscope/kernel"
)

// header is the line with the name of the session: which one, whose, how big
// its window is, and whether it is followed.
func header(s *Screen, st *Styles, width int) string {
	x := &s.Session
	word, p := follow(s, st)
	right := []string{word}
	if s.WhatIf.Folds > 0 {
		right = append(right, "WHAT-IF "+plural(s.WhatIf.Folds, "fold", "folds"))
	}
	detail := followDetail(s)
	if width >= fullColumns && x.Turn > 0 {
		detail = join("  ", "turn "+number(x.Turn), detail)
	}
	tail := width / 2
	end := newLine(tail)
	end.flow(p, right[0])
	if len(right) > 1 {
		end.flow(st.warn, "  "+right[1])
	}
	if detail != "" && Width(Clean(detail))+2 <= end.left {
		end.flow(st.faint, "  "+detail)
	}
	used := tail - end.left
	l := newLine(width - used - 3)
	l.gap(1)
	if width >= fullColumns {
		l.flow(st.faint, "ctxscope  ")
	}
	names(l, s, st)
	return l.String() + "  " + cutEnd(end) + " "
}

// cutEnd is a line without its unused cells.
func cutEnd(l *line) string {
	l.left = 0
	return l.String()
}

// names writes session, agent, model, window and configuration as far as there
// is room: the first that does not fit whole is left out with all behind it,
// except for the session's name.
func names(l *line, s *Screen, st *Styles) {
	x := &s.Session
	name := x.Name
	if name == "" {
		name = "session " + unknown
	}
	whole := Width(Clean(clip(name, l.left)))
	keep := min(whole, max(12, l.left/3))
	room := l.left - keep
	var fits []string
	for _, forms := range [][]string{{x.Agent}, {x.Model}, {window(s), strings.TrimPrefix(window(s), "window ")}, hostBrief(s), configForms(s)} {
		form, ok := longest(room-2, forms)
		if !ok {
			break
		}
		if form != "" {
			fits = append(fits, form)
			room -= 2 + Width(Clean(form))
		}
	}
	l.cell(st.title, name, min(whole, keep+room))
	for _, form := range fits {
		l.gap(2)
		l.flow(paint{}, form)
	}
}

// longest is the first of forms that takes at most cells cells.
func longest(cells int, forms []string) (form string, ok bool) {
	for _, form := range forms {
		if Width(Clean(form)) <= cells {
			return form, true
		}
	}
	return "", false
}

// window says how big the window is and who says so. While the session is read,
// that is still to be found out.
func window(s *Screen) string {
	x := &s.Session
	if x.Window <= 0 && x.Follow == Loading {
		return ""
	}
	if x.Window <= 0 {
		return "window " + unknown
	}
	text := "window " + number(x.Window)
	if x.WindowFrom != "" {
		text += " (" + x.WindowFrom
		if x.Recorded > 0 {
			text += ", recorded " + number(x.Recorded)
		}
		text += ")"
	}
	return text
}

// follow says in a word how the session is followed.
func follow(s *Screen, st *Styles) (word string, p paint) {
	switch s.Session.Follow {
	case Loading:
		return "LOADING", st.warn
	case Live:
		return "LIVE", st.good
	case Quiet:
		return "QUIET", st.faint
	case Missing:
		if s.empty() {
			return "NO FILE", st.bad
		}
		return "FILE GONE", st.bad
	case Stopped:
		return "STOPPED", st.bad
	case ReadOnce:
		return "READ ONCE", st.faint
	case Playing:
		return "DEMO", st.good
	case Paused:
		return "DEMO PAUSED", st.warn
	}
	return "WAITING", st.warn
}

// followDetail is the fact that goes with the word.
func followDetail(s *Screen) string {
	x := &s.Session
	switch x.Follow {
	case Loading:
		return fileSize(x.Read) + " of " + fileSize(x.Size)
	case Live, Quiet, Missing:
		mode := x.Mode
		if mode == "watching" {
			mode = ""
		}
		return join(", ", ago(s.Now, x.Changed), mode)
	case Stopped:
		return ago(s.Now, x.Changed)
	case Playing, Paused:
		return strings.TrimSpace(strings.TrimPrefix(x.Mode, "demo"))
	}
	return x.Mode
}

// join puts a separator between those of a and b that are not empty.
func join(separator, a, b string) string {
	switch {
	case a == "":
		return b
	case b == "":
		return a
	}
	return a + separator + b
}

// used is the share of the window that is taken, and whether it is known.
func used(r *kernel.Report) (share float64, ok bool) {
	if r == nil || r.Limit <= 0 || r.Used.Source == kernel.CountNone || r.Used.Source == "" {
		return 0, false
	}
	return r.Nudge.ContextUsage, true
}
