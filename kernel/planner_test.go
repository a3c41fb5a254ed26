package kernel

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func named(name, version string) Planner {
	return Planner{Name: name, Version: version, Propose: func(Ground) ([]Draft, []Omission) { return nil, nil }}
}

func TestPlannersAreAValue(t *testing.T) {
	names := func(p Planners) string {
		var out []string
		for _, planner := range p.List() {
			out = append(out, planner.Name+" "+planner.Version)
		}
		return strings.Join(out, ", ")
	}
	first := DefaultPlanners()
	second := first.Register(named("own", "3"))
	third := second.Register(named(DefaultPlanner, "2"))
	for want, p := range map[string]Planners{
		"micro-episode-v1 1":        first,
		"micro-episode-v1 1, own 3": second,
		"micro-episode-v1 2, own 3": third,
		"":                          {},
	} {
		if got := names(p); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if p, ok := second.Get("own"); !ok || p.Version != "3" {
		t.Errorf("own is %+v, %v", p, ok)
	}
	if p, ok := second.Get("another"); ok || p.Name != "" {
		t.Errorf("an unknown name gives %+v, %v", p, ok)
	}
	second.List()[0].Name = "changed"
	if got := names(second); got != "micro-episode-v1 1, own 3" {
		t.Errorf("a list that was given away changed the registry: %q", got)
	}
}

// drafting is a registry whose default planner gives these drafts.
func drafting(drafts ...Draft) Planners {
	return DefaultPlanners().Register(Planner{Name: DefaultPlanner, Version: "test", Propose: func(Ground) ([]Draft, []Omission) {
		return drafts, nil
	}})
}

func TestDraftsAreAdmittedOnlyAsTheExecutorTakesThem(t *testing.T) {
	pair := together(words(120), toolCall("bash", "c", 120), toolResult("bash", "c", 120), words(120, 60, 120))
	for _, c := range []struct {
		name    string
		say     []Message
		config  func(*Config)
		drafts  []Draft
		want    []string
		omitted []string
	}{
		{
			name: "what is taken stands", say: pair, drafts: []Draft{{Micro, 1, 2, ""}, {Micro, 0, 0, ""}},
			want: []string{"micro m00002–m00003 240", "micro m00001–m00001 120"},
		},
		{
			name: "half of a pair would be folded whole", say: pair, drafts: []Draft{{Micro, 2, 2, ""}},
			omitted: []string{"micro m00003–m00003 executor-selection-drift"},
		},
		{
			name: "of two that overlap the later one is skipped", say: pair, drafts: []Draft{{Episode, 3, 5, ""}, {Micro, 0, 3, ""}},
			want:    []string{"micro m00001–m00004 480"},
			omitted: []string{"episode m00004–m00006 executor-rejected"},
		},
		{
			name: "too small alone is too small", say: pair, drafts: []Draft{{Micro, 4, 4, ""}, {Micro, 0, 0, ""}},
			want:    []string{"micro m00001–m00001 120"},
			omitted: []string{"micro m00005–m00005 below-minimum"},
		},
		{
			name: "nothing recent", say: pair, config: func(c *Config) { c.PreserveRecentMessages = 2 }, drafts: []Draft{{Episode, 3, 5, ""}},
			omitted: []string{"episode m00004–m00006 recent-protection"},
		},
		{
			name: "nothing protected", say: together(words(120), toolResult("compress", "p", 90), words(120)), drafts: []Draft{{Episode, 0, 2, ""}},
			omitted: []string{"episode m00001–m00003 protected-tool-or-file"},
		},
		{
			name: "an end needs a number", say: together(words(120), toolResult("skill", "p", 90)), config: protect("skill"), drafts: []Draft{{Micro, 0, 1, ""}},
			omitted: []string{"micro m00001– missing-reference"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			k, r := planRun(planned{say: c.say, config: c.config})
			plan := k.Plan(r, drafting(c.drafts...))
			if got := candidateLines(plan); !slices.Equal(got, c.want) {
				t.Errorf("candidates %q, want %q", got, c.want)
			}
			if got := omissionLines(plan); !slices.Equal(got, c.omitted) {
				t.Errorf("omitted %q, want %q", got, c.omitted)
			}
			for _, o := range plan.Omitted {
				if (o.Sentence != "") != (o.Reason == OmitsRejected) {
					t.Errorf("%s has the sentence %q", o.Reason, o.Sentence)
				}
			}
			if plan.Version != "test" {
				t.Errorf("version %q", plan.Version)
			}
		})
	}
}

// A hidden compress call still stands in the list that a call would be carried
// out over, and reasoning in front of it would be torn off.
func TestPlannerMeetsTheExecutorsRefusals(t *testing.T) {
	var say []Message
	for i := range 4 { // the two newest calls that made no block stay visible
		id := fmt.Sprintf("p%d", i)
		say = together(say, Message{Role: RoleAssistant, Type: Reasoning, Chars: 150},
			toolCall("compress", id, 20), toolResult("compress", id, 20))
	}
	k, r := planRun(planned{say: say})
	plan := k.Plan(r, DefaultPlanners())
	want := []string{
		"micro m00007–m00008 protected-tool-or-file", "micro m00009–m00009 protected-tool-or-file",
		"micro m00010–m00011 protected-tool-or-file", "micro m00012–m00012 protected-tool-or-file",
		"micro m00001–m00001 executor-rejected", "micro m00004–m00004 executor-rejected",
	}
	if got := omissionLines(plan); !slices.Equal(got[len(got)-2:], want[4:]) {
		t.Errorf("omitted %q, want at the end %q", got, want[4:])
	}
	if last := plan.Omitted[len(plan.Omitted)-1]; !strings.HasPrefix(last.Sentence, "Range would split 1 turn(s)") {
		t.Errorf("sentence %q", last.Sentence)
	}
}

func TestPlanFailsClosed(t *testing.T) {
	say := words(120, 120)
	for _, c := range []struct {
		name     string
		planner  string
		planners Planners
		want     string
	}{
		{"an unknown name", "other", DefaultPlanners(), `no planner is called "other"`},
		{"no planner at all", "", Planners{}, `no planner is called "micro-episode-v1"`},
		{"a planner that cannot be asked", "", Planners{}.Register(Planner{Name: DefaultPlanner}), `no planner is called "micro-episode-v1"`},
		{"a draft behind the end", "", drafting(Draft{Micro, 1, 2, ""}), `planner "micro-episode-v1" gave draft 0 the places 1 to 2 of 2`},
		{"a draft that runs backwards", "", drafting(Draft{Micro, 0, 0, ""}, Draft{Micro, 1, 0, ""}), `planner "micro-episode-v1" gave draft 1 the places 1 to 0 of 2`},
		{"a draft before the start", "", drafting(Draft{Micro, -1, 0, ""}), `planner "micro-episode-v1" gave draft 0 the places -1 to 0 of 2`},
		{"a draft of no kind", "", drafting(Draft{"", 0, 0, ""}), `planner "micro-episode-v1" gave draft 0 the kind ""`},
		{
			"a planner that panics", "", DefaultPlanners().Register(Planner{Name: DefaultPlanner, Propose: func(g Ground) ([]Draft, []Omission) {
				return []Draft{{Micro, 0, 0, g.Messages[99].Ref}}, nil
			}}),
			`planner "micro-episode-v1" panicked: runtime error: index out of range [99] with length 2`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			k, r := planRun(planned{say: say, config: func(config *Config) { config.CandidatePlanner = c.planner }})
			plan := k.Plan(r, c.planners)
			if plan.Ok() || plan.Failed != c.want || len(plan.Candidates) > 0 || plan.Text() != "" {
				t.Errorf("plan %+v, want it failed with %q", plan, c.want)
			}
		})
	}
	k, r := planRun(planned{say: say, config: func(c *Config) { c.CandidatePlanner = "own" }})
	if plan := k.Plan(r, DefaultPlanners().Register(named("own", "1"))); !plan.Ok() || plan.Planner != "own" || plan.Candidates == nil || plan.Omitted == nil {
		t.Errorf("a planner that finds nothing: %+v", plan)
	}
}
