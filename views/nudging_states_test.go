package views

import (
	"ctxscope/kernel"
	"ctxscope/kernel/doctor"
	"ctxscope/keymap"
)

// nudgingStates are the screens that answer why.
var nudgingStates = []state{
	{"ledger", allSizes, func(w, h int) Screen { return laidOpen(screen(w, h)) }},
	{"ledger-pressure", twoSizes, func(w, h int) Screen { return laidOpen(overLimit(w, h)) }},
	{"withheld", allSizes, withheldNudge},
	{"withheld-ledger", twoSizes, func(w, h int) Screen { return zoomedNudge(withheldNudge(w, h)) }},
	{"nudge-text", twoSizes, nudgeTextOpen},
	{"explain", allSizes, explained},
	{"candidates", allSizes, planned},
	{"candidates-failed", twoSizes, unplanned},
	{"doctor", allSizes, sick},
	{"doctor-healthy", twoSizes, healthy},
	{"doctor-finding", twoSizes, findingOpen},
	{"outcomes", allSizes, calls},
}

// laidOpen adds what is known of a nudge to a screen and zooms its panel.
func laidOpen(s Screen) Screen {
	d := &s.Report.Nudge
	d.Tiers = [4]kernel.TierLine{
		1: {Tier: 1, On: true, Pending: 71100, Threshold: 50000, MassReady: true},
		2: {Tier: 2, On: true, Pending: 3120, Threshold: 75000, Blocks: 4, Trigger: 1000},
		3: {Tier: 3, On: true, Threshold: 75000, Trigger: 2000},
	}
	d.Order, d.SlotOrder = kernel.OrderNone, kernel.OrderCascade
	if d.Band != kernel.BandNormal {
		d.Order = kernel.OrderMost
		d.Gates = []kernel.Gate{
			gateOf("over-limit", 0.76, ">=", 0.75, "share", true), gateOf("emergency", 0.76, ">=", 0.95, "share", false),
			gateOf("first sight: never shown", 117000, "=", 0, "tokens", false),
			gateOf("pressure: something pending", 71100, ">", 0, "tokens", true), gateOf("pressure: benefit", 71100, ">=", 5000, "tokens", true),
		}
	}
	d.SlotGates = []kernel.Gate{
		gateOf("tiers enabled", 1, "=", 1, "yes/no", true), gateOf("T2 count", 4, ">=", 1000, "blocks", false),
		gateOf("T3 count", 0, ">=", 2000, "blocks", false), gateOf("T1 mass", 71100, ">=", 50000, "tokens", true),
	}
	ledger := kernel.New(s.Config, nil).Ledger(d)
	s.Nudging = Nudging{
		Ledger: &ledger, Text: &kernel.NudgeText{Kind: kernel.NudgeGentle, Full: true, Tokens: 1393},
		Guard: &kernel.GuardAnswer{Gate: kernel.GuardKernel, Sentence: d.Reason, Gates: []kernel.Gate{gateOf(kernel.GuardKernel, 0, "=", 1, "yes/no", false)}},
		Costs: kernel.NudgeCosts{Texts: 2, FullTexts: 1, Tokens: 1735, Growth: 18290, GrowthWithout: 17948},
	}
	if d.ShouldInject {
		s.Nudging.Guard = &kernel.GuardAnswer{Send: true, Sentence: d.Reason, Gates: []kernel.Gate{
			gateOf(kernel.GuardKernel, 1, "=", 1, "yes/no", true), gateOf(kernel.GuardEmpty, 1, ">", 0, "batches", true),
			gateOf(kernel.GuardResponded, 0, "=", 0, "yes/no", true), gateOf(kernel.GuardCoolDown, 0, "=", 0, "yes/no", true),
			gateOf(kernel.GuardDedupe, 23000, ">=", 22500, "tokens", true),
		}}
	}
	return zoomedNudge(s)
}

func zoomedNudge(s Screen) Screen {
	s.Focus, s.Zoom, s.Foot.Keys = PanelNudge, true, keysOf(keymap.Global)
	place(&s)
	return s
}

// withheldNudge is a nudge that a host's gate would hold back.
func withheldNudge(w, h int) Screen {
	s := laidOpen(overLimit(w, h))
	s.Nudging.Guard = &kernel.GuardAnswer{
		Gate:     kernel.GuardCoolDown,
		Sentence: "cool-down, 3 refusals in a row: it ends with a new user message or after 21,400 more tokens of growth",
		Gates: []kernel.Gate{
			gateOf(kernel.GuardKernel, 1, "=", 1, "yes/no", true), gateOf(kernel.GuardEmpty, 1, ">", 0, "batches", true),
			gateOf(kernel.GuardResponded, 0, "=", 0, "yes/no", true), gateOf(kernel.GuardCoolDown, 1100, ">=", 22500, "tokens", false),
		},
	}
	s.Focus, s.Zoom, s.Foot.Keys = PanelBatches, false, keysOf(keymap.List)
	place(&s)
	return s
}

func nudgeTextOpen(w, h int) Screen {
	s := laidOpen(nudged(w, h))
	s.Zoom = false
	k := kernel.New(s.Config, nil)
	text := k.RenderNudge(s.Report.Nudge, nil, nil, true)
	s.Reader = &Reader{Title: "Nudge text", Facts: NudgeTextFacts(&text, "estimate", true)}
	width, _ := Layout(w, h, s.Want()).Reader()
	s.Reader.Lines = Wrap(text.Text, width)
	s.Foot.Keys = keysOf(keymap.Text)
	return s
}

func explained(w, h int) Screen {
	s := focused(w, h, PanelMessages)
	s.Foot.Keys = keysOf(keymap.Text)
	s.Reader = &Reader{Title: "Why: m00210", Facts: "the rules in the order in which they are asked; a STOP is what decides"}
	width, _ := Layout(w, h, s.Want()).Reader()
	s.Reader.Lines = Explained(kernel.Explanation{
		StartRef: "m00210", EndRef: "m00210", Answer: "recent zone",
		Rules: []kernel.Rule{
			{Name: "block", Passes: true, Says: "no active block covers it"},
			{Name: "sent", Passes: true, Says: "the agent is sent it"},
			{Name: "ref", Passes: true, Says: "m00210 names it"},
			{Name: "content", Passes: true, Says: "it is the conversation's own text"},
			{Name: "protected", Passes: true, Says: "no rule protects it"},
			{Name: "recent zone", Says: "3rd of the last 5, in the newest 5,000 tokens (4,154 are newer)", Change: "free after 3 more messages and 846 more tokens"},
		},
	}, width)
	return s
}

// plan is what a planner found in the idle session.
func plan() *kernel.Plan {
	return &kernel.Plan{
		Planner: kernel.DefaultPlanner, Version: "1", TruncatedCount: 3,
		Candidates: []kernel.Candidate{
			{Kind: kernel.Micro, StartRef: ref(40), EndRef: ref(41), MessageCount: 2, RetainedChars: 55649, EstimatedTokens: 13943, ToolPct: 100, Label: "bash transaction"},
			{Kind: kernel.Episode, StartRef: ref(12), EndRef: ref(19), MessageCount: 8, RetainedChars: 32000, EstimatedTokens: 8000, ToolPct: 75, TextPct: 25, Label: "historical conversation segment"},
			{Kind: kernel.Micro, StartRef: ref(63), EndRef: ref(63), MessageCount: 1, RetainedChars: 24000, EstimatedTokens: 6000, TextPct: 100, Label: "large conversation message"},
		},
		Omitted: []kernel.Omission{
			{Kind: kernel.Micro, StartRef: ref(32), EndRef: ref(33), Reason: kernel.OmitsProtected},
			{Kind: kernel.Episode, StartRef: ref(206), EndRef: ref(212), Reason: kernel.OmitsRecent},
			{Kind: kernel.Micro, Reason: kernel.OmitsMissingReference},
		},
	}
}

func planned(w, h int) Screen {
	s := focused(w, h, PanelCandidates)
	s.Plan = plan()
	var rows []CandidateRow
	for i := range s.Plan.Candidates {
		rows = append(rows, CandidateRow{Candidate: &s.Plan.Candidates[i], Mark: Mark{Marked: i == 1}})
	}
	for i := range s.Plan.Omitted {
		rows = append(rows, CandidateRow{Omission: &s.Plan.Omitted[i]})
	}
	s.Candidates = list(0, rows...)
	return s
}

func unplanned(w, h int) Screen {
	s := focused(w, h, PanelCandidates)
	s.Plan = &kernel.Plan{Planner: "mine", Failed: `no planner is called "mine"`}
	return s
}

func sick(w, h int) Screen {
	s := focused(w, h, PanelDoctor)
	s.Foot.Keys = keysOf(keymap.Doctor)
	s.Session.Alarms = 1
	s.Checkup = Checkup{Done: true, Turns: 212, Found: 2, Muted: 1, Calls: refusals()}
	s.Findings = list(0,
		FindingRow{Title: "Nudge, refusal, nudge again", What: "3 times a refused call was followed by another nudge."},
		FindingRow{Title: "Many compress calls are refused", What: RefusalsLine(refusals())},
		FindingRow{Title: "A large part of the context can never be folded", What: "41,200 of 94,000 tokens.", Muted: true},
		FindingRow{Title: "Compress calls, by cause of refusal", What: RefusalsLine(refusals()), Table: true},
		FindingRow{Title: "What cannot be folded, by cause", What: FloorLine(doctor.Floor{First: 300, Now: 41200, PerTurn: 192.9}), Table: true})
	return s
}

func refusals() doctor.Refusals {
	return doctor.Refusals{Calls: 40, Refused: 28, Share: 0.7, InARow: 9, Causes: []doctor.CauseCount{{Cause: doctor.TooSmall, Calls: 21}, {Cause: doctor.Protected, Calls: 7}}}
}

func healthy(w, h int) Screen {
	s := sick(w, h)
	s.Session.Alarms = 0
	s.Checkup = Checkup{Done: true, Turns: 212}
	s.Findings = list(0,
		FindingRow{Title: "Compress calls, by cause of refusal", What: RefusalsLine(doctor.Refusals{}), Table: true},
		FindingRow{Title: "What cannot be folded, by cause", What: FloorLine(doctor.Floor{First: 300, Now: 412, PerTurn: 0.5}), Table: true})
	return s
}

func findingOpen(w, h int) Screen {
	s := sick(w, h)
	s.Foot.Keys = keysOf(keymap.Text)
	f := doctor.Finding{
		Code: doctor.NudgeLoop, Title: "Nudge, refusal, nudge again", What: "3 times a refused call was followed by another nudge.",
		Details: []string{"Turn 12 nudged, toolu_01 was refused (too small), turn 13 nudged again."},
		Turns:   []int{12, 13, 14, 20}, Calls: []string{"toolu_01", "toolu_02"}, Resembles: []string{"ranxianglei/opencode-acp#216"},
		Advice: "A refused call should count as an answer to the nudge.",
	}
	s.Reader = &Reader{Title: f.Title, Facts: f.Code + ": it resembles this, it need not be it"}
	width, _ := Layout(w, h, s.Want()).Reader()
	s.Reader.Lines = Wrap(FindingText(&f), width)
	return s
}

func calls(w, h int) Screen {
	s := sick(w, h)
	s.Focus, s.Last = PanelOutcomes, PanelOutcomes
	s.Outcomes = list(1,
		doctor.Outcome{CallID: "toolu_01A9", AfterTurn: 12, Ranges: []string{"m00012..m00031"}, Host: kernel.Succeeded, HostBlocks: 1, Blocks: 1, Would: "would fold 1 block, 21,400 tokens"},
		doctor.Outcome{CallID: "toolu_01B2", AfterTurn: 14, Ranges: []string{"m00080..m00081", "m00090..m00091"}, Host: kernel.Failed, Refused: true, Cause: doctor.TooSmall, Would: "would refuse: Total compressible content too small (4960 chars across 2 range(s), min 5000)."},
		doctor.Outcome{CallID: "toolu_01C7", AfterTurn: 20, Ranges: []string{"m00034..m00060"}, Host: kernel.Failed, Refused: true, Cause: doctor.HostAlone, Alarm: "the host refused it, the replay would fold it", Would: "would fold 1 block, 24,700 tokens"},
		doctor.Outcome{AfterTurn: 30, Host: kernel.Neutral, Would: "would refuse: no range can be read from its arguments"})
	place(&s)
	return s
}
