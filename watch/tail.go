package watch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"
	"time"

	"ctxscope/kernel"
)

const (
	// pieceBytes and pieceTime bound what one event of a first reading holds.
	pieceBytes = 4 << 20
	pieceTime  = 100 * time.Millisecond
	// noteTime is how long a note about something that happened stands.
	noteTime = 10 * time.Second
	// liveTime is how long ago the last write to a live file may be.
	liveTime = 10 * time.Minute
	// halfTime is how long the writing of a session that is one object may take
	// before what is there of it counts.
	halfTime = 2 * time.Second
	// attempts is how often one look starts to read again when the file
	// changes under its hands.
	attempts = 3
)

// tail follows one file. All of it but text belongs to the goroutine that
// calls Next, and to Close when Next is not out.
type tail struct {
	hooks
	*closing
	path    string
	options Options
	block   []byte

	alarm    alarm
	deaf     bool        // no alarm could be made
	watching bool        // the alarm is set
	watched  os.FileInfo // the folder that it is set on, nil when none
	target   string      // the file that it is set for, symbolic links resolved

	mu       sync.Mutex
	current  *reading    // guarded by mu for text; nil until there was a file
	info     os.FileInfo // of the file that current reads
	modified time.Time   // of the file when it was read to its end
	away     error       // why there is no file to read now
	again    string      // why current must be read from its start again, or empty

	entries int       // of the journal given so far
	title   string    // what a title slot was rewritten to, or empty
	reset   bool      // the next event must say so
	changed time.Time // when reset was set
	whole   bool      // the session given last is one object as a whole
	note    string
	noted   time.Time
	last    Status // as given last
	titled  string // the title given last
	begun   bool   // an event was given
	ended   bool   // Once, and everything was given
	wait    time.Duration
}

func newTail(path string, options Options) *tail {
	t := &tail{hooks: options.hooked(), path: path, options: options, wait: shortestWait}
	t.closing = newClosing(t.shut)
	return t
}

// Next gives the first event at once, even when there is nothing yet.
func (t *tail) Next(ctx context.Context) (Event, error) { return t.next(ctx, t.follow) }

func (t *tail) follow(ctx context.Context) (Event, error) {
	for {
		if err := ctx.Err(); err != nil {
			return Event{}, err
		}
		if t.ended {
			return Event{}, io.EOF
		}
		event, news, err := t.look(ctx)
		switch {
		case err != nil && ctx.Err() != nil:
			return Event{}, ctx.Err()
		case err != nil:
			return Event{}, fmt.Errorf("read transcript %s: %w", t.path, err)
		case news:
			t.wait = shortestWait
			return event, nil
		}
		t.pause(ctx)
	}
}

// look looks at the file once and reads what is new, a piece at most. news is
// false when everything is as the last event said.
func (t *tail) look(ctx context.Context) (event Event, news bool, err error) {
	t.arm()
	for range attempts {
		t.refresh()
		if t.options.Once && t.away != nil {
			return Event{}, false, t.away
		}
		if t.away != nil {
			break
		}
		if err = t.read(ctx); err == nil || ctx.Err() != nil {
			break
		}
		if errors.Is(err, errTooLong) {
			return Event{}, false, err
		}
		t.again = err.Error()
	}
	if err := ctx.Err(); err != nil {
		return Event{}, false, err
	}
	if err != nil && t.options.Once {
		return Event{}, false, err
	}
	event, news = t.event()
	t.ended = t.options.Once
	return event, news, nil
}

// refresh makes current read the file that is at path now: as before, or from
// its start when the file or its bytes are other ones than those read.
func (t *tail) refresh() {
	f, info, err := openRegular(t.path)
	t.away = err
	if err != nil {
		return
	}
	t.block = blockFor(t.block, info.Size())
	if t.current != nil {
		why := t.again
		switch {
		case why != "":
		case !os.SameFile(t.info, info):
			why = "the file was replaced"
		default:
			why = t.difference(info)
		}
		if why == "" {
			t.info = info
			// The handle was for the comparison; nothing was written.
			_ = f.Close()
			return
		}
		if t.current.lines.Read() > 0 {
			if !t.reset {
				t.reset, t.changed = true, t.now()
			}
			t.remark(why)
		}
		_ = t.current.file.Close()
	}
	t.mu.Lock()
	t.current = &reading{file: f, decoder: t.newDecoder(t.options.Counter)}
	t.mu.Unlock()
	t.info, t.again, t.entries, t.title = info, "", 0, ""
}

// difference says how the bytes read differ from those that the file has now;
// it is empty when they do not.
func (t *tail) difference(info os.FileInfo) string {
	r := t.current
	if info.Size() < r.lines.Read() {
		return "the file was cut shorter"
	}
	same, err := r.imprint.matches(r.file)
	if err == nil && same && info.Size() == r.lines.Read() && !info.ModTime().Equal(t.modified) {
		same, err = r.imprint.matchesWhole(r.file, t.block)
		t.modified = info.ModTime()
	}
	if err != nil {
		return err.Error()
	}
	if !same {
		return "the file was rewritten"
	}
	if title, ok := r.imprint.title(r.file); ok {
		t.title = title
	}
	return ""
}

// read reads what the file has beyond what was read: all of it when read once,
// else a piece.
func (t *tail) read(ctx context.Context) error {
	r, size, start := t.current, t.info.Size(), t.now()
	for from := r.lines.Read(); r.lines.Read() < size && ctx.Err() == nil; {
		if err := r.next(t.block, size); err != nil {
			return err
		}
		if !t.options.Once && (r.lines.Read()-from >= pieceBytes || t.now().Sub(start) >= pieceTime) {
			break
		}
	}
	if r.lines.Read() == size {
		t.modified = t.info.ModTime()
	}
	return nil
}

// event is what there is to say now, and whether it is news.
func (t *tail) event() (Event, bool) {
	if t.half() {
		return Event{}, false
	}
	e := Event{Reset: t.reset}
	before := t.entries
	if t.current != nil {
		e.Change, e.Session = t.current.decoded()
		if t.title != "" {
			e.Session.Title = t.title
		}
		t.entries = e.Change.Keep + len(e.Change.Entries)
	}
	e.Status = t.status(e.Session.Refused)
	if t.begun && !e.Reset && e.Status == t.last && e.Session.Title == t.titled &&
		len(e.Change.Entries) == 0 && t.entries == before {
		return Event{}, false
	}
	t.last, t.titled, t.begun, t.reset = e.Status, e.Session.Title, true, false
	t.whole = e.Session.Whole
	return e, true
}

func (t *tail) Text(m kernel.Message) (string, error) {
	t.mu.Lock()
	r := t.current
	t.mu.Unlock()
	if r == nil {
		return "", fmt.Errorf("the text of message %s cannot be shown: no file was read", m.ID)
	}
	return r.text(m)
}

func (t *tail) shut() error {
	var errs []error
	if t.alarm != nil {
		errs = append(errs, t.alarm.close())
	}
	if t.current != nil {
		errs = append(errs, t.current.file.Close())
	}
	return errors.Join(errs...)
}

func missing(err error) bool { return errors.Is(err, fs.ErrNotExist) }
