package watch

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const subagentFolder = "subagents"

func isSubagent(name string) bool {
	return strings.HasPrefix(name, "agent-") && filepath.Ext(name) == ".jsonl"
}

// find lists what lies in the folder of p: sessions, and what stands where a
// session should and is refused. A link that stays inside the folder is passed
// over: what it leads to is found by itself.
func (p place) find() []Found {
	if p.list != nil {
		return p.list()
	}
	root, err := filepath.EvalSymlinks(p.folder)
	if errors.Is(err, fs.ErrPermission) {
		return []Found{p.refused(barrier(p.folder), nil, unreadable(err))}
	}
	if err != nil {
		return nil
	}
	return p.walk(nil, root, nil)
}

// barrier is the folder on the way to path that lets nobody through: path
// itself, or the nearest one above it that can be asked about.
func barrier(path string) string {
	for {
		_, err := os.Lstat(path)
		up := filepath.Dir(path)
		if !errors.Is(err, fs.ErrPermission) || up == path {
			return path
		}
		path = up
	}
}

// unreadable is the sentence about a folder that err keeps closed.
func unreadable(err error) string { return "the folder cannot be read: " + reason(err).Error() }

// walk adds what lies in the folder below, which is named by its elements
// below that of p. root is the folder of p without links.
func (p place) walk(found []Found, root string, below []string) []Found {
	folder := filepath.Join(append([]string{p.folder}, below...)...)
	entries, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		found = append(found, p.refused(folder, below, unreadable(err)))
	}
	for _, entry := range entries {
		inner := append(below[:len(below):len(below)], entry.Name())
		path := filepath.Join(folder, entry.Name())
		switch {
		case entry.IsDir():
			if q, ok := p.into(inner, entries); ok {
				found = q.walk(found, root, inner)
			}
		case entry.Type()&fs.ModeSymlink != 0:
			if why := leaves(path, root); why != "" && (p.enters(inner) || p.takes(inner)) {
				found = append(found, p.refused(path, inner, why))
			}
		case p.takes(inner):
			if f, ok := p.file(path, inner, entry); ok {
				found = append(found, f)
			}
		}
	}
	return found
}

// into is the place as which a folder is walked; ok is false when it is passed
// over. entries are the folder and what lies beside it, sorted by name. Where the
// agent has no other rule for it, a folder that is called like a session beside
// it holds that session's subagents, and theirs in the same way.
func (p place) into(below []string, entries []fs.DirEntry) (q place, ok bool) {
	session := slices.Clone(below)
	session[len(session)-1] += ".jsonl"
	_, beside := slices.BinarySearchFunc(entries, session[len(session)-1], func(e fs.DirEntry, name string) int {
		return strings.Compare(e.Name(), name)
	})
	if enters := p.enters(below); !beside || !p.takes(session) || p.parent != nil && enters {
		return p, enters
	}
	p.enters, p.takes = func([]string) bool { return false }, isLog
	p.parent = func(folder string, below []string) (string, bool) {
		return filepath.Join(folder, filepath.Join(below[:len(below)-1]...)) + ".jsonl", true
	}
	return p, true
}

// file makes of a file what is known of it by its name and information. An
// empty file is no session yet.
func (p place) file(path string, below []string, entry fs.DirEntry) (Found, bool) {
	if err := refuse(entry.Type()); err != nil {
		return p.refused(path, below, err.Error()), true
	}
	info, err := entry.Info()
	if err != nil || info.Size() == 0 {
		return Found{}, false
	}
	f := p.known(path, below)
	f.Modified, f.Size = info.ModTime(), info.Size()
	return f, true
}

func (p place) refused(path string, below []string, why string) Found {
	f := p.known(path, below)
	f.Refused = why
	return f
}

// known is what the place of a file says about it.
func (p place) known(path string, below []string) Found {
	f := Found{Path: path, Agent: p.agent, shared: p.here == nil || len(below) < 2}
	if !f.shared {
		f.Project, f.Here = below[0], p.here(below[0])
	}
	if p.parent != nil {
		f.Parent, f.Subagent = p.parent(p.folder, below)
	}
	return f
}

// leaves says where the link at path leads when that is outside of root, which
// holds no link itself, or that it leads nowhere. It is empty for a link that
// stays inside.
func leaves(path, root string) string {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "it is a symbolic link that leads nowhere: " + reason(err).Error()
	}
	if _, ok := under(target, root); ok {
		return ""
	}
	return "it is a symbolic link that leads out of the session folder, to " + target + "; name that file itself to open it"
}

// Admit refuses a path into the folders of the agents that a symbolic link
// leads out of: a session that is not where it seems to be was not put there
// by its agent. Any other path is admitted.
func (m Machine) Admit(path string) error {
	full, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	for _, p := range m.places() {
		if _, ok := under(full, p.folder); !ok {
			continue
		}
		root, err := filepath.EvalSymlinks(p.folder)
		if err != nil {
			continue
		}
		if _, err := os.Stat(full); err != nil {
			return nil // opening it says what is wrong
		}
		if why := leaves(full, root); why != "" {
			return errors.New(path + ": " + why)
		}
	}
	return nil
}
