package keymap

import (
	"strings"

	"github.com/charmbracelet/bubbles/key"
)

// Markdown is the table of all keys for the README: one row for each place
// where keys work, and what differs in the demo at the end.
func Markdown() string {
	m, demo := Default(), Demo()
	groups := append(m.groups(), Group{"In the demo", existing([]key.Binding{demo.Pause, demo.Faster, demo.Slower, demo.Mark})})
	var b strings.Builder
	b.WriteString("| where | keys |\n| --- | --- |\n")
	for _, g := range groups {
		cells := make([]string, len(g.Keys))
		for i, k := range g.Keys {
			cells[i] = "`" + k.Help().Key + "` " + k.Help().Desc
		}
		b.WriteString("| " + g.Title + " | " + strings.Join(cells, " · ") + " |\n")
	}
	return b.String()
}
