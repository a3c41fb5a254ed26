package views

import (
	"strings"

	"ctxscope/kernel"
	"ctxscope/kernel/doctor"
)

// outcomes draws the compress calls of the transcript: what was asked, what
// the host answered and what the executor would have said at that moment.
func outcomes(s *Screen, st *Styles, width, lines int) []string {
	items, offset := visible(s.Outcomes, lines-headLines(lines))
	id, ranges := 9, 14
	for i := range items {
		id = max(id, Width(Clean(clip(callName(&items[i]), 40))))
		ranges = max(ranges, Width(Clean(clip(rangesOf(&items[i]), 60))))
	}
	c := outcomeColumns(width, id, ranges)
	t := table[doctor.Outcome]{
		st: st, rows: s.Outcomes, focused: s.Focus == PanelOutcomes,
		head:  c.head(width),
		empty: emptyList(s, &s.Outcomes, "No compress call was met in this session."),
		row:   c.row(st),
		mark:  func(doctor.Outcome) Mark { return Mark{} },
	}
	return t.draw(items, offset, width, lines)
}

// outcomeWidths are the widths of the columns; 0 leaves one out. What the
// executor says takes the rest.
type outcomeWidths struct{ turn, id, ranges, host int }

func outcomeColumns(width, id, ranges int) outcomeWidths {
	switch {
	case width >= 110:
		return outcomeWidths{7, min(id, 30) + 2, min(ranges, 24) + 2, 11}
	case width >= 76:
		return outcomeWidths{6, min(id, 16) + 2, min(ranges, 15) + 2, 10}
	}
	return outcomeWidths{6, 0, 16, 9}
}

func (c outcomeWidths) head(width int) string {
	l := newLine(width)
	l.gap(2)
	l.right(paint{}, "turn", c.turn-2)
	l.gap(2)
	l.cell(paint{}, "call", c.id)
	l.cell(paint{}, "ranges", c.ranges)
	l.cell(paint{}, "host", c.host)
	l.rest(paint{}, "the executor, at that moment")
	return l.String()
}

func (c outcomeWidths) row(st *Styles) func(*line, doctor.Outcome) {
	return func(l *line, o doctor.Outcome) {
		l.right(paint{}, number(o.AfterTurn), c.turn-2)
		l.gap(2)
		l.cell(st.faint, callName(&o), c.id-2)
		l.gap(min(2, c.id))
		l.cell(paint{}, rangesOf(&o), c.ranges-2)
		l.gap(2)
		p := st.good
		if o.Refused {
			p = st.bad
		}
		l.cell(p, hostWord(&o), c.host)
		if o.Alarm != "" {
			l.rest(st.bad, "PARITY: "+o.Alarm)
			return
		}
		l.rest(st.faint, o.Would)
	}
}

func callName(o *doctor.Outcome) string {
	if o.CallID == "" {
		return "recorded"
	}
	return o.CallID
}

func rangesOf(o *doctor.Outcome) string {
	if len(o.Ranges) == 0 {
		return "none readable"
	}
	return strings.ReplaceAll(strings.Join(o.Ranges, ", "), "..", "–")
}

// hostWord says what the host answered.
func hostWord(o *doctor.Outcome) string {
	switch o.Host {
	case kernel.Succeeded:
		return plural(o.HostBlocks, "block", "blocks")
	case kernel.Failed:
		return "refused"
	case kernel.NoOp:
		return "no block"
	case kernel.Neutral:
		return "unclear"
	}
	return "not said"
}

// OutcomeText is everything that is known of a call, for the reader.
func OutcomeText(o *doctor.Outcome) string {
	var b strings.Builder
	if o.Alarm != "" {
		b.WriteString("Parity alarm, call " + callName(o) + ": " + o.Alarm + ".\n\n")
	}
	entry := func(name, text string) { b.WriteString(Fit(name, 12) + text + "\n") }
	entry("call", callName(o))
	entry("after turn", number(o.AfterTurn))
	entry("ranges", rangesOf(o))
	entry("host", hostWord(o))
	if o.Cause != "" {
		entry("cause", string(o.Cause))
	}
	b.WriteString("\nThe executor, at that moment: " + o.Would + "\n")
	return b.String()
}

// outcomesCaption is what stands in the title of the list of calls.
func outcomesCaption(s *Screen) []string {
	n := s.Outcomes.All
	alarms := ""
	if s.Session.Alarms > 0 {
		alarms = ", " + plural(s.Session.Alarms, "parity alarm", "parity alarms")
	}
	r := &s.Checkup.Calls
	refused := ""
	if r.Calls > 0 {
		refused = ", " + number(r.Refused) + " refused (" + percent(r.Share) + ")"
	}
	return []string{plural(n, "call", "calls") + refused + alarms, plural(n, "call", "calls") + alarms, number(n)}
}
