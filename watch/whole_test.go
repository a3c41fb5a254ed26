package watch

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// wholeSession is a session of Gemini CLI as older versions write it, with n
// prompts and no LF at its end.
func wholeSession(n int) string {
	var messages []string
	for i := range n {
		messages = append(messages, fmt.Sprintf("    {\n      \"id\": \"u%d\",\n      \"type\": \"user\",\n      \"content\": \"prompt %d\"\n    }", i, i))
	}
	return "{\n  \"sessionId\": \"s\",\n  \"projectHash\": \"p\",\n  \"messages\": [\n" + strings.Join(messages, ",\n") + "\n  ]\n}"
}

// followWhole follows with the real decoders.
func followWhole(t *testing.T, text string) (disk, *world, *follower) {
	t.Helper()
	d, w := newDisk(t), newWorld(t)
	h := w.hooks()
	h.newDecoder = realHooks().newDecoder
	return d, w, w.open(d.write("session.json", text), Options{hooks: h})
}

func TestASessionThatIsOneObjectIsFollowedThroughItsRewritings(t *testing.T) {
	d, _, f := followWhole(t, wholeSession(1))
	f.poll()
	f.want("u0")
	for n := 2; n < 5; n++ {
		d.write("session.json", wholeSession(n))
		f.poll()
		if len(f.entries) != n || f.resets != n-1 {
			t.Errorf("%d messages after %d resets, want %d after %d", len(f.entries), f.resets, n, n-1)
		}
		for i, e := range f.entries {
			if text, err := f.tail.Text(e.Message); err != nil || text != fmt.Sprint("prompt ", i) {
				t.Errorf("text %d is %q, %v", i, text, err)
			}
		}
	}
}

func TestHalfOfARewritingLeavesWhatWasThereForAMoment(t *testing.T) {
	text := wholeSession(3)
	d, w, f := followWhole(t, wholeSession(2))
	f.poll()
	for _, part := range []string{"", text[:20], text[:len(text)/2], text[:len(text)-1]} {
		d.write("session.json", part)
		f.poll()
		if f.want("u0", "u1"); f.resets != 0 {
			t.Errorf("%d bytes of it are %d resets", len(part), f.resets)
		}
	}
	d.write("session.json", text)
	f.poll()
	if f.want("u0", "u1", "u2"); f.resets != 1 {
		t.Errorf("%d resets, want 1", f.resets)
	}
	d.write("session.json", text[:50])
	f.poll()
	f.want("u0", "u1", "u2")
	w.now = w.now.Add(halfTime)
	f.poll()
	if f.want(); f.resets != 2 {
		t.Errorf("half a file that stays: %d resets, want 2", f.resets)
	}
	d.remove("session.json")
	f.poll()
	if !f.last.Status.Missing {
		t.Error("a file that is gone is not missing")
	}
}

// TestEveryFormatOpens opens one file of each format.
func TestEveryFormatOpens(t *testing.T) {
	for format, name := range map[string]string{
		"pi": "pi/basic.jsonl", "claude": "claude/basic.jsonl", "codex": "codex/basic.jsonl", "gemini": "gemini/legacy.json", "opencode": "opencode/export.json", "proxy": "acp/proxy-session.json",
	} {
		s, err := Open(filepath.Join("..", "testdata", "transcripts", name), Options{Once: true})
		if err != nil {
			t.Fatal(err)
		}
		e, err := s.Next(t.Context())
		if err != nil || e.Session.Format != format || len(e.Change.Entries) == 0 || e.Status.Pending > 0 {
			t.Errorf("%s: format %q, %d entries, status %+v, %v", name, e.Session.Format, len(e.Change.Entries), e.Status, err)
		}
		for _, entry := range e.Change.Entries {
			if entry.Message.ID == "" {
				continue
			}
			if _, err := s.Text(entry.Message); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}
