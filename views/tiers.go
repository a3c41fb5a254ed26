package views

import (
	"strings"

	"ctxscope/kernel"
)

// tiers draws what each tier could reclaim, one line a tier, and below it, as
// far as there is room, what the lines mean.
func tiers(s *Screen, st *Styles, width, lines int) []string {
	if s.Report == nil {
		return []string{plainLine(st.faint, "  Nothing was evaluated yet.", width)}
	}
	var out []string
	for t := kernel.Tier(1); t <= 3; t++ {
		out = append(out, tierLine(s, st, t, width))
	}
	if lines > 6 {
		out = append(out, plainLine(paint{}, "", width))
		for t := kernel.Tier(1); t <= 3; t++ {
			out = append(out, tierDetail(s, st, t, width)...)
		}
	}
	return excerpt(out, scrolled(s, PanelTiers), lines, width)
}

// tierLine writes pending, threshold and count of one tier, and whether the
// next slot is its own.
func tierLine(s *Screen, st *Styles, t kernel.Tier, width int) string {
	r := s.Report
	l := newLine(width)
	l.gap(1)
	l.cell(st.title, tierName(t), 3)
	mass, limit := pendingOf(r, t), r.Nudge.Threshold[t]
	next := turnWord(&r.Nudge, t)
	if width < 44 {
		next = strings.NewReplacer("nudged", "now", "waits", "wait").Replace(next)
		l.right(paint{}, short(mass), 7)
		l.cell(paint{}, ", needs "+short(int64(limit)), min(13, l.left-Width(next)-1))
		l.rest(st.good, " "+next)
		return l.String()
	}
	l.right(paint{}, number(mass), 8)
	l.cell(paint{}, ", needs "+amount(limit), 16)
	l.cell(st.faint, holds(s, t), min(21, l.left-Width(next)-1))
	l.gap(1)
	l.rest(st.good, next)
	return l.String()
}

// turnWord says in a word whose turn it is: the tier that is nudged, the one
// that would be next, those that have enough and wait.
func turnWord(d *kernel.Decision, t kernel.Tier) string {
	switch {
	case d.Tier == t:
		return "nudged"
	case !d.ShouldInject && d.NextSlot == t:
		return "next"
	case d.Ready[t]:
		return "waits"
	}
	return ""
}

// holds says in what the pending of a tier stands.
func holds(s *Screen, t kernel.Tier) string {
	switch r := s.Report; t {
	case 2:
		return number(r.Pending.C2) + " of " + number(s.Config.Tiers.Tier2Trigger) + " blocks"
	case 3:
		return number(r.Pending.C3) + " of " + number(s.Config.Tiers.Tier3Trigger) + " blocks"
	default:
		return "in " + plural(r.Nudge.Batches.Len(), "batch", "batches")
	}
}

// tierDetail explains one tier in words.
func tierDetail(s *Screen, st *Styles, t kernel.Tier, width int) []string {
	r := s.Report
	limit := amount(r.Nudge.Threshold[t]) + " tokens"
	var text string
	switch t {
	case 2:
		text = "T2 merges the summaries of T1 blocks: asked for from " + limit + ", or from " + number(s.Config.Tiers.Tier2Trigger) + " blocks."
	case 3:
		text = "T3 condenses the summaries of T2 blocks: asked for from " + limit + ", or from " + number(s.Config.Tiers.Tier3Trigger) + " blocks."
	default:
		text = "T1 folds messages into a summary: asked for from " + limit + " in batches."
	}
	text += " " + cadence(s, t)
	if !s.Config.Tiers.Enabled && t > 1 {
		text = tierName(t) + " is switched off (tiers.enabled)."
	}
	var out []string
	for _, part := range Wrap(text, max(1, width-2)) {
		out = append(out, plainLine(st.faint, " "+part, width))
	}
	return out
}

// cadence says when a tier was nudged last.
func cadence(s *Screen, t kernel.Tier) string {
	at := s.Stamps.ShownByTier[t]
	if at == 0 {
		return "No nudge of it is remembered."
	}
	return "Last nudged at " + number(at) + " tokens; again after " + amount(s.Report.Nudge.Breakdown.GrowthFloor) + " more."
}

// tiersCaption is what stands in the title of the Tiers panel.
func tiersCaption(s *Screen) []string {
	if s.Report == nil {
		return nil
	}
	return []string{"pending tokens, and how many a nudge needs", "pending tokens"}
}
