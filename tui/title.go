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
	looked int // messages that need not be looked at again
}

// find goes on looking in the log of run, up to the first request. Texts are
// read from the file; one that cannot be read now is passed over, and looked at
// again the next time.
func (t title) find(source watch.Source, run kernel.Run) title {
	if t.text != "" {
		return t
	}
	log, unread := run.Log(), false
	for i := t.looked; i < min(log.Len(), titleReach) && t.text == ""; i++ {
		if m := log.At(i); m.Role == kernel.RoleUser && m.Type == kernel.Text {
			text, err := source.Text(*m)
			unread = unread || err != nil
			t.text = watch.Request(text)
		}
		if !unread {
			t.looked = i + 1
		}
	}
	return t
}
