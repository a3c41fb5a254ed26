package kernel

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
)

// doMore runs the commands about candidates, nudge texts and loops:
//
//	call A..B…            a compress call of the agent, after the last turn; summary=N as in check
//	plan                  the candidates
//	text                  the text of the last turn's nudge, or the one that is due; fixed prose is named by its first words
//	costs                 what nudging has cost so far
//	guard                 what a host's guard against loops says of the last turn
//	now                   what it would say of a turn at this moment; with plan, of what the planner finds
//	explain REF…          the rules that make a message, or A..B, compressible or not
//	again A..B…           whether a call would be refused as it was before
func (s *script) doMore(t *testing.T, d *datadriven.TestData) (string, error) {
	switch d.Cmd {
	case "call":
		call, err := s.call(d)
		if err != nil {
			return "", err
		}
		s.add(Entry{Op: Compress, Call: call.withSummary(s.kernel)})
		folds := s.run.Folds()
		return verdictText(folds.At(folds.Len() - 1).Verdict), nil
	case "plan":
		return planText(s.kernel.Plan(s.run, DefaultPlanners())), nil
	case "text":
		return s.text(), nil
	case "guard":
		turns := s.run.Turns()
		return guardText(turns.At(turns.Len() - 1).Guard), nil
	case "now":
		if len(d.CmdArgs) > 0 {
			plan := s.kernel.Plan(s.run, DefaultPlanners())
			return guardText(s.kernel.Guard(s.run, &plan)), nil
		}
		return guardText(s.kernel.Guard(s.run, nil)), nil
	case "again":
		call, err := s.call(d)
		if err != nil {
			return "", err
		}
		if sentence, again := s.kernel.RefusedAgain(s.run, call); again {
			return sentence + "\n", nil
		}
		return "may be offered\n", nil
	case "explain":
		return s.explain(d)
	case "costs":
		c := s.run.NudgeCosts()
		return fmt.Sprintf("%d texts, %d in full, %v tokens; growth %s, without them %s\n", c.Texts, c.FullTexts, c.Tokens, num(c.Growth), num(c.GrowthWithout)), nil
	}
	return "", fmt.Errorf("command %q is unknown", d.Cmd)
}

func guardText(a GuardAnswer) string {
	head := "sent: "
	if !a.Send {
		head = "withheld by " + a.Gate + ": "
	}
	out := head + a.Sentence + "\n" + gatesText(a.Gates)
	if a.Notice != "" {
		out += "notice: " + a.Notice + "\n"
	}
	return out
}

func planText(p Plan) string {
	var out strings.Builder
	if !p.Ok() {
		return "no plan: " + p.Failed + "\n"
	}
	fmt.Fprintf(&out, "%s %s: %d candidates\n", p.Planner, p.Version, len(p.Candidates))
	if text := p.Text(); text != "" {
		out.WriteString(text + "\n")
	}
	for _, o := range p.Omitted {
		fmt.Fprintf(&out, "omitted %s %s..%s: %s\n", o.Kind, o.StartRef, o.EndRef, o.Reason)
	}
	return out.String()
}

// text prints the text of the last turn's nudge, or the one that is due. Of the
// prose only the first words are shown, so that the script shows the parts.
func (s *script) text() string {
	text := s.kernel.NudgeText(s.run, nil)
	turns := s.run.Turns()
	if n := turns.Len(); n > 0 && turns.At(n-1).Text != nil {
		text = s.kernel.RenderNudge(s.last.Nudge, s.run.Blocks(), nil, turns.At(n-1).Text.Full)
	}
	form := "short"
	if text.Full {
		form = "full"
	}
	body := text.Text
	for _, prose := range []string{proseEfficiency, proseEmergency, proseHowTo, proseTier2Guidance, proseTier2Rules, proseTier3Guidance, proseTier3Rules} {
		head, _, _ := strings.Cut(prose, "\n")
		body = strings.ReplaceAll(body, prose, "<"+head[:min(40, len(head))]+"…>")
	}
	var out strings.Builder
	fmt.Fprintf(&out, "%s, %s, %v of %v tokens\n", text.Kind, form, text.Tokens, text.FullTokens)
	for line := range strings.Lines(body) {
		out.WriteString(strings.TrimRight("| "+strings.TrimSuffix(line, "\n"), " ") + "\n")
	}
	return out.String()
}
