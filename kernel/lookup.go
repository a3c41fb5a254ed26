package kernel

// lookup is an index as it stood at one moment: it never changes and may be
// read by anyone.
type lookup struct {
	rules    *rules
	name     List[string]
	ids      List[idFacts]
	calls    List[callFacts]
	refs     List[refEntry]
	log      List[Message]
	slots    List[slot]
	rendered List[int32]
	compress List[int32]
	latest   map[string][]int32 // positions by latest-only rule; nil without such rules

	firstUser     int32
	compressParts int
	hashIDs       bool
	repeatedID    bool
}

func (x *index) lookup() *lookup {
	l := &lookup{
		rules:     x.rules,
		name:      x.name.list(),
		ids:       x.ids.list(),
		calls:     x.calls.list(),
		refs:      x.refs.list(),
		log:       x.log.list(),
		slots:     x.slots.list(),
		rendered:  x.rendered.list(),
		compress:  x.compress.list(),
		firstUser: x.firstUser,

		compressParts: x.compressParts,
		hashIDs:       x.hashIDs,
		repeatedID:    x.repeatedID,
	}
	if len(x.byLatest) > 0 {
		l.latest = make(map[string][]int32, len(x.byLatest))
		for key, positions := range x.byLatest {
			l.latest[key] = positions[:len(positions):len(positions)]
		}
	}
	return l
}

// index makes an index of its own that starts as l stands.
func (l *lookup) index() *index {
	x := newIndex(l.rules, l.name.Len())
	x.name, x.ids, x.calls = l.name.builder(), l.ids.builder(), l.calls.builder()
	x.refs, x.log, x.slots = l.refs.builder(), l.log.builder(), l.slots.builder()
	x.rendered, x.compress = l.rendered.builder(), l.compress.builder()
	x.firstUser, x.compressParts = l.firstUser, l.compressParts
	x.hashIDs, x.repeatedID = l.hashIDs, l.repeatedID
	for i := range l.name.Len() {
		x.names[*l.name.At(i)] = int32(i)
	}
	last := int32(l.log.Len() - 1)
	for i := range l.log.Len() {
		s := *l.slots.At(i)
		if s.call >= 0 {
			x.keys[l.log.At(i).ToolCallID] = s.call
		}
		if s.reach > last { // it reached over messages that were taken back
			s.reach = last
			x.slots.set(i, s)
		}
	}
	for key, positions := range l.latest {
		x.byLatest[key] = positions[:len(positions):len(positions)]
	}
	return x
}

// firstResult is the position of the first result of a call id, -1 without.
func (l *lookup) firstResult(call int32) int32 {
	if call < 0 {
		return -1
	}
	return l.calls.At(int(call)).firstResult
}

// ref is the ref number of the message at a position: 0 none, -1 BLOCKED.
func (l *lookup) ref(pos int) int32 {
	if id := l.slots.At(pos).id; id >= 0 {
		return l.ids.At(int(id)).ref
	}
	return 0
}

// refID is the id number that a ref number names.
func (l *lookup) refID(number int32) (int32, bool) {
	low, high := 0, l.refs.Len()
	for low < high {
		mid := (low + high) / 2
		if l.refs.At(mid).number < number {
			low = mid + 1
		} else {
			high = mid
		}
	}
	if low < l.refs.Len() && l.refs.At(low).number == number {
		return l.refs.At(low).id, true
	}
	return 0, false
}
