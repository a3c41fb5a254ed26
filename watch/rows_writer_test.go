package watch

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ctxscope/kernel"
)

const (
	writes     = 10_000
	perMessage = 40 // writes
	halfway    = writes/2 + perMessage/2
	writtenAs  = "m%04d"
)

// written is the text of a write: each has a length of its own among those of
// its message, so that the size of what was read tells which one it was.
func written(i int) string {
	return fmt.Sprintf("write %05d of message %d%s", i, i/perMessage, strings.Repeat(".", i%perMessage))
}

const sessionTables = `
	CREATE TABLE session(id text PRIMARY KEY, parent_id text, directory text, title text, revert text, model text, time_created integer, time_updated integer);
	CREATE TABLE message(id text PRIMARY KEY, session_id text, time_created integer, time_updated integer, data text);
	CREATE TABLE part(id text PRIMARY KEY, message_id text, session_id text, time_created integer, time_updated integer, data text);
	CREATE INDEX message_session_time_created_id_idx ON message(session_id,time_created,id);
	CREATE INDEX part_message_id_id_idx ON part(message_id,id);
	INSERT INTO session VALUES('s', NULL, '/proj', 'title', NULL, NULL, 1, 1);`

// openWriter opens a database as opencode does. It waits for no lock: a reader
// must never be in the way.
func openWriter(path string) (*sql.DB, error) {
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=busy_timeout(0)&_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)&_txlock=immediate")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	_, err = db.Exec(sessionTables)
	return db, err
}

// writeDatabase writes a session as an agent does: a row at a time, the newest
// ones changed in place while a reply grows. It rests in the middle of a message
// and at the end until it is let go, so that the newest rows stand in the log
// alone.
func writeDatabase(path string) error {
	db, err := openWriter(path)
	if err != nil {
		return err
	}
	for i := range writes {
		message, now := i/perMessage, time.Now().UnixMilli()
		id := fmt.Sprintf(writtenAs, message)
		if i%perMessage == 0 {
			_, err = db.Exec(`INSERT INTO message VALUES(?,'s',?,?,'{"role":"assistant","time":{}}')`, id, message, now)
		}
		if err == nil {
			_, err = db.Exec(`INSERT INTO part VALUES(?,?,'s',?,?,?) ON CONFLICT(id) DO UPDATE SET data=excluded.data, time_updated=excluded.time_updated`,
				"p"+id, id, now, now, fmt.Sprintf(`{"type":"text","text":%q}`, written(i)))
		}
		if err != nil {
			return fmt.Errorf("write %d: %w", i, err)
		}
		if i == halfway {
			if err := untilLet(); err != nil {
				return err
			}
		}
	}
	return errors.Join(untilLet(), db.Close())
}

// TestAnotherProcessWritesTheDatabase follows a database that a writer in
// another process changes 10,000 times. Neither must be in the other's way, and
// in the end nothing is missing.
func TestAnotherProcessWritesTheDatabase(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	path := filepath.Join(t.TempDir(), "opencode.db")
	w := open(t, path, "")
	writer := startAgent(ctx, t, "opencode", path)
	events := 0
	shows := func(write int) func() bool {
		return func() bool {
			events++
			n := len(w.journal)
			if n != 2*(write/perMessage+1) {
				return false
			}
			text, err := w.source.Text(w.journal[n-1].Message)
			return text == written(write) && err == nil
		}
	}
	w.until(ctx, shows(halfway))
	writer.let()
	w.until(ctx, shows(writes-1))
	if want, err := os.Stat(path + "-wal"); err != nil || want.Size() == 0 {
		t.Errorf("the log of the database: %v, error %v", want, err)
	}
	writer.ends()
	for i := range writes / perMessage {
		m := w.journal[2*i+1].Message
		text, err := w.source.Text(m)
		if want := written((i+1)*perMessage - 1); text != want || m.ID != fmt.Sprintf(writtenAs, i) || err != nil {
			t.Fatalf("message %d is %s %q, want %q (%v)", i, m.ID, text, want, err)
		}
	}
	if len(w.journal) != 2*writes/perMessage || w.resets > 0 {
		t.Errorf("%d entries, %d resets", len(w.journal), w.resets)
	}
	t.Logf("%d events", events)
	if _, err := w.source.Text(kernel.Message{ID: "x"}); err == nil || errors.Is(err, context.Canceled) {
		t.Errorf("a message without a place: error %v", err)
	}
}
