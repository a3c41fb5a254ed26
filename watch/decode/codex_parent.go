package decode

import (
	"slices"
	"strings"
)

// origin reads from the file's own header whether another thread started this
// one. What thread its history was taken over from (forked_from_id) is another
// matter: a person forks too.
func (d *codex) origin(meta value) {
	source, kind := meta.get("source").get("subagent"), meta.get("thread_source")
	spawn := source.get("thread_spawn")
	parent := firstString(meta.get("parent_thread_id"), spawn.get("parent_thread_id"))
	said := source.isObject() || source.isString() || kind.is("subagent")
	if !said && (parent == "" || kind.is("user")) {
		return
	}
	if parent == "" {
		parent = meta.get("session_id").str() // of the thread at the root of all
	}
	if parent == d.session.ID {
		parent = ""
	}
	s := &d.session
	s.Subagent, s.Parent = true, parent
	s.Task = firstString(spawn.get("agent_path"), meta.get("agent_path"))
	names := []string{
		strings.TrimPrefix(s.Task, "/root/"),
		firstString(spawn.get("agent_nickname"), meta.get("agent_nickname")),
		firstString(spawn.get("agent_role"), spawn.get("agent_type"), meta.get("agent_role")),
		firstString(source, source.get("other")), // a review, a compaction, a guardian
	}
	s.Title = strings.Join(slices.DeleteFunc(names, func(name string) bool { return name == "" }), ", ")
}

// firstString is the first of the values that is a string with something in it.
func firstString(values ...value) string {
	for _, v := range values {
		if len(v.quoted()) > 0 {
			return v.str()
		}
	}
	return ""
}
