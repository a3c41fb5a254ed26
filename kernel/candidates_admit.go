package kernel

import (
	"cmp"
	"slices"
)

// admission is a draft on its way to a candidate.
type admission struct {
	Candidate
	draft int
}

// admit lets the executor judge the drafts, all in one call and each by
// itself, and fills the plan with those that it would fold exactly as drafted.
func (k *Kernel) admit(r Run, g *Ground, drafts []Draft, p *Plan) {
	var waiting []admission
	for i, d := range drafts {
		if reason := g.barred(d); reason != "" {
			p.Omitted = append(p.Omitted, g.omission(d.Kind, Unit{d.From, d.To}, reason))
			continue
		}
		waiting = append(waiting, admission{g.candidate(d), i})
	}
	together, refused := k.exact(r, waiting)
	slices.SortFunc(together, func(a, b admission) int { return byYield(&a.Candidate, &b.Candidate) })
	var listed []admission
	for _, a := range together {
		if len(listed) == candidateCap {
			p.TruncatedCount++
			continue
		}
		_, no := k.exact(r, []admission{a})
		if len(no) == 0 { // and behind those listed: a block that one makes may matter to the next
			_, no = k.exact(r, append(listed[:len(listed):len(listed)], a))
		}
		if len(no) > 0 {
			refused = append(refused, no[len(no)-1])
			continue
		}
		listed = append(listed, a)
	}
	for _, a := range listed {
		p.Candidates = append(p.Candidates, a.Candidate)
	}
	slices.SortStableFunc(refused, func(a, b refusal) int { return a.draft - b.draft })
	for _, no := range refused {
		p.Omitted = append(p.Omitted, no.Omission)
	}
}

// barred says why a draft is not worth asking the executor, or is empty.
func (g *Ground) barred(d Draft) OmissionReason {
	u := Unit{d.From, d.To}
	if !g.named(d.From) || !g.named(d.To) {
		return OmitsMissingReference
	}
	if reason := g.untouchable(u); reason != "" {
		return reason
	}
	if !g.Enough(d.From, d.To) {
		return OmitsBelowMinimum
	}
	return ""
}

func (g *Ground) candidate(d Draft) Candidate {
	c := Candidate{Kind: d.Kind, StartRef: g.Messages[d.From].Ref, EndRef: g.Messages[d.To].Ref, Label: d.Label}
	tools := 0
	for place := d.From; place <= d.To; place++ {
		m := g.Messages[place]
		c.MessageCount++
		c.RetainedChars += m.Chars
		c.EstimatedTokens += m.Size()
		c.SourceMessageIDs = append(c.SourceMessageIDs, m.ID)
		if m.isTool() && m.ToolName != "compress" {
			tools++
		}
	}
	share := func(n int) int { return int(roundJS(float64(n) / float64(c.MessageCount) * 100)) }
	c.ToolPct, c.TextPct = share(tools), share(c.MessageCount-tools)
	return c
}

// byYield puts what frees most first.
func byYield(a, b *Candidate) int {
	number := func(ref string) int32 { n, _ := refNumber(ref); return n }
	kind := func(c *Candidate) int {
		if c.Kind == Micro {
			return 0
		}
		return 1
	}
	return cmp.Or(
		cmp.Compare(b.EstimatedTokens, a.EstimatedTokens),
		kind(a)-kind(b),
		cmp.Compare(number(a.StartRef), number(b.StartRef)),
		cmp.Compare(number(a.EndRef), number(b.EndRef)),
	)
}

// refusal is an omission with the draft that it is of.
type refusal struct {
	Omission
	draft int
}

// exact asks the executor for all in one call. Those pass that it folds as
// they are: the same messages, no block consumed, nothing to warn of.
func (k *Kernel) exact(r Run, waiting []admission) (pass []admission, no []refusal) {
	var call Call
	for i := range waiting {
		c := &waiting[i].Candidate
		call.Ranges = append(call.Ranges, CallRange{StartRef: c.StartRef, EndRef: c.EndRef, Topic: &c.Label})
	}
	call, _ = k.withPlaceholders(call)
	x := k.execute(r.base(), r.sight.target, call, nil, 0)
	made := map[string]*Block{}
	for i := len(r.sight.blocks); i < len(x.facts.blocks); i++ {
		made[x.facts.blocks[i].ID] = x.facts.blocks[i].Block
	}
	for i, a := range waiting {
		v := &x.verdict.Ranges[i]
		o := Omission{Kind: a.Kind, StartRef: a.StartRef, EndRef: a.EndRef}
		switch {
		case v.Kind == Refused || v.Kind == Skipped:
			o.Reason, o.Sentence = OmitsRejected, v.Sentence
		case foldsExactly(v, made[v.BlockID], a.SourceMessageIDs):
			pass = append(pass, a)
			continue
		default:
			o.Reason = OmitsDrift
		}
		no = append(no, refusal{o, a.draft})
	}
	return pass, no
}

// foldsExactly reports whether a range makes a new block of these messages
// and of nothing else.
func foldsExactly(v *RangeVerdict, made *Block, ids []string) bool {
	return made != nil && len(v.Consumes) == 0 && len(v.Warnings) == 0 &&
		slices.Equal(made.DirectMessageIDs, ids) && slices.Equal(made.EffectiveMessageIDs, ids)
}
