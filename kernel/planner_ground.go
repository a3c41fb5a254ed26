package kernel

import (
	"slices"
	"sort"
	"strings"
)

// Ground is what a planner plans over: the messages that are sent, in order,
// and the units of them that a fold takes whole or not at all. A place is an
// index into Messages.
type Ground struct {
	Messages []GroundMessage
	Units    []Unit // in order; every place is in exactly one

	k      *Kernel
	target *lookup // the list that a call would be carried out over
	at     []int32 // by place: its position in target, -1 for a summary that stands in no list
}

// GroundMessage is one sent message with what keeps it out of candidates.
type GroundMessage struct {
	*Message
	Ref       string // "m00012"; "BLOCKED" or empty: no candidate begins or ends here
	Synthetic bool   // a summary, a checkpoint of an active block, or retrieved content
	Covered   bool   // an active block covers it
	Recent    bool   // in the recent zone
	Protected bool   // never folded: by its tool, as the newest of its kind, or for its media
}

// Unit is the places From to To, both included. No call in it is without its
// result, no reasoning without its reply.
type Unit struct{ From, To int }

// ground lays out what is sent at this moment of a run.
func (k *Kernel) ground(r Run) Ground {
	g := Ground{k: k, target: r.sight.target, Messages: make([]GroundMessage, r.sight.sent.Len())}
	g.at = make([]int32, len(g.Messages))
	zone := make(map[string]bool, len(r.now.Zone))
	for _, ref := range r.now.Zone {
		zone[ref] = true
	}
	active := map[string]bool{}
	for i := range r.sight.blocks {
		active[r.sight.blocks[i].ID] = r.sight.blocks[i].active
	}
	for place := range g.Messages {
		item := *r.sight.sent.At(place)
		if g.at[place] = item.pos; r.sight.target != r.sight.list {
			g.at[place] = int32(place) // what left the last turn is the list
		}
		if item.pos < 0 {
			g.Messages[place] = k.groundSummary(r, r.sight.blocks[^item.pos].Block)
			continue
		}
		m := r.groundMessage(item)
		m.Recent = zone[m.Ref]
		m.Synthetic = m.Synthetic || active[m.SummaryOfBlockID]
		g.Messages[place] = m
	}
	g.Units = g.units()
	return g
}

// groundSummary is a block's summary, as it is sent.
func (k *Kernel) groundSummary(r Run, b *Block) GroundMessage {
	m := k.renderSummary(b)
	ref := ""
	if at := r.sight.list.summaryAt(b.ID); at >= 0 { // the host keeps it in its list
		ref = r.Ref(int(at))
	}
	return GroundMessage{Message: &m, Ref: ref, Synthetic: true}
}

func (r Run) groundMessage(item sentItem) GroundMessage {
	l := r.sight.list
	s, m := l.slots.At(int(item.pos)), l.log.At(int(item.pos))
	out := GroundMessage{Message: m, Ref: formatRef(l.ref(int(item.pos)))}
	out.Synthetic = s.marks&(markSynthetic|markRendered|markRetrieved) != 0
	out.Covered = r.coveredBy(s) != ""
	out.Protected = m.Has(HasMedia) || l.isProtected(s, m) || l.isLatest(s, m, r.sight.latest)
	return out
}

// size is what the size gate measures of the places from up to to, and their
// tokens.
func (g *Ground) size(from, to int) (size int, tokens Tokens) {
	var chars Chars
	for place := from; place <= to; place++ {
		chars += g.Messages[place].Chars
		tokens += g.Messages[place].Size()
	}
	return g.k.size(chars, tokens), tokens
}

// Empty reports whether the places from up to to have no size in the unit of
// the size gate.
func (g *Ground) Empty(from, to int) bool {
	size, _ := g.size(from, to)
	return size == 0
}

// Enough reports whether the places from up to to are large enough for a
// candidate: for the executor's size gate, and for the least tokens of a
// candidate.
func (g *Ground) Enough(from, to int) bool {
	size, tokens := g.size(from, to)
	return g.k.enough(size) && tokens >= g.k.config.MinCandidateTokens
}

// units closes every tool call and every reasoning over what the executor
// would pull in, and leaves each other place on its own.
func (g *Ground) units() []Unit {
	var places, positions []int // of what stands in the list, ascending
	for place, at := range g.at {
		if at >= 0 {
			places, positions = append(places, place), append(positions, int(at))
		}
	}
	var out []Unit
	next := 0
	for _, s := range g.closed() {
		first := sort.SearchInts(positions, int(s.from))
		last := sort.SearchInts(positions, int(s.to)+1) - 1
		for ; next < places[first]; next++ {
			out = append(out, Unit{next, next})
		}
		next = places[last] + 1
		out = append(out, Unit{places[first], places[last]})
	}
	for ; next < len(g.at); next++ {
		out = append(out, Unit{next, next})
	}
	return out
}

// stretch is the positions from up to to of the target list.
type stretch struct{ from, to int32 }

// closed are the stretches that hold together, widened by the executor's rule
// and joined until nothing changes.
func (g *Ground) closed() []stretch {
	stretches := joined(g.seeds())
	for changed := true; changed; {
		changed = false
		for i, s := range stretches {
			from, to := g.target.widen(s.from, s.to)
			changed = changed || from != s.from || to != s.to
			stretches[i] = stretch{from, to}
		}
		if changed {
			stretches = joined(stretches)
		}
	}
	return stretches
}

// seeds are each tool call from its first part to its last, and each
// reasoning.
func (g *Ground) seeds() []stretch {
	var out []stretch
	byCall := map[int32]int{} // its stretch, -1 for a compress call
	for _, at := range g.at {
		if at < 0 {
			continue
		}
		s, m := g.target.slots.At(int(at)), g.target.log.At(int(at))
		if m.Type == Reasoning {
			out = append(out, stretch{at, at})
		}
		if s.call < 0 {
			continue
		}
		i, known := byCall[s.call]
		switch {
		case m.ToolName == "compress":
			byCall[s.call] = -1
		case !known:
			byCall[s.call] = len(out)
			out = append(out, stretch{at, at})
		case i >= 0:
			out[i].to = at
		}
	}
	return out
}

// joined sorts stretches and joins those that share a position.
func joined(stretches []stretch) []stretch {
	slices.SortFunc(stretches, func(a, b stretch) int {
		if a.from != b.from {
			return int(a.from - b.from)
		}
		return int(a.to - b.to)
	})
	out := stretches[:0]
	for _, s := range stretches {
		if n := len(out); n > 0 && s.from <= out[n-1].to {
			out[n-1].to = max(out[n-1].to, s.to)
			continue
		}
		out = append(out, s)
	}
	return out
}

// label names a unit by its tools.
func (g *Ground) label(u Unit) string {
	var tools []string
	for place := u.From; place <= u.To; place++ {
		if m := g.Messages[place]; m.isTool() && m.ToolName != "" && !slices.Contains(tools, m.ToolName) {
			tools = append(tools, m.ToolName)
		}
	}
	if len(tools) == 0 {
		return "large conversation message"
	}
	return strings.Join(tools[:min(3, len(tools))], "/") + " transaction"
}
