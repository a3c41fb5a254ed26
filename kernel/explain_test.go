package kernel

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
)

// explain prints the chain of rules for each message, or range A..B.
func (s *script) explain(d *datadriven.TestData) (string, error) {
	var out strings.Builder
	for _, arg := range d.CmdArgs {
		if start, end, ok := strings.Cut(arg.Key, ".."); ok {
			out.WriteString(explainedText(s.kernel.ExplainRange(s.run, start, end)))
			continue
		}
		if _, ok := blockNumber(arg.Key); ok {
			out.WriteString(explainedText(s.kernel.ExplainBlock(s.run, arg.Key)))
			continue
		}
		i, ok := s.run.Index(arg.Key)
		if !ok { // a message without a ref is named by its id
			log := s.run.Log().All()
			i = slices.IndexFunc(log, func(m Message) bool { return m.ID == arg.Key })
		}
		if i < 0 {
			return "", fmt.Errorf("%s names nothing", arg.Key)
		}
		out.WriteString(explainedText(s.kernel.Explain(s.run, i)))
	}
	return out.String(), nil
}

func explainedText(x Explanation) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s: %s\n", refRange(&Range{StartRef: x.StartRef, EndRef: x.EndRef}), x.Answer)
	for _, rule := range x.Rules {
		sign := "+"
		if !rule.Passes {
			sign = "-"
		}
		fmt.Fprintf(&out, "  %s %s: %s\n", sign, rule.Name, rule.Says)
		if rule.Change != "" {
			fmt.Fprintf(&out, "      to change it: %s\n", rule.Change)
		}
	}
	return out.String()
}

// decisive names the rules that may decide for each kind of standing.
var decisive = map[string][]string{
	string(StandsRecent):      {"recent zone"},
	string(StandsProtected):   {"ref", "content", "protected"},
	string(StandsCheckpoint):  {"content"},
	string(StandsWithdrawn):   {"whole turn"},
	string(StandsFolded):      {"block"},
	string(StandsFoldedShown): {"block"},
	string(StandsHidden):      {"sent"},
	string(StandsUnpaired):    {"sent"},
	string(StandsSent):        {"content", "ref"}, // a summary, or a message without a ref
	AnswerBelowGate:           {"size gate"},
	AnswerEmpty:               {"range"},
}

// TestExplanationsAgreeWithStandings holds, at every moment of many sessions,
// that the chain for a message ends with the rule that its standing names, and
// that all of it passes for what a batch holds.
func TestExplanationsAgreeWithStandings(t *testing.T) {
	seen := map[string]int{}
	eachMoment(t, func(t *testing.T, k *Kernel, r Run) {
		zone := map[string]bool{}
		for _, ref := range r.Now().Zone {
			zone[ref] = true
		}
		for i := range r.Log().Len() {
			x := k.Explain(r, i)
			seen[x.Answer]++
			if fault := explainedWrongly(r, i, x, zone); fault != "" {
				t.Fatalf("%s\n%s", fault, explainedText(x))
			}
		}
	})
	for _, answer := range []string{AnswerFoldable, AnswerBelowGate, string(StandsRecent), string(StandsProtected), string(StandsFolded)} {
		if seen[answer] == 0 {
			t.Errorf("no message is %s: %v", answer, seen)
		}
	}
}

func explainedWrongly(r Run, i int, x Explanation, zone map[string]bool) string {
	last := x.Rules[len(x.Rules)-1]
	for _, rule := range x.Rules[:len(x.Rules)-1] {
		if !rule.Passes {
			return "a rule that does not pass is not the last"
		}
	}
	stands := r.Standing(i)
	foldable := x.Answer == AnswerFoldable || x.Answer == AnswerBelowGate || x.Answer == AnswerEmpty
	switch {
	case !foldable && x.Answer != string(stands.Kind), foldable && stands.Kind != StandsSent:
		return fmt.Sprintf("the standing is %s", stands.Kind)
	case x.Answer == AnswerFoldable && !last.Passes, x.Answer != AnswerFoldable && last.Passes:
		return "the last rule does not fit the answer"
	case !last.Passes && !slices.Contains(decisive[x.Answer], last.Name):
		return fmt.Sprintf("%s decides", last.Name)
	case (x.Answer == string(StandsRecent)) != (zone[x.StartRef] && stands.Kind == StandsRecent):
		return "the zone says otherwise"
	case x.Answer == string(StandsRecent) && !strings.HasPrefix(last.Change, "free after "):
		return "it does not say when the message is free"
	}
	return ""
}

// TestAMessageIsFreeWhenTheExplanationSaysSo lets as many messages follow as
// an explanation asks for.
func TestAMessageIsFreeWhenTheExplanationSaysSo(t *testing.T) {
	config := Default(200000)
	config.PreserveRecentTokens = 0
	s := &script{}
	s.reset(config)
	say := func(role Role) {
		m := Message{ID: fmt.Sprintf("id%d", s.size), Role: role}
		m.Measure(strings.Repeat("x", 400), nil)
		s.add(Entry{Op: Append, Message: m})
	}
	say(RoleUser)
	for range 6 {
		say(RoleAssistant)
	}
	i := s.run.Log().Len() - 3
	x := s.kernel.Explain(s.run, i)
	last := x.Rules[len(x.Rules)-1]
	if last.Says != "3rd of the last 5" || last.Change != "free after 3 more messages" {
		t.Fatalf("%s", explainedText(x))
	}
	for more := 1; more <= 3; more++ {
		say(RoleAssistant)
		if kind := s.run.Standing(i).Kind; (kind == StandsRecent) != (more < 3) {
			t.Errorf("after %d more messages it is %s", more, kind)
		}
	}
}

func TestOrdinal(t *testing.T) {
	for n, want := range map[int]string{1: "1st", 2: "2nd", 3: "3rd", 4: "4th", 11: "11th", 12: "12th", 13: "13th", 21: "21st", 112: "112th"} {
		if got := ordinal(n); got != want {
			t.Errorf("%d is %s, want %s", n, got, want)
		}
	}
}
