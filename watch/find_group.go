package watch

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
)

// Seen is a session with what a look at it told and the sessions of its
// subagents. Its Subagent and Parent are what place and look tell together. A
// Look that has read nothing was not made yet.
type Seen struct {
	Found
	Look      Look
	Subagents []Seen // newest first; they may have some too
}

// Seen looks at the session for a list, which says its size too.
func (f Found) Seen() Seen {
	l := f.Look()
	if f.weigh != nil {
		l.Size = f.weigh()
	}
	return f.SeenAs(l)
}

// SeenAs is Seen with a look that was made before.
func (f Found) SeenAs(l Look) Seen {
	f.Size = cmp.Or(f.Size, l.Size)
	if l.Session.Subagent && !f.Subagent {
		f.Subagent = true
		if l.Session.Parent != "" {
			f.Parent = f.Agent + " " + l.Session.Parent
		}
	}
	return Seen{Found: f, Look: l}
}

// About is what the session is about, in a few words; empty when nothing tells.
// A subagent's is told by what it is called and what it was asked.
func (s *Seen) About() string {
	title, prompt := s.Look.Session.Title, s.Look.Prompt
	if s.Subagent && title != "" && prompt != "" {
		return title + ": " + prompt
	}
	return cmp.Or(title, prompt)
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
	all = slices.DeleteFunc(slices.Clone(all), func(s Seen) bool { return s.Found.Refused != "" || s.Look.Refused != "" })
	slices.SortStableFunc(all, func(a, b Seen) int { return newestFirst(a.Found, b.Found) })
	places := map[string]int{}
	for i := range all {
		for _, name := range [...]string{all[i].Key(), all[i].id()} {
			if _, taken := places[name]; !taken {
				places[name] = i
			}
		}
	}
	f := family{all: all, below: make([][]int, len(all)), placed: make([]bool, len(all))}
	var top []int
	for i := range all {
		if p, ok := places[all[i].parent()]; ok && all[i].Subagent {
			f.below[p] = append(f.below[p], i)
		} else {
			top = append(top, i)
		}
	}
	var out []Seen
	for _, i := range top {
		out = append(out, f.tree(i))
	}
	for i := range all {
		if !f.placed[i] { // they are said to have started one another
			out = append(out, f.tree(i))
		}
	}
	slices.SortStableFunc(out, func(a, b Seen) int { return newestFirst(a.Found, b.Found) })
	return out
}

// family is which sessions started which.
type family struct {
	all    []Seen
	below  [][]int // by place in all: the places of those that it started
	placed []bool  // it stands in a tree already
}

// tree is a session with its subagents, and theirs.
func (f *family) tree(i int) Seen {
	f.placed[i] = true
	s := f.all[i]
	for _, k := range f.below[i] {
		if f.placed[k] {
			continue
		}
		sub := f.tree(k)
		if sub.Look.Session.Title != "" && sub.Look.Prompt == s.Look.Prompt {
			sub.Look.Prompt = "" // it begins with the messages of its parent
		}
		s.Subagents = append(s.Subagents, sub)
	}
	return s
}

// id names the session among those of its agent, as its subagents do. The
// records of a subagent may bear the id of its session; its file's name is its
// own.
func (s *Seen) id() string {
	id := strings.TrimSuffix(filepath.Base(s.Path), filepath.Ext(s.Path))
	if !s.Subagent || s.Look.Session.Subagent {
		id = cmp.Or(s.Look.Session.ID, id)
	}
	return s.Agent + " " + id
}

// parent names the session that a subagent belongs to.
func (s *Seen) parent() string { return cmp.Or(s.Parent, s.Agent+" "+s.Look.Session.ID) }
