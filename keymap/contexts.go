package keymap

import "github.com/charmbracelet/bubbles/key"

// For gives the bindings that work in c, most useful first: first those of c
// itself, then those that work everywhere. No key stands in two of them.
func (m Map) For(c Context) []key.Binding {
	return append(m.own(c), m.shared(c)...)
}

// own gives what c adds to the shared bindings.
func (m Map) own(c Context) []key.Binding {
	move := []key.Binding{m.Up, m.Down, m.PageUp, m.PageDown, m.Top, m.Bottom}
	switch c {
	case List:
		return append([]key.Binding{m.Open, m.Select, m.Mark, m.Filter}, move...)
	case Messages:
		return append([]key.Binding{m.Open, m.Select, m.Mark, m.Filter, m.Subagent}, move...)
	case Plain:
		return append([]key.Binding{m.Open, m.Filter}, move...)
	case Doctor:
		return append([]key.Binding{m.Open, m.Mute, m.Calls, m.Filter}, move...)
	case Text:
		return append(move, m.NextText, m.PrevText)
	case Form:
		return append([]key.Binding{m.Write, m.Drop}, move...)
	case Writing:
		return []key.Binding{m.Submit, m.Cancel}
	case Filter:
		return []key.Binding{m.Accept, m.Cancel}
	}
	return move
}

// shared gives what works in c as it does everywhere.
func (m Map) shared(c Context) []key.Binding {
	if c == Writing || c == Filter {
		return []key.Binding{m.Interrupt, m.Suspend}
	}
	return existing([]key.Binding{
		m.Help, m.Quit, m.Compress, m.Zoom, m.Next, m.Prev, m.Panel, m.Back, m.Copy, m.Undo, m.Reset,
		m.Explain, m.NudgeText, m.Doctor, m.Sessions, m.Tokens, m.Growth, m.Follow, m.Counter, m.Problems, m.Pause, m.Faster, m.Slower, m.Interrupt, m.Suspend,
	})
}

// existing leaves out the bindings that this map does not have.
func existing(all []key.Binding) []key.Binding {
	var out []key.Binding
	for _, b := range all {
		if len(b.Keys()) > 0 {
			out = append(out, b)
		}
	}
	return out
}

// Foot gives the bindings for the last line of the screen in c, most useful
// first: a narrow line shows as many of them as fit.
func (m Map) Foot(c Context) []key.Binding {
	switch c {
	case List, Messages:
		return existing([]key.Binding{m.Help, m.Open, m.Select, m.Compress, m.Explain, m.Pause, m.Quit, m.Mark, m.Zoom, m.Doctor, m.Filter, m.Next, m.Copy, m.Undo})
	case Plain:
		return existing([]key.Binding{m.Open, m.Back, m.Filter, m.Help, m.Pause, m.Quit})
	case Doctor:
		return existing([]key.Binding{m.Help, m.Open, m.Mute, m.Calls, m.Back, m.Pause, m.Quit, m.Filter})
	case Text:
		return existing([]key.Binding{m.Back, m.Down, m.Up, m.NextText, m.PrevText, m.Help, m.Pause, m.Quit})
	case Form:
		return existing([]key.Binding{m.Help, m.Write, m.Back, m.Copy, m.Undo, m.Reset, m.Drop, m.Pause, m.Zoom, m.Next, m.Quit})
	case Writing, Filter:
		return m.For(c)
	}
	return existing([]key.Binding{m.Help, m.Next, m.Panel, m.Zoom, m.Pause, m.Quit, m.NudgeText, m.Down, m.Up, m.Back})
}

// Group is bindings with a title.
type Group struct {
	Title string
	Keys  []key.Binding
}

// Groups are all bindings for the full help, each once, with a sentence each:
// what works everywhere, how to move, and what single contexts add.
func (m Map) Groups() []Group {
	groups := m.groups()
	for i := range groups {
		for k := range groups[i].Keys {
			b := &groups[i].Keys[k]
			if text := m.says(groups[i].Title, b.Help().Desc); text != "" {
				b.SetHelp(b.Help().Key, text)
			}
		}
	}
	return groups
}

func (m Map) groups() []Group {
	return []Group{
		{"Everywhere", m.shared(Global)},
		{"Move and scroll", []key.Binding{m.Up, m.Down, m.PageUp, m.PageDown, m.Top, m.Bottom}},
		{"In a list", []key.Binding{m.Open, m.Select, m.Mark, m.Filter}},
		{"In Messages", []key.Binding{m.Subagent}},
		{"In the doctor", []key.Binding{m.Mute, m.Calls}},
		{"In an open text", []key.Binding{m.NextText, m.PrevText}},
		{"In Compress", []key.Binding{m.Write, m.Drop}},
		{"Writing a summary", []key.Binding{m.Submit, m.Cancel}},
		{"Typing a filter", []key.Binding{m.Accept, m.Cancel}},
	}
}

// In gives the bindings of c in the form that the help of the bubbles library
// takes.
func (m Map) In(c Context) Keys { return Keys{m, c} }

// Keys is a Map in one context.
type Keys struct {
	m Map
	c Context
}

// ShortHelp is Map.Foot.
func (k Keys) ShortHelp() []key.Binding { return k.m.Foot(k.c) }

// FullHelp is the bindings of the context in columns: its own, then the shared
// ones.
func (k Keys) FullHelp() [][]key.Binding {
	return [][]key.Binding{k.m.own(k.c), k.m.shared(k.c)}
}

// Why says where a key works that does nothing in c, as a sentence; it is
// empty for a key that works in c or nowhere.
func (m Map) Why(c Context, pressed string) string {
	if _, ok := find(m.For(c), pressed); ok {
		return ""
	}
	for other := Global; other < contexts; other++ {
		if b, ok := find(m.own(other), pressed); ok {
			return b.Help().Key + " (" + b.Help().Desc + ") works " + places[other] + "."
		}
	}
	return ""
}

// places says where a context is, in a sentence.
var places = [contexts]string{
	"where something can be scrolled", "in a list of batches, candidates, ranges, messages or blocks", "in the list of messages", "in the list of sessions or of turns", "in the doctor (d)",
	"in an open text", "in the Compress panel", "while a summary is written", "while a filter is typed",
}

func find(list []key.Binding, pressed string) (key.Binding, bool) {
	for _, b := range list {
		for _, k := range b.Keys() {
			if k == pressed {
				return b, true
			}
		}
	}
	return key.Binding{}, false
}
