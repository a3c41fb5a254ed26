package watch

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ctxscope/kernel"
)

// writerVariable names the database that this test binary writes when it is
// started by a test as the agent.
const writerVariable = "CTXSCOPE_TEST_WRITER"

func TestMain(m *testing.M) {
	if path := os.Getenv(writerVariable); path != "" {
		if err := writeSession(path); err != nil {
			fmt.Fprintln(os.Stderr, "writer:", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

const (
	writes      = 10_000
	perMessage  = 40 // writes
	writtenAs   = "m%04d"
	writtenText = "write %d of message %d"
)

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

// writeSession writes a session as an agent does: a row at a time, the newest
// ones changed in place while a reply grows.
func writeSession(path string) error {
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
				"p"+id, id, now, now, fmt.Sprintf(`{"type":"text","text":%q}`, fmt.Sprintf(writtenText, i, message)))
		}
		if err != nil {
			return fmt.Errorf("write %d: %w", i, err)
		}
	}
	return db.Close()
}

// TestAnotherProcessWritesTheDatabase follows a database that a writer in
// another process changes 10,000 times. Neither must be in the other's way, and
// in the end nothing is missing.
func TestAnotherProcessWritesTheDatabase(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	path := filepath.Join(t.TempDir(), "opencode.db")
	writer := exec.CommandContext(ctx, os.Args[0])
	writer.Env = append(os.Environ(), writerVariable+"="+path)
	var complaint strings.Builder
	writer.Stderr = &complaint
	h := realHooks()
	h.timer = func(time.Duration) (<-chan time.Time, func() bool) {
		timer := time.NewTimer(20 * time.Millisecond) // look much more often than a program does
		return timer.C, timer.Stop
	}
	source, err := Open(path, Options{hooks: &h})
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	if err := writer.Start(); err != nil {
		t.Fatal(err)
	}
	var journal []kernel.Entry
	events, grown := 0, 0
	last := fmt.Sprintf(writtenText, writes-1, (writes-1)/perMessage)
	for done := false; !done; events++ {
		e, err := source.Next(ctx)
		if err != nil {
			t.Fatalf("after %d events: %v; writer: %s", events, err, complaint.String())
		}
		if strings.Contains(e.Status.Note, "cannot be read") || e.Session.Refused != "" || e.Reset {
			t.Fatalf("event %d: %+v", events, e.Status)
		}
		if len(e.Change.Entries) > 0 && e.Change.Keep < len(journal) {
			grown++
		}
		journal = append(journal[:e.Change.Keep:e.Change.Keep], e.Change.Entries...)
		if n := len(journal); n == 2*writes/perMessage {
			text, err := source.Text(journal[n-1].Message)
			done = text == last && err == nil
		}
	}
	if err := writer.Wait(); err != nil {
		t.Fatalf("the writer: %v: %s", err, complaint.String())
	}
	for i := range writes / perMessage {
		m := journal[2*i+1].Message
		text, err := source.Text(m)
		if want := fmt.Sprintf(writtenText, (i+1)*perMessage-1, i); text != want || m.ID != fmt.Sprintf(writtenAs, i) || err != nil {
			t.Fatalf("message %d is %s %q, want %q (%v)", i, m.ID, text, want, err)
		}
	}
	if len(journal) != 2*writes/perMessage || events < 10 || grown < 5 {
		t.Errorf("%d entries in %d events, %d of which changed a row", len(journal), events, grown)
	}
	t.Logf("%d events, %d of which changed a row", events, grown)
	if _, err := source.Text(kernel.Message{ID: "x"}); err == nil || errors.Is(err, context.Canceled) {
		t.Errorf("a message without a place: error %v", err)
	}
}
