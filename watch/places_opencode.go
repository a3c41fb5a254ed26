package watch

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"ctxscope/watch/decode"
	"ctxscope/watch/opencode"
)

// listTime is how long a database may take to list its sessions.
const listTime = 2 * time.Second

// sizeTime is how long the sizes of the sessions of a store may take: those
// that are not known by then stay unknown, the oldest ones.
const sizeTime = 500 * time.Millisecond

// weighed lets the sessions of one store tell their sizes, by the names that
// they have in it: all are read, the newest first, when one is asked for its own.
func (m Machine) weighed(found []Found, name func(*Found) string, read func(ctx context.Context, names []string) map[string]int64) []Found {
	slices.SortStableFunc(found, newestFirst)
	names := make([]string, len(found))
	for i := range found {
		names[i] = name(&found[i])
	}
	sizes := sync.OnceValue(func() map[string]int64 {
		ctx, cancel := context.WithTimeout(context.Background(), cmp.Or(m.sizing, sizeTime))
		defer cancel()
		return read(ctx, names)
	})
	for i := range found {
		found[i].weigh = func() int64 { return sizes()[names[i]] }
	}
	return found
}

// opencodePlaces: a database for each release channel, and the files of the
// versions before it. A session that a database has is listed from there alone.
func (m Machine) opencodePlaces() []place {
	data := filepath.Join(m.env("XDG_DATA_HOME", filepath.Join(m.Home, ".local", "share")), "opencode")
	known := map[string]listedFile{}
	return []place{{
		folder: data, agent: "opencode",
		list: func() []Found {
			found := m.opencodeSessions(data)
			return append(found, m.opencodeFiles(filepath.Join(data, "storage", "session"), found, known)...)
		},
	}}
}

// opencodeSessions lists the sessions of the databases in the data folder.
func (m Machine) opencodeSessions(data string) []Found {
	refused := func(path, why string) []Found { return []Found{{Path: path, Agent: "opencode", Refused: why}} }
	var paths []string
	entries, err := os.ReadDir(data)
	for _, entry := range entries {
		if ok, _ := filepath.Match("opencode*.db", entry.Name()); ok { // the pattern is good
			paths = append(paths, filepath.Join(data, entry.Name()))
		}
	}
	switch set := m.env("OPENCODE_DB", ""); {
	case filepath.IsAbs(set):
		return m.inDatabase(set)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return refused(barrier(data), unreadable(err))
	case set != "":
		paths = []string{filepath.Join(data, set)}
	}
	root, err := filepath.EvalSymlinks(data)
	if err != nil {
		return nil
	}
	var found []Found
	for _, path := range paths {
		if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			if why := leaves(path, root); why != "" {
				found = append(found, refused(path, why)...)
				continue
			}
			if target, err := filepath.EvalSymlinks(path); err == nil && slices.Contains(paths, filepath.Join(data, filepath.Base(target))) {
				continue // it is found by itself
			}
		}
		found = append(found, m.inDatabase(path)...)
	}
	return found
}

// inDatabase lists the sessions of one database; what keeps it from being read
// is said of the database itself.
func (m Machine) inDatabase(path string) []Found {
	f, _, err := openRegular(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = f.Close()
	}
	ctx, cancel := context.WithTimeout(context.Background(), listTime)
	defer cancel()
	var sessions []opencode.Session
	if err == nil {
		sessions, err = opencode.Sessions(ctx, path)
	}
	if err != nil {
		return []Found{{Path: path, Agent: "opencode", Refused: "it cannot be read: " + err.Error()}}
	}
	var found []Found
	for _, s := range sessions {
		f := m.opencodeSession(path, s)
		if f.Session = s.ID; s.Parent != "" {
			f.Parent = path + " " + s.Parent
		}
		found = append(found, f)
	}
	return m.weighed(found, func(f *Found) string { return f.Session }, func(ctx context.Context, ids []string) map[string]int64 {
		return opencode.Sizes(ctx, path, ids)
	})
}

// opencodeSession is a session with what its store tells of it.
func (m Machine) opencodeSession(path string, s opencode.Session) Found {
	d := decode.Session{Format: "opencode", Agent: "opencode", ID: s.ID, Title: s.Title, Folder: s.Folder, Model: s.Model, Usage: s.Usage}
	f := Found{
		Path: path, Agent: "opencode", Modified: s.Updated, Here: m.named(filepath.Clean)(filepath.Clean(s.Folder)),
		told: &Look{Session: d, Peak: s.Usage.Tokens, Prompt: Request(s.Prompt)},
	}
	if s.Parent != "" {
		f.Subagent, f.Parent = true, "opencode "+s.Parent
	}
	return f
}

// listedFile is a session's own file as it was listed.
type listedFile struct {
	modified time.Time
	size     int64
	session  opencode.Session
	err      error
}

// opencodeFiles lists the sessions that lie in files, without those in listed.
// known holds what was read before, by path: their files change with them.
func (m Machine) opencodeFiles(folder string, listed []Found, known map[string]listedFile) []Found {
	files := place{
		folder: folder, agent: "opencode",
		enters: func(below []string) bool { return len(below) == 1 },
		takes: func(below []string) bool {
			name := below[len(below)-1]
			return strings.HasPrefix(name, "ses_") && filepath.Ext(name) == ".json"
		},
	}
	there := map[string]bool{}
	for _, f := range listed {
		there[f.Session+".json"] = true
	}
	var found, refused []Found
	for _, f := range files.find() {
		if there[filepath.Base(f.Path)] && f.Refused == "" {
			continue
		}
		if f.Refused == "" {
			read, ok := known[f.Path]
			if !ok || read.size != f.Size || !read.modified.Equal(f.Modified) {
				read = listedFile{modified: f.Modified, size: f.Size}
				read.session, read.err = opencode.TreeSession(f.Path)
				known[f.Path] = read
			}
			switch {
			case errors.Is(read.err, opencode.ErrNoSession):
				f.Refused = "it is not the file of a session"
			case read.err != nil:
				f.Refused = "it cannot be read: " + read.err.Error()
			default:
				f = m.opencodeSession(f.Path, read.session)
			}
		}
		if f.Refused != "" {
			refused = append(refused, f)
			continue
		}
		found = append(found, f)
	}
	return append(m.weighed(found, func(f *Found) string { return f.Path }, opencode.TreeSizes), refused...)
}
