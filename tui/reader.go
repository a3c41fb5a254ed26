package tui

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"ctxscope/kernel"
	"ctxscope/views"
)

// readable is how much of a text is shown, in bytes.
const readable = 1 << 20

// readerKind says what an open text is.
type readerKind uint8

const (
	readsRow   readerKind = iota // what belongs to a row: a message, a summary, a verdict, a finding
	readsWhy                     // the rules behind a row
	readsNudge                   // the text of the nudge
)

// reader is a text that is open. Only one is held at a time.
type reader struct {
	open    bool
	kind    readerKind
	why     *kernel.Explanation // with readsWhy, once it is known
	panel   views.Panel         // the list whose row it is of
	title   string
	facts   string
	text    string
	lines   []string
	width   int // that lines are made for
	offset  int
	number  int // of the newest request
	loading bool
	problem string
}

// closed is no text; answers to older requests are dropped.
func (r reader) closed() reader { return reader{number: r.number + 1} }

// scrolled moves delta lines down in a window of lines lines.
func (r reader) scrolled(delta, lines int) reader {
	r.offset = views.Scroll(len(r.lines), r.offset+delta, r.offset+delta, lines)
	return r
}

// readerSize is the size of the text, in cells and lines.
func (m *Model) readerSize() (width, lines int) {
	return m.boxes().Reader()
}

// openRow opens the text of the row under the cursor.
func (m Model) openRow() (Model, tea.Cmd) {
	l := m.lists[m.focus]
	row := l.selected()
	if row < 0 {
		return m.say("There is no row here to open."), nil
	}
	if m.focus == views.PanelSessions {
		return m.openSession(row)
	}
	c, r := m.content(), m.reader.closed()
	r.open, r.panel = true, m.focus
	switch m.focus {
	case views.PanelMessages:
		return m.openMessage(r, row)
	case views.PanelBlocks:
		b := &c.blocks[row]
		r.title = b.ID + " summary"
		r.facts = fmt.Sprintf("tier %d, %s tokens (%s), stands for %s tokens",
			b.Tier, views.Number(b.SummaryTokens), m.live.counter, views.Number(b.CompressedTokens))
		r.text = b.Summary
	case views.PanelCandidates:
		r = c.openCandidate(r, row)
	case views.PanelTokens:
		turn := m.tokenRow(row)
		r.title, r.facts = "Turn "+views.Number(turn.Turn), "on every token scale"
		r.text = views.TokenText(turn, m.tokenScales())
	case views.PanelDoctor:
		r = m.openFinding(r, row)
	case views.PanelOutcomes:
		r = openOutcome(r, &c.outcomes[row])
	default:
		s := c.span(m.focus, row)
		r.title = s.start + "–" + s.end
		r.facts = "what the executor says of a call of this range alone; tokens by " + m.live.counter
		r.text = m.rangeText(row)
	}
	m.reader = r
	return m.rewrap()
}

// rangeText is what the executor says of a row of Ranges or Batches.
func (m *Model) rangeText(row int) string {
	c := m.content()
	if m.focus == views.PanelRanges && c.mixed[row].protected {
		p := c.report.Nudge.ProtectedRanges.At(int(c.mixed[row].index))
		return "These messages are never folded. What protects them: " + strings.Join(p.Tools, ", ")
	}
	v, ok := m.verdicts[c.span(m.focus, row)]
	if !ok {
		return "The executor has not been asked yet."
	}
	return verdictText(v.verdict)
}

// verdictText puts the executor's own sentences one below the other.
func verdictText(v kernel.Verdict) string {
	var b strings.Builder
	for _, r := range v.Ranges {
		fmt.Fprintf(&b, "%s–%s: %s\n", r.StartRef, r.EndRef, r.Kind)
		if r.Sentence != "" {
			fmt.Fprintf(&b, "%s\n", r.Sentence)
		}
		fmt.Fprintf(&b, "\npicked  %s\nfolded  %s\n", pickedText(r.Picked), pickedText(r.Folded))
		refLine(&b, "pulled in", r.Added)
		refLine(&b, "stay visible", r.LeftOut)
		refLine(&b, "blocks consumed", r.Consumes)
	}
	section(&b, "Errors", v.Errors)
	section(&b, "Warnings", v.Warnings)
	section(&b, "Notes", v.Notes)
	if v.Placeholder {
		b.WriteString("\nNo summary was given: one of the least length stood in for it.\n")
	}
	return b.String()
}

func pickedText(p kernel.Picked) string {
	if p.Messages == 0 {
		return "nothing"
	}
	return fmt.Sprintf("%s–%s, %s messages, %s tokens, %s chars",
		p.StartRef, p.EndRef, views.Number(p.Messages), views.Number(p.Tokens), views.Number(p.Chars))
}

func refLine(b *strings.Builder, name string, refs []string) {
	if len(refs) > 0 {
		fmt.Fprintf(b, "%s: %s\n", name, strings.Join(refs, ", "))
	}
}

func section(b *strings.Builder, name string, sentences []string) {
	if len(sentences) > 0 {
		fmt.Fprintf(b, "\n%s\n%s\n", name, strings.Join(sentences, "\n"))
	}
}

// openMessage starts to read the text of message row.
func (m Model) openMessage(r reader, row int) (Model, tea.Cmd) {
	c := m.content()
	msg, standing := *c.run.Log().At(row), c.run.Standing(row)
	r.title = strings.Join(strings.Fields(strings.Join([]string{
		c.run.Ref(row), msg.Role.String(), msg.Type.String(), msg.ToolName,
	}, " ")), " ")
	r.facts = fmt.Sprintf("%s tokens (%s), %s chars, %s",
		views.Number(msg.Size()), m.live.counter, views.Number(msg.Chars), standing.Kind)
	if standing.BlockID != "" {
		r.facts += " in " + standing.BlockID
	}
	if standing.Why != "" {
		r.facts += ": " + standing.Why
	}
	r.loading = true
	m.reader = r
	width, _ := m.readerSize()
	m.reader.width = width
	source, number := m.live.source, r.number
	return m, guard(func() tea.Msg {
		text, err := source.Text(msg)
		if err != nil {
			return textMsg{number: number, err: err}
		}
		text = shortened(text)
		return textMsg{number: number, text: text, lines: views.Wrap(text, width)}
	})
}

// shortened is text cut to what is readable; its last line says so.
func shortened(text string) string {
	if len(text) <= readable {
		return text
	}
	at := readable
	for !utf8.RuneStart(text[at]) {
		at--
	}
	return fmt.Sprintf("%s\n… %d more bytes are not shown.", text[:at], len(text)-at)
}

// rewrap breaks the open text into lines again where its width has changed.
func (m Model) rewrap() (Model, tea.Cmd) {
	width, _ := m.readerSize()
	r := &m.reader
	if r.open && r.why != nil && r.width != width {
		r.width, r.lines = width, views.Explained(*r.why, width)
		return m, nil
	}
	if !r.open || r.width == width || r.text == "" {
		return m, nil
	}
	r.width = width
	r.number++
	text, number := r.text, r.number
	return m, guard(func() tea.Msg {
		return textMsg{number: number, text: text, lines: views.Wrap(text, width)}
	})
}

// wrapped takes a text that was read or wrapped.
func (m Model) wrapped(msg textMsg) Model {
	r := &m.reader
	if !r.open || r.number != msg.number {
		return m
	}
	r.loading, r.text, r.lines = false, msg.text, msg.lines
	if msg.err != nil {
		r.problem = msg.err.Error()
	}
	return m
}

// textKey takes the keys of an open text, of the help and of the problems. ok
// is false when it is none of them.
func (m Model) textKey(msg tea.KeyMsg) (next Model, cmd tea.Cmd, ok bool) {
	_, lines := m.readerSize()
	if !m.reader.open {
		lines = m.boxes().Lines(m.focus)
	}
	if delta, ok := m.movement(msg, lines); ok {
		switch {
		case m.reader.open:
			m.reader = m.reader.scrolled(delta, lines)
		case m.focus == views.PanelProblems:
			m.lists[m.focus] = m.lists[m.focus].move(delta)
		default:
			m.scroll = m.scrolledBy(m.scroll, delta)
		}
		return m, nil, true
	}
	step := 0
	switch {
	case key.Matches(msg, m.keys.NextText):
		step = 1
	case key.Matches(msg, m.keys.PrevText):
		step = -1
	default:
		return m, nil, false
	}
	if !m.reader.open || m.reader.kind == readsNudge {
		return m.say("There is one text only here."), nil, true
	}
	l := m.lists[m.reader.panel]
	if moved := l.move(step); moved.cursor != l.cursor {
		m.lists[m.reader.panel] = moved
		if m.reader.kind == readsWhy {
			m.reader = m.reader.closed()
			next, cmd = m.explain()
		} else {
			next, cmd = m.openRow()
		}
		return next, cmd, true
	}
	return m.say("There is no further row."), nil, true
}
