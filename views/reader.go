package views

// reader draws a text that was opened: what it is, and its lines.
func reader(s *Screen, st *Styles, width, lines int) []string {
	r, facts := s.Reader, factLines(lines)
	out := wrapped(st.faint, r.Facts, width, facts)
	for len(out) < facts {
		out = append(out, plainLine(paint{}, "", width))
	}
	lines -= facts
	switch {
	case r.Loading:
		return append(out, plainLine(st.faint, " reading the text …", width))
	case r.Problem != "":
		for _, part := range Wrap(r.Problem, max(1, width-2)) {
			out = append(out, plainLine(st.bad, " "+part, width))
		}
		return out
	case len(r.Lines) == 0:
		return append(out, plainLine(st.faint, " The text is empty.", width))
	}
	offset := min(max(r.Offset, 0), max(0, len(r.Lines)-1))
	n := Shown(len(r.Lines), offset, lines)
	for _, text := range r.Lines[offset : offset+n] {
		out = append(out, plainLine(paint{}, " "+text, width))
	}
	if more := len(r.Lines) - offset - n; more > 0 && n < lines {
		out = append(out, plainLine(st.faint, " … "+number(more)+" more lines", width))
	}
	return out
}

// Reader is the size of the text of an open Reader: the width for Wrap and the
// number of its lines that are visible.
func (b Boxes) Reader() (width, lines int) {
	if len(b.Body) == 0 {
		return 0, 0
	}
	width, lines = b.Body[0].Inner()
	return max(1, width-2), max(0, lines-factLines(lines))
}

// factLines is how many of lines lines of an open Reader say what it holds.
func factLines(lines int) int {
	if lines < 12 {
		return 1
	}
	return 2
}
