package views

import (
	"math"
	"slices"
	"strings"

	"github.com/guptarohit/asciigraph"

	"ctxscope/kernel"
)

// GrowthPoint is the context at one turn.
type GrowthPoint struct {
	Tokens  kernel.Tokens // what the turn was decided by
	Fold    bool          // a compress call folded since the turn before
	Rewrite bool          // the host rewrote its list since the turn before
	Nudge   bool          // the turn nudged
}

// Growth is the context over the turns. Only points that are drawn are asked
// for.
type Growth struct {
	Len int
	At  func(i int) GrowthPoint // oldest first
}

// The letters of what happened at a turn, the most telling first.
const (
	rewriteLetter = 'C'
	foldLetter    = 'F'
	nudgeLetter   = 'n'
)

// limitLetters draw the limits of the bands, in the order of pins.
var limitLetters = [...]string{"s", "o", "e"}

// growth draws the context over the turns, with the limits of the bands as
// lines and a row of letters for what happened.
func growth(s *Screen, st *Styles, width, lines int) []string {
	if s.Growth.Len == 0 {
		text := "No turn was finished yet."
		if s.Report == nil {
			text = "Nothing was read yet."
		}
		return []string{plainLine(st.faint, "  "+text, width)}
	}
	legend := legendLines(s, st, width, lines)
	axis := 2
	if lines < 12 {
		axis = 0
	}
	height := lines - len(legend) - axis - 2 // the row of letters, and the one more that the graph has
	if height < 2 || width < 24 {
		return legend
	}
	p := plotOf(s, width)
	rows := strings.Split(p.draw(height, axis > 0), "\n")
	left := 0
	for i, r := range []rune(rows[0]) {
		if r == '┤' || r == '┼' {
			left = i + 1
		}
	}
	var out []string
	for i, row := range rows {
		if i == height+1 {
			out = append(out, p.letters(st, left, width))
		}
		out = append(out, painted(row, left, st, width))
	}
	if len(rows) <= height+1 {
		out = append(out, p.letters(st, left, width))
	}
	return append(out, legend...)
}

// plot is what is drawn: one column for each point.
type plot struct {
	context []float64
	marks   []rune
	limits  []float64
	top     float64
	turns   int
}

// labelCells is the room for the numbers of the axis.
const labelCells = 9

// plotOf puts the turns into the columns that there are: of several in one the
// largest context counts, and where there are fewer each takes several.
func plotOf(s *Screen, width int) plot {
	n, columns := s.Growth.Len, width-labelCells-4 // the last turn's number ends behind the last column
	p := plot{context: make([]float64, columns), marks: []rune(spaces(columns)), turns: n}
	for i := range n {
		x := s.Growth.At(i)
		from, to := i*columns/n, max((i+1)*columns/n, i*columns/n+1)
		for at := from; at < to; at++ {
			p.context[at] = max(p.context[at], float64(x.Tokens))
		}
		p.marks[from] = stronger(p.marks[from], x)
	}
	window := float64(s.Session.Window)
	for _, limit := range pins(&s.Config) {
		if limit.share > 0 && window > 0 {
			p.limits = append(p.limits, limit.share*window)
		} else {
			p.limits = append(p.limits, math.NaN())
		}
	}
	p.top = window
	for _, x := range p.context {
		p.top = max(p.top, x)
	}
	return p
}

// stronger is the letter that stands where was stood and x happened.
func stronger(was rune, x GrowthPoint) rune {
	switch {
	case was == rewriteLetter || x.Rewrite:
		return rewriteLetter
	case was == foldLetter || x.Fold:
		return foldLetter
	case was == nudgeLetter || x.Nudge:
		return nudgeLetter
	}
	return ' '
}

// draw plots the lines of the limits and over them the context.
func (p *plot) draw(height int, axis bool) string {
	var series [][]float64
	var chars []asciigraph.CharSet
	for i, limit := range p.limits {
		if math.IsNaN(limit) || limit > p.top {
			continue
		}
		series = append(series, slices.Repeat([]float64{limit}, len(p.context)))
		chars = append(chars, asciigraph.CreateCharSet(limitLetters[i]))
	}
	series, chars = append(series, p.context), append(chars, asciigraph.DefaultCharSet)
	options := []asciigraph.Option{
		asciigraph.Height(height), asciigraph.LowerBound(0), asciigraph.UpperBound(max(1, p.top)),
		asciigraph.SeriesChars(chars...),
		asciigraph.YAxisValueFormatter(func(n float64) string { return FitRight(short(max(0, n)), labelCells-2) }),
	}
	if axis && p.turns > 1 {
		options = append(options, asciigraph.XAxisRange(1, float64(p.turns)),
			asciigraph.XAxisTickCount(min(6, p.turns)),
			asciigraph.XAxisValueFormatter(func(n float64) string { return number(math.Round(n)) }))
	}
	return asciigraph.PlotMany(series, options...)
}

// letters is the row of what happened, under the columns of the plot.
func (p *plot) letters(st *Styles, left, width int) string {
	l := newLine(width)
	l.right(st.faint, "marks", left-1)
	l.gap(1)
	for from := 0; from < len(p.marks); {
		to := from
		for to < len(p.marks) && p.marks[to] == p.marks[from] {
			to++
		}
		style := st.faint
		switch p.marks[from] {
		case rewriteLetter:
			style = st.bad
		case foldLetter:
			style = st.good
		case nudgeLetter:
			style = st.warn
		}
		l.flow(style, string(p.marks[from:to]))
		from = to
	}
	return l.String()
}

// painted gives a row of the plot its colours: its lines are told apart by
// their characters.
func painted(row string, left int, st *Styles, width int) string {
	l := newLine(width)
	cells := []rune(row)
	kind := func(i int) rune {
		switch {
		case i < left:
			return '|'
		case strings.ContainsRune("seo ", cells[i]):
			return cells[i]
		}
		return '-'
	}
	for from := 0; from < len(cells); {
		to := from
		for to < len(cells) && kind(to) == kind(from) {
			to++
		}
		style := st.bar
		switch kind(from) {
		case '|', ' ', 's':
			style = st.faint
		case 'o':
			style = st.warn
		case 'e':
			style = st.bad
		}
		l.flow(style, string(cells[from:to]))
		from = to
	}
	return l.String()
}

// legendLines say what the letters mean and what is counted.
func legendLines(s *Screen, st *Styles, width, lines int) []string {
	list := pins(&s.Config)
	limits := ""
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].share > 0 {
			limits += "  " + limitLetters[i] + " " + list[i].name + percent(list[i].share)
		}
	}
	marks := "C rewritten by the host  F folded  n nudged"
	source := "tokens, as each turn was decided by"
	if s.Session.NotHost {
		source += " (" + s.Session.Counter + " where nothing is reported)"
	}
	if lines < 12 {
		return []string{plainLine(st.faint, pick(width-1, " "+marks+limits, " C rewritten F folded n nudged  s o e limits", " C F n marks  s o e limits"), width)}
	}
	return []string{
		plainLine(st.faint, pick(width-1, " "+marks+"   "+source, " "+marks), width),
		plainLine(st.faint, pick(width-1, " limits:"+limits, " s first-sight  o over-limit  e emergency"), width),
	}
}

// growthCaption is what stands in the title of the Growth panel.
func growthCaption(s *Screen) []string {
	return []string{"context over " + plural(s.Growth.Len, "turn", "turns"), plural(s.Growth.Len, "turn", "turns")}
}
