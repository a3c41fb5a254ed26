package watch

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"ctxscope/watch/decode"
	"ctxscope/watch/opencode"
)

// listTime is how long a database may take to list its sessions.
const listTime = 2 * time.Second

// opencodePlaces: a database for each release channel, and the files of the
// versions before it.
func (m Machine) opencodePlaces() []place {
	data := filepath.Join(m.env("XDG_DATA_HOME", filepath.Join(m.Home, ".local", "share")), "opencode")
	return []place{
		{
			folder: data, agent: "opencode",
			list: func() []Found { return m.opencodeSessions(data) },
		},
		{
			folder: filepath.Join(data, "storage", "session"), agent: "opencode",
			enters: func(below []string) bool { return len(below) == 1 },
			takes: func(below []string) bool {
				name := below[len(below)-1]
				return strings.HasPrefix(name, "ses_") && filepath.Ext(name) == ".json"
			},
		},
	}
}

// opencodeSessions lists the sessions of the databases in the data folder.
func (m Machine) opencodeSessions(data string) []Found {
	paths, err := filepath.Glob(filepath.Join(data, "opencode*.db"))
	if set := m.env("OPENCODE_DB", ""); set != "" {
		if !filepath.IsAbs(set) {
			set = filepath.Join(data, set)
		}
		paths = []string{set}
	}
	if err != nil {
		return nil // the folder's name is no pattern
	}
	var found []Found
	for _, path := range paths {
		found = append(found, m.inDatabase(path)...)
	}
	return found
}

// inDatabase lists the sessions of one database; what keeps it from being read
// is said of the database itself.
func (m Machine) inDatabase(path string) []Found {
	f, info, err := openRegular(path)
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
	here := m.named(filepath.Clean)
	var found []Found
	for _, s := range sessions {
		known := Found{
			Path: path, Session: s.ID, Agent: "opencode", Modified: s.Updated, Here: here(filepath.Clean(s.Folder)),
			told: &Look{Session: decode.Session{Format: "opencode", Agent: "opencode", ID: s.ID, Title: s.Title, Folder: s.Folder}},
		}
		if len(sessions) == 1 {
			known.Size = info.Size()
		}
		if s.Parent != "" {
			known.Subagent, known.Parent = true, path+" "+s.Parent
		}
		found = append(found, known)
	}
	return found
}
