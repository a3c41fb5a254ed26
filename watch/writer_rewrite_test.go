package watch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ctxscope/kernel"
)

const (
	rewritings = 12 // of a session as a whole
	perRewrite = 25 // turns that are written between two of them
	titles     = 200
)

// piSession is a Pi session of n turns as an older version wrote it, without
// ids, or as a newer one does. Its header says when it was written.
func piSession(n, written int, old bool) string {
	var b strings.Builder
	version := `"version":3,`
	if old {
		version = ""
	}
	fmt.Fprintf(&b, `{"type":"session",%s"id":"s","timestamp":"2026-01-05T10:%02d:00.000Z","cwd":"/p"}`+"\n", version, written)
	for i := range n {
		b.WriteString(piTurn(i, old))
	}
	return b.String()
}

func piTurn(i int, old bool) string {
	link := func(n int) string {
		switch {
		case old:
			return ""
		case n == 0:
			return `"id":"e0","parentId":null,`
		}
		return fmt.Sprintf(`"id":"e%d","parentId":"e%d",`, n, n-1)
	}
	return fmt.Sprintf(`{"type":"message",%s"message":{"role":"user","content":%q}}`+"\n", link(2*i), ask(i)) +
		fmt.Sprintf(`{"type":"message",%s"message":{"role":"assistant","content":[{"type":"text","text":"say"}],"provider":"anthropic","model":"claude-opus-4-5","usage":{"input":%d,"output":1,"cacheRead":0,"cacheWrite":0,"totalTokens":%d},"stopReason":"stop"}}`+"\n", link(2*i+1), 99+i, 100+i)
}

// writePi appends turns to a session and now and then writes it anew in place,
// as Pi does when it brings the session of an older version up to date: it cuts
// the file to nothing and writes all of it, not at once.
func writePi(path string) error {
	for round := range rewritings {
		old := round%2 == 0
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_TRUNC, 0)
		if err != nil {
			return err
		}
		n := round * perRewrite
		if err := errors.Join(inPieces(f, piSession(n, round, old)), f.Close()); err != nil {
			return err
		}
		err = appendTo(path, func(f *os.File) error {
			for i := range perRewrite {
				if err := inPieces(f, piTurn(n+i, old)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func TestAPiSessionIsFollowedWhileAnotherProcessWritesItAnewInPlace(t *testing.T) {
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
	defer stop()
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if err := os.WriteFile(path, []byte(piSession(3, 59, true)), 0o600); err != nil {
		t.Fatal(err)
	}
	w := open(t, path, "")
	w.until(ctx, func() bool { return w.session.Usage.Tokens == 102 })
	const turns = rewritings * perRewrite
	writer := startAgent(ctx, t, "pi", path)
	w.until(ctx, func() bool { return w.session.Usage.Tokens == 99+turns })
	writer.ends()
	if got, want := w.texts(kernel.RoleUser), asked(0, turns); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%d prompts, want %d: %q", len(got), len(want), got)
	}
	if w.resets == 0 || len(w.session.Problems) > 0 {
		t.Errorf("%d resets, problems %v", w.resets, w.session.Problems)
	}
}

// writeTitles appends turns to an oh-my-pi session and gives it a new title
// before each, in the first line, which keeps its length.
func writeTitles(path string) error {
	return appendTo(path, func(f *os.File) error {
		for i := range titles {
			slot, err := os.OpenFile(path, os.O_WRONLY, 0)
			if err != nil {
				return err
			}
			_, err = slot.WriteAt([]byte(titleSlotOf(title(i))), 0)
			if err := errors.Join(err, slot.Close(), inPieces(f, piTurn(i, false))); err != nil {
				return err
			}
		}
		return nil
	})
}

func title(i int) string { return fmt.Sprintf("title %d", i) }

func TestATitleIsFollowedWhileAnotherProcessWritesItInPlace(t *testing.T) {
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
	defer stop()
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if err := os.WriteFile(path, []byte(titleSlotOf("first")+piSession(0, 0, false)), 0o600); err != nil {
		t.Fatal(err)
	}
	w := open(t, path, "")
	writer := startAgent(ctx, t, "omp", path)
	w.until(ctx, func() bool { return w.session.Title == title(titles-1) && w.session.Usage.Tokens == 99+titles })
	writer.ends()
	if got, want := w.texts(kernel.RoleUser), asked(0, titles); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%d prompts, want %d: %q", len(got), len(want), got)
	}
	if w.resets > 0 || len(w.session.Problems) > 0 || w.session.Agent != "oh-my-pi" {
		t.Errorf("%d resets, problems %v, agent %q", w.resets, w.session.Problems, w.session.Agent)
	}
}

// writeClaude writes a session to its end, and then goes on in another file of
// the same folder, as Claude Code does at /clear.
func writeClaude(path string) error {
	write := func(path string, from, to int) error {
		return appendTo(path, func(f *os.File) error {
			for i := from; i < to; i++ {
				if err := inPieces(f, claudePrompt(2*i+1, ask(i))+claudeReply(2*i+2, 100+i, "say")); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err := write(path, 1, 150); err != nil {
		return err
	}
	return write(filepath.Join(filepath.Dir(path), "cleared.jsonl"), 150, 300)
}

func TestTheAgentIsFollowedWhileAnotherProcessClears(t *testing.T) {
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
	defer stop()
	h := newHome(t)
	path := h.add(".claude/projects/-p/s.jsonl", claudePrompt(1, ask(0))+claudeReply(2, 100, "say"))
	w := open(t, path, "")
	w.until(ctx, func() bool { return w.session.Usage.Tokens == 100 })
	scout := h.machine("/p").Scout(path, "", w.session.Folder)
	scout.every = time.Millisecond
	writer := startAgent(ctx, t, "claude", path)
	next, err := scout.Next(ctx)
	if err != nil || filepath.Base(next.Path) != "cleared.jsonl" || next.Resumed || next.Look.Session.Folder != "/p" {
		t.Fatalf("the agent goes on in %+v, error %v", next, err)
	}
	w.until(ctx, func() bool { return w.session.Usage.Tokens == 249 })
	cleared := open(t, next.Path, "")
	cleared.until(ctx, func() bool { return cleared.session.Usage.Tokens == 399 })
	writer.ends()
	got := append(w.texts(kernel.RoleUser), cleared.texts(kernel.RoleUser)...)
	if want := asked(0, 300); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%d prompts, want %d: %q", len(got), len(want), got)
	}
	if w.resets+cleared.resets > 0 || len(w.session.Problems)+len(cleared.session.Problems) > 0 {
		t.Errorf("%d and %d resets, problems %v and %v", w.resets, cleared.resets, w.session.Problems, cleared.session.Problems)
	}
}
