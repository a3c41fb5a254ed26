package watch

import (
	"database/sql"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// database makes a database of opencode's with two sessions, one of them a
// subagent's of the other.
func (h *home) database(path string) string {
	h.t.Helper()
	h.must(os.MkdirAll(filepath.Dir(h.path(path)), 0o700))
	script, err := os.ReadFile("../testdata/transcripts/opencode/opencode.sql")
	h.must(err)
	db, err := sql.Open("sqlite", "file:"+h.path(path))
	h.must(err)
	defer func() { h.must(db.Close()) }()
	db.SetMaxOpenConns(1)
	for _, query := range []string{string(script), `INSERT INTO session(id,project_id,parent_id,slug,directory,title,version,time_created,time_updated)
		VALUES('ses_child','p','ses_dot000000000000000000000004','s','/proj','helper','1.18.33',1,2)`} {
		_, err = db.Exec(query)
		h.must(err)
	}
	return h.path(path)
}

func TestTheSessionsOfADatabaseAreListed(t *testing.T) {
	h := newHome(t)
	path := h.database(".local/share/opencode/opencode.db")
	m := h.machine("/proj")
	found, err := m.Newest()
	if err != nil || found.Path != path || found.Session == "" || !found.Here || found.Agent != "opencode" {
		t.Fatalf("newest %+v, error %v", found, err)
	}
	if l := found.Look(); l.Session.Title == "" || l.Session.Folder != "/proj" || l.Read != 0 {
		t.Errorf("look %+v", l)
	}
	var all []Seen
	for _, f := range m.All() {
		all = append(all, Seen{Found: f, Look: f.Look()})
	}
	for _, g := range m.Grouped(all) {
		for _, s := range g.Sessions {
			if g.Folder != "/proj" || !g.Here || s.Subagent {
				t.Errorf("%s stands in %s, here %v", s.Key(), g.Folder, g.Here)
			}
			if s.Session == "ses_dot000000000000000000000004" && (len(s.Subagents) != 2 || s.Subagents[1].Session != "ses_child") {
				t.Errorf("subagents %+v", s.Subagents)
			}
		}
	}
}

func TestTheEnvironmentNamesTheDatabase(t *testing.T) {
	h := newHome(t)
	path := h.database("data/opencode/mine.sqlite")
	m := h.machine("/proj")
	if _, err := m.Newest(); err != ErrNoSession {
		t.Errorf("error %v", err)
	}
	h.env["XDG_DATA_HOME"], h.env["OPENCODE_DB"] = h.path("data"), "mine.sqlite"
	if found, err := m.Newest(); err != nil || found.Path != path {
		t.Errorf("newest %+v, error %v", found, err)
	}
	h.env["OPENCODE_DB"] = path
	if found, err := m.Newest(); err != nil || found.Path != path {
		t.Errorf("newest %+v, error %v", found, err)
	}
}

func TestADatabaseThatIsNoneIsSaid(t *testing.T) {
	h := newHome(t)
	path := h.add(".local/share/opencode/opencode.db", "no database")
	if got := refusals(h.machine("/p")); len(got) != 1 || got[filepath.Base(path)] == "" {
		t.Errorf("refused %v", got)
	}
}

func TestTheScoutKnowsSessionsOfADatabaseApart(t *testing.T) {
	h := newHome(t)
	path := h.database(".local/share/opencode/opencode.db")
	s := h.machine("/proj").Scout(path, "ses_dot000000000000000000000004", "/proj")
	if next, ok := s.look(); ok {
		t.Fatalf("%s before anything happened", next.Key())
	}
	db, err := sql.Open("sqlite", "file:"+path)
	h.must(err)
	defer func() { h.must(db.Close()) }()
	_, err = db.Exec(`INSERT INTO session(id,project_id,slug,directory,title,version,time_created,time_updated) VALUES('ses_new','p','s','/proj','new','1.18.33',1,?)`, time.Now().UnixMilli())
	h.must(err)
	if next, ok := s.look(); !ok || next.Session != "ses_new" {
		t.Errorf("it names %q, %v", next.Key(), ok)
	}
}
