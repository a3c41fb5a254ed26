package views

import "strings"

// line is one line of a panel while it is written: exactly width cells.
type line struct {
	b     strings.Builder
	left  int  // cells that are not written yet
	plain bool // styles are left out, since the whole line gets one
}

func newLine(width int) *line {
	l := &line{left: width}
	l.b.Grow(width + 32)
	return l
}

// cell writes text into cells cells, at the left of them.
func (l *line) cell(p paint, text string, cells int) {
	cells = min(cells, l.left)
	if cells <= 0 {
		return
	}
	l.write(p, Fit(text, cells), cells)
}

// right writes text into cells cells, at the right of them.
func (l *line) right(p paint, text string, cells int) {
	cells = min(cells, l.left)
	if cells <= 0 {
		return
	}
	l.write(p, FitRight(text, cells), cells)
}

// flow writes text as wide as it is, cut where the line ends.
func (l *line) flow(p paint, text string) {
	l.cell(p, text, Width(Clean(clip(text, l.left))))
}

// gap leaves cells cells empty.
func (l *line) gap(cells int) {
	cells = min(cells, l.left)
	if cells > 0 {
		l.write(paint{}, spaces(cells), cells)
	}
}

// rest writes text into what is left of the line.
func (l *line) rest(p paint, text string) { l.cell(p, text, l.left) }

func (l *line) write(p paint, fitted string, cells int) {
	if l.plain {
		p = paint{}
	}
	if p.pre == "" {
		l.b.WriteString(fitted)
	} else {
		l.b.WriteString(p.pre)
		l.b.WriteString(fitted)
		l.b.WriteString(p.post)
	}
	l.left -= cells
}

// String is the line, filled with spaces.
func (l *line) String() string {
	l.gap(l.left)
	return l.b.String()
}

// plainLine is text as one line of width cells.
func plainLine(p paint, text string, width int) string {
	if width <= 0 {
		return ""
	}
	return p.on(Fit(text, width))
}

// pick gives the first of the texts that fits into cells, else the last.
func pick(cells int, texts ...string) string {
	for _, text := range texts {
		if Width(Clean(text)) <= cells {
			return text
		}
	}
	return texts[len(texts)-1]
}
