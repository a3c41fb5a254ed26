package views

import (
	"strings"

	"github.com/charmbracelet/lipgloss"
)

// paint is a style made once: what stands before and behind a text.
type paint struct{ pre, post string }

// on puts the style around text that Fit has made.
func (p paint) on(text string) string {
	if p.pre == "" {
		return text
	}
	return p.pre + text + p.post
}

// Styles are the colours of a screen. Colour only repeats what the words say,
// so that a frame without any is complete.
type Styles struct {
	title    paint // a panel's name, a label that leads
	focus    paint // the border and name of the focused panel
	border   paint
	faint    paint // column names, keys, what is of less interest
	good     paint // folds, ready, live
	warn     paint // folds less or wider, over-limit, paused
	bad      paint // refused, emergency, gone
	selected paint // the row under the cursor
	marked   paint // rows of a pick
	bar      paint // the filled part of the gauge
}

// NewStyles makes the styles for the terminal that r writes to. Without
// colours (NO_COLOR, TERM=dumb) every style is empty.
func NewStyles(r *lipgloss.Renderer) Styles {
	color := func(light, dark string) lipgloss.Style {
		return r.NewStyle().Foreground(lipgloss.AdaptiveColor{Light: light, Dark: dark})
	}
	return Styles{
		title:    made(r.NewStyle().Bold(true)),
		focus:    made(color("25", "117").Bold(true)),
		border:   made(color("247", "240")),
		faint:    made(color("242", "246")),
		good:     made(color("28", "78")),
		warn:     made(color("130", "215")),
		bad:      made(color("160", "203").Bold(true)),
		selected: made(r.NewStyle().Reverse(true)),
		marked:   made(color("90", "177")),
		bar:      made(color("25", "75")),
	}
}

// made takes a style apart into what stands before and behind a text.
func made(s lipgloss.Style) paint {
	const mark = "x"
	pre, post, ok := strings.Cut(s.Render(mark), mark)
	if !ok {
		return paint{}
	}
	return paint{pre, post}
}
