package keymap

import (
	"strings"

	"github.com/charmbracelet/bubbles/key"
)

// Markdown is the table of all keys for the README: one row a binding, and
// what differs in the demo at the end.
func Markdown() string {
	m, demo := Default(), Demo()
	groups := append(m.Groups(), Group{"In the demo", existing([]key.Binding{demo.Pause, demo.Faster, demo.Slower, demo.Mark})})
	var b strings.Builder
	b.WriteString("| where | key | does |\n| --- | --- | --- |\n")
	for _, g := range groups {
		for _, k := range g.Keys {
			b.WriteString("| " + g.Title + " | `" + k.Help().Key + "` | " + k.Help().Desc + " |\n")
		}
	}
	return b.String()
}
