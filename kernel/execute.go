package kernel

import (
	"fmt"
	"slices"
	"strings"
)

// execution is one compress call on a copy of a state. Nothing else decides
// what may be compressed: Check drops the copy, Apply keeps it.
type execution struct {
	k *Kernel
	*resolver
	facts     // the copy
	call      Call
	covered   []coverage     // by active blocks, before the call
	zone      map[int32]bool // protected ref numbers
	latest    map[int32]bool // positions of calls that a latest-only rule protects
	createdAt int64          // epoch milliseconds
	runID     string
	parts     []part // one a requested range
	verdict   Verdict
	untraced  bool // the call leaves no trace in the state
}

// part is one requested range on its way.
type part struct {
	CallRange
	resolved
	skipped bool // overlaps an earlier range
	refold  refold
	dead    []string // endpoints whose message is gone for good
}

// execute runs a call over a list. protected are the refs that stay visible;
// nil means the recent zone of the list.
func (k *Kernel) execute(f facts, l *lookup, c Call, protected *[]string, now int64) *execution {
	e := &execution{k: k, facts: f, call: c, createdAt: now}
	e.facts.blocks = slices.Clone(f.blocks)
	e.resolver = newResolver(l, &e.facts)
	e.covered = coverageOf(l, f.blocks)
	e.zone = k.protectedRefs(l, e.covered, protected)
	e.latest = newestCalls(l.latest)
	e.verdict = Verdict{Errors: []string{}, Warnings: []string{}, NewBlocks: []string{}, Ranges: make([]RangeVerdict, len(c.Ranges))}
	e.classify()
	e.overlap()
	if e.refusedWhole() {
		return e
	}
	for i := range e.parts {
		e.carryOut(i)
	}
	e.settle()
	return e
}

// protectedRefs are the ref numbers that no fold takes in.
func (k *Kernel) protectedRefs(l *lookup, covered []coverage, protected *[]string) map[int32]bool {
	if protected == nil {
		return k.recentZone(l, covered)
	}
	refs := map[int32]bool{}
	for _, ref := range *protected {
		if number, ok := refNumber(ref); ok {
			refs[number] = true
		}
	}
	return refs
}

// newestCalls are the positions of the newest call of each latest-only rule,
// of the positions by rule in ascending order.
func newestCalls(byRule map[string][]int32) map[int32]bool {
	newest := map[int32]bool{}
	for _, positions := range byRule {
		newest[positions[len(positions)-1]] = true
	}
	return newest
}

// classify resolves every range once, and finds dead refs and refolds.
func (e *execution) classify() {
	e.parts = make([]part, len(e.call.Ranges))
	for i, r := range e.call.Ranges {
		p := part{CallRange: r, resolved: e.resolve(r.StartRef, r.EndRef)}
		switch {
		case p.failure == failsConsumed:
			p.dead = e.deadEnds(r)
			p.refold = e.refoldFor(r)
		case p.failure == "" && !p.block && e.allCovered(p.positions):
			p.refold = e.refoldFor(r)
		}
		e.parts[i] = p
		e.verdict.Ranges[i] = e.rangeVerdict(&p)
	}
	e.noteDead()
}

func (e *execution) allCovered(positions []int32) bool {
	for _, pos := range positions {
		if !e.covers(pos) {
			return false
		}
	}
	return true
}

func (e *execution) covers(pos int32) bool {
	id := e.l.slots.At(int(pos)).id
	return id >= 0 && e.covered[id]&coversID != 0
}

// deadEnds are the ends of a consumed range whose message is known but neither
// visible nor covered, as the caller wrote them.
func (e *execution) deadEnds(r CallRange) []string {
	var dead []string
	for _, ref := range []string{r.StartRef, r.EndRef} {
		b, _ := parseBoundary(ref)
		if b.block {
			continue
		}
		if id, ok := e.l.refID(b.number); ok && e.l.ids.At(int(id)).at < 0 && e.covered[id]&coversID == 0 {
			dead = append(dead, b.text)
		}
	}
	return dead
}

// noteDead keeps the dead refs whose message is still gone and adds the new
// ones, by number.
func (e *execution) noteDead() {
	var dead []string
	for _, ref := range e.deadRefs {
		if id, ok := e.l.exactRef(ref); !ok || e.l.ids.At(int(id)).at < 0 {
			dead = append(dead, ref)
		}
	}
	for i := range e.parts {
		dead = append(dead, e.parts[i].dead...)
	}
	slices.SortStableFunc(dead, func(a, b string) int {
		x, _ := refNumber(a)
		y, _ := refNumber(b)
		return int(x - y)
	})
	var unique []string
	for _, ref := range dead {
		if !slices.Contains(unique, ref) {
			unique = append(unique, ref)
		}
	}
	e.deadRefs = unique
}

// overlap lets the range that stands first win, whatever the order of the
// request, and warns of the others in the order in which they stand, before
// anything else is said.
func (e *execution) overlap() {
	var order []int
	for i := range e.parts {
		if e.parts[i].failure == "" {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return int(e.parts[a].from - e.parts[b].from) })
	last := int32(-1)
	for _, i := range order {
		p := &e.parts[i]
		if p.skipped = p.from <= last; p.skipped {
			e.skip(&e.verdict.Ranges[i], "overlap", fmt.Sprintf("Skipped range (%s..%s) — overlaps an earlier range in the batch; the earlier range takes precedence. Keep ranges disjoint.", p.StartRef, p.EndRef))
			continue
		}
		last = max(last, p.to)
	}
}

// carryOut carries one range out; ranges come in request order.
func (e *execution) carryOut(i int) {
	p := &e.parts[i]
	v := &e.verdict.Ranges[i]
	switch {
	case p.failure == failsConsumed:
		e.consumed(p, v)
	case p.failure != "":
		e.fail(p, v, string(p.failure)+"-ref", p.message)
	case p.skipped: // said before
	default:
		e.warn(v, p.snaps...)
		if p.reversed != "" {
			e.verdict.Notes = append(e.verdict.Notes, p.reversed)
			v.Notes = append(v.Notes, p.reversed)
		}
		e.fold(p, v)
	}
}

// fail records an error of one range; the others go on.
func (e *execution) fail(p *part, v *RangeVerdict, code, sentence string) {
	v.Kind, v.Code, v.Sentence = Refused, code, sentence
	e.verdict.Errors = append(e.verdict.Errors, p.failed(sentence))
}

func (p *part) failed(sentence string) string {
	return fmt.Sprintf("range %s..%s: %s", p.StartRef, p.EndRef, sentence)
}

func (e *execution) skip(v *RangeVerdict, code, sentence string) {
	v.Kind, v.Code, v.Sentence = Skipped, code, sentence
	e.verdict.Warnings = append(e.verdict.Warnings, sentence)
}

func (e *execution) warn(v *RangeVerdict, sentences ...string) {
	e.verdict.Warnings = append(e.verdict.Warnings, sentences...)
	v.Warnings = append(v.Warnings, sentences...)
}

// consumed handles a range whose content is not visible any more.
func (e *execution) consumed(p *part, v *RangeVerdict) {
	start := fmt.Sprintf("Skipped range (%s..%s) — ", p.StartRef, p.EndRef)
	switch {
	case p.refold.may():
		e.startRun()
		if code, sentence := e.summaryFault(p); sentence != "" {
			e.fail(p, v, code, sentence)
			return
		}
		e.refoldBlocks(p, v)
	case len(p.dead) > 0:
		e.skip(v, "dead-ref", start+fmt.Sprintf("its refs %s are DEAD (the client rewrote or dropped those messages); this range can never compress, do not retry it.", strings.Join(p.dead, ", ")))
	case len(p.refold.reasons) > 0:
		e.skip(v, "already-compressed", start+fmt.Sprintf("already compressed: %s; nothing to compress.", strings.Join(p.refold.reasons, "; ")))
	default:
		e.skip(v, "already-compressed", start+"already compressed (messages consumed by existing block(s)); nothing to compress.")
	}
}

// startRun takes the call's run id, once.
func (e *execution) startRun() {
	if e.runID == "" {
		e.runID = fmt.Sprintf("r%d", e.nextRun)
		e.nextRun = max(1, e.nextRun) + 1
	}
}

// settle adds the call up.
func (e *execution) settle() {
	e.stats.CompressionCount += e.verdict.BlocksCreated
	e.stats.TokensCompressed += e.verdict.TokensCompressed
	if e.verdict.BlocksCreated > 0 {
		e.nudge = e.nudge.afterFold()
		e.terminalStreak = new(int)
	}
}
