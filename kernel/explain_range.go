package kernel

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// gate asks whether the size gate lets something with the message pass: its
// range, with those that are joined to it.
func (x *explaining) gate() bool {
	ranges, batches := x.r.now.Ranges, x.r.now.Nudge.Batches
	at := holding(ranges, int(x.place))
	if at < 0 {
		x.Answer = AnswerEmpty
		return x.stop("range", "", "its neighbours and it hold no tokens: that is no range")
	}
	r := ranges.At(at)
	x.pass("range", "in the range %s", x.k.sized(r))
	b := holding(batches, int(x.place))
	if b < 0 {
		x.Answer = AnswerBelowGate
		return x.belowGate(at)
	}
	x.Answer = AnswerFoldable
	return x.inBatch(batches.At(b))
}

// inBatch says what gate a batch passed, and where it counts.
func (x *explaining) inBatch(b *Range) bool {
	if !x.k.gated() {
		x.pass("size gate", "there is no size gate")
	} else {
		x.pass("size gate", "the batch %s holds %s", refRange(b), x.k.SizeGate(b.Chars, b.Tokens).Says(0))
	}
	line := &x.r.now.Nudge.Tiers[1]
	return x.pass("pending", "%s of the %s that are pending in T1, which asks for %s", grouped(float64(b.Tokens)), tokensOf(line.Pending), grouped(line.Threshold))
}

// belowGate says how much is missing to the ranges that touch, none of which is
// part of a batch.
func (x *explaining) belowGate(at int) bool {
	var joined batchTally
	from, to := x.fragment(at)
	for i := from; i <= to; i++ {
		joined.join(*x.r.now.Ranges.At(i))
	}
	b := joined.batch()
	g := x.k.SizeGate(b.Chars, b.Tokens)
	change := fmt.Sprintf("%s more %s in this stretch, or another range in the same call: the gate counts the whole call", grouped(-g.Margin), g.Unit)
	if from == to {
		return x.stop("size gate", change, "the range holds %s, and no range touches it that it could be joined to", g.Says(0))
	}
	return x.stop("size gate", change, "the %d ranges that touch, %s, hold %s", to-from+1, refRange(&b), g.Says(0))
}

// fragment finds the ranges around one that touch and are in no batch.
func (x *explaining) fragment(at int) (from, to int) {
	ranges, batches := x.r.now.Ranges, x.r.now.Nudge.Batches
	joins := func(a, b int) bool {
		return !gapBefore(ranges.At(a).EndIndex, *ranges.At(b)) &&
			holding(batches, ranges.At(a).StartIndex) < 0 && holding(batches, ranges.At(b).StartIndex) < 0
	}
	for from = at; from > 0 && joins(from-1, from); from-- {
	}
	for to = at; to+1 < ranges.Len() && joins(to, to+1); to++ {
	}
	return from, to
}

// holding is the range of an ordered list that holds a place of what is sent,
// -1 without.
func holding(ranges List[Range], place int) int {
	low, high := 0, ranges.Len()
	for low < high {
		mid := (low + high) / 2
		if ranges.At(mid).EndIndex < place {
			low = mid + 1
		} else {
			high = mid
		}
	}
	if low < ranges.Len() && ranges.At(low).StartIndex <= place {
		return low
	}
	return -1
}

func refRange(r *Range) string {
	if r.StartRef == r.EndRef {
		return r.StartRef
	}
	return r.StartRef + "–" + r.EndRef
}

// sized is a range with its size in the unit of the gate.
func (k *Kernel) sized(r *Range) string {
	return fmt.Sprintf("%s of %d message%s, %s %s", refRange(r), r.Count, plural(r.Count), grouped(float64(k.size(r.Chars, r.Tokens))), k.gateUnit())
}

// ExplainRange says what the rules make of the messages between two refs, as
// the list stands, and what the executor would answer to a call of them alone.
// Refs that name no place of the list give the executor's answer only.
func (k *Kernel) ExplainRange(r Run, startRef, endRef string) Explanation {
	x := explaining{k: k, r: r, l: r.sight.list}
	x.StartRef, x.EndRef = startRef, endRef
	from, fromOK := r.Index(startRef)
	to, toOK := r.Index(endRef)
	if fromOK && toOK {
		from, to = min(from, to), max(from, to)
		x.members(from, to)
		x.borders(from, to)
	}
	v := k.Check(r, Call{Ranges: []CallRange{{StartRef: startRef, EndRef: endRef}}})
	x.alone(&v)
	if fromOK && toOK && v.Ok() {
		x.counted(from, to)
	}
	return x.Explanation
}

// members says what became of the messages of a range, by kind.
func (x *explaining) members(from, to int) {
	counts := map[StandingKind]int{}
	reasons := map[StandingKind][]string{}
	var order []StandingKind
	for i := from; i <= to; i++ {
		at := x.r.Standing(i)
		if counts[at.Kind]++; counts[at.Kind] == 1 {
			order = append(order, at.Kind)
		}
		if at.Kind == StandsProtected && !slices.Contains(reasons[at.Kind], at.Why) {
			reasons[at.Kind] = append(reasons[at.Kind], at.Why)
		}
	}
	var parts []string
	for _, kind := range order {
		part := fmt.Sprintf("%d %s", counts[kind], standingWord(kind))
		if why := reasons[kind]; len(why) > 0 {
			part += " (" + strings.Join(why, "; ") + ")"
		}
		parts = append(parts, part)
	}
	n := to - from + 1
	says := fmt.Sprintf("%d message%s: %s", n, plural(n), strings.Join(parts, ", "))
	if counts[StandsSent] > 0 {
		x.pass("messages", "%s", says)
		return
	}
	x.Rules = append(x.Rules, Rule{Name: "messages", Says: says})
}

func standingWord(k StandingKind) string {
	switch k {
	case StandsSent:
		return "compressible"
	case StandsRecent:
		return "in the recent zone"
	}
	return string(k)
}

// borders says what stands before and behind a range, and so why it does not
// go on.
func (x *explaining) borders(from, to int) {
	side := func(i int, where string) string {
		if i < 0 {
			return "it begins the list"
		}
		if i >= x.l.log.Len() {
			return "it ends the list"
		}
		at := x.r.Standing(i)
		word := standingWord(at.Kind)
		if at.BlockID != "" {
			word += " in " + at.BlockID
		}
		return fmt.Sprintf("%s %s is %s", where, cmp.Or(x.r.Ref(i), "a message without a ref"), word)
	}
	x.pass("borders", "%s, %s", side(from-1, "before it"), side(to+1, "behind it"))
}

// alone says what the executor would answer.
func (x *explaining) alone(v *Verdict) {
	one := &v.Ranges[0]
	if g := v.Gate; g != nil && one.Picked.Messages > 0 {
		switch {
		case g.Holds:
			x.pass("size gate", "%s", g.Says(0))
		default:
			change := fmt.Sprintf("%s more %s, or another range in the same call: the gate counts the whole call", grouped(-g.Margin), g.Unit)
			x.stop("size gate", change, "%s", g.Says(0))
		}
	}
	x.Answer = string(one.Kind)
	says := string(one.Kind)
	if one.Sentence != "" {
		says += ": " + one.Sentence
	}
	if v.Ok() {
		x.pass("executor", "%s", says)
		return
	}
	x.stop("executor", "", "%s", says)
}

// counted says whether a batch that holds the range counts as pending.
func (x *explaining) counted(from, to int) {
	first, last := *x.r.sight.sentAt.At(from), *x.r.sight.sentAt.At(to)
	line := &x.r.now.Nudge.Tiers[1]
	b := holding(x.r.now.Nudge.Batches, int(first))
	switch {
	case first < 0 || b < 0 || holding(x.r.now.Nudge.Batches, int(last)) != b:
		x.pass("pending", "it is no batch of the recommendation: T1's pending of %s does not count it as it is", tokensOf(line.Pending))
	default:
		batch := x.r.now.Nudge.Batches.At(b)
		x.pass("pending", "in the batch %s, %s of the %s that are pending in T1, which asks for %s", refRange(batch), grouped(float64(batch.Tokens)), tokensOf(line.Pending), grouped(line.Threshold))
	}
}
