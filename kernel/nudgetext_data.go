package kernel

import (
	"fmt"
	"slices"
	"strings"
)

// breakdownLines says what the context consists of, and by how much it grew.
func breakdownLines(b *ContextBreakdown) string {
	var parts []string
	for _, part := range []struct {
		tokens Tokens
		word   string
	}{{b.System, "system"}, {b.Tool, "tool"}, {b.Summaries, "summaries"}, {b.Code, "code"}, {b.Text, "text"}} {
		if part.tokens > 0 {
			parts = append(parts, thousands(float64(part.tokens))+" "+part.word)
		}
	}
	text := "Context breakdown: " + strings.Join(parts, " | ")
	if b.Growth > 0 {
		text += "\n+" + thousands(b.Growth) + " since last nudge"
	}
	return text
}

// listed is one entry of the range list: compressible ranges and protected
// ones that touch.
type listed struct {
	start, end       string
	place            int // of the first message in what is sent, -1 unknown
	first, last      int32
	count, users     int
	open, kept       Tokens // compressible and protected
	tools            []string
	toolPct, textPct int // of the first range
	dangerous        bool
}

// rangeList lists what may be folded and what is protected, oldest first.
// Entries that touch are one, so that an entry may hold several batches.
func rangeList(compressible []Range, protected []ProtectedRange) string {
	entries := listedRanges(compressible, protected)
	if len(entries) == 0 {
		return "[No specific ranges detected — compress any consumed content.]"
	}
	var out strings.Builder
	fmt.Fprintf(&out, "Compressible ranges (%d, oldest first):", len(entries))
	for i := range entries {
		out.WriteString("\n" + entries[i].line())
	}
	return out.String()
}

func listedRanges(compressible []Range, protected []ProtectedRange) []listed {
	var all []listed
	for _, r := range compressible {
		e := listed{start: r.StartRef, end: r.EndRef, place: r.StartIndex, count: r.Count, users: r.UserMsgs, open: r.Tokens}
		e.toolPct, e.textPct, e.dangerous = r.ToolPct, r.TextPct, r.Dangerous
		all = append(all, e)
	}
	for _, r := range protected {
		all = append(all, listed{start: r.StartRef, end: r.EndRef, place: r.StartIndex, count: r.Count, kept: r.Tokens, tools: r.Tools})
	}
	for i := range all {
		all[i].first, _ = refNumber(all[i].start)
		all[i].last, _ = refNumber(all[i].end)
	}
	slices.SortStableFunc(all, func(a, b listed) int {
		if a.place != noIndex && b.place != noIndex {
			return a.place - b.place
		}
		return int(a.first - b.first)
	})
	var out []listed
	for _, e := range all {
		if n := len(out); n > 0 && e.first <= out[n-1].last+1 {
			out[n-1].join(e)
		} else {
			out = append(out, e)
		}
	}
	return out
}

// join takes in the next entry, which touches. The shares stay those of the
// first.
func (l *listed) join(e listed) {
	l.end, l.last = e.end, max(l.last, e.last)
	l.count += e.count
	l.users += e.users
	l.open += e.open
	l.kept += e.kept
	l.dangerous = l.dangerous || e.dangerous
	l.tools = slices.Clone(l.tools)
	for _, tool := range e.tools {
		if !slices.Contains(l.tools, tool) {
			l.tools = append(l.tools, tool)
		}
	}
}

func (l *listed) line() string {
	start, end := orderedRefPair(l.start, l.end)
	users := ""
	if l.users > 0 {
		users = fmt.Sprintf(" · %d user msg(s)", l.users)
	}
	line := fmt.Sprintf("  %s–%s  %d msgs%s  %s ", start, end, l.count, users, thousands(float64(l.open+l.kept)))
	tools := strings.Join(l.tools, ", ")
	switch {
	case l.open == 0 && l.kept > 0:
		line += fmt.Sprintf("[PROTECTED: %s — not compressible]", tools)
	case l.kept > 0:
		line += fmt.Sprintf("[%s compressible | %s protected: %s]", thousands(float64(l.open)), thousands(float64(l.kept)), tools)
	default:
		line += fmt.Sprintf("[tool %d%% | text %d%%]", l.toolPct, l.textPct)
	}
	if l.dangerous && l.open > 0 {
		line += "  ⚠️ NOT recommended unless you are certain."
	}
	return line
}

// targetList lists the blocks that a nudge for tier 2 or 3 asks to consume.
func targetList(targets []Block) string {
	if len(targets) == 0 {
		return "Target blocks: (none — no tier blocks found)"
	}
	tier := 1
	if targets[0].Tier == 2 {
		tier = 2
	}
	var out strings.Builder
	fmt.Fprintf(&out, "Target tier-%d blocks to distill (%d):", tier, len(targets))
	for i := range targets {
		b := &targets[i]
		summary := (int(Len16(b.Summary)) + 3) / 4
		fmt.Fprintf(&out, "\n  %s  %d msgs  %s→%s", b.ID, len(b.EffectiveMessageIDs), thousands(float64(b.CompressedTokens)), thousands(float64(summary)))
		if b.Topic != nil && *b.Topic != "" {
			fmt.Fprintf(&out, "  \"%s\"", *b.Topic)
		}
	}
	return out.String()
}

// targetExample is a call over the targets.
func targetExample(targets []Block) string {
	if len(targets) == 0 {
		return example("b1", "b5")
	}
	return example(targets[0].ID, targets[len(targets)-1].ID)
}

func example(from, to string) string {
	return fmt.Sprintf(`Example: compress({ content: [{ startId: "%s", endId: "%s", summary: "..." }] })`, from, to)
}

const mapped = 8 // newest blocks on the map

// blockMap says where the newest active blocks stand.
func blockMap(spans []BlockSpan) string {
	var parts []string
	newest := spans
	if older := len(spans) - mapped; older > 0 {
		parts = append(parts, fmt.Sprintf("+%d older", older))
		newest = spans[older:]
	}
	for _, s := range newest {
		part := fmt.Sprintf("%s=%s–%s", s.BlockID, s.StartRef, s.EndRef)
		if s.Tier > 1 {
			part += fmt.Sprintf(" t%d", s.Tier)
		}
		parts = append(parts, part)
	}
	return fmt.Sprintf("Active blocks (%d): ", len(spans)) + strings.Join(parts, " · ")
}
