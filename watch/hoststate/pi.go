package hoststate

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"path/filepath"

	"ctxscope/kernel"
)

const (
	maxParents = 8        // forks that blocks are taken over from
	headerSize = 64 << 10 // bytes at the start of a session in which its header stands
)

// piLook looks beside a Pi session, then where the earliest version wrote, then
// beside the sessions that it was forked from.
func (m Machine) piLook(q Query) look {
	paths := []string{q.Path + ".acp.json"}
	if isName(q.Session.ID) {
		hidden := ".acp-" + q.Session.ID + ".acp.json"
		for _, folder := range []string{q.Session.Folder, filepath.Dir(q.Path)} {
			if filepath.IsAbs(folder) {
				paths = append(paths, filepath.Join(folder, hidden))
			}
		}
	}
	own := len(paths)
	paths = append(paths, parents(q.Path)...)
	return look{paths, func() (State, error) { return readPi(paths, own) }}
}

// readPi reads the session's own state, which is the first of own paths that is
// there. One without blocks takes those of the next parent that has some.
func readPi(paths []string, own int) (State, error) {
	state, err := State{}, error(ErrNone)
	for _, path := range paths[:own] {
		if state, err = Read(path); !missing(err) {
			break
		}
	}
	if err != nil && !missing(err) && !errors.Is(err, ErrNone) || err == nil && len(state.Kernel.Blocks()) > 0 {
		return state, err
	}
	for i, path := range paths[own:] {
		parent, parentErr := Read(path)
		if parentErr == nil && len(parent.Kernel.Blocks()) > 0 {
			parent.Parents = i + 1
			if err == nil {
				parent = parent.under(state)
			}
			return parent, nil
		}
	}
	return state, err
}

// under gives the parent's blocks to the state of a fork that has none of its
// own: refs are those of both, stamps the fork's.
func (s State) under(own State) State {
	out := own
	out.Parents = s.Parents
	out.fields = fields{}
	for name, raw := range own.fields {
		out.fields[name] = raw
	}
	for _, name := range []string{"blocks", "nextBlockId", "nextRunId"} {
		if raw := s.fields[name]; raw != nil {
			out.fields[name] = raw
		}
	}
	refs := map[string]map[string]string{"byRaw": {}, "byRef": {}}
	for _, from := range []fields{s.fields.object("messageRefs"), own.fields.object("messageRefs")} {
		for name, entries := range refs {
			for key, to := range get[map[string]string](from, name) {
				entries[key] = to
			}
		}
	}
	out.fields.put("messageRefs", refs)
	var err error
	if out.Kernel, err = out.fields.state(); err != nil {
		out.Kernel = kernel.NewState()
		out.Notes = append(out.Notes, "the parent's blocks cannot be used: "+err.Error())
	}
	return out
}

// parents are the paths of the states of the sessions that the one at path was
// forked from, nearest first.
func parents(path string) []string {
	var found []string
	met := map[string]bool{path: true}
	for range maxParents {
		parent := parentOf(path)
		if parent == "" || met[parent] {
			break
		}
		met[parent] = true
		found = append(found, parent+".acp.json")
		path = parent
	}
	return found
}

// parentOf is the session that the one at path was forked from, as its header
// says; empty for one that was not.
func parentOf(path string) string {
	f, _, err := openFile(path)
	if err != nil {
		return ""
	}
	head, err := io.ReadAll(io.LimitReader(f, headerSize))
	if errors.Join(err, f.Close()) != nil {
		return ""
	}
	lines := bufio.NewScanner(bytes.NewReader(head))
	lines.Buffer(nil, headerSize)
	for lines.Scan() {
		var header struct{ Type, ParentSession string }
		if json.Unmarshal(lines.Bytes(), &header) != nil || header.Type != "session" {
			continue
		}
		switch {
		case header.ParentSession == "", filepath.Ext(header.ParentSession) != ".jsonl":
			return ""
		case filepath.IsAbs(header.ParentSession):
			return filepath.Clean(header.ParentSession)
		}
		return filepath.Join(filepath.Dir(path), header.ParentSession)
	}
	return ""
}
