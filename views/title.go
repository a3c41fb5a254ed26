package views

import (
	"strconv"
	"strings"
)

// title is the upper border of a box with the panel's number and name, the
// tabs beside it, and what the panel holds in short.
func title(s *Screen, st *Styles, b Box, border paint) string {
	left, right, rule := "─", "─", "─"
	if b.Sides {
		left, right = "┌", "┐"
		if !b.First {
			left, right = "├", "┤"
		}
	}
	l := newLine(b.W - 1)
	l.flow(border, left+" ")
	name := st.title
	if b.Panel == s.Focus {
		name = st.focus
	}
	l.cell(name, heading(s, b.Panel), min(l.left, Width(heading(s, b.Panel))))
	texts := caption(s, b.Panel)
	caption := ""
	if len(texts) > 0 {
		caption = pick(l.left-tabCellsOf(b)-8, texts...)
	}
	tabs(l, st, b, Width(Clean(caption))+6)
	if caption != "" && l.left > 8 {
		l.flow(border, " ── ")
		l.cell(paint{}, caption, min(l.left-2, Width(Clean(clip(caption, l.left)))))
	}
	l.gap(1)
	l.flow(border, strings.Repeat(rule, max(0, l.left)))
	return l.String() + border.on(right)
}

// heading is the number and name of a panel, or the title of an open text.
func heading(s *Screen, p Panel) string {
	switch {
	case s.Reader != nil && p == s.Focus:
		return s.Reader.Title
	case p <= LastNumbered && p > NoPanel:
		return strconv.Itoa(int(p)) + " " + p.String()
	}
	return p.String()
}

// tabCellsOf is the width that the numbers of the other tabs take.
func tabCellsOf(b Box) int { return 2 * max(0, len(b.Tabs)-1) }

// tabs names the panels that share the box: with their names where keep cells
// remain behind them, else by their numbers.
func tabs(l *line, st *Styles, b Box, keep int) {
	if len(b.Tabs) < 2 {
		return
	}
	long, brief := "", ""
	for _, p := range b.Tabs {
		if p == b.Panel {
			continue
		}
		n := strconv.Itoa(int(p))
		long += "  " + n + " " + p.String()
		brief += " " + n
	}
	l.flow(st.faint, pick(l.left-keep, long, brief))
}

// caption is what a panel holds in short, longest form first.
func caption(s *Screen, p Panel) []string {
	if s.Reader != nil && p == s.Focus {
		return nil
	}
	list := func(own []string, filter string, editing bool) []string {
		if filter == "" && !editing {
			return own
		}
		text := "filter: " + filter
		if editing {
			text += "▏"
		}
		return []string{text}
	}
	switch p {
	case PanelBatches:
		return list(batchesCaption(s), s.Batches.Filter, s.Batches.Editing)
	case PanelRanges:
		return list(rangesCaption(s), s.Ranges.Filter, s.Ranges.Editing)
	case PanelTiers:
		return tiersCaption(s)
	case PanelNudge:
		return nudgeCaption(s)
	case PanelCompress:
		return compressCaption(s)
	case PanelMessages:
		return list(messagesCaption(s), s.Messages.Filter, s.Messages.Editing)
	case PanelBlocks:
		return list(blocksCaption(s), s.Blocks.Filter, s.Blocks.Editing)
	case PanelCandidates:
		return list(candidatesCaption(s), s.Candidates.Filter, s.Candidates.Editing)
	case PanelDoctor:
		return list(doctorCaption(s), s.Findings.Filter, s.Findings.Editing)
	case PanelOutcomes:
		return list(outcomesCaption(s), s.Outcomes.Filter, s.Outcomes.Editing)
	case PanelSessions:
		return list(sessionsCaption(s), s.Sessions.Filter, s.Sessions.Editing)
	case PanelTokens:
		return list(tokensCaption(s), s.Tokens.Filter, s.Tokens.Editing)
	case PanelGrowth:
		return growthCaption(s)
	case PanelProblems:
		return list(problemsCaption(s), s.Problems.Filter, s.Problems.Editing)
	}
	return nil
}
