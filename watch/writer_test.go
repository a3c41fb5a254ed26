package watch

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ctxscope/kernel"
	"ctxscope/watch/decode"
)

const writerFile = "CTXSCOPE_TEST_WRITER_FILE"

// TestWriter is what the other process runs: it appends to a Codex session and
// cuts lines anywhere.
func TestWriter(t *testing.T) {
	path := os.Getenv(writerFile)
	if path == "" {
		return // in the test's own process there is nothing to write
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	text := codexSession(300)
	for n := 0; len(text) > 0; n++ {
		piece := text[:min(len(text), 37+n%211)]
		if _, err := f.WriteString(piece); err != nil {
			t.Fatal(err)
		}
		if text = text[len(piece):]; n%50 == 0 {
			time.Sleep(time.Millisecond)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// codexSession is n turns of a Codex session behind its header.
func codexSession(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"type":"response_item","payload":{"type":"message","id":"u%d","role":"user","content":[{"type":"input_text","text":"ask 汉字 %d"}]}}`+"\n", i, i)
		fmt.Fprintf(&b, `{"type":"response_item","payload":{"type":"message","id":"a%d","role":"assistant","content":[{"type":"output_text","text":"say"}]}}`+"\n", i)
		fmt.Fprintf(&b, `{"type":"event_msg","payload":{"type":"token_count","info":{"last_token_usage":{"input_tokens":%d,"output_tokens":1,"total_tokens":%d},"total_token_usage":{"total_tokens":%d}}}}`+"\n", 99+i, 100+i, 1000*i+100)
	}
	return b.String()
}

func TestACodexSessionIsFollowedWhileAnotherProcessWrites(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rollout.jsonl")
	if err := os.WriteFile(path, []byte(`{"type":"session_meta","payload":{"id":"s"}}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	source, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = source.Close() }()
	writer := exec.Command(os.Args[0], "-test.run=^TestWriter$")
	writer.Env = append(os.Environ(), writerFile+"="+path)
	if err := writer.Start(); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	var journal []kernel.Entry
	var session decode.Session
	for session.Usage.Tokens < 399 {
		e, err := source.Next(ctx)
		if err != nil || e.Reset {
			t.Fatalf("reset %v, %v after %d entries", e.Reset, err, len(journal))
		}
		journal = append(journal[:e.Change.Keep:e.Change.Keep], e.Change.Entries...)
		session = e.Session
	}
	if err := writer.Wait(); err != nil {
		t.Error(err)
	}
	if len(journal) != 4*300 || len(session.Problems) > 0 {
		t.Fatalf("%d entries, problems %v", len(journal), session.Problems)
	}
	for i, e := range journal {
		if want := []kernel.Op{kernel.Append, kernel.Reply, kernel.Append, kernel.Usage}[i%4]; e.Op != want {
			t.Fatalf("entry %d is %d, want %d", i, e.Op, want)
		}
	}
	if text, err := source.Text(journal[4*299].Message); text != "ask 汉字 299" || err != nil {
		t.Errorf("text %q, %v", text, err)
	}
}
