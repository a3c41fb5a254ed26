package kernel

// microEpisode proposes each bulky unit by itself, and each run of
// neighbouring small ones that are bulky together.
func microEpisode(g Ground) ([]Draft, []Omission) {
	w := episodeWalk{g: &g}
	var unusable []Omission
	for _, u := range g.Units {
		if reason := g.unusable(u); reason != "" {
			unusable = append(unusable, g.omission(Micro, u, reason))
			continue
		}
		w.unit(u)
	}
	w.flush()
	return w.drafts, append(unusable, w.omitted...)
}

// unusable says why a unit cannot be named or is no original content, or is
// empty.
func (g *Ground) unusable(u Unit) OmissionReason {
	if !g.named(u.From) || !g.named(u.To) {
		return OmitsMissingReference
	}
	reason := OmissionReason("")
	for place := u.From; place <= u.To; place++ {
		switch {
		case g.Messages[place].Synthetic:
			return OmitsSynthetic
		case g.Messages[place].Covered:
			reason = OmitsActiveCompression
		}
	}
	return reason
}

// named reports whether the message at a place can be an end of a range.
func (g *Ground) named(place int) bool {
	_, ok := refNumber(g.Messages[place].Ref)
	return ok
}

// untouchable says why the executor would leave something of a unit visible,
// or is empty.
func (g *Ground) untouchable(u Unit) OmissionReason {
	reason := OmissionReason("")
	for place := u.From; place <= u.To; place++ {
		switch {
		case g.Messages[place].Recent:
			return OmitsRecent
		case g.Messages[place].Protected:
			reason = OmitsProtected
		}
	}
	return reason
}

func (g *Ground) omission(kind CandidateKind, u Unit, reason OmissionReason) Omission {
	o := Omission{Kind: kind, Reason: reason}
	if g.named(u.From) {
		o.StartRef = g.Messages[u.From].Ref
	}
	if g.named(u.To) {
		o.EndRef = g.Messages[u.To].Ref
	}
	return o
}

// episodeWalk goes over the usable units in order.
type episodeWalk struct {
	g       *Ground
	drafts  []Draft
	omitted []Omission
	small   []Unit // runs of small units that touch, not drafted yet
}

func (w *episodeWalk) unit(u Unit) {
	enough := w.g.Enough(u.From, u.To)
	if reason := w.g.untouchable(u); reason != "" {
		w.flush()
		kind := Episode
		if enough {
			kind = Micro
		}
		w.omitted = append(w.omitted, w.g.omission(kind, u, reason))
		return
	}
	switch n := len(w.small); {
	case w.g.Empty(u.From, u.To):
	case enough:
		w.drafts = append(w.drafts, Draft{Micro, u.From, u.To, w.g.label(u)})
	case n > 0 && w.small[n-1].To+1 == u.From:
		w.small[n-1].To = u.To
	default:
		w.small = append(w.small, u)
	}
}

// flush drafts the runs that are large enough together; the others vanish.
func (w *episodeWalk) flush() {
	for _, u := range w.small {
		if w.g.Enough(u.From, u.To) {
			w.drafts = append(w.drafts, Draft{Episode, u.From, u.To, "historical conversation segment"})
		}
	}
	w.small = nil
}
