package kernel

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// planned is one case for a planner: what is said, and what the plan is.
type planned struct {
	name    string
	config  func(*Config)
	say     []Message // Chars is the length of the text; ids are m1, m2, …
	call    *CallRange
	want    []string // candidates
	omitted []string
	more    int // candidates beyond the cap
}

// words are messages of plain text of some lengths.
func words(lengths ...int) []Message {
	out := make([]Message, len(lengths))
	for i, n := range lengths {
		out[i] = Message{Role: RoleAssistant, Chars: Chars(n)}
	}
	return out
}

func times(n, length int) []Message { return words(slices.Repeat([]int{length}, n)...) }

func toolCall(tool, id string, length int) Message {
	return Message{Role: RoleAssistant, Type: ToolCall, ToolName: tool, ToolCallID: id, Chars: Chars(length)}
}

func toolResult(tool, id string, length int) Message {
	return Message{Role: RoleTool, Type: ToolResult, ToolName: tool, ToolCallID: id, Chars: Chars(length)}
}

// together joins messages and lists of them.
func together(parts ...any) []Message {
	var out []Message
	for _, part := range parts {
		switch p := part.(type) {
		case Message:
			out = append(out, p)
		case []Message:
			out = append(out, p...)
		}
	}
	return out
}

// planConfig has no floors but a size gate of 100 chars, and no recent zone.
func planConfig() Config {
	c := Default(200000)
	c.Compress.MinCompressRange, c.MinCandidateTokens = 100, 0
	c.PreserveRecentMessages, c.PreserveRecentTokens = 0, 0
	return c
}

// planRun is the run of a case behind one turn.
func planRun(p planned) (*Kernel, Run) {
	config := planConfig()
	if p.config != nil {
		p.config(&config)
	}
	k := New(config, nil)
	entries := []Entry{{Op: Recording}}
	for i, m := range p.say {
		length := m.Chars
		m.ID = fmt.Sprintf("m%d", i+1)
		m.Measure(strings.Repeat("x", int(length)), nil)
		entries = append(entries, Entry{Op: Append, Message: m})
	}
	entries = append(entries, Entry{Op: RecordedTurn, Used: 50000})
	if p.call != nil {
		p.call.Summary = strings.Repeat("x", 60)
		entries = append(entries, Entry{Op: Compress, Call: Call{Ranges: []CallRange{*p.call}}}, Entry{Op: RecordedTurn, Used: 50000})
	}
	return k, k.Advance(k.Start(), Change{Entries: entries})
}

func candidateLines(p Plan) []string {
	var out []string
	for _, c := range p.Candidates {
		out = append(out, fmt.Sprintf("%s %s–%s %d", c.Kind, c.StartRef, c.EndRef, c.RetainedChars))
	}
	return out
}

func omissionLines(p Plan) []string {
	var out []string
	for _, o := range p.Omitted {
		out = append(out, fmt.Sprintf("%s %s–%s %s", o.Kind, o.StartRef, o.EndRef, o.Reason))
	}
	return out
}

func recents(from, to int) []string {
	var out []string
	for i := from; i <= to; i++ {
		out = append(out, fmt.Sprintf("episode %s–%s recent-protection", formatRef(int32(i)), formatRef(int32(i))))
	}
	return out
}

func protect(tools ...string) func(*Config) {
	return func(c *Config) { c.ProtectedTools = tools }
}

func TestPlans(t *testing.T) {
	reasoning := func(n int) Message { return Message{Role: RoleAssistant, Type: Reasoning, Chars: Chars(n)} }
	for _, p := range []planned{
		{
			name: "small messages that touch are an episode, a bulky one is by itself, too few vanish",
			say:  words(40, 40, 140, 40, 40, 40),
			want: []string{"micro m00003–m00003 140", "episode m00004–m00006 120"},
		},
		{
			name:    "the recent zone ends an episode",
			config:  func(c *Config) { c.Compress.MinCompressRange, c.PreserveRecentMessages = 1000, 20 },
			say:     times(30, 200),
			want:    []string{"episode m00001–m00010 2000"},
			omitted: recents(11, 30),
		},
		{
			name: "a call and its result are one",
			say:  together(words(40), toolCall("bash", "c", 70), toolResult("bash", "c", 70)),
			want: []string{"micro m00002–m00003 140"},
		},
		{
			name: "calls that overlap are one, with what stands between",
			say: together(words(40), toolCall("bash", "a", 20), toolCall("read", "b", 20), words(30),
				toolResult("bash", "a", 20), toolResult("read", "b", 20)),
			want: []string{"micro m00002–m00006 110"},
		},
		{name: "exactly the least is enough", say: words(100), want: []string{"micro m00001–m00001 100"}},
		{name: "one short of the least is not", say: words(99)},
		{
			name: "twelve are listed and the rest are counted",
			say:  times(20, 120),
			want: []string{
				"micro m00001–m00001 120", "micro m00002–m00002 120", "micro m00003–m00003 120", "micro m00004–m00004 120",
				"micro m00005–m00005 120", "micro m00006–m00006 120", "micro m00007–m00007 120", "micro m00008–m00008 120",
				"micro m00009–m00009 120", "micro m00010–m00010 120", "micro m00011–m00011 120", "micro m00012–m00012 120",
			},
			more: 8,
		},
		{
			name:    "a protected result is left out by its unit",
			config:  func(c *Config) { c.ProtectedTools = nil },
			say:     together(words(60), toolCall("compress", "p", 200), toolResult("compress", "p", 300), words(60)),
			omitted: []string{"micro m00002–m00002 protected-tool-or-file", "micro m00003–m00003 protected-tool-or-file"},
		},
		{
			name:    "a protected message has no number where tools are protected",
			config:  protect("skill"),
			say:     together(words(60), toolCall("skill", "p", 200), toolResult("skill", "p", 300), words(60)),
			omitted: []string{"micro – missing-reference"},
		},
		{
			name:    "what stands before a protected message is drafted, and so is what stands behind it",
			say:     together(words(60, 60), toolResult("compress", "p", 500), words(60, 60)),
			want:    []string{"episode m00001–m00002 120", "episode m00004–m00005 120"},
			omitted: []string{"micro m00003–m00003 protected-tool-or-file"},
		},
		{
			name:    "a bulky message parts the small ones around it",
			say:     together(words(60, 200, 60), toolResult("compress", "p", 10)),
			want:    []string{"micro m00002–m00002 200"},
			omitted: []string{"episode m00004–m00004 protected-tool-or-file"},
		},
		{
			name:   "without a floor every message that has a size is by itself",
			config: func(c *Config) { c.Compress.MinCompressRange = 0 },
			say:    words(5, 0, 1),
			want:   []string{"micro m00001–m00001 5", "micro m00003–m00003 1"},
		},
		{
			name:   "the floor of candidates counts tokens",
			config: func(c *Config) { c.Compress.MinCompressRange, c.MinCandidateTokens = 0, 200 },
			say:    words(800, 796, 4),
			want:   []string{"micro m00001–m00001 800", "episode m00002–m00003 800"},
		},
		{
			name:   "both floors hold",
			config: func(c *Config) { c.MinCandidateTokens = 200 },
			say:    words(799, 0, 400, 0, 801),
			want:   []string{"micro m00005–m00005 801", "micro m00001–m00001 799"},
		},
		{
			name:   "the gate may measure tokens",
			config: func(c *Config) { c.GateUnit, c.Compress.MinCompressRange = GateTokens, 30 },
			say:    words(116, 0, 117),
			want:   []string{"micro m00003–m00003 117"},
		},
		{
			name: "reasoning goes with its reply",
			say:  together(words(40), reasoning(0), words(140)),
			want: []string{"micro m00002–m00003 140"},
		},
		{
			name: "reasoning takes the call and the call its result",
			say:  together(words(40), reasoning(10), toolCall("bash", "c", 10), words(5), toolResult("bash", "c", 90), words(70)),
			want: []string{"micro m00002–m00005 115"},
		},
		{
			name:    "an image is protected, and has no number",
			say:     together(words(60), Message{Role: RoleUser, Chars: 200, Facts: HasMedia, Images: 1}, words(60)),
			omitted: []string{"micro – missing-reference"},
		},
		{
			name: "an image in the middle of a unit is protected",
			say: together(toolCall("bash", "c", 60),
				Message{Role: RoleUser, Chars: 20, Facts: HasMedia, Images: 1}, toolResult("bash", "c", 60)),
			omitted: []string{"micro m00001–m00002 protected-tool-or-file"},
		},
		{
			name:   "the newest of a latest-only tool is protected, older ones are not",
			config: func(c *Config) { c.ProtectedLatestTools = []string{"todowrite"} },
			say: together(toolCall("todowrite", "a", 60), toolResult("todowrite", "a", 60),
				toolCall("todowrite", "b", 60), toolResult("todowrite", "b", 60)),
			want:    []string{"micro m00001–m00002 120"},
			omitted: []string{"micro – missing-reference"},
		},
		{
			name: "the first user message, covered but sent, parts the small ones",
			say:  together(Message{Role: RoleUser, Chars: 60}, words(60, 60, 60)),
			call: &CallRange{StartRef: "m00001", EndRef: "m00002"},
			want: []string{"episode m00003–m00004 120"},
			omitted: []string{
				"micro – missing-reference", "micro m00001–m00001 active-compression",
			},
		},
		{
			name:    "a checkpoint of an active block is no original content",
			say:     together(words(60, 60), Message{Role: RoleUser, Chars: 70, SummaryOfBlockID: "b1"}, words(70, 70)),
			call:    &CallRange{StartRef: "m00001", EndRef: "m00002"},
			want:    []string{"episode m00004–m00005 140"},
			omitted: []string{"micro – missing-reference", "micro m00003–m00003 synthetic-or-ignored"},
		},
	} {
		t.Run(p.name, func(t *testing.T) {
			k, r := planRun(p)
			plan := k.Plan(r, DefaultPlanners())
			if !plan.Ok() {
				t.Fatal(plan.Failed)
			}
			if got := candidateLines(plan); !slices.Equal(got, p.want) {
				t.Errorf("candidates %q, want %q", got, p.want)
			}
			if got := omissionLines(plan); !slices.Equal(got, p.omitted) {
				t.Errorf("omitted %q, want %q", got, p.omitted)
			}
			if plan.TruncatedCount != p.more {
				t.Errorf("%d beyond the cap, want %d", plan.TruncatedCount, p.more)
			}
		})
	}
}

func TestCandidateTellsItsMakeUp(t *testing.T) {
	k, r := planRun(planned{say: together(words(40), toolCall("bash", "c", 70), toolResult("bash", "c", 70))})
	want := Candidate{
		Kind: Micro, StartRef: "m00002", EndRef: "m00003", MessageCount: 2, RetainedChars: 140, EstimatedTokens: 36,
		ToolPct: 100, TextPct: 0, Label: "bash transaction", SourceMessageIDs: []string{"m2", "m3"},
	}
	if got := k.Plan(r, DefaultPlanners()).Candidates; !reflect.DeepEqual(got, []Candidate{want}) {
		t.Errorf("got %+v", got)
	}
	many := together(toolCall("a", "1", 50), toolCall("b", "2", 0), toolCall("a", "3", 0), toolCall("c", "4", 0), toolCall("d", "5", 0))
	for _, call := range slices.Clone(many) {
		many = append(many, toolResult(call.ToolName, call.ToolCallID, 50))
	}
	k, r = planRun(planned{say: many})
	if got := k.Plan(r, DefaultPlanners()).Candidates[0].Label; got != "a/b/c transaction" {
		t.Errorf("label %q", got)
	}
	k, r = planRun(planned{say: together(words(10, 10, 10, 10, 10, 10, 10), toolCall("bash", "x", 30))})
	if c := k.Plan(r, DefaultPlanners()).Candidates[0]; c.ToolPct != 13 || c.TextPct != 88 {
		t.Errorf("one tool message of eight: %d %% and %d %%, want 13 and 88", c.ToolPct, c.TextPct)
	}
}

func TestPlanText(t *testing.T) {
	k, r := planRun(planned{say: together(times(20, 120), words(5000), toolCall("bash", "c", 50), toolResult("bash", "c", 50))})
	text := k.Plan(r, DefaultPlanners()).Text()
	for _, want := range []string{
		"COMPRESSION CANDIDATES (independent; batchable)\n  MICRO   m00021–m00021  1 msg  1.3K tokens  large conversation message\n",
		"\n  MICRO   m00001–m00001  1 msg  30 tokens  large conversation message\n",
		"\n  ...10 additional candidates omitted",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the text lacks %q:\n%s", want, text)
		}
	}
	k, r = planRun(planned{say: words(40, 80)})
	if got, want := k.Plan(r, DefaultPlanners()).Text(), "COMPRESSION CANDIDATES (independent; batchable)\n  EPISODE m00001–m00002  2 msgs  30 tokens  historical conversation segment"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	k, r = planRun(planned{say: times(13, 120)})
	if text := k.Plan(r, DefaultPlanners()).Text(); !strings.HasSuffix(text, "\n  ...1 additional candidate omitted") {
		t.Errorf("one beyond the cap:\n%s", text)
	}
	if got := (Plan{}).Text(); got != "" {
		t.Errorf("no candidates: %q", got)
	}
}
