package kernel

import "slices"

// zone is the recent zone: the newest messages, which are not offered for
// compression.
type zone struct {
	candidates listBuilder[int32] // places that it may hold
	users      listBuilder[int32] // places of the user's own messages
	places     []int32            // that it holds, ascending
	refs       map[int32]bool     // ref numbers that it holds
}

// zoneRules are the settings that make the zone.
type zoneRules struct {
	messages int
	tokens   Tokens
}

// inZoneReach reports whether the zone may hold a message with such marks and
// ref: own says that it is neither a summary nor covered by a block.
func (s marks) inZoneReach(ref int32, own bool) bool {
	return own && s&markPassesZone == 0 && ref > 0
}

// zoneWalk goes from the newest candidate back and takes the last messages and
// the last tokens, with the message that crosses the limit.
type zoneWalk struct {
	zoneRules
	taken int
	sum   Tokens
}

// take reports whether the next older candidate belongs to the zone.
func (w *zoneWalk) take(size Tokens) bool {
	if w.taken >= w.messages && w.sum >= w.tokens {
		return false
	}
	w.taken++
	w.sum += size
	return true
}

// note files one message, the next in order, that is shown at place.
func (z *zone) note(place int32, m *Message, s marks, ref int32, own bool) {
	if own && m.Role == RoleUser {
		z.users.push(place)
	}
	if s.inZoneReach(ref, own) {
		z.candidates.push(place)
	}
}

// cut forgets the messages from place on.
func (z *zone) cut(place int32) {
	for _, b := range []*listBuilder[int32]{&z.candidates, &z.users} {
		n := b.n
		for n > 0 && *b.at(n - 1) >= place {
			n--
		}
		b.cut(n)
	}
}

// settle finds the zone: the last messages, the last tokens (with the message
// that crosses the limit), and the last user message even when it has no ref
// that could be protected. size and ref look a place up. It gives the places
// that it held before or holds now, but not both, ascending.
func (z *zone) settle(r zoneRules, size func(place int32) Tokens, ref func(place int32) int32) (changed []int32) {
	var places []int32
	walk := zoneWalk{zoneRules: r}
	for i := z.candidates.n - 1; i >= 0; i-- {
		place := *z.candidates.at(i)
		if !walk.take(size(place)) {
			break
		}
		places = append(places, place)
	}
	if r.messages > 0 && z.users.n > 0 {
		if place := *z.users.at(z.users.n - 1); ref(place) > 0 && !slices.Contains(places, place) {
			places = append(places, place)
		}
	}
	slices.Sort(places)
	changed = symmetricDifference(z.places, places)
	z.places, z.refs = places, make(map[int32]bool, len(places))
	for _, place := range places {
		z.refs[ref(place)] = true
	}
	return changed
}

// symmetricDifference is what stands in one of two ascending slices only.
func symmetricDifference(a, b []int32) []int32 {
	var out []int32
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0] < b[0]:
			out, a = append(out, a[0]), a[1:]
		case len(a) == 0 || b[0] < a[0]:
			out, b = append(out, b[0]), b[1:]
		default:
			a, b = a[1:], b[1:]
		}
	}
	return out
}

// recentZone is the zone of a whole list, as ref numbers.
func (k *Kernel) recentZone(l *lookup, covered []coverage) map[int32]bool {
	refs := map[int32]bool{}
	walk := zoneWalk{zoneRules: k.zoneRules()}
	walking, user := true, k.config.PreserveRecentMessages > 0
	for pos := l.log.Len() - 1; pos >= 0 && (walking || user); pos-- {
		s, m, ref := l.slots.At(pos), l.log.At(pos), l.ref(pos)
		own := s.marks&markSynthetic == 0 && (s.id < 0 || covered[s.id]&coversID == 0)
		if user && own && m.Role == RoleUser {
			user = false
			if ref > 0 {
				refs[ref] = true
			}
		}
		if walking && s.marks.inZoneReach(ref, own) {
			if walking = walk.take(m.Size()); walking {
				refs[ref] = true
			}
		}
	}
	return refs
}

func (k *Kernel) zoneRules() zoneRules {
	return zoneRules{k.config.PreserveRecentMessages, k.config.PreserveRecentTokens}
}
