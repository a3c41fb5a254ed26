package views

import (
	"math"
	"strings"

	"ctxscope/kernel"
)

// pin is a limit of a band on the gauge.
type pin struct {
	name  string
	brief string
	share float64 // of the window
}

func pins(c *kernel.Config) []pin {
	return []pin{
		{"first-sight ", "first ", c.Nudge.MinContextLimitPct},
		{"over-limit ", "over ", c.Nudge.MaxContextLimitPct},
		{"emergency ", "emerg. ", c.Nudge.EmergencyThresholdPct},
	}
}

// gauge draws how full the context is: the bar with the limits of the bands,
// the absolute numbers and the source of the count; with a second line the
// names of the limits under their pins.
func gauge(s *Screen, st *Styles, width, lines int) []string {
	label := gaugeLabel(s, width)
	bar := width - Width(label) - 5
	if bar < 8 {
		return []string{plainLine(band(s, st), " "+label, width)}
	}
	l := newLine(width)
	l.flow(st.border, " ┃")
	drawBar(l, s, st, bar)
	l.flow(st.border, "┃")
	l.gap(1)
	l.rest(band(s, st), label)
	out := []string{l.String()}
	if lines > 1 {
		out = append(out, scale(s, st, bar, width))
	}
	return out
}

// band is the colour of the band that the kernel found.
func band(s *Screen, st *Styles) paint {
	if s.Report == nil {
		return st.faint
	}
	switch s.Report.Nudge.Band {
	case kernel.BandEmergency:
		return st.bad
	case kernel.BandOverLimit:
		return st.warn
	}
	return st.title
}

// gaugeLabel is the sentence behind the bar, in the longest form for which
// the bar still has room.
func gaugeLabel(s *Screen, width int) string {
	r := s.Report
	if r == nil || r.Used.Source == kernel.CountNone || r.Used.Source == "" || s.empty() && s.Session.Refused != "" {
		return "nothing counted yet"
	}
	source, brief := sourceOf(s)
	if n := s.Session.Stale; n > 0 {
		source += ", the " + number(n) + " reported last are stale"
		brief += ", reported is stale"
	}
	most := width * 3 / 5
	if !strings.Contains(source, counter(s)) && width >= 80 { // else the scale of all lists would stand nowhere
		source, brief, most = source+"; lists: "+counter(s), brief+"; lists: "+counter(s), width*2/3
	}
	share, ok := used(r)
	if !ok {
		return pick(width-14, number(r.Used.Tokens)+" tokens of an unknown window  "+source,
			short(r.Used.Tokens)+" of "+unknown+"  "+brief)
	}
	above := ""
	if share > 1 {
		above = ", above the window"
	}
	full := number(r.Used.Tokens) + " of " + number(r.Limit)
	small := percent(share) + "  " + short(r.Used.Tokens) + "/" + short(r.Limit)
	forms := []string{
		full + " tokens  " + percent(share) + above + "  " + source,
		full + "  " + percent(share) + above + "  " + source,
		full + "  " + percent(share) + "  " + source,
		full + "  " + percent(share) + "  " + brief,
		small + "  " + brief,
	}
	if s.Session.NotHost {
		return pick(most, append(forms, percent(share)+"  not the host's count")...)
	}
	return pick(most, append(forms, small)...)
}

// sourceOf says where the count comes from, in full and in brief.
func sourceOf(s *Screen) (source, brief string) {
	old := s.Report.Used.Old
	source = string(s.Report.Used.Source)
	brief = source
	if old {
		brief = "before the last fold"
	}
	if s.Session.NotHost {
		source += ", " + s.Session.Counter + ": not the host's count"
		brief = s.Session.Counter + ", not the host's count"
	}
	if old {
		source += ", from before the last fold"
	}
	return source, brief
}

// drawBar writes the bar: the reported part solid, the estimated part
// shaded, the rest light, a pin at each limit.
func drawBar(l *line, s *Screen, st *Styles, cells int) {
	share, _ := used(s.Report)
	full := at(share, cells)
	solid := full
	if r := s.Report; r != nil && r.Used.Tokens > 0 && r.Used.Estimated > 0 {
		solid = int(float64(full) * float64(r.Used.Tokens-r.Used.Estimated) / float64(r.Used.Tokens))
		solid = min(max(solid, 0), full)
	}
	marks := []rune(strings.Repeat("█", solid) + strings.Repeat("▓", full-solid) + strings.Repeat("░", cells-full))
	for _, p := range pins(&s.Config) {
		if i := at(p.share, cells); p.share > 0 && i < cells {
			marks[i] = '╎'
		}
	}
	l.flow(barPaint(s, st), string(marks[:full]))
	l.flow(st.faint, string(marks[full:]))
}

func barPaint(s *Screen, st *Styles) paint {
	if p := band(s, st); p != st.title {
		return p
	}
	return st.bar
}

// at is the cell in which a share of the window ends, 0 to cells.
func at(share float64, cells int) int {
	if math.IsNaN(share) || share <= 0 {
		return 0
	}
	return int(math.Min(share, 1) * float64(cells))
}

// scale names the limits under their pins; a name for which there is no room
// is left out.
func scale(s *Screen, st *Styles, bar, width int) string {
	l := newLine(width)
	l.flow(st.faint, "  0")
	written := 3
	list := pins(&s.Config)
	for i, p := range list {
		if p.share <= 0 {
			continue
		}
		from := 2 + at(p.share, bar)
		to := width - 1
		if i+1 < len(list) && list[i+1].share > p.share {
			to = 2 + at(list[i+1].share, bar)
		}
		limit := percent(p.share)
		text := pick(to-from-1, p.name+limit, p.brief+limit, limit)
		if from < written+1 || from+Width(text)+1 > to {
			continue
		}
		l.gap(from - written)
		l.flow(st.faint, text)
		written = from + Width(text)
	}
	return l.String()
}
