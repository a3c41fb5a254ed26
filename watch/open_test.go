package watch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"ctxscope/kernel"
	"ctxscope/watch/decode"
)

func TestInputWithoutEndIsNotReadWithoutEnd(t *testing.T) {
	if _, err := readAll(strings.NewReader("12345"), 4); err == nil || !strings.Contains(err.Error(), "longer than 4 bytes") {
		t.Errorf("an input that is too long: %v", err)
	}
	if data, err := readAll(strings.NewReader("1234"), 4); string(data) != "1234" || err != nil {
		t.Errorf("the longest input: %q, %v", data, err)
	}
}

func TestReadingLeavesTheFolderAsItWas(t *testing.T) {
	d, w := newDisk(t), newWorld(t)
	path := d.write("s.jsonl", record("a", "one"))
	d.must(os.Chmod(path, 0o400))
	before, err := os.Stat(path)
	d.must(err)
	f := w.follow(path)
	f.poll()
	d.must(f.tail.Close())
	after, err := os.Stat(path)
	d.must(err)
	entries, err := os.ReadDir(d.folder)
	d.must(err)
	if len(entries) != 1 || !after.ModTime().Equal(before.ModTime()) || after.Size() != before.Size() || after.Mode() != before.Mode() {
		t.Errorf("%d entries; %v, was %v", len(entries), after, before)
	}
}

func TestTextIsReadAgainAndRefusedWhereTheFileChanged(t *testing.T) {
	d, w := newDisk(t), newWorld(t)
	giant := strings.Repeat("long ", 1<<20)
	data := record("a", "one 汉字") + record("b", giant) + record("c", "three")
	f := w.follow(d.write("s.jsonl", data))
	f.poll()
	for i, want := range []string{"one 汉字", giant, "three"} {
		if text, err := f.tail.Text(f.entries[i].Message); text != want || err != nil {
			t.Errorf("text %d is %.20q, error %v", i, text, err)
		}
	}
	d.writeAt("s.jsonl", "THREE", int64(strings.Index(data, "three")))
	if _, err := f.tail.Text(f.entries[2].Message); err == nil || !strings.Contains(err.Error(), "message c cannot be shown: the file has changed there") {
		t.Errorf("error %v", err)
	}
	if text, err := f.tail.Text(f.entries[0].Message); text != "one 汉字" || err != nil {
		t.Errorf("text %q, error %v", text, err)
	}
	d.must(os.Truncate(d.path("s.jsonl"), 10))
	if _, err := f.tail.Text(f.entries[0].Message); err == nil {
		t.Error("no error for a file that ends before")
	}
	stray := f.entries[0].Message
	stray.Source.Offset = 1 << 40
	if _, err := f.tail.Text(stray); err == nil {
		t.Error("no error for a place behind the end")
	}
	if text, err := f.tail.Text(kernel.Message{ID: "k", Text: "kept"}); text != "kept" || err != nil {
		t.Errorf("text %q, error %v", text, err)
	}
}

func TestTextMayBeAskedForBesideNext(t *testing.T) {
	d, w := newDisk(t), newWorld(t)
	f := w.follow(d.write("s.jsonl", record("a", "one")))
	f.poll()
	m := f.entries[0].Message
	var group sync.WaitGroup
	group.Go(func() {
		for range 200 {
			// A file that is being replaced may refuse; that must be all.
			if text, err := f.tail.Text(m); err == nil && text != "one" {
				t.Errorf("text %q", text)
			}
		}
	})
	for i := range 50 {
		d.append("s.jsonl", record(fmt.Sprint(i), "more"))
		f.poll()
		d.replace("s.jsonl", record("a", "one"))
		f.poll()
	}
	group.Wait()
}

func TestWhatAReaderHoldsIsReadToItsEnd(t *testing.T) {
	w := newWorld(t)
	data := record("a", "one") + repeat(40_000, func(i int) string { return record(fmt.Sprint(i), "text") }) + strings.TrimSpace(record("z", "last"))
	s, err := OpenReader("standard input", iotest.HalfReader(strings.NewReader(data)), Options{hooks: w.hooks()})
	if err != nil {
		t.Fatal(err)
	}
	e, err := s.Next(context.Background())
	if err != nil || len(e.Change.Entries) != 40_002 {
		t.Fatalf("%d entries, error %v", len(e.Change.Entries), err)
	}
	if st := e.Status; st.Name != "standard input" || st.Mode != ModeOnce || st.Loading() || st.Live || st.Read != int64(len(data)) {
		t.Errorf("status %+v", st)
	}
	if text, err := s.Text(e.Change.Entries[40_001].Message); text != "last" || err != nil {
		t.Errorf("text %q, error %v", text, err)
	}
	if _, err := s.Next(context.Background()); !errors.Is(err, io.EOF) {
		t.Errorf("error %v", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	failing := iotest.ErrReader(errors.New("cut off"))
	if _, err := OpenReader("standard input", failing, Options{}); err == nil || err.Error() != "read standard input: cut off" {
		t.Errorf("error %v", err)
	}
}

// The one test with the system's own events and clock.
func TestARealFileIsFollowed(t *testing.T) {
	d := newDisk(t)
	path := d.write("s.jsonl", record("a", "one"))
	h := realHooks()
	h.newDecoder = newPlain
	source, err := Open(path, Options{hooks: &h})
	d.must(err)
	f := &follower{t: t, tail: source.(*tail)}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	until := func(ids ...string) {
		t.Helper()
		for fmt.Sprint(f.ids()) != fmt.Sprint(ids) {
			e, err := source.Next(ctx)
			d.must(err)
			f.take(e)
		}
	}
	until("a")
	if f.last.Status.Mode != ModeWatching {
		t.Errorf("mode %q", f.last.Status.Mode)
	}
	d.append("s.jsonl", record("b", "two"))
	until("a", "b")
	d.replace("s.jsonl", record("c", "three"))
	until("c")
	d.must(os.RemoveAll(d.folder))
	for !f.last.Status.Missing {
		e, err := source.Next(ctx)
		d.must(err)
		f.take(e)
	}
	d.must(os.Mkdir(d.folder, 0o700))
	d.write("s.jsonl", record("d", "four"))
	until("d")
	d.append("s.jsonl", record("e", "five"))
	until("d", "e")
	if f.last.Status.Mode != ModeWatching {
		t.Errorf("mode %q", f.last.Status.Mode)
	}
	d.must(source.Close())
}

func TestTheFolderAlarmRingsForItsFileAlone(t *testing.T) {
	d := newDisk(t)
	a, err := newFolderAlarm()
	d.must(err)
	defer func() { d.must(a.close()) }()
	d.must(a.set(d.folder, "s.jsonl"))
	d.write("other", "x")
	d.write("s.jsonl", "x")
	select {
	case <-a.rings():
	case <-time.After(time.Minute):
		t.Fatal("it does not ring")
	}
	d.must(os.RemoveAll(d.folder))
	for !a.broken() {
		select {
		case <-a.rings():
		case <-time.After(time.Minute):
			t.Fatal("it does not notice that the folder is gone")
		}
	}
	if err := a.set(d.folder, "s.jsonl"); err == nil || !a.broken() {
		t.Errorf("a folder that is not there is watched: %v", err)
	}
}

// endless is a file without a line end.
type endless struct{}

func (endless) ReadAt(p []byte, _ int64) (int, error) { return len(p), nil }
func (endless) Close() error                          { return nil }

// A file of gigabytes without a line end must neither fill the memory nor be
// read for ever.
func TestALineLongerThanAnyRecordIsRefused(t *testing.T) {
	r := reading{file: endless{}, decoder: newPlain(nil)}
	if err := r.next(make([]byte, blockSize), 1<<50); !errors.Is(err, errTooLong) {
		t.Errorf("error %v", err)
	}
	if held := cap(r.lines.rest); held > 4*blockSize {
		t.Errorf("%d bytes are held", held)
	}
}

func BenchmarkReadOnce(b *testing.B) {
	line := record("m", strings.Repeat("word ", 200))
	data := strings.Repeat(line, 20_000)
	path := b.TempDir() + "/s.jsonl"
	if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
		b.Fatal(err)
	}
	h := realHooks()
	h.newDecoder = func(kernel.Counter) decode.Decoder { return idle{} }
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		source, err := Open(path, Options{Once: true, hooks: &h})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := source.Next(context.Background()); err != nil {
			b.Fatal(err)
		}
		if err := source.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// idle is a decoder that makes nothing of its lines.
type idle struct{ decode.Decoder }

func (idle) Line([]byte, decode.Place) {}
func (idle) Change() kernel.Change     { return kernel.Change{} }
func (idle) Session() decode.Session   { return decode.Session{} }
