package kernel

import "maps"

// follow brings the flow up to a list and its blocks: the list grew since the
// last time, and blocks says that they changed.
func (f *flow) follow(l *lookup, blocks []standing, changed bool) {
	from := f.sentAt.n
	remade := changed || f.fresh
	if remade {
		f.setBlocks(l, blocks)
		from = 0
	}
	if l.compressParts != f.hidden.parts || from == 0 {
		from = min(from, f.hide(l, blocks))
	}
	if from == l.log.Len() && !remade {
		return
	}
	f.fresh = false
	if l.repeatedID { // a ref may then stand at several places
		from = 0
	}
	from = f.settledCut(l, from)
	if n := len(f.anchors); n > 0 && !remade && int(f.anchors[n-1].pos) > from {
		f.setBlocks(l, blocks) // a late result may move where summaries stand
		f.hide(l, blocks)
		from = 0
	}
	f.extendSent(l, from)
	place := f.placeOf(from)
	place = min(place, f.settleZone(l, place))
	place = min(place, f.settleLatest(l))
	if l.repeatedID {
		place = 0
	}
	f.classify(l, place)
	f.tallyFrom(l, place)
}

// placeOf is the place in sent of what stands at a log position, or of what
// comes next.
func (f *flow) placeOf(pos int) int32 {
	if pos < f.before.n {
		return *f.before.at(pos)
	}
	return int32(f.tail)
}

// settleZone files what is sent from a place on and finds the recent zone. It
// gives the first place from which statuses must be made again.
func (f *flow) settleZone(l *lookup, place int32) int32 {
	f.zone.cut(place)
	for p := int(place); p < f.sent.n; p++ {
		item := f.sent.at(p)
		if item.pos < 0 {
			continue
		}
		s := l.slots.At(int(item.pos))
		own := s.marks&markSynthetic == 0 && (s.id < 0 || !f.hasCoverage(s.id, coversID))
		f.zone.note(int32(p), f.message(l, *item), s.marks, l.ref(int(item.pos)), own)
	}
	size := func(place int32) Tokens { return f.message(l, *f.sent.at(int(place))).Size() }
	ref := func(place int32) int32 { return l.ref(int(f.sent.at(int(place)).pos)) }
	if changed := f.zone.settle(f.k.zoneRules(), size, ref); len(changed) > 0 && changed[0] < place {
		return f.settledPlace(l, changed[0])
	}
	return place
}

// settledPlace is the last place at or before one where statuses can be taken
// up again.
func (f *flow) settledPlace(l *lookup, place int32) int32 {
	for place > 0 && f.sent.at(int(place)).pos < 0 {
		place--
	}
	if place == 0 {
		return 0
	}
	return f.placeOf(f.settledCut(l, int(f.sent.at(int(place)).pos)))
}

// settleLatest finds the newest sent call of each latest-only rule. It gives
// the first place from which statuses must be made again.
func (f *flow) settleLatest(l *lookup) int32 {
	unchanged := int32(f.sent.n)
	if len(l.latest) == 0 {
		return unchanged
	}
	newest := map[int32]bool{}
	for _, positions := range l.latest {
		for i := len(positions) - 1; i >= 0; i-- {
			if *f.sentAt.at(int(positions[i])) >= 0 {
				newest[positions[i]] = true
				break
			}
		}
	}
	if maps.Equal(newest, f.latest) {
		return unchanged
	}
	f.latest = newest
	return 0
}

// classify sets the status of everything sent from a place on.
func (f *flow) classify(l *lookup, from int32) {
	folded := make([]bool, f.sent.n-int(from))
	for place := int(from); place < f.sent.n; place++ {
		item := *f.sent.at(place)
		item.status = f.statusOf(l, item)
		folded[place-int(from)] = item.status == statusCompressible
		f.sent.set(place, item)
	}
	if turns, pairs := withdraw(sentSequence{f, l}, int(from), f.sent.n, folded); turns+pairs == 0 {
		return
	}
	for i, stays := range folded {
		item := *f.sent.at(int(from) + i)
		if item.status == statusCompressible && !stays {
			item.status = statusWithdrawn
			f.sent.set(int(from)+i, item)
		}
	}
}

// statusOf is the status of one sent message before turns are kept whole.
func (f *flow) statusOf(l *lookup, item sentItem) status {
	if item.pos < 0 {
		if f.known[f.summaries[^item.pos].ID] {
			return statusGap
		}
		return statusIgnored
	}
	ref := l.ref(int(item.pos))
	if ref <= 0 {
		return statusIgnored
	}
	s, m := l.slots.At(int(item.pos)), l.log.At(int(item.pos))
	switch {
	case s.marks&markSynthetic != 0,
		s.id >= 0 && f.hasCoverage(s.id, coversID),
		m.Has(HasMedia),
		m.SummaryOfBlockID != "" && f.activeIDs[m.SummaryOfBlockID]:
		return statusGap
	case l.isProtected(s, m), l.isLatest(s, m, f.latest):
		return statusProtected
	case f.zone.refs[ref]:
		return statusRecent
	}
	return statusCompressible
}

// isProtected reports whether a message belongs to a protected tool: by its
// own name, or as the result of a protected call.
func (l *lookup) isProtected(s *slot, m *Message) bool {
	return s.marks&markProtected != 0 ||
		m.Type == ToolResult && s.call >= 0 && l.calls.At(int(s.call)).protectedCall
}

// isLatest reports whether a tool part belongs to one of the calls at the
// given positions: it is the call itself or shares its call id.
func (l *lookup) isLatest(s *slot, m *Message, calls map[int32]bool) bool {
	if len(calls) == 0 || !m.isTool() {
		return false
	}
	for pos := range calls {
		call := l.slots.At(int(pos))
		if call.call >= 0 && call.call == s.call || call.call < 0 && call.id == s.id {
			return true
		}
	}
	return false
}

// sentSequence is what is sent, in order, for the rules about turns.
type sentSequence struct {
	f *flow
	l *lookup
}

func (q sentSequence) marksAt(i int) marks {
	if pos := q.f.sent.at(i).pos; pos >= 0 {
		return q.l.slots.At(int(pos)).marks
	}
	return 0
}

func (q sentSequence) callAt(i int) int32 {
	if pos := q.f.sent.at(i).pos; pos >= 0 {
		return q.l.slots.At(int(pos)).call
	}
	return -1
}

func (q sentSequence) firstResult(i int) int32 {
	first, call := int32(-1), q.callAt(i)
	if call < 0 {
		return first
	}
	if p := q.l.firstResult(call); p < 0 || *q.f.sentAt.at(int(p)) >= 0 {
		return q.placeOfResult(p)
	}
	for p := q.l.calls.At(int(call)).last; p >= 0; p = q.l.slots.At(int(p)).prev {
		if place := *q.f.sentAt.at(int(p)); place >= 0 && q.l.log.At(int(p)).Type == ToolResult {
			first = place
		}
	}
	return first
}

func (q sentSequence) placeOfResult(pos int32) int32 {
	if pos < 0 {
		return -1
	}
	return *q.f.sentAt.at(int(pos))
}
