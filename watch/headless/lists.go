package headless

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"ctxscope/kernel"
)

func (p *page) nudge(f Facts) {
	d := f.Now.Nudge
	b := d.Breakdown
	p.title("Nudge")
	if d.ShouldInject {
		p.line("  decision    nudge, tier %d", d.Tier)
	} else {
		p.line("  decision    no nudge")
	}
	p.line("  reason      %s", d.Reason)
	p.line("  growth      %s tokens since %s (%s), floor %s, step %s", number(b.Growth), number(b.GrowthReference), d.GrowthSourceStamp, number(b.GrowthFloor), number(b.NudgeGrowthTokens))
	for tier := 1; tier <= 3; tier++ {
		pending, from := tierText(f.Now.Pending, tier)
		p.line("  T%d          %s tokens pending in %s, threshold %s", tier, number(pending), from, number(d.Threshold[tier]))
	}
	s := f.Stamps
	p.line("  stamps      baseline %s, shown %s, last tier %s", stamp(s.Baseline), stamp(s.Shown), stamp(kernel.Tokens(s.LastInjectedTier)))
	p.beside(f)
	p.gates(&f.Ledger)
}

func tierText(p kernel.Pending, tier int) (pending kernel.Tokens, from string) {
	switch tier {
	case 1:
		return p.T1, "raw messages"
	case 2:
		return p.T2, count(p.C2, "tier-1 block")
	}
	return p.T3, count(p.C3, "tier-2 block")
}

func stamp(n kernel.Tokens) string {
	if n == 0 {
		return "none"
	}
	return number(n)
}

// operand writes one side of a gate.
func operand(x float64) string {
	if x == math.Trunc(x) {
		return number(x)
	}
	return strconv.FormatFloat(x, 'g', 4, 64)
}

func yesNo(holds bool) string {
	if holds {
		return "yes"
	}
	return "no"
}

// rangeLine describes a range or batch.
func rangeLine(r *kernel.Range) string {
	return fmt.Sprintf("%-16s  %s, %s tokens, %s chars, %d %% tools", refs(r.StartRef, r.EndRef), count(r.Count, "message"), number(r.Tokens), number(r.Chars), r.ToolPct)
}

func refs(start, end string) string {
	if start == end {
		return start
	}
	return start + "–" + end
}

func (p *page) batches(f Facts, c kernel.Config) {
	p.title("Batches: %d, each at least %s %s", f.Now.Nudge.Batches.Len(), number(c.Compress.MinCompressRange), cmp.Or(string(c.GateUnit), "chars"))
	for i, v := range f.Verdicts {
		p.line("  %s: %s", rangeLine(f.Now.Nudge.Batches.At(i)), v.Ranges[0].Kind)
		for _, w := range v.Warnings {
			p.line("      %s", oneLine(w))
		}
	}
}

func (p *page) ranges(f Facts) {
	p.title("Compressible ranges: %d", f.Now.Ranges.Len())
	for i := range f.Now.Ranges.Len() {
		p.line("  %s", rangeLine(f.Now.Ranges.At(i)))
	}
	protected := f.Now.Nudge.ProtectedRanges
	p.title("Protected ranges: %d", protected.Len())
	for i := range protected.Len() {
		r := protected.At(i)
		p.line("  %-16s  %s, %s tokens, protected: %s", refs(r.StartRef, r.EndRef), count(r.Count, "message"), number(r.Tokens), oneLine(strings.Join(r.Tools, ", ")))
	}
	if n := len(f.Now.Zone); n > 0 {
		p.title("Recent zone, not offered: %s", count(n, "message"))
		p.line("  %s", strings.Join(f.Now.Zone, ", "))
	}
}

func (p *page) blocks(f Facts) {
	active := 0
	for _, b := range f.Blocks {
		if b.Active {
			active++
		}
	}
	p.title("Blocks: %d active of %d", active, len(f.Blocks))
	for _, b := range f.Blocks {
		state := ""
		if !b.Active {
			state = ", not active"
		}
		topic := "no topic"
		if b.Topic != nil && *b.Topic != "" {
			topic = fmt.Sprintf("%q", oneLine(*b.Topic))
		}
		p.line("  %-4s T%d %-16s  %s tokens → %s, %s covered, %s%s", b.ID, b.Tier, refs(b.StartRef, b.EndRef), number(b.CompressedTokens), number(b.SummaryTokens), count(len(b.EffectiveMessageIDs), "message"), topic, state)
	}
}

func (p *page) calls(f Facts) {
	if len(f.CompressCalls) == 0 {
		return
	}
	p.title("Compress calls: %d", len(f.CompressCalls))
	for _, c := range f.CompressCalls {
		made := count(c.Verdict.BlocksCreated, "block")
		switch {
		case c.Host == kernel.NoOutcome:
			p.line("  after turn %d: %s", c.AfterTurn, made)
		case c.Applied:
			p.line("  after turn %d: %s at the host, %s in the replay", c.AfterTurn, c.Host, made)
		default:
			p.line("  after turn %d: %s at the host, so nothing was folded", c.AfterTurn, c.Host)
		}
		for _, e := range c.Verdict.Errors {
			p.line("      %s", oneLine(e))
		}
	}
	if f.Diverged != "" {
		p.line("  %s", f.Diverged)
	}
}

// problemsShown is how many problems are written for people; JSON has all.
const problemsShown = 20

func (p *page) problems(f Facts) {
	if f.Unfinished > 0 {
		p.title("The last line is not finished (%s bytes) and was not read.", number(f.Unfinished))
	}
	if len(f.Problems) == 0 {
		return
	}
	p.title("Problems: %d", len(f.Problems))
	for _, x := range f.Problems[:min(len(f.Problems), problemsShown)] {
		p.line("  %s: %s", oneLine(x.Where), oneLine(x.Reason))
	}
	if more := len(f.Problems) - problemsShown; more > 0 {
		p.line("  and %s more; --json has all", number(more))
	}
}

// verdictText is a verdict in sentences.
func verdictText(v kernel.Verdict, counter string, host *Host) string {
	var p page
	if v.Ok() {
		p.line("Accepted: %s would be made, %s tokens folded (counted by %s).", count(v.BlocksCreated, "block"), number(v.TokensCompressed), counterText(counter))
	} else {
		p.line("Refused: no block would be made.")
	}
	for _, r := range v.Ranges {
		p.line("")
		p.line("%s: %s%s", refs(r.StartRef, r.EndRef), r.Kind, target(r))
		if r.Sentence != "" {
			p.line("  %s", oneLine(r.Sentence))
		}
		if r.Folded.Messages == 0 && len(r.Consumes) > 0 {
			p.line("  picked  blocks alone: no message is folded anew")
		} else {
			p.line("  picked  %s", pickedText(r.Picked))
		}
		if r.Folded.Messages > 0 {
			p.line("  folded  %s", pickedText(r.Folded))
		}
		p.list("  pulled in beside the pick", r.Added)
		p.list("  stays visible", r.LeftOut)
		p.list("  consumes", r.Consumes)
		for _, w := range append(append([]string(nil), r.Warnings...), r.Notes...) {
			p.line("  %s", oneLine(w))
		}
	}
	if g := v.Gate; g != nil {
		p.line("")
		p.line("Size gate: %s %s against a minimum of %s: %s.", operand(g.Left), g.Unit, operand(g.Right), map[bool]string{true: "passed", false: "not passed"}[g.Holds])
	}
	for _, e := range v.Errors {
		if !told(v.Ranges, e) {
			p.line("Error: %s", oneLine(e))
		}
	}
	if v.Placeholder {
		p.line("No summary was given; one of the least allowed length stood in.")
	}
	if host != nil {
		p.line("%s", host.source())
	}
	if host != nil && len(host.Drift) > 0 {
		p.line("Host and replay differ in %s; report lists them.", count(len(host.Drift), "place"))
	}
	return p.String()
}

// told reports whether the sentence of a range says the same as an error.
func told(ranges []kernel.RangeVerdict, e string) bool {
	return slices.ContainsFunc(ranges, func(r kernel.RangeVerdict) bool {
		return r.Sentence != "" && strings.HasSuffix(e, r.Sentence)
	})
}

func target(r kernel.RangeVerdict) string {
	if r.BlockID == "" {
		return ""
	}
	return fmt.Sprintf(" into %s (tier %d), reclaims %s tokens", r.BlockID, r.Tier, number(r.Reclaims))
}

func pickedText(p kernel.Picked) string {
	return fmt.Sprintf("%s  %s, %s tokens, %s chars", cmp.Or(refs(p.StartRef, p.EndRef), "nothing"), count(p.Messages, "message"), number(p.Tokens), number(p.Chars))
}

func (p *page) list(title string, refs []string) {
	if len(refs) > 0 {
		p.line("%s: %s", title, strings.Join(refs, ", "))
	}
}
