package tui

import (
	"slices"
	"strings"

	"ctxscope/kernel"
	"ctxscope/views"
)

func (m *Model) batchRow(c content, k marker, i int) views.RangeRow {
	b := c.report.Nudge.Batches.At(i)
	s := span{b.StartRef, b.EndRef}
	return views.RangeRow{Range: *b, Verdict: m.verdict(s), Mark: k.mark(c, s)}
}

func (m *Model) rangeRow(c content, k marker, i int) views.RangeRow {
	s := c.rangeSpan(i)
	row := views.RangeRow{Mark: k.mark(c, s)}
	if !c.mixed[i].protected {
		row.Range, row.Verdict = *c.report.Ranges.At(int(c.mixed[i].index)), m.verdict(s)
		return row
	}
	p := c.report.Nudge.ProtectedRanges.At(int(c.mixed[i].index))
	row.Protected, row.Why = true, strings.Join(p.Tools, ", ")
	row.Range = kernel.Range{
		StartRef: p.StartRef, EndRef: p.EndRef, Count: p.Count, Tokens: p.Tokens,
		StartIndex: p.StartIndex, EndIndex: p.EndIndex,
	}
	return row
}

// verdict is what the executor said of s, or nil while it was not asked.
func (m *Model) verdict(s span) *kernel.Verdict {
	if v, ok := m.verdicts[s]; ok {
		return &v.verdict
	}
	return nil
}

func messageRow(c content, k marker, i int) views.MessageRow {
	x := c.run.Log().At(i)
	ref := c.run.Ref(i)
	return views.MessageRow{
		Ref: ref, Role: x.Role, Type: x.Type, Tool: x.ToolName, Tokens: x.Size(), Chars: x.Chars,
		Images: int(x.Images), Failed: x.Failed, Standing: c.run.Standing(i),
		Mark: k.mark(c, span{numbered(ref), numbered(ref)}),
	}
}

func (m *Model) blockRow(c content, k marker, i int) views.BlockRow {
	b := &c.blocks[i]
	row := views.BlockRow{
		ID: b.ID, Tier: b.Tier, StartRef: b.StartRef, EndRef: b.EndRef,
		Messages: len(b.EffectiveMessageIDs), Original: b.CompressedTokens, Summary: b.SummaryTokens,
		Consumed: b.DirectBlockIDs, Active: b.Active,
		Target: slices.Contains(c.report.Nudge.TierTargetBlocks, b.ID),
		Mark:   k.mark(c, span{b.ID, b.ID}),
	}
	for _, s := range c.report.Nudge.ActiveBlockSpans {
		if s.BlockID == b.ID {
			row.StartRef, row.EndRef = s.StartRef, s.EndRef
		}
	}
	if b.Topic != nil {
		row.Topic = *b.Topic
	}
	if n := len(m.live.what); n > 0 {
		row.WhatIf = slices.Contains(m.live.what[n-1].made, b.ID)
	}
	return row
}
