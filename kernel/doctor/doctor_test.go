package doctor_test

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"reflect"
	"slices"
	"strings"
	"testing"

	"ctxscope/kernel"
	"ctxscope/kernel/doctor"
)

// A log is a journal under construction.
type log struct {
	entries []kernel.Entry
	ids     int
}

func (l *log) add(m kernel.Message, text string) {
	l.ids++
	m.ID = fmt.Sprintf("x%d", l.ids)
	m.Measure(text, nil)
	l.entries = append(l.entries, kernel.Entry{Op: kernel.Append, Message: m})
}

func (l *log) user(n int) { l.add(kernel.Message{Role: kernel.RoleUser}, strings.Repeat("word ", n/5)) }

func (l *log) agent(n int) {
	l.add(kernel.Message{Role: kernel.RoleAssistant}, strings.Repeat("done ", n/5))
}

// recorded is a turn with the host's own count.
func (l *log) recorded(used kernel.Tokens) {
	l.entries = append(l.entries, kernel.Entry{Op: kernel.RecordedTurn, Used: used})
}

// reply is a turn; what it reports stands behind its text. 0 reports nothing.
func (l *log) reply(n int, used kernel.Tokens) {
	l.entries = append(l.entries, kernel.Entry{Op: kernel.Reply})
	l.agent(n)
	if used > 0 {
		l.entries = append(l.entries, kernel.Entry{Op: kernel.Usage, Used: used})
	}
}

// compress is a call in a transcript with the host's answer.
func (l *log) compress(id, from, to, summary string, o kernel.Outcome, blocks uint16) {
	l.entries = append(l.entries, kernel.Entry{Op: kernel.Reply})
	arguments := fmt.Sprintf(`{"content":[{"startId":%q,"endId":%q,"summary":%q}]}`, from, to, summary)
	l.add(kernel.Message{Role: kernel.RoleAssistant, Type: kernel.ToolCall, ToolName: "compress", ToolCallID: id}, arguments)
	l.add(kernel.Message{Role: kernel.RoleTool, Type: kernel.ToolResult, ToolName: "compress", ToolCallID: id, Outcome: o, OutcomeBlocks: blocks}, "answer")
}

func (l *log) examined(c kernel.Config) doctor.Examination {
	k := kernel.New(c, nil)
	return doctor.Examine(k, k.Advance(k.Start(), kernel.Change{Entries: l.entries}), doctor.Session{})
}

func codes(e doctor.Examination) []string {
	out := []string{}
	for _, f := range e.Findings {
		out = append(out, f.Code)
	}
	return out
}

func finding(t *testing.T, e doctor.Examination, code string) doctor.Finding {
	t.Helper()
	for _, f := range e.Findings {
		if f.Code == code {
			return f
		}
	}
	t.Fatalf("no %s among %v", code, codes(e))
	return doctor.Finding{}
}

func TestAnEmptySessionIsHealthy(t *testing.T) {
	e := (&log{}).examined(kernel.Default(200_000))
	if len(e.Findings) != 0 || e.Turns != 0 || len(e.Outcomes) != 0 {
		t.Errorf("got %+v", e)
	}
	data, err := json.Marshal(e)
	if err != nil || strings.Contains(string(data), ":null") {
		t.Errorf("%v: %s", err, data)
	}
}

func TestOutcomesCompareHostAndExecutor(t *testing.T) {
	long := strings.Repeat("summary ", 12)
	cases := []struct {
		name           string
		from, to, text string
		host           kernel.Outcome
		blocks         uint16
		refused        bool
		cause          doctor.Cause
		alarm, would   string
	}{
		{"both fold", "m00002", "m00004", long, kernel.Succeeded, 1, false, "", "", "would fold 1 block, 4,500 tokens"},
		{"both refuse", "m00002", "m00002", "x", kernel.Failed, 0, true, doctor.SummaryLength, "", "would refuse: range m00002..m00002: Summary too short"},
		{"an unknown ref", "m09999", "m09998", long, kernel.Failed, 0, true, doctor.UnknownRef, "", "would refuse: None of the 1 requested"},
		{"no ref at all", "here", "there", long, kernel.Failed, 0, true, doctor.UnknownRef, "", "would refuse: "},
		{"the recent zone", "m00009", "m00010", long, kernel.Failed, 0, true, doctor.Protected, "", "would refuse: range m00009..m00010: Range is entirely within the protected zone"},
		{"the host folds alone", "m00009", "m00010", long, kernel.Succeeded, 1, false, "", "the host folded it, the replay would refuse it", "would refuse: "},
		{"the host refuses alone", "m00002", "m00004", long, kernel.Failed, 0, true, doctor.HostAlone, "the host refused it, the replay would fold it", "would fold 1 block"},
		{"another number of blocks", "m00002", "m00004", long, kernel.Succeeded, 3, false, "", "the host reports 3 blocks, the replay makes 1 block", "would fold 1 block"},
		{"an answer that says nothing", "m00002", "m00004", long, kernel.Neutral, 0, false, "", "", "would fold 1 block"},
		{"nothing said and nothing to fold", "m00002", "m00002", "x", kernel.Neutral, 0, true, doctor.SummaryLength, "", "would refuse: "},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			l := &log{}
			for range 5 {
				l.user(6000)
				l.reply(6000, 0)
			}
			l.compress("k1", c.from, c.to, c.text, c.host, c.blocks)
			e := l.examined(kernel.Default(200_000))
			if len(e.Outcomes) != 1 {
				t.Fatalf("%d outcomes", len(e.Outcomes))
			}
			o := e.Outcomes[0]
			if o.CallID != "k1" || o.AfterTurn != 6 || o.Ranges[0] != c.from+".."+c.to || o.Host != c.host {
				t.Errorf("got %+v", o)
			}
			if o.Refused != c.refused || o.Cause != c.cause || o.Alarm != c.alarm || !strings.HasPrefix(o.Would, c.would) {
				t.Errorf("refused %v, cause %q, alarm %q, %q; want %v, %q, %q, %q", o.Refused, o.Cause, o.Alarm, o.Would, c.refused, c.cause, c.alarm, c.would)
			}
			if alarmed := slices.Contains(codes(e), doctor.Parity); alarmed != (c.alarm != "") {
				t.Errorf("a parity finding: %v", alarmed)
			}
			if c.alarm != "" && finding(t, e, doctor.Parity).Calls[0] != "k1" {
				t.Error("the finding does not name the call")
			}
		})
	}
}

func TestACallThatCannotBeReadHasItsOwnCause(t *testing.T) {
	l := &log{}
	l.user(6000)
	l.entries = append(l.entries, kernel.Entry{Op: kernel.Reply})
	l.add(kernel.Message{Role: kernel.RoleAssistant, Type: kernel.ToolCall, ToolName: "compress", ToolCallID: "k1"}, "fold it all")
	l.add(kernel.Message{Role: kernel.RoleTool, Type: kernel.ToolResult, ToolName: "compress", ToolCallID: "k1", Outcome: kernel.Failed}, "no")
	o := l.examined(kernel.Default(200_000)).Outcomes[0]
	if o.Cause != doctor.Unreadable || len(o.Ranges) != 0 {
		t.Errorf("got %+v", o)
	}
}

func TestATriedCallIsNoOutcome(t *testing.T) {
	l := &log{}
	for range 5 {
		l.user(6000)
		l.reply(6000, 0)
	}
	k := kernel.New(kernel.Default(200_000), nil)
	run := k.Advance(k.Start(), kernel.Change{Entries: l.entries})
	run, v := k.Apply(run, kernel.Call{Ranges: []kernel.CallRange{{StartRef: "m00002", EndRef: "m00004", Summary: strings.Repeat("summary ", 12)}}})
	if !v.Ok() || run.WhatIf() != 1 {
		t.Fatalf("%+v", v)
	}
	if got := doctor.Outcomes(run); len(got) != 0 {
		t.Errorf("got %+v", got)
	}
}

func TestARecordedCountOfZeroIsNoCount(t *testing.T) {
	l := &log{entries: []kernel.Entry{{Op: kernel.Recording}}}
	for range 5 {
		l.user(400)
		l.recorded(0)
	}
	if f := finding(t, l.examined(kernel.Default(200_000)), doctor.UsageNever); len(f.Turns) != 5 {
		t.Errorf("turns %v", f.Turns)
	}
}

func TestRepliesThatStopReportingAreFound(t *testing.T) {
	l := &log{}
	for i := range 12 {
		l.user(400)
		used := kernel.Tokens(10_000 + 200*i)
		if i >= 4 {
			used = 0
		}
		l.reply(400, used)
	}
	f := finding(t, l.examined(kernel.Default(200_000)), doctor.UsageNever)
	if want := []int{6, 7, 8, 9, 10, 11, 12}; !reflect.DeepEqual(f.Turns, want) {
		t.Errorf("turns %v, want %v", f.Turns, want)
	}
}

func TestATransientSilenceIsNoFinding(t *testing.T) {
	l := &log{}
	for i := range 12 {
		l.user(400)
		used := kernel.Tokens(10_000 + 200*i)
		if i%4 != 0 { // failed replies report nothing
			used = 0
		}
		l.reply(400, used)
	}
	if got := codes(l.examined(kernel.Default(200_000))); len(got) != 0 {
		t.Errorf("found %v", got)
	}
}

func TestATierThatTakesItsTurnIsNotStarved(t *testing.T) {
	for _, c := range []struct {
		name     string
		compress bool // the second tier is merged when it is its turn
		t2       kernel.TierGrowthTokens
		want     bool
	}{{"by mass, behind tier 1", false, kernel.TierGrowthTokens{T2: set(200)}, true}, {"nothing is ready", false, kernel.TierGrowthTokens{}, false}} {
		t.Run(c.name, func(t *testing.T) {
			l := &log{entries: []kernel.Entry{{Op: kernel.Recording}}}
			for range 8 {
				l.user(6000)
				l.agent(6000)
			}
			l.recorded(30_000)
			l.entries = append(l.entries, kernel.Entry{Op: kernel.Compress, Call: kernel.Call{Ranges: []kernel.CallRange{{StartRef: "m00002", EndRef: "m00004", Summary: strings.Repeat("summary ", 200)}}}})
			used := kernel.Tokens(30_000)
			for range 36 {
				l.user(8000)
				l.agent(8000)
				used += 4000
				l.recorded(used)
			}
			config := kernel.Default(400_000)
			config.Nudge.TierGrowthTokens = &c.t2
			if got := slices.Contains(codes(l.examined(config)), doctor.TierStarved); got != c.want {
				t.Errorf("starved: %v, want %v", got, c.want)
			}
		})
	}
}

func TestAMinimumAboveTheConversationIsFound(t *testing.T) {
	config := kernel.Default(10_000)
	config.Compress.MinCompressRange = 29_000
	l := &log{}
	for i := range 5 {
		l.user(2000)
		l.reply(2000, kernel.Tokens(1000*(i+1)))
	}
	said := func(e doctor.Examination) bool {
		for _, f := range e.Findings {
			if f.Code == doctor.GateNever && strings.Contains(f.What+strings.Join(f.Details, " "), "the whole conversation holds 20,000") {
				return true
			}
		}
		return false
	}
	if !said(l.examined(config)) {
		t.Errorf("not found: %+v", l.examined(config).Findings)
	}
	config.Compress.MinCompressRange = 5000
	if said(l.examined(config)) {
		t.Error("found with a minimum that can be met")
	}
}

func TestMutedFindingsAreNamedOnly(t *testing.T) {
	e := (&log{}).examined(kernel.Default(60_000))
	if !reflect.DeepEqual(codes(e), []string{doctor.GateNever}) {
		t.Fatalf("found %v", codes(e))
	}
	muted := e.Mute([]string{doctor.Orphans, doctor.GateNever})
	if len(muted.Findings) != 0 || !reflect.DeepEqual(muted.Muted, []string{doctor.GateNever}) {
		t.Errorf("findings %v, muted %v", codes(muted), muted.Muted)
	}
	if len(e.Findings) != 1 || len(e.Muted) != 0 {
		t.Error("muting changed the examination")
	}
}

func TestTheWindowsSourceStandsBesideItsGates(t *testing.T) {
	k := kernel.New(kernel.Default(60_000), nil)
	e := doctor.Examine(k, k.Start(), doctor.Session{Window: "assumed"})
	if f := finding(t, e, doctor.GateNever); !slices.Contains(f.Details, "The size of the window is assumed.") {
		t.Errorf("details %q", f.Details)
	}
}

func TestEveryCodeIsOnce(t *testing.T) {
	seen := map[string]bool{}
	for _, code := range doctor.Codes() {
		if seen[code] || code == "" || strings.ToLower(code) != code || strings.Contains(code, " ") {
			t.Errorf("code %q", code)
		}
		seen[code] = true
	}
}

// randomSession is a session without sense: everything that can happen does.
func randomSession(seed int64) kernel.Change {
	r := rand.New(rand.NewSource(seed))
	l := &log{}
	for range 5 + r.Intn(60) {
		switch r.Intn(9) {
		case 0:
			from, to := 1+r.Intn(30), 1+r.Intn(30)
			l.compress(fmt.Sprintf("k%d", r.Intn(9)), fmt.Sprintf("m%05d", from), fmt.Sprintf("m%05d", to),
				strings.Repeat("y", r.Intn(300)), kernel.Outcome(r.Intn(4)), uint16(r.Intn(3)))
		case 1:
			l.compress("", fmt.Sprintf("b%d", r.Intn(3)), fmt.Sprintf("b%d", r.Intn(5)), strings.Repeat("z", 80), kernel.Succeeded, 1)
		case 2:
			var list []kernel.Message
			for _, e := range l.entries {
				if e.Op == kernel.Append && r.Intn(2) == 0 {
					list = append(list, e.Message)
				}
			}
			l.entries = append(l.entries, kernel.Entry{Op: kernel.Replace, List: list})
		case 3:
			l.add(kernel.Message{Role: kernel.RoleTool, Type: kernel.ToolResult, ToolCallID: fmt.Sprintf("c%d", r.Intn(40))}, strings.Repeat("o", r.Intn(9000)))
		case 4:
			l.add(kernel.Message{Role: kernel.RoleAssistant, Type: kernel.ToolCall, ToolName: "grep", ToolCallID: fmt.Sprintf("c%d", r.Intn(40))}, "{}")
		default:
			l.user(r.Intn(9000))
			l.reply(r.Intn(9000), kernel.Tokens(r.Intn(3)*r.Intn(40_000)))
		}
	}
	return kernel.Change{Entries: l.entries}
}

// inPieces advances a run piece by piece; now and then a piece comes from
// another session first and is taken back.
func inPieces(k *kernel.Kernel, entries []kernel.Entry, seed int64) kernel.Run {
	r := rand.New(rand.NewSource(seed))
	run, other := k.Start(), randomSession(seed+1).Entries
	for from := 0; from < len(entries); {
		to := min(len(entries), from+1+r.Intn(9))
		if r.Intn(3) == 0 {
			run = k.Advance(run, kernel.Change{Keep: from, Entries: other[:r.Intn(len(other))]})
		}
		run = k.Advance(run, kernel.Change{Keep: from, Entries: entries[from:to]})
		from = to
	}
	return run
}

func FuzzExamine(f *testing.F) {
	for seed := range int64(40) {
		f.Add(seed, uint16(20_000))
	}
	f.Fuzz(func(t *testing.T, seed int64, window uint16) {
		config := kernel.Default(kernel.Tokens(window))
		config.Compress.MinCompressRange = int(seed&7) * 900
		config.Nudge.GrowthFloor, config.Nudge.GrowthCap, config.Nudge.MinGrowthFloor = 3000, 3000, 1000
		k := kernel.New(config, nil)
		session := randomSession(seed)
		run := k.Advance(k.Start(), session)
		before := fmt.Sprintf("%+v", run.Now())
		e := doctor.Examine(k, run, doctor.Session{})
		if again := doctor.Examine(k, run, doctor.Session{}); !reflect.DeepEqual(e, again) {
			t.Error("examining again finds something else")
		}
		if cut := doctor.Examine(k, inPieces(k, session.Entries, seed), doctor.Session{}); !reflect.DeepEqual(e, cut) {
			t.Error("a session that came in pieces, some of them taken back, is found to be another")
		}
		if after := fmt.Sprintf("%+v", run.Now()); after != before {
			t.Error("examining changed the run")
		}
		order, last := doctor.Codes(), -1
		for _, found := range e.Findings {
			at := slices.Index(order, found.Code)
			if at <= last {
				t.Errorf("%s is out of order or twice", found.Code)
			}
			last = at
			if found.What == "" || found.Title == "" || found.Advice == "" {
				t.Errorf("a finding without words: %+v", found)
			}
			if len(found.Turns)+len(found.Calls)+len(found.Refs) == 0 && !strings.HasPrefix(found.Code, "setting") && !strings.HasPrefix(found.Code, "config") && found.Code != doctor.GateNever {
				t.Errorf("a finding without evidence: %+v", found)
			}
			for i, n := range found.Turns {
				if n < 1 || n > e.Turns || i > 0 && n <= found.Turns[i-1] {
					t.Errorf("%s: turns %v of %d", found.Code, found.Turns, e.Turns)
				}
			}
		}
		refused := 0
		for _, c := range e.Refusals.Causes {
			refused += c.Calls
		}
		if refused != e.Refusals.Refused || e.Refusals.Refused > e.Refusals.Calls || e.Refusals.Calls > len(e.Outcomes) {
			t.Errorf("the table does not add up: %+v", e.Refusals)
		}
	})
}
