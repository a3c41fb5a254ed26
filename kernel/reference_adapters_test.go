package kernel

import (
	"encoding/json"
	"fmt"
)

// The suites ask the kernel through these functions only: plain inputs, plain
// answers.

func adaptState(v vectorState) (State, error) {
	data, err := v.json()
	if err != nil {
		return State{}, err
	}
	var s State
	err = json.Unmarshal(data, &s)
	return s, err
}

// engineOver is an engine of a saved state over a list that is sent as it is:
// covered messages are known but not pruned, compress calls not hidden.
func engineOver(k *Kernel, log []Message, v vectorState) (*engine, error) {
	s, err := adaptState(v)
	if err != nil {
		return nil, err
	}
	e := k.engineOf(s)
	e.append(log...)
	e.now = e.index.lookup()
	e.flow.setBlocks(e.now, e.blocks)
	e.flow.pruning, e.flow.anchors = false, nil
	e.flow.extendSent(e.now, 0)
	return e, nil
}

// idsWhere are the ids of the list's messages for which a rule holds.
func idsWhere(l *lookup, holds func(s *slot, m *Message) bool) []string {
	var ids []string
	for i := range l.log.Len() {
		if m := l.log.At(i); holds(l.slots.At(i), m) {
			ids = append(ids, m.ID)
		}
	}
	return ids
}

// adaptIndexToRef prints a number that may be out of bounds, which the kernel
// never does.
func adaptIndexToRef(index float64) (string, error) {
	if index < 1 || index > maxRef || index != float64(int(index)) {
		return "", fmt.Errorf("ref index out of bounds: %s (allowed 1-%d)", num(index), maxRef)
	}
	return formatRef(int32(index)), nil
}

func adaptRefToIndex(ref string) (int, bool) {
	number, ok := refNumber(ref)
	return int(number), ok
}

func adaptParseBoundary(ref string) (kind string, number int, raw string, ok bool) {
	b, ok := parseBoundary(ref)
	kind = "message"
	if b.block {
		kind = "block"
	}
	return kind, int(b.number), b.text, ok
}

func adaptHighestUsedIndex(byRaw map[string]string) (int, error) {
	refs := vectorState{MessageRefs: &vectorRefs{ByRaw: byRaw}}
	e, err := engineOver(New(Default(0), nil), nil, refs)
	if err != nil {
		return 0, err
	}
	return int(e.index.nextRef()) - 1, nil
}

func adaptAssignRefs(config Config, log []Message, given vectorRefs) (refs vectorRefs, next, assigned int, err error) {
	e, err := engineOver(New(config, nil), log, vectorState{MessageRefs: &given})
	if err != nil {
		return refs, 0, 0, err
	}
	before := e.index.refs.n
	if _, err := e.index.assignRefs(0); err != nil {
		return refs, 0, 0, err
	}
	saved, err := savedOf(e.state())
	return saved.MessageRefs, int(e.index.nextRef()), e.index.refs.n - before, err
}

// protection is, in message order, the ids for which each rule holds; zone is
// refs in ascending order.
type protection struct{ zone, neverRecent, protected, paired, latest []string }

func adaptProtection(config Config, log []Message, v vectorState) (protection, error) {
	e, err := engineOver(New(config, nil), log, v)
	if err != nil {
		return protection{}, err
	}
	l, f := e.now, e.flow
	f.settleZone(l, 0)
	f.settleLatest(l)
	return protection{
		zone:        sortedRefs(e.zoneRefs()),
		neverRecent: idsWhere(l, func(s *slot, _ *Message) bool { return s.marks&markPassesZone != 0 }),
		protected:   idsWhere(l, func(s *slot, _ *Message) bool { return s.marks&markProtected != 0 }),
		paired:      idsWhere(l, l.isProtected),
		latest:      idsWhere(l, func(s *slot, m *Message) bool { return l.isLatest(s, m, f.latest) }),
	}, nil
}

// foundRanges is what a turn finds to compress.
type foundRanges struct {
	ranges    []Range
	protected []ProtectedRange
	batches   []Range
	viable    []string // start refs
}

func adaptRanges(config Config, log []Message, v vectorState, useZone bool) (foundRanges, error) {
	k := New(config, nil)
	e, err := engineOver(k, log, v)
	if err != nil {
		return foundRanges{}, err
	}
	f := e.flow
	if useZone {
		f.settleZone(e.now, 0)
	}
	f.settleLatest(e.now)
	f.classify(e.now, 0)
	f.tallyFrom(e.now, 0)
	found := foundRanges{ranges: f.ranges.list().All(), protected: f.protecteds.list().All(), batches: f.batches.list().All()}
	if !k.gated() {
		found.batches = found.ranges
	}
	for _, r := range viable(found.batches) {
		found.viable = append(found.viable, r.StartRef)
	}
	return found, nil
}

// rangeOf reads a range. Without chars it counts four for each token.
func (v vectorRange) rangeOf() Range {
	r := Range{
		StartRef: v.StartRef, EndRef: v.EndRef, Count: v.Count, Tokens: v.Tokens, Chars: Chars(v.Tokens * 4),
		ToolPct: v.ToolPct, TextPct: v.TextPct, Dangerous: v.Dangerous, StartIndex: noIndex, EndIndex: noIndex,
	}
	if v.Chars != nil {
		r.Chars = *v.Chars
	}
	if v.UserMsgs != nil {
		r.UserMsgs = *v.UserMsgs
	}
	if v.StartIndex != nil {
		r.StartIndex = *v.StartIndex
	}
	if v.EndIndex != nil {
		r.EndIndex = *v.EndIndex
	}
	return r
}

func rangesOf(list []vectorRange) []Range {
	var ranges []Range
	for _, v := range list {
		ranges = append(ranges, v.rangeOf())
	}
	return ranges
}

func adaptBatches(given []vectorRange, minChars int) ([]vectorRange, error) {
	config := Default(0)
	config.Compress.MinCompressRange = minChars
	if minChars <= 0 || len(given) == 0 {
		return given, nil
	}
	f := newFlow(New(config, nil))
	for _, r := range rangesOf(given) {
		f.addToBatch(r)
	}
	f.finishBatches()
	var batches []vectorRange
	for _, r := range f.batches.list().All() {
		v := vectorRange{
			StartRef: r.StartRef, EndRef: r.EndRef, Count: r.Count, Tokens: r.Tokens, Chars: &r.Chars,
			ToolPct: r.ToolPct, TextPct: r.TextPct, Dangerous: r.Dangerous, UserMsgs: &r.UserMsgs,
		}
		if r.StartIndex != noIndex {
			v.StartIndex, v.EndIndex = &r.StartIndex, &r.EndIndex
		}
		batches = append(batches, v)
	}
	return batches, nil
}

// adaptViable keeps of the given ranges those that the kernel keeps; a range
// is known by its refs.
func adaptViable(given []vectorRange) ([]vectorRange, error) {
	var kept []vectorRange
	for _, v := range given {
		if len(viable([]Range{v.rangeOf()})) == 1 {
			kept = append(kept, v)
		}
	}
	return kept, nil
}

// largeEnough are the tokens of the batches that the executor would take.
func largeEnough(k *Kernel, ranges []Range) Tokens {
	var sum Tokens
	for _, r := range ranges {
		if !k.gated() || k.enough(k.size(r.Chars, r.Tokens)) {
			sum += r.Tokens
		}
	}
	return sum
}

// adaptPending gives tokens and target blocks by tier; index 0 is unused.
func adaptPending(in pendingInput) (pending [4]Tokens, targets [4][]string, err error) {
	config := Default(0)
	config.Compress.MinCompressRange = in.MinCompressRange
	k := New(config, nil)
	e, err := engineOver(k, nil, vectorState{Blocks: in.Blocks})
	if err != nil {
		return pending, targets, err
	}
	p := tierPending(e.blocks)
	pending = [4]Tokens{0, largeEnough(k, rangesOf(in.RecommendedRanges)), p.T2, p.T3}
	for tier := Tier(1); tier <= 3; tier++ {
		targets[tier] = e.targets(tier)
	}
	return pending, targets, nil
}

func adaptDecide(in nudgeInput, log []Message) (Decision, NudgeState, error) {
	k := New(in.Config, nil)
	e, err := engineOver(k, log, vectorState{Blocks: in.Blocks, MessageRefs: &in.MessageRefs, Nudge: in.Nudge})
	if err != nil {
		return Decision{}, NudgeState{}, err
	}
	f := e.flow
	for place := range f.sent.n {
		f.countIn(f.message(e.now, *f.sent.at(place)))
	}
	for _, r := range rangesOf(in.RecommendedRanges) {
		f.ranges.push(r)
		f.batches.push(r)
	}
	if k.gated() { // else the ranges themselves are counted
		f.pending = largeEnough(k, f.batches.list().All())
	}
	var protected []ProtectedRange
	if err := recode(in.ProtectedRanges, &protected); err != nil {
		return Decision{}, NudgeState{}, err
	}
	for _, p := range protected {
		f.protecteds.push(p)
	}
	report, _ := e.finish(Count{Tokens: in.TokenCount, Source: CountRecorded})
	e.fill(&report)
	return report.Nudge, report.StampsAfter, nil
}

func adaptPrune(log []Message, v vectorState) ([]Message, error) {
	e, err := engineOver(New(Default(0), nil), log, v)
	if err != nil {
		return nil, err
	}
	e.flow.setBlocks(e.now, e.blocks)
	e.flow.extendSent(e.now, 0)
	return e.output(cutSet{}), nil
}

func adaptSync(log []Message, v vectorState, promotion int) (blocks []Block, deactivated []string, err error) {
	config := Default(0)
	config.PromotionThreshold = promotion
	e, err := engineOver(New(config, nil), log, v)
	if err != nil {
		return nil, nil, err
	}
	e.blocks, deactivated = e.sync(e.now)
	e.turns++
	return e.all(), deactivated, nil
}

func adaptHide(log []Message, v vectorState) (kept []Message, hidden int, orphans []string, err error) {
	e, err := engineOver(New(Default(0), nil), log, v)
	if err != nil {
		return nil, 0, nil, err
	}
	e.flow.hide(e.now, e.blocks)
	e.flow.extendSent(e.now, 0)
	kept = e.output(cutSet{})
	return kept, len(log) - len(kept), e.flow.hidden.refs, nil
}

func adaptTurnGroups(log []Message) ([][]string, error) {
	e, err := engineOver(New(Default(0), nil), log, vectorState{})
	if err != nil {
		return nil, err
	}
	q := sentSequence{e.flow, e.now}
	var groups [][]string
	for _, g := range turnGroups(q, 0, len(log)) {
		var ids []string
		for _, place := range g.members(q) {
			ids = append(ids, log[place].ID)
		}
		groups = append(groups, ids)
	}
	return groups, nil
}

func adaptWithdrawals(log []Message, foldedIDs []string) (withdrawn []string, turns, pairs int, err error) {
	e, err := engineOver(New(Default(0), nil), log, vectorState{})
	if err != nil {
		return nil, 0, 0, err
	}
	asked := make(map[string]bool, len(foldedIDs))
	for _, id := range foldedIDs {
		asked[id] = true
	}
	folded := make([]bool, len(log))
	for i := range log {
		folded[i] = asked[log[i].ID]
	}
	q := sentSequence{e.flow, e.now}
	w := newWithdrawals(q, 0, len(log), folded)
	w.run()
	kept := make([]bool, len(log))
	for i, g := range w.groups {
		for _, place := range g.members(q) {
			kept[place] = kept[place] || w.turnDone[i]
		}
		for place := g.replies; place < g.to; place++ {
			if w.pairDone[q.callAt(int(place))] && q.firstResult(int(place)) >= 0 {
				kept[place], kept[q.firstResult(int(place))] = true, true
			}
		}
	}
	for i := range log {
		if kept[i] {
			withdrawn = append(withdrawn, log[i].ID)
		}
	}
	return withdrawn, w.turns, w.pairs, nil
}

func adaptTruncate(k *Kernel, log []Message, used Tokens) ([]Message, error) {
	e, err := engineOver(k, log, vectorState{})
	if err != nil {
		return nil, err
	}
	usage := float64(used) / float64(k.config.ModelContextLimit)
	set, _ := e.truncate(used, &Decision{ContextUsage: usage})
	return e.output(set), nil
}

func adaptResolve(log []Message, v vectorState, startRef, endRef string) (vectorResolved, error) {
	e, err := engineOver(New(Default(0), nil), log, v)
	if err != nil {
		return vectorResolved{}, err
	}
	r := newResolver(e.now, &e.facts).resolve(startRef, endRef)
	if r.failure != "" {
		return vectorResolved{Kind: string(r.failure), Endpoint: r.endpoint, Message: r.message}, nil
	}
	from, to, kind := int(r.from), int(r.to), "message"
	ids, nested, snaps := []string{}, []string{}, list(r.snaps)
	for _, at := range r.positions {
		ids = append(ids, log[at].ID)
	}
	for _, i := range r.nested {
		nested = append(nested, e.blocks[i].ID)
	}
	if r.block {
		kind = "block"
	}
	return vectorResolved{
		OK: true, StartIndex: &from, EndIndex: &to, MessageIDs: &ids, NestedBlockIDs: &nested,
		BoundaryKind: kind, SnappedBoundaries: &snaps, ReversedNote: r.reversed,
	}, nil
}

func adaptToolPairs(log []Message, from, to int) (start, end int, err error) {
	e, err := engineOver(New(Default(0), nil), log, vectorState{})
	if err != nil {
		return 0, 0, err
	}
	a, b := e.now.widenTools(int32(from), int32(to))
	return int(a), int(b), nil
}

func adaptReasoningPairs(log []Message, from, to int) (start, end int, err error) {
	e, err := engineOver(New(Default(0), nil), log, vectorState{})
	if err != nil {
		return 0, 0, err
	}
	a, b := e.now.widenReasoning(int32(from), int32(to))
	return int(a), int(b), nil
}
