package decode

import (
	"strings"
	"testing"
)

func TestCodexSaysWhichThreadStartedASubagent(t *testing.T) {
	const spawned = `"source":{"subagent":{"thread_spawn":{"parent_thread_id":"p","depth":1,"agent_path":"/root/docs/review","agent_nickname":"Hypatia","agent_role":"explorer"}}}`
	for _, c := range []struct {
		name, meta          string
		subagent            bool
		parent, task, title string
	}{
		{"a session of the person", `"source":"cli"`, false, "", "", ""},
		{"a fork takes over messages and is none", `"source":"cli","forked_from_id":"p"`, false, "", "", ""},
		{"a source that a host names itself", `"source":{"custom":"p"}`, false, "", "", ""},
		{"a source without a value", `"source":{"subagent":null}`, false, "", "", ""},
		{"what the person started is none", `"source":"cli","thread_source":"user","parent_thread_id":"p","session_id":"p"`, false, "", "", ""},
		{"a root's id alone says nothing", `"source":"cli","session_id":"p"`, false, "", "", ""},
		{"spawned", spawned, true, "p", "/root/docs/review", "docs/review, Hypatia, explorer"},
		{"spawned from a fork of the history", spawned + `,"forked_from_id":"p"`, true, "p", "/root/docs/review", "docs/review, Hypatia, explorer"},
		{"spawned by a subagent", `"session_id":"root","parent_thread_id":"q",` + spawned, true, "q", "/root/docs/review", "docs/review, Hypatia, explorer"},
		{"without a path", `"source":{"subagent":{"thread_spawn":{"parent_thread_id":"p","agent_type":"worker"}}},"agent_nickname":"Boole"`, true, "p", "", "Boole, worker"},
		{"said outside of the source", `"thread_source":"subagent","parent_thread_id":"p","agent_path":"/root/a","agent_role":null`, true, "p", "/root/a", "a"},
		{"a parent alone", `"parent_thread_id":"p"`, true, "p", "", ""},
		{"of a root that is known alone", `"source":{"subagent":"compact"},"session_id":"root"`, true, "root", "", "compact"},
		{"a review of which nothing is known", `"source":{"subagent":"review"}`, true, "", "", "review"},
		{"a guardian", `"source":{"subagent":{"other":"guardian"}},"session_id":"s","parent_thread_id":"p"`, true, "p", "", "guardian"},
		{"its own parent", `"source":{"subagent":"review"},"parent_thread_id":"s"`, true, "", "", "review"},
	} {
		r := readLines(codexLine("session_meta", `{"id":"s","cwd":"/proj",`+c.meta+`}`), codexUser("u"))
		s := r.session
		if s.ID != "s" || s.Subagent != c.subagent || s.Parent != c.parent || s.Task != c.task || s.Title != c.title {
			t.Errorf("%s: %v, parent %q, task %q, title %q", c.name, s.Subagent, s.Parent, s.Task, s.Title)
		}
	}
}

// A subagent that was given the history of its parent has the parent's header
// behind its own, and a session that was forked from a subagent has that one's.
func TestCodexHeadersBehindTheFirstSayNothing(t *testing.T) {
	const own, other = `{"id":"s","cwd":"/proj","source":"cli"}`, `{"id":"t","source":{"subagent":{"thread_spawn":{"parent_thread_id":"p"}}}}`
	for _, c := range [][2]string{{own, other}, {other, own}} {
		r := readLines(codexLine("session_meta", c[0]), codexLine("session_meta", c[1]), codexUser("u"))
		if s := r.session; s.Subagent != strings.Contains(c[0], "subagent") || s.Subagent != (s.Parent == "p") {
			t.Errorf("%s is first: subagent %v of %q", c[0], s.Subagent, s.Parent)
		}
	}
}
