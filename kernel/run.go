package kernel

// Run is a session followed so far: its journal, the turns that it finished
// and the evaluation of the list as it stands. Runs are values: advancing one
// leaves it as it was, and it may be read while another goroutine advances it.
type Run struct {
	engine  *engine // shared by the runs that follow one another; its owner is the newest
	version int     // of the engine when it stood as this run does

	facts              // the state after the last turn or fold
	index     *lookup  // the list that the engine holds, with the refs that the next turn gives
	committed turnRefs // what the last turn gave

	past   past
	extras []extra
	host   *hosted // nil: the run is a replay of its journal alone

	meter     meter
	recording bool
	pruned    bool        // the next recorded turn starts from the last one's output
	output    []Message   // of the last recorded turn, when pruned
	lastTurn  int         // length of the list at the last turn
	removed   []string    // ids that leave the list before the next recorded turn
	rewritten bool        // the host rewrote its list since the last turn
	offered   List[Range] // batches that the last turn recommended
	diverged  string
	told      told  // rules of nudges that the model still sees
	guard     Guard // of a host that guards against loops

	now   Report
	sight sight
}

// past is what a run wrote down.
type past struct {
	journal List[jot]
	epochs  List[epoch]
	saves   List[save]
	turns   List[TurnRecord]
	folds   List[FoldRecord]
}

// jot is one entry of the journal. A plain Append is not kept: its message
// stands in the list of its epoch. Replies and usages are many and kept in
// short.
type jot struct {
	rare  *Entry // any entry but those
	note  *note
	acted bool // of an Append: it folded or restored something
	epoch int32
	pos   int32
}

// note is a Reply or a Usage.
type note struct {
	op      Op
	replyID string
	time    int64
	used    Tokens
	before  meter // of a Usage: what was known before
}

// plain reports whether the entry is an Append that is not kept.
func (j *jot) plain() bool { return j.rare == nil && j.note == nil }

// entry is the entry as it was read; of a plain Append it is nil.
func (j *jot) entry() *Entry {
	if j.note == nil {
		return j.rare
	}
	return &Entry{Op: j.note.op, ReplyID: j.note.replyID, Time: j.note.time, Used: j.note.used}
}

// epoch is a stretch of the journal with one growing list.
type epoch struct {
	log List[Message] // as it was when the epoch ended
}

// save is a run as it stood behind some entry, to go back to.
type save struct {
	entries int
	epochs  int
	run     *Run
}

// extra is a call that a person tried: it is no part of the journal.
type extra struct {
	entries int // of the journal that it came behind
	call    Call
}

// turnRefs marks which refs a finished turn gave: what came later is given
// again by the next one.
type turnRefs struct {
	assigned int     // messages that had their chance
	refs     int     // ref numbers given
	loose    []int32 // ids that got a ref later
}

// Start is the run of an empty journal.
func (k *Kernel) Start() Run {
	r := Run{facts: NewState().facts, index: newIndex(&k.rules, 0).lookup()}
	r.facts.promotion = k.config.PromotionThreshold
	w := k.open(r)
	w.peek()
	return w.close()
}

// Log is the list of messages as it stands.
func (r Run) Log() List[Message] { return r.sight.list.log }

// Now is the evaluation of the list as it stands, made on a copy: the turn
// that a request at this moment would run.
func (r Run) Now() Report { return r.now }

// Turns are the finished turns, oldest first.
func (r Run) Turns() List[TurnRecord] { return r.past.turns }

// Folds are the compress calls met so far, oldest first.
func (r Run) Folds() List[FoldRecord] { return r.past.folds }

// Entries is the length of the journal read so far.
func (r Run) Entries() int { return r.past.journal.Len() }

// Stamps are the nudge's stamps after the last finished turn or fold.
func (r Run) Stamps() NudgeState { return r.facts.nudge }

// Ref is the printed ref of message i of the log: "m00012", "BLOCKED" for a
// message that is never folded and has no number, or empty.
func (r Run) Ref(i int) string { return formatRef(r.sight.list.ref(i)) }

// Index is the position in the log of the message that ref names, and whether
// there is one.
func (r Run) Index(ref string) (int, bool) {
	number, ok := refNumber(ref)
	if !ok {
		return 0, false
	}
	id, ok := r.sight.list.refID(number)
	if !ok || r.sight.list.ids.At(int(id)).at < 0 {
		return 0, false
	}
	return int(r.sight.list.ids.At(int(id)).at), true
}

// Blocks are all blocks in the order of their making, active as the list as
// it stands makes them.
func (r Run) Blocks() []Block {
	f := r.base()
	return f.all()
}

// State is the state after the last finished turn or fold.
func (r Run) State() State { return State{facts: r.facts, refs: r.index} }

// Diverged says where the replay left what the host did, or is empty: the
// refs after that point may differ from the host's.
func (r Run) Diverged() string { return r.diverged }

// WhatIf is the number of calls tried on this run that the transcript does
// not hold.
func (r Run) WhatIf() int { return len(r.extras) }

// Advance applies c to the journal of r, runs every turn that it finishes and
// evaluates the rest on a copy, so that looking never changes what comes next.
func (k *Kernel) Advance(r Run, c Change) Run { return k.AdvanceEach(r, c, nil) }

// AdvanceEach is Advance that hands each finished turn and each fold to visit,
// in order. The functions of a Step hold during the visit only.
func (k *Kernel) AdvanceEach(r Run, c Change, visit func(Step)) Run {
	if r.host != nil {
		return k.advanceHosted(r, c, visit)
	}
	w := k.open(r)
	w.visit = visit
	w.undo(c.Keep)
	for i := range c.Entries {
		w.apply(&c.Entries[i])
	}
	w.peek()
	return w.close()
}

// base is the state that a call at this moment would be judged on: what the
// last turn or fold left, with blocks and refs as the list as it stands makes
// them.
func (r Run) base() facts {
	f := r.facts
	f.blocks, f.hiddenOrphanRefs, f.deadRefs = r.sight.blocks, r.sight.orphanRefs, r.sight.deadRefs
	return f
}

// Check says what the executor would do with c now, range by range. It is
// Apply with the copy dropped. A range without a summary gets a placeholder of
// the least length, and the verdict says so.
func (k *Kernel) Check(r Run, c Call) Verdict {
	c, placeholder := k.withPlaceholders(c)
	v := k.execute(r.base(), r.sight.target, c, nil, 0).verdict
	v.Placeholder = placeholder
	return v
}

// Apply does what Check says: it gives the run with c's blocks in its state.
// The blocks are no part of the journal; later changes leave them standing
// unless the entries behind which they came are taken back.
func (k *Kernel) Apply(r Run, c Call) (Run, Verdict) {
	x := k.execute(r.base(), r.sight.target, c, nil, 0)
	if x.verdict.BlocksCreated == 0 {
		return r, x.verdict
	}
	w := k.open(r)
	w.tryOut(c, x)
	w.peek()
	return w.close(), x.verdict
}

// withPlaceholders fills in the summaries that are not written yet.
func (k *Kernel) withPlaceholders(c Call) (Call, bool) {
	filled := false
	ranges := make([]CallRange, len(c.Ranges))
	for i, r := range c.Ranges {
		if r.Summary == "" {
			length := int(max(1, k.config.Compress.MinSummaryLength))
			r.Summary, r.SummaryMaxChars, filled = placeholder(length), &length, true
		}
		ranges[i] = r
	}
	return Call{Ranges: ranges}, filled
}
