package kernel

// tally is the sums over what is sent, up to some place: the ranges and
// batches that are still open and the counts of those that are done.
type tally struct {
	open      Range // the open compressible range; Count 0 is none
	shield    ProtectedRange
	batch     batchTally
	breakdown ContextBreakdown
	tokens    Tokens // of all messages
	kept      Kept   // without fragments
	foldable  Tokens // of compressible messages
	ranges    int
	shields   int
	batches   int
	last      Range  // the newest finished batch
	inBatches Tokens // of finished batches
}

// mark is the tally before a place: where the work can be taken up again.
type mark struct {
	place int32
	tally tally
}

const marksEvery = 32 // places

// resume takes the tally up at or before a place and gives where.
func (f *flow) resume(place int32) int32 {
	n := f.marks.n
	for n > 0 && f.marks.at(n-1).place > place {
		n--
	}
	f.marks.cut(n)
	f.sum = tally{}
	place = 0
	if n > 0 {
		m := f.marks.at(n - 1)
		f.sum, place = m.tally, m.place
	}
	f.ranges.cut(f.sum.ranges)
	f.protecteds.cut(f.sum.shields)
	f.batches.cut(f.sum.batches)
	if f.sum.batches > 0 { // a tail may have been folded into it
		f.batches.set(f.sum.batches-1, f.sum.last)
	}
	return place
}

// tallyFrom adds everything from a place on and closes what is open, as far
// as this turn goes.
func (f *flow) tallyFrom(l *lookup, place int32) {
	for place = f.resume(place); int(place) < f.sent.n; place++ {
		if place%marksEvery == 0 && (f.marks.n == 0 || f.marks.at(f.marks.n-1).place < place) {
			f.marks.push(mark{place, f.sum})
		}
		f.add(l, place)
	}
	settled := f.sum
	f.closeRange()
	f.closeShield()
	f.finishBatches()
	f.pending = f.sum.inBatches
	f.sum = settled
}

func (f *flow) add(l *lookup, place int32) {
	item := *f.sent.at(int(place))
	m := f.message(l, item)
	f.countIn(m)
	f.fileKept(l, item, m)
	switch item.status {
	case statusIgnored:
	case statusProtected:
		f.closeRange()
		f.protect(l, place, m)
	case statusCompressible:
		f.closeShield()
		f.compressible(l, place, m)
	default:
		f.closeRange()
		f.closeShield()
	}
}

// countIn counts a message once, by the first kind that matches.
func (f *flow) countIn(m *Message) {
	b, size := &f.sum.breakdown, m.Size()
	f.sum.tokens += size
	switch {
	case m.Has(HasSummaryHeader):
		b.Summaries += size
	case m.isTool():
		b.Tool += size
	case m.Role == RoleSystem:
		b.System += size
	case m.Has(HasCodeFence):
		b.Code += size
	default:
		b.Text += size
	}
}

// fileKept files a message that is not compressible under its cause.
func (f *flow) fileKept(l *lookup, item sentItem, m *Message) {
	k, to := &f.sum.kept, &f.sum.kept.Other
	switch {
	case item.status == statusCompressible:
		to = &f.sum.foldable
	case item.status == statusRecent:
		to = &k.Recent
	case item.status == statusWithdrawn:
		to = &k.Withdrawn
	case item.pos < 0 || m.SummaryOfBlockID != "" || m.Has(HasSummaryHeader):
		to = &k.Summaries
	case item.status == statusProtected:
		to = &k.Protected
	case m.Has(HasMedia):
		to = &k.Media
	case l.ref(int(item.pos)) == refBlocked:
		to = &k.Protected
	}
	*to += m.Size()
}

const userCutsAfter = 3 // messages: then a user message starts a new range

func (f *flow) compressible(l *lookup, place int32, m *Message) {
	r := &f.sum.open
	if m.Role == RoleUser && r.Count >= userCutsAfter {
		f.closeRange()
	}
	ref := l.ref(int(f.sent.at(int(place)).pos))
	if r.Count == 0 {
		*r = Range{StartRef: formatRef(ref), StartIndex: int(place)}
	}
	r.Count++
	r.Tokens += m.Size()
	r.Chars += m.Chars
	r.lastRef, r.EndIndex = ref, int(place)
	r.ToolPct = addShare(r.ToolPct, r.Count, m.isTool())
	if m.Role == RoleUser {
		r.UserMsgs++
	}
}

// addShare is the tool share of n messages after one more; rounding at each
// step is part of the contract.
func addShare(pct, n int, tool bool) int {
	sum := pct * (n - 1)
	if tool {
		sum += 100
	}
	return int(roundJS(float64(sum) / float64(n)))
}

func (f *flow) protect(l *lookup, place int32, m *Message) {
	r := &f.sum.shield
	ref := l.ref(int(f.sent.at(int(place)).pos))
	if r.Count == 0 {
		*r = ProtectedRange{StartRef: formatRef(ref), Tools: []string{}, StartIndex: int(place)}
	}
	r.Count++
	r.Tokens += m.Size()
	r.EndRef, r.EndIndex = formatRef(ref), int(place)
	if m.ToolName == "" {
		return
	}
	for _, tool := range r.Tools {
		if tool == m.ToolName {
			return
		}
	}
	r.Tools = append(r.Tools[:len(r.Tools):len(r.Tools)], m.ToolName)
}

// closeRange ends the open range. A range without tokens is no range.
func (f *flow) closeRange() {
	r := f.sum.open
	f.sum.open = Range{}
	if r.Count == 0 || r.Tokens <= 0 {
		return
	}
	r.EndRef, r.TextPct = formatRef(r.lastRef), 100-r.ToolPct
	f.ranges.push(r)
	f.sum.ranges++
	f.addToBatch(r)
}

func (f *flow) closeShield() {
	if f.sum.shield.Count == 0 {
		return
	}
	f.protecteds.push(f.sum.shield)
	f.sum.shield = ProtectedRange{}
	f.sum.shields++
}
