package watch

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// ErrNoSession: no agent that is looked for has left a session on this machine.
var ErrNoSession = errors.New("no agent has left a session on this machine")

// Machine is where sessions are looked for.
type Machine struct {
	Home   string                  // the person's home folder
	Folder string                  // the current folder; empty: there is none
	Getenv func(key string) string // an environment variable, empty when unset
	Agent  string                  // look for this agent alone, by a name that AgentNamed gives; empty: for all

	sizing time.Duration // how long the sizes of a store may take; 0: sizeTime
}

// ThisMachine is the machine as the process finds it. Without a home folder in
// the environment the list of users names one, and without one there too
// nothing is found. A current folder that was removed is none.
func ThisMachine() Machine {
	m := Machine{Home: string(filepath.Separator), Getenv: os.Getenv}
	if home, err := os.UserHomeDir(); err == nil {
		m.Home = home
	} else if person, err := user.Current(); err == nil && person.HomeDir != "" {
		m.Home = person.HomeDir
	}
	if folder, err := os.Getwd(); err == nil {
		m.Folder = folder
	}
	return m
}

// Found is a session file of this machine.
type Found struct {
	Path     string
	Session  string // its id, in a file that holds many sessions; else empty
	Agent    string // whose folder it lies in, as decode.Session has it; what the file is, its content says
	Project  string // the agent's name for the working folder, as its own folder is called; empty: one folder serves all
	Here     bool   // it belongs to the current folder
	Modified time.Time
	Size     int64 // bytes; 0 of a session of opencode, which Seen tells

	Subagent bool   // a subagent's
	Parent   string // path of the session that a subagent belongs to, or agent and id; empty: only its content tells
	Refused  string // why it is not opened, a sentence; empty: nothing speaks against it so far

	shared bool         // it lies in one folder with the sessions of all projects
	told   *Look        // what the file said already; nil: a look tells
	weigh  func() int64 // the size, where it is not that of the file; else nil
}

// Key tells the session from all others of this machine.
func (f *Found) Key() string {
	if f.Session == "" {
		return f.Path
	}
	return f.Path + " " + f.Session
}

// Running reports whether the session was written to within the last ten
// minutes.
func (f Found) Running(now time.Time) bool { return now.Sub(f.Modified) < liveTime }

// Newest is the session that was written to last: of those of the current
// folder, else of all. It is ErrNoSession when there is none. A subagent's is
// taken only where there is nothing else.
func (m Machine) Newest() (Found, error) { return m.first(hereFirst) }

// Latest is the session that was written to last, in whatever folder. It is
// ErrNoSession when there is none. A subagent's is taken only where there is
// nothing else.
func (m Machine) Latest() (Found, error) { return m.first(newestFirst) }

// first is the first session by that order, else the first of a subagent.
func (m Machine) first(order func(a, b Found) int) (Found, error) {
	all := m.admitted(m.places())
	slices.SortStableFunc(all, order)
	for _, subagents := range [...]bool{false, true} {
		for _, f := range all {
			if f.Subagent && !subagents {
				continue
			}
			if s := f.SeenAs(f.Look()); s.Look.Refused == "" && s.Subagent == subagents {
				return s.Found, nil
			}
		}
	}
	return Found{}, ErrNoSession
}

// Sessions lists the session files of this machine, those of the current folder
// first, each newest first. Files of subagents, state files and empty files are
// left out, and what cannot be read is passed over. It looks at names and file
// information; only where one folder serves all projects, into the newest files
// too. Of the others there only a look tells which are subagents'.
func (m Machine) Sessions() []Found { return m.sessionsIn(m.places()) }

func (m Machine) sessionsIn(places []place) []Found {
	all := slices.DeleteFunc(m.admitted(places), func(f Found) bool { return f.Subagent })
	slices.SortStableFunc(all, hereFirst)
	return all
}

// admitted lists what is not refused at sight.
func (m Machine) admitted(places []place) []Found {
	all := slices.DeleteFunc(findIn(places), func(f Found) bool { return f.Refused != "" })
	m.lookInside(all)
	return all
}

// All lists everything in the folders of the agents, newest first: sessions,
// those of subagents, and what is refused at sight. It looks at names and file
// information only, so Here is known only where an agent has a folder for each
// project.
func (m Machine) All() []Found { return findIn(m.places()) }

func findIn(places []place) []Found {
	var all []Found
	for _, p := range places {
		all = append(all, p.find()...)
	}
	slices.SortStableFunc(all, newestFirst)
	seen := map[string]bool{}
	return slices.DeleteFunc(all, func(f Found) bool {
		twice := seen[f.Key()]
		seen[f.Key()] = true
		return twice
	})
}

func newestFirst(a, b Found) int {
	return cmp.Or(b.Modified.Compare(a.Modified), strings.Compare(a.Path, b.Path))
}

func hereFirst(a, b Found) int {
	switch {
	case a.Here && !b.Here:
		return -1
	case b.Here && !a.Here:
		return 1
	}
	return newestFirst(a, b)
}

// lookInside ends after so many sessions, and after so many files, those of
// subagents among them.
const (
	sessionsRead = 32
	filesRead    = 512
)

// lookInside looks into the newest files of a folder that serves all projects.
// It marks the sessions of the current folder, by the working folder that they
// name, and those of subagents.
func (m Machine) lookInside(all []Found) {
	here, sessions := m.folders(), 0
	for i, files := 0, 0; i < len(all) && sessions < sessionsRead && files < filesRead; i++ {
		f := &all[i]
		if f.Here || f.Subagent || !f.shared {
			continue
		}
		s := f.Seen()
		*f = s.Found
		f.told = &s.Look
		if files++; !f.Subagent {
			sessions++
		}
		folder := s.Look.Session.Folder
		if folder == "" {
			folder = f.folder()
		}
		if folder != "" {
			f.Here = slices.Contains(here, filepath.Clean(folder))
		}
	}
}

// folder is the working folder that the first record names in a file that holds
// too little yet for a look to know its format.
func (f *Found) folder() string {
	var record struct{ Cwd string }
	file, info, err := openRegular(f.Path)
	if err != nil {
		return ""
	}
	e := ends{file: file, size: info.Size()}
	err = errors.Join(e.grow(headSize, 0), file.Close())
	first, _, _ := bytes.Cut(e.head, []byte("\n"))
	if err != nil || json.Unmarshal(first, &record) != nil {
		return ""
	}
	return record.Cwd
}
