package headless

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"ctxscope/kernel"
	"ctxscope/watch/settings"
)

// sickReport is the report of a transcript of the doctor's, with its settings.
func sickReport(t *testing.T, name string) (text string, facts Facts) {
	t.Helper()
	base := "../../testdata/doctor/sick/" + name
	choice := settings.Choice{}
	if _, err := os.Stat(base + ".config.json"); err == nil {
		if choice, err = settings.Read(0, base+".config.json"); err != nil {
			t.Fatal(err)
		}
	}
	read := func(asJSON bool) string {
		file, err := os.Open(base + ".jsonl")
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		return reportOf(t, Options{In: file, Choice: choice}, asJSON)
	}
	if err := json.Unmarshal([]byte(read(true)), &facts); err != nil {
		t.Fatal(err)
	}
	return read(false), facts
}

func TestTheReportSaysWhereAHostGateDiffers(t *testing.T) {
	text, facts := sickReport(t, "pressure-ignored")
	if !facts.Now.Nudge.ShouldInject || facts.Guard.Send || facts.Guard.Gate != kernel.GuardDedupe {
		t.Fatalf("inject %v, guard %+v", facts.Now.Nudge.ShouldInject, facts.Guard)
	}
	if !strings.Contains(text, "kernel: inject — host gate: a nudge was sent in this user turn") {
		t.Errorf("the text does not say so:\n%s", text)
	}
	if c := facts.NudgeCosts; c.Texts == 0 || c.GrowthWithout >= c.Growth || !strings.Contains(text, "without the last text") {
		t.Errorf("costs %+v:\n%s", c, text)
	}
}

func TestTheReportGivesTheNoticeOfAHopelessEmergency(t *testing.T) {
	text, facts := sickReport(t, "pressure-with-nothing-to-fold")
	if facts.Guard.Notice == "" || !strings.Contains(text, "notice      The limit of the context is reached") {
		t.Errorf("notice %q:\n%s", facts.Guard.Notice, text)
	}
}

func TestTheReportLaysTheDecisionOpen(t *testing.T) {
	text, facts := sickReport(t, "tier-two-waits")
	l := facts.Ledger
	if l.Reason != facts.Now.Nudge.Reason || l.Inject != facts.Now.Nudge.ShouldInject || l.Tier != facts.Now.Nudge.Tier {
		t.Errorf("the ledger says %q, the decision %q", l.Reason, facts.Now.Nudge.Reason)
	}
	if len(l.Gates) != len(facts.Now.Nudge.Gates) || len(l.Gates) == 0 {
		t.Fatalf("%d gates in the ledger, %d in the decision", len(l.Gates), len(facts.Now.Nudge.Gates))
	}
	for i, g := range l.Gates {
		if g.Gate != facts.Now.Nudge.Gates[i] || !strings.Contains(text, g.Name+": "+yesNo(g.Holds)+", "+g.Says) {
			t.Errorf("gate %d is %+v", i, g)
		}
	}
	for _, name := range []string{"nudge.frequency", "nudge.iterationThreshold", "nudge.force", "effectiveThreshold"} {
		if !slices.ContainsFunc(l.Unused, func(u kernel.Unused) bool { return u.Name == name }) || !strings.Contains(text, name) {
			t.Errorf("%s is not among what no rule reads", name)
		}
	}
}

func TestTheReportListsCandidatesAndWhatWasLeftOut(t *testing.T) {
	text, facts := sickReport(t, "forty-calls-28-refused")
	if len(facts.Plan.Candidates) == 0 || len(facts.Plan.Omitted) == 0 || facts.Plan.Planner != kernel.DefaultPlanner {
		t.Fatalf("plan %+v", facts.Plan)
	}
	head := fmt.Sprintf("Candidates: %d, each foldable alone or together", len(facts.Plan.Candidates))
	for _, want := range []string{head, facts.Plan.Candidates[0].Label, "recent protection"} {
		if !strings.Contains(text, want) {
			t.Errorf("the text does not hold %q:\n%s", want, text)
		}
	}
	if !strings.Contains(facts.NudgeText.Text, "COMPRESSION CANDIDATES") {
		t.Errorf("the nudge text does not list the plan's candidates:\n%s", facts.NudgeText.Text)
	}
	if len(facts.Outcomes) != 40 {
		t.Errorf("%d outcomes, want 40", len(facts.Outcomes))
	}
}
