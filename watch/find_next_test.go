package watch

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"
)

func TestTheScoutNamesTheSessionThatAnAgentGoesOnWith(t *testing.T) {
	prompt := claudePrompt(1, "Hello")
	elsewhere := strings.Replace(prompt, `"cwd":"/p"`, `"cwd":"/q"`, 1)
	flat := strings.Replace(piHeader, "/elsewhere", "/p", 1) + `{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":"Hello"}}` + "\n"
	for _, c := range []struct {
		name, session, folder string
		happens               func(h *home)
		want                  string // below the home folder; empty: nothing
		resumed               bool
	}{
		{"a new file of the same project", ".claude/projects/-p/a.jsonl", "/p", func(h *home) {
			h.add(".claude/projects/-p/new.jsonl", prompt)
		}, ".claude/projects/-p/new.jsonl", false},
		{"a new file of another project is none", ".claude/projects/-p/a.jsonl", "/p", func(h *home) {
			h.add(".claude/projects/-q/new.jsonl", elsewhere)
		}, "", false},
		{"a new file of another agent is none", ".claude/projects/-p/a.jsonl", "/p", func(h *home) {
			h.add(".pi/agent/sessions/--p--/new.jsonl", strings.Replace(piHeader, "/elsewhere", "/p", 1))
		}, "", false},
		{"a subagent is none", ".claude/projects/-p/a.jsonl", "/p", func(h *home) {
			h.add(".claude/projects/-p/a/subagents/agent-1.jsonl", prompt)
		}, "", false},
		{"a file that holds no session yet is none", ".claude/projects/-p/a.jsonl", "/p", func(h *home) {
			h.add(".claude/projects/-p/new.jsonl", `{"a":1}`+"\n")
		}, "", false},
		{"an older session that goes on while this one is silent", ".claude/projects/-p/a.jsonl", "/p", func(h *home) {
			h.at = h.at.Add(time.Minute)
			h.add(".claude/projects/-p/old.jsonl", prompt+prompt)
		}, ".claude/projects/-p/old.jsonl", true},
		{"an older session beside this one is none", ".claude/projects/-p/a.jsonl", "/p", func(h *home) {
			h.add(".claude/projects/-p/old.jsonl", prompt+prompt)
			h.add(".claude/projects/-p/a.jsonl", prompt+prompt)
		}, "", false},
		{"in a folder for all projects the content tells", "flat/a.jsonl", "/p", func(h *home) {
			h.add("flat/other.jsonl", strings.Replace(flat, `"/p"`, `"/q"`, 1))
			h.add("flat/new.jsonl", flat)
		}, "flat/new.jsonl", false},
		{"beside a file of no agent's folder", "mine/a.jsonl", "", func(h *home) {
			h.add("mine/deeper/new.jsonl", prompt)
			h.add("mine/new.jsonl", prompt)
		}, "mine/new.jsonl", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHome(t)
			h.env["PI_CODING_AGENT_SESSION_DIR"] = h.path("flat")
			h.add(".claude/projects/-p/old.jsonl", prompt)
			path := h.add(c.session, prompt)
			s := h.machine("/p").Scout(path, "", c.folder)
			if next, ok := s.look(); ok {
				t.Fatalf("%s before anything happened", next.Path)
			}
			c.happens(h)
			next, ok := s.look()
			if ok != (c.want != "") || ok && (next.Path != h.path(c.want) || next.Resumed != c.resumed) {
				t.Fatalf("it names %q, resumed %v, %v; want %q", next.Path, next.Resumed, ok, c.want)
			}
			if again, ok := s.look(); ok {
				t.Errorf("%s is named twice", again.Path)
			}
		})
	}
}

func TestTheScoutWaits(t *testing.T) {
	h := newHome(t)
	path := h.add("mine/a.jsonl", claudePrompt(1, "Hello"))
	s := h.machine("/p").Scout(path, "", "")
	s.every = time.Millisecond
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := s.Next(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
	h.add("mine/b.jsonl", claudePrompt(1, "Next"))
	next, err := s.Next(t.Context())
	if err != nil || next.Path != h.path("mine/b.jsonl") || next.Look.Prompt != "Next" {
		t.Errorf("%+v, error %v", next, err)
	}
	h.must(os.RemoveAll(h.path("mine")))
	ctx, cancel = context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := s.Next(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
}
