package opencode

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"ctxscope/kernel"
	"ctxscope/watch/decode"
)

// tables are those of a database of opencode's, as far as they matter here.
const tables = `
	PRAGMA journal_mode=WAL;
	CREATE TABLE session(id text PRIMARY KEY, project_id text NOT NULL, parent_id text, slug text NOT NULL, directory text NOT NULL, title text NOT NULL,
		version text NOT NULL, revert text, agent text, model text, time_created integer NOT NULL, time_updated integer NOT NULL);
	CREATE TABLE message(id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);
	CREATE TABLE part(id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL, time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);
	CREATE INDEX message_session_time_created_id_idx ON message(session_id,time_created,id);
	CREATE INDEX part_message_id_id_idx ON part(message_id,id);
	CREATE TABLE account(id text PRIMARY KEY, secret text);`

// newDatabase makes a database by a script. The writer's connection stays open
// until the test ends, as an agent's does.
func newDatabase(t testing.TB, script string) (path string, writer *sql.DB) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "open #1 50%? code.db") // a name that has to be written with care
	uri := url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: "_pragma=busy_timeout(0)"}
	writer, err := sql.Open("sqlite", uri.String())
	if err != nil {
		t.Fatal(err)
	}
	writer.SetMaxOpenConns(1)
	t.Cleanup(func() { writer.Close() })
	must(t, writer, script)
	return path, writer
}

func must(t testing.TB, db *sql.DB, query string, args ...any) {
	t.Helper()
	if _, err := db.Exec(query, args...); err != nil {
		t.Fatalf("%.60s: %v", query, err)
	}
}

// putSession, putMessage and putPart write rows as opencode does.
func putSession(t testing.TB, db *sql.DB, id, parent string, updated int64) {
	t.Helper()
	must(t, db, `INSERT INTO session(id,project_id,parent_id,slug,directory,title,version,time_created,time_updated)
		VALUES(?,'p',nullif(?,''),'slug','/proj',?,'1.18.33',1,?)`, id, parent, "title of "+id, updated)
}

func putMessage(t testing.TB, db *sql.DB, session, id string, created int64, data string) {
	t.Helper()
	must(t, db, `INSERT INTO message VALUES(?,?,?,?,?) ON CONFLICT(id) DO UPDATE SET data=excluded.data, time_updated=excluded.time_updated`, id, session, created, created, data)
}

func putPart(t testing.TB, db *sql.DB, message, id string, updated int64, data string) {
	t.Helper()
	must(t, db, `INSERT INTO part SELECT ?,?,session_id,?,?,? FROM message WHERE id=?
		ON CONFLICT(id) DO UPDATE SET data=excluded.data, time_updated=excluded.time_updated`, id, message, updated, updated, data, message)
}

const (
	userData  = `{"role":"user","time":{"created":1}}`
	replyData = `{"role":"assistant","parentID":"m1","tokens":{"input":100,"output":5,"reasoning":0,"cache":{"read":0,"write":0}},"modelID":"claude-sonnet-4-5","finish":"stop","time":{"created":2}}`
)

func textData(text string) string { return fmt.Sprintf(`{"type":"text","text":%q}`, text) }

// followed is a session that a test follows.
type followed struct {
	t     testing.TB
	store interface {
		Read(ctx context.Context, into *decode.Opencode, piece int64) (State, error)
		Record(ctx context.Context, number int64) ([]byte, error)
	}
	decoder *decode.Opencode
	journal []kernel.Entry
	state   State
}

func follow(t testing.TB, path, session string) *followed {
	return &followed{t: t, store: NewDatabase(path, session), decoder: decode.NewOpencode(nil)}
}

// look reads everything there is to read now.
func (f *followed) look() error {
	for {
		state, err := f.store.Read(context.Background(), f.decoder, 1<<20)
		f.state = state
		if err != nil || !state.More {
			c := f.decoder.Change()
			f.journal = append(f.journal[:c.Keep:c.Keep], c.Entries...)
			return err
		}
	}
}

// texts are the texts of the log, read again from the store.
func (f *followed) texts() []string {
	f.t.Helper()
	var out []string
	for _, m := range f.log() {
		out = append(out, f.text(m))
	}
	return out
}

func (f *followed) text(m kernel.Message) string {
	f.t.Helper()
	data, err := f.store.Record(context.Background(), m.Source.Offset)
	if err != nil {
		f.t.Fatal(err)
	}
	text, ok := f.decoder.Text(data, m.Source.Part)
	if !ok || kernel.Len16(text) != m.Chars {
		f.t.Fatalf("message %s: read %q again, measured %d chars", m.ID, text, m.Chars)
	}
	return text
}

// log is the list that the journal leaves.
func (f *followed) log() []kernel.Message {
	var log []kernel.Message
	for _, e := range f.journal {
		switch e.Op {
		case kernel.Append:
			log = append(log, e.Message)
		case kernel.Replace:
			log = append([]kernel.Message(nil), e.List...)
		}
	}
	return log
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
