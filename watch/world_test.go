package watch

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"ctxscope/kernel"
	"ctxscope/watch/decode"
)

// plain is a decoder whose records are {"id":…,"text":…}: one message each.
// {"cut":n} drops what follows the first n entries.
type plain struct {
	count   kernel.Counter
	entries []kernel.Entry
	keep    int
	session decode.Session
}

func newPlain(count kernel.Counter) decode.Decoder { return &plain{count: count} }

type plainRecord struct {
	ID, Text, Title string
	Cut             *int
}

func (p *plain) Line(line []byte, at decode.Place) {
	var r plainRecord
	switch err := json.Unmarshal(line, &r); {
	case err != nil:
		p.session.Problems = append(p.session.Problems, decode.Problem{Line: at.Number, Reason: "it is no record"})
	case r.Cut != nil:
		p.entries = p.entries[:min(*r.Cut, len(p.entries))]
		p.keep = min(p.keep, len(p.entries))
	case r.Title != "":
		p.session.Title = r.Title
	default:
		m := kernel.Message{ID: r.ID, Source: kernel.Source{Offset: at.Offset, Length: int64(len(line))}}
		m.Measure(r.Text, p.count)
		p.entries = append(p.entries, kernel.Entry{Message: m})
	}
}

func (p *plain) Change() kernel.Change {
	c := kernel.Change{Keep: p.keep, Entries: append([]kernel.Entry(nil), p.entries[p.keep:]...)}
	p.keep = len(p.entries)
	return c
}

func (p *plain) Session() decode.Session { return p.session }

func (p *plain) Text(record []byte, _ int32) (string, bool) {
	var r plainRecord
	return r.Text, json.Unmarshal(record, &r) == nil
}

func record(id, text string) string {
	line, _ := json.Marshal(struct{ ID, Text string }{id, text})
	return string(line) + "\n"
}

// world is the world around a tail: its clock moves only when the tail waits.
type world struct {
	t       *testing.T
	now     time.Time
	waits   []time.Duration
	onWait  func() // called when the tail begins to wait
	ring    chan struct{}
	sets    []string // folder and name of each alarm set
	setErr  error
	makeErr error
	lost    bool
	fault   error
}

func newWorld(t *testing.T) *world {
	return &world{t: t, now: time.Now(), ring: make(chan struct{}, 1)}
}

func (w *world) hooks() *hooks {
	return &hooks{
		now: func() time.Time { return w.now },
		timer: func(d time.Duration) (<-chan time.Time, func() bool) {
			w.waits = append(w.waits, d)
			if w.onWait != nil {
				w.onWait()
			}
			fired := make(chan time.Time, 1)
			if len(w.ring) == 0 {
				w.now = w.now.Add(d)
				fired <- w.now
			}
			return fired, func() bool { return true }
		},
		newAlarm: func() (alarm, error) {
			if w.makeErr != nil {
				return nil, w.makeErr
			}
			return w, nil
		},
		newDecoder: newPlain,
	}
}

func (w *world) set(folder, name string) error {
	if w.setErr != nil {
		return w.setErr
	}
	w.sets, w.lost = append(w.sets, filepath.Join(folder, name)), false
	return nil
}
func (w *world) rings() <-chan struct{} { return w.ring }
func (w *world) broken() bool           { return w.lost || w.setErr != nil }
func (w *world) failed() error          { return w.fault }
func (w *world) close() error           { return nil }

// follower applies events as a program does.
type follower struct {
	t       *testing.T
	tail    *tail
	entries []kernel.Entry
	last    Event
	resets  int
}

func (w *world) follow(path string) *follower { return w.open(path, Options{}) }

func (w *world) open(path string, options Options) *follower {
	w.t.Helper()
	if options.hooks == nil {
		options.hooks = w.hooks()
	}
	source, err := Open(path, options)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = source.Close() })
	return &follower{t: w.t, tail: source.(*tail)}
}

func (f *follower) take(e Event) {
	f.t.Helper()
	if e.Reset {
		f.entries = nil
		f.resets++
	}
	if e.Change.Keep > len(f.entries) {
		f.t.Fatalf("keeps %d of %d entries", e.Change.Keep, len(f.entries))
	}
	f.entries = append(f.entries[:e.Change.Keep:e.Change.Keep], e.Change.Entries...)
	f.last = e
}

// poll looks until there is no news, without waiting.
func (f *follower) poll() {
	f.t.Helper()
	for range 10_000 {
		e, news, err := f.tail.look(context.Background())
		if err != nil {
			f.t.Fatal(err)
		}
		if !news {
			return
		}
		f.take(e)
	}
	f.t.Fatal("there is news without end")
}

// next is one Next.
func (f *follower) next() error {
	f.t.Helper()
	e, err := f.tail.Next(context.Background())
	if err == nil {
		f.take(e)
	}
	return err
}

func (f *follower) ids() []string {
	ids := []string{}
	for _, e := range f.entries {
		ids = append(ids, e.Message.ID)
	}
	return ids
}

func (f *follower) want(ids ...string) {
	f.t.Helper()
	if got := f.ids(); !reflect.DeepEqual(got, append([]string{}, ids...)) {
		f.t.Fatalf("messages %v, want %v", got, ids)
	}
}

func (f *follower) wantNote(note string) {
	f.t.Helper()
	if f.last.Status.Note != note {
		f.t.Errorf("note is %q, want %q", f.last.Status.Note, note)
	}
	wantWaiting(f.t, f.last.Status)
}

// wantWaiting holds that a status waits when its note says no more than that.
func wantWaiting(t *testing.T, s Status) {
	t.Helper()
	if waits := s.Note == "waiting for the first message" || s.Note == "waiting for the first session"; s.Waiting != waits {
		t.Errorf("waiting %v with the note %q", s.Waiting, s.Note)
	}
}

// disk is a folder of the test's own.
type disk struct {
	t      *testing.T
	folder string
}

func newDisk(t *testing.T) disk { return disk{t, t.TempDir()} }

func (d disk) path(name string) string { return filepath.Join(d.folder, name) }

func (d disk) must(err error) {
	d.t.Helper()
	if err != nil {
		d.t.Fatal(err)
	}
}

// write puts data into the file as it stands: the inode stays.
func (d disk) write(name, data string) string {
	d.t.Helper()
	d.must(os.WriteFile(d.path(name), []byte(data), 0o600))
	return d.path(name)
}

func (d disk) append(name, data string) {
	d.t.Helper()
	f, err := os.OpenFile(d.path(name), os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o600)
	d.must(err)
	_, err = f.WriteString(data)
	d.must(errors.Join(err, f.Close()))
}

// writeAt changes bytes in place.
func (d disk) writeAt(name, data string, offset int64) {
	d.t.Helper()
	f, err := os.OpenFile(d.path(name), os.O_WRONLY, 0o600)
	d.must(err)
	_, err = f.WriteAt([]byte(data), offset)
	d.must(errors.Join(err, f.Close()))
}

// replace puts another file in the place of this one.
func (d disk) replace(name, data string) {
	d.t.Helper()
	d.write(name+".new", data)
	d.must(os.Rename(d.path(name+".new"), d.path(name)))
}

func (d disk) remove(name string) {
	d.t.Helper()
	d.must(os.Remove(d.path(name)))
}

func repeat(n int, line func(i int) string) string {
	var b bytes.Buffer
	for i := range n {
		b.WriteString(line(i))
	}
	return b.String()
}
