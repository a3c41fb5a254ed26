package watch

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ctxscope/watch/opencode"
)

// SessionsIn lists the sessions of one of opencode's databases, the one that
// changed last first. Options.Session opens any of them by its id.
func SessionsIn(ctx context.Context, path string) ([]opencode.Session, error) {
	return opencode.Sessions(ctx, path)
}

// OpencodeDatabases are the databases that opencode keeps sessions in on this
// machine: the one that a variable names, that of the usual release, and those
// of other ones, by name. They are regular files.
func (m Machine) OpencodeDatabases() []string {
	folder := filepath.Join(m.env("XDG_DATA_HOME", filepath.Join(m.Home, ".local", "share")), "opencode")
	names := []string{"opencode.db"}
	if named := m.env("OPENCODE_DB", ""); named != "" && named != ":memory:" {
		names = slices.Insert(names, 0, named)
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		entries = nil // a folder that cannot be read has none
	}
	for _, entry := range entries {
		if name := entry.Name(); strings.HasPrefix(name, "opencode-") && strings.HasSuffix(name, ".db") {
			names = append(names, name)
		}
	}
	var found []string
	for _, path := range names {
		if !filepath.IsAbs(path) {
			path = filepath.Join(folder, path)
		}
		f, _, err := openRegular(path)
		if err != nil || f.Close() != nil || slices.Contains(found, path) {
			continue
		}
		found = append(found, path)
	}
	return found
}
