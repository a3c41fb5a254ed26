package tui

import (
	"slices"
	"strings"
	"testing"

	"ctxscope/kernel"
	"ctxscope/views"
	"ctxscope/watch"
)

// holds fails unless the screen holds each text, line breaks aside.
func holds(t *testing.T, m Model, texts ...string) {
	t.Helper()
	all := words(m)
	for _, text := range texts {
		if !strings.Contains(all, text) {
			t.Errorf("the screen does not show %q:\n%s", text, m.View())
		}
	}
}

func TestExplainSaysWhyOfEveryKindOfRow(t *testing.T) {
	m, _, _ := openWorking(t, 120, 40)
	m = applySomething(t, m)
	m = drive(t, m, keys("esc")...)
	tests := []struct {
		name  string
		keys  []string
		wants []string
	}{
		{"a recent message", []string{"6", "G", "e"}, []string{"Why: m00", "Answer: recent zone", "STOP recent zone 1st of the last 5", "→ free after 5 more messages"}},
		{"a folded message", []string{"6", "g", "j", "j", "e"}, []string{"Answer: folded", "stands for it", "→ a decompress of b1 would show it again"}},
		{"a batch", []string{"1", "g", "e"}, []string{"Answer: folds", "ok size gate", "ok executor folds", "pending in T1"}},
		{"a range", []string{"2", "G", "e"}, []string{"ok borders", "messages"}},
		{"a block", []string{"7", "G", "e"}, []string{"Why: b1", "Answer: active", "pending in T2"}},
		{"a candidate", []string{"8", "g", "e"}, []string{"Answer: folds", "ok executor folds"}},
	}
	for _, test := range tests {
		at := drive(t, m, keys(test.keys...)...)
		if !at.reader.open || at.reader.kind != readsWhy {
			t.Errorf("%s: no explanation is open: %q", test.name, at.note)
			continue
		}
		holds(t, at, test.wants...)
		if at = drive(t, at, keys("e")...); at.reader.open {
			t.Errorf("%s: e does not close the explanation", test.name)
		}
	}
}

func TestExplainGoesOnToTheNextRowAndSaysWhereItDoesNothing(t *testing.T) {
	m, _, _ := openWorking(t, 80, 24)
	m = drive(t, m, keys("6", "G", "e", "h")...)
	holds(t, m, "2nd of the last 5")
	m = drive(t, m, size(60, 20))
	for _, line := range m.reader.lines {
		if w, _ := m.readerSize(); views.Width(line) > w {
			t.Errorf("after a resize a line has %d cells of %d: %q", views.Width(line), w, line)
		}
	}
	m = drive(t, m, keys("esc", "4", "e")...)
	if !strings.Contains(m.note, "select one in its list") {
		t.Errorf("in the Nudge panel e says %q", m.note)
	}
	m = drive(t, m, keys("1", "g", "c", "e")...)
	holds(t, m, "Why: m", "ok executor folds")
}

func TestCandidatesAreTakenIntoTheForm(t *testing.T) {
	m, _, _ := openWorking(t, 120, 40)
	if m.insight.ready {
		t.Fatal("a plan was made though nobody looked")
	}
	m = drive(t, m, keys("8")...)
	plan := m.insight.plan
	if !m.insight.ready || len(plan.Candidates) < 2 || len(plan.Omitted) == 0 {
		t.Fatalf("plan %+v", plan)
	}
	holds(t, m, "8 Candidates", plan.Candidates[0].Label)
	holds(t, drive(t, m, keys("G")...), "no candidate: recent zone")
	first, second := plan.Candidates[0], plan.Candidates[1]
	m = drive(t, m, keys("g", " ", "j", " ", "c")...)
	if got := m.form.picks(); len(got) != 2 || got[0].span != (span{first.StartRef, first.EndRef}) || got[1].span != (span{second.StartRef, second.EndRef}) {
		t.Fatalf("the form holds %+v", got)
	}
	if !m.form.verdict.Ok() || m.form.verdict.BlocksCreated != 2 {
		t.Errorf("the executor says %+v", m.form.verdict)
	}
	m = drive(t, m, keys("esc", "8", "v")...)
	if !strings.Contains(m.note, "mark several") {
		t.Errorf("v on candidates says %q", m.note)
	}
	m = drive(t, m, keys("G", "enter")...)
	holds(t, m, "This is no candidate:")
}

func TestTheNudgeTextIsThatOfTheRunWithItsPlan(t *testing.T) {
	m, _, _ := openWorking(t, 120, 40)
	m = drive(t, m, keys("n")...)
	want := m.live.kernel.NudgeText(m.shown().run, &m.insight.plan)
	if m.reader.text != want.Text || want.Tokens == 0 {
		t.Errorf("the text is %q, want %q", m.reader.text, want.Text)
	}
	holds(t, m, "no nudge is due: this is what one would say", views.Number(want.Tokens)+" tokens (estimate)")
	m = drive(t, m, keys("l")...)
	if m.note == "" {
		t.Error("l in a text of its own does not say why it does nothing")
	}
	if m = drive(t, m, keys("n")...); m.reader.open {
		t.Error("n does not close the text")
	}
	m = drive(t, m, keys("4", "z")...)
	holds(t, m, "its text "+views.Number(want.Tokens)+" tokens")
}

func TestTheLedgerShowsEveryGateOfTheDecision(t *testing.T) {
	m, _, _ := openWorking(t, 120, 60)
	m = drive(t, m, keys("4", "z")...)
	d := m.shown().report.Nudge
	for _, g := range d.Gates {
		holds(t, m, g.Name+" "+g.Says(m.shown().report.Limit))
	}
	holds(t, m, d.Reason, "Reported, not used", "nudge.frequency 5", "nudge.force soft", "effectiveThreshold")
}

// refusals is a session over its limit in which the agent's calls are refused.
func refusals() *session {
	s := newSession()
	s.user("Find the bug.")
	for i := range 5 {
		s.reply(60_000, kernel.Tokens(150_000+1000*i))
	}
	for i := range 3 {
		s.entries = append(s.entries, kernel.Entry{Op: kernel.Reply, ReplyID: "c" + string(rune('1'+i))})
		call := "call-c" + string(rune('1'+i))
		s.add(kernel.RoleAssistant, kernel.ToolCall, "compress", call, `{"content":[{"startId":"m00001","endId":"m00001","summary":"`+strings.Repeat("short ", 12)+`"}]}`)
		s.entries = append(s.entries, kernel.Entry{Op: kernel.Usage, Used: kernel.Tokens(156_000 + 100*i)})
		s.add(kernel.RoleTool, kernel.ToolResult, "compress", call, "Error: content too small")
		last := &s.entries[len(s.entries)-1].Message
		last.Outcome, last.Failed = kernel.Failed, true
	}
	return s
}

func TestAHostGateThatDiffersIsSaid(t *testing.T) {
	s := refusals()
	m := begin(t, Options{Source: &script{events: []watch.Event{s.event()}, texts: s.texts}}, 120, 40)
	n := m.nudging()
	if !m.shown().report.Nudge.ShouldInject || n.Guard.Gate != kernel.GuardCoolDown || !n.Withheld() {
		t.Fatalf("inject %v, guard %+v", m.shown().report.Nudge.ShouldInject, n.Guard)
	}
	holds(t, m, "kernel: inject — host gate: cool-down, 3 refusals in a row", "nudges T1, a host gate holds it")
	m = drive(t, m, keys("4", "z", "G")...)
	holds(t, m, "Gates of a host that guards against nudge loops", "cool-down: no three refusals in a row, or growth")
}

func TestTheDoctorFindsMutesAndListsCalls(t *testing.T) {
	s := refusals()
	m := begin(t, Options{Source: &script{events: []watch.Event{s.event()}, texts: s.texts}}, 120, 40)
	if m.checkup.ready {
		t.Fatal("the session was examined though nobody asked")
	}
	m = drive(t, m, keys("d")...)
	if !m.checkup.ready || len(m.checkup.exam.Findings) == 0 {
		t.Fatalf("examination %+v", m.checkup.exam)
	}
	codes := func() (shown []string) {
		for _, r := range m.checkup.rows {
			if r.found != nil && !r.Muted {
				shown = append(shown, r.found.Code)
			}
		}
		return shown
	}
	before := codes()
	if !slices.Contains(before, "call-repeated") {
		t.Errorf("found %v, want call-repeated among them", before)
	}
	holds(t, m, "The same refused call came again", "Compress calls, by cause of refusal", "3 of 3 compress calls refused (100 %): 3 too small.")
	m = drive(t, m, keys("g", "enter")...)
	holds(t, m, "What to do:", "resembles")
	m = drive(t, m, keys("esc", "m")...)
	if after := codes(); len(after) != len(before)-1 || !strings.Contains(m.note, before[0]) {
		t.Errorf("after m %v are shown of %v, note %q", after, before, m.note)
	}
	holds(t, m, "muted")
	m = drive(t, m, keys("o")...)
	holds(t, m, "Compress calls", "call-c1", "refused", "would refuse: Total compressible content too small")
	m = drive(t, m, keys("enter")...)
	holds(t, m, "The executor, at that moment: would refuse")
	m = drive(t, m, keys("esc", "esc")...)
	if m.focus != views.PanelDoctor {
		t.Errorf("esc leads from the calls to %s", m.focus)
	}
	if m = drive(t, m, keys("esc")...); m.focus != views.PanelBatches {
		t.Errorf("esc leads from the doctor to %s", m.focus)
	}
}

func TestAMutedFindingComesBack(t *testing.T) {
	s := refusals()
	m := begin(t, Options{Source: &script{events: []watch.Event{s.event()}, texts: s.texts}}, 120, 40)
	m = drive(t, m, keys("d", "g")...)
	first := m.checkup.rows[0].key()
	m = drive(t, m, keys("m")...)
	at := slices.IndexFunc(m.checkup.rows, func(f finding) bool { return f.key() == first })
	if at == 0 || !m.checkup.rows[at].Muted {
		t.Fatalf("the muted finding is row %d", at)
	}
	for range at {
		m = drive(t, m, keys("j")...)
	}
	m = drive(t, m, keys("m")...)
	if m.checkup.rows[0].key() != first || m.checkup.rows[0].Muted {
		t.Error("the finding does not come back")
	}
	m = drive(t, m, keys("G", "m")...)
	if m.note != "Only a finding can be muted." {
		t.Errorf("m on a table says %q", m.note)
	}
}

func TestAParityAlarmIsSeen(t *testing.T) {
	s := refusals()
	last := &s.entries[len(s.entries)-1].Message
	last.Outcome, last.OutcomeBlocks, last.Failed = kernel.Succeeded, 1, false
	m := begin(t, Options{Source: &script{events: []watch.Event{s.event()}, texts: s.texts}}, 120, 40)
	if m.shown().alarms != 1 {
		t.Fatalf("%d alarms", m.shown().alarms)
	}
	holds(t, m, "1 parity alarm")
	m = drive(t, m, keys("p")...)
	holds(t, m, "call call-c3 parity alarm: the host folded it, the replay would refuse it")
	m = drive(t, m, keys("esc", "d", "o")...)
	holds(t, m, "PARITY: the host folded it, the replay would refuse it")
}

func TestAResetTakesThePlanAndTheExaminationAway(t *testing.T) {
	m, _, _ := openWorking(t, 120, 40)
	m = drive(t, m, keys("8", "d", "esc")...)
	if !m.insight.ready || !m.checkup.ready {
		t.Fatal("nothing to take away")
	}
	fresh := newSession()
	fresh.user("Something else entirely.")
	event := fresh.event()
	event.Reset = true
	m = push(t, drive(t, m, keys("6")...), event)
	if m.insight.ready || m.checkup.ready {
		t.Errorf("after a reset: plan %v, examination %v", m.insight.ready, m.checkup.ready)
	}
}
