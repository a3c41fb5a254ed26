package views

import (
	"strings"

	"ctxscope/kernel"
)

// leastEditor is the number of lines that the summary gets at least.
const leastEditor = 3

// writing draws the form while the summary is written: the range and what the
// executor says of the summary on top, the text below.
func (w *formWriter) writing(lines int) []string {
	i := min(max(w.f.Selected, 0), max(0, len(w.f.Ranges)-1))
	if i < len(w.f.Ranges) {
		w.rangeLine(i)
		w.length(i)
		if r := w.verdict(i); r != nil && r.Sentence != "" {
			w.labelled("", w.st.kind(r.Kind), r.Sentence)
		}
	}
	w.then()
	head := w.out
	if most := max(0, lines-leastEditor); len(head) > most {
		head = excerpt(head, 0, most, w.width)
	}
	return append(head, editor(&w.f.Editor, w.st, w.width, lines-len(head))...)
}

// length writes how long the summary is and what its limits are.
func (w *formWriter) length(i int) {
	c := w.s.Config.Compress
	size := number(kernel.Len16(strings.TrimSpace(w.f.Editor.Text))) + " chars"
	long, brief := "summary of "+size, size
	if c.MinSummaryLength > 0 {
		long += ", at least " + number(c.MinSummaryLength)
		brief += ", ≥ " + number(c.MinSummaryLength)
	}
	if c.MaxSummaryLength > 0 {
		long += ", at most " + number(c.MaxSummaryLength)
		brief += ", ≤ " + number(c.MaxSummaryLength)
	}
	if n := len(w.f.Ranges); n > 1 {
		long += ", range " + number(i+1) + " of " + number(n)
	}
	l := newLine(w.width)
	l.gap(1)
	l.cell(w.st.faint, "text", 6)
	l.rest(paint{}, pick(l.left, long, brief, size))
	w.out = append(w.out, l.String())
}

// editor draws a text that is being written, with its cursor, in width by
// lines cells; the part around the cursor is shown.
func editor(e *Editor, st *Styles, width, lines int) []string {
	inner := width - 3
	if inner < 1 || lines < 1 {
		return nil
	}
	var rows []string
	cursor := 0
	for n, text := range strings.Split(e.Text, "\n") {
		if n == e.Line {
			before, after := splitRunes(text, e.Col)
			text = Clean(before) + "▏" + Clean(after)
		}
		for _, part := range wrapLine(nil, Clean(text), inner) {
			if n == e.Line && strings.Contains(part, "▏") {
				cursor = len(rows)
			}
			rows = append(rows, part)
		}
	}
	from := min(max(0, cursor-lines+1), max(0, len(rows)-lines))
	out := make([]string, 0, lines)
	for i := from; i < from+lines; i++ {
		l := newLine(width)
		l.flow(st.focus, " │")
		if i < len(rows) {
			l.rest(paint{}, rows[i])
		}
		out = append(out, l.String())
	}
	return out
}

// splitRunes cuts text behind its first n runes.
func splitRunes(text string, n int) (before, after string) {
	for i := range text {
		if n == 0 {
			return text[:i], text[i:]
		}
		n--
	}
	return text, ""
}
