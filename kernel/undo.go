package kernel

// undo takes back the journal from an entry on. What those entries did is
// undone; earlier turns and blocks stay.
func (w *runner) undo(keep int) {
	if keep >= w.journal.n || w.undoTail(keep) {
		return
	}
	old, extras := w.journal.list(), w.extras
	at, from := w.saveBefore(keep)
	messages := w.journalMessages(at.entries, keep, old)
	w.restore(at, from)
	w.extras = nil
	visit := w.visit
	w.visit = nil
	for i := at.entries; i < keep; i++ {
		w.again(&extras, i)
		entry := old.At(i).entry()
		if entry == nil {
			entry = &Entry{Op: Append, Message: messages[i-at.entries]}
		}
		w.apply(entry)
	}
	w.again(&extras, keep)
	w.visit = visit
}

// undoTail takes entries back that left nothing but messages and a usage
// behind, all of them since the last turn. Most changes of a live file are
// such: a usage that is told again, a block of a reply that comes late.
func (w *runner) undoTail(keep int) bool {
	length, known := w.e.index.log.n, w.meter
	for i := w.journal.n - 1; i >= keep; i-- {
		switch j := w.journal.at(i); {
		case j.note != nil && j.note.op == Usage:
			known = j.note.before
		case j.plain() && !j.acted && int(j.epoch) == w.epochs.n:
			length = int(j.pos)
		default:
			return false
		}
	}
	if n := len(w.extras); n > 0 && w.extras[n-1].entries > keep {
		return false
	}
	w.meter = known
	w.journal.cut(keep)
	if length < w.e.index.log.n {
		w.e.index = w.e.index.lookup().before(length).index()
		w.e.flow, w.e.moved, w.e.resync = newFlow(w.k), true, true
	}
	return true
}

// again tries the calls again that a person tried behind some entry.
func (w *runner) again(extras *[]extra, entries int) {
	for len(*extras) > 0 && (*extras)[0].entries <= entries {
		tried := (*extras)[0]
		*extras = (*extras)[1:]
		if tried.entries < entries {
			w.extras = append(w.extras, tried) // it is part of what was saved
			continue
		}
		w.peek()
		w.Run.index, w.Run.facts = w.e.index.lookup(), w.e.facts
		x := w.k.execute(w.base(), w.Run.sight.target, tried.call, nil, 0)
		w.tryOut(tried.call, x)
	}
}

// saveBefore is the newest save at or before an entry: the empty run, without
// any.
func (w *runner) saveBefore(keep int) (save, int) {
	for i := w.saves.n - 1; i >= 0; i-- {
		if s := *w.saves.at(i); s.entries <= keep {
			return s, i + 1
		}
	}
	start := w.k.Start()
	return save{run: &start}, 0
}

// journalMessages are the messages of the plain Append entries of a stretch of
// the journal, by entry.
func (w *runner) journalMessages(from, to int, journal List[jot]) []Message {
	out := make([]Message, to-from)
	current := w.e.index.log.list()
	for i := from; i < to; i++ {
		j := journal.At(i)
		if !j.plain() {
			continue
		}
		log := current
		if int(j.epoch) < w.epochs.n {
			log = w.epochs.at(int(j.epoch)).log
		}
		out[i-from] = *log.At(int(j.pos))
	}
	return out
}

// restore makes the runner stand as a save does. The journal and its epochs up
// to there are kept as they are.
func (w *runner) restore(s save, saves int) {
	kept := *w.books
	kept.turns, kept.folds = s.run.past.turns.builder(), s.run.past.folds.builder()
	kept.saves.cut(saves)
	kept.epochs.cut(s.epochs)
	kept.journal.cut(s.entries)
	w.Run = *s.run
	w.e = w.k.engineFor(w.Run)
	w.e.assigned = w.committed.assigned
	w.e.books = kept
	w.books = &w.e.books
}
