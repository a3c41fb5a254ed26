package kernel

// extendSent makes what is sent from log position from on. A cut there must
// split no pair and no run of replies (see settledCut).
func (f *flow) extendSent(l *lookup, from int) {
	f.cutSent(from)
	w := sentWalk{f: f, l: l, run: -1}
	for w.next < len(f.anchors) && int(f.anchors[w.next].pos) < from {
		w.next++
	}
	for pos := from; pos < l.log.Len(); pos++ {
		f.before.push(int32(f.sent.n))
		w.summariesAt(int32(pos))
		w.message(int32(pos))
	}
	w.closeRun(false)
	f.tail = f.sent.n
	w.summariesAt(int32(l.log.Len()))
}

// sentWalk walks over a list once.
type sentWalk struct {
	f    *flow
	l    *lookup
	next int   // anchor
	run  int   // log position where an open run of reasoning starts, -1 without
	at   int32 // place in sent where that run starts
}

func (w *sentWalk) summariesAt(pos int32) {
	for ; w.next < len(w.f.anchors) && w.f.anchors[w.next].pos <= pos; w.next++ {
		w.closeRun(false)
		w.f.sent.push(sentItem{pos: ^w.f.anchors[w.next].block})
	}
}

func (w *sentWalk) message(pos int32) {
	f, l := w.f, w.l
	s := l.slots.At(int(pos))
	if !f.walked(l, pos) || f.pruning && f.unpaired(l, s, pos) {
		f.sentAt.push(-1)
		return
	}
	if s.marks&markReasoning != 0 {
		if w.run < 0 && f.pruning {
			w.run, w.at = int(pos), int32(f.sent.n)
		}
	} else {
		w.closeRun(s.marks&markAssistant != 0)
	}
	if f.hidden.hides(l, s, pos) {
		f.sentAt.push(-1)
		return
	}
	f.sentAt.push(int32(f.sent.n))
	f.sent.push(sentItem{pos: pos})
}

// closeRun ends a run of reasoning: what no reply follows is not sent.
func (w *sentWalk) closeRun(followed bool) {
	if w.run >= 0 && !followed {
		f := w.f
		f.sent.cut(int(w.at))
		for pos := w.run; pos < f.sentAt.n; pos++ {
			f.sentAt.set(pos, -1)
			f.before.set(pos, w.at)
		}
		if f.before.n > f.sentAt.n {
			f.before.set(f.before.n-1, w.at)
		}
	}
	w.run = -1
}

// unpaired reports whether a message is half of a pair whose other half is
// not there: a call without a result, a result without its call. Compress
// calls may stand alone.
func (f *flow) unpaired(l *lookup, s *slot, pos int32) bool {
	if s.call < 0 || s.marks&markCompress != 0 {
		return false
	}
	other := ToolCall
	if l.log.At(int(pos)).Type == ToolCall {
		other = ToolResult
	}
	for p := l.calls.At(int(s.call)).last; p >= 0; p = l.slots.At(int(p)).prev {
		if l.log.At(int(p)).Type == other && f.walked(l, p) {
			return false
		}
	}
	return true
}

// settledCut is the last log position at or before pos where the list can be
// taken up again: no pair reaches over it, and what stands before it is sent
// and is no part of a run of replies.
func (f *flow) settledCut(l *lookup, pos int) int {
	for pos > 0 {
		s := l.slots.At(pos - 1)
		if int(s.reach) < pos && s.marks&(markAssistant|markReasoning) == 0 && pos-1 < f.sentAt.n && *f.sentAt.at(pos - 1) >= 0 {
			break
		}
		pos--
	}
	return pos
}
