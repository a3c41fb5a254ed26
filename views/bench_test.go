package views

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// longSession is a screen of 200x60 cells over 20,000 messages.
func longSession() Screen {
	s := focused(200, 60, PanelMessages)
	s.Messages = conversation(20000)
	s.Messages.Offset, s.Messages.Selected = 9000, 9005
	return s
}

// BenchmarkFrame scrolls the list of messages by one row a frame.
func BenchmarkFrame(b *testing.B) {
	s, st := longSession(), styles(termenv.TrueColor, true)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		s.Messages.Offset = 9000 + i%1000
		s.Messages.Selected = s.Messages.Offset + 5
		if len(Frame(s, st)) < 200*60 {
			b.Fatal("the frame is too short")
		}
	}
}

// BenchmarkNaive draws the same content in the same places by lipgloss
// borders, widths and joins.
func BenchmarkNaive(b *testing.B) {
	s := longSession()
	r := lipgloss.NewRenderer(nil)
	r.SetColorProfile(termenv.TrueColor)
	r.SetHasDarkBackground(true)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		s.Messages.Offset = 9000 + i%1000
		s.Messages.Selected = s.Messages.Offset + 5
		if len(naive(&s, r)) < 200*60 {
			b.Fatal("the frame is too short")
		}
	}
}

func TestTheNaiveFrameShowsTheSame(t *testing.T) {
	r := lipgloss.NewRenderer(nil)
	r.SetColorProfile(termenv.Ascii)
	s := longSession()
	slow, fast := naive(&s, r), Frame(s, plainStyles())
	if w, h := lipgloss.Size(slow); w != 200 || h != 60 {
		t.Fatalf("the naive frame is %dx%d", w, h)
	}
	for _, want := range []string{"m09006", "m00090–m00104", "set up the schema", "needs 75,000", "no baseline", "Nothing is picked", "118,290 of 200,000"} {
		if !strings.Contains(slow, want) || !strings.Contains(fast, want) {
			t.Errorf("%q stands in the naive frame %v, in ours %v", want, strings.Contains(slow, want), strings.Contains(fast, want))
		}
	}
}

// naive puts the panels together as the library's examples do.
func naive(s *Screen, r *lipgloss.Renderer) string {
	b := Layout(s.Width, s.Height, s.Want())
	faint := r.NewStyle().Foreground(lipgloss.Color("246"))
	var columns [2][]string
	for _, box := range b.Body {
		side := 0
		if box.X > 0 {
			side = 1
		}
		columns[side] = append(columns[side], naiveBox(s, r, box))
	}
	columns[1] = append(columns[1], strings.Repeat("\n", max(0, lipgloss.Height(lipgloss.JoinVertical(lipgloss.Left, columns[0]...))-lipgloss.Height(lipgloss.JoinVertical(lipgloss.Left, columns[1]...))-1)))
	body := lipgloss.JoinHorizontal(lipgloss.Top, lipgloss.JoinVertical(lipgloss.Left, columns[0]...), lipgloss.JoinVertical(lipgloss.Left, columns[1]...))
	head := r.NewStyle().Bold(true).Width(s.Width).Render(s.Session.Name + "  " + s.Session.Agent + "  " + s.Session.Model + "  " + window(s))
	st := Styles{}
	lines := append([]string{head}, sentence(s, &st, s.Width)...)
	bar := lipgloss.JoinHorizontal(lipgloss.Top, r.NewStyle().Foreground(lipgloss.Color("75")).Render(strings.Repeat("█", 80)), faint.Render(strings.Repeat("░", 56)), " "+gaugeLabel(s, s.Width))
	lines = append(lines, r.NewStyle().Width(s.Width).Render(bar), faint.Render("0  first-sight 45 %  over-limit 75 %  emergency 95 %"))
	action := naiveBox(s, r, b.Action)
	var keys []string
	for _, k := range s.Foot.Keys {
		keys = append(keys, r.NewStyle().Bold(true).Render(k.Help().Key)+" "+faint.Render(k.Help().Desc))
	}
	all := append(lines, body, action, lipgloss.JoinHorizontal(lipgloss.Top, strings.Join(keys, "  ")))
	return r.NewStyle().MaxHeight(s.Height).Render(lipgloss.JoinVertical(lipgloss.Left, all...))
}

func naiveBox(s *Screen, r *lipgloss.Renderer, b Box) string {
	width, lines := b.Inner()
	title := r.NewStyle().Bold(true).Render(heading(s, b.Panel))
	rows := []string{title}
	rows = append(rows, naiveRows(s, r, b.Panel, width, lines)...)
	if len(rows) > lines {
		rows = rows[:lines]
	}
	height := b.H - 2
	return r.NewStyle().Border(lipgloss.NormalBorder()).BorderForeground(lipgloss.Color("240")).Width(width).Height(height).MaxHeight(b.H).
		Render(lipgloss.JoinVertical(lipgloss.Left, rows...))
}

func naiveRows(s *Screen, r *lipgloss.Renderer, p Panel, width, lines int) []string {
	var rows []string
	cell := func(text string, cells int) string { return r.NewStyle().Width(cells).MaxWidth(cells).Render(text) }
	good := r.NewStyle().Foreground(lipgloss.Color("78"))
	ranged := func(list Rows[RangeRow]) {
		for i := range min(list.Len, lines) {
			x := list.At(i)
			rows = append(rows, lipgloss.JoinHorizontal(lipgloss.Top, cell(span(x.StartRef, x.EndRef), 16), cell(number(x.Count), 7),
				cell(number(x.Tokens), 11), cell(number(x.Chars), 12), cell(fmt.Sprintf("%d %%", x.ToolPct), 7), good.Render(verdictWords(x.Verdict, 30))))
		}
	}
	switch p {
	case PanelBatches:
		ranged(s.Batches)
	case PanelRanges:
		ranged(s.Ranges)
	case PanelMessages:
		for i := s.Messages.Offset; i < s.Messages.Offset+lines-1; i++ {
			m := s.Messages.At(i)
			row := lipgloss.JoinHorizontal(lipgloss.Top, cell(m.Ref, 9), cell(m.Role.String(), 11), cell(kindWord(m.Type), 10), cell(m.Tool, 18), cell(number(m.Tokens), 10), standing(m.Standing))
			if i == s.Messages.Selected {
				row = r.NewStyle().Reverse(true).Render(row)
			}
			rows = append(rows, row)
		}
	case PanelBlocks:
		for i := range s.Blocks.Len {
			x := s.Blocks.At(i)
			rows = append(rows, lipgloss.JoinHorizontal(lipgloss.Top, cell(x.ID+" "+tierName(x.Tier), 6), cell(span(x.StartRef, x.EndRef), 15), cell(number(x.Original)+" → "+number(x.Summary), 17), x.Topic))
		}
	default:
		st := Styles{}
		for _, text := range panel(s, &st, p, width, lines, false) {
			rows = append(rows, good.Render(strings.TrimRight(text, " ")))
		}
	}
	return rows
}
