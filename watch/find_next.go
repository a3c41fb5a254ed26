package watch

import (
	"context"
	"path/filepath"
	"time"
)

const (
	// scoutTime is how often the folders are looked at for another session.
	scoutTime = 2 * time.Second
	// silentTime is how long a session must have been silent before an older
	// one that is written to takes its place: two agents may work in one folder.
	silentTime = 30 * time.Second
)

// Scout looks out for the session that an agent goes on with: after /clear, a
// resume or a fork it writes to another file. It belongs to one goroutine.
type Scout struct {
	places []place
	own    Found  // the session itself
	folder string // its working folder, empty when unknown
	seen   map[string]time.Time
	passed map[string]bool // those that were named, and those that turned out to be subagents'
	every  time.Duration
}

// Scout takes note of the sessions that are there beside the one at path; of a
// file that holds many, session is the id. The agent's working folder tells
// whose a session is where one folder serves all projects; it may be empty.
func (m Machine) Scout(path, session, folder string) *Scout {
	if full, err := filepath.Abs(path); err == nil {
		path = full
	}
	s := &Scout{
		own: Found{Path: path, Session: session}, folder: folder,
		seen: map[string]time.Time{}, passed: map[string]bool{}, every: scoutTime,
	}
	for _, p := range m.places() {
		if _, ok := under(path, p.folder); ok {
			s.places = append(s.places, p)
		}
	}
	if len(s.places) == 0 { // a folder of the person's own choice
		alone := piLike("", filepath.Dir(path), nil)
		alone.enters = func([]string) bool { return false }
		s.places = []place{alone}
	}
	for _, f := range findIn(s.places) {
		s.seen[f.Key()] = f.Modified
	}
	return s
}

// Successor is the session that an agent went on with.
type Successor struct {
	Found
	Look    Look
	Resumed bool // it is older than the one that was left
}

// Next waits until another session of the same agent and folder is written to:
// a new one at once, an older one when the session itself has been silent for
// half a minute. Each is named once. After ctx is done it returns ctx.Err().
func (s *Scout) Next(ctx context.Context) (Successor, error) {
	tick := time.NewTicker(s.every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return Successor{}, ctx.Err()
		case <-tick.C:
			if next, ok := s.look(); ok {
				return next, nil
			}
		}
	}
}

// look goes through the folders once.
func (s *Scout) look() (Successor, bool) {
	all := findIn(s.places)
	for _, f := range all {
		if f.Key() == s.own.Key() {
			s.own = f
		}
	}
	for _, f := range all {
		before, old := s.seen[f.Key()]
		if f.Key() == s.own.Key() || f.Subagent || f.Refused != "" || s.passed[f.Key()] || old && f.Modified.Equal(before) {
			continue
		}
		if old && f.Modified.Sub(s.own.Modified) < silentTime {
			continue
		}
		seen := f.SeenAs(f.Look())
		switch look := seen.Look; {
		case seen.Subagent:
			s.passed[f.Key()] = true
		case look.Refused == "" && look.Session.Format != "" && s.related(f, look):
			s.passed[f.Key()] = true
			return Successor{f, look, old}, true
		}
	}
	return Successor{}, false
}

// related reports whether f belongs to the same working folder.
func (s *Scout) related(f Found, l Look) bool {
	if s.folder != "" && l.Session.Folder != "" {
		return filepath.Clean(s.folder) == filepath.Clean(l.Session.Folder)
	}
	return filepath.Dir(f.Path) == filepath.Dir(s.own.Path)
}
