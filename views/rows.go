package views

// Shown is the number of rows that a list of total rows shows from row offset
// on in lines lines. Where rows remain behind them, the last line is left to
// say how many.
func Shown(total, offset, lines int) int {
	rest := total - offset
	switch {
	case rest <= 0 || lines <= 0:
		return 0
	case rest <= lines:
		return rest
	}
	return lines - 1
}

// Scroll gives the offset nearest to offset at which row selected of total is
// visible in lines lines and no line stays empty without need.
func Scroll(total, offset, selected, lines int) int {
	if total <= 0 || lines <= 0 {
		return 0
	}
	selected = min(max(selected, 0), total-1)
	offset = min(max(offset, 0), max(0, total-lines))
	if selected < offset {
		return selected
	}
	if shown := max(1, Shown(total, offset, lines)); selected >= offset+shown {
		offset = selected - max(1, lines-1) + 1
		if selected == total-1 {
			offset = total - lines
		}
	}
	return min(max(offset, 0), max(0, total-max(1, lines)))
}

// table writes a list into width by lines cells: the column names, the visible
// rows and, where rows remain, how many. empty is shown when there is no row.
type table[T any] struct {
	st      *Styles
	rows    Rows[T]
	focused bool
	head    string // empty: none
	empty   string
	row     func(l *line, item T)
	mark    func(item T) Mark
}

// visible reads the rows that will be shown.
func visible[T any](rows Rows[T], lines int) (items []T, offset int) {
	offset = min(max(rows.Offset, 0), max(0, rows.Len-1))
	n := Shown(rows.Len, offset, lines)
	items = make([]T, n)
	for i := range items {
		items[i] = rows.At(offset + i)
	}
	return items, offset
}

func (t *table[T]) draw(items []T, offset, width, lines int) []string {
	out := make([]string, 0, lines)
	if t.head != "" && headLines(lines) > 0 {
		out = append(out, plainLine(t.st.faint, t.head, width))
		lines--
	}
	if t.rows.Len == 0 {
		for _, text := range Wrap(t.empty, max(1, width-2)) {
			out = append(out, plainLine(t.st.faint, "  "+text, width))
		}
		return out
	}
	for i, item := range items {
		out = append(out, t.line(item, offset+i, width))
	}
	if more := t.rows.Len - offset - len(items); more > 0 && len(items) < lines {
		text := "  … " + number(more) + " more"
		if t.rows.Unseen > 0 {
			text += ", " + number(t.rows.Unseen) + " new"
		}
		p := t.st.faint
		if t.rows.Unseen > 0 {
			p = t.st.warn
		}
		out = append(out, plainLine(p, text, width))
	}
	return out
}

func (t *table[T]) line(item T, index, width int) string {
	l := newLine(width)
	mark := t.mark(item)
	selected := index == t.rows.Selected
	style := paint{}
	switch {
	case selected && t.focused:
		style = t.st.selected
	case mark.Picked || mark.Marked:
		style = t.st.marked
	}
	l.plain = style.pre != ""
	cursor, sign := " ", " "
	if selected {
		cursor = "▸"
	}
	switch {
	case mark.Picked:
		sign = "+"
	case mark.Marked:
		sign = "*"
	}
	l.cell(paint{}, cursor+sign, 2)
	t.row(l, item)
	return style.on(l.String())
}
