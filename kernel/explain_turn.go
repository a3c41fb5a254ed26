package kernel

import (
	"cmp"
	"fmt"
	"strings"
)

// seat is where a message stands in the walk that makes the recent zone.
type seat struct {
	found    bool   // the walk looks at it
	number   int    // from 1, the newest first
	newer    Tokens // of those before it
	lastUser bool   // it is the newest of the user's own messages
}

// seat walks as the zone does, from the newest message back, to a place.
func (x *explaining) seat() seat {
	var out seat
	user := true
	for place := x.r.sight.sent.Len() - 1; place >= int(x.place); place-- {
		pos := x.r.sight.sent.At(place).pos
		if pos < 0 {
			continue
		}
		s, m := x.l.slots.At(int(pos)), x.r.shownMessage(pos)
		own := s.marks&markSynthetic == 0 && !x.r.sight.hasCoverage(s.id)
		if user && own && m.Role == RoleUser {
			user, out.lastUser = false, place == int(x.place)
		}
		if !s.marks.inZoneReach(x.l.ref(int(pos)), own) {
			continue
		}
		out.number++
		if out.found = place == int(x.place); !out.found {
			out.newer += m.Size()
		}
	}
	return out
}

// hasCoverage reports whether an active block covers an id by its number.
func (s *sight) hasCoverage(id int32) bool {
	return id >= 0 && int(id) < len(s.covered) && s.covered[id]&coversID != 0
}

// shownMessage is the message at a position as it is sent.
func (r Run) shownMessage(pos int32) *Message {
	if m := r.sight.hidden.rewritten[pos]; m != nil {
		return m
	}
	return r.sight.list.log.At(int(pos))
}

// recent asks whether the recent zone holds the message.
func (x *explaining) recent() bool {
	rules := x.k.zoneRules()
	if x.status() != statusRecent {
		switch {
		case x.s.marks&markPassesZone != 0:
			return x.pass("recent zone", "the zone passes over %s", x.m.ToolName)
		case rules.messages <= 0 && rules.tokens <= 0:
			return x.pass("recent zone", "there is none")
		}
		return x.pass("recent zone", "not among the last %d message%s or the newest %s", rules.messages, plural(rules.messages), tokensOf(rules.tokens))
	}
	at := x.seat()
	var in, free []string
	if missing := rules.messages - (at.number - 1); at.found && missing > 0 {
		in = append(in, fmt.Sprintf("%s of the last %d", ordinal(at.number), rules.messages))
		free = append(free, fmt.Sprintf("%d more message%s", missing, plural(missing)))
	}
	if missing := rules.tokens - at.newer; at.found && missing > 0 {
		in = append(in, fmt.Sprintf("in the newest %s (%s are newer)", tokensOf(rules.tokens), grouped(float64(at.newer))))
		free = append(free, grouped(float64(missing))+" more tokens")
	}
	if at.lastUser {
		in = append(in, "the user's last message")
		free = append(free, "a newer message of the user")
	}
	change := "free after " + strings.Join(free, " and ")
	return x.stop("recent zone", change, "%s", strings.Join(in, ", "))
}

func ordinal(n int) string {
	suffix := "th"
	if n%100 < 11 || n%100 > 13 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return fmt.Sprintf("%d%s", n, suffix)
}

// wholeTurn asks whether folding the message would split a turn.
func (x *explaining) wholeTurn() bool {
	if x.status() != statusWithdrawn {
		return x.pass("whole turn", "folding it splits no call from its result and no reply from its reasoning")
	}
	keeps := x.keeps()
	change := "free together with the rest of its turn"
	if keeps != "" {
		change = "free when " + keeps + " can be folded too"
		keeps = ": " + keeps + " stays"
	}
	return x.stop("whole turn", change, "folding it would split a call from its result, or a reply from its reasoning%s", keeps)
}

// keeps names what of the message's turn cannot be folded.
func (x *explaining) keeps() string {
	q := sightSequence{x.r}
	var names []string
	for _, g := range turnGroups(q, 0, x.r.sight.sent.Len()) {
		members := g.members(q)
		mine := false
		for _, place := range members {
			mine = mine || place == x.place
		}
		for _, place := range members {
			item := *x.r.sight.sent.At(int(place))
			if mine && item.pos >= 0 && item.status != statusCompressible && item.status != statusWithdrawn {
				names = append(names, fmt.Sprintf("%s (%s)", cmp.Or(x.r.Ref(int(item.pos)), "a message"), x.r.Standing(int(item.pos)).Kind))
			}
		}
	}
	return strings.Join(names, ", ")
}

// sightSequence is what is sent, in order, for the rules about turns.
type sightSequence struct{ r Run }

func (q sightSequence) marksAt(i int) marks {
	if pos := q.r.sight.sent.At(i).pos; pos >= 0 {
		return q.r.sight.list.slots.At(int(pos)).marks
	}
	return 0
}

func (q sightSequence) callAt(i int) int32 {
	if pos := q.r.sight.sent.At(i).pos; pos >= 0 {
		return q.r.sight.list.slots.At(int(pos)).call
	}
	return -1
}

func (q sightSequence) firstResult(i int) int32 {
	call, l := q.callAt(i), q.r.sight.list
	first := int32(-1)
	if call < 0 {
		return first
	}
	for p := l.calls.At(int(call)).last; p >= 0; p = l.slots.At(int(p)).prev {
		if place := *q.r.sight.sentAt.At(int(p)); place >= 0 && l.log.At(int(p)).Type == ToolResult {
			first = place
		}
	}
	return first
}
