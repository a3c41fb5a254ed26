package headless

import "strings"

// healthyStories are sessions in which nothing is to be found.
var healthyStories = []story{
	{"folds-when-nudged", "pi", small, foldsWhenNudged},
	{"short-and-default", "claude", "", shortSession},
	{"tools-of-all-kinds", "claude", "", toolsOfAllKinds},
	{"one-refusal-then-right", "claude", small, oneRefusal},
	{"host-compacts-without-blocks", "pi", small, compactsWithoutBlocks},
	{"pressure-answered-at-once", "pi", small, pressureAnswered},
	{"tiers-take-turns", "claude", strings.Replace(small, "{", `{"tiers": {"tier2Trigger": 2, "tier3Trigger": 40},`, 1), tiersTakeTurns},
}

// foldsWhenNudged answers each nudge with one fold of everything old.
func foldsWhenNudged(s *scribe) {
	s.user(s.prose(200))
	from := s.here()
	for range 40 {
		s.work(900)
		if s.last().Inject {
			s.fold(from, s.here()-4)
			from = s.here()
		}
	}
	s.reply("All of it is done.")
	s.must(s.nudges(1) >= 2 && s.folds() == s.nudges(1), "every nudge is answered by a fold")
}

func shortSession(s *scribe) {
	s.user("What does the queue do when a lease runs out?")
	s.reply(s.prose(300))
	s.user("And where is that tested?")
	s.work(2500)
	s.reply(s.prose(200))
}

// toolsOfAllKinds has several calls in a reply, an error, Chinese text, and
// ends while a tool still runs.
func toolsOfAllKinds(s *scribe) {
	s.user("请修复队列的重试逻辑，并运行测试。")
	calls := s.reply("我先看代码。", toolUse{tool: "Read", arguments: object{"file_path": "queue.go"}}, toolUse{tool: "Grep", arguments: object{"pattern": "lease"}})
	for _, c := range calls {
		s.result(c, s.prose(3000), false)
	}
	c := s.reply("", toolUse{tool: "Bash", arguments: object{"command": "go test ./..."}})[0]
	s.result(c, "FAIL queue 0.4s\npanic: lease is nil\n"+s.prose(900), true)
	for range 5 {
		s.workWith("Edit", 500)
	}
	s.reply("测试通过了。"+strings.Repeat("重试现在会等待租约到期。", 20), toolUse{tool: "Bash", arguments: object{"command": "go vet ./..."}})
}

// oneRefusal is refused once, and asks for more at once then.
func oneRefusal(s *scribe) {
	s.user(s.prose(200))
	for range 8 {
		s.work(600)
	}
	s.refused(s.run.Ref(1), s.run.Ref(2), s.prose(120))
	s.fold(1, 13)
	for range 4 {
		s.work(600)
	}
}

// compactsWithoutBlocks lets the host compact a session that never folded.
func compactsWithoutBlocks(s *scribe) {
	s.user(s.prose(200))
	for range 5 {
		s.work(1200)
	}
	kept := s.user("Now the next file.")
	s.work(1200)
	s.entry("compaction", object{"summary": s.prose(700), "firstKeptEntryId": kept, "tokensBefore": 5000})
	for range 5 {
		s.work(1200)
	}
}

// pressureAnswered meets the over-limit band with one large output, is nudged,
// finishes its step, and folds.
func pressureAnswered(s *scribe) {
	s.user(s.prose(200))
	from := s.here()
	for range 4 {
		s.work(12_000)
	}
	for s.work(500); s.last().Band == "normal"; s.work(500) {
	}
	s.work(500)
	s.must(s.last().Inject, "pressure nudges")
	s.fold(from, s.here()-6)
	for range 5 {
		s.work(900)
	}
	s.must(s.last().Band == "normal", "the fold takes the pressure away")
}

// tiersTakeTurns folds what is asked for: raw messages, and the blocks when it
// is their turn.
func tiersTakeTurns(s *scribe) {
	s.user(s.prose(200))
	from := s.here()
	for range 60 {
		s.work(1100)
		switch t := s.last(); {
		case t.Inject && t.Tier == 1:
			s.fold(from, s.here()-4)
			from = s.here()
		case t.Inject:
			var merged []string
			for _, b := range s.run.Blocks() {
				if b.Active && b.Tier == t.Tier-1 {
					merged = append(merged, b.ID)
				}
			}
			s.askRefs(merged[0], merged[len(merged)-1], s.prose(160))
		}
	}
	s.must(s.nudges(2) > 0 && s.folds() >= 4, "blocks are merged")
}
