package watch

import (
	"database/sql"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"ctxscope/kernel"
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
	for _, g := range m.Grouped(seen(m)) {
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

// storage copies the old files of a session of opencode's.
func (h *home) storage(path string) string {
	h.t.Helper()
	h.must(os.CopyFS(h.path(path), os.DirFS("../testdata/transcripts/opencode/storage")))
	return h.path(filepath.Join(path, "session/pppppppppppppppppppppppppppppppppppppppp/ses_dot000000000000000000000004.json"))
}

func TestTheSessionsOfAFolderOfFilesAreListed(t *testing.T) {
	h := newHome(t)
	path := h.storage(".local/share/opencode/storage")
	child := filepath.Join(filepath.Dir(path), "ses_child.json")
	h.must(os.WriteFile(child, []byte(`{"id":"ses_child","parentID":"ses_dot000000000000000000000004","version":"0.15.0","title":"helper","directory":"/proj","time":{"created":1,"updated":2}}`), 0o600))
	h.must(os.WriteFile(filepath.Join(filepath.Dir(path), "ses_none.json"), []byte(`{"id":"other"}`), 0o600))
	m := h.machine("/proj")
	found, err := m.Newest()
	if err != nil || found.Path != path || !found.Here || found.Agent != "opencode" || found.Subagent {
		t.Fatalf("newest %+v, error %v", found, err)
	}
	s := found.Seen()
	if d := s.Look.Session; d.ID != "ses_dot000000000000000000000004" || d.Title != "Dot work" || d.Folder != "/proj" || d.Model != "claude-sonnet-4-5" ||
		d.Usage.Tokens != 1_600 || d.Usage.Stale || s.Modified.UnixMilli() != 1_767_607_290_000 {
		t.Errorf("session %+v, modified %v", d, s.Modified)
	}
	if got := refusals(m); len(got) != 1 || got["ses_none.json"] != "it is not the file of a session" {
		t.Errorf("refused %v", got)
	}
	if groups := m.Grouped(seen(m)); len(groups) != 1 || len(groups[0].Sessions) != 1 || len(groups[0].Sessions[0].Subagents) != 1 || groups[0].Sessions[0].Subagents[0].Path != child {
		t.Errorf("groups %+v", groups)
	}
	source, err := Open(found.Path, Options{Once: true})
	h.must(err)
	if e, err := source.Next(t.Context()); err != nil || e.Session.ID != s.Look.Session.ID {
		t.Errorf("session %+v, error %v", e.Session, err)
	}
}

func TestADatabaseWinsOverTheFilesOfTheSameSession(t *testing.T) {
	h := newHome(t)
	h.storage(".local/share/opencode/storage")
	database := h.database(".local/share/opencode/opencode.db")
	for _, f := range h.machine("/proj").All() {
		if f.Path != database {
			t.Errorf("%s is listed beside the database", f.Path)
		}
	}
}

func TestASessionOfADatabaseTellsItsContext(t *testing.T) {
	h := newHome(t)
	h.database(".local/share/opencode/opencode.db")
	got := map[string]kernel.Tokens{}
	for _, f := range h.machine("/proj").All() {
		d := f.Look().Session
		got[f.Session] = d.Usage.Tokens
		if d.Usage.Known && d.Model != "claude-sonnet-4-5" {
			t.Errorf("%s: model %q", f.Session, d.Model)
		}
	}
	want := map[string]kernel.Tokens{"ses_dot000000000000000000000004": 1_600, "ses_dot000000000000000000000005": 60_005, "ses_child": 0}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("context %v, want %v", got, want)
	}
}

func TestADatabaseThatALinkLeadsOutToIsRefused(t *testing.T) {
	h := newHome(t)
	elsewhere := h.database("elsewhere/opencode.db")
	link := h.path(".local/share/opencode/opencode.db")
	h.must(os.MkdirAll(filepath.Dir(link), 0o700))
	h.must(os.Symlink(elsewhere, link))
	m := h.machine("/proj")
	if got := refusals(m); len(got) != 1 || !strings.HasPrefix(got["opencode.db"], "it is a symbolic link that leads out of the session folder, to "+elsewhere) {
		t.Errorf("refused %v", got)
	}
	if _, err := m.Latest(); err != ErrNoSession {
		t.Errorf("error %v", err)
	}
	h.env["OPENCODE_DB"] = elsewhere // a person may keep it where they like
	if found, err := m.Latest(); err != nil || found.Path != elsewhere {
		t.Errorf("latest %+v, error %v", found, err)
	}
	delete(h.env, "OPENCODE_DB")
	h.must(os.Remove(link))
	inside := h.database(".local/share/opencode/opencode.db")
	h.must(os.Symlink(inside, filepath.Join(filepath.Dir(inside), "opencode-beta.db")))
	for _, f := range m.All() {
		if f.Path != inside {
			t.Errorf("%s is listed twice", f.Path)
		}
	}
}

// The size of a session is that of its own records, and asked for when the
// session is looked at for a list; opening the newest one does not wait for it.
func TestASessionOfOpencodeTellsItsSize(t *testing.T) {
	h := newHome(t)
	h.database("data/opencode/opencode.db")
	h.storage(".local/share/opencode/storage")
	for data, want := range map[string]map[string]int64{
		"data":         {"ses_dot000000000000000000000004": 1_588, "ses_dot000000000000000000000005": 791, "ses_child": 0},
		".local/share": {"": 3_264},
	} {
		h.env["XDG_DATA_HOME"] = h.path(data)
		m := h.machine("/proj")
		m.sizing = time.Hour
		got := map[string]int64{}
		for _, s := range seen(m) {
			got[s.Session] = s.Size
			if again := s.Found.SeenAs(s.Look); again.Size != s.Size {
				t.Errorf("%s: seen as before it has %d bytes, then %d", s.Key(), s.Size, again.Size)
			}
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("sizes %v, want %v", got, want)
		}
		for _, f := range m.All() {
			if s := f.SeenAs(f.Look()); s.Size != 0 {
				t.Errorf("%s was asked for its size", f.Key())
			}
		}
		if newest, err := m.Newest(); err != nil || newest.Size != 0 {
			t.Errorf("newest %+v, error %v", newest, err)
		}
	}
}
