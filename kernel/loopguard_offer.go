package kernel

import (
	"fmt"
	"strings"
)

// SpecOf names a call by its ranges: start..end of each, joined by commas, as
// refs are printed.
func SpecOf(c Call) string {
	var parts []string
	for _, r := range c.Ranges {
		parts = append(parts, plainRef(r.StartRef)+".."+plainRef(r.EndRef))
	}
	return strings.Join(parts, ",")
}

// plainRef prints a boundary as refs are printed; what is none stays as it is,
// trimmed.
func plainRef(text string) string {
	b, ok := parseBoundary(text)
	switch {
	case !ok:
		return b.text
	case b.block:
		return fmt.Sprintf("b%d", b.number)
	}
	return formatRef(b.number)
}

// codesOf is what the executor says of each range, in codes.
func codesOf(v *Verdict) string {
	var parts []string
	for i := range v.Ranges {
		parts = append(parts, v.Ranges[i].Code)
	}
	return strings.Join(parts, ",")
}

// refusalWords are the codes of a verdict in words that give no advice.
var refusalWords = map[string]string{
	"unknown-ref":        "it names a ref that does not exist in this session",
	"invalid-ref":        "one of its ends is no ref",
	"consumed-ref":       "its messages are not visible any more",
	"dead-ref":           "its messages are gone for good",
	"already-compressed": "it is folded already",
	"no-new-content":     "everything in it is folded already",
	"nothing-left":       "everything in it is folded already or protected",
	"protected-only":     "it lies entirely in the recent zone",
	"splits-turn":        "it would split a call from its result or a reply from its reasoning",
	"overlap":            "it overlaps another range of the same call",
	"summary-empty":      "it has no summary",
	"summary-too-short":  "its summary is too short",
	"summary-too-long":   "its summary is too long",
}

// refusalReason says in few words why a call failed. It gives no advice: a
// host says it of a call that was made again and again.
func refusalReason(v *Verdict) string {
	for i := range v.Ranges {
		r := &v.Ranges[i]
		if r.Kind != Refused && r.Kind != Skipped {
			continue
		}
		if r.Code == "too-small" && v.Gate != nil {
			return fmt.Sprintf("%s of %s %s", num(v.Gate.Left), num(v.Gate.Right), v.Gate.Unit)
		}
		if words, ok := refusalWords[r.Code]; ok {
			return words
		}
		return strings.ReplaceAll(r.Code, "-", " ")
	}
	if len(v.Ranges) == 0 {
		return "it holds no range"
	}
	return "the host refused it, though the executor would take it"
}

// attempt is a compress call of the agent, as a guard counts it.
func (f *FoldRecord) attempt() Attempt {
	var asked Call
	for i := range f.Verdict.Ranges {
		asked.Ranges = append(asked.Ranges, CallRange{StartRef: f.Verdict.Ranges[i].StartRef, EndRef: f.Verdict.Ranges[i].EndRef})
	}
	a := Attempt{CallID: f.CallID, Outcome: f.Host, Spec: SpecOf(asked), Tokens: f.Used, Answer: codesOf(&f.Verdict)}
	if f.Applied && f.Host == NoOutcome { // a recording says so by carrying it out
		a.Outcome = Failed
		if f.Verdict.Ok() {
			a.Outcome = Succeeded
		}
	}
	if a.Outcome.failed() {
		a.Reason = refusalReason(&f.Verdict)
	}
	return a
}

// again is the sentence for a call that will be refused as before: it failed
// at least twice and the executor says the same of it still.
func (g *Guard) again(c Call, v *Verdict) (string, bool) {
	r, ok := g.refused(SpecOf(c), codesOf(v))
	return "will be rejected again: " + r.Reason, ok
}

// RefusedAgain reports whether c would be refused as it was at least twice
// before, and says so. Such a call is not worth offering until the executor
// answers differently.
func (k *Kernel) RefusedAgain(r Run, c Call) (sentence string, again bool) {
	v := k.Check(r, c)
	sentence, again = r.guard.again(c, &v)
	if !again {
		return "", false
	}
	return sentence, true
}

// offering asks the executor about what nudges offer, at one moment.
type offering struct {
	k     *Kernel
	state facts
	list  *lookup
	guard *Guard
}

// batches looks for one that the executor takes by itself. For tiers 2 and 3
// it asks about the call over all targets.
func (o offering) batches(d *Decision) Offer {
	out := Offer{Unit: "batches"}
	if d.Tier > 1 {
		out.Unit = "calls"
		n := len(d.TierTargetBlocks)
		if n == 0 {
			out.Sentence = "there is no block to consume"
			return out
		}
		o.try(&out, d.TierTargetBlocks[0], d.TierTargetBlocks[n-1])
		return out
	}
	for i := range d.Batches.Len() {
		if b := d.Batches.At(i); o.try(&out, b.StartRef, b.EndRef) {
			return out
		}
	}
	if out.Sentence == "" {
		out.Sentence = "there is no batch"
	}
	return out
}

// try asks about one range. Where nothing is taken the first sentence stands.
func (o offering) try(out *Offer, from, to string) bool {
	call, _ := o.k.withPlaceholders(Call{Ranges: []CallRange{{StartRef: from, EndRef: to}}})
	v := o.k.execute(o.state, o.list, call, nil, 0).verdict
	sentence, again := o.guard.again(call, &v)
	switch {
	case !again && v.Ok():
		out.Taken, out.Sentence = 1, ""
		return true
	case out.Sentence != "":
	case again:
		out.Sentence = fmt.Sprintf("%s..%s %s", from, to, sentence)
	default:
		out.Sentence = fmt.Sprintf("the executor takes nothing of what is offered: %s", v.Ranges[0].Sentence)
	}
	return false
}

// planned counts the candidates of a plan that succeeded.
func (o offering) planned(p *Plan) Offer {
	out := Offer{Unit: "candidates"}
	for i := range p.Candidates {
		call, _ := o.k.withPlaceholders(Call{Ranges: []CallRange{{StartRef: p.Candidates[i].StartRef, EndRef: p.Candidates[i].EndRef}}})
		v := o.k.execute(o.state, o.list, call, nil, 0).verdict
		if _, again := o.guard.again(call, &v); !again {
			out.Taken++
		}
	}
	if out.Taken == 0 {
		out.Sentence = "0 executable candidates"
	}
	return out
}
