package tui

import (
	"fmt"
	"slices"
	"testing"
)

// named rows, as a list sees them.
type rowNames []string

func (r rowNames) key(i int) string { return r[i] }

func numberedRows(n int) rowNames {
	out := make(rowNames, n)
	for i := range out {
		out[i] = fmt.Sprintf("m%05d", i+1)
	}
	return out
}

// after is l after rows are there, drawn in lines lines.
func after(l list, rows rowNames, lines int) list {
	return l.arrive(len(rows), rows.key).scroll(lines).remember(rows.key)
}

func TestAListThatFollowsStaysAtItsEnd(t *testing.T) {
	l := after(list{follow: true}, numberedRows(100), 10)
	l = after(l, numberedRows(150), 10)
	if l.cursor != 149 || l.unseen() != 0 || !l.follow {
		t.Errorf("cursor %d, unseen %d, follow %v", l.cursor, l.unseen(), l.follow)
	}
}

func TestAScrolledListDoesNotMoveWhenRowsArrive(t *testing.T) {
	l := after(list{follow: true}, numberedRows(200), 10)
	l = after(l.move(-20), numberedRows(200), 10)
	if l.follow {
		t.Fatal("it follows though it was scrolled up")
	}
	offset, cursor := l.offset, l.cursor
	l = after(l, numberedRows(250), 10)
	if l.offset != offset || l.cursor != cursor || l.unseen() != 50 {
		t.Errorf("offset %d → %d, cursor %d → %d, unseen %d", offset, l.offset, cursor, l.cursor, l.unseen())
	}
	l = after(l.move(1<<30), numberedRows(250), 10)
	if !l.follow || l.unseen() != 0 || l.cursor != 249 {
		t.Errorf("at the end: follow %v, unseen %d, cursor %d", l.follow, l.unseen(), l.cursor)
	}
}

func TestRowsThatAreScrolledToAreSeen(t *testing.T) {
	l := after(list{follow: true}, numberedRows(100), 10)
	l = after(l.move(-50), numberedRows(100), 10)
	l = after(l, numberedRows(150), 10)
	if l.unseen() != 50 {
		t.Fatalf("unseen %d, want 50", l.unseen())
	}
	l = after(l.move(70), numberedRows(150), 10)
	if got := l.unseen(); got >= 50 || got <= 0 {
		t.Errorf("unseen %d after half of them were scrolled to", got)
	}
}

func TestTheSelectedRowIsKeptByItsName(t *testing.T) {
	rows := numberedRows(30)
	l := after(list{}, rows, 10)
	l = after(l.move(12), rows, 10)
	line := l.cursor - l.offset
	// Three rows before it are folded away, two others come in.
	fewer := append(slices.Clone(rows[3:]), "m00031", "m00032")
	l = after(l, fewer, 10)
	if got := fewer[l.selected()]; got != "m00013" {
		t.Errorf("selected %s, want m00013", got)
	}
	if l.cursor-l.offset != line {
		t.Errorf("the row moved from line %d to %d", line, l.cursor-l.offset)
	}
}

func TestARowThatIsGoneLeavesTheCursorInItsPlace(t *testing.T) {
	rows := numberedRows(30)
	l := after(list{}, rows, 10)
	l = after(l.move(29), rows, 10)
	l = after(list{cursor: l.cursor, key: "gone", all: 30}, rows[:4], 10)
	if l.selected() != 3 {
		t.Errorf("selected row %d of 4", l.selected())
	}
	if l = after(l, nil, 10); l.selected() != -1 {
		t.Errorf("selected row %d of an empty list", l.selected())
	}
}

func TestAFilterKeepsTheSelectedRow(t *testing.T) {
	rows := numberedRows(30)
	l := after(list{}, rows, 10)
	l = after(l.move(20), rows, 10).narrow("odd")
	if l.len() != 30 {
		t.Errorf("%d rows before the filter was worked out, want all", l.len())
	}
	l = after(l.filtered([]int32{4, 10, 20, 28}, rows.key), rows, 10)
	if rows[l.selected()] != "m00021" || l.cursor != 2 {
		t.Errorf("selected row %d at %d", l.selected(), l.cursor)
	}
	if other := l.filtered([]int32{3, 22, 29}, rows.key); other.selected() != 22 {
		t.Errorf("row %d is selected, want the one after row 20 that is left", other.selected())
	}
	l = after(l.unfilter(), rows, 10)
	if l.selected() != 20 || l.len() != 30 {
		t.Errorf("without the filter row %d of %d", l.selected(), l.len())
	}
}

func TestMatchesWantsEveryWord(t *testing.T) {
	for _, c := range []struct {
		text  string
		words []string
		want  bool
	}{
		{"m00012 tool result bash", []string{"bash", "tool"}, true},
		{"m00012 tool result Bash", []string{"bash"}, true},
		{"m00012 tool result bash", []string{"bash", "call"}, false},
		{"anything", nil, true},
	} {
		if got := matches(c.text, c.words); got != c.want {
			t.Errorf("%q against %v: %v", c.text, c.words, got)
		}
	}
}
