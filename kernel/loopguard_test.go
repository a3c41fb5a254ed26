package kernel

import (
	"fmt"
	"strings"
	"testing"
)

const testFloor = 22500 // of the default configuration with a window of 200,000

// loop is a session in which a model is nudged and answers.
type loop struct {
	*script
	t    *testing.T
	says int
}

// newLoop starts a session with one bulky message and one that no call may
// fold alone: m00002 and m00003.
func newLoop(t *testing.T) *loop {
	t.Helper()
	config := Default(200000)
	config.PreserveRecentMessages, config.PreserveRecentTokens = 0, 0
	s := &script{}
	s.reset(config)
	l := &loop{script: s, t: t}
	l.say(RoleUser, 40)
	l.say(RoleAssistant, 260000)
	l.say(RoleAssistant, 400)
	return l
}

func (l *loop) say(role Role, chars int) {
	l.says++
	m := Message{ID: fmt.Sprintf("x%d", l.says), Role: role}
	m.Measure(strings.Repeat("x", chars), nil)
	l.add(Entry{Op: Append, Message: m})
}

// turn runs a turn and gives what the guard says of it.
func (l *loop) turn(used Tokens) GuardAnswer {
	l.add(Entry{Op: RecordedTurn, Used: used})
	turns := l.run.Turns()
	return turns.At(turns.Len() - 1).Guard
}

// call is a compress call of the agent.
func (l *loop) call(refs ...string) Verdict {
	var call Call
	for _, ref := range refs {
		call.Ranges = append(call.Ranges, CallRange{StartRef: ref, EndRef: ref, Summary: placeholder(60)})
	}
	l.add(Entry{Op: Compress, Call: call})
	folds := l.run.Folds()
	return folds.At(folds.Len() - 1).Verdict
}

func (l *loop) want(used Tokens, gate string) GuardAnswer {
	l.t.Helper()
	a := l.turn(used)
	if a.Gate != gate || a.Send != (gate == "") {
		l.t.Errorf("at %v the guard sends %v, gate %q (%s); want gate %q", used, a.Send, a.Gate, a.Sentence, gate)
	}
	return a
}

// The numbers are those of the scenarios that a guard is built for; 1, 8, 10,
// 11 and 12 are scripts.
func TestLoopScenarios(t *testing.T) {
	t.Run("2: a refused call moves the next nudge by the growth of one", scenario2)
	t.Run("3: twenty-eight refusals in a row get one nudge", scenario3)
	t.Run("4: a new user message ends a cool-down", func(t *testing.T) {
		l := newLoop(t)
		l.want(150000, "")
		for range 3 {
			l.call("m00003")
		}
		a := l.want(150100, GuardCoolDown)
		if want := "cool-down, 3 refusals in a row: it ends with a new user message or after 22400 more tokens of growth"; a.Sentence != want {
			t.Errorf("sentence %q, want %q", a.Sentence, want)
		}
		l.say(RoleUser, 40)
		if live := l.kernel.Guard(l.run, nil); !live.Send {
			t.Errorf("before the next turn the guard says %q", live.Sentence)
		}
		l.want(150200, "")
		if g := l.run.Guard(); g.Failures != 0 || g.CoolDown || g.Responded || g.UserTurn != "x4" {
			t.Errorf("guard %+v", g)
		}
	})
	t.Run("5: a call that folds one range of two is a success", func(t *testing.T) {
		l := newLoop(t)
		l.want(120000, "")
		l.call("m00003")
		if v := l.call("m00002", "m99999"); v.BlocksCreated != 1 || len(v.Errors) != 1 {
			t.Fatalf("verdict %+v", v)
		}
		g := l.run.Guard()
		if g.Failures != 0 || g.Responded || g.Shown || len(g.Attempts) != 2 || l.run.Stamps().Baseline != 0 {
			t.Errorf("guard %+v, baseline %v", g, l.run.Stamps().Baseline)
		}
	})
	t.Run("6: a block rewritten in place is a success", func(t *testing.T) {
		g := Guard{}.Attempted(Attempt{Outcome: Failed, Tokens: 1})
		v := Verdict{BlocksCreated: 1, TokensCompressed: 0, Ranges: []RangeVerdict{{Kind: Refolds, Code: "refold"}}}
		record := FoldRecord{Applied: true, Verdict: v}
		if g = g.Attempted(record.attempt()); g.Failures != 0 || g.Responded {
			t.Errorf("guard %+v", g)
		}
	})
	t.Run("7: a host's panel of zero blocks is a failure", scenario7)
	t.Run("9: an emergency without a cure is said once", scenario9)
}

func scenario2(t *testing.T) {
	l := newLoop(t)
	l.turn(97000)
	l.want(120000, "")
	l.say(RoleAssistant, 4000)
	l.call("m00003")
	if g := l.run.Guard(); !g.Responded || g.RespondedAt != 121000 {
		t.Fatalf("guard %+v", g)
	}
	// A host that nudges by itself leaves no stamp for a nudge that it withheld.
	for _, c := range []struct {
		used Tokens
		gate string
	}{{142499, GuardKernel}, {142500, GuardResponded}, {143499, GuardResponded}, {143500, ""}, {143600, GuardKernel}} {
		turn := l.kernel.HostTurn(l.run.State(), l.run.Guard(), l.run.Log().All(), c.used)
		if turn.Answer.Gate != c.gate {
			t.Errorf("at %v gate %q, want %q", c.used, turn.Answer.Gate, c.gate)
		}
		if shown, sent := turn.Report.StampsAfter.Shown == c.used, c.gate == ""; shown != sent {
			t.Errorf("at %v the shown stamp is %v", c.used, turn.Report.StampsAfter.Shown)
		}
		if c.gate == "" { // what follows starts from the sent one
			l.run.facts, l.run.guard = turn.State.facts, turn.Guard
		}
	}
}

func scenario3(t *testing.T) {
	l := newLoop(t)
	var sent []int
	used := Tokens(150000)
	for attempt := 1; attempt <= 28; attempt++ {
		a := l.turn(used)
		if a.Send {
			sent = append(sent, attempt)
		}
		want := GuardCoolDown
		switch {
		case attempt == 1:
			want = ""
		case attempt <= 3: // one and two failures
			want = GuardResponded
		}
		if a.Gate != want {
			t.Errorf("before attempt %d gate %q, want %q", attempt, a.Gate, want)
		}
		l.call("m00003")
		used += 100
	}
	if len(sent) != 1 || sent[0] != 1 {
		t.Errorf("nudged before the attempts %v, want before the first", sent)
	}
	for i := range l.run.Turns().Len() {
		if !l.run.Turns().At(i).Inject {
			t.Errorf("turn %d: the kernel's own decision changed", i+1)
		}
	}
}

func scenario7(t *testing.T) {
	k := New(planConfig(), nil)
	say := func(m Message, text string) Entry { m.Measure(text, nil); return Entry{Op: Append, Message: m} }
	answer := func(o Outcome) []Entry {
		return []Entry{
			say(Message{ID: "u", Role: RoleUser}, "go on"),
			{Op: Reply},
			say(Message{ID: "c", Role: RoleAssistant, Type: ToolCall, ToolName: "compress", ToolCallID: "k"}, `{"content":[{"startId":"m1","endId":"m1","summary":"s"}]}`),
			{Op: Usage, Used: 1000},
			say(Message{ID: "r", Role: RoleTool, Type: ToolResult, ToolName: "compress", ToolCallID: "k", Outcome: o}, strings.Repeat("x", 400)),
		}
	}
	for outcome, failures := range map[Outcome]int{NoOp: 1, Failed: 1, Neutral: 0} {
		g := k.Advance(k.Start(), Change{Entries: answer(outcome)}).Guard()
		if g.Failures != failures || g.Responded != (failures > 0) {
			t.Errorf("%s: guard %+v", outcome, g)
		}
		if failures > 0 && (g.RespondedAt != 1100 || g.Attempts[0].CallID != "k" || g.Attempts[0].Spec != "m00001..m00001") {
			t.Errorf("%s: responded at %v to %+v", outcome, g.RespondedAt, g.Attempts[0])
		}
	}
}

func scenario9(t *testing.T) {
	k := New(Default(200000), nil)
	guard, notices := Guard{}, 0
	for _, used := range []Tokens{190000, 190000, 190000} {
		turn := k.HostTurn(NewState(), guard, nil, used)
		guard = turn.Guard
		if turn.Answer.Notice != "" {
			notices++
		}
		if turn.Answer.Gate != GuardKernel || turn.Report.StampsAfter.Shown != 0 {
			t.Errorf("answer %+v", turn.Answer)
		}
	}
	if notices != 1 {
		t.Errorf("%d notices, want 1", notices)
	}
	for _, c := range []struct {
		used Tokens
		want bool
	}{{190000 + testFloor - 1, false}, {190000 + testFloor, true}, {190000 + testFloor + 1, false}} {
		turn := k.HostTurn(NewState(), guard, nil, c.used)
		guard = turn.Guard
		if (turn.Answer.Notice != "") != c.want {
			t.Errorf("at %v notice %q", c.used, turn.Answer.Notice)
		}
	}
	if turn := k.HostTurn(NewState(), Guard{}, nil, 189999); turn.Answer.Notice != "" {
		t.Error("a notice below the emergency")
	}
}

// inject is a turn in which the kernel nudges and the executor takes it.
func inject(used Tokens, band Band) GuardTurn {
	return GuardTurn{Used: used, Inject: true, Tier: 1, Band: band, Reason: "why", Offer: Offer{Taken: 1, Unit: "batches"}}
}

func TestGuardIsAskedInOrder(t *testing.T) {
	k := New(Default(200000), nil)
	failed := func(n int, at Tokens) Guard {
		g := Guard{Shown: true, ShownAt: at - 1000}
		for range n {
			g = g.Attempted(Attempt{Outcome: Failed, Tokens: at})
		}
		return g
	}
	nothing := inject(121000, BandNormal)
	nothing.Offer = Offer{Unit: "batches", Sentence: "there is no batch"}
	again := failed(3, 100000).settle(100000, 50000)
	again.CoolDowns = 7
	for _, c := range []struct {
		name  string
		guard Guard
		turn  GuardTurn
		want  string
	}{
		{"nothing against it", Guard{}, inject(120000, BandNormal), ""},
		{"the kernel comes first", failed(3, 120000), GuardTurn{Used: 120001, Reason: "idle"}, GuardKernel},
		{"then what the executor takes", failed(3, 120000), nothing, GuardEmpty},
		{"one failure, no growth", failed(1, 120000), inject(120001, BandNormal), GuardResponded},
		{"one failure holds in an emergency too", failed(1, 120000), inject(120001, BandEmergency), GuardResponded},
		{"one failure, the growth of a nudge", failed(1, 120000), inject(120000+testFloor, BandNormal), ""},
		{"three failures", failed(3, 120000), inject(120001, BandNormal), GuardCoolDown},
		{"three failures hold in an emergency too", failed(3, 120000), inject(120001, BandEmergency), GuardCoolDown},
		{"a cool-down ends with growth", failed(3, 120000), inject(120000+testFloor, BandNormal), ""},
		{"a late cool-down lasts sixteen floors", again, inject(100000+16*testFloor-1, BandNormal), GuardCoolDown},
		{"and no longer", again, inject(100000+16*testFloor, BandNormal), ""},
		{"a nudge was sent already", Guard{Shown: true, ShownAt: 120000}, inject(120000+testFloor-1, BandOverLimit), GuardDedupe},
		{"and much came since", Guard{Shown: true, ShownAt: 120000}, inject(120000+testFloor, BandOverLimit), ""},
		{"an emergency may be repeated", Guard{Shown: true, ShownAt: 190000}, inject(190001, BandEmergency), ""},
		{"the context fell: what was shown is forgotten", Guard{Shown: true, ShownAt: 150000}, inject(99999, BandNormal), ""},
		{"the context fell: a failure counts from there", failed(1, 150000), inject(99999, BandNormal), GuardResponded},
	} {
		before := asJSON(c.guard)
		after, a := k.Guarded(c.guard, c.turn)
		if a.Gate != c.want || a.Send != (c.want == "") || a.Sentence == "" {
			t.Errorf("%s: send %v, gate %q (%s); want %q", c.name, a.Send, a.Gate, a.Sentence, c.want)
		}
		if asJSON(c.guard) != before {
			t.Errorf("%s: the guard was changed", c.name)
		}
		if a.Send && (!after.Shown || after.ShownAt != c.turn.Used || after.Responded) {
			t.Errorf("%s: after it is sent the guard is %+v", c.name, after)
		}
	}
}

func TestCoolDownsGrowUntilASuccess(t *testing.T) {
	k := New(Default(200000), nil)
	g, used := Guard{}, Tokens(100000)
	fail := func() { g = g.Attempted(Attempt{Outcome: Failed, Tokens: used}) }
	fail()
	fail()
	for i, floors := range []Tokens{1, 2, 4, 8, 16, 16} {
		fail()
		if !g.CoolDown || g.CoolDowns != i+1 {
			t.Fatalf("cool-down %d: %+v", i+1, g)
		}
		used += floors*testFloor - 1
		next, a := k.Guarded(g, inject(used, BandNormal))
		if a.Gate != GuardCoolDown || !next.CoolDown {
			t.Errorf("cool-down %d ended early: %+v", i+1, a)
		}
		used++
		if g, a = k.Guarded(g, inject(used, BandNormal)); !a.Send || g.CoolDown {
			t.Errorf("cool-down %d goes on: %+v", i+1, a)
		}
	}
	if next, _ := k.Guarded(g, GuardTurn{Used: used, Reason: "idle"}); next.CoolDown {
		t.Error("a quiet turn began a cool-down")
	}
	g = g.UserMessage("u")
	fail()
	if g.CoolDown || g.Failures != 1 || g.CoolDowns != 6 {
		t.Errorf("after a user message and one failure: %+v", g)
	}
	if g = g.Attempted(Attempt{Outcome: Succeeded}); g.CoolDowns != 0 || g.Failures != 0 || g.Responded || g.CoolDown {
		t.Errorf("after a success: %+v", g)
	}
}

// A cool-down may end on a turn on which the kernel is quiet.
func TestACoolDownEndsOnAQuietTurn(t *testing.T) {
	k := New(Default(200000), nil)
	g := Guard{}
	for range 3 {
		g = g.Attempted(Attempt{Outcome: Failed, Tokens: 100000})
	}
	if g, _ = k.Guarded(g, GuardTurn{Used: 100000 + testFloor, Reason: "idle"}); g.CoolDown {
		t.Errorf("guard %+v", g)
	}
}

func TestAttemptsCountOnce(t *testing.T) {
	g := Guard{}
	for _, a := range []Attempt{
		{CallID: "a", Outcome: Failed},
		{CallID: "a", Outcome: Failed},
		{CallID: "b", Outcome: NoOp},
		{CallID: "c", Outcome: Neutral},
		{CallID: "d", Outcome: NoOutcome},
		{CallID: "a", Outcome: Succeeded},
	} {
		g = g.Attempted(a)
	}
	if g.Failures != 2 || len(g.Attempts) != 2 || g.CoolDown {
		t.Errorf("guard %+v", g)
	}
	for i := range 100 {
		g = g.Attempted(Attempt{Outcome: Failed, Spec: fmt.Sprint(i)})
	}
	if g.Failures != 102 || len(g.Attempts) != attemptsKept || len(g.Refused) != refusedKept || g.Refused[refusedKept-1].Spec != "99" {
		t.Errorf("%d failures, %d attempts, refused %+v", g.Failures, len(g.Attempts), g.Refused)
	}
}

func TestSpecsAreCompareable(t *testing.T) {
	call := Call{Ranges: []CallRange{{StartRef: " M12", EndRef: "m0000012"}, {StartRef: "B007", EndRef: "b8"}, {StartRef: " Nonsense ", EndRef: ""}}}
	if got, want := SpecOf(call), "m00012..m00012,b7..b8,nonsense.."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// No reason for a refusal gives advice to try again.
func TestRefusalReasonsGiveNoAdvice(t *testing.T) {
	codes := []string{"too-small", "host-said-no"}
	for code := range refusalWords {
		codes = append(codes, code)
	}
	for _, code := range codes {
		v := Verdict{Ranges: []RangeVerdict{{Kind: Folds, Code: "folds"}, {Kind: Refused, Code: code}}}
		v.Gate = &Gate{Left: 2760, Right: 5000, Unit: "chars"}
		reason := refusalReason(&v)
		for _, word := range []string{"retry", "run acp", "combine", "adjust", "shrink", "instead", "again"} {
			if strings.Contains(strings.ToLower(reason), word) {
				t.Errorf("%s: %q says %q", code, reason, word)
			}
		}
		if reason == "" {
			t.Errorf("%s has no reason", code)
		}
	}
	for want, v := range map[string]Verdict{
		"2760 of 5000 chars": {Gate: &Gate{Left: 2760, Right: 5000, Unit: "chars"}, Ranges: []RangeVerdict{{Kind: Refused, Code: "too-small"}}},
		"the host refused it, though the executor would take it": {Ranges: []RangeVerdict{{Kind: FoldsLess, Code: "folds-less"}}},
		"it holds no range": {},
		"host said no":      {Ranges: []RangeVerdict{{Kind: Refused, Code: "host-said-no"}}},
	} {
		if got := refusalReason(&v); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// A host that refused twice what the executor takes is believed, until the
// executor says something else.
func TestACallThatTheHostRefusedTwiceIsNotOffered(t *testing.T) {
	l := newLoop(t)
	l.want(120000, "")
	batch := l.last.Nudge.Batches.At(0)
	call := batchCall(*batch)
	v := l.kernel.Check(l.run, call)
	for range 2 {
		l.run.guard = l.run.guard.Attempted(Attempt{Outcome: Failed, Spec: SpecOf(call), Answer: codesOf(&v), Reason: refusalReason(&v)})
	}
	sentence, again := l.kernel.RefusedAgain(l.run, call)
	if want := "will be rejected again: the host refused it, though the executor would take it"; !again || sentence != want {
		t.Errorf("%v %q", again, sentence)
	}
	a := l.want(150000, GuardEmpty)
	if want := "T1 nudge withheld: " + batch.StartRef + ".." + batch.EndRef + " " + sentence; a.Sentence != want {
		t.Errorf("sentence %q, want %q", a.Sentence, want)
	}
	l.say(RoleUser, 40) // the batch is longer now, so it is another call
	l.want(160000, "")
}

// A host whose guard never withholds anything has the turns of the kernel.
func TestHostTurnIsATurn(t *testing.T) {
	k, state, log := New(lawConfigs()[1], nil), NewState(), longSession(300)
	other, sent := state, 0
	for i := 50; i <= 300; i += 10 {
		used := Tokens(i * 100)
		var report Report
		state, report, _ = k.Turn(state, log[:i], used)
		host := k.HostTurn(other, Guard{}, log[:i], used)
		other = host.State
		if host.Answer.Send {
			sent++
		}
		if host.Answer.Send != report.Nudge.ShouldInject {
			t.Fatalf("at %d the kernel says %v, the guard %+v", i, report.Nudge.ShouldInject, host.Answer)
		}
		if asJSON(host.Report) != asJSON(report) || asJSON(state) != asJSON(other) || asJSON(host.Output.Messages()) == "null" {
			t.Fatalf("at %d: %v", i, compareTexts(asJSON(report), asJSON(host.Report)))
		}
	}
	if sent == 0 {
		t.Error("nothing was sent")
	}
}
