package decode

import "ctxscope/kernel"

// sequence is the list of a session whose items simply follow one another in
// the file, and the journal that it makes. An item can be written anew, the
// end can be taken back, and the whole list can be replaced by the host.
type sequence struct {
	journal  journal
	items    []item
	fixed    int   // how many items the newest replacement gave
	replaced int   // the step of that replacement
	time     int64 // of that replacement
	before   Usage // what was known when the list began: stale behind a replacement
	usage    Usage // as known at the end of the list
	meter    Meter
}

// item is what one record of a session puts into the list.
type item struct {
	messages []int32 // held, in sending order
	own      int     // how many of them, from the first on, the reply itself made
	reply    int32   // the held reply that begins with the item, or none
	usage    Usage   // as known once the item was there; unknown: as before
	reported bool    // usage is that of the reply that ends with the item
	prompt   bool    // a turn of the user begins here
	step     int     // of the journal, at which the item begins
}

// add puts an item at the end.
func (s *sequence) add(it item) {
	s.items = append(s.items, it)
	s.weigh(&it, 1)
	if it.usage.Known {
		s.usage = it.usage
	}
	s.push(len(s.items) - 1)
}

// set writes item p anew.
func (s *sequence) set(p int, it item) {
	s.weigh(&s.items[p], -1)
	s.weigh(&it, 1)
	it.step = s.items[p].step
	s.items[p] = it
	s.redo(p, it.step)
	s.know()
}

// cut takes back the items from n on.
func (s *sequence) cut(n int) {
	if n >= len(s.items) {
		return
	}
	step := s.items[n].step
	for i := n; i < len(s.items); i++ {
		s.weigh(&s.items[i], -1)
	}
	s.items = s.items[:n]
	s.redo(n, step)
	s.know()
}

// replace makes the list that of the given items. What was known of the size
// of the context is old then.
func (s *sequence) replace(items []item, time int64) {
	s.before = s.usage
	s.before.Stale = s.before.Known
	s.items, s.fixed, s.time, s.replaced = items, len(items), time, s.journal.at
	s.meter = Meter{}
	for i := range items {
		s.weigh(&items[i], 1)
	}
	s.journal.replace(s.list(s.fixed), time)
	s.know()
}

// learn notes what is known of the size of the context behind the newest item.
func (s *sequence) learn(u Usage) {
	if n := len(s.items); n > 0 {
		it := s.items[n-1]
		it.usage = u
		s.set(n-1, it)
		return
	}
	s.before = u
	s.know()
}

// redo makes the journal anew from item p on, which begins at a step.
func (s *sequence) redo(p, step int) {
	if p < s.fixed {
		s.fixed = min(s.fixed, len(s.items))
		s.journal.rewind(s.replaced)
		s.journal.replace(s.list(s.fixed), s.time)
		p = s.fixed
	} else {
		s.journal.rewind(step)
	}
	for ; p < len(s.items); p++ {
		s.push(p)
	}
}

// push puts item p at the end of the journal.
func (s *sequence) push(p int) {
	it := &s.items[p]
	it.step = s.journal.at
	if it.reply != none {
		s.journal.reply(it.reply)
	}
	for i, m := range it.messages {
		if i == it.own {
			s.pushUsage(it)
		}
		s.journal.appendMessage(m)
	}
	if it.own >= len(it.messages) {
		s.pushUsage(it)
	}
}

func (s *sequence) pushUsage(it *item) {
	if it.reported && it.usage.Known {
		s.journal.usage(it.usage)
	}
}

// list is the held messages of the first n items.
func (s *sequence) list(n int) []int32 {
	var out []int32
	for i := range s.items[:n] {
		out = append(out, s.items[i].messages...)
	}
	return out
}

// know finds what is known of the size of the context at the end of the list.
func (s *sequence) know() {
	s.usage = s.before
	for i := len(s.items) - 1; i >= 0; i-- {
		if u := s.items[i].usage; u.Known {
			s.usage = u
			return
		}
	}
}

// weigh adds an item to the meter, or takes it out with a sign of -1.
func (s *sequence) weigh(it *item, sign int) {
	for _, at := range it.messages {
		m := s.journal.messages.at(at)
		s.meter.Parts += sign
		s.meter.Tokens += kernel.Tokens(sign) * m.Tokens
		s.meter.Images += sign * int(m.Images)
	}
	if it.reply != none {
		s.meter.Replies += sign
	}
}

// parts lists what is in the list, in order.
func (s *sequence) parts() []kernel.Message {
	var out []kernel.Message
	for i := range s.items {
		for _, at := range s.items[i].messages {
			out = append(out, *s.journal.messages.at(at))
		}
	}
	return out
}
