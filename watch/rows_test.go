package watch

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ctxscope/kernel"
	"ctxscope/watch/decode"
	"ctxscope/watch/opencode"
)

const openTranscripts = "../testdata/transcripts/opencode"

// readOnce opens a file and reads it to its end.
func readOnce(t *testing.T, path string, options Options) (Event, Source) {
	t.Helper()
	options.Once = true
	source, err := Open(path, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = source.Close() })
	e, err := source.Next(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := source.Next(context.Background()); !errors.Is(err, io.EOF) {
		t.Errorf("behind the end: error %v", err)
	}
	return e, source
}

// appendedTexts are the texts of what a change appends, read again.
func appendedTexts(t *testing.T, source Source, c kernel.Change) []string {
	t.Helper()
	var out []string
	for _, e := range c.Entries {
		if e.Op != kernel.Append {
			continue
		}
		text, err := source.Text(e.Message)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, text)
	}
	return out
}

// load makes a database of a script; its writer stays as an agent's does.
func load(t *testing.T, path, script string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=journal_mode(WAL)")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	db.SetMaxOpenConns(1)
	if _, err := db.Exec(script); err != nil {
		t.Fatal(err)
	}
	return db
}

func TestEveryFormOfAnOpencodeSessionOpensTheSame(t *testing.T) {
	d := newDisk(t)
	script, err := os.ReadFile(filepath.Join(openTranscripts, "opencode.sql"))
	d.must(err)
	load(t, d.path("any name"), string(script)) // the content decides, not the name
	tree, err := filepath.Glob(filepath.Join(openTranscripts, "storage", "session", "*", "*.json"))
	d.must(err)
	const want = `["Which words?" "{\"filePath\":\"/proj/notes.txt\"}\nalpha\nbeta" "Two words."]`
	for _, path := range append(tree, d.path("any name")) {
		e, source := readOnce(t, path, Options{})
		if got := fmt.Sprintf("%q", appendedTexts(t, source, e.Change)); got != want {
			t.Errorf("%s: texts %s", path, got)
		}
		s, st := e.Session, e.Status
		if s.Format != "opencode" || s.ID != "ses_dot000000000000000000000004" || s.Title != "Dot work" || s.Folder != "/proj" || s.Usage.Tokens != 1600 {
			t.Errorf("%s: session %+v", path, s)
		}
		if st.Name != filepath.Base(path) || st.Mode != ModeOnce || st.Loading() || st.Live || st.Size == 0 || st.Modified == 0 || st.Note != "" {
			t.Errorf("%s: status %+v", path, st)
		}
	}
	child, source := readOnce(t, d.path("any name"), Options{Session: "ses_dot000000000000000000000005"})
	if got := fmt.Sprintf("%q", appendedTexts(t, source, child.Change)); got != `["search" "found"]` || child.Session.Usage.Tokens != 60005 {
		t.Errorf("the child: texts %s, session %+v", got, child.Session)
	}
}

func TestAnExportIsFollowedLikeAFile(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(openTranscripts, "export.json"))
	d, w := newDisk(t), newWorld(t)
	d.must(err)
	h := w.hooks()
	h.newDecoder = func(count kernel.Counter) decode.Decoder { return decode.New("", count) }
	text := strings.TrimSpace(string(data)) // without the last LF
	path := d.write("s.json", text[:len(text)-700])
	f := w.open(path, Options{hooks: h})
	f.poll()
	if len(f.entries) != 0 || f.last.Session.Format != "opencode" {
		t.Fatalf("half an export: %d entries, %+v", len(f.entries), f.last.Session)
	}
	d.append("s.json", text[len(text)-700:])
	f.poll()
	texts := appendedTexts(t, f.tail, kernel.Change{Entries: f.entries})
	if len(texts) != 8 || texts[0] != "Read the log.\nCalled the read tool with a.txt" || texts[7] != "One fold, one refusal." {
		t.Fatalf("texts %q, problems %+v", texts, f.last.Session.Problems)
	}
	d.append("s.json", "\n")
	f.poll()
	if f.resets != 0 || len(f.last.Session.Problems) > 0 || f.last.Status.Note != "" {
		t.Errorf("%d resets, %+v", f.resets, f.last)
	}
	d.writeAt("s.json", "ReAd", int64(strings.Index(text, "Read the log")))
	if text, err := f.tail.Text(f.entries[0].Message); err == nil {
		t.Errorf("the file has changed, but the text is %q", text)
	}
}

// stepper follows rows, one look at a time.
type stepper struct {
	t       *testing.T
	rows    *rows
	journal []kernel.Entry
	last    Event
}

func (w *world) rows(path string) *stepper {
	w.t.Helper()
	source, err := Open(path, Options{hooks: w.hooks()})
	if err != nil {
		w.t.Fatal(err)
	}
	return &stepper{t: w.t, rows: source.(*rows)}
}

func (s *stepper) next() Event {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	e, err := s.rows.Next(ctx)
	if err != nil {
		s.t.Fatal(err)
	}
	s.journal = append(s.journal[:e.Change.Keep:e.Change.Keep], e.Change.Entries...)
	s.last = e
	return e
}

func (s *stepper) wantNote(note string) {
	s.t.Helper()
	if got := s.last.Status.Note; got != note {
		s.t.Errorf("note %q, want %q", got, note)
	}
	wantWaiting(s.t, s.last.Status)
}

func TestADatabaseIsFollowedFromItsBirth(t *testing.T) {
	d, w := newDisk(t), newWorld(t)
	path := d.path("opencode.db")
	f := w.rows(path)
	f.next()
	f.wantNote("waiting for the file to be made")
	if !f.last.Status.Missing {
		t.Errorf("status %+v", f.last.Status)
	}
	db := load(t, path, strings.Split(sessionTables, "INSERT")[0])
	f.next()
	f.wantNote("waiting for the first session")
	steps := []struct{ script, note, texts string }{
		{`INSERT INTO session VALUES('s', NULL, '/proj', 'title', NULL, NULL, 1, 1)`, "waiting for the first message", `[]`},
		{`INSERT INTO message VALUES('u','s',1,1,'{"role":"user"}'); INSERT INTO part VALUES('p','u','s',1,1,'{"type":"text","text":"go"}')`, "", `["go"]`},
		{`INSERT INTO message VALUES('a','s',2,2,'{"role":"assistant"}'); INSERT INTO part VALUES('q','a','s',2,2,'{"type":"text","text":"h"}')`, "", `["go" "h"]`},
		{`UPDATE part SET data='{"type":"text","text":"hello"}', time_updated=3 WHERE id='q'`, "", `["go" "hello"]`},
		{`UPDATE session SET title='another'`, "", `["go" "hello"]`},
		{`DELETE FROM session`, "the session was deleted; the last state stands", `["go" "hello"]`},
	}
	for _, step := range steps {
		if _, err := db.Exec(step.script); err != nil {
			t.Fatal(err)
		}
		f.next()
		f.wantNote(step.note)
		if got := fmt.Sprintf("%q", appendedTexts(t, f.rows, kernel.Change{Entries: f.journal})); got != step.texts {
			t.Errorf("%s: texts %s, want %s", step.script, got, step.texts)
		}
	}
	if s := f.last; s.Session.Title != "another" || s.Status.Mode != ModePolling || s.Status.Live {
		t.Errorf("last event %+v", s)
	}
	d.must(db.Close())
	d.remove("opencode.db")
	f.next()
	f.wantNote("the file is gone; the last state stands")
	if _, err := f.rows.Text(f.journal[0].Message); err == nil {
		t.Error("a text of a database that is gone")
	}
	d.must(f.rows.Close())
	if _, err := f.rows.Next(context.Background()); !errors.Is(err, io.EOF) {
		t.Errorf("behind the end: error %v", err)
	}
}

func TestAnotherDatabaseInItsPlaceIsReadAgain(t *testing.T) {
	d, w := newDisk(t), newWorld(t)
	row := func(text string) string {
		return sessionTables + `INSERT INTO message VALUES('u','s',1,1,'{"role":"user"}'); INSERT INTO part VALUES('p','u','s',1,1,'{"type":"text","text":"` + text + `"}')`
	}
	d.must(load(t, d.path("a.db"), row("one")).Close())
	d.must(load(t, d.path("b.db"), row("two")).Close())
	f := w.rows(d.path("a.db"))
	f.next()
	d.must(os.Rename(d.path("b.db"), d.path("a.db")))
	f.next()
	if got := appendedTexts(t, f.rows, kernel.Change{Entries: f.journal}); !slices.Equal(got, []string{"two"}) {
		t.Errorf("texts %q", got)
	}
}

// fixedStore is a store whose answers a test gives.
type fixedStore struct {
	answers []error
	states  []opencode.State
}

func (s *fixedStore) Read(context.Context, *decode.Opencode, int64) (opencode.State, error) {
	err, state := s.answers[0], s.states[0]
	if len(s.answers) > 1 {
		s.answers, s.states = s.answers[1:], s.states[1:]
	}
	return state, err
}

func (s *fixedStore) Record(context.Context, int64) ([]byte, error) {
	return []byte(`{"info":{"role":"user"},"parts":[{"type":"text","text":"another"}]}`), nil
}

func TestAStoreThatCannotBeReadKeepsItsState(t *testing.T) {
	w := newWorld(t)
	found := opencode.State{Found: true, Modified: w.now.UnixMilli()}
	s := &fixedStore{
		answers: append(slices.Repeat([]error{opencode.ErrBusy}, 20), opencode.ErrNoSession, nil, errors.New("disk on fire")),
		states:  append(make([]opencode.State, 21), found, found),
	}
	f := &stepper{t: t, rows: newRows("/x/opencode.db", s, Options{hooks: w.hooks()})}
	for _, want := range []string{
		"waiting for the first message", // which a store that is busy for a moment may bring
		"it cannot be read now: the database is busy; the last state stands", "no opencode session", "waiting for the first message",
		"it cannot be read now: disk on fire; the last state stands",
	} {
		f.next()
		f.wantNote(want)
		if refused := f.last.Session.Refused; (refused == "") == (want == "no opencode session") {
			t.Errorf("%s: refused with %q", want, refused)
		}
	}
	if !f.last.Status.Live || f.last.Status.Missing {
		t.Errorf("status %+v", f.last.Status)
	}
	m := kernel.Message{ID: "u", Chars: 3, Source: kernel.Source{Length: 1}}
	if _, err := f.rows.Text(m); err == nil || !strings.Contains(err.Error(), "has changed since it was read") {
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := f.rows.Next(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestAStoreReadOnceIsWaitedForOnlyShortly(t *testing.T) {
	for _, c := range []struct {
		answers []error
		want    error
	}{
		{[]error{opencode.ErrBusy, opencode.ErrBusy, nil}, nil},
		{[]error{opencode.ErrBusy}, opencode.ErrBusy},
		{[]error{os.ErrPermission}, os.ErrPermission},
	} {
		w := newWorld(t)
		r := newRows("/x/opencode.db", &fixedStore{c.answers, make([]opencode.State, len(c.answers))}, Options{hooks: w.hooks(), Once: true})
		if _, err := r.Next(context.Background()); !errors.Is(err, c.want) {
			t.Errorf("error %v, want %v", err, c.want)
		}
	}
}

func TestFilesThatOnlyLookLikeStores(t *testing.T) {
	d, w := newDisk(t), newWorld(t)
	load(t, d.path("other.db"), `CREATE TABLE account(secret text)`)
	e, _ := readOnce(t, d.path("other.db"), Options{})
	if !strings.Contains(e.Session.Refused, "this SQLite database is not opencode's") {
		t.Errorf("refused with %q", e.Session.Refused)
	}
	for name, data := range map[string]string{
		"records.db":  record("a", "one"),
		"ses_x.json":  record("a", "one"),
		"state.json":  `{"id":"ses_x","version":"1","time":{"created":1},"info":{}}`,
		"broken.json": `{"id":"ses_x","version":"1","time":`,
		"escape.json": `{"id":"ses_/../x","version":"1","time":{"created":1}}`,
	} {
		f := w.follow(d.write(name, data)) // a tail
		f.poll()
	}
}
