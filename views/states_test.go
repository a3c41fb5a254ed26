package views

import (
	"strings"

	"ctxscope/kernel"
	"ctxscope/keymap"
)

// state is a screen worth keeping, made for a size.
type state struct {
	name  string
	sizes [][2]int
	make  func(w, h int) Screen
}

var (
	allSizes = [][2]int{{40, 12}, {80, 24}, {120, 40}, {200, 60}}
	twoSizes = [][2]int{{80, 24}, {120, 40}}
)

var states = append([]state{
	{"idle", allSizes, screen},
	{"nudge", allSizes, nudged},
	{"first-sight", twoSizes, firstSight},
	{"growth-due", twoSizes, growthDue},
	{"over-limit", twoSizes, overLimit},
	{"emergency", allSizes, emergency},
	{"waiting", allSizes, waiting},
	{"loading", twoSizes, loading},
	{"gone", twoSizes, gone},
	{"no-file", twoSizes, noFile},
	{"no-session", twoSizes, noSession},
	{"stopped", twoSizes, stopped},
	{"old-count", twoSizes, oldCount},
	{"stale-count", twoSizes, staleCount},
	{"nothing-to-fold", twoSizes, nothingToFold},
	{"small-window", allSizes, smallWindow},
	{"shrunk", twoSizes, shrunk},
	{"noted", allSizes, noted},
	{"unknown", twoSizes, unknowns},
	{"pick-folds", allSizes, func(w, h int) Screen { return picked(w, h, PanelBatches, 0) }},
	{"pick-less", allSizes, func(w, h int) Screen { return picked(w, h, PanelCompress, 1) }},
	{"pick-wider", twoSizes, func(w, h int) Screen { return picked(w, h, PanelCompress, 3) }},
	{"pick-refused", allSizes, refused},
	{"pick-several", twoSizes, several},
	{"pick-growing", twoSizes, growing},
	{"summary-short", allSizes, summary},
	{"applied", allSizes, applied},
	{"ranges", [][2]int{{40, 12}, {80, 24}}, func(w, h int) Screen { return focused(w, h, PanelRanges) }},
	{"tiers", allSizes, func(w, h int) Screen { s := focused(w, h, PanelTiers); s.Zoom = true; return s }},
	{"nudge-zoomed", [][2]int{{40, 12}, {80, 24}}, func(w, h int) Screen { s := focused(w, h, PanelNudge); s.Zoom = true; return s }},
	{"messages", [][2]int{{40, 12}, {80, 24}}, func(w, h int) Screen { return focused(w, h, PanelMessages) }},
	{"messages-unseen", twoSizes, unseen},
	{"messages-filter", twoSizes, filtered},
	{"blocks", [][2]int{{40, 12}, {80, 24}}, func(w, h int) Screen { return focused(w, h, PanelBlocks) }},
	{"reader", allSizes, reading},
	{"problem-long", [][2]int{{40, 12}, {80, 24}}, longProblem},
	{"problems", twoSizes, func(w, h int) Screen { return focused(w, h, PanelProblems) }},
	{"help", allSizes, func(w, h int) Screen { return focused(w, h, PanelHelp) }},
	{"why", twoSizes, func(w, h int) Screen {
		s := screen(w, h)
		s.Foot.Note = "u (undo what-if) has nothing to take back."
		return s
	}},
	{"hostile", twoSizes, hostile},
	{"small", [][2]int{{39, 10}, {20, 3}, {1, 1}}, screen},
}, append(nudgingStates, hostStates...)...)

// focused is the idle screen with the focus on p.
func focused(w, h int, p Panel) Screen {
	s := screen(w, h)
	s.Focus, s.Last = p, p
	switch p {
	case PanelTiers, PanelNudge, PanelHelp:
		s.Foot.Keys = keysOf(keymap.Global)
	}
	place(&s)
	return s
}

func nudged(w, h int) Screen {
	s := screen(w, h)
	d := &s.Report.Nudge
	s.Report.Used = kernel.Count{Tokens: 123400, Source: kernel.CountReported, Reported: 123400}
	d.ShouldInject, d.Tier, d.TokensToNudge, d.ContextUsage = true, 1, 0, 0.617
	d.Breakdown.Growth = 23400
	d.Reason = "T1 effective 71100 >= 50000, growth 23400, usage 62%"
	d.Gates[4] = gateOf("growth", 23400, ">=", 22500, "tokens", true)
	d.Gates = append(d.Gates, gateOf("tiers enabled", 1, "=", 1, "yes/no", true), gateOf("T2 count", 4, ">=", 1000, "blocks", false),
		gateOf("T3 count", 0, ">=", 2000, "blocks", false), gateOf("T1 mass", 71100, ">=", 50000, "tokens", true))
	return s
}

func firstSight(w, h int) Screen {
	s := nudged(w, h)
	d := &s.Report.Nudge
	d.FirstSight, d.GrowthSourceStamp = true, "now"
	d.Breakdown.Growth, d.Breakdown.GrowthReference = 0, 123400
	d.Reason = "T1 effective 71100 >= 50000, growth 0, usage 62% [first-sight mass]"
	s.Stamps = kernel.NudgeState{}
	return s
}

func growthDue(w, h int) Screen {
	s := screen(w, h)
	d := &s.Report.Nudge
	d.TokensToNudge, d.NextSlot, d.Breakdown.Growth, d.Breakdown.MaxPending = 0, 0, 61000, 12300
	d.Reason = "max compressible 12300 < threshold 50000"
	return s
}

func overLimit(w, h int) Screen {
	s := nudged(w, h)
	d := &s.Report.Nudge
	s.Report.Used = kernel.Count{Tokens: 152000, Source: kernel.CountReported, Reported: 152000}
	d.ContextUsage, d.Band, s.Repeats = 0.76, kernel.BandOverLimit, 3
	d.Reason = "OVER-LIMIT T1: max effective pending 71100, usage 76%"
	return s
}

func emergency(w, h int) Screen {
	s := screen(w, h)
	r := s.Report
	r.Used = kernel.Count{Tokens: 256000, Source: kernel.CountReported, Reported: 256000}
	r.Pending = kernel.Pending{T2: 232, C2: 1}
	r.Ranges, r.Nudge.Batches = kernel.List[kernel.Range]{}, kernel.List[kernel.Range]{}
	r.Sent, r.Kept = kernel.Sent{Messages: 31, Tokens: 12022}, kernel.Kept{Protected: 790, Summaries: 232, Recent: 11000}
	d := &r.Nudge
	d.ContextUsage, d.Band, d.NextSlot, d.TokensToNudge = 1.28, kernel.BandEmergency, 0, 0
	d.Breakdown.MaxPending, d.Breakdown.PendingT1, d.Breakdown.PendingT2 = 232, 0, 232
	d.Reason = "EMERGENCY: usage 128% but max pending 232 < min benefit 5000 tokens (T1 effective 0, T2 232, T3 0) — suppressed: rewriting below the benefit floor reclaims almost nothing while usage stays high; truncate.threshold remains the safety valve"
	d.Gates = []kernel.Gate{
		gateOf("over-limit", 1.28, ">=", 0.75, "share", true), gateOf("emergency", 1.28, ">=", 0.95, "share", true),
		gateOf("pressure: something pending", 232, ">", 0, "tokens", true), gateOf("pressure: benefit", 232, ">=", 5000, "tokens", false),
	}
	s.Totals = Sum(r)
	s.Batches, s.Ranges = Rows[RangeRow]{}, Rows[RangeRow]{}
	return s
}

func waiting(w, h int) Screen {
	s := screen(w, h)
	s.Session = Session{Name: "2026-01-09T10-00-00.jsonl", Window: 200000, WindowFrom: "assumed", Follow: Waiting, Mode: "watching"}
	s.Report, s.Totals, s.Stamps = nil, Totals{}, kernel.NudgeState{}
	s.Batches, s.Ranges = Rows[RangeRow]{}, Rows[RangeRow]{}
	s.Messages, s.Blocks, s.Problems = Rows[MessageRow]{}, Rows[BlockRow]{}, Rows[Problem]{}
	return s
}

func loading(w, h int) Screen {
	s := waiting(w, h)
	s.Session.Follow, s.Session.Read, s.Session.Size = Loading, 12_300_000, 45_000_000
	return s
}

func gone(w, h int) Screen {
	s := screen(w, h)
	s.Session.Follow = Missing
	return s
}

// noFile is the name of a file that was never there.
func noFile(w, h int) Screen {
	s := waiting(w, h)
	s.Session.Follow, s.Session.Note = Missing, "waiting for the file to be made"
	s.Report = &kernel.Report{Limit: 200000, Used: kernel.Count{Source: kernel.CountEstimate}}
	return s
}

// noSession is a file that is no session.
func noSession(w, h int) Screen {
	s := waiting(w, h)
	s.Session.Follow, s.Session.Refused = Quiet, "the JSON in this file is spread over many lines, as a formatter writes it; a session has one record a line"
	s.Report = &kernel.Report{Limit: 200000, Used: kernel.Count{Source: kernel.CountEstimate}}
	return s
}

// stopped is a session whose file cannot be read any further.
func stopped(w, h int) Screen {
	s := screen(w, h)
	s.Session.Follow, s.Session.Refused = Stopped, "a line is longer than 1 GiB, so this is no transcript"
	s.Session.Note = s.Session.Refused
	return s
}

// longProblem is a problem that takes more than its row.
func longProblem(w, h int) Screen {
	s := focused(w, h, PanelProblems)
	s.Session.Settings = 1
	s.Problems = list(1, Problem{"line 2", "cut off in the middle of a string"}, Problem{
		"configuration", "Outputs are cut from 95 % of the window on (truncate.threshold), but the emergency band begins only at 97 % (nudge.emergencyThresholdPct): raise one or lower the other.",
	})
	return s
}

// oldCount is a session whose last reply came before the last fold.
func oldCount(w, h int) Screen {
	s := growthDue(w, h)
	s.Report.Used.Old = true
	return s
}

// staleCount is a session that its host compacted a moment ago.
func staleCount(w, h int) Screen {
	s := screen(w, h)
	s.Session.Stale = 154_310
	s.Report.Used = kernel.Count{Tokens: 12_400, Source: kernel.CountEstimate, Estimated: 12_400}
	s.Report.Nudge.ContextUsage = 0.062
	return s
}

func nothingToFold(w, h int) Screen {
	s := screen(w, h)
	r := s.Report
	r.Nudge.Batches, r.Pending.T1, r.Nudge.NextSlot = kernel.List[kernel.Range]{}, 0, 0
	r.Ranges = kernel.ListOf(aRange(80, 81, 1240, 100))
	r.Nudge.Breakdown.MaxPending, r.Nudge.TokensToNudge = 3120, 4210
	r.Nudge.Reason = "max compressible 3120 < threshold 50000; growth 18290 < floor 22500"
	s.Totals = Sum(r)
	s.Batches = Rows[RangeRow]{}
	s.Ranges = list(0, RangeRow{Range: *r.Ranges.At(0), Verdict: tooSmall(*r.Ranges.At(0), 40)})
	return s
}

// smallWindow is a session in a window that growth can never fill.
func smallWindow(w, h int) Screen {
	s := screen(w, h)
	s.Session.Window, s.Config = 50000, kernel.Default(50000)
	r := s.Report
	r.Limit, r.Used = 50000, kernel.Count{Tokens: 37000, Source: kernel.CountReported, Reported: 37000}
	r.Nudge.ContextUsage, r.Nudge.NextSlot, r.Nudge.Breakdown.MaxPending = 0.74, 0, 30000
	r.Nudge.Reason = "max compressible 30000 < threshold 50000; growth 18290 < floor 22500"
	return s
}

// shrunk is a demo whose context is smaller than where growth is counted from.
func shrunk(w, h int) Screen {
	s := growthDue(w, h)
	s.Session.Follow, s.Session.Mode = Playing, "demo 2x"
	d := &s.Report.Nudge
	d.Breakdown.Growth, d.TokensToNudge = -57371, 79871
	d.Reason = "max compressible 12300 < threshold 50000; growth -57371 < floor 22500"
	return s
}

// noted is a session with a note about its file.
func noted(w, h int) Screen {
	s := screen(w, h)
	s.Session.Note, s.Session.Diverged, s.Session.Preparing = "the file was replaced, read again", "turn 88", "o200k"
	s.Session.NotHost, s.Session.Counter = true, "cl100k"
	return s
}

// unknowns is a session of which little is known.
func unknowns(w, h int) Screen {
	s := screen(w, h)
	s.Session = Session{Follow: ReadOnce}
	s.Report.Limit, s.Report.Nudge.ContextUsage = 0, 0
	s.Report.Used = kernel.Count{Tokens: 94000, Source: kernel.CountEstimate, Estimated: 94000}
	return s
}

// picked takes batch i into the form.
func picked(w, h int, focus Panel, i int) Screen {
	s := screen(w, h)
	s.Focus = focus
	if focus == PanelCompress {
		s.Foot.Keys = keysOf(keymap.Form)
	}
	row := s.Batches.At(i)
	s.Form = Form{Stage: Picking, Ranges: []Pick{{StartRef: row.StartRef, EndRef: row.EndRef}}, Verdict: row.Verdict, Then: after()}
	place(&s)
	return s
}

// after is the report that would hold once a batch is folded.
func after() *kernel.Report {
	r := report()
	r.Sent.Tokens, r.Pending.T1 = 70800, 46400
	r.Nudge.TokensToNudge = 22500
	return r
}

func refused(w, h int) Screen {
	s := picked(w, h, PanelCompress, 0)
	r := aRange(80, 81, 1240, 100)
	s.Form.Ranges = []Pick{{StartRef: r.StartRef, EndRef: r.EndRef}}
	s.Form.Verdict, s.Form.Then = tooSmall(r, 40), nil
	return s
}

func several(w, h int) Screen {
	s := picked(w, h, PanelCompress, 0)
	a, b := *s.Form.Verdict, *s.Batches.At(1).Verdict
	skipped := kernel.RangeVerdict{
		StartRef: ref(20), EndRef: ref(22), Kind: kernel.Skipped, Code: "overlap", Picked: kernel.Picked{Messages: 3, Tokens: 900, Chars: 3600},
		Sentence: "Skipped range (m00020..m00022) — overlaps an earlier range in the batch; the earlier range takes precedence. Keep ranges disjoint.",
	}
	a.Ranges = append(append([]kernel.RangeVerdict{a.Ranges[0]}, b.Ranges...), skipped)
	a.BlocksCreated = 2
	s.Form.Verdict, s.Form.Selected = &a, 1
	s.Form.Ranges = []Pick{{StartRef: ref(12), EndRef: ref(31)}, {StartRef: ref(34), EndRef: ref(60)}, {StartRef: ref(20), EndRef: ref(22)}}
	return s
}

func growing(w, h int) Screen {
	s := focused(w, h, PanelMessages)
	s.Messages.Follow = false
	at := s.Messages.At
	s.Messages.At = func(i int) MessageRow {
		m := at(i)
		m.Picked = i >= 206 && i <= 211
		return m
	}
	r := aRange(207, 212, 14300, 60)
	s.Form = Form{Stage: Picking, Growing: true, Checking: true, Ranges: []Pick{{StartRef: r.StartRef, EndRef: r.EndRef}}}
	place(&s)
	return s
}

func summary(w, h int) Screen {
	s := picked(w, h, PanelCompress, 0)
	s.Form.Stage = Writing
	s.Foot.Keys = keysOf(keymap.Writing)
	v := answer(*s.Report.Nudge.Batches.At(0), kernel.Refused, nil, nil)
	v.Placeholder, v.BlocksCreated = false, 0
	v.Ranges[0].Code, v.Ranges[0].Sentence = "summary-too-short", "Summary too short (33 chars, min 50). The summary must capture the compressed range's key information."
	v.Ranges[0].Folded, v.Ranges[0].Reclaims = kernel.Picked{}, 0
	s.Form.Verdict, s.Form.Then = v, nil
	s.Form.Editor = Editor{Text: "Set up the orders schema.\n日本語: ok", Line: 1, Col: 5}
	return s
}

func applied(w, h int) Screen {
	s := picked(w, h, PanelCompress, 0)
	s.Form.Stage, s.WhatIf = Applied, WhatIf{Folds: 1}
	s.Form.Call = `{"content":[{"startId":"m00012","endId":"m00031","summary":"Set up the orders schema, with its migrations and seed data.","topic":"schema"}]}`
	return s
}

func unseen(w, h int) Screen {
	s := focused(w, h, PanelMessages)
	s.Messages.Selected, s.Messages.Offset, s.Messages.Follow, s.Messages.Unseen = 150, 145, false, 50
	place(&s)
	return s
}

func filtered(w, h int) Screen {
	s := focused(w, h, PanelMessages)
	s.Messages = list(0, message(2, 212), message(6, 212))
	s.Messages.All, s.Messages.Filter, s.Messages.Editing = 212, "result", true
	s.Blocks = Rows[BlockRow]{All: 4, Filter: "zzz"}
	return s
}

func reading(w, h int) Screen {
	s := focused(w, h, PanelMessages)
	s.Foot.Keys = keysOf(keymap.Text)
	s.Reader = &Reader{Title: "m00211 tool result bash", Facts: "13,902 tokens (estimate), 55,608 chars, sent"}
	text := "$ go test ./...\n\tok  ctxscope/kernel\n" + strings.Repeat("日本語テキスト and \x1b[31mred\x1b[0m words that go on. ", 12) + "\n" + strings.Repeat("line\n", 60)
	width, _ := Layout(w, h, s.Want()).Reader()
	s.Reader.Lines, s.Reader.Offset = Wrap(text, width), 1
	return s
}

// hostile is a session whose texts try to control the terminal.
func hostile(w, h int) Screen {
	s := screen(w, h)
	evil := "\x1b]0;owned\a\x1b[2Jevil\u202egnp.exe\u202c\r\n\ttab\u009b31m\u200b日本\b\b"
	s.Session.Name, s.Session.Agent, s.Session.Model, s.Session.Diverged = evil, evil, evil, evil
	s.Report.Nudge.Reason = evil + " " + s.Report.Nudge.Reason
	s.Messages.At = func(i int) MessageRow {
		m := message(i, 212)
		m.Tool, m.Standing.Why = evil, evil
		return m
	}
	row := someBlocks()[0]
	row.Topic = evil
	s.Blocks = list(0, row)
	s.Form = Form{Stage: Applied, Call: evil, Ranges: []Pick{{evil, evil, true}}}
	return s
}
