package opencode

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"ctxscope/kernel"
	"ctxscope/watch/decode"
)

// weighTime is how long what stands in messages may take: a list that lacks
// some of it for the oldest is better than one that comes late.
const weighTime = time.Second

// Sessions lists the sessions of a database, the one that changed last first.
// Where that would take long, the oldest ones have no Usage and no Prompt.
func Sessions(ctx context.Context, path string) ([]Session, error) {
	return sessions(ctx, path, weighTime)
}

func sessions(ctx context.Context, path string, weighing time.Duration) ([]Session, error) {
	d := NewDatabase(path, "")
	var all []Session
	err := d.inside(ctx, func(tx *sql.Tx) error {
		ok, unfinished, err := isOpencode(ctx, tx)
		if err != nil || unfinished {
			return err
		}
		if !ok {
			return ErrNoSession
		}
		if all, err = sessionsWhere(ctx, tx, "ORDER BY time_updated DESC, id DESC"); err != nil {
			return err
		}
		short, cancel := context.WithTimeout(ctx, weighing)
		defer cancel()
		if err = weigh(short, tx, all); err == nil {
			err = ask(short, tx, all)
		}
		if short.Err() != nil {
			err = ctx.Err()
		}
		return err
	})
	return all, err
}

// newestTold is the newest reply of a session that was reported, or that sums
// up what came before: then nothing that was reported counts.
const newestTold = `
	SELECT data FROM message
	WHERE session_id = ? AND CASE WHEN json_valid(data) THEN
		json_extract(data, '$.role') = 'assistant' AND (json_extract(data, '$.summary')
			OR coalesce(json_extract(data, '$.tokens.total'), 0) + coalesce(json_extract(data, '$.tokens.input'), 0)
			+ coalesce(json_extract(data, '$.tokens.output'), 0) + coalesce(json_extract(data, '$.tokens.cache.read'), 0) > 0) END
	ORDER BY time_created DESC, id DESC LIMIT 1`

// weigh asks the newest replies how large the contexts of their sessions are.
func weigh(ctx context.Context, tx *sql.Tx, all []Session) error {
	newest, err := tx.PrepareContext(ctx, newestTold)
	if err != nil {
		return err
	}
	defer newest.Close()
	for i := range all {
		var data []byte
		err := newest.QueryRowContext(ctx, all[i].ID).Scan(&data)
		if errors.Is(err, sql.ErrNoRows) {
			continue
		}
		if err != nil {
			return err
		}
		all[i].weighedBy(data)
	}
	return nil
}

// firstParts are the first parts of a session.
const firstParts = `
	SELECT p.data FROM message m JOIN part p ON p.message_id = m.id
	WHERE m.session_id = ? ORDER BY m.time_created, m.id, p.id LIMIT 8`

// unclear reports whether the first prompt is of use: the title does not tell
// what the session is about, or the call that started it has to be found.
func (s *Session) unclear() bool { return s.Parent != "" || s.Title == "" }

// ask finds what unclear sessions were asked for first.
func ask(ctx context.Context, tx *sql.Tx, all []Session) error {
	for i := range all {
		s := &all[i]
		if !s.unclear() {
			continue
		}
		parts, err := texts(ctx, tx, firstParts, s.ID)
		if err != nil {
			return err
		}
		for _, data := range parts {
			if s.askedBy([]byte(data)) {
				break
			}
		}
	}
	return nil
}

// askedBy takes what was asked for from the record of a part; false when that
// is no text of the user's.
func (s *Session) askedBy(data []byte) bool {
	var part struct {
		Type, Text         string
		Ignored, Synthetic bool
	}
	if json.Unmarshal(data, &part) != nil || part.Type != "text" || part.Ignored || part.Synthetic {
		return false
	}
	s.Prompt = part.Text
	return true
}

// weighedBy takes from the record of a message how large the context is. It is
// false when that does not tell, and an older one may.
func (s *Session) weighedBy(data []byte) bool {
	var reply struct {
		Role    string
		Summary bool
	}
	switch {
	case s.revert != "" && s.revert != "null":
		return true // the newest replies are taken back
	case json.Unmarshal(data, &reply) != nil || reply.Role != "assistant":
		return false
	case reply.Summary:
		return true // what was reported before it is old
	}
	d := decode.NewOpencode(nil)
	d.Put("reply", newRecord("reply", data).whole(), kernel.Source{})
	d.Arrange([]string{"reply"})
	told := d.Session()
	s.Usage, s.Model = told.Usage, told.Model
	return told.Usage.Known
}

const (
	longestInfo = 64 << 10 // bytes of a session's own file, as it is listed
	repliesRead = 8        // newest messages that are asked for the size of a context
	partsRead   = 8        // parts of the first message that are asked for the prompt
)

// TreeSession is the session whose own file is at path, for lists. It fails
// with ErrNoSession when the file is not such a file.
func TreeSession(path string) (Session, error) {
	file, err := entryAt(path)
	if err != nil {
		return Session{}, err
	}
	t, err := OpenTree(path)
	if err != nil || file.size > longestInfo {
		return Session{}, fmt.Errorf("%w: it is not the file of a session", ErrNoSession)
	}
	data, err := readFile(path)
	if err != nil {
		return Session{}, err
	}
	var info struct {
		Title, Directory, ParentID string
		Revert                     json.RawMessage
		Time                       struct{ Updated float64 }
	}
	// What has another type than usual counts as nothing.
	_ = json.Unmarshal(data, &info)
	s := Session{
		ID: t.session, Title: info.Title, Folder: info.Directory, Parent: info.ParentID, revert: string(info.Revert),
		Updated: file.modified,
	}
	if at := time.UnixMilli(int64(info.Time.Updated)); info.Time.Updated > 0 {
		s.Updated = at
	}
	ids, _, err := t.ids()
	if err != nil {
		return Session{}, err
	}
	slices.Sort(ids)
	for n := len(ids) - 1; n >= max(0, len(ids)-repliesRead); n-- {
		// A message that cannot be read tells nothing.
		if data, err := readFile(filepath.Join(t.messages, ids[n]+".json")); err == nil && s.weighedBy(data) {
			break
		}
	}
	if len(ids) > 0 && s.unclear() {
		t.ask(&s, ids[0])
	}
	return s, nil
}

// ask finds in the first message what a session was asked for.
func (t *Tree) ask(s *Session, first string) {
	paths, _, _, err := t.look(first)
	if err != nil { // it tells nothing
		return
	}
	for _, path := range paths[1:min(len(paths), 1+partsRead)] {
		if data, err := readFile(path); err == nil && s.askedBy(data) {
			return
		}
	}
}
