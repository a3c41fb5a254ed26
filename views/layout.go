package views

// The smallest screen that is drawn in full, in cells and lines.
const (
	MinWidth  = 40
	MinHeight = 10
)

// Widths from which two columns stand side by side, and from which every list
// may have a box of its own; the width that a single column stays below.
const (
	twoColumns  = 72
	fullColumns = 100
	sideBorders = 60
)

// tallBody is the height from which the Tiers panel gets more than its lines.
const tallBody = 45

// Content lines that a panel needs at least, by panel.
var least = [len(panelNames)]int{PanelBatches: 4, PanelRanges: 4, PanelTiers: 3, PanelNudge: 8, PanelCompress: 2, PanelMessages: 4, PanelBlocks: 2}

// dropOrder is the order in which panels give up their own box.
var dropOrder = [...]Panel{PanelBlocks, PanelMessages, PanelTiers, PanelRanges}

// Want is what a layout depends on beside the size.
type Want struct {
	Focus  Panel
	Last   Panel // the list that had the focus last; NoPanel means Batches
	Zoom   bool
	Pick   bool // a pick exists
	Reader bool // a text is open
}

// Rect is a part of the screen, in cells and lines.
type Rect struct{ X, Y, W, H int }

// Box is where one panel stands. Its first line is its title; where Sides is
// set a border stands left and right, where Close is set the last line is the
// lower border.
type Box struct {
	Rect
	Panel Panel   // what is drawn in it
	Tabs  []Panel // the panels that share the box, in the order of their numbers; nil: it is alone
	Sides bool
	First bool // it is the uppermost of its column
	Close bool
}

// Inner is the size of the box's content: cells and lines.
func (b Box) Inner() (width, height int) {
	width, height = b.W, b.H-1
	if b.Sides {
		width -= 2
	}
	if b.Close {
		height--
	}
	return max(width, 0), max(height, 0)
}

// Boxes is the layout of one screen. Rects that are not shown are zero.
type Boxes struct {
	Small    bool // below the minimum: nothing but a sentence
	Header   Rect
	Sentence Rect
	Gauge    Rect  // one line, or two with the scale under it
	Body     []Box // left column before right column, top to bottom
	Action   Box   // the Compress box under the body; the Compress panel is in no other box
	Pick     Rect  // the pick in one line
	Foot     Rect
	Folded   bool // Tiers has no box: the Nudge panel shows the tiers
}

// Layout places everything on a screen of width by height cells. It depends
// on its arguments alone.
func Layout(width, height int, want Want) Boxes {
	if width < MinWidth || height < MinHeight {
		return Boxes{Small: true}
	}
	b := Boxes{Header: Rect{0, 0, width, 1}, Foot: Rect{0, height - 1, width, 1}}
	b.Sentence = Rect{0, 1, width, 2}
	top, bottom := 3, height-1
	switch {
	case height >= 30 && width >= fullColumns:
		b.Gauge = Rect{0, top, width, 2}
	case height >= MinHeight+2:
		b.Gauge = Rect{0, top, width, 1}
	}
	top += b.Gauge.H

	body := Rect{0, top, width, bottom - top}
	if whole := want.whole(); whole != NoPanel {
		b.Body = stack(body, width >= sideBorders, slot{box: Box{Panel: whole}, share: 1})
		return b
	}
	if width >= fullColumns && body.H >= 18 {
		lines := actionLines(body.H, want)
		body.H -= lines
		b.Action = Box{Rect: Rect{0, body.Y + body.H, width, lines}, Panel: PanelCompress, Sides: true, First: true, Close: true}
	} else if want.Pick && want.Focus != PanelCompress {
		body.H--
		b.Pick = Rect{0, body.Y + body.H, width, 1}
	}
	b.fill(body, want)
	return b
}

// whole gives the panel that takes the whole body, or NoPanel.
func (w Want) whole() Panel {
	if w.Reader || w.Zoom || w.Focus.Whole() {
		return w.Focus
	}
	return NoPanel
}

// actionLines is the height of the Compress box in a body of lines lines: it
// grows while someone works in it.
func actionLines(lines int, want Want) int {
	if want.Focus != PanelCompress {
		return least[PanelCompress] + 2
	}
	return max(12, lines*2/5)
}

// fill puts the panels into body after the fixed order in which they give up
// their boxes.
func (b *Boxes) fill(body Rect, want Want) {
	own := owners(body)
	b.Folded = !own[PanelTiers]
	if body.W < twoColumns {
		b.Body = single(body, want)
		return
	}
	left := body.W * 11 / 20
	if body.W < fullColumns {
		left = body.W - max(30, body.W*3/8)
	}
	lists := Box{Panel: PanelBatches, Tabs: []Panel{PanelBatches}}
	for _, p := range [...]Panel{PanelRanges, PanelCompress, PanelMessages, PanelBlocks, PanelCandidates} {
		if !own[p] && (p != PanelCompress || b.Action.H == 0) {
			lists.Tabs = append(lists.Tabs, p)
		}
	}
	lists.choose(want)
	slots := []slot{{lists, least[PanelBatches], 3}}
	slots = own.add(slots, PanelRanges, 3)
	slots = own.add(slots, PanelMessages, 4)
	b.Body = stack(Rect{0, body.Y, left, body.H}, true, slots...)

	nudge := Box{Panel: PanelNudge, Tabs: []Panel{PanelNudge}}
	if b.Folded {
		nudge.Tabs = []Panel{PanelTiers, PanelNudge}
		nudge.choose(Want{Focus: want.Focus})
	}
	slots = []slot{{nudge, least[PanelNudge], 3}}
	slots = own.add(slots, PanelTiers, body.H/tallBody)
	slots = own.add(slots, PanelBlocks, 2)
	b.Body = append(b.Body, stack(Rect{left, body.Y, body.W - left, body.H}, true, slots...)...)
}

// owned says which panels have a box of their own.
type owned [len(panelNames)]bool

// owners takes boxes away in the fixed order until the rest fits into body.
func owners(body Rect) owned {
	own := owned{PanelRanges: true, PanelTiers: true, PanelMessages: true, PanelBlocks: true}
	if body.W < fullColumns {
		own[PanelBlocks], own[PanelMessages], own[PanelRanges] = false, false, false
	}
	if body.W < twoColumns {
		own[PanelTiers] = false
	}
	for _, p := range dropOrder {
		if own.lines(PanelBatches, PanelRanges, PanelMessages) <= body.H && own.lines(PanelNudge, PanelTiers, PanelBlocks) <= body.H {
			break
		}
		own[p] = false
	}
	return own
}

// lines is the height that a column needs: first always stands in it, the
// others where they have a box of their own.
func (o owned) lines(first Panel, others ...Panel) int {
	lines := 2 + least[first]
	for _, p := range others {
		if o[p] {
			lines += 1 + least[p]
		}
	}
	return lines
}

func (o owned) add(slots []slot, p Panel, share int) []slot {
	if !o[p] {
		return slots
	}
	return append(slots, slot{Box{Panel: p}, least[p], share})
}

// choose sets the panel of a box with tabs: the focused one, else the list
// that had the focus last, else the first.
func (b *Box) choose(want Want) {
	for _, p := range [...]Panel{want.Last, want.Focus} {
		for _, tab := range b.Tabs {
			if tab == p {
				b.Panel = p
			}
		}
	}
}

// single is one column: one box for every panel, with the Nudge panel under it
// where there is room for both.
func single(body Rect, want Want) []Box {
	box := Box{Panel: PanelBatches}
	for p := PanelBatches; p <= LastNumbered; p++ {
		box.Tabs = append(box.Tabs, p)
	}
	box.choose(want)
	sides := body.W >= sideBorders
	if body.H < 18 || box.Panel == PanelNudge || box.Panel == PanelCompress {
		return stack(body, sides, slot{box: box, share: 1})
	}
	return stack(body, sides, slot{box, least[PanelBatches], 2}, slot{Box{Panel: PanelNudge}, least[PanelNudge], 1})
}

// Of gives the box that shows panel p, and whether one does.
func (b Boxes) Of(p Panel) (Box, bool) {
	if b.Action.H > 0 && b.Action.Panel == p {
		return b.Action, true
	}
	for _, box := range b.Body {
		if box.Panel == p {
			return box, true
		}
	}
	return Box{}, false
}

// Lines is the number of list rows, or of text lines, that panel p shows; 0
// when it is not on the screen.
func (b Boxes) Lines(p Panel) int {
	box, ok := b.Of(p)
	if !ok {
		return 0
	}
	_, lines := box.Inner()
	if p == PanelProblems {
		lines -= detailLines(lines)
	}
	if p == PanelTokens {
		lines -= tokenHead(lines)
	}
	if listed(p) {
		lines -= headLines(lines)
	}
	return lines
}

// listed reports whether p is a list with a line of column names.
func listed(p Panel) bool {
	switch p {
	case PanelBatches, PanelRanges, PanelMessages, PanelBlocks, PanelCandidates, PanelProblems, PanelDoctor, PanelOutcomes, PanelSessions, PanelTokens:
		return true
	}
	return false
}

// headLines is the number of lines that column names take in a panel of lines
// content lines.
func headLines(lines int) int {
	if lines < 4 {
		return 0
	}
	return 1
}
