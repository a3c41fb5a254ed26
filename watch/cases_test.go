package watch

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ctxscope/kernel"
)

const caseFolder = "../testdata/cases"

// TestTailCases runs every tail case. CTXSCOPE_CASES names a further folder of
// the same form: absolute, or relative to the module's root. With -v it prints
// how many ran and passed.
func TestTailCases(t *testing.T) {
	ran := runCases(t, caseFolder)
	if ran == 0 {
		t.Error("no case was run")
	}
	if further := os.Getenv("CTXSCOPE_CASES"); further != "" {
		if !filepath.IsAbs(further) {
			further = filepath.Join("..", further)
		}
		runCases(t, further)
	}
}

func runCases(t *testing.T, folder string) (ran int) {
	t.Helper()
	cases, err := readCases(folder)
	if err != nil {
		t.Fatal(err)
	}
	passed := 0
	for _, c := range cases {
		if t.Run(c.name, func(t *testing.T) {
			for _, sentence := range runCase(t, c) {
				t.Error(sentence)
			}
		}) {
			passed++
		}
	}
	t.Logf("suite cases/tail in %s: %d ran, %d passed", folder, len(cases), passed)
	return len(cases)
}

// runCase gives a sentence for everything that is not as expected.
func runCase(t *testing.T, c tailCase) []string {
	t.Helper()
	if c.name == newestCase {
		return runNewest(t, c)
	}
	r := newCaseRun(t, c.input.File)
	var wrong []string
	for i, step := range c.input.Steps {
		for _, sentence := range unmet(c.expect[i], r.step(step)) {
			wrong = append(wrong, fmt.Sprintf("step %d (%s): %s", i+1, step.Op, sentence))
		}
	}
	return wrong
}

// caseRun follows the file of a case with the real decoders and the kernel.
type caseRun struct {
	*world
	disk
	file     string
	tail     *tail // nil before the first look
	kernel   *kernel.Kernel
	run      kernel.Run
	last     Event
	messages int // appended since the look before
	looked   bool
}

func newCaseRun(t *testing.T, file string) *caseRun {
	r := &caseRun{world: newWorld(t), disk: newDisk(t), file: file, kernel: kernel.New(kernel.Default(200_000), nil)}
	r.run = r.kernel.Start()
	return r
}

// step does what a step says. It gives what can be asked after it: nothing,
// unless it looks at the file.
func (r *caseRun) step(s caseStep) map[string]any {
	t := r.world.t
	t.Helper()
	path := r.file
	if s.Path != "" {
		path = s.Path
	}
	switch s.Op {
	case "write":
		r.write(path, s.bytes(t))
	case "append":
		r.append(path, s.bytes(t))
	case "truncate":
		r.must(os.Truncate(r.path(path), 0))
	case "remove":
		r.remove(path)
	case "rename":
		r.must(os.Rename(r.path(s.From), r.path(s.To)))
	case "watch-fails":
		r.setErr = fmt.Errorf("watch: %v", s.Errno)
		return nil
	case "attach", "poll":
		r.look(0)
		return r.state()
	case "wait":
		r.look(time.Duration(s.Seconds * float64(time.Second)))
		return r.state()
	default:
		t.Fatalf("step %q is not known", s.Op)
	}
	if s.DeliverEvent == nil || *s.DeliverEvent {
		select {
		case r.ring <- struct{}{}:
		default:
		}
	}
	return nil
}

func (s caseStep) bytes(t *testing.T) string {
	t.Helper()
	switch {
	case s.Text != nil:
		return *s.Text
	case s.Hex != nil:
		data, err := hex.DecodeString(*s.Hex)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	case s.Generate != nil:
		return repeat(s.Generate.Lines, generatedLine)
	default:
		t.Fatal("a step without bytes")
		return ""
	}
}

// generatedLine is line i, from 0, of a generated file.
func generatedLine(i int) string {
	type content struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	}
	line := struct {
		Type        string  `json:"type"`
		UUID        string  `json:"uuid"`
		ParentUUID  *string `json:"parentUuid"`
		SessionID   string  `json:"sessionId"`
		Timestamp   string  `json:"timestamp"`
		IsSidechain bool    `json:"isSidechain"`
		Message     content `json:"message"`
	}{Type: "user", UUID: fmt.Sprintf("u%d", i+1), SessionID: "s", Message: content{"user", fmt.Sprintf("line %d", i+1)}}
	line.Timestamp = time.Date(2026, 1, 5, 10, 0, i+1, 0, time.UTC).Format("2006-01-02T15:04:05.000Z")
	if i > 0 {
		parent := fmt.Sprintf("u%d", i)
		line.ParentUUID = &parent
	}
	data, err := json.Marshal(line)
	if err != nil {
		panic(err)
	}
	return string(data) + "\n"
}

// look looks at the file once, or lets the tail run by itself for a time.
func (r *caseRun) look(during time.Duration) {
	r.messages = 0
	if r.tail == nil {
		source, err := Open(r.path(r.file), Options{hooks: r.realDecoders()})
		r.must(err)
		r.tail = source.(*tail)
		r.world.t.Cleanup(func() { r.must(source.Close()) })
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	deadline := r.now.Add(during)
	r.onWait = func() {
		if !r.now.Before(deadline) {
			cancel()
		}
	}
	for {
		e, err := r.tail.Next(ctx)
		if errors.Is(err, context.Canceled) {
			break
		}
		r.must(err)
		r.take(e)
	}
	r.looked = true
}

func (r *caseRun) take(e Event) {
	if e.Reset {
		r.run, r.messages = r.kernel.Start(), 0
	}
	r.run = r.kernel.Advance(r.run, e.Change)
	for _, entry := range e.Change.Entries {
		if entry.Op == kernel.Append && r.looked && !e.Reset {
			r.messages++
		}
	}
	r.last = e
}

func (r *caseRun) state() map[string]any {
	t := r.world.t
	t.Helper()
	texts := []string{}
	for _, m := range r.run.Log().All() {
		text, err := r.tail.Text(m)
		if err != nil {
			t.Error(err)
		}
		texts = append(texts, text)
	}
	skipped := []int{}
	for _, problem := range r.last.Session.Problems {
		skipped = append(skipped, problem.Line)
	}
	return map[string]any{
		"messageCount": r.run.Log().Len(),
		"texts":        texts,
		"newMessages":  r.messages,
		"growth":       r.run.Now().Nudge.Breakdown.Growth,
		"skippedLines": skipped,
		"fileMissing":  r.last.Status.Missing,
		"mode":         r.last.Status.Mode,
	}
}

// runNewest makes the files of newestCase and looks for sessions below their
// root.
func runNewest(t *testing.T, c tailCase) []string {
	d := newDisk(t)
	root := d.path(strings.TrimPrefix(c.input.Root, "~"))
	for _, file := range c.input.Files {
		path := filepath.Join(root, file.Path)
		d.must(os.MkdirAll(filepath.Dir(path), 0o700))
		line := strings.TrimSuffix(generatedLine(0), "\n")
		if pad := file.Bytes - len(line) - 1; pad > 0 {
			line += strings.Repeat(" ", pad)
		}
		d.must(os.WriteFile(path, []byte(line+"\n"), 0o600))
		at := time.UnixMilli(int64(file.Mtime * 1000))
		d.must(os.Chtimes(path, at, at))
	}
	m := Machine{Home: d.folder, Folder: d.folder, Getenv: func(string) string { return "" }}
	projects := root
	if slices.ContainsFunc(c.input.Files, func(f caseFile) bool { return !strings.Contains(f.Path, "/") }) {
		projects = filepath.Dir(root) // the root is the folder of one project
	}
	places := []place{{folder: projects, here: func(string) bool { return false }, enters: claudeEnters, takes: isLog, parent: claudeParent}}
	found := m.sessionsIn(places)
	if len(found) == 0 {
		return []string{"no session was found"}
	}
	subagents := map[string][]string{}
	for _, f := range findIn(places) {
		if slices.ContainsFunc(found, func(session Found) bool { return session.Path == f.Parent }) {
			id := strings.TrimSuffix(filepath.Base(f.Parent), ".jsonl")
			subagents[id] = append(subagents[id], filepath.Base(f.Path))
		}
	}
	newest, err := filepath.Rel(root, found[0].Path)
	d.must(err)
	return unmet(c.expect[0], map[string]any{"newestSession": filepath.ToSlash(newest), "subagents": subagents})
}

func TestASubagentIsNotTheNewestSessionOfACase(t *testing.T) {
	for root, project := range map[string]string{"~/sessions/projects": "-p/", "~/sessions/projects/-p": ""} {
		c := tailCase{newestCase, caseInput{Root: root, Files: []caseFile{
			{project + "a.jsonl", 100, 200}, {project + "b.jsonl", 90, 200}, {project + "a/subagents/agent-1.jsonl", 200, 200}, {project + "agent-2.jsonl", 300, 200},
		}}, []map[string]any{{"newestSession": project + "a.jsonl", "subagents": map[string]any{"a": []any{"agent-1.jsonl"}}}}}
		if wrong := runNewest(t, c); len(wrong) > 0 {
			t.Errorf("root %s: %s", root, strings.Join(wrong, "; "))
		}
	}
}

func TestTheCaseRunnerSeesWhatIsWrong(t *testing.T) {
	one, line := "1", generatedLine(0)
	for name, c := range map[string]struct {
		expect map[string]any
		wrong  string
	}{
		"a wrong count":       {map[string]any{"messageCount": 2.0}, "step 2 (poll): messageCount is 1, want 2"},
		"a key that is new":   {map[string]any{"colour": "red"}, "step 2 (poll): key colour is not known here"},
		"none of the choices": {map[string]any{"messageCount": map[string]any{"oneOf": []any{0.0, 2.0}}}, "step 2 (poll): messageCount is 1, want map[oneOf:[0 2]]"},
		"a text too few":      {map[string]any{"texts": []any{}}, "step 2 (poll): texts is [line 1], want []"},
		"all is well":         {map[string]any{"messageCount": map[string]any{"oneOf": []any{0.0, 1.0}}, "texts": []any{"line 1"}, "fileMissing": false}, ""},
	} {
		steps := []caseStep{{Op: "write", Text: &line}, {Op: "poll"}}
		wrong := runCase(t, tailCase{"tail-x.json", caseInput{File: one, Steps: steps}, []map[string]any{{}, c.expect}})
		if got := strings.Join(wrong, "; "); got != c.wrong {
			t.Errorf("%s: %q, want %q", name, got, c.wrong)
		}
	}
}
