package kernel

// sight is what a run shows of the list as it stands.
type sight struct {
	blocks     []standing
	orphanRefs []string
	deadRefs   []string
	list       *lookup // that was evaluated
	target     *lookup // the list that a call at this moment would be carried out over

	sent    List[sentItem]
	sentAt  List[int32]
	covered []coverage
	owner   []int32 // by id number: the block that covers it, -1 without
	hidden  hiding
	latest  map[int32]bool
}

// peek evaluates the list as it stands and puts everything back.
func (w *runner) peek() {
	e, saved := w.e, w.e.facts
	list := w.nextList()
	if list == nil && e.index.hashIDs { // a look may give messages other ids
		list = e.index.log.list().All()
	}
	if list != nil {
		e = w.k.engineOf(State{facts: saved, refs: w.e.index.lookup()})
		e.append(list...)
	}
	familiar := e.index.familiar || e.resync
	if e.prepare() != nil {
		w.diverge("refs ran out")
	}
	report, set := e.finish(w.countIn(e))
	e.fill(&report)
	report.Turn = w.turns.n + 1
	w.now = report
	w.look(e, set)
	w.Run.index = e.now
	if e != w.e {
		w.Run.index = w.e.index.lookup()
		return
	}
	moved := len(e.blocks) > 0 && &e.blocks[0] != &saved.blocks[0]
	e.facts = saved
	e.moved, e.resync = moved, familiar || moved
}

// look keeps what the run shows of an evaluation.
func (w *runner) look(e *engine, set cutSet) {
	f := e.flow
	w.sight = sight{
		blocks: e.blocks, orphanRefs: e.hiddenOrphanRefs, deadRefs: e.deadRefs, list: e.now, target: w.target(e, set),
		sent: f.sent.list(), sentAt: f.sentAt.list(), covered: f.covered, owner: f.owner, hidden: f.hidden, latest: f.latest,
	}
}

// Standing says what became of message i of the log.
func (r Run) Standing(i int) Standing {
	s, m := r.sight.list.slots.At(i), r.sight.list.log.At(i)
	place := *r.sight.sentAt.At(i)
	block := r.coveredBy(s)
	switch {
	case place < 0 && block != "":
		return Standing{Kind: StandsFolded, BlockID: block}
	case place < 0 && r.sight.hidden.hides(r.sight.list, s, int32(i)):
		return Standing{Kind: StandsHidden, Why: "an old compress call that made no block which still stands"}
	case place < 0 && s.marks&markReasoning != 0:
		return Standing{Kind: StandsUnpaired, Why: "reasoning without a reply behind it"}
	case place < 0:
		return Standing{Kind: StandsUnpaired, Why: "its call or its result is not there"}
	case block != "":
		return Standing{Kind: StandsFoldedShown, BlockID: block, Why: "covered by a block, but the first user message always stays"}
	}
	return r.sentStanding(s, m, r.sight.sent.At(int(place)).status)
}

// coveredBy is the active block that covers a message by its id, or by its
// base id, or empty.
func (r Run) coveredBy(s *slot) string {
	if s.id < 0 {
		return ""
	}
	for _, id := range []int32{s.id, r.sight.list.ids.At(int(s.id)).base} {
		if int(id) < len(r.sight.owner) && r.sight.owner[id] >= 0 {
			return r.sight.blocks[r.sight.owner[id]].ID
		}
	}
	return ""
}

func (r Run) sentStanding(s *slot, m *Message, status status) Standing {
	switch status {
	case statusRecent:
		return Standing{Kind: StandsRecent, Why: "one of the newest messages, or the last user message"}
	case statusWithdrawn:
		return Standing{Kind: StandsWithdrawn, Why: "folding it would split a call from its result, or a reply from its reasoning"}
	case statusProtected:
		return Standing{Kind: StandsProtected, Why: r.whyProtected(s, m)}
	case statusGap:
		if m.SummaryOfBlockID != "" {
			return Standing{Kind: StandsCheckpoint, BlockID: m.SummaryOfBlockID, Why: "the host shows a block's summary here"}
		}
		if m.Has(HasMedia) {
			return Standing{Kind: StandsProtected, Why: "carries an image or attachment"}
		}
		return Standing{Kind: StandsSent, Why: "is a summary"}
	case statusIgnored:
		if r.sight.list.ref(int(r.sight.list.ids.At(int(max(0, s.id))).at)) == refBlocked {
			return Standing{Kind: StandsProtected, Why: r.whyProtected(s, m)}
		}
	}
	return Standing{Kind: StandsSent}
}

func (r Run) whyProtected(s *slot, m *Message) string {
	switch {
	case m.Has(HasMedia):
		return "carries an image or attachment"
	case r.sight.list.isLatest(s, m, r.sight.latest):
		return "the newest " + m.ToolName + " call"
	case isAlwaysProtected(m.ToolName):
		return m.ToolName + " is always protected"
	case m.ToolName == "":
		return "belongs to a protected call"
	}
	return m.ToolName + " is a protected tool"
}
