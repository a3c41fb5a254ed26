package watch

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ctxscope/watch/decode"
)

// ErrNoSession: no agent has left a session on this machine.
var ErrNoSession = errors.New("no session of Pi, oh-my-pi or Claude Code is on this machine")

// Machine is where sessions are looked for.
type Machine struct {
	Home   string                  // the person's home folder
	Folder string                  // the current folder
	Getenv func(key string) string // an environment variable, empty when unset
}

// ThisMachine is the machine as the process finds it.
func ThisMachine() (Machine, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return Machine{}, err
	}
	folder, err := os.Getwd()
	if err != nil {
		return Machine{}, err
	}
	return Machine{Home: home, Folder: folder, Getenv: os.Getenv}, nil
}

// Found is a session file of this machine.
type Found struct {
	Path     string
	Agent    string // whose folder it lies in: "pi", "oh-my-pi", "Claude Code"; what the file is, its content says
	Here     bool   // it belongs to the current folder
	Modified time.Time
	Size     int64 // bytes

	shared bool // it lies in one folder with the sessions of all projects
}

// Newest is the session that was written to last: of those of the current
// folder, else of all. It is ErrNoSession when there is none.
func (m Machine) Newest() (string, error) {
	for _, found := range m.Sessions() {
		if !refused(found.Path) {
			return found.Path, nil
		}
	}
	return "", ErrNoSession
}

// Sessions lists the session files of this machine, those of the current folder
// first, each newest first. Files of subagents, state files and empty files are
// left out, and what cannot be read is passed over. It looks at names and file
// information; only where one folder serves all projects, at the head of the
// newest files too.
func (m Machine) Sessions() []Found { return m.sessionsIn(m.places()) }

func (m Machine) sessionsIn(places []place) []Found {
	var all []Found
	for _, p := range places {
		all = append(all, p.sessions()...)
	}
	slices.SortStableFunc(all, newestFirst)
	m.lookInside(all)
	slices.SortStableFunc(all, func(a, b Found) int {
		if a.Here != b.Here {
			return cmp.Compare(rank(a.Here), rank(b.Here))
		}
		return newestFirst(a, b)
	})
	return slices.CompactFunc(all, func(a, b Found) bool { return a.Path == b.Path })
}

func newestFirst(a, b Found) int {
	return cmp.Or(b.Modified.Compare(a.Modified), strings.Compare(a.Path, b.Path))
}

func rank(here bool) int {
	if here {
		return 0
	}
	return 1
}

// sessions finds the session files in the folder of p and one level below it.
func (p place) sessions() []Found {
	entries, err := os.ReadDir(p.folder)
	if err != nil {
		return nil
	}
	found := filesOf(p.folder, entries, Found{Agent: p.agent, shared: true})
	for _, entry := range entries {
		folder := filepath.Join(p.folder, entry.Name())
		if entry.Type().IsRegular() || entry.Name() == subagentFolder {
			continue
		}
		if inside, err := os.ReadDir(folder); err == nil {
			found = append(found, filesOf(folder, inside, Found{Agent: p.agent, Here: p.here(entry.Name())})...)
		}
	}
	return found
}

// filesOf makes of each session file among entries what is known of all of them
// and of itself.
func filesOf(folder string, entries []fs.DirEntry, known Found) []Found {
	var found []Found
	for _, entry := range entries {
		name := entry.Name()
		if filepath.Ext(name) != ".jsonl" || strings.HasPrefix(name, ".") || isSubagent(name) {
			continue
		}
		path := filepath.Join(folder, name)
		info, err := os.Stat(path)
		if err == nil && info.Mode().IsRegular() && info.Size() > 0 {
			known.Path, known.Modified, known.Size = path, info.ModTime(), info.Size()
			found = append(found, known)
		}
	}
	return found
}

const subagentFolder = "subagents"

func isSubagent(name string) bool {
	return strings.HasPrefix(name, "agent-") && filepath.Ext(name) == ".jsonl"
}

// Subagents lists the files of the subagents that belong to the session file at
// path, by name. Only those in the session's own folder can be told from other
// sessions' by their place.
func Subagents(path string) []string {
	var found []string
	root := filepath.Join(strings.TrimSuffix(path, filepath.Ext(path)), subagentFolder)
	// What cannot be read is passed over.
	_ = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() && isSubagent(entry.Name()) {
			found = append(found, path)
		}
		return nil
	})
	return found
}

const (
	headsRead = 32       // files that lookInside opens
	headSize  = 64 << 10 // bytes of a file's head
)

// lookInside marks the sessions of the current folder among those that lie in a
// folder for all projects, by the working folder in their first record.
func (m Machine) lookInside(all []Found) {
	here, left := m.folders(), headsRead
	for i := range all {
		if all[i].Here || left == 0 || !all[i].shared {
			continue
		}
		left--
		var record struct{ Cwd string }
		first, _, _ := bytes.Cut(headOf(all[i].Path), []byte("\n"))
		if json.Unmarshal(first, &record) == nil && record.Cwd != "" {
			all[i].Here = slices.Contains(here, filepath.Clean(record.Cwd))
		}
	}
}

// refused reports whether the content of the file at path is certain to be no
// session that can be read.
func refused(path string) bool {
	lines := bytes.SplitAfter(headOf(path), []byte("\n"))
	lines = lines[:len(lines)-1]
	for i := range lines {
		lines[i] = lines[i][:len(lines[i])-1]
	}
	_, refusal := decode.Detect(lines)
	return refusal != ""
}

// headOf is the start of the file at path; nothing when it cannot be read.
func headOf(path string) []byte {
	f, _, err := openRegular(path)
	if err != nil {
		return nil
	}
	head, err := io.ReadAll(io.LimitReader(f, headSize))
	if errors.Join(err, f.Close()) != nil {
		return nil
	}
	return head
}
