package watch

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
)

// Seen is a session with what a look at it told and the sessions of its
// subagents. A Look that has read nothing was not made yet.
type Seen struct {
	Found
	Look      Look
	Subagents []Seen // newest first
}

// Group is the sessions of one working folder.
type Group struct {
	Folder   string // the working folder; where no session tells, the agent's own folder for it
	Here     bool   // it is the current folder
	Sessions []Seen // newest first
}

// Grouped arranges sessions by working folder: the current one first, then the
// one that was worked in last. Each subagent stands below its session, or for
// itself where that is not among them. What is refused is left out.
func (m Machine) Grouped(all []Seen) []Group {
	var groups []Group
	here := m.folders()
	folders := workingFolders(all)
	for _, s := range nested(all) {
		key := workingFolder(s, folders)
		i := slices.IndexFunc(groups, func(g Group) bool { return g.Folder == key })
		if i < 0 {
			i = len(groups)
			groups = append(groups, Group{Folder: key})
		}
		groups[i].Here = groups[i].Here || s.Here || slices.Contains(here, key)
		groups[i].Sessions = append(groups[i].Sessions, s)
	}
	slices.SortStableFunc(groups, func(a, b Group) int {
		return hereFirst(Found{Here: a.Here}, Found{Here: b.Here})
	})
	return groups
}

// workingFolders are the working folders by the agents' own folders for them.
func workingFolders(all []Seen) map[string]string {
	out := map[string]string{}
	for i := range all {
		if folder := all[i].Look.Session.Folder; folder != "" && all[i].Project != "" {
			if own := filepath.Dir(all[i].Path); out[own] == "" {
				out[own] = filepath.Clean(folder)
			}
		}
	}
	return out
}

func workingFolder(s Seen, folders map[string]string) string {
	own := filepath.Dir(s.Path)
	switch {
	case s.Project != "" && folders[own] != "":
		return folders[own]
	case s.Look.Session.Folder != "":
		return filepath.Clean(s.Look.Session.Folder)
	}
	return own
}

// nested puts subagents below their sessions and leaves out what is refused.
func nested(all []Seen) []Seen {
	below := map[string][]Seen{}
	place := map[string]int{}
	var out []Seen
	for _, s := range all {
		if s.Refused == "" && s.Look.Refused == "" && !s.Subagent {
			place[s.Key()], place[s.id()] = len(out), len(out)
			out = append(out, s)
		}
	}
	for _, s := range all {
		if s.Refused != "" || s.Look.Refused != "" || !s.Subagent {
			continue
		}
		parent := cmp.Or(s.Parent, s.Agent+" "+s.Look.Session.ID)
		if _, ok := place[parent]; ok {
			below[parent] = append(below[parent], s)
		} else {
			out = append(out, s)
		}
	}
	for parent, subagents := range below {
		i := place[parent]
		out[i].Subagents = append(out[i].Subagents, subagents...)
	}
	for i := range out {
		slices.SortStableFunc(out[i].Subagents, func(a, b Seen) int { return newestFirst(a.Found, b.Found) })
	}
	slices.SortStableFunc(out, func(a, b Seen) int { return newestFirst(a.Found, b.Found) })
	return out
}

// id names the session among those of its agent, as its subagents do.
func (s *Seen) id() string {
	name := strings.TrimSuffix(filepath.Base(s.Path), filepath.Ext(s.Path))
	return s.Agent + " " + cmp.Or(s.Look.Session.ID, name)
}
