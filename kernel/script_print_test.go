package kernel

import (
	"fmt"
	"strings"
)

func decisionLine(n Decision) string {
	word := "quiet"
	if n.ShouldInject {
		word = fmt.Sprintf("nudge T%d", int(n.Tier))
	}
	return fmt.Sprintf("%s (%s): %s\n", word, n.Band, n.Reason)
}

func (s *script) ranges() string {
	var out strings.Builder
	now := s.last
	for _, r := range now.Ranges.All() {
		fmt.Fprintf(&out, "range %s: %s\n", rangeText(r), s.word(r))
	}
	for _, b := range now.Nudge.Batches.All() {
		fmt.Fprintf(&out, "batch %s: %s\n", rangeText(b), s.word(b))
	}
	for _, p := range now.Nudge.ProtectedRanges.All() {
		fmt.Fprintf(&out, "protected %s..%s: %d messages, %v\n", p.StartRef, p.EndRef, p.Count, p.Tools)
	}
	zone := "empty"
	if len(now.Zone) > 0 {
		zone = strings.Join(now.Zone, " ")
	}
	fmt.Fprintf(&out, "recent zone: %s\n", zone)
	return out.String()
}

func rangeText(r Range) string {
	return fmt.Sprintf("%s..%s, %d messages, %v tokens, %d chars, %d%% tools", r.StartRef, r.EndRef, r.Count, r.Tokens, r.Chars, r.ToolPct)
}

// word is the executor's verdict on a range of its own.
func (s *script) word(r Range) string {
	v := s.kernel.Check(s.run, Call{Ranges: []CallRange{{StartRef: r.StartRef, EndRef: r.EndRef}}})
	return string(v.Ranges[0].Kind)
}

func verdictText(v Verdict) string {
	var out strings.Builder
	for _, r := range v.Ranges {
		fmt.Fprintf(&out, "%s..%s %s [%s]: picked %d messages, %d chars; folds %d messages, %v tokens, %d chars",
			r.StartRef, r.EndRef, r.Kind, r.Code, r.Picked.Messages, r.Picked.Chars, r.Folded.Messages, r.Folded.Tokens, r.Folded.Chars)
		if r.BlockID != "" {
			fmt.Fprintf(&out, "; %s T%d", r.BlockID, int(r.Tier))
		}
		fmt.Fprintln(&out)
		for _, extra := range []struct {
			word  string
			items []string
		}{{"added", r.Added}, {"left out", r.LeftOut}, {"consumes", r.Consumes}} {
			if len(extra.items) > 0 {
				fmt.Fprintf(&out, "  %s %s\n", extra.word, strings.Join(extra.items, " "))
			}
		}
	}
	for _, texts := range []struct {
		word  string
		lines []string
	}{{"error", v.Errors}, {"warning", v.Warnings}, {"note", v.Notes}} {
		for _, line := range texts.lines {
			fmt.Fprintf(&out, "%s: %s\n", texts.word, line)
		}
	}
	if v.Gate != nil {
		out.WriteString(gatesText([]Gate{*v.Gate}))
	}
	fmt.Fprintf(&out, "%d blocks, %v tokens\n", v.BlocksCreated, v.TokensCompressed)
	return out.String()
}

func gatesText(gates []Gate) string {
	var out strings.Builder
	for _, g := range gates {
		answer := "no"
		if g.Holds {
			answer = "yes"
		}
		fmt.Fprintf(&out, "gate %s: %s %s %s %s: %s, margin %s\n", g.Name, num(g.Left), g.Op, num(g.Right), g.Unit, answer, num(g.Margin))
	}
	return out.String()
}

func (s *script) state() string {
	var out strings.Builder
	for _, b := range s.run.Blocks() {
		standing := "inactive"
		if b.Active {
			standing = "active"
		}
		fmt.Fprintf(&out, "%s T%d %s: covers %v, consumed %v, %v tokens\n", b.ID, int(b.Tier), standing, b.EffectiveMessageIDs, b.DirectBlockIDs, b.CompressedTokens)
	}
	stamps := s.run.Stamps()
	fmt.Fprintf(&out, "baseline %v, shown %v, by tier %v, last tier %d\n", stamps.Baseline, stamps.Shown, stamps.ShownByTier[1:], int(stamps.LastInjectedTier))
	return out.String()
}
