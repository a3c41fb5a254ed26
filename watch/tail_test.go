package watch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestWhatIsThereComesFirstThenWhatIsAppended(t *testing.T) {
	d, w := newDisk(t), newWorld(t)
	path := d.write("s.jsonl", record("a", "one")+record("b", "two"))
	f := w.follow(path)
	f.poll()
	f.want("a", "b")
	s := f.last.Status
	if s.Name != "s.jsonl" || s.Path != path || !s.Live || s.Missing || s.Mode != ModeWatching || s.Read != s.Size || s.Loading() {
		t.Errorf("status %+v", s)
	}
	d.append("s.jsonl", record("c", "three"))
	f.poll()
	f.want("a", "b", "c")
	if f.last.Change.Keep != 2 || f.last.Reset {
		t.Errorf("change keeps %d, reset %v", f.last.Change.Keep, f.last.Reset)
	}
}

func TestAHalfLineWaitsAndIsNamed(t *testing.T) {
	d, w := newDisk(t), newWorld(t)
	f := w.follow(d.write("s.jsonl", record("a", "one")+`{"id":"b`))
	f.poll()
	f.want("a")
	f.wantNote("1 unfinished line")
	if s := f.last.Status; s.Pending != 8 || s.Read+8 != s.Size || s.Loading() {
		t.Errorf("status %+v", s)
	}
	d.append("s.jsonl", "\"}\n")
	f.poll()
	f.want("a", "b")
	f.wantNote("")
}

func TestTheLastRecordNeedsNoLineEnd(t *testing.T) {
	d, w := newDisk(t), newWorld(t)
	f := w.follow(d.write("s.jsonl", strings.TrimSuffix(record("a", "one"), "\n")))
	f.poll()
	f.want("a")
	d.append("s.jsonl", "\n"+record("b", "two"))
	f.poll()
	f.want("a", "b")
	if f.resets != 0 {
		t.Errorf("%d resets", f.resets)
	}
}

func TestARecordThatGoesOnIsReadAgain(t *testing.T) {
	d, w := newDisk(t), newWorld(t)
	f := w.follow(d.write("s.jsonl", record("a", "one")+`{"id":"b"}`))
	f.poll()
	f.want("a", "b")
	d.append("s.jsonl", "{}\n"+record("c", "three"))
	f.poll()
	f.want("a", "c")
	if f.resets != 1 || len(f.last.Session.Problems) != 1 {
		t.Errorf("%d resets, problems %v", f.resets, f.last.Session.Problems)
	}
}

func TestAMissingFileIsWaitedFor(t *testing.T) {
	d, w := newDisk(t), newWorld(t)
	f := w.follow(d.path("deep/er/s.jsonl"))
	f.poll()
	f.want()
	f.wantNote("waiting for the file to be made")
	if s := f.last.Status; !s.Missing || s.Mode != ModePolling {
		t.Errorf("status %+v", s)
	}
	d.must(os.MkdirAll(d.path("deep/er"), 0o700))
	d.write("deep/er/s.jsonl", "")
	f.poll()
	f.wantNote("waiting for the first message")
	if s := f.last.Status; s.Missing || s.Mode != ModeWatching {
		t.Errorf("status %+v", s)
	}
	d.append("deep/er/s.jsonl", record("a", "one"))
	f.poll()
	f.want("a")
	if f.resets != 0 {
		t.Errorf("%d resets", f.resets)
	}
}

func TestAFileThatIsNoSessionIsQuestioned(t *testing.T) {
	d, w := newDisk(t), newWorld(t)
	f := w.follow(d.write("main.go", "package main\n\nfunc main() {}\n"))
	f.poll()
	f.wantNote(unrecognised)
	d.append("main.go", record("a", "one"))
	f.poll()
	f.wantNote("")
	f.want("a")
}

func TestNextWaitsLongerAndLongerUpToASecond(t *testing.T) {
	d, w := newDisk(t), newWorld(t)
	f := w.follow(d.write("s.jsonl", record("a", "one")))
	d.must(f.next())
	w.onWait = func() {
		if len(w.waits) == 5 {
			d.append("s.jsonl", record("b", "two"))
		}
	}
	d.must(f.next())
	f.want("a", "b")
	w.onWait = func() { d.append("s.jsonl", record("c", "three")) }
	d.must(f.next())
	ms := time.Millisecond
	if want := []time.Duration{250 * ms, 500 * ms, 1000 * ms, 1000 * ms, 1000 * ms, 250 * ms}; !reflect.DeepEqual(w.waits, want) {
		t.Errorf("waits %v, want %v", w.waits, want)
	}
}

func TestAnAlarmEndsTheWait(t *testing.T) {
	d, w := newDisk(t), newWorld(t)
	f := w.follow(d.write("s.jsonl", record("a", "one")))
	d.must(f.next())
	before := w.now
	w.onWait = func() {
		d.append("s.jsonl", record("b", "two"))
		w.ring <- struct{}{}
	}
	d.must(f.next())
	f.want("a", "b")
	if !w.now.Equal(before) {
		t.Errorf("it waited %v all the same", w.now.Sub(before))
	}
}

func TestNextEndsWithItsContext(t *testing.T) {
	d, w := newDisk(t), newWorld(t)
	f := w.follow(d.write("s.jsonl", record("a", "one")))
	ctx, cancel := context.WithCancel(context.Background())
	if _, err := f.tail.Next(ctx); err != nil {
		t.Fatal(err)
	}
	w.onWait = cancel
	if _, err := f.tail.Next(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestWithoutEventsTheChecksAloneFollow(t *testing.T) {
	d := newDisk(t)
	for name, w := range map[string]*world{
		"no alarm can be made": {t: t, now: time.Now(), ring: make(chan struct{}, 1), makeErr: syscall.EMFILE},
		"no watch can be set":  {t: t, now: time.Now(), ring: make(chan struct{}, 1), setErr: syscall.ENOSPC},
	} {
		t.Run(name, func(t *testing.T) {
			f := w.follow(d.write("s.jsonl", record("a", "one")))
			d.must(f.next())
			if f.last.Status.Mode != ModePolling {
				t.Errorf("mode %q", f.last.Status.Mode)
			}
			w.onWait = func() { d.append("s.jsonl", record("b", "two")) }
			d.must(f.next())
			f.want("a", "b")
		})
	}
}

func TestTheAlarmIsSetOnTheFolderOfTheTarget(t *testing.T) {
	d, w := newDisk(t), newWorld(t)
	d.must(os.MkdirAll(d.path("real/one"), 0o700))
	d.must(os.MkdirAll(d.path("real/two"), 0o700))
	d.write("real/one/s.jsonl", record("a", "one"))
	d.write("real/two/s.jsonl", record("b", "two"))
	d.must(os.Symlink(d.path("real/one/s.jsonl"), d.path("link")))
	f := w.follow(d.path("link"))
	f.poll()
	f.want("a")
	d.remove("link")
	d.must(os.Symlink(d.path("real/two/s.jsonl"), d.path("link")))
	f.poll()
	f.want("b")
	if f.resets != 1 {
		t.Errorf("%d resets", f.resets)
	}
	if want := []string{d.path("real/one/s.jsonl"), d.path("real/two/s.jsonl")}; !reflect.DeepEqual(w.sets, want) {
		t.Errorf("alarm set on %v, want %v", w.sets, want)
	}
}

func TestTheAlarmIsSetAgainWhenItsFolderWasReplaced(t *testing.T) {
	d, w := newDisk(t), newWorld(t)
	d.must(os.Mkdir(d.path("folder"), 0o700))
	f := w.follow(d.write("folder/s.jsonl", record("a", "one")))
	f.poll()
	d.must(os.Rename(d.path("folder"), d.path("old")))
	f.poll()
	f.want("a")
	if s := f.last.Status; !s.Missing || s.Mode != ModePolling {
		t.Errorf("status %+v", s)
	}
	d.must(os.Mkdir(d.path("folder"), 0o700))
	d.write("folder/s.jsonl", record("b", "two"))
	f.poll()
	f.want("b")
	w.lost = true
	f.poll()
	if f.last.Status.Mode != ModeWatching || len(w.sets) != 3 {
		t.Errorf("mode %q, alarm set %d times", f.last.Status.Mode, len(w.sets))
	}
}

func TestALargeFileComesInPieces(t *testing.T) {
	d, w := newDisk(t), newWorld(t)
	text := strings.Repeat("word ", 2_000)
	data := repeat(1_500, func(i int) string { return record(fmt.Sprint(i), text) })
	path := d.write("s.jsonl", data)
	f := w.follow(path)
	events := 0
	for {
		d.must(f.next())
		events++
		if s := f.last.Status; s.Size != int64(len(data)) || s.Read > s.Size {
			t.Fatalf("status %+v", s)
		}
		if !f.last.Status.Loading() {
			break
		}
	}
	if events < len(data)/pieceBytes || len(w.waits) != 0 {
		t.Errorf("%d events for %d bytes, with %d waits", events, len(data), len(w.waits))
	}
	once := w.open(path, Options{Once: true})
	d.must(once.next())
	if !reflect.DeepEqual(f.entries, once.entries) || len(once.entries) != 1_500 {
		t.Errorf("%d entries in pieces, %d at once", len(f.entries), len(once.entries))
	}
}

func TestReadOnceEnds(t *testing.T) {
	d, w := newDisk(t), newWorld(t)
	path := d.write("s.jsonl", record("a", "one")+record("b", "two")+`{"id":`)
	f := w.open(path, Options{Once: true})
	d.must(f.next())
	f.want("a", "b")
	if s := f.last.Status; s.Live || s.Mode != ModeOnce || s.Pending != 6 {
		t.Errorf("status %+v", s)
	}
	if err := f.next(); !errors.Is(err, io.EOF) {
		t.Errorf("error %v", err)
	}
	if text, err := f.tail.Text(f.entries[1].Message); text != "two" || err != nil {
		t.Errorf("text %q, error %v", text, err)
	}
	if _, err := Open(d.path("none"), Options{Once: true}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}

func TestASessionIsLiveWhileItIsWrittenTo(t *testing.T) {
	d, w := newDisk(t), newWorld(t)
	path := d.write("s.jsonl", record("a", "one"))
	long := w.now.Add(-time.Hour)
	d.must(os.Chtimes(path, long, long))
	f := w.follow(path)
	f.poll()
	if f.last.Status.Live || f.last.Status.Modified != long.UnixMilli() {
		t.Errorf("status %+v", f.last.Status)
	}
	d.append("s.jsonl", record("b", "two"))
	f.poll()
	if !f.last.Status.Live {
		t.Errorf("status %+v", f.last.Status)
	}
	w.now = w.now.Add(time.Hour)
	f.poll()
	if f.last.Status.Live {
		t.Errorf("status %+v", f.last.Status)
	}
}

func TestAFaultOfTheListenerLeavesPolling(t *testing.T) {
	d, w := newDisk(t), newWorld(t)
	f := w.follow(d.write("s.jsonl", record("a", "one")))
	f.poll()
	w.fault = errors.New("internal error: index out of range")
	d.append("s.jsonl", record("b", "two"))
	f.poll()
	f.want("a", "b")
	f.wantNote("file events failed (internal error: index out of range); the file is looked at once a second")
	sets := len(w.sets)
	d.append("s.jsonl", record("c", "three"))
	f.poll()
	f.want("a", "b", "c")
	if f.last.Status.Mode != ModePolling || len(w.sets) != sets {
		t.Errorf("mode %q, alarm set %d times after it failed", f.last.Status.Mode, len(w.sets)-sets)
	}
}

func TestTheListenerCatchesItsPanics(t *testing.T) {
	a := &folderAlarm{ring: make(chan struct{}, 1)} // without a watcher to listen to
	a.listen()
	if err := a.failed(); err == nil || !strings.HasPrefix(err.Error(), "internal error: ") {
		t.Errorf("the alarm says %v", err)
	}
	select {
	case <-a.rings():
	default:
		t.Error("it did not ring when it failed")
	}
}

func TestAFileThatCannotBeReadIsNotGone(t *testing.T) {
	d, w := newDisk(t), newWorld(t)
	f := w.follow(d.write("s.jsonl", record("a", "one")))
	f.poll()
	d.remove("s.jsonl")
	d.must(os.Mkdir(d.path("s.jsonl"), 0o700))
	f.poll()
	f.want("a")
	f.wantNote("the file cannot be read now: it is a folder; name a session file in it")
	if s := f.last.Status; s.Missing || s.Live {
		t.Errorf("status %+v: the file is neither gone nor live", s)
	}
}
