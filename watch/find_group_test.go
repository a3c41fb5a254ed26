package watch

import (
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// outline writes groups as lines: the folder, its sessions, their subagents.
func outline(groups []Group) []string {
	var out []string
	for _, g := range groups {
		out = append(out, fmt.Sprintf("%s %v", g.Folder, g.Here))
		for _, s := range g.Sessions {
			out = append(out, "  "+filepath.Base(s.Path))
			for _, sub := range s.Subagents {
				out = append(out, "    "+filepath.Base(sub.Path))
			}
		}
	}
	return out
}

func TestSessionsAreGroupedByWorkingFolder(t *testing.T) {
	h := newHome(t)
	in := func(folder string) string {
		return strings.ReplaceAll(claudePrompt(1, "Hello"), `"cwd":"/p"`, `"cwd":"`+folder+`"`)
	}
	flat := strings.Replace(piHeader, "/elsewhere", "/web.app", 1) + `{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":"Hello"}}` + "\n"
	h.env["PI_CODING_AGENT_SESSION_DIR"] = h.path("flat")
	h.add(".claude/projects/-web-app/old.jsonl", in("/web.app"))
	h.add("flat/pi.jsonl", flat)
	h.add(".claude/projects/-web-app/s1/subagents/agent-1.jsonl", in("/web.app"))
	h.add(".claude/projects/-web-app/agent-2.jsonl", strings.Replace(in("/web.app"), `"sessionId":"s"`, `"sessionId":"s1"`, 1))
	h.add(".claude/projects/-web-app/s1.jsonl", in("/web.app"))
	h.add(".claude/projects/-here/gone/subagents/agent-3.jsonl", in("/here"))
	h.add(".claude/projects/-here/s2.jsonl", in("/here"))
	h.add(".claude/projects/-silent/s3.jsonl", `{"a":1}`+"\n")
	m := h.machine("/here")
	var all []Seen
	for _, f := range m.All() {
		s := Seen{Found: f, Look: f.Look()}
		if strings.HasSuffix(f.Path, "s1.jsonl") {
			s.Look.Session.ID = "s1" // as its records say
		}
		all = append(all, s)
	}
	want := []string{
		"/here true", "  s2.jsonl", "  agent-3.jsonl",
		h.path(".claude/projects/-silent") + " false", "  s3.jsonl",
		"/web.app false", "  s1.jsonl", "    agent-2.jsonl", "    agent-1.jsonl", "  pi.jsonl", "  old.jsonl",
	}
	got := outline(m.Grouped(all))
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
