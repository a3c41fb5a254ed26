package views

// excerpt gives the lines from offset on that fit into lines lines; where some
// remain, the last one says how many.
func excerpt(all []string, offset, lines, width int) []string {
	offset = min(max(offset, 0), max(0, len(all)-lines))
	n := Shown(len(all), offset, lines)
	out := append([]string(nil), all[offset:offset+n]...)
	if more := len(all) - offset - n; more > 0 && n < lines {
		out = append(out, plainLine(paint{}, " … "+number(more)+" more lines", width))
	}
	return out
}

// MaxScroll is the largest Scroll, or Form.Scroll for the Compress panel, that
// still shows something new in the focused panel of s.
func MaxScroll(s Screen) int {
	b := Layout(s.Width, s.Height, s.Want())
	box, ok := b.Of(s.Focus)
	if !ok || s.Reader != nil || listed(s.Focus) || s.Focus == PanelGrowth || s.Focus == PanelCompress && s.Form.Stage == Writing {
		return 0
	}
	const all = 1 << 20
	s.Scroll, s.Form.Scroll = 0, 0
	width, lines := box.Inner()
	st := Styles{}
	return max(0, len(panel(&s, &st, s.Focus, width, all, b.Folded))-lines)
}

// scrolled is how far panel p is scrolled down: only the focused one is.
func scrolled(s *Screen, p Panel) int {
	if s.Focus == p {
		return s.Scroll
	}
	return 0
}
