package kernel

import "fmt"

var errRefCapacity = fmt.Errorf("ref capacity exhausted: cannot allocate beyond %s", formatRef(maxRef))

// nextRef is the number behind the highest one in use. A number whose message
// vanished still counts.
func (x *index) nextRef() int32 {
	if x.refs.n == 0 {
		return 1
	}
	return x.refs.at(x.refs.n-1).number + 1
}

// assignRefs gives each message from a position on its ref, in order, and
// tells which ids got one. A ref never changes.
func (x *index) assignRefs(from int) (given []int32, err error) {
	l, newest := x.lookup(), newestCalls(x.byLatest)
	for pos := from; pos < x.log.n; pos++ {
		s, m := x.slots.at(pos), x.log.at(pos)
		if s.id < 0 || s.marks&markRetrieved != 0 {
			continue
		}
		facts := *x.ids.at(int(s.id))
		if facts.ref != 0 {
			continue
		}
		if l.blocked(s, m, newest) {
			facts.ref = refBlocked
		} else {
			facts.ref = x.nextRef()
			if facts.ref > maxRef {
				return given, errRefCapacity
			}
			x.refs.push(refEntry{facts.ref, s.id})
		}
		x.ids.set(int(s.id), facts)
		given = append(given, s.id)
	}
	return given, nil
}

// blocked reports whether a message gets BLOCKED instead of a number: media
// always, protected tools only when some are configured.
func (l *lookup) blocked(s *slot, m *Message, newest map[int32]bool) bool {
	if m.Has(HasMedia) {
		return true
	}
	if !l.rules.blocks {
		return false
	}
	if s.marks&markProtected != 0 {
		return true
	}
	if s.call >= 0 && m.Type == ToolResult && m.ToolName == "" && l.rules.pairsByPath && l.calls.At(int(s.call)).protectedCall {
		return true
	}
	return l.isLatest(s, m, newest)
}
