package tui

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"ctxscope/kernel"
	"ctxscope/views"
	"ctxscope/watch"
)

// screenCase is one screen case that is about the model.
type screenCase struct {
	Window   [2]int   `json:"window"`
	Sizes    [][2]int `json:"sizes"`
	Messages int      `json:"messages"`
	Ranges   int      `json:"ranges"`
	Selected int      `json:"selected"`
	Keys     int      `json:"keys"`
	Steps    []struct {
		Op       string `json:"op"`
		Rows     int    `json:"rows"`
		Messages int    `json:"messages"`
	} `json:"steps"`
	Generate struct {
		Messages         int `json:"messages"`
		Chars            int `json:"chars"`
		Blocks           int `json:"blocks"`
		MessagesPerBlock int `json:"messagesPerBlock"`
	} `json:"generate"`
}

// Screen cases are told apart by what they hold. Those of these keys are run
// elsewhere: views draws texts, the tests of the command start it without a
// terminal, the tests in a terminal send it signals.
var elsewhere = []string{"texts", "fit", "stdin", "signals"}

// TestScreenCases runs the screen cases about the model. CTXSCOPE_CASES names
// a further folder of the same form.
func TestScreenCases(t *testing.T) {
	ran := 0
	for _, folder := range caseFolders() {
		n := 0
		for name, expect := range screenExpectations(t, folder) {
			var keys map[string]json.RawMessage
			readJSON(t, filepath.Join(folder, name), &keys)
			if hasAny(keys, elsewhere) {
				continue
			}
			n++
			t.Run(name, func(t *testing.T) { runScreenCase(t, filepath.Join(folder, name), expect) })
		}
		t.Logf("%s: %d screen cases ran", folder, n)
		ran += n
	}
	if ran == 0 {
		t.Error("no screen case ran")
	}
}

func caseFolders() []string {
	folders := []string{"../testdata/cases"}
	if further := os.Getenv("CTXSCOPE_CASES"); further != "" {
		if !filepath.IsAbs(further) {
			further = filepath.Join("..", further)
		}
		folders = append(folders, further)
	}
	return folders
}

// screenExpectations gives what is expected of each screen case of a folder,
// and fails on a case without an expectation.
func screenExpectations(t *testing.T, folder string) map[string]json.RawMessage {
	t.Helper()
	var all map[string]struct {
		Expect json.RawMessage `json:"expect"`
	}
	readJSON(t, filepath.Join(folder, "expected.json"), &all)
	names, err := filepath.Glob(filepath.Join(folder, "screen-*.json"))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]json.RawMessage{}
	for _, name := range names {
		base := filepath.Base(name)
		if out[base] = all[base].Expect; len(out[base]) == 0 {
			t.Errorf("%s: nothing is expected of it", base)
		}
	}
	return out
}

func hasAny(keys map[string]json.RawMessage, names []string) bool {
	for _, name := range names {
		if _, ok := keys[name]; ok {
			return true
		}
	}
	return false
}

func readJSON(t *testing.T, name string, into any) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

func runScreenCase(t *testing.T, path string, expect json.RawMessage) {
	var c screenCase
	readJSON(t, path, &c)
	switch {
	case len(c.Steps) > 0:
		runSteps(t, c, expect)
	case len(c.Sizes) > 0:
		runSizes(t, c, expect)
	case c.Generate.Messages > 0:
		runLarge(t, c)
	case c.Selected > 0:
		runSelected(t, c, expect)
	default:
		t.Fatal("no test knows how to run this case")
	}
}

// talk is a session of n texts of chars characters.
func talk(s *session, n, chars int) {
	for range n {
		if s.n%2 == 0 {
			s.user(fill(s.n, chars))
			continue
		}
		s.entries = append(s.entries, kernel.Entry{Op: kernel.Reply, ReplyID: fmt.Sprintf("r%d", s.n)})
		s.add(kernel.RoleAssistant, kernel.Text, "", "", fill(s.n, chars))
	}
}

func fill(n, chars int) string {
	text := fmt.Sprintf("line %d ", n)
	return text + strings.Repeat("x", max(0, chars-len(text)))
}

func runSteps(t *testing.T, c screenCase, expect json.RawMessage) {
	var want []struct {
		TopRowUnchanged    bool  `json:"topRowUnchanged"`
		Unseen             *int  `json:"unseen"`
		Following          *bool `json:"following"`
		LastMessageVisible bool  `json:"lastMessageVisible"`
	}
	if err := json.Unmarshal(expect, &want); err != nil || len(want) != len(c.Steps) {
		t.Fatalf("%d expectations for %d steps: %v", len(want), len(c.Steps), err)
	}
	s := newSession()
	talk(s, c.Messages, 80)
	m := begin(t, Options{Source: &script{events: []watch.Event{s.event()}, texts: s.texts}}, c.Window[0], c.Window[1])
	m = drive(t, m, press("6"))
	for i, step := range c.Steps {
		before := firstRow(m)
		switch step.Op {
		case "scroll":
			name := map[bool]string{true: "k", false: "j"}[step.Rows < 0]
			for range max(step.Rows, -step.Rows) {
				m = drive(t, m, press(name))
			}
		case "append":
			talk(s, step.Messages, 80)
			m = push(t, m, s.event())
		case "end":
			m = drive(t, m, press("G"))
		default:
			t.Fatalf("step %d: no test knows the op %q", i, step.Op)
		}
		l, w := m.lists[views.PanelMessages], want[i]
		if w.TopRowUnchanged && firstRow(m) != before {
			t.Errorf("step %d: the first row was %q, is %q", i, before, firstRow(m))
		}
		if w.Unseen != nil && l.unseen() != *w.Unseen {
			t.Errorf("step %d: %d unseen, want %d", i, l.unseen(), *w.Unseen)
		}
		if w.Unseen != nil && *w.Unseen > 0 {
			shows(t, m, fmt.Sprintf("%d new", *w.Unseen))
		}
		if w.Following != nil && l.follow != *w.Following {
			t.Errorf("step %d: following is %v", i, l.follow)
		}
		if last := m.shown().run.Log().Len() - 1; w.LastMessageVisible {
			shows(t, m, m.shown().run.Ref(last))
		}
	}
}

// firstRow is the first line of the messages on the screen.
func firstRow(m Model) string {
	lines := strings.Split(m.View(), "\n")
	for i, line := range lines {
		if strings.Contains(line, "ref ") && strings.Contains(line, "role") && i+1 < len(lines) {
			return strings.TrimLeft(lines[i+1], "│▸ ")[:6]
		}
	}
	return "the list is not on the screen"
}

func runSizes(t *testing.T, c screenCase, expect json.RawMessage) {
	var want struct {
		EveryFrameFits  bool `json:"everyFrameFits"`
		LastEqualsFresh bool `json:"lastEqualsFresh"`
	}
	if err := json.Unmarshal(expect, &want); err != nil {
		t.Fatal(err)
	}
	open := func(width, height int) Model {
		s := newSession()
		talk(s, max(c.Messages, 40), 200)
		return begin(t, Options{Source: &script{events: []watch.Event{s.event()}}}, width, height)
	}
	m := open(c.Sizes[0][0], c.Sizes[0][1])
	for _, s := range c.Sizes {
		m = drive(t, m, size(s[0], s[1]))
		fits(t, m.View(), s[0], s[1])
	}
	last := c.Sizes[len(c.Sizes)-1]
	if fresh := open(last[0], last[1]); want.LastEqualsFresh && fresh.View() != m.View() {
		t.Errorf("after the resizes:\n%s\nfresh:\n%s", m.View(), fresh.View())
	}
}

// fits fails unless frame is no larger than width by height.
func fits(t *testing.T, frame string, width, height int) {
	t.Helper()
	lines := strings.Split(frame, "\n")
	if len(lines) > height {
		t.Errorf("%d lines in a window of %d", len(lines), height)
	}
	for i, line := range lines {
		if w := views.Width(line); w > width {
			t.Errorf("line %d has %d cells in a window of %d", i+1, w, width)
		}
	}
}

// runLarge holds what makes a large session cheap: a frame touches no more
// rows than it shows, whatever key was pressed. How fast it is belongs to the
// benchmarks.
func runLarge(t *testing.T, c screenCase) {
	m := large(t, c)
	if got := len(m.shown().blocks); got != c.Generate.Blocks {
		t.Fatalf("%d blocks, want %d", got, c.Generate.Blocks)
	}
	m = drive(t, m, press("6"))
	for range c.Keys {
		m = drive(t, m, press("k"))
	}
	if got, want := m.lists[views.PanelMessages].cursor, c.Generate.Messages-1-c.Keys; got != want {
		t.Errorf("%d keys lead to row %d, want %d", c.Keys, got, want)
	}
	touched, screen := 0, m.project()
	at := screen.Messages.At
	screen.Messages.At = func(i int) views.MessageRow {
		touched++
		return at(i)
	}
	frame := views.Frame(screen, m.styles)
	fits(t, frame, c.Window[0], c.Window[1])
	if touched == 0 || touched > c.Window[1] {
		t.Errorf("a frame of %d lines touches %d rows", c.Window[1], touched)
	}
}

// large is a model of a made-up session with folded blocks.
func large(tb testing.TB, c screenCase) Model {
	tb.Helper()
	s := newSession()
	s.entries = append(s.entries, kernel.Entry{Op: kernel.Recording})
	for range c.Generate.Messages {
		role := kernel.RoleAssistant
		if s.n%10 == 0 {
			role = kernel.RoleUser
		}
		s.add(role, kernel.Text, "", "", fill(s.n, c.Generate.Chars))
	}
	s.entries = append(s.entries, kernel.Entry{Op: kernel.RecordedTurn, Used: kernel.Tokens(c.Generate.Messages * c.Generate.Chars / 4)})
	for b := range c.Generate.Blocks {
		first := b*c.Generate.MessagesPerBlock + 2
		s.entries = append(s.entries, kernel.Entry{Op: kernel.Compress, Call: kernel.Call{Ranges: []kernel.CallRange{{
			StartRef: fmt.Sprintf("m%05d", first), EndRef: fmt.Sprintf("m%05d", first+c.Generate.MessagesPerBlock-1),
			Summary: strings.Repeat("what was done here ", 5),
		}}}})
	}
	m := New(tb.Context(), Options{Source: &script{}, Counter: hostCounter}, plain())
	var msgs []tea.Msg
	msgs = append(msgs, size(c.Window[0], c.Window[1]), eventMsg{feed: 1, event: s.event()})
	return drive(tb, m, msgs...)
}

func runSelected(t *testing.T, c screenCase, expect json.RawMessage) {
	var want struct {
		MaxLines        int  `json:"maxLines"`
		MaxCells        int  `json:"maxCells"`
		SelectedVisible bool `json:"selectedVisible"`
	}
	if err := json.Unmarshal(expect, &want); err != nil {
		t.Fatal(err)
	}
	s := newSession()
	s.user("Begin.")
	panel, number := views.PanelMessages, "6"
	if c.Ranges > 0 {
		panel, number = views.PanelRanges, "2"
		for range c.Ranges {
			s.reply(6000, 0)
		}
		talk(s, 8, 400)
	} else {
		talk(s, c.Messages-1, 80)
	}
	m := begin(t, Options{Source: &script{events: []watch.Event{s.event()}}}, c.Window[0], c.Window[1])
	m = drive(t, m, press(number), press("g"))
	for range c.Selected - 1 {
		m = drive(t, m, press("j"))
	}
	if got := m.lists[panel].cursor; got != c.Selected-1 {
		t.Fatalf("row %d is selected, want %d", got+1, c.Selected)
	}
	frame := m.View()
	fits(t, frame, want.MaxCells, want.MaxLines)
	c2 := m.content()
	if want.SelectedVisible && !strings.Contains(frame, c2.span(panel, c.Selected-1).start) {
		t.Errorf("the selected row is not on the screen:\n%s", frame)
	}
}
