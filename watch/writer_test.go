package watch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ctxscope/kernel"
	"ctxscope/watch/decode"
)

// writers are agents: each writes sessions at a path.
var writers = map[string]func(path string) error{
	"opencode": writeDatabase,
	"codex":    writeCodex,
	"pi":       writePi,
	"omp":      writeTitles,
	"claude":   writeClaude,
}

// writerVariable is set, to a writer and its path, where a test has started
// this test binary as an agent in a process of its own.
const writerVariable = "CTXSCOPE_TEST_WRITER"

func TestMain(m *testing.M) {
	if name, path, ok := strings.Cut(os.Getenv(writerVariable), ":"); ok {
		if err := writers[name](path); err != nil {
			fmt.Fprintln(os.Stderr, "writer:", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// process is a writer in another process.
type process struct {
	t     *testing.T
	cmd   *exec.Cmd
	rests io.WriteCloser // by it the agent is let go on where it rests
	errs  *strings.Builder
}

func startAgent(ctx context.Context, t *testing.T, name, path string) process {
	t.Helper()
	a := process{t: t, cmd: exec.CommandContext(ctx, os.Args[0]), errs: &strings.Builder{}}
	a.cmd.Env, a.cmd.Stderr = append(os.Environ(), writerVariable+"="+name+":"+path), a.errs
	stdin, err := a.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	a.rests = stdin
	if err := a.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			_, _ = a.cmd.Process.Kill(), a.cmd.Wait() // it may have ended
			t.Logf("the agent: %s", a.errs)
		}
	})
	return a
}

// ends lets the agent end and fails the test when something kept it from
// writing.
func (a process) ends() {
	a.t.Helper()
	_ = a.rests.Close() // it may have ended by itself
	if err := a.cmd.Wait(); err != nil {
		a.t.Errorf("the agent: %v: %s", err, a.errs)
	}
}

// let lets the agent go on where it rests.
func (a process) let() {
	a.t.Helper()
	if _, err := a.rests.Write([]byte{'\n'}); err != nil {
		a.t.Fatal(err)
	}
}

// untilLet rests, in the agent's process, until the test lets it go on.
func untilLet() error {
	_, err := os.Stdin.Read(make([]byte, 1))
	if errors.Is(err, io.EOF) { // it may end
		err = nil
	}
	return err
}

// inPieces writes text in pieces that end anywhere, and rests now and then.
func inPieces(f *os.File, text string) error {
	for n := 0; len(text) > 0; n++ {
		piece := text[:min(len(text), 37+n%211)]
		if _, err := f.WriteString(piece); err != nil {
			return err
		}
		if text = text[len(piece):]; n%50 == 0 {
			time.Sleep(time.Millisecond)
		}
	}
	return nil
}

// appendTo opens a file to write at its end.
func appendTo(path string, write func(f *os.File) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	if err := write(f); err != nil {
		return err
	}
	return f.Close()
}

// watcher follows a source as a program does, and never opens it anew.
type watcher struct {
	t       *testing.T
	source  Source
	journal []kernel.Entry
	session decode.Session
	resets  int
}

// open follows what is at path with the system's own clock and events.
func open(t *testing.T, path, session string) *watcher {
	t.Helper()
	h := realHooks()
	h.timer = func(time.Duration) (<-chan time.Time, func() bool) {
		timer := time.NewTimer(5 * time.Millisecond) // look much more often than a program does
		return timer.C, timer.Stop
	}
	source, err := Open(path, Options{Session: session, hooks: &h})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = source.Close() })
	return &watcher{t: t, source: source}
}

// until takes events until done holds.
func (w *watcher) until(ctx context.Context, done func() bool) {
	w.t.Helper()
	for !done() {
		e, err := w.source.Next(ctx)
		if err != nil || strings.Contains(e.Status.Note, "cannot be read") || e.Session.Refused != "" {
			w.t.Fatalf("%d entries, %d resets, %q %q: %v", len(w.journal), w.resets, e.Status.Note, e.Session.Refused, err)
		}
		if e.Reset {
			w.journal = nil
			w.resets++
		}
		w.journal = append(w.journal[:e.Change.Keep:e.Change.Keep], e.Change.Entries...)
		w.session = e.Session
	}
}

// texts are those of the messages of one role.
func (w *watcher) texts(role kernel.Role) []string {
	w.t.Helper()
	texts := []string{}
	for _, e := range w.journal {
		if e.Op != kernel.Append || e.Message.Role != role {
			continue
		}
		text, err := w.source.Text(e.Message)
		if err != nil {
			w.t.Fatal(err)
		}
		texts = append(texts, text)
	}
	return texts
}

// asked are the prompts that the writers write.
func asked(from, to int) []string {
	texts := []string{}
	for i := from; i < to; i++ {
		texts = append(texts, ask(i))
	}
	return texts
}

func ask(i int) string { return fmt.Sprintf("ask 汉字 %d", i) }

// writeCodex appends to a Codex session and cuts lines anywhere.
func writeCodex(path string) error {
	return appendTo(path, func(f *os.File) error { return inPieces(f, codexSession(300)) })
}

// codexSession is n turns of a Codex session behind its header.
func codexSession(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"type":"response_item","payload":{"type":"message","id":"u%d","role":"user","content":[{"type":"input_text","text":%q}]}}`+"\n", i, ask(i))
		fmt.Fprintf(&b, `{"type":"response_item","payload":{"type":"message","id":"a%d","role":"assistant","content":[{"type":"output_text","text":"say"}]}}`+"\n", i)
		fmt.Fprintf(&b, `{"type":"event_msg","payload":{"type":"token_count","info":{"last_token_usage":{"input_tokens":%d,"output_tokens":1,"total_tokens":%d},"total_token_usage":{"total_tokens":%d}}}}`+"\n", 99+i, 100+i, 1000*i+100)
	}
	return b.String()
}

func TestACodexSessionIsFollowedWhileAnotherProcessWrites(t *testing.T) {
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
	defer stop()
	path := filepath.Join(t.TempDir(), "rollout.jsonl")
	if err := os.WriteFile(path, []byte(`{"type":"session_meta","payload":{"id":"s"}}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	w := open(t, path, "")
	writer := startAgent(ctx, t, "codex", path)
	w.until(ctx, func() bool { return w.session.Usage.Tokens == 399 })
	writer.ends()
	if len(w.journal) != 4*300 || len(w.session.Problems) > 0 || w.resets > 0 {
		t.Fatalf("%d entries, %d resets, problems %v", len(w.journal), w.resets, w.session.Problems)
	}
	for i, e := range w.journal {
		if want := []kernel.Op{kernel.Append, kernel.Reply, kernel.Append, kernel.Usage}[i%4]; e.Op != want {
			t.Fatalf("entry %d is %d, want %d", i, e.Op, want)
		}
	}
	if got, want := w.texts(kernel.RoleUser), asked(0, 300); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("prompts %q", got)
	}
}
