package opencode

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ctxscope/watch/decode"
)

func TestRowsThatAreNotYetInTheDatabaseFileAreSeen(t *testing.T) {
	path, writer := newDatabase(t, tables)
	must(t, writer, `PRAGMA wal_checkpoint(TRUNCATE)`)
	putSession(t, writer, "s", "", 10)
	putMessage(t, writer, "s", "m1", 1, userData)
	putPart(t, writer, "m1", "p1", 1, textData("hello"))
	f := follow(t, path, "")
	f.mustLook("hello")
	putMessage(t, writer, "s", "m2", 2, replyData)
	putPart(t, writer, "m2", "p2", 2, textData("h"))
	f.mustLook("hello", "h")
	for _, text := range []string{"hi", "hi there", "hi yours", "hi mines"} { // all at one time, the last ones of one length
		putPart(t, writer, "m2", "p2", 3, textData(text))
		f.mustLook("hello", text)
	}
	must(t, writer, `PRAGMA wal_checkpoint(TRUNCATE)`)
	f.mustLook("hello", "hi mines")
	must(t, writer, `DELETE FROM part WHERE id = 'p2'; DELETE FROM message WHERE id = 'm2'`)
	f.mustLook("hello")
	if s := f.state; s.More || !s.Found || s.Read != s.Size || s.Modified != 10 || s.Note != "" {
		t.Errorf("state %+v", s)
	}
}

func (f *followed) mustLook(want ...string) {
	f.t.Helper()
	if err := f.look(); err != nil {
		f.t.Fatal(err)
	}
	if got := f.texts(); !slices.Equal(got, want) {
		f.t.Fatalf("texts %q, want %q", got, want)
	}
}

func TestNothingIsWrittenBesideTheDatabase(t *testing.T) {
	path, writer := newDatabase(t, tables)
	putSession(t, writer, "s", "", 10)
	putMessage(t, writer, "s", "m1", 1, userData)
	for _, open := range []bool{true, false} {
		if !open { // the last connection takes the log away
			if err := writer.Close(); err != nil {
				t.Fatal(err)
			}
		}
		before := listing(t, filepath.Dir(path))
		f := follow(t, path, "")
		f.mustLook("")
		if after := listing(t, filepath.Dir(path)); after != before {
			t.Errorf("writer there %v: the folder is\n%s\nand was\n%s", open, after, before)
		}
		if n := strings.Count(before, "\n"); n != map[bool]int{true: 3, false: 1}[open] {
			t.Errorf("writer there %v: %d files", open, n)
		}
	}
}

// listing is the names, sizes and times of the files of a folder. The index of
// a log is shared memory: readers note in it how far they read.
func listing(t *testing.T, folder string) string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%s %d %v", e.Name(), info.Size(), info.Mode())
		if !strings.HasSuffix(e.Name(), "-shm") {
			fmt.Fprintf(&b, " %v", info.ModTime())
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestALogWithoutItsIndexIsReadFromACopy(t *testing.T) {
	path, writer := newDatabase(t, tables)
	putSession(t, writer, "s", "", 10)
	putMessage(t, writer, "s", "m1", 1, userData)
	putPart(t, writer, "m1", "p1", 1, textData("in the log"))
	// As after a power cut, in a folder where nothing can be made: the index
	// leads nowhere.
	folder := t.TempDir()
	cut := filepath.Join(folder, "opencode.db")
	if err := errors.Join(copyFile(path, cut), copyFile(path+"-wal", cut+"-wal"), os.Symlink(filepath.Join(folder, "no", "where"), cut+"-shm")); err != nil {
		t.Fatal(err)
	}
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	f := follow(t, cut, "")
	f.mustLook("in the log")
	if left := listing(t, temporary); left != "" {
		t.Errorf("the copy stays: %s", left)
	}
}

func TestALogThatIsTooLargeToCopyIsNamed(t *testing.T) {
	path, writer := newDatabase(t, tables)
	putSession(t, writer, "s", "", 10)
	folder := t.TempDir()
	left := filepath.Join(folder, "opencode.db")
	if err := errors.Join(copyFile(path, left), copyFile(path+"-wal", left+"-wal"), os.Truncate(left+"-wal", 64<<30)); err != nil {
		t.Fatal(err)
	}
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	err := follow(t, left, "").look()
	if err == nil || !strings.Contains(err.Error(), "opencode.db-wal has 68719476736 bytes") {
		t.Errorf("error %v", err)
	}
	if rest := listing(t, temporary); rest != "" {
		t.Errorf("the copy stays: %s", rest)
	}
}

func TestNoIndexIsMadeBesideALogThatNobodyWrites(t *testing.T) {
	path, writer := newDatabase(t, tables)
	putSession(t, writer, "s", "", 10)
	putMessage(t, writer, "s", "m1", 1, userData)
	putPart(t, writer, "m1", "p1", 1, textData("in the log"))
	folder := t.TempDir()
	left := filepath.Join(folder, "opencode.db")
	if err := errors.Join(copyFile(path, left), copyFile(path+"-wal", left+"-wal")); err != nil {
		t.Fatal(err)
	}
	before := listing(t, folder)
	f := follow(t, left, "")
	f.mustLook("in the log")
	if after := listing(t, folder); after != before {
		t.Errorf("looking changed the folder:\n%s\nwas\n%s", after, before)
	}
}

func TestTheNewestSessionThatNoOtherStartedIsChosen(t *testing.T) {
	first, rest, _ := strings.Cut(tables, "CREATE TABLE message")
	path, writer := newDatabase(t, first)
	f := follow(t, path, "")
	for _, script := range []string{"", "CREATE TABLE message" + rest} {
		must(t, writer, script)
		if err := f.look(); err != nil || f.state.Note != "waiting for the first session" || f.state.Found {
			t.Fatalf("without a session: %+v, error %v", f.state, err)
		}
	}
	putSession(t, writer, "old", "", 10)
	putSession(t, writer, "new", "", 20)
	putSession(t, writer, "child", "new", 30)
	f.mustLook()
	if id := f.decoder.Session().ID; id != "new" || f.state.Note != "" || !f.state.Found {
		t.Errorf("session %q, state %+v", id, f.state)
	}
	must(t, writer, `UPDATE session SET time_updated = 40 WHERE id = 'old'`)
	f.mustLook()
	if id := f.decoder.Session().ID; id != "new" {
		t.Errorf("it is left for %q", id)
	}
	all, err := Sessions(context.Background(), path)
	if err != nil || len(all) != 3 {
		t.Fatalf("%+v, error %v", all, err)
	}
	if s := all[1]; s.ID != "child" || s.Parent != "new" || s.Title != "title of child" || s.Folder != "/proj" || s.Updated.UnixMilli() != 30 {
		t.Errorf("session %+v", s)
	}
}

func TestASessionThatIsSetBackAndRenamed(t *testing.T) {
	path, writer := newDatabase(t, tables)
	putSession(t, writer, "s", "", 10)
	putMessage(t, writer, "s", "m1", 1, userData)
	putPart(t, writer, "m1", "p1", 1, textData("one"))
	putPart(t, writer, "m1", "p2", 1, textData("two"))
	putMessage(t, writer, "s", "m2", 2, replyData)
	f := follow(t, path, "s")
	f.mustLook("one\ntwo", "")
	must(t, writer, `UPDATE session SET title = 'another', revert = '{"messageID":"m1","partID":"p2"}'`)
	f.mustLook("one")
	if s := f.decoder.Session(); s.Title != "another" || s.Meter.OffBranch != 1 {
		t.Errorf("session %+v", s)
	}
	must(t, writer, `UPDATE session SET revert = NULL`)
	f.mustLook("one\ntwo", "")
	must(t, writer, `DELETE FROM session`)
	f.mustLook("one\ntwo", "")
	if f.state.Note != "the session was deleted; the last state stands" {
		t.Errorf("state %+v", f.state)
	}
}

func TestADatabaseOfAnOlderVersionHasFewerColumns(t *testing.T) {
	path, _ := newDatabase(t, `
		CREATE TABLE session(id text, parent_id text, title text, time_updated integer);
		CREATE TABLE message(id text, session_id text, time_created integer, time_updated integer, data text);
		CREATE TABLE part(id text, message_id text, session_id text, time_updated integer, data text);
		INSERT INTO session VALUES('s', NULL, 't', 1);
		INSERT INTO message VALUES('m', 's', 1, NULL, NULL);
		INSERT INTO message VALUES('m2', 's', 2, 'x', '{"role":"user"}');
		INSERT INTO part VALUES('p', 'm2', 's', NULL, '{"type":"text","text":"hello"}');
		INSERT INTO part VALUES('p2', 'm2', 's', NULL, x'ff00');`)
	f := follow(t, path, "")
	f.mustLook("hello")
	var got []string
	for _, p := range f.decoder.Session().Problems {
		got = append(got, p.Where()+": "+p.Reason)
	}
	if want := []string{"message m: its record is no message", "message m2: one of its parts is no record"}; !slices.Equal(got, want) {
		t.Errorf("problems %q", got)
	}
}

func TestWhatIsNoDatabaseOfSessions(t *testing.T) {
	folder := t.TempDir()
	other, _ := newDatabase(t, `CREATE TABLE account(id text)`)
	good, writer := newDatabase(t, tables)
	putSession(t, writer, "s", "", 10)
	text := filepath.Join(folder, "text.db")
	write(t, text, "SQLite format 3\x00 and then nothing that one could read")
	for _, c := range []struct {
		path, session string
		want          error
		sentence      string
	}{
		{other, "", ErrNoSession, "this SQLite database is not opencode's, it has no tables session, message and part"},
		{text, "", ErrNoSession, "file is not a database"},
		{good, "elsewhere", ErrNoSession, "the database has no session elsewhere"},
		{filepath.Join(folder, "none.db"), "", fs.ErrNotExist, "no such file"},
	} {
		f := follow(t, c.path, c.session)
		if err := f.look(); !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.sentence) {
			t.Errorf("%s: error %v", c.sentence, err)
		}
	}
	strange := filepath.Join(folder, "strange.db")
	if err := errors.Join(copyFile(good, strange), os.Mkdir(strange+"-wal", 0o700)); err != nil {
		t.Fatal(err)
	}
	if err := follow(t, strange, "").look(); err == nil || err.Error() != "strange.db-wal is not a regular file" {
		t.Errorf("a log that is none: error %v", err)
	}
	if _, err := Sessions(context.Background(), other); !errors.Is(err, ErrNoSession) {
		t.Errorf("list: error %v", err)
	}
	empty := filepath.Join(folder, "empty.db")
	write(t, empty, "")
	f := follow(t, empty, "")
	if err := f.look(); err != nil || f.state.Note != "waiting for the first session" {
		t.Errorf("an empty file: %+v, error %v", f.state, err)
	}
}

func TestADatabaseInATransactionIsBusyForNow(t *testing.T) {
	path, writer := newDatabase(t, strings.Replace(tables, "WAL", "DELETE", 1))
	putSession(t, writer, "s", "", 10)
	putMessage(t, writer, "s", "m1", 1, userData)
	f := follow(t, path, "")
	// The cache overflows, so that half of the transaction is in the file.
	must(t, writer, `PRAGMA cache_size=2`)
	must(t, writer, `BEGIN EXCLUSIVE`)
	for i := range 20 {
		putPart(t, writer, "m1", fmt.Sprintf("p%02d", i), 1, textData(strings.Repeat("half", 3000)))
	}
	if err := f.look(); !errors.Is(err, ErrBusy) {
		t.Errorf("error %v", err)
	}
	must(t, writer, `DELETE FROM part`)
	putPart(t, writer, "m1", "p1", 1, textData("whole"))
	must(t, writer, `COMMIT`)
	f.mustLook("whole")
}

// The writer waits for no lock: what it does would fail if there was one.
func TestReadingTakesNoLockOfANewDatabase(t *testing.T) {
	path, writer := newDatabase(t, strings.Replace(tables, "WAL", "DELETE", 1))
	putSession(t, writer, "s", "", 10)
	putMessage(t, writer, "s", "m1", 1, userData)
	putPart(t, writer, "m1", "p1", 1, textData("before"))
	f := follow(t, path, "")
	f.mustLook("before")
	for _, change := range []func(){
		func() { putPart(t, writer, "m1", "p1", 2, textData("after")) },
		func() { must(t, writer, `PRAGMA journal_mode=WAL`) },
	} {
		err := f.store.(*Database).inside(t.Context(), func(tx *sql.Tx) error {
			var n int
			if err := tx.QueryRow(`SELECT count(*) FROM part`).Scan(&n); err != nil || n != 1 {
				t.Errorf("%d parts, error %v", n, err)
			}
			change()
			return nil
		})
		if !errors.Is(err, ErrBusy) {
			t.Errorf("what was changed while it was read: error %v", err)
		}
	}
	f.mustLook("after")
}

func TestALargeSessionIsReadInPieces(t *testing.T) {
	path, writer := newDatabase(t, tables)
	putSession(t, writer, "s", "", 10)
	must(t, writer, `BEGIN`)
	for i := range 100 {
		id := fmt.Sprintf("m%03d", i)
		putMessage(t, writer, "s", id, int64(i), userData)
		putPart(t, writer, id, "p"+id, int64(i), textData(strings.Repeat("x", 1000)))
	}
	must(t, writer, `COMMIT`)
	store, into := NewDatabase(path, ""), decode.NewOpencode(nil)
	pieces, entries, read := 0, 0, int64(0)
	for more := true; more; pieces++ {
		state, err := store.Read(context.Background(), into, 10_000)
		if err != nil {
			t.Fatal(err)
		}
		c := into.Change()
		if c.Keep != entries || state.Read <= read || state.More == (state.Read == state.Size) {
			t.Fatalf("piece %d: %d kept of %d, state %+v", pieces, c.Keep, entries, state)
		}
		entries, read, more = entries+len(c.Entries), state.Read, state.More
	}
	if pieces != 10 || entries != 100 {
		t.Errorf("%d pieces, %d entries", pieces, entries)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := NewDatabase(path, "").Read(ctx, into, 10); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestAFileThatIsNotWrittenToIsNotOpened(t *testing.T) {
	path, writer := newDatabase(t, tables)
	putSession(t, writer, "s", "", 10)
	f := follow(t, path, "")
	f.mustLook()
	d := f.store.(*Database)
	later := d.files.wal.modified.Add(10 * settleTime * 1e6)
	d.now = func() time.Time { return later }
	d.path = filepath.Join(t.TempDir(), "moved.db") // it could not be opened
	for _, end := range []string{"", "-wal"} {
		if err := os.Link(path+end, d.path+end); err != nil {
			t.Fatal(err)
		}
	}
	before := listing(t, filepath.Dir(d.path))
	f.mustLook()
	if after := listing(t, filepath.Dir(d.path)); after != before {
		t.Errorf("it was opened: %s", after)
	}
}

// A log that was checked in is written from its start again and keeps its size,
// and a clock may be too coarse to tell two writes apart.
func TestAChangeThatLeavesSizeAndTimeIsSeen(t *testing.T) {
	path, writer := newDatabase(t, tables)
	putSession(t, writer, "s", "", 10)
	putMessage(t, writer, "s", "m1", 1, userData)
	putPart(t, writer, "m1", "p1", 1, textData(strings.Repeat("long ", 4000)))
	must(t, writer, `PRAGMA wal_checkpoint(FULL)`)
	putPart(t, writer, "m1", "p1", 2, textData("one"))
	f := follow(t, path, "")
	f.mustLook("one")
	before, err := lookAt(path)
	if err != nil {
		t.Fatal(err)
	}
	putPart(t, writer, "m1", "p1", 2, textData("three"))
	if err := os.Chtimes(path+"-wal", before.wal.modified, before.wal.modified); err != nil {
		t.Fatal(err)
	}
	if after, err := lookAt(path); err != nil || after != before {
		t.Fatalf("the files are %+v and were %+v, error %v", after, before, err)
	}
	if err := f.look(); err != nil || len(f.log()) != 1 || f.log()[0].Chars != 5 {
		t.Errorf("%+v, error %v", f.log(), err)
	}
}

func TestTheSecretsOfADatabaseAreNotRead(t *testing.T) {
	path, writer := newDatabase(t, tables)
	putSession(t, writer, "s", "", 10)
	must(t, writer, `DROP TABLE account; CREATE VIEW account AS SELECT no_such_function()`)
	f := follow(t, path, "")
	f.mustLook()
}

func TestTextsOfRecordsThatAreGone(t *testing.T) {
	path, writer := newDatabase(t, tables)
	putSession(t, writer, "s", "", 10)
	putMessage(t, writer, "s", "m1", 1, userData)
	f := follow(t, path, "")
	f.mustLook("")
	must(t, writer, `DELETE FROM message`)
	if _, err := f.store.Record(context.Background(), f.log()[0].Source.Offset); err == nil {
		t.Error("no error for a deleted message")
	}
	if _, err := f.store.Record(context.Background(), 7); err == nil {
		t.Error("no error for a message that never was")
	}
}
