package tui

import (
	"strings"
	"testing"

	"ctxscope/kernel"
	"ctxscope/views"
)

func TestEachTurnIsCountedOnEveryScale(t *testing.T) {
	at := newMachine(t)
	m := openMachine(t, at, at.main, nil)
	m = drive(t, m, keys("T")...)
	showsAll(t, m, "reported beside estimate and words", "Overhead", "Decided by: ", "3,005", "3,105")
	first := m.tokenRow(0)
	want := views.TokenRow{Turn: 1, Reported: 3_005, Cached: 3_000, Reply: 40, Estimate: 2, Measured: 2, Ratio: first.Ratio, Used: first.Used}
	if first != want || first.Ratio < 1000 {
		t.Errorf("turn 1 is %+v, want %+v", first, want)
	}
	scales := m.tokenScales()
	last := m.tokenRow(1)
	if scales.Overhead != last.Reported-last.Measured || scales.OverTurn != 2 || scales.OverScale != "words" || scales.Stale {
		t.Errorf("scales %+v, last turn %+v", scales, last)
	}
	m = drive(t, m, keys("enter")...)
	showsAll(t, m, "of it read from the cache", "by words", "decided by")
	m = drive(t, m, keys("esc", "esc", "t")...)
	if m.live.counter != "words" || m.beside != nil {
		t.Fatalf("counter %s, beside %v", m.live.counter, m.beside)
	}
	m = drive(t, m, keys("T")...)
	if row := m.tokenRow(0); row.Estimate != 2 || row.Measured != 2 || m.beside == nil || m.beside.counter != hostCounter {
		t.Errorf("turn 1 is %+v", row)
	}
}

func TestOneCounterAloneIsSaid(t *testing.T) {
	at := newMachine(t)
	m := openMachine(t, at, at.main, func(o *Options) { o.Counters = []string{hostCounter} })
	m = drive(t, m, keys("T")...)
	shows(t, m, "no second counter")
	if row := m.tokenRow(0); row.Measured != -1 {
		t.Errorf("turn 1 is %+v", row)
	}
}

func TestOddTurnsAreMarked(t *testing.T) {
	m, s, _ := openWorking(t, 120, 40)
	turn := func(chars int, prompt kernel.Tokens) views.TokenRow {
		s.user("go on")
		s.reply(chars, prompt)
		for i := range s.entries {
			s.entries[i].Prompt = s.entries[i].Used
		}
		m = push(t, m, s.event())
		return m.tokenRow(m.live.live.finished - 1)
	}
	turn(400, 60_000)
	if row := turn(8_000, 61_000); row.Frozen || row.Jump {
		t.Errorf("an ordinary turn is marked: %+v", row)
	}
	if row := turn(400, 61_000); !row.Frozen || row.Jump {
		t.Errorf("a reported prompt that stands still is not marked: %+v", row)
	}
	if row := turn(400, 90_000); row.Frozen || !row.Jump {
		t.Errorf("a jump is not marked: %+v", row)
	}
}

func TestSpendingFollowsTheJournal(t *testing.T) {
	reply, usage := kernel.Entry{Op: kernel.Reply}, func(n kernel.Tokens) kernel.Entry {
		return kernel.Entry{Op: kernel.Usage, Used: n + 5, Prompt: n, Cached: n / 2}
	}
	var s spending
	s = s.after(kernel.Change{Entries: []kernel.Entry{reply, {}, usage(10), reply, {}, reply, usage(30)}})
	check := func(turn int, want int32, ok bool) {
		t.Helper()
		if got, found := s.of(turn); found != ok || ok && (got.prompt != want || got.cache != want/2 || got.used != want+5) {
			t.Errorf("turn %d is %+v, %v; want %d, %v", turn, got, found, want, ok)
		}
	}
	check(0, 0, false)
	check(1, 10, true)
	check(2, 0, false)
	check(3, 30, true)
	check(4, 0, false)
	s = s.after(kernel.Change{Keep: 6, Entries: []kernel.Entry{usage(40), reply, usage(50)}})
	check(1, 10, true)
	check(3, 40, true)
	check(4, 50, true)
	s = s.after(kernel.Change{Keep: 0})
	check(1, 0, false)
}

func TestTheGrowthIsCharted(t *testing.T) {
	m, _, _ := openWorking(t, 120, 40)
	m = drive(t, m, keys("w")...)
	showsAll(t, m, "context over", "marks", "C rewritten by the host", "emergency 95 %")
	g := m.growthView()
	if g.Len != m.live.live.finished || g.At(g.Len-1).Tokens != m.live.live.run.Turns().At(g.Len-1).Used.Tokens {
		t.Errorf("%d points, the last %+v", g.Len, g.At(g.Len-1))
	}
	m = drive(t, m, keys("j", "k", "esc")...)
	if m.focus != views.PanelBatches {
		t.Errorf("esc leads to %s", m.focus)
	}
	if !strings.Contains(m.View(), "Batches") {
		t.Error("the panels are not back")
	}
}

// What was reported before a compaction of the host counts no more, and stands
// beside the estimate until the next reply.
func TestWhatWasReportedBeforeACompactionIsShownAsStale(t *testing.T) {
	for file, stale := range map[string]string{
		"claude/compact-no-reply.jsonl": "the 154,310 reported last are stale", "pi/compaction-twice.jsonl": "the 2,610 reported last are stale",
		"pi/system-edit-usage.jsonl": "the 445 reported last are stale", "opencode/export-compaction.json": "reported last are stale",
		"claude/compact-boundary.jsonl": "", "pi/compaction-keep-none.jsonl": "",
	} {
		opened, err := openOnce("../testdata/transcripts/"+file, "", hostCounter)
		if err != nil {
			t.Fatal(err)
		}
		m := begin(t, Options{Source: opened.Source, Counter: hostCounter, OpenFile: openOnce}, 200, 60)
		if text := m.View(); stale != "" && !strings.Contains(text, stale) || stale == "" && strings.Contains(text, "stale") {
			t.Errorf("%s: want %q:\n%s", file, stale, text)
		}
	}
}

// The chart and the ledger mark the turns at which something happened.
func TestWhatHappenedIsMarkedAtItsTurn(t *testing.T) {
	open := func(file string) Model {
		opened, err := openOnce("../testdata/transcripts/"+file, "", hostCounter)
		if err != nil {
			t.Fatal(err)
		}
		return begin(t, Options{Source: opened.Source, Counter: hostCounter, OpenFile: openOnce}, 120, 40)
	}
	over, s, _ := openWorking(t, 120, 40)
	s.user("go on")
	s.reply(400, 170_000)
	s.user("and on")
	s.reply(400, 171_000)
	over = push(t, over, s.event())
	for name, c := range map[string]struct {
		m       Model
		letters string
	}{
		"folds":    {open("acp/session.jsonl"), "--F"},
		"rewrites": {open("pi/compaction-keep-none.jsonl"), "-C"},
		"nudges":   {over, ""},
	} {
		g, got := c.m.growthView(), ""
		for i := range g.Len {
			p, row := g.At(i), c.m.tokenRow(i)
			if p.Fold != (row.Folds > 0) || p.Rewrite != row.Rewrite || p.Nudge != c.m.live.live.run.Turns().At(i).Inject || p.Tokens != row.Used.Tokens {
				t.Errorf("%s: turn %d is %+v on the chart and %+v in the ledger", name, i+1, p, row)
			}
			switch {
			case p.Rewrite:
				got += "C"
			case p.Fold:
				got += "F"
			case p.Nudge:
				got += "n"
			default:
				got += "-"
			}
		}
		if c.letters != "" && got != c.letters || c.letters == "" && !strings.HasSuffix(got, "n") {
			t.Errorf("%s: the turns are marked %s", name, got)
		}
		row := ""
		for line := range strings.Lines(drive(t, c.m, keys("w")...).View()) {
			if strings.Contains(line, "marks") && !strings.Contains(line, "n nudged") {
				row = line
			}
		}
		for _, letter := range strings.Trim(got, "-") {
			if letter != '-' && !strings.Contains(row[strings.Index(row, "marks")+5:], string(letter)) {
				t.Errorf("%s: the chart does not bear %c: %q", name, letter, row)
			}
		}
	}
}
