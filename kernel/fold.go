package kernel

import (
	"fmt"
	"slices"
	"strings"
)

// folding is one range while it is folded.
type folding struct {
	*execution
	p          *part
	v          *RangeVerdict
	positions  []int32 // of the widened range, without summaries and checkpoints
	consumes   []int   // blocks
	tier       Tier
	effective  idSet // ids that the block will cover
	fresh      idSet // ids that it folds newly
	warnings   []string
	failedCode string
	failed     string
}

// idSet is id numbers in the order of their adding.
type idSet struct {
	order []int32
	in    map[int32]bool
}

func newIDSet(size int) idSet { return idSet{make([]int32, 0, size), make(map[int32]bool, size)} }

func (s *idSet) add(id int32) {
	if !s.in[id] {
		s.in[id] = true
		s.order = append(s.order, id)
	}
}

func (s *idSet) removeAll(gone map[int32]bool) {
	if len(gone) == 0 {
		return
	}
	s.order = slices.DeleteFunc(s.order, func(id int32) bool { return gone[id] })
	for id := range gone {
		delete(s.in, id)
	}
}

// fold makes one range a block, or says why not.
func (e *execution) fold(p *part, v *RangeVerdict) {
	e.startRun()
	if p.resolved = e.resolve(p.StartRef, p.EndRef); p.failure != "" { // an earlier range took its place
		e.fail(p, v, string(p.failure)+"-ref", p.message)
		return
	}
	f := &folding{execution: e, p: p, v: v}
	f.gather()
	f.leaveProtected()
	f.leaveRecent()
	f.keepTurns()
	if f.failed == "" && !p.block && len(f.fresh.order) == 0 && len(f.consumes) > 0 {
		if again := e.refoldFor(p.CallRange); again.may() {
			f.rewrite(again)
			return
		}
		f.fail("no-new-content", f.rewrapSentence())
	}
	if f.failed == "" {
		f.fail(e.summaryFault(p))
	}
	if f.failed == "" && len(f.fresh.order) == 0 && len(f.consumes) == 0 {
		f.fail("nothing-left", "Range contains no compressible messages — all are already covered by active blocks or protected.")
	}
	if f.failed != "" {
		e.fail(p, v, f.failedCode, f.failed)
		return
	}
	e.warn(v, f.warnings...)
	f.make()
}

func (f *folding) fail(code, sentence string) {
	if f.failed == "" {
		f.failedCode, f.failed = code, sentence
	}
}

func (f *folding) warnf(format string, args ...any) {
	f.warnings = append(f.warnings, fmt.Sprintf(format, args...))
}

// gather widens the range and finds the blocks that it consumes.
func (f *folding) gather() {
	p, l := f.p, f.l
	f.positions = p.positions
	nested := p.nested
	if !p.block {
		from, to := l.widen(p.from, p.to)
		if from != p.from || to != p.to {
			f.positions = f.positions[:0:0]
			for pos := from; pos <= to; pos++ {
				f.positions = append(f.positions, pos)
			}
		}
		f.dropSummaries()
		if len(f.positions) > len(p.positions) {
			for _, i := range f.blocksIn(from, to) {
				if !slices.Contains(nested, i) {
					nested = append(nested[:len(nested):len(nested)], i)
				}
			}
		}
	} else {
		f.dropSummaries()
	}
	target := f.targetTier(nested)
	for _, i := range nested {
		if s := &f.facts.blocks[i]; s.active && s.Tier == target {
			f.consumes = append(f.consumes, i)
		}
	}
	f.effective, f.fresh = newIDSet(len(f.positions)), newIDSet(len(f.positions))
	for _, pos := range f.positions {
		if id := l.slots.At(int(pos)).id; id >= 0 {
			f.effective.add(id)
		}
	}
	for _, i := range f.consumes {
		for _, id := range f.facts.blocks[i].covers {
			f.effective.add(id)
		}
	}
	for _, id := range f.effective.order {
		if f.covered[id]&coversID == 0 {
			f.fresh.add(id)
		}
	}
}

// dropSummaries leaves out rendered summaries, and checkpoints of blocks that
// a message range does not supersede.
func (f *folding) dropSummaries() {
	var carriers []string
	f.positions = slices.DeleteFunc(slices.Clone(f.positions), func(pos int32) bool {
		m := f.l.log.At(int(pos))
		if strings.HasPrefix(m.ID, renderedPrefix) {
			return true
		}
		if f.p.block || m.SummaryOfBlockID == "" {
			return false
		}
		i := f.find(m.SummaryOfBlockID)
		if i < 0 || !f.facts.blocks[i].active {
			return false
		}
		carriers = append(carriers, m.ID)
		return true
	})
	if len(carriers) > 0 {
		f.warnf("Excluded %d checkpoint message(s) %s from the compression range — they carry the visible summary of still-active block(s), which a plain message-ref range does not supersede. The checkpoints stay visible; to fold them, reference the block ids (bN..bM) instead.",
			len(carriers), strings.Join(carriers, ", "))
	}
}

// targetTier is the tier of the blocks that the range consumes; the new block
// is one above it when a block was named.
func (f *folding) targetTier(nested []int) Tier {
	f.tier = 1
	if !f.p.block {
		return 1
	}
	target := Tier(0)
	for _, i := range nested {
		if tier := f.facts.blocks[i].Tier; target == 0 || tier < target {
			target = tier
		}
	}
	target = max(target, 1)
	f.tier = min(3, target+1)
	return target
}

// message is the message of an id that is in the list.
func (f *folding) message(id int32) *Message { return f.l.log.At(int(f.l.ids.At(int(id)).at)) }
func (f *folding) slot(id int32) *slot       { return f.l.slots.At(int(f.l.ids.At(int(id)).at)) }

func (f *folding) rewrapSentence() string {
	ids := f.consumedIDs()
	return fmt.Sprintf("Range %s..%s contains no new compressible messages — every message in it is already covered by active block(s) %s. Nothing was compressed. To rewrite or merge those blocks, reference them by block ID (%s..%s); otherwise run acp_status and compress a range it reports as compressible.",
		f.p.StartRef, f.p.EndRef, strings.Join(ids, ", "), ids[0], ids[len(ids)-1])
}

func (f *folding) consumedIDs() []string {
	ids := make([]string, 0, len(f.consumes))
	for _, i := range f.consumes {
		ids = append(ids, f.facts.blocks[i].ID)
	}
	return ids
}

// summaryFault is what is wrong with a range's summary.
func (e *execution) summaryFault(p *part) (code, sentence string) {
	length := Len16(trimJS(p.Summary))
	least, most := e.k.config.Compress.MinSummaryLength, e.k.config.Compress.MaxSummaryLength
	if p.SummaryMaxChars != nil {
		most = Chars(*p.SummaryMaxChars)
	}
	switch {
	case length == 0:
		return "summary-empty", "Summary is empty — provide a meaningful summary of the compressed range."
	case least > 0 && length < least:
		return "summary-too-short", fmt.Sprintf("Summary too short (%d chars, min %d). The summary must capture the compressed range's key information.", length, least)
	case most > 0 && length > most:
		return "summary-too-long", fmt.Sprintf("Summary too long (%d chars, max %d). Strip noise — keep critical paths, decisions, errors, and code references. Or pass summaryMaxChars to increase the limit — don't lose critical info just to fit.", length, most)
	}
	return "", ""
}

// make stores the block.
func (f *folding) make() {
	e, p := f.execution, f.p
	var tokens Tokens
	for _, id := range f.fresh.order {
		tokens += f.message(id).Size()
	}
	for _, i := range f.consumes {
		tokens += e.facts.blocks[i].SummaryTokens
		e.facts.blocks[i].survived, e.facts.blocks[i].since = e.facts.blocks[i].survivedAt(e.turns), e.turns
		e.facts.blocks[i].active = false
	}
	b := &Block{
		ID: fmt.Sprintf("b%d", e.nextBlock), RunID: e.runID, Tier: f.tier, Topic: p.Topic, Summary: p.Summary,
		DirectMessageIDs: f.names(f.fresh.order), EffectiveMessageIDs: f.names(f.effective.order), DirectBlockIDs: f.consumedIDs(),
		CompressedTokens: tokens, CreatedAt: e.createdAt, Generation: "young", Active: true,
		CompressCallID: p.CompressCallID, StartRef: p.StartRef, EndRef: p.EndRef, SummaryTokens: e.k.count(p.Summary),
	}
	e.nextBlock = max(1, e.nextBlock) + 1
	e.facts.blocks = append(e.facts.blocks, standing{Block: b, covers: f.effective.order, active: true, since: e.turns})
	e.verdict.BlocksCreated++
	e.verdict.TokensCompressed += tokens
	e.verdict.NewBlocks = append(e.verdict.NewBlocks, b.ID)
	f.tell(b)
}

func (f *folding) names(ids []int32) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = *f.l.name.At(int(id))
	}
	return out
}
