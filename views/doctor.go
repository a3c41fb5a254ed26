package views

import (
	"strings"

	"ctxscope/kernel/doctor"
)

// Checkup is the state of the doctor's examination.
type Checkup struct {
	Done    bool // there is an examination
	Running bool // a newer one is being made
	Turns   int  // examined
	Found   int  // findings that are not muted
	Muted   int  // findings that are
	Calls   doctor.Refusals
}

// FindingRow is one finding, or one of the tables that belong to every
// examination.
type FindingRow struct {
	Title string
	What  string // one sentence with the numbers
	Muted bool
	Table bool // no finding
}

// findings draws what looks wrong in the session.
func findings(s *Screen, st *Styles, width, lines int) []string {
	items, offset := visible(s.Findings, lines-headLines(lines))
	title := min(52, width*2/5)
	if width < sideBorders {
		title = width
	}
	head := newLine(width)
	head.gap(2)
	head.cell(paint{}, "what it looks like", title)
	head.rest(paint{}, "evidence")
	empty := "Examining the session …"
	if s.Report == nil {
		empty = "Nothing was read yet."
	}
	t := table[FindingRow]{
		st: st, rows: s.Findings, focused: s.Focus == PanelDoctor,
		head: head.String(), empty: emptyList(s, &s.Findings, empty),
		row: func(l *line, r FindingRow) {
			name, p := r.Title, st.warn
			switch {
			case r.Muted:
				name, p = "muted: "+name, st.faint
			case r.Table:
				p = paint{}
			}
			l.cell(p, name, min(title, l.left)-2)
			l.gap(2)
			l.rest(st.faint, r.What)
		},
		mark: func(FindingRow) Mark { return Mark{} },
	}
	return t.draw(items, offset, width, lines)
}

// doctorCaption is what stands in the title of the Doctor panel.
func doctorCaption(s *Screen) []string {
	c := &s.Checkup
	if !c.Done {
		return []string{"examining …"}
	}
	found := plural(c.Found, "finding", "findings")
	if c.Found == 0 {
		found = "nothing looks wrong"
	}
	if c.Muted > 0 {
		found += ", " + number(c.Muted) + " muted"
	}
	running := ""
	if c.Running {
		running = ", examining again …"
	}
	return []string{
		found + ", " + plural(c.Turns, "turn", "turns") + " examined; each resembles, none is certain" + running,
		found + ", " + plural(c.Turns, "turn", "turns") + running, found,
	}
}

// FindingText is everything that a finding holds, for the reader.
func FindingText(f *doctor.Finding) string {
	var b strings.Builder
	b.WriteString(f.What + "\n")
	for _, detail := range f.Details {
		b.WriteString("\n" + detail)
	}
	if len(f.Details) > 0 {
		b.WriteString("\n")
	}
	evidence := func(name string, items []string) {
		if len(items) > 0 {
			b.WriteString("\n" + Fit(name, 12) + strings.Join(items, ", "))
		}
	}
	evidence("turns", doctor.Stretches(f.Turns))
	evidence("calls", f.Calls)
	evidence("refs", f.Refs)
	evidence("resembles", f.Resembles)
	b.WriteString("\n\nWhat to do: " + f.Advice + "\n")
	return b.String()
}

// RefusalsText is the table of refused calls by cause.
func RefusalsText(r doctor.Refusals) string {
	var b strings.Builder
	b.WriteString(RefusalsLine(r) + "\n")
	if r.InARow > 1 {
		b.WriteString("At most " + number(r.InARow) + " refusals in a row.\n")
	}
	for _, c := range r.Causes {
		b.WriteString("\n" + Fit(string(c.Cause), 18) + FitRight(number(c.Calls), 6))
	}
	return b.String()
}

// RefusalsLine is RefusalsText in one sentence.
func RefusalsLine(r doctor.Refusals) string {
	if r.Calls == 0 {
		return "No compress call was folded or refused."
	}
	text := number(r.Refused) + " of " + plural(r.Calls, "compress call", "compress calls") + " refused (" + percent(r.Share) + ")"
	for i, c := range r.Causes {
		sep := ", "
		if i == 0 {
			sep = ": "
		}
		text += sep + number(c.Calls) + " " + string(c.Cause)
	}
	return text + "."
}

// FloorText is the table of what could not be folded.
func FloorText(f doctor.Floor) string {
	var b strings.Builder
	b.WriteString(FloorLine(f) + "\n\n" + Fit("", 28) + FitRight("now", 12) + FitRight("first turn", 12))
	for _, c := range f.Causes {
		if c.Now > 0 || c.First > 0 {
			b.WriteString("\n" + Fit(c.Cause, 28) + FitRight(number(c.Now), 12) + FitRight(number(c.First), 12))
		}
	}
	if f.Beside > 0 {
		b.WriteString("\n\n" + number(f.Beside) + " tokens are reported and stand in no transcript: the system prompt and the tools.")
	}
	return b.String()
}

// FloorLine is FloorText in one sentence.
func FloorLine(f doctor.Floor) string {
	return number(f.Now) + " tokens now, " + number(f.First) + " at the first turn, " + signedAmount(f.PerTurn) + " a turn."
}

func signedAmount(x float64) string {
	if x > 0 {
		return "+" + amount(x)
	}
	return amount(x)
}
