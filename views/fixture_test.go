package views

import (
	"fmt"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"

	"ctxscope/kernel"
	"ctxscope/keymap"
)

// plainStyles are the styles of a terminal without colours.
func plainStyles() Styles { return styles(termenv.Ascii, true) }

func styles(p termenv.Profile, dark bool) Styles {
	r := lipgloss.NewRenderer(nil)
	r.SetColorProfile(p)
	r.SetHasDarkBackground(dark)
	return NewStyles(r)
}

// list makes rows of items with the cursor on row selected.
func list[T any](selected int, items ...T) Rows[T] {
	return Rows[T]{Len: len(items), All: len(items), Selected: selected, At: func(i int) T { return items[i] }}
}

func ref(n int) string { return fmt.Sprintf("m%05d", n) }

func aRange(from, to int, tokens kernel.Tokens, tool int) kernel.Range {
	return kernel.Range{
		StartRef: ref(from), EndRef: ref(to), Count: to - from + 1, Tokens: tokens, Chars: kernel.Chars(tokens * 4),
		ToolPct: tool, TextPct: 100 - tool, StartIndex: from, EndIndex: to,
	}
}

// answer is the verdict on a call of one range.
func answer(r kernel.Range, kind kernel.VerdictKind, added, left []string) *kernel.Verdict {
	picked := kernel.Picked{StartRef: r.StartRef, EndRef: r.EndRef, Messages: r.Count, Tokens: r.Tokens, Chars: r.Chars}
	folded := picked
	folded.Messages += len(added) - len(left)
	v := kernel.Verdict{
		BlocksCreated: 1, TokensCompressed: r.Tokens, Placeholder: true, NewBlocks: []string{"b5"},
		Gate: &kernel.Gate{Name: "size", Left: float64(r.Chars), Op: ">=", Right: 5000, Unit: "chars", Holds: true, Margin: float64(r.Chars) - 5000},
		Ranges: []kernel.RangeVerdict{{
			StartRef: r.StartRef, EndRef: r.EndRef, Kind: kind, Code: "folds", Picked: picked, Folded: folded,
			Added: added, LeftOut: left, Tier: 1, Reclaims: r.Tokens - 50, BlockID: "b5",
		}},
	}
	if kind == kernel.FoldsLess {
		v.Ranges[0].Sentence = "Excluded " + number(len(left)) + " protected message(s) m00058, m00059 from compression range (recent/last-user zone) — they stay visible outside the new block; do not target them in another compress call."
		v.Ranges[0].Warnings = []string{v.Ranges[0].Sentence}
	}
	return &v
}

// tooSmall is the refusal of a range that is missing chars short.
func tooSmall(r kernel.Range, missing int) *kernel.Verdict {
	v := answer(r, kernel.Refused, nil, nil)
	v.BlocksCreated, v.TokensCompressed, v.NewBlocks = 0, 0, nil
	size := 5000 - missing
	v.Gate = &kernel.Gate{Name: "size", Left: float64(size), Op: ">=", Right: 5000, Unit: "chars", Margin: -float64(missing)}
	x := &v.Ranges[0]
	x.Code, x.Folded, x.Reclaims, x.BlockID = "too-small", kernel.Picked{}, 0, ""
	x.Picked.Chars = kernel.Chars(size)
	x.Sentence = fmt.Sprintf("Total compressible content too small (%d chars across 1 range(s), min 5000). Combine more messages into your range(s) to meet the threshold.", size)
	v.Errors = []string{x.Sentence}
	return v
}

func gateOf(name string, left float64, op string, right float64, unit string, holds bool) kernel.Gate {
	return kernel.Gate{Name: name, Left: left, Op: op, Right: right, Unit: unit, Holds: holds, Margin: left - right}
}

// report is the evaluation that the sketches of the specification show.
func report() *kernel.Report {
	batches := kernel.ListOf(aRange(12, 31, 21400, 83), aRange(34, 60, 24700, 91), aRange(63, 71, 15200, 40), aRange(90, 104, 9800, 77))
	kept := kernel.ListOf(
		kernel.ProtectedRange{StartRef: ref(32), EndRef: ref(33), Count: 2, Tokens: 610, Tools: []string{"compress"}},
		kernel.ProtectedRange{StartRef: ref(61), EndRef: ref(62), Count: 2, Tokens: 180, Tools: []string{"todo_write"}})
	r := &kernel.Report{
		Turn: 213, Limit: 200000, Messages: 212, Sent: kernel.Sent{Messages: 176, Tokens: 94000},
		Used:    kernel.Count{Tokens: 118290, Source: kernel.CountExtended, Reported: 114000, Estimated: 4290},
		Ranges:  kernel.ListOf(aRange(12, 19, 8000, 75), aRange(20, 31, 13400, 88), aRange(34, 60, 24700, 91), aRange(63, 71, 15200, 40), aRange(80, 81, 1240, 100), aRange(90, 104, 9800, 77)),
		Zone:    []string{ref(208), ref(209), ref(210), ref(211), ref(212)},
		Pending: kernel.Pending{T1: 71100, T2: 3120, C2: 4},
		Kept:    kernel.Kept{Protected: 790, Summaries: 3120, Recent: 14407, Fragments: 1240, Other: 3343},
	}
	r.Nudge = kernel.Decision{
		Reason:       "growth 18290 < floor 22500, ready: T1 71100",
		ContextUsage: 0.59145, Batches: batches, ProtectedRanges: kept, Band: kernel.BandNormal,
		ActiveBlockSpans: []kernel.BlockSpan{{BlockID: "b1"}, {BlockID: "b2"}, {BlockID: "b3"}, {BlockID: "b4"}},
		Threshold:        [4]float64{0, 50000, 75000, 75000}, NextSlot: 1, TokensToNudge: 4210, GrowthSourceStamp: "baseline",
		Breakdown: kernel.Breakdown{
			Usage: 0.59145, Growth: 18290, GrowthReference: 100000, EffectiveThreshold: 50000, NudgeGrowthTokens: 50000, GrowthFloor: 22500,
			MinPressureBenefit: 5000, PendingT1: 71100, PendingT2: 3120, MaxPending: 71100,
		},
		Gates: []kernel.Gate{
			gateOf("over-limit", 0.59145, ">=", 0.75, "share", false),
			gateOf("emergency", 0.59145, ">=", 0.95, "share", false),
			gateOf("first sight: never shown", 0, "=", 0, "tokens", true),
			gateOf("first sight: no baseline", 100000, "=", 0, "tokens", false),
			gateOf("growth", 18290, ">=", 22500, "tokens", false),
		},
	}
	return r
}

// screen is a screen of w by h cells with the idle session of the sketches.
func screen(w, h int) Screen {
	r := report()
	batch := r.Nudge.Batches
	s := Screen{
		Width: w, Height: h, Focus: PanelBatches, Now: 1_790_000_003_000,
		Session: Session{
			Name: "orders-service", Agent: "pi", Model: "claude-sonnet-4-5", Window: 200000, WindowFrom: "model table",
			Follow: Live, Mode: "watching", Changed: 1_790_000_000_000, Turn: 212, Counting: "Pi host messages", Counter: "estimate", Problems: 2,
		},
		Config: kernel.Default(200000), ConfigFrom: "kernel defaults",
		Report: r, Totals: Sum(r), Stamps: kernel.NudgeState{Baseline: 100000},
	}
	s.Batches = list(0,
		RangeRow{Range: *batch.At(0), Verdict: answer(*batch.At(0), kernel.Folds, nil, nil)},
		RangeRow{Range: *batch.At(1), Verdict: answer(*batch.At(1), kernel.FoldsLess, nil, []string{ref(58), ref(59)})},
		RangeRow{Range: *batch.At(2), Verdict: answer(*batch.At(2), kernel.Folds, nil, nil)},
		RangeRow{Range: *batch.At(3), Verdict: answer(*batch.At(3), kernel.FoldsWider, []string{ref(105)}, nil)})
	s.Ranges = list(1,
		RangeRow{Range: *r.Ranges.At(0), Verdict: answer(*r.Ranges.At(0), kernel.Folds, nil, nil)},
		RangeRow{Range: *r.Ranges.At(1), Verdict: answer(*r.Ranges.At(1), kernel.Folds, nil, nil)},
		RangeRow{Range: kernel.Range{StartRef: ref(32), EndRef: ref(33), Count: 2, Tokens: 610}, Protected: true, Why: "compress"},
		RangeRow{Range: *r.Ranges.At(2), Verdict: answer(*r.Ranges.At(2), kernel.FoldsLess, nil, []string{ref(58), ref(59)})},
		RangeRow{Range: kernel.Range{StartRef: ref(61), EndRef: ref(62), Count: 2, Tokens: 180}, Protected: true, Why: "todo_write"},
		RangeRow{Range: *r.Ranges.At(3), Verdict: answer(*r.Ranges.At(3), kernel.Folds, nil, nil)},
		RangeRow{Range: *r.Ranges.At(4), Verdict: tooSmall(*r.Ranges.At(4), 40)},
		RangeRow{Range: *r.Ranges.At(5)})
	s.Messages = conversation(212)
	s.Messages.Selected, s.Messages.Follow = 211, true
	s.Blocks = list(3, someBlocks()...)
	s.Problems = list(0, Problem{"line 2", "cut off in the middle of a string"}, Problem{"line 5", "a list stands where an object is wanted"})
	s.Foot.Keys, s.Foot.Problems = keysOf(keymap.List), keymap.Default().Problems
	s.Keys = keyGroups()
	place(&s)
	return s
}

// place scrolls every list so that its cursor is visible.
func place(s *Screen) {
	b := Layout(s.Width, s.Height, s.Want())
	s.Batches.Offset = Scroll(s.Batches.Len, s.Batches.Offset, s.Batches.Selected, b.Lines(PanelBatches))
	s.Ranges.Offset = Scroll(s.Ranges.Len, s.Ranges.Offset, s.Ranges.Selected, b.Lines(PanelRanges))
	s.Messages.Offset = Scroll(s.Messages.Len, s.Messages.Offset, s.Messages.Selected, b.Lines(PanelMessages))
	s.Blocks.Offset = Scroll(s.Blocks.Len, s.Blocks.Offset, s.Blocks.Selected, b.Lines(PanelBlocks))
}

// keysOf are the keys of the program's own key map.
func keysOf(c keymap.Context) []key.Binding { return keymap.Default().Foot(c) }

func keyGroups() []KeyGroup {
	var groups []KeyGroup
	for _, g := range keymap.Default().Groups() {
		groups = append(groups, KeyGroup(g))
	}
	return groups
}

// conversation is a list of n messages that are made when they are asked for.
func conversation(n int) Rows[MessageRow] {
	return Rows[MessageRow]{Len: n, All: n, At: func(i int) MessageRow { return message(i, n) }}
}

func message(i, n int) MessageRow {
	m := MessageRow{Ref: ref(i + 1), Standing: kernel.Standing{Kind: kernel.StandsSent}}
	switch i % 4 {
	case 0:
		m.Role, m.Type, m.Tokens = kernel.RoleUser, kernel.Text, 40
	case 1:
		m.Role, m.Type, m.Tool, m.Tokens = kernel.RoleAssistant, kernel.ToolCall, "bash", 41
	case 2:
		m.Role, m.Type, m.Tool, m.Tokens = kernel.RoleTool, kernel.ToolResult, "bash", 13902
	default:
		m.Role, m.Type, m.Tokens = kernel.RoleAssistant, kernel.Text, 212
	}
	m.Chars = kernel.Chars(m.Tokens * 4)
	switch {
	case i < 11:
		m.Standing = kernel.Standing{Kind: kernel.StandsFolded, BlockID: "b1"}
	case i == n-3:
		m.Failed = true
	case i >= n-5:
		m.Standing = kernel.Standing{Kind: kernel.StandsRecent}
	case i == n-8:
		m.Ref, m.Images = "BLOCKED", 1
		m.Standing = kernel.Standing{Kind: kernel.StandsProtected, Why: "it carries an image"}
	}
	return m
}

func someBlocks() []BlockRow {
	return []BlockRow{
		{ID: "b1", Tier: 1, StartRef: ref(1), EndRef: ref(5), Messages: 5, Original: 19200, Summary: 780, Topic: "set up the schema", Active: true},
		{ID: "b2", Tier: 1, StartRef: ref(6), EndRef: ref(11), Messages: 6, Original: 8200, Summary: 560, Topic: "日本語テキスト", Active: true},
		{ID: "b3", Tier: 1, StartRef: ref(72), EndRef: ref(79), Messages: 8, Original: 12100, Summary: 900, Active: false},
		{ID: "b4", Tier: 2, StartRef: ref(72), EndRef: ref(79), Messages: 8, Original: 900, Summary: 880, Topic: "retry with \"backoff\"", Active: true, Consumed: []string{"b3"}},
	}
}
