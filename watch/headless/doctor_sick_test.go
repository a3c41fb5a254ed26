package headless

import (
	"strings"

	"ctxscope/kernel/doctor"
)

// small is a window of 20,000 tokens with everything else to scale, so that
// the transcripts stay short.
const small = `{
  "modelContextLimit": 20000,
  "nudge": {"growthFloor": 4000, "growthCap": 4000, "minGrowthFloor": 1500, "minPressureBenefitTokens": 500},
  "compress": {"minCompressRange": 1000, "minSummaryLength": 20},
  "preserveRecentTokens": 400, "preserveRecentMessages": 4
}
`

// A story is a session that a scribe writes, with the settings that it is
// judged with.
type story struct {
	name, format string
	config       string // empty: the kernel's defaults
	tell         func(s *scribe)
}

// sickStories reproduce one disease each; what a story says with shows is all
// that is found in it.
var sickStories = []story{
	{"forty-calls-28-refused", "pi", small, fortyCalls},
	{"tried-with-all-protected", "claude", strings.Replace(small, "{", `{"protectedTools": ["Read"],`, 1), allProtected},
	{"nudge-refusal-nudge", "pi", small, nudgeRefusalNudge},
	{"same-range-again", "claude", small, sameRangeAgain},
	{"pressure-ignored", "claude", small, pressureIgnored},
	{"pressure-with-nothing-to-fold", "pi", strings.Replace(small, "{", `{"protectedTools": ["read"],`, 1), nothingToFold},
	{"stamp-above-context", "pi", small, stampAbove},
	{"tier-two-waits", "claude", strings.Replace(small, `"nudge": {`, `"nudge": {"tierGrowthTokens": {"t2": 900}, `, 1), tierTwoWaits},
	{"pieces-between-rules", "pi", small, rulesBetween},
	{"residue-between-folds", "pi", strings.Replace(small, `"preserveRecentTokens": 400, "preserveRecentMessages": 4`, `"preserveRecentTokens": 100, "preserveRecentMessages": 1`, 1), residueBetween},
	{"summaries-too-long", "claude", small, gainless},
	{"listed-and-refused", "pi", small, listedAndRefused},
	{"host-compaction", "claude", small, hostCompaction},
	{"count-stands-still", "pi", small, frozenCount},
	{"count-jumps", "claude", small, jumpingCount},
	{"estimate-far-off", "pi", small, farEstimate},
	{"no-usage", "claude", small, noUsage},
	{"lone-halves", "pi", small, loneHalves},
	{"step-beyond-window", "claude", `{"modelContextLimit": 60000}` + "\n", stepBeyondWindow},
}

// fortyCalls is a session in which the agent calls compress forty times and
// is refused 28 times, for one cause after the other.
func fortyCalls(s *scribe) {
	s.user(s.prose(200))
	summary := s.prose(120)
	for range 4 {
		var from int
		for range 3 {
			from = s.here()
			s.work(1100)
			s.work(900)
			s.work(900)
			s.fold(from, from+2)
		}
		ask := func(start, end, summary string, codes ...string) {
			turn := s.refused(start, end, summary)
			for _, code := range append(codes, doctor.RefusalRate) {
				s.shows(code, turn)
			}
		}
		for range 3 { // too small
			ask(s.run.Ref(from+2), s.run.Ref(from+3), summary, doctor.CallRepeated)
		}
		ask(s.run.Ref(from), s.run.Ref(from+1), summary)                          // already folded
		ask("m09001", s.run.Ref(from+5), summary)                                 // unknown
		ask(s.run.Ref(from+2), s.run.Ref(from+5), "Done.", doctor.CallRepeated)   // summary too short
		ask(s.run.Ref(from+2), s.run.Ref(from+5), " Done. ", doctor.CallRepeated) // and again
	}
}

// allProtected asks to compress twice while every output is protected.
func allProtected(s *scribe) {
	s.user(s.prose(200))
	for range 6 {
		s.workWith("Read", 1500)
	}
	s.user("Go on, please.")
	s.shows(doctor.NudgeNothing, s.refused(s.run.Ref(0), s.run.Ref(s.here()-1), s.prose(120)))
	s.workWith("Read", 1500)
	s.user("And the next one.")
	s.shows(doctor.NudgeNothing, s.refused(s.run.Ref(0), "m00009", s.prose(120)))
	s.workWith("Read", 1500)
}

// nudgeRefusalNudge answers two nudges with calls that are refused.
func nudgeRefusalNudge(s *scribe) {
	s.user(s.prose(200))
	for s.turns() == 0 || !s.last().Inject {
		s.work(1300)
	}
	for range 2 {
		s.shows(doctor.NudgeLoop, s.turns())
		s.refused(s.run.Ref(s.here()-1), s.run.Ref(s.here()-1), s.prose(120))
		for s.work(1300); !s.last().Inject; s.work(1300) {
		}
	}
	s.shows(doctor.NudgeLoop, s.turns())
}

// sameRangeAgain asks for a range of the recent zone twice.
func sameRangeAgain(s *scribe) {
	s.user(s.prose(200))
	for range 4 {
		s.work(2000)
	}
	start, end := s.run.Ref(1), s.run.Ref(2)
	s.work(2000)
	s.fold(1, 4)
	for range 2 {
		s.shows(doctor.CallRepeated, s.refused(start, end, s.prose(120)))
		s.work(1200)
	}
}

// pressureIgnored goes on above the limit without a compress call.
func pressureIgnored(s *scribe) {
	s.user(s.prose(200))
	for range 4 {
		s.work(11_000)
	}
	for s.work(1000); s.last().Used.Tokens < 17_000; s.work(1000) {
		if s.last().Inject && s.last().Band != "normal" {
			s.shows(doctor.PressureNoYield, s.turns())
		}
	}
	if s.last().Inject {
		s.shows(doctor.PressureNoYield, s.turns())
	}
}

// nothingToFold fills the window with protected outputs.
func nothingToFold(s *scribe) {
	s.user(s.prose(200))
	for range 13 {
		s.workWith("read", 5700)
		if t := s.last(); t.Band != "normal" {
			s.shows(doctor.PressureStuck, t.Number)
		}
	}
	for n := s.turns() - 4; n <= s.turns(); n++ {
		s.shows(doctor.FloorHigh, n)
	}
}

// stampAbove drops tool declarations from the prompt right after a nudge.
func stampAbove(s *scribe) {
	s.beside = 5000
	s.user(s.prose(200))
	for s.turns() == 0 || !s.last().Inject {
		s.work(1500)
	}
	s.beside -= 3500
	s.work(300)
	for range 6 {
		s.work(300)
		if s.last().Growth < 0 {
			s.shows(doctor.DeadZone, s.turns())
		}
	}
}

// tierTwoWaits folds raw messages only, though the blocks could be merged.
func tierTwoWaits(s *scribe) {
	s.user(s.prose(200))
	for range 7 {
		from := s.here()
		for s.work(2500); !s.last().Inject; s.work(2500) {
		}
		if s.last().Ready[2] && s.last().Tier == 1 {
			s.shows(doctor.TierStarved, s.turns())
		}
		s.askRefs(s.run.Ref(from), s.run.Ref(s.here()-5), s.prose(1500))
	}
}

// rulesBetween asks for the rules after every step: what stands between these
// calls, which are never folded, is too small by itself.
func rulesBetween(s *scribe) {
	for range 12 {
		s.user(s.prose(300))
		s.reply(s.prose(250))
		if s.last().Kept.Fragments >= 500 {
			s.shows(doctor.FragmentsLost, s.turns())
		}
		s.workWith("acp_rule", 40)
		if s.last().Kept.Fragments >= 500 {
			s.shows(doctor.FragmentsLost, s.turns())
		}
	}
}

// residueBetween folds the large output of each step and leaves the small one,
// which then stands between two compress calls.
func residueBetween(s *scribe) {
	s.user(s.prose(200))
	for range 6 {
		from := s.here()
		s.work(1400)
		s.work(700)
		s.fold(from, from+2)
	}
	s.work(500)
	s.want[doctor.Residue] = nil
}

// gainless writes summaries as long as what they replace.
func gainless(s *scribe) {
	s.user(s.prose(200))
	for range 2 {
		from := s.here()
		s.work(1000)
		s.work(1000)
		s.work(1000)
		turn, _ := s.askRefs(s.run.Ref(from), s.run.Ref(from+2), s.prose(1300))
		s.shows(doctor.FoldNoGain, turn)
	}
}

// listedAndRefused is a host that refuses what it listed.
func listedAndRefused(s *scribe) {
	s.user(s.prose(200))
	for range 5 {
		s.work(1500)
	}
	batch := s.run.Now().Nudge.Batches.At(0)
	turn := s.askAnswered(batch.StartRef, batch.EndRef, s.prose(120), 0, "Total compressible content too small (2760 chars, min 3000)")
	s.shows(doctor.ListedRefused, turn)
	s.shows(doctor.Parity, turn)
	s.work(1500)
}

// hostCompaction compacts by itself after a fold.
func hostCompaction(s *scribe) {
	s.user(s.prose(200))
	for range 4 {
		s.work(2000)
	}
	s.fold(1, 5)
	s.work(1000)
	s.entry("system", object{
		"subtype": "compact_boundary", "content": "Conversation compacted", "isMeta": false, "level": "info",
		"parentUuid": nil, "logicalParentUuid": *s.parent, "compactMetadata": object{"trigger": "auto", "preTokens": 9000},
	})
	s.entry("user", object{
		"isCompactSummary": true, "isVisibleInTranscriptOnly": true,
		"message": object{"role": "user", "content": "Summary: " + s.prose(600)},
	})
	s.work(1000)
	s.shows(doctor.CompactionDropped, s.turns())
	s.work(1000)
}

// frozenCount reports the same size for six replies.
func frozenCount(s *scribe) {
	s.user(s.prose(200))
	s.work(1500)
	s.work(1500)
	s.report = func(int) int { return 4321 }
	for range 6 {
		s.work(1500)
	}
	first := s.turns() - 4 // what a reply reports is known at the next turn
	for n := first; n <= first+5; n++ {
		s.shows(doctor.CountFrozen, n)
	}
	s.report = func(prompt int) int { return prompt }
	s.work(1500)
	s.work(1500)
}

// jumpingCount takes the count of two replies from other requests.
func jumpingCount(s *scribe) {
	s.user(s.prose(200))
	honest := s.report
	for i := range 9 {
		switch i {
		case 3:
			s.report = func(prompt int) int { return prompt + 7000 }
		case 4, 8:
			s.report = honest
		}
		s.work(1200)
		if i == 4 || i == 5 {
			s.shows(doctor.CountJumps, s.turns())
		}
	}
}

// farEstimate reports three times of what the estimate says.
func farEstimate(s *scribe) {
	s.report = func(prompt int) int { return 1500 + 3*(prompt-1500) }
	s.user(s.prose(200))
	for range 12 {
		s.work(1200)
	}
	s.shows(doctor.EstimateFar, 2, s.turns())
}

// noUsage never says how large the context is.
func noUsage(s *scribe) {
	s.report = func(int) int { return 0 }
	s.user(s.prose(200))
	for range 6 {
		s.work(1200)
		s.shows(doctor.UsageNever, s.turns())
	}
}

// loneHalves has a result without its call and a call without its result.
func loneHalves(s *scribe) {
	s.user(s.prose(200))
	s.work(800)
	s.result(toolUse{tool: "grep", id: "call_900"}, s.prose(400), false)
	s.reply("Both at once.", toolUse{tool: "grep", arguments: object{"pattern": "a"}}, toolUse{tool: "grep", arguments: object{"pattern": "b"}})
	s.result(toolUse{tool: "grep", id: "call_002"}, s.prose(300), false)
	s.work(800)
	s.want[doctor.Orphans] = nil
}

// stepBeyondWindow is a session in a window that the usual step does not fit.
func stepBeyondWindow(s *scribe) {
	s.user(s.prose(200))
	for range 4 {
		s.work(1200)
	}
	s.want[doctor.GateNever] = nil
}
