package hoststate

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ctxscope/watch/decode"
)

// Machine is where states are looked for.
type Machine struct {
	Home   string                  // the person's home folder
	Getenv func(key string) string // an environment variable, empty when unset
}

// Query names the session whose state is asked for.
type Query struct {
	Path    string // of the transcript
	Session decode.Session
}

// Find reads the state of a session. It is ErrNone when there is none, and
// another error when what is there cannot be read.
func (m Machine) Find(q Query) (State, error) {
	for _, look := range m.looks(q) {
		s, err := look.read()
		if !missing(err) && !errors.Is(err, ErrNone) {
			return s, err
		}
	}
	return State{}, ErrNone
}

// look is one place where a state may be.
type look struct {
	paths []string // what it depends on: files, and folders that files are renamed into
	read  func() (State, error)
}

// looks are the places in which the state of a session may be, the likeliest
// first.
func (m Machine) looks(q Query) []look {
	s := q.Session
	switch {
	case s.Format == "proxy":
		return []look{oneFile(q.Path)}
	case s.Format == "pi" && s.Agent == "oh-my-pi":
		return append(m.foldLooks(q), m.piLook(q), m.proxyLook(s.ID))
	case s.Format == "pi":
		return []look{m.piLook(q), m.proxyLook(s.ID)}
	case s.Format == "opencode":
		return append(m.opencodeLooks(s.ID), m.proxyLook(s.ID))
	case s.Format == "claude", s.Format == "codex", s.Format == "gemini":
		return []look{m.proxyLook(s.ID)}
	}
	return nil
}

func oneFile(path string) look {
	return look{[]string{path}, func() (State, error) { return Read(path) }}
}

// foldLooks are the oh-my-pi plugin's store, and the file that earlier versions
// kept beside the session.
func (m Machine) foldLooks(q Query) []look {
	folder := m.folder("ACP_OMP_FOLD_DIR", filepath.Join(m.Home, cmp.Or(m.Getenv("PI_CONFIG_DIR"), ".omp"), "acp-omp-folds"))
	early := q.Path + ".acp-omp.json"
	if q.Session.ID == "" {
		return []look{oneFile(early)}
	}
	path := filepath.Join(folder, storeName(q.Session.ID))
	return []look{
		{[]string{path, spillOf(path)}, func() (State, error) { return readStore(folder, q.Session.ID) }},
		oneFile(early),
	}
}

func (m Machine) opencodeLooks(id string) []look {
	if !isName(id) {
		return nil
	}
	folder := filepath.Join(m.folder("XDG_DATA_HOME", filepath.Join(m.Home, ".local", "share")), "opencode", "storage", "plugin")
	var looks []look
	for _, plugin := range []string{"acp", "dcp"} {
		path := filepath.Join(folder, plugin, id+".json")
		looks = append(looks, look{[]string{path}, func() (State, error) {
			s, err := Read(path)
			s.Session = id
			return s, err
		}})
	}
	return looks
}

// folder is the folder that the variable key names, else the other one.
func (m Machine) folder(key, other string) string {
	folder := cmp.Or(m.Getenv(key), other)
	if rest, ok := strings.CutPrefix(folder, "~"); ok && (rest == "" || rest[0] == '/' || rest[0] == '\\') {
		return filepath.Join(m.Home, rest)
	}
	return folder
}

// isName reports whether an id, which a transcript says, is good as a part of
// a file name.
func isName(id string) bool {
	return id != "" && len(id) <= 200 && !strings.ContainsAny(id, "/\\\x00") && id != "." && id != ".."
}

const (
	proxiesRead = 200     // records of the proxy whose beginning is looked at, the newest ones
	proxyHead   = 4 << 10 // bytes of each
)

// proxyLook looks for the proxy's record of a session: the newest one whose id
// or name holds the id of the transcript. The proxy names sessions by keys of
// its own, so that mostly there is none to be found.
func (m Machine) proxyLook(id string) look {
	root := m.folder("BILI_SESSIONS_DIR", filepath.Join(m.folder("XDG_DATA_HOME", filepath.Join(m.Home, ".local", "share")), "billion-context", "sessions"))
	protocols, _ := filepath.Glob(filepath.Join(root, "*"))
	return look{append([]string{root}, protocols...), func() (State, error) {
		if len(id) < 8 { // it would be found in names by chance
			return State{}, ErrNone
		}
		for _, path := range newest(root) {
			if !bytes.Contains(headOf(path), []byte(id)) {
				continue
			}
			s, err := Read(path)
			if err != nil || strings.Contains(s.Session, id) || strings.Contains(s.Title, id) {
				return s, err
			}
		}
		return State{}, ErrNone
	}}
}

// newest are the proxy's records below root, the last written first.
func newest(root string) []string {
	type record struct {
		path string
		info os.FileInfo
	}
	var found []record
	paths, _ := filepath.Glob(filepath.Join(root, "*", "*.json")) // the pattern is well formed
	for _, path := range paths {
		if strings.HasPrefix(filepath.Base(path), ".") {
			continue
		}
		if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() {
			found = append(found, record{path, info})
		}
	}
	slices.SortStableFunc(found, func(a, b record) int { return b.info.ModTime().Compare(a.info.ModTime()) })
	out := []string{}
	for _, r := range found[:min(len(found), proxiesRead)] {
		out = append(out, r.path)
	}
	return out
}

// headOf is the beginning of a file; nothing when it cannot be read.
func headOf(path string) []byte {
	f, _, err := openFile(path)
	if err != nil {
		return nil
	}
	head, err := io.ReadAll(io.LimitReader(f, proxyHead))
	if errors.Join(err, f.Close()) != nil {
		return nil
	}
	return head
}
