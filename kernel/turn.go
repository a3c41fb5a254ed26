package kernel

import (
	"slices"
	"strings"
)

// engine is a list and a state with everything that follows from them. It has
// one owner; what it gives away never changes.
type engine struct {
	k *Kernel
	facts
	index   *index
	flow    *flow
	now     *lookup // of the last turn
	version int     // counts the runs that were made of it
	books   books   // of the newest run

	assigned int     // messages that have had their chance of a ref
	loose    []int32 // ids that got a ref since the last finished turn
	moved    bool    // blocks changed since the flow was made
	resync   bool    // which blocks are active must be asked again

	gone []string // ids of blocks that are active no more since the last turn was prepared
}

// engineOf starts an engine of a state over an empty list.
func (k *Kernel) engineOf(s State) *engine {
	e := &engine{k: k, facts: s.facts, flow: newFlow(k), resync: true, moved: true}
	if s.refs == nil {
		e.index = newIndex(&k.rules, 0)
	} else {
		l := *s.refs
		l.rules = &k.rules
		e.index = l.emptied()
	}
	e.promotion = k.config.PromotionThreshold
	e.lastPass = nil
	if s.refs == nil || s.refs.hashIDs || s.passed.n == 0 {
		e.lastPass = s.passIDs()
	}
	for i := range e.blocks {
		if e.blocks[i].SummaryTokens == 0 && e.blocks[i].Summary != "" {
			b := *e.blocks[i].Block
			b.SummaryTokens = k.count(b.Summary)
			e.blocks = slices.Clone(e.blocks)
			e.blocks[i].Block = &b
		}
	}
	return e
}

// emptied makes an index with the ids and refs of l and an empty list.
func (l *lookup) emptied() *index {
	x := newIndex(l.rules, l.name.Len())
	x.name, x.refs, x.hashIDs = l.name.builder(), l.refs.builder(), l.hashIDs
	for i := range l.name.Len() {
		x.names[*l.name.At(i)] = int32(i)
		facts := *l.ids.At(i)
		facts.at, facts.first = -1, -1
		x.ids.push(facts)
	}
	return x
}

// over is a list of other messages under the ids and refs of l.
func (l *lookup) over(messages []Message) *lookup {
	x := l.emptied()
	for i := range messages {
		x.append(messages[i])
	}
	return x.lookup()
}

// append puts messages at the end of the list.
func (e *engine) append(messages ...Message) {
	e.index.appendAll(messages)
	for i := range messages {
		if strings.HasPrefix(messages[i].ID, renderedPrefix) { // a block's summary stands here now
			e.moved, e.resync = true, true
		}
	}
}

// replace makes the list exactly these messages.
func (e *engine) replace(messages []Message) {
	e.index = e.index.lookup().emptied()
	e.append(messages...)
	e.flow = newFlow(e.k)
	e.assigned, e.moved, e.resync = 0, true, true
}

// prepare runs a turn up to the decision: refs, blocks, what is sent, what of
// it could be compressed.
func (e *engine) prepare() error {
	e.reconcile()
	given, err := e.index.assignRefs(e.assigned)
	e.loose = append(e.loose, given...)
	if err != nil {
		return err
	}
	e.assigned = e.index.log.n
	e.now, e.gone = e.index.lookup(), nil
	if e.resync || e.index.familiar {
		blocks, _ := e.sync(e.now)
		e.gone = leftBehind(e.blocks, blocks)
		e.moved = e.moved || len(blocks) > 0 && &blocks[0] != &e.blocks[0]
		e.blocks = blocks
		e.resync, e.index.familiar = false, false
	}
	e.turns++
	e.flow.follow(e.now, e.blocks, e.moved)
	e.moved = false
	e.hiddenOrphanRefs = e.flow.hidden.refs
	if e.hiddenOrphanRefs == nil {
		e.hiddenOrphanRefs = []string{}
	}
	return nil
}

// finish decides and leaves the traces of the turn in the state.
func (e *engine) finish(used Count) (Report, cutSet) {
	r := Report{Used: used, Limit: e.k.config.ModelContextLimit, Messages: e.index.log.n, Pending: e.pending()}
	r.Sent = Sent{Messages: e.flow.sent.n, Tokens: e.flow.sum.tokens}
	r.Kept = e.flow.sum.kept
	r.Kept.Fragments = max(0, e.flow.sum.foldable-r.Pending.T1)
	r.Nudge = question{&e.k.config, float64(used.Tokens), e.nudge, r.Pending}.decide()
	r.Nudge.TierTargetBlocks = e.targets(r.Nudge.Tier)
	r.Nudge.ContextBreakdown = e.flow.sum.breakdown
	r.Nudge.ContextBreakdown.Total, r.Nudge.ContextBreakdown.Growth = used.Tokens, r.Nudge.Breakdown.Growth
	e.nudge = e.nudge.stamp(used.Tokens, r.Nudge.Breakdown.NudgeGrowthTokens, r.Nudge.Tier)
	r.StampsAfter = e.nudge
	set, truncation := e.truncate(used.Tokens, &r.Nudge)
	r.Truncation = truncation
	e.dropRevived()
	return r, set
}

// fill adds the lists to a report of the turn that has just run.
func (e *engine) fill(r *Report) {
	r.Ranges = e.flow.ranges.list()
	r.Zone = e.zoneRefs()
	r.Nudge.Batches = e.offers()
	r.Nudge.ProtectedRanges = e.flow.protecteds.list()
	r.Nudge.ActiveBlockSpans = e.spans()
}

// offers are the batches of the turn: what it recommends. Without a size gate
// each range is one.
func (e *engine) offers() List[Range] {
	if e.k.gated() {
		return e.flow.batches.list()
	}
	return e.flow.ranges.list()
}

// dropRevived forgets dead refs whose message is in the list again.
func (e *engine) dropRevived() {
	var dead []string
	for _, ref := range e.deadRefs {
		if id, ok := e.now.exactRef(ref); !ok || e.now.ids.At(int(id)).at < 0 {
			dead = append(dead, ref)
		}
	}
	e.deadRefs = dead
}

// exactRef is the id that a ref names as it is written, without reading zeros
// into it.
func (l *lookup) exactRef(ref string) (int32, bool) {
	number, ok := refNumber(ref)
	if !ok || formatRef(number) != ref {
		return 0, false
	}
	return l.refID(number)
}

// output is what leaves the turn: what is sent, after truncation.
func (e *engine) output(set cutSet) []Message {
	out := make([]Message, e.flow.sent.n)
	for place := range out {
		out[place] = *e.flow.message(e.now, *e.flow.sent.at(place))
	}
	for _, place := range set.places {
		out[place] = shortened(&out[place])
	}
	return out
}

// state is the engine's state as a value.
func (e *engine) state() State {
	l := e.index.lookup()
	return State{facts: e.facts, refs: l, passed: l.log}
}

// Output is what leaves a turn: the messages as they are sent, after
// truncation, without ref tags.
type Output struct {
	engine *engine
	cut    cutSet
}

// Messages are the messages in order.
func (o Output) Messages() []Message {
	if o.engine == nil {
		return nil
	}
	return o.engine.output(o.cut)
}

// Turn runs one turn over a list with the host's token count. It gives the
// state after it, what it found and what leaves it. The list must not be
// changed afterwards. A ref that cannot be given is the only failure; the
// state then stays as it was, the report and the output are empty.
func (k *Kernel) Turn(s State, log []Message, used Tokens) (State, Report, Output) {
	e := k.engineOf(s)
	e.append(log...)
	if err := e.prepare(); err != nil {
		return s, Report{}, Output{}
	}
	report, set := e.finish(Count{Tokens: used, Source: CountRecorded})
	e.fill(&report)
	return e.state(), report, Output{e, set}
}
