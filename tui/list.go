package tui

import (
	"slices"
	"strings"

	"ctxscope/views"
)

// list is where a person stands in one panel's list. Positions count the rows
// that the filter leaves. The selected row is remembered by its key, so that
// it stays selected, and in its place on the screen, when others arrive.
type list struct {
	cursor int    // position of the selected row
	offset int    // position of the first visible row
	key    string // of the selected row
	follow bool   // stays at the end when rows arrive
	tail   bool   // follows as long as it is empty
	seen   int    // positions that were on the screen, counted from the oldest row
	all    int    // rows without the filter

	filter  string
	editing bool    // the filter is being typed
	rows    []int32 // rows that the filter leaves, in order; unused without a filter
	number  int     // of the newest filter
	fresh   bool    // no rows were worked out for this filter yet
	due     bool    // rows do not fit the filter or the list any more
	out     bool    // the rows are being worked out
}

// len is the number of rows that the filter leaves.
func (l list) len() int {
	if l.filter != "" {
		return len(l.rows)
	}
	return l.all
}

// row is the row at a position, -1 when there is none.
func (l list) row(position int) int {
	switch {
	case position < 0 || position >= l.len():
		return -1
	case l.filter != "":
		return int(l.rows[position])
	}
	return position
}

// selected is the row under the cursor, -1 when the list is empty.
func (l list) selected() int { return l.row(l.cursor) }

// unseen is the number of rows behind those that were on the screen.
func (l list) unseen() int {
	if l.follow {
		return 0
	}
	return max(0, l.len()-l.seen)
}

// move puts the cursor delta rows further; at the last row following is on.
func (l list) move(delta int) list {
	l.cursor = max(0, min(l.cursor+delta, l.len()-1))
	l.follow = delta > 0 && l.cursor == l.len()-1
	l.key = "" // another row may be selected now
	return l
}

// scroll keeps the cursor among the lines that are visible; 0 lines mean that
// the list is not on the screen.
func (l list) scroll(lines int) list {
	n := l.len()
	if l.follow {
		l.cursor = n - 1
	}
	l.cursor = max(0, min(l.cursor, n-1))
	if lines <= 0 {
		return l
	}
	l.offset = views.Scroll(n, l.offset, l.cursor, lines)
	l.seen = min(max(l.seen, l.offset+views.Shown(n, l.offset, lines)), n)
	return l
}

// arrive fits the list to rows that have changed: all of them now, with the
// given keys. It looks for the selected row where it was, then around it.
func (l list) arrive(all int, key func(row int) string) list {
	switch {
	case l.filter != "":
		at, _ := slices.BinarySearch(l.rows, int32(all))
		l.rows, l.due = l.rows[:at], l.due || all != l.all
	case l.all == 0:
		l.seen = all
	}
	l.all = all
	l.seen = min(l.seen, l.len())
	l.follow = l.follow || l.tail && all == 0
	if l.follow || l.key == "" {
		return l
	}
	if at := l.find(key); at >= 0 {
		l.offset = max(0, l.offset+at-l.cursor)
		l.cursor = at
	}
	return l
}

// find gives the position of the row with the selected key nearest to the
// cursor, -1 when there is none.
func (l list) find(key func(row int) string) int {
	n := l.len()
	for d := 0; d <= max(l.cursor, n-1-l.cursor); d++ {
		for _, at := range [2]int{l.cursor - d, l.cursor + d} {
			if at >= 0 && at < n && key(l.row(at)) == l.key {
				return at
			}
		}
	}
	return -1
}

// remember notes the key of the selected row.
func (l list) remember(key func(row int) string) list {
	l.key = ""
	if row := l.selected(); row >= 0 {
		l.key = key(row)
	}
	return l
}

// filtered takes the rows that the filter leaves, keeping the selected row
// selected where it is among them, else the one that came after it.
func (l list) filtered(rows []int32, key func(row int) string) list {
	row := l.selected()
	l.rows = rows
	if l.fresh {
		l.fresh, l.seen = false, len(rows)
	}
	if at := l.find(key); at >= 0 {
		l.cursor = at
		return l
	}
	at, _ := slices.BinarySearch(rows, int32(row))
	l.cursor = max(0, min(at, len(rows)-1))
	return l
}

// narrow sets the filter. The rows follow when they are worked out.
func (l list) narrow(filter string) list {
	if filter == "" {
		editing := l.editing
		l = l.unfilter()
		l.editing = editing
		return l
	}
	if l.filter == "" {
		l.rows = nil
		for i := range l.all {
			l.rows = append(l.rows, int32(i))
		}
	}
	l.filter, l.due, l.fresh = filter, true, true
	l.number++
	return l
}

// unfilter removes the filter and keeps the selected row selected.
func (l list) unfilter() list {
	if row := l.selected(); row >= 0 {
		l.offset = max(0, row-(l.cursor-l.offset))
		l.cursor = row
	}
	l.filter, l.editing, l.rows, l.due = "", false, nil, false
	l.number++
	l.seen = l.all
	return l
}

// matches reports whether text holds every word of the filter; words is in
// lower case.
func matches(text string, words []string) bool {
	text = strings.ToLower(text)
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}
