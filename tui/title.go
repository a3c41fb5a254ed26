package tui

import (
	"ctxscope/kernel"
	"ctxscope/watch"
)

// titleReach is the number of messages at the start of a session among which
// the first request is looked for.
const titleReach = 40

// title is the first thing that the user asked for: it tells one session from
// another where the agent gives it no title.
type title struct {
	text   string
	looked int // messages that were looked at
}

// find goes on looking in the log of run, up to the first request. Texts are
// read from the file; one that cannot be read is passed over.
func (t title) find(source watch.Source, run kernel.Run) title {
	log := run.Log()
	for ; t.text == "" && t.looked < min(log.Len(), titleReach); t.looked++ {
		m := log.At(t.looked)
		if m.Role != kernel.RoleUser || m.Type != kernel.Text {
			continue
		}
		if text, err := source.Text(*m); err == nil {
			t.text = watch.Request(text)
		}
	}
	return t
}
