package kernel

const widenReach = 20 // messages past an end that tool widening looks at

// widen moves the ends of a range so that it splits no call from its result
// and no reply from its reasoning: at most two passes.
func (l *lookup) widen(from, to int32) (int32, int32) {
	for range 2 {
		a, b := l.widenReasoning(from, to)
		a, b = l.widenTools(a, b)
		if a == from && b == to {
			break
		}
		from, to = a, b
	}
	return from, to
}

// widenReasoning takes in the replies behind a run of reasoning in the range,
// and the reasoning in front of its replies.
func (l *lookup) widenReasoning(from, to int32) (int32, int32) {
	a, b, n := from, to, int32(l.log.Len())
	is := func(pos int32, m marks) bool { return l.slots.At(int(pos)).marks&m != 0 }
	for pos := from; pos <= to; pos++ {
		switch {
		case is(pos, markReasoning):
			next := pos
			for next < n && is(next, markReasoning) {
				next++
			}
			for next < n && is(next, markAssistant) {
				b = max(b, next)
				next++
			}
		case is(pos, markAssistant):
			for before := pos - 1; before >= 0 && is(before, markReasoning); before-- {
				a = min(a, before)
			}
		}
	}
	return a, b
}

// widenTools takes in the other halves of the range's calls and results that
// stand near its ends.
func (l *lookup) widenTools(from, to int32) (int32, int32) {
	calls := map[int32]bool{}
	for pos := from; pos <= to; pos++ {
		if s := l.slots.At(int(pos)); s.call >= 0 && l.log.At(int(pos)).ToolName != "compress" {
			calls[s.call] = true
		}
	}
	return l.scanTools(from, -1, calls), l.scanTools(to, 1, calls)
}

// scanTools moves an end outwards to the run of matching parts nearest to it.
func (l *lookup) scanTools(end, step int32, calls map[int32]bool) int32 {
	if len(calls) == 0 {
		return end
	}
	moved, n := end, int32(l.log.Len())
	for i := int32(1); i <= widenReach; i++ {
		pos := end + i*step
		if pos < 0 || pos >= n {
			break
		}
		if s := l.slots.At(int(pos)); s.call >= 0 && calls[s.call] {
			moved = pos
		} else if moved != end {
			break
		}
	}
	return moved
}

// logSequence is a whole list, in order, for the rules about turns.
type logSequence struct{ l *lookup }

func (q logSequence) marksAt(i int) marks     { return q.l.slots.At(i).marks }
func (q logSequence) callAt(i int) int32      { return q.l.slots.At(i).call }
func (q logSequence) firstResult(i int) int32 { return q.l.firstResult(q.l.slots.At(i).call) }

// settledSpan widens positions from up to to until no pair and no run of
// replies reaches over an end.
func (l *lookup) settledSpan(from, to int) (int, int) {
	const turn = markAssistant | markReasoning
	for from > 0 && (int(l.slots.At(from-1).reach) >= from || l.slots.At(from-1).marks&turn != 0) {
		from--
	}
	for n := l.log.Len(); to < n && (int(l.slots.At(to-1).reach) >= to || l.slots.At(to).marks&turn != 0); {
		to++
	}
	return from, to
}
