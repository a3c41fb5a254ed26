package views

import (
	"slices"
	"strings"
	"testing"
)

// drawn shows a layout as a map: one letter for across by down cells. H is the
// header, S the sentence, G the gauge, P the pick in one line, F the foot, a
// digit a panel, . what nothing covers.
func drawn(b Boxes, width, height, across, down int) string {
	grid := make([][]byte, height)
	for y := range grid {
		grid[y] = []byte(strings.Repeat(".", width))
	}
	fill := func(r Rect, c byte) {
		for y := r.Y; y < r.Y+r.H; y++ {
			for x := r.X; x < r.X+r.W; x++ {
				if grid[y][x] != '.' {
					c = '!'
				}
				grid[y][x] = c
			}
		}
	}
	fill(b.Header, 'H')
	fill(b.Sentence, 'S')
	fill(b.Gauge, 'G')
	fill(b.Pick, 'P')
	fill(b.Foot, 'F')
	for _, box := range append(slices.Clone(b.Body), b.Action) {
		fill(box.Rect, '0'+byte(box.Panel))
	}
	var out strings.Builder
	for y := 0; y < height; y += down {
		for x := 0; x < width; x += across {
			out.WriteByte(grid[y][x])
		}
		out.WriteByte('\n')
	}
	return out.String()
}

func TestLayoutIsAsDrawn(t *testing.T) {
	tests := []struct {
		name          string
		width, height int
		want          Want
		across, down  int
		drawn         string
	}{
		{"the wide screen", 120, 40, Want{Focus: PanelBatches}, 10, 1, `
			HHHHHHHHHHHH
			SSSSSSSSSSSS
			SSSSSSSSSSSS
			GGGGGGGGGGGG
			GGGGGGGGGGGG
			111111144444
			111111144444
			111111144444
			111111144444
			111111144444
			111111144444
			111111144444
			111111144444
			111111144444
			222222244444
			222222244444
			222222244444
			222222244444
			222222244444
			222222244444
			222222244444
			222222233333
			222222233333
			666666633333
			666666633333
			666666677777
			666666677777
			666666677777
			666666677777
			666666677777
			666666677777
			666666677777
			666666677777
			666666677777
			666666677777
			555555555555
			555555555555
			555555555555
			555555555555
			FFFFFFFFFFFF
		`},
		{"the form is open", 120, 40, Want{Focus: PanelCompress}, 10, 2, `
			HHHHHHHHHHHH
			SSSSSSSSSSSS
			GGGGGGGGGGGG
			111111144444
			111111144444
			111111144444
			222222244444
			222222244444
			222222233333
			666666633333
			666666677777
			666666677777
			666666677777
			555555555555
			555555555555
			555555555555
			555555555555
			555555555555
			555555555555
			555555555555
		`},
		{"the least screen with every panel", 100, 30, Want{Focus: PanelBatches}, 10, 1, `
			HHHHHHHHHH
			SSSSSSSSSS
			SSSSSSSSSS
			GGGGGGGGGG
			GGGGGGGGGG
			1111114444
			1111114444
			1111114444
			1111114444
			1111114444
			1111114444
			2222224444
			2222224444
			2222224444
			2222224444
			2222223333
			2222223333
			6666663333
			6666663333
			6666667777
			6666667777
			6666667777
			6666667777
			6666667777
			6666667777
			5555555555
			5555555555
			5555555555
			5555555555
			FFFFFFFFFF
		`},
		{"low and wide, without Blocks", 120, 24, Want{Focus: PanelBatches}, 10, 1, `
			HHHHHHHHHHHH
			SSSSSSSSSSSS
			SSSSSSSSSSSS
			GGGGGGGGGGGG
			111111144444
			111111144444
			111111144444
			111111144444
			111111144444
			111111144444
			111111144444
			222222244444
			222222244444
			222222244444
			222222233333
			222222233333
			222222233333
			222222233333
			222222233333
			555555555555
			555555555555
			555555555555
			555555555555
			FFFFFFFFFFFF
		`},
		{"one list at a time", 80, 24, Want{Focus: PanelBatches}, 10, 1, `
			HHHHHHHH
			SSSSSSSS
			SSSSSSSS
			GGGGGGGG
			11111444
			11111444
			11111444
			11111444
			11111444
			11111444
			11111444
			11111444
			11111444
			11111444
			11111444
			11111444
			11111444
			11111444
			11111333
			11111333
			11111333
			11111333
			11111333
			FFFFFFFF
		`},
		{"the last list stays beside the Nudge panel, the pick in a line", 80, 24, Want{Focus: PanelNudge, Last: PanelMessages, Pick: true}, 10, 1, `
			HHHHHHHH
			SSSSSSSS
			SSSSSSSS
			GGGGGGGG
			66666444
			66666444
			66666444
			66666444
			66666444
			66666444
			66666444
			66666444
			66666444
			66666444
			66666444
			66666444
			66666444
			66666333
			66666333
			66666333
			66666333
			66666333
			PPPPPPPP
			FFFFFFFF
		`},
		{"Tiers takes the place of Nudge", 80, 16, Want{Focus: PanelTiers}, 10, 1, `
			HHHHHHHH
			SSSSSSSS
			SSSSSSSS
			GGGGGGGG
			11111333
			11111333
			11111333
			11111333
			11111333
			11111333
			11111333
			11111333
			11111333
			11111333
			11111333
			FFFFFFFF
		`},
		{"zoomed", 80, 24, Want{Focus: PanelMessages, Zoom: true}, 10, 2, `
			HHHHHHHH
			SSSSSSSS
			66666666
			66666666
			66666666
			66666666
			66666666
			66666666
			66666666
			66666666
			66666666
			66666666
		`},
		{"one column, high", 60, 30, Want{Focus: PanelRanges}, 10, 1, `
			HHHHHH
			SSSSSS
			SSSSSS
			GGGGGG
			222222
			222222
			222222
			222222
			222222
			222222
			222222
			222222
			222222
			222222
			222222
			444444
			444444
			444444
			444444
			444444
			444444
			444444
			444444
			444444
			444444
			444444
			444444
			444444
			444444
			FFFFFF
		`},
		{"one column, low", 40, 12, Want{Focus: PanelBatches, Pick: true}, 10, 1, `
			HHHH
			SSSS
			SSSS
			GGGG
			1111
			1111
			1111
			1111
			1111
			1111
			PPPP
			FFFF
		`},
		{"the least screen", 40, 10, Want{Focus: PanelCompress, Pick: true}, 10, 1, `
			HHHH
			SSSS
			SSSS
			5555
			5555
			5555
			5555
			5555
			5555
			FFFF
		`},
		{"the help takes the body", 120, 40, Want{Focus: PanelHelp}, 10, 2, `
			HHHHHHHHHHHH
			SSSSSSSSSSSS
			GGGGGGGGGGGG
			::::::::::::
			::::::::::::
			::::::::::::
			::::::::::::
			::::::::::::
			::::::::::::
			::::::::::::
			::::::::::::
			::::::::::::
			::::::::::::
			::::::::::::
			::::::::::::
			::::::::::::
			::::::::::::
			::::::::::::
			::::::::::::
			::::::::::::
		`},
	}
	for _, test := range tests {
		got := drawn(Layout(test.width, test.height, test.want), test.width, test.height, test.across, test.down)
		want := strings.ReplaceAll(strings.TrimLeft(test.drawn, "\n"), "\t", "")
		if got != want {
			t.Errorf("%s, %dx%d:\n%swant:\n%s", test.name, test.width, test.height, got, want)
		}
	}
}

// wants are all that a layout can be asked for.
func wants() []Want {
	var out []Want
	for focus := PanelBatches; focus < panels; focus++ {
		out = append(out, Want{Focus: focus}, Want{Focus: focus, Pick: true}, Want{Focus: focus, Zoom: true}, Want{Focus: focus, Reader: true},
			Want{Focus: focus, Last: PanelMessages}, Want{Focus: focus, Last: PanelBlocks, Pick: true})
	}
	return out
}

// everySize calls check for sizes on both sides of every limit, and for what a
// layout can be asked for.
func everySize(check func(width, height int, want Want)) {
	for _, width := range []int{MinWidth, 41, 59, 60, 71, 72, 80, 99, 100, 120, 133, 250} {
		for height := MinHeight; height <= 80; height++ {
			for _, want := range wants() {
				check(width, height, want)
			}
		}
	}
}

func TestALayoutCoversTheScreenOnce(t *testing.T) {
	everySize(func(width, height int, want Want) {
		b := Layout(width, height, want)
		cells := 0
		for _, r := range []Rect{b.Header, b.Sentence, b.Gauge, b.Pick, b.Foot, b.Action.Rect} {
			cells += r.W * r.H
		}
		for _, box := range b.Body {
			cells += box.W * box.H
		}
		if cells != width*height {
			t.Fatalf("%+v at %dx%d: %d cells are placed, want %d", want, width, height, cells, width*height)
		}
		if height%9 != 0 || width > 133 {
			return
		}
		if text := drawn(b, width, height, 1, 1); strings.ContainsAny(text, ".!") {
			t.Fatalf("%+v at %dx%d:\n%s", want, width, height, text)
		}
	})
}

func TestTheFocusedPanelIsAlwaysShown(t *testing.T) {
	everySize(func(width, height int, want Want) {
		b := Layout(width, height, want)
		box, ok := b.Of(want.Focus)
		if _, lines := box.Inner(); !ok || lines < 2 {
			t.Fatalf("%+v at %dx%d: shown %v in %d lines", want, width, height, ok, lines)
		}
		if listed(want.Focus) && b.Lines(want.Focus) < 2 {
			t.Fatalf("%+v at %dx%d: %d rows", want, width, height, b.Lines(want.Focus))
		}
	})
}

func TestPanelsGiveWayInTheFixedOrder(t *testing.T) {
	kept := 0
	everySize(func(width, height int, want Want) {
		if want != (Want{Focus: PanelBatches}) {
			return
		}
		b := Layout(width, height, want)
		order := []Panel{PanelBlocks, PanelMessages, PanelTiers, PanelRanges}
		if width < fullColumns {
			order = order[:3] // here Ranges is a tab at any height
		}
		shown := PanelBatches
		for _, p := range order {
			switch _, ok := b.Of(p); {
			case ok:
				shown = p
				kept++
			case shown != PanelBatches:
				t.Fatalf("%dx%d: %s is shown, but %s, which should go after it, is not", width, height, shown, p)
			}
		}
	})
	if kept == 0 {
		t.Error("none of the panels was ever shown")
	}
}

func TestBelowTheMinimumNothingIsPlaced(t *testing.T) {
	for _, size := range [][2]int{{39, 10}, {40, 9}, {1, 1}, {0, 0}, {-1, -5}} {
		if b := Layout(size[0], size[1], Want{Focus: PanelBatches}); !b.Small || len(b.Body) > 0 {
			t.Errorf("%v: %+v", size, b)
		}
	}
}
