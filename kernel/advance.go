package kernel

import (
	"slices"
	"strings"
)

func placeholder(length int) string { return strings.Repeat("x", length) }

// meter is what is known of the context size.
type meter struct {
	total    Tokens // reported with the last usage
	at       int    // length of the list then
	known    bool   // something was reported, and the host did not rewrite its list since
	old      bool   // a fold came since
	recorded bool   // total was given by a recording
}

// runner is a run while it is advanced. It owns the engine.
type runner struct {
	k *Kernel
	Run
	e     *engine
	visit func(Step)
	*books
}

// books are what a run writes down, while it writes.
type books struct {
	journal listBuilder[jot]
	epochs  listBuilder[epoch]
	saves   listBuilder[save]
	turns   listBuilder[TurnRecord]
	folds   listBuilder[FoldRecord]
}

func (p past) books() books {
	return books{p.journal.builder(), p.epochs.builder(), p.saves.builder(), p.turns.builder(), p.folds.builder()}
}

func (b *books) past() past {
	return past{b.journal.list(), b.epochs.list(), b.saves.list(), b.turns.list(), b.folds.list()}
}

const savesEvery = 64 // turns

// open takes a run up where it stands. If its engine went on with another run,
// it gets one of its own.
func (k *Kernel) open(r Run) *runner {
	w := &runner{k: k, Run: r, e: r.engine}
	if w.e == nil || w.e.version != r.version {
		w.e = k.engineFor(r)
	}
	w.e.facts = r.facts
	w.e.uncommit(r.committed)
	w.books = &w.e.books
	return w
}

// engineFor makes an engine that stands as the run does.
func (k *Kernel) engineFor(r Run) *engine {
	return &engine{k: k, facts: r.facts, index: r.index.index(), flow: newFlow(k), books: r.past.books(), resync: true, moved: true}
}

// close gives the run as a value.
func (w *runner) close() Run {
	w.e.version++
	r := w.Run
	r.engine, r.version = w.e, w.e.version
	r.facts = w.e.facts
	r.committed.loose = w.e.loose
	r.past = w.books.past()
	return r
}

// uncommit takes back the refs that came after the last turn: whether a
// message gets one, and which, is for the next turn to say.
func (e *engine) uncommit(c turnRefs) {
	for _, id := range c.loose {
		facts := *e.index.ids.at(int(id))
		facts.ref = 0
		e.index.ids.set(int(id), facts)
	}
	e.index.refs.cut(c.refs)
	e.assigned, e.loose = c.assigned, nil
	if len(e.k.rules.latest) > 0 { // the same message may then get another ref
		e.flow = newFlow(e.k)
	}
}

// apply takes one entry.
func (w *runner) apply(entry *Entry) {
	j := jot{epoch: int32(w.epochs.n), pos: int32(w.e.index.log.n)}
	switch {
	case entry.Op == Reply || entry.Op == Usage:
		j.note = &note{op: entry.Op, replyID: entry.ReplyID, time: entry.Time, used: entry.Used, before: w.meter}
	case entry.Op != Append || w.recording:
		own := *entry
		j.rare = &own
	}
	w.journal.push(j)
	switch entry.Op {
	case Append:
		w.e.append(entry.Message)
		if !w.recording && w.afterMessage() {
			j.acted = true
			w.journal.set(w.journal.n-1, j)
		}
	case Reply:
		w.turn(entry)
	case Usage:
		w.meter = meter{total: entry.Used, at: w.e.index.log.n, known: true}
	case Replace:
		w.replace(entry.List)
		w.meter.known = false
		w.rewritten = true
		w.told = nil
	case RecordedTurn:
		w.recordedTurn(entry)
	case Compress:
		w.recordedCall(entry)
	case Remove:
		w.removed = append(w.removed[:len(w.removed):len(w.removed)], entry.IDs...)
	case View:
		w.pruned = entry.PrunedView
	case Recording:
		w.recording = true
	}
}

// replace starts a new epoch with a list of its own.
func (w *runner) replace(list []Message) {
	w.epochs.push(epoch{w.e.index.log.list()})
	w.e.replace(list)
	w.lastTurn = 0
	w.committed.assigned = 0
}

// turn runs the turn of a reply over the list as it stands.
func (w *runner) turn(entry *Entry) {
	if w.e.prepare() != nil {
		w.diverge("refs ran out")
		return
	}
	w.finishTurn(entry, w.count())
	w.saveAtTimes()
}

// count is the context size that a host knows at this moment: what was
// reported and an estimate of what came after it, or an estimate of what is
// sent.
func (w *runner) count() Count { return w.countIn(w.e) }

func (w *runner) countIn(e *engine) Count {
	if !w.meter.known {
		size := e.flow.sum.tokens
		return Count{Tokens: size, Source: CountEstimate, Estimated: size}
	}
	c := Count{Tokens: w.meter.total, Source: CountReported, Reported: w.meter.total, Old: w.meter.old}
	if w.meter.recorded {
		c.Source, c.Reported = CountRecorded, 0
	}
	for pos := w.meter.at; pos < w.e.index.log.n; pos++ {
		c.Estimated += w.e.index.log.at(pos).Size()
	}
	if c.Estimated > 0 {
		c.Tokens += c.Estimated
		if !w.meter.recorded {
			c.Source = CountExtended
		}
	}
	return c
}

// finishTurn decides and records the turn.
func (w *runner) finishTurn(entry *Entry, used Count) cutSet {
	report, set := w.e.finish(used)
	report.Turn = w.turns.n + 1
	if report.Nudge.ShouldInject { // the text and the guard look at the lists
		w.e.fill(&report)
	}
	guard := w.guarded(&report, set, w.lastTurn)
	w.committed = turnRefs{assigned: w.e.index.log.n, refs: w.e.index.refs.n}
	w.e.loose = nil
	w.lastTurn = w.e.index.log.n
	record := TurnRecord{
		Number: report.Turn, ReplyID: entry.ReplyID, Time: entry.Time, Messages: report.Messages, Used: used,
		Inject: report.Nudge.ShouldInject, Tier: report.Nudge.Tier, Reason: report.Nudge.Reason, Band: report.Nudge.Band,
		Pending: report.Pending, Ready: report.Nudge.Ready, Growth: report.Nudge.Breakdown.Growth,
		Sent: report.Sent, Kept: report.Kept, Saved: report.Truncation.Saved, Gone: w.e.gone, Stamps: report.StampsAfter, Compaction: w.rewritten,
		Text: w.tell(&report), Guard: guard,
	}
	w.offered = w.e.offers()
	record.Batches = w.offered.Len()
	w.rewritten = false
	w.turns.push(record)
	if w.e.index.hashIDs {
		w.e.lastPass = w.e.passIDs()
	}
	if w.visit != nil {
		w.visit(Step{
			Turn: &record, Report: w.reporter(report), State: w.e.nudge, Blocks: w.e.all(),
			Sent: func() []string { return w.e.sentIDs() },
		})
	}
	return set
}

// reporter gives a turn's report, complete, while the turn is the newest.
func (w *runner) reporter(report Report) func() Report {
	return func() Report {
		w.e.fill(&report)
		return report
	}
}

// saveAtTimes keeps the run as it stands, to go back to, now and then.
func (w *runner) saveAtTimes() {
	if w.turns.n%savesEvery != 0 {
		return
	}
	r := w.Run
	r.engine, r.facts, r.index = nil, w.e.facts, w.e.index.lookup()
	r.now, r.sight = Report{}, sight{}
	r.past = past{turns: w.turns.list(), folds: w.folds.list()}
	w.saves.push(save{w.journal.n, w.epochs.n, &r})
	w.saves = thinned(w.saves.list())
}

// thinned drops saves so that they stand farther apart the older they are, half
// of their age at least: to go back far is rare and may take longer,
// and after a rewrite of the list a save shares little with the next.
func thinned(all List[save]) listBuilder[save] {
	newest := all.At(all.n - 1).entries
	var kept []save
	for i := all.n - 1; i >= 0; i-- {
		s := *all.At(i)
		if n := len(kept); n < 2 || 2*(kept[n-1].entries-s.entries) >= newest-kept[n-1].entries {
			kept = append(kept, s)
		}
	}
	slices.Reverse(kept)
	return ListOf(kept...).builder()
}

func (e *engine) passIDs() []string {
	ids := make([]string, e.index.log.n)
	for i := range ids {
		ids[i] = e.index.log.at(i).ID
	}
	return ids
}

// sentIDs are the ids of what leaves the turn, in order.
func (e *engine) sentIDs() []string {
	ids := make([]string, e.flow.sent.n)
	for place := range ids {
		ids[place] = e.flow.message(e.now, *e.flow.sent.at(place)).ID
	}
	return ids
}
