package tui

import (
	"database/sql"
	"os"
	"path/filepath"
	"testing"

	_ "modernc.org/sqlite"
)

// TestASubagentOfADatabaseOpensFromTheCallThatStartedIt goes from a message of
// opencode's that calls the task tool to the session of that task, and back.
func TestASubagentOfADatabaseOpensFromTheCallThatStartedIt(t *testing.T) {
	at := newMachine(t)
	path := filepath.Join(at.Home, ".local", "share", "opencode", "opencode.db")
	script, err := os.ReadFile("../testdata/transcripts/opencode/opencode.sql")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	for _, query := range []string{string(script), `INSERT INTO part VALUES('prt_0035','msg_a2','ses_dot000000000000000000000004',1,1,
		'{"type":"tool","tool":"task","callID":"call_9","state":{"status":"completed","input":{"prompt":"search","description":"s"},"output":"found","time":{"start":1,"end":2}}}')`} {
		if _, err := db.Exec(query); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	const parent, child = "ses_dot000000000000000000000004", "ses_dot000000000000000000000005"
	m := openMachine(t, at, at.main, nil)
	next, cmd := m.switchTo(target{path, parent}, "")
	m = settle(t, next, cmd)
	if m.place() != (target{path, parent}) || m.live.session.ID != parent {
		t.Fatalf("%v is on the screen", m.place())
	}
	m = drive(t, m, keys("6", "g", "j", "a")...)
	if m.place() != (target{path, child}) || m.live.session.ID != child {
		t.Fatalf("%v is on the screen, note %q", m.place(), m.note)
	}
	m = drive(t, m, keys("1", "esc")...)
	if m.place() != (target{path, parent}) {
		t.Errorf("esc leads to %v", m.place())
	}
}
