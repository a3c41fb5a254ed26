package kernel

// size is what the size gate measures of a range: chars, or tokens. The
// executor and the recommendation share it.
func (k *Kernel) size(chars Chars, tokens Tokens) int {
	if k.config.GateUnit == GateTokens {
		return int(tokens)
	}
	return int(chars)
}

// enough is the executor's size rule. The executor refuses by it and pending
// counts by it, so that a nudge cannot offer what would be refused.
func (k *Kernel) enough(size int) bool { return size >= k.config.Compress.MinCompressRange }

// gated reports whether there is a size rule at all.
func (k *Kernel) gated() bool { return k.config.Compress.MinCompressRange > 0 }

// batchTally is ranges joined so far.
type batchTally struct {
	sum    Range // its ToolPct is not kept up
	shares int   // sum of the tool shares, each weighted by its count
	ranges int
}

// join adds a range behind the others.
func (b *batchTally) join(r Range) {
	if b.ranges == 0 {
		b.sum = Range{StartRef: r.StartRef, StartIndex: r.StartIndex}
		b.shares = 0
	}
	b.ranges++
	b.sum.EndRef, b.sum.EndIndex = r.EndRef, r.EndIndex
	b.sum.Count += r.Count
	b.sum.Tokens += r.Tokens
	b.sum.Chars += r.Chars
	b.sum.UserMsgs += r.UserMsgs
	b.sum.Dangerous = b.sum.Dangerous || r.Dangerous
	b.shares += r.ToolPct * r.Count
}

// batch is the joined ranges as one.
func (b *batchTally) batch() Range {
	r := b.sum
	if r.StartIndex == noIndex || r.EndIndex == noIndex {
		r.StartIndex, r.EndIndex = noIndex, noIndex
	}
	r.ToolPct = int(roundJS(float64(b.shares) / float64(r.Count)))
	r.TextPct = 100 - r.ToolPct
	return r
}

// gapBefore reports whether something stands between what was joined and r.
// Ranges without places are believed to touch.
func gapBefore(end int, r Range) bool {
	return end != noIndex && r.StartIndex != noIndex && r.StartIndex > end+1
}

// addToBatch joins a range to the open batch and closes the batch when the
// executor would take it. What ends too short before a gap is lost.
func (f *flow) addToBatch(r Range) {
	if !f.k.gated() {
		return
	}
	b := &f.sum.batch
	if b.ranges > 0 && gapBefore(b.sum.EndIndex, r) {
		*b = batchTally{}
	}
	b.join(r)
	if f.k.enough(f.k.size(b.sum.Chars, b.sum.Tokens)) {
		f.emit(b.batch())
		*b = batchTally{}
	}
}

func (f *flow) emit(r Range) {
	f.batches.push(r)
	f.sum.batches++
	f.sum.last = r
	f.sum.inBatches += r.Tokens
}

// finishBatches folds a short tail into the newest batch when they touch.
func (f *flow) finishBatches() {
	tail := f.sum.batch
	if tail.ranges == 0 || f.sum.batches == 0 || gapBefore(f.sum.last.EndIndex, tail.sum) {
		return
	}
	merged := foldTail(f.sum.last, tail)
	f.batches.set(f.sum.batches-1, merged)
	f.sum.inBatches += merged.Tokens - f.sum.last.Tokens
}

// foldTail is one combination of a finished batch and the ranges behind it.
func foldTail(last Range, tail batchTally) Range {
	var b batchTally
	b.join(last)
	b.join(tail.sum)
	b.shares = last.ToolPct*last.Count + tail.shares
	return b.batch()
}

// viableTokens is the least size of a batch that surfaces show.
const viableTokens Tokens = 200

// viable are the ranges that surfaces show; no decision reads it.
func viable(ranges []Range) []Range {
	out := []Range{}
	for _, r := range ranges {
		if r.Tokens >= viableTokens {
			out = append(out, r)
		}
	}
	return out
}
