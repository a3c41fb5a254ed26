package kernel

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
)

// NudgeKind is which text a nudge has.
type NudgeKind string

// The kinds of nudge texts.
const (
	NudgeGentle    NudgeKind = "T1 gentle"
	NudgeEmergency NudgeKind = "T1 emergency" // in the over-limit band too
	NudgeTier2     NudgeKind = "T2"
	NudgeTier3     NudgeKind = "T3"
)

// NudgeText is what a host would put before the model to carry out a nudge.
// Its data lines (breakdown, ranges, targets, trigger, example) are those that
// hosts agree on; the prose is this program's own.
type NudgeText struct {
	Kind       NudgeKind `json:"kind"`
	Full       bool      `json:"full"`       // with all the rules, as the first of its kind is
	Text       string    `json:"text"`       // what would be sent
	Tokens     Tokens    `json:"tokens"`     // of Text, by the kernel's counter
	FullText   string    `json:"fullText"`   // the same with all the rules
	FullTokens Tokens    `json:"fullTokens"` // of FullText
	Rules      string    `json:"rules"`      // names the wording of the rules: another wording has another name
}

// NudgeText renders the text for the nudge of a run as it stands. It does not
// ask whether there is one: without a nudge it is what a tier-1 nudge would
// say. It is short when the model was given the rules for its kind before and
// they are still in what it sees. With a plan that found something, its
// candidates stand in place of the ranges; nil asks for the ranges.
func (k *Kernel) NudgeText(r Run, plan *Plan) NudgeText {
	f := r.base()
	return k.RenderNudge(r.now.Nudge, f.named(r.now.Nudge.TierTargetBlocks), plan, !r.told.holds(kindOf(&r.now.Nudge)))
}

// RenderNudge is NudgeText for any decision, for example that of a finished
// turn. Of the blocks it reads those that the decision targets, as they stood
// then.
func (k *Kernel) RenderNudge(d Decision, blocks []Block, plan *Plan, full bool) NudgeText {
	w := nudgeWriter{decision: &d, plan: plan}
	for _, b := range blocks {
		if slices.Contains(d.TierTargetBlocks, b.ID) {
			w.targets = append(w.targets, b)
		}
	}
	kind := kindOf(&d)
	t := NudgeText{Kind: kind, Full: full, Rules: rulesOf(kind), FullText: w.full(kind)}
	t.FullTokens = k.count(t.FullText)
	t.Text, t.Tokens = t.FullText, t.FullTokens
	if !full {
		t.Text = w.short(kind)
		t.Tokens = k.count(t.Text)
	}
	return t
}

// named are the blocks with these ids, in the order of their making.
func (f *facts) named(ids []string) []Block {
	wanted := make(map[string]bool, len(ids))
	for _, id := range ids {
		wanted[id] = true
	}
	var out []Block
	for i := range f.blocks {
		if wanted[f.blocks[i].ID] {
			out = append(out, f.block(i))
		}
	}
	return out
}

// kindOf is the kind of text that a decision asks for.
func kindOf(d *Decision) NudgeKind {
	switch {
	case d.Tier == 2:
		return NudgeTier2
	case d.Tier == 3:
		return NudgeTier3
	case urgent(d):
		return NudgeEmergency
	}
	return NudgeGentle
}

// urgent reports whether the text speaks in the voice of an emergency.
func urgent(d *Decision) bool {
	return d.Breakdown.OverLimit != 0 || d.Breakdown.EmergencyOverride != 0
}

// rulesOf names the wording of a kind's rules.
func rulesOf(kind NudgeKind) string {
	h := fnv.New64a()
	texts := map[NudgeKind][]string{
		NudgeGentle:    {proseEfficiency, proseHowTo, proseOneCall},
		NudgeEmergency: {proseEmergency, proseHowTo, proseOlderFirst, proseOneCall},
		NudgeTier2:     {proseEfficiency, proseTier2Guidance, proseHowTo, proseTier2Rules},
		NudgeTier3:     {proseEfficiency, proseTier3Guidance, proseHowTo, proseTier3Rules},
	}
	for _, text := range texts[kind] {
		h.Write([]byte(text))
	}
	return fmt.Sprintf("%016x", h.Sum64())
}

// nudgeWriter puts a text together.
type nudgeWriter struct {
	decision *Decision
	plan     *Plan
	targets  []Block
}

// full is the text with all the rules.
func (w *nudgeWriter) full(kind NudgeKind) string {
	d := w.decision
	var parts []string
	switch kind {
	case NudgeGentle:
		parts = []string{proseEfficiency, "", breakdownLines(&d.ContextBreakdown), "", proseHowTo, "", w.list()}
	case NudgeEmergency:
		parts = []string{proseEmergency, "", breakdownLines(&d.ContextBreakdown), "", proseHowTo, "", proseOlderFirst, "", w.list()}
	default:
		return w.fullTier(kind)
	}
	if len(d.ActiveBlockSpans) > 0 {
		parts = append(parts, "", blockMap(d.ActiveBlockSpans))
	}
	return lines(append(parts, "", proseOneCall)...)
}

func (w *nudgeWriter) fullTier(kind NudgeKind) string {
	guidance, rules, trigger := proseTier2Guidance, proseTier2Rules, w.trigger(kind)
	if kind == NudgeTier3 {
		guidance, rules = proseTier3Guidance, proseTier3Rules
	}
	if urgent(w.decision) {
		trigger += proseUrgent
	}
	return lines(proseEfficiency, "", breakdownLines(&w.decision.ContextBreakdown), "",
		trigger, guidance, targetList(w.targets), targetExample(w.targets), "", proseHowTo, "", rules)
}

// trigger is the tag that says which tier is asked for.
func (w *nudgeWriter) trigger(kind NudgeKind) string {
	switch {
	case kind == NudgeTier3 && urgent(w.decision):
		return tagTier3Emergency
	case kind == NudgeTier3:
		return tagTier3
	case urgent(w.decision):
		return tagTier2Emergency
	}
	return tagTier2
}

// short is the text of a kind whose rules the model was given before. The list
// is never left out.
func (w *nudgeWriter) short(kind NudgeKind) string {
	parts := []string{prosePurpose[kind], breakdownLines(&w.decision.ContextBreakdown)}
	if kind == NudgeTier2 || kind == NudgeTier3 {
		parts = append(parts, w.trigger(kind), targetList(w.targets), targetExample(w.targets))
	} else {
		parts = append(parts, w.list())
		if from, to, ok := w.first(); ok {
			parts = append(parts, example(from, to))
		}
	}
	return lines(append(parts, proseGivenEarlier)...)
}

// planned reports whether candidates take the place of the ranges.
func (w *nudgeWriter) planned() bool { return w.plan != nil && len(w.plan.Candidates) > 0 }

// list is what may be folded: candidates, or the ranges.
func (w *nudgeWriter) list() string {
	if w.planned() {
		return w.plan.Text()
	}
	return rangeList(viable(w.decision.Batches.All()), w.decision.ProtectedRanges.All())
}

// first is the refs of the first thing on the list that may be folded.
func (w *nudgeWriter) first() (from, to string, ok bool) {
	if w.planned() {
		return w.plan.Candidates[0].StartRef, w.plan.Candidates[0].EndRef, true
	}
	for i := range w.decision.Batches.Len() {
		if r := w.decision.Batches.At(i); r.Tokens >= viableTokens {
			from, to = orderedRefPair(r.StartRef, r.EndRef)
			return from, to, true
		}
	}
	return "", "", false
}

func lines(parts ...string) string { return strings.Join(parts, "\n") }
