// Package keymap names every key and says what it does.
package keymap

import "github.com/charmbracelet/bubbles/key"

// Context is where a key is pressed: what has the focus.
type Context uint8

// The contexts.
const (
	Global   Context = iota // a panel without a list: Tiers, Nudge, the help
	List                    // a panel with a list of ranges, batches, blocks or problems
	Messages                // the list of messages
	Plain                   // a list of sessions or turns, to look at or to choose from
	Doctor                  // the doctor's findings, or the compress calls beside them
	Text                    // a text that is open
	Form                    // the Compress panel with its ranges
	Writing                 // the summary is being typed
	Filter                  // the filter of a list is being typed
	contexts
)

// Map holds every binding. Default and Demo make one; a binding that has no
// keys does not exist in that map.
type Map struct {
	// Everywhere, unless text is being typed.
	Panel     key.Binding // the keys are the numbers of the panels, 1 to 8
	Next      key.Binding
	Prev      key.Binding
	Zoom      key.Binding
	Compress  key.Binding
	Copy      key.Binding
	Undo      key.Binding
	Reset     key.Binding
	Counter   key.Binding
	Explain   key.Binding
	NudgeText key.Binding
	Doctor    key.Binding
	Sessions  key.Binding
	Tokens    key.Binding
	Growth    key.Binding
	Follow    key.Binding
	Problems  key.Binding
	Help      key.Binding
	Back      key.Binding
	Quit      key.Binding
	Interrupt key.Binding // also while text is being typed
	Suspend   key.Binding // also while text is being typed
	Pause     key.Binding // demo only
	Faster    key.Binding // demo only
	Slower    key.Binding // demo only

	// In lists and texts.
	Up       key.Binding
	Down     key.Binding
	PageUp   key.Binding
	PageDown key.Binding
	Top      key.Binding
	Bottom   key.Binding

	// In lists.
	Open   key.Binding
	Mark   key.Binding
	Select key.Binding
	Filter key.Binding

	// In the list of messages.
	Subagent key.Binding

	// In the doctor's lists.
	Mute  key.Binding
	Calls key.Binding

	// In an open text.
	NextText key.Binding
	PrevText key.Binding

	// In Compress.
	Write key.Binding
	Drop  key.Binding

	// While a text is typed.
	Submit key.Binding // the summary
	Accept key.Binding // the filter
	Cancel key.Binding
}

func bind(help, does string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(help, does))
}

// Default is the key map of the program.
func Default() Map {
	return Map{
		Panel:     bind("1-8", "go to panel", "1", "2", "3", "4", "5", "6", "7", "8"),
		Next:      bind("tab", "next panel", "tab"),
		Prev:      bind("shift+tab", "previous panel", "shift+tab"),
		Zoom:      bind("z", "zoom", "z"),
		Compress:  bind("c", "compress", "c"),
		Copy:      bind("y", "copy call", "y"),
		Undo:      bind("u", "undo what-if", "u"),
		Reset:     bind("r", "reset what-if", "r"),
		Counter:   bind("t", "token counter", "t"),
		Explain:   bind("e", "explain", "e"),
		NudgeText: bind("n", "nudge text", "n"),
		Doctor:    bind("d", "doctor", "d"),
		Sessions:  bind("s", "sessions", "s"),
		Tokens:    bind("T", "token scales", "T"),
		Growth:    bind("w", "growth", "w"),
		Follow:    bind("f", "follow the agent", "f"),
		Problems:  bind("p", "problems", "p"),
		Help:      bind("?", "help", "?"),
		Back:      bind("esc", "back", "esc"),
		Quit:      bind("q", "quit", "q"),
		Interrupt: bind("ctrl+c", "quit at once", "ctrl+c"),
		Suspend:   bind("ctrl+z", "suspend", "ctrl+z"),

		Up:       bind("k/↑", "up", "k", "up"),
		Down:     bind("j/↓", "down", "j", "down"),
		PageUp:   bind("pgup/ctrl+u", "page up", "pgup", "ctrl+u"),
		PageDown: bind("pgdn/ctrl+d", "page down", "pgdown", "ctrl+d"),
		Top:      bind("g/home", "oldest", "g", "home"),
		Bottom:   bind("G/end", "newest, follow", "G", "end"),

		Open:   bind("enter", "open", "enter"),
		Mark:   bind("space", "mark", " "),
		Select: bind("v", "select", "v"),
		Filter: bind("/", "filter", "/"),

		Subagent: bind("a", "subagent", "a"),

		Mute:  bind("m", "mute", "m"),
		Calls: bind("o", "compress calls", "o"),

		NextText: bind("l/→", "next", "l", "right"),
		PrevText: bind("h/←", "previous", "h", "left"),

		Write: bind("enter", "write summary", "enter"),
		Drop:  bind("x", "drop range", "x"),

		Submit: bind("ctrl+s", "apply what-if", "ctrl+s"),
		Accept: bind("enter", "keep filter", "enter"),
		Cancel: bind("esc", "back", "esc"),
	}
}

// Demo is Default for the demo: space pauses it, so that m marks instead.
func Demo() Map {
	m := Default()
	m.Mark = bind("m", "mark", "m")
	m.Pause = bind("space", "pause or play", " ")
	m.Faster = bind("+", "faster", "+", "=")
	m.Slower = bind("-", "slower", "-")
	return m
}
