package decode

import (
	"slices"

	"ctxscope/kernel"
)

// journal holds what a decoder has measured and, in steps that point at it,
// the journal as the records read so far make it. A decoder whose chain only
// grew pushes the steps of what is new; after a move to another branch it
// calls restart and pushes all steps again. Steps that come out the same stay
// what they were, so Change gives no more than what differs.
type journal struct {
	messages shelf // held messages never change
	replies  []reply
	lists    []list
	spent    []spent
	steps    []step
	at       int // how many of the steps are pushed; those behind are from before restart
	given    int // how many of the steps were given by change and stand since
}

// step is one entry in short.
type step struct {
	op kernel.Op
	at int32 // Append: of messages. Reply: of replies. Replace: of lists. Usage: of spent
}

// spent is what a reply was reported to use, in tokens.
type spent struct{ all, prompt, cached int32 }

type reply struct {
	id   string
	time int64
}

// list is what the host's list became: places in messages.
type list struct {
	messages []int32
	time     int64
}

// hold keeps a measured message and gives its place.
func (j *journal) hold(m kernel.Message) int32 {
	return j.messages.put(&m)
}

// holdReply keeps what a reply is called and gives its place.
func (j *journal) holdReply(id string, time int64) int32 {
	j.replies = append(j.replies, reply{id, time})
	return int32(len(j.replies) - 1)
}

// restart begins the journal anew.
func (j *journal) restart() { j.at = 0 }

// rewind goes back to the step at: what is pushed next follows the steps
// before it.
func (j *journal) rewind(at int) { j.at = at }

// appendMessage pushes a held message.
func (j *journal) appendMessage(at int32) { j.push(step{kernel.Append, at}) }

// reply pushes a held reply.
func (j *journal) reply(at int32) { j.push(step{kernel.Reply, at}) }

// usage pushes what a reply was reported to use.
func (j *journal) usage(u Usage) {
	short := func(n kernel.Tokens) int32 { return int32(min(max(n, 0), 1<<31-1)) }
	s := spent{short(u.Tokens), short(u.Prompt), short(u.Cached)}
	if j.at < len(j.steps) && j.steps[j.at].op == kernel.Usage && j.spent[j.steps[j.at].at] == s {
		j.at++
		return
	}
	j.spent = append(j.spent, s)
	j.push(step{kernel.Usage, int32(len(j.spent) - 1)})
}

// replace pushes a list of held messages. The slice is not kept.
func (j *journal) replace(messages []int32, time int64) {
	if j.at < len(j.steps) && j.steps[j.at].op == kernel.Replace {
		old := j.lists[j.steps[j.at].at]
		if old.time == time && slices.Equal(old.messages, messages) {
			j.at++
			return
		}
	}
	j.lists = append(j.lists, list{slices.Clone(messages), time})
	j.push(step{kernel.Replace, int32(len(j.lists) - 1)})
}

func (j *journal) push(s step) {
	if j.at < len(j.steps) && j.steps[j.at] == s {
		j.at++
		return
	}
	j.settle()
	j.steps = append(j.steps, s)
	j.at++
}

// settle drops the steps from before restart that were not pushed again.
func (j *journal) settle() {
	j.steps = j.steps[:j.at]
	j.given = min(j.given, j.at)
}

// change is what differs from what was given before.
func (j *journal) change() kernel.Change {
	j.settle()
	c := kernel.Change{Keep: j.given}
	if j.given < len(j.steps) {
		c.Entries = make([]kernel.Entry, len(j.steps)-j.given)
	}
	for i := range c.Entries {
		j.write(&c.Entries[i], j.steps[j.given+i])
	}
	j.given = len(j.steps)
	return c
}

// write writes what a step means to e, which is empty.
func (j *journal) write(e *kernel.Entry, s step) {
	e.Op = s.op
	switch s.op {
	case kernel.Append:
		e.Message = *j.messages.at(s.at)
	case kernel.Reply:
		e.ReplyID, e.Time = j.replies[s.at].id, j.replies[s.at].time
	case kernel.Usage:
		u := j.spent[s.at]
		e.Used, e.Prompt, e.Cached = kernel.Tokens(u.all), kernel.Tokens(u.prompt), kernel.Tokens(u.cached)
	case kernel.Replace:
		l := j.lists[s.at]
		e.Time = l.time
		e.List = make([]kernel.Message, len(l.messages))
		for i, at := range l.messages {
			e.List[i] = *j.messages.at(at)
		}
	}
}
