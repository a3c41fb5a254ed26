package kernel

import (
	"fmt"
	"slices"
)

const cutAim = 0.9 // of the threshold: what truncation brings usage down to

// cutSet is which sent messages the emergency truncation shortens.
type cutSet struct {
	places     []int32 // ascending
	candidates int
	saved      Tokens
}

// truncation decides which texts of what is sent are shortened to save
// context: the largest tool results first, then the largest other texts,
// never the newest messages, until the aim is reached.
func (f *flow) truncation(l *lookup, used Tokens) cutSet {
	var results, texts []int32
	for place := range max(0, f.sent.n-max(0, f.k.config.PreserveRecentMessages)) {
		m := f.message(l, *f.sent.at(place))
		if m.Tokens < cutMinTokens || m.Has(HasTruncationMark) {
			continue
		}
		switch {
		case m.Type == ToolResult:
			results = append(results, int32(place))
		case m.Type == Text && (m.Role == RoleUser || m.Role == RoleAssistant) && !f.fixedText(l, place, m):
			texts = append(texts, int32(place))
		}
	}
	largest := func(a, b int32) int {
		return int(f.message(l, *f.sent.at(int(b))).Tokens - f.message(l, *f.sent.at(int(a))).Tokens)
	}
	slices.SortStableFunc(results, largest)
	slices.SortStableFunc(texts, largest)
	set := cutSet{candidates: len(results) + len(texts)}
	aim := cutAim * f.k.config.Truncate.Threshold * float64(f.k.config.ModelContextLimit)
	for _, place := range append(results, texts...) {
		if float64(used-set.saved) <= aim {
			break
		}
		m := f.message(l, *f.sent.at(int(place)))
		if m.CutChars == 0 {
			continue
		}
		set.saved += m.Tokens - m.CutTokens
		set.places = append(set.places, place)
	}
	slices.Sort(set.places)
	return set
}

// fixedText reports whether a text is a summary or retrieved content, which
// truncation leaves alone.
func (f *flow) fixedText(l *lookup, place int, m *Message) bool {
	pos := f.sent.at(place).pos
	return m.Has(HasSummaryHeader) || pos >= 0 && l.slots.At(int(pos)).marks&markRetrieved != 0
}

// shortened is the message after truncation.
func shortened(m *Message) Message {
	out := *m
	out.Tokens, out.Chars = m.CutTokens, m.CutChars
	out.CutTokens, out.CutChars = 0, 0
	out.Facts |= HasTruncationMark
	if m.Text != "" {
		out.Text = cutText(m.Text, m.Tokens)
	}
	return out
}

// skippedSentence says why a truncation that was due shortened nothing.
func (k *Kernel) skippedSentence(set cutSet, usage float64) string {
	percent := num(roundJS(usage * 100))
	if set.candidates == 0 {
		return fmt.Sprintf("emergency-truncate ran at %s%% usage but found no truncatable content (no oversized tool-result or text message outside the last %d messages)",
			percent, k.config.PreserveRecentMessages)
	}
	return fmt.Sprintf("emergency-truncate found %d candidate(s) at %s%% usage but none were large enough to save tokens", set.candidates, percent)
}

// terminalSentence is the advice when nothing more can be done.
func (k *Kernel) terminalSentence(used Tokens, usage float64) string {
	return fmt.Sprintf("Usage at %s%% (%v/%v tokens) persists with nothing compressible above the benefit floor and no truncatable content: compression cannot reduce this context below the limit. Start a new session or use native compaction.",
		num(roundJS(usage*100)), used, k.config.ModelContextLimit)
}

// truncate runs the emergency truncation when usage asks for it, and counts
// the turns on which nothing helped.
func (e *engine) truncate(used Tokens, d *Decision) (cutSet, Truncation) {
	var out Truncation
	var set cutSet
	limit := e.k.config.ModelContextLimit
	if limit <= 0 || d.ContextUsage < e.k.config.Truncate.Threshold {
		if e.terminalStreak != nil {
			e.terminalStreak = new(int)
		}
		return set, out
	}
	set = e.flow.truncation(e.now, used)
	out.Saved = set.saved
	for _, place := range set.places {
		out.IDs = append(out.IDs, e.flow.message(e.now, *e.flow.sent.at(int(place))).ID)
	}
	if set.saved <= 0 {
		out.Skipped = e.k.skippedSentence(set, d.ContextUsage)
	}
	b := &d.Breakdown
	stuck := set.saved <= 0
	if b.MinPressureBenefit > 0 {
		stuck = stuck && float64(b.MaxPending) < b.MinPressureBenefit
	} else {
		stuck = stuck && b.MaxPending <= 0
	}
	streak := 0
	if stuck {
		streak = 1
		if e.terminalStreak != nil {
			streak += *e.terminalStreak
		}
	}
	e.terminalStreak = &streak
	after := terminalAfter
	if own := e.k.config.Truncate.TerminalEscapeAfter; own != nil {
		after = *own
	}
	if after > 0 && streak >= after {
		out.Terminal = e.k.terminalSentence(used, d.ContextUsage)
		out.StuckEvents = streak
	}
	return set, out
}
