package tui

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"ctxscope/kernel"
	"ctxscope/views"
)

// kernelCase is a kernel case as far as a screen needs it.
type kernelCase struct {
	Config kernel.Config
	State  struct {
		Nudge  json.RawMessage `json:"nudge"`
		Blocks []struct {
			ID     string   `json:"blockId"`
			Tier   int      `json:"tier"`
			Covers []string `json:"covers"`
			Chars  int      `json:"chars"`
			Fill   string   `json:"fill"`
			Active *bool    `json:"active"`
		} `json:"blocks"`
	} `json:"state"`
	Messages []caseMessage `json:"messages"`
	Steps    []caseStep    `json:"steps"`
}

type caseMessage struct {
	ID          string             `json:"id"`
	Role        kernel.Role        `json:"role"`
	ContentType kernel.ContentType `json:"contentType"`
	ToolName    string             `json:"toolName"`
	ToolCallID  string             `json:"toolCallId"`
	Text        *string            `json:"text"`
	Chars       int                `json:"chars"`
	Fill        string             `json:"fill"`
	Prefix      string             `json:"prefix"`
	Repeat      int                `json:"repeat"`
}

type caseStep struct {
	Op         string        `json:"op"`
	TokenCount kernel.Tokens `json:"tokenCount"`
	Messages   []caseMessage `json:"messages"`
	Ranges     []struct {
		Start        string `json:"start"`
		End          string `json:"end"`
		SummaryChars *int   `json:"summaryChars"`
	} `json:"ranges"`
}

// readKernelCase reads the case of that name.
func readKernelCase(t *testing.T, name string) kernelCase {
	t.Helper()
	c := kernelCase{Config: kernel.Default(0)}
	path := filepath.Join("../testdata/cases", "kernel-"+name+".json")
	readJSON(t, path, &c)
	var raw struct {
		Config json.RawMessage `json:"config"`
	}
	readJSON(t, path, &raw)
	if err := json.Unmarshal(raw.Config, &c.Config); err != nil || c.Config.ModelContextLimit <= 0 {
		t.Fatalf("%s: configuration %s: %v", name, raw.Config, err)
	}
	return c
}

// start is the state that the case begins with.
func (c *kernelCase) start(t *testing.T) kernel.State {
	t.Helper()
	blocks, next := []map[string]any{}, 1
	for _, b := range c.State.Blocks {
		number, err := strconv.Atoi(strings.TrimPrefix(b.ID, "b"))
		if err != nil {
			t.Fatalf("%q is no block id", b.ID)
		}
		next = max(next, number+1)
		blocks = append(blocks, map[string]any{
			"blockId": b.ID, "runId": fmt.Sprintf("r%d", number), "tier": b.Tier, "summary": filler(b.Fill, b.Chars),
			"directMessageIds": b.Covers, "effectiveMessageIds": b.Covers, "directBlockIds": []string{},
			"generation": "young", "active": b.Active == nil || *b.Active,
		})
	}
	state := map[string]any{"blocks": blocks, "nextBlockId": next, "nextRunId": next}
	if c.State.Nudge != nil {
		state["nudge"] = c.State.Nudge
	}
	data, err := json.Marshal(state)
	if err != nil {
		t.Fatal(err)
	}
	var s kernel.State
	if err := json.Unmarshal(data, &s); err != nil {
		t.Fatal(err)
	}
	return s
}

func filler(fill string, chars int) string {
	if fill == "" {
		fill = "x"
	}
	return strings.Repeat(fill, chars/int(kernel.Len16(fill)))
}

// measured are messages with their repetitions written out.
func measured(list []caseMessage) []kernel.Message {
	var out []kernel.Message
	for _, c := range list {
		text := c.Prefix + filler(c.Fill, c.Chars)
		if c.Text != nil {
			text = *c.Text
		}
		m := kernel.Message{ID: c.ID, Role: c.Role, Type: c.ContentType, ToolName: c.ToolName, ToolCallID: c.ToolCallID}
		m.Measure(text, nil)
		for i := 1; i <= max(1, c.Repeat); i++ {
			if c.Repeat > 0 {
				m.ID = fmt.Sprintf("%s%d", c.ID, i)
			}
			out = append(out, m)
		}
	}
	return out
}

// stage is a case at the moment before one of its steps: its list, the state
// that the steps before left, and the turns so far.
type stage struct {
	c     kernelCase
	k     *kernel.Kernel
	state kernel.State
	log   []kernel.Message
	turns []kernel.Tokens

	replay []kernel.Tokens // turns that the run's own history holds; the state is what counts
}

// stageOf carries out the steps of a case before step n, from 0.
func stageOf(t *testing.T, name string, n int) stage {
	t.Helper()
	s := stage{c: readKernelCase(t, name)}
	s.k, s.state, s.log = kernel.New(s.c.Config, nil), s.c.start(t), measured(s.c.Messages)
	if n >= len(s.c.Steps) {
		t.Fatalf("%s has %d steps, step %d is asked for", name, len(s.c.Steps), n)
	}
	for _, step := range s.c.Steps[:n] {
		switch step.Op {
		case "turn":
			s.state, _, _ = s.k.Turn(s.state, s.log, step.TokenCount)
			s.turns = append(s.turns, step.TokenCount)
		case "compress":
			s.state, _ = s.k.Execute(s.state, s.log, step.call(), nil)
		case "append":
			s.log = append(s.log, measured(step.Messages)...)
		case "rebuild":
			s.state, _ = s.k.Rebuild(s.state, s.log)
		default:
			t.Fatalf("%s: a screen has no step %q", name, step.Op)
		}
	}
	return s
}

// call is the compress call of a step.
func (s caseStep) call() kernel.Call {
	var c kernel.Call
	for _, r := range s.Ranges {
		chars := 80
		if r.SummaryChars != nil {
			chars = *r.SummaryChars
		}
		c.Ranges = append(c.Ranges, kernel.CallRange{StartRef: r.Start, EndRef: r.End, Summary: strings.Repeat("x", chars)})
	}
	return c
}

// run is the run that stands as the stage does, with used as the context size
// of now.
func (s *stage) run(used kernel.Tokens) kernel.Run {
	entries := []kernel.Entry{{Op: kernel.Recording}}
	for _, m := range s.log {
		entries = append(entries, kernel.Entry{Op: kernel.Append, Message: m})
	}
	for _, tokens := range s.replay {
		entries = append(entries, kernel.Entry{Op: kernel.RecordedTurn, Used: tokens})
	}
	entries = append(entries, kernel.Entry{Op: kernel.Usage, Used: used})
	return s.k.FromHost(s.k.Advance(s.k.Start(), kernel.Change{Entries: entries}), s.state)
}

// shownAt is a screen of a case before step n. A turn's own count is that of
// now; before a compress call its ranges are picked.
func shownAt(t *testing.T, name string, n, width, height int) Model {
	t.Helper()
	s := stageOf(t, name, n)
	step := s.c.Steps[n]
	used := step.TokenCount
	if used == 0 && len(s.turns) > 0 {
		used = s.turns[len(s.turns)-1]
	}
	if name == "over-limit-fires-every-turn" { // a repeated nudge is told from the turns before
		s.replay = s.turns
	}
	m := opened(t, &s, s.run(used), width, height)
	for i, r := range step.call().Ranges {
		m.form = m.form.toggled(span{r.StartRef, r.EndRef})
		m.form.ranges[i].summary = r.Summary
	}
	if len(step.Ranges) > 0 {
		m = m.turn(views.PanelCompress)
	}
	return drive(t, m, size(width, height))
}

// opened is a screen of a run.
func opened(t *testing.T, s *stage, run kernel.Run, width, height int) Model {
	t.Helper()
	m := New(t.Context(), Options{Source: &script{}, Counter: hostCounter}, plain())
	m.live.kernel, m.live.setting.Config, m.live.setting.From = s.k, s.c.Config, "kernel defaults"
	m.live.loaded, m.live.begun, m.live.base, m.live.live = true, true, run, sceneOf(s.k, run)
	m.live.status.Name, m.live.status.Mode = "case.jsonl", "read once"
	m = m.changed()
	return drive(t, m, size(width, height))
}

// words is a frame as text: without borders, runs of blanks as one, so that
// what is broken into lines is found.
func words(m Model) string {
	frame := strings.Map(func(r rune) rune {
		if strings.ContainsRune("│┌┐└┘├┤─", r) {
			return ' '
		}
		return r
	}, m.View())
	return strings.Join(strings.Fields(frame), " ")
}

// pressed is m after some keys.
func pressed(t *testing.T, m Model, names []string) Model {
	t.Helper()
	var msgs []tea.Msg
	msgs = append(msgs, keys(names...)...)
	return drive(t, m, msgs...)
}
