package watch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"ctxscope/kernel"
	"ctxscope/watch/decode"
	"ctxscope/watch/opencode"
)

// longestSessionFile is more bytes than the file of a session has that holds
// no messages.
const longestSessionFile = 1 << 20

// busyTime is how long a store may be busy without a word.
const busyTime = 2 * time.Second

// rowsRest is how many times longer than a look the wait after it is, so that
// following a large session leaves the machine to the agent.
const rowsRest = 10

// store is a session whose records change in place.
type store interface {
	// Read takes up what changed and gives it to the decoder, about piece
	// bytes at most.
	Read(ctx context.Context, into *decode.Opencode, piece int64) (opencode.State, error)
	// Record reads the record of a message again, beside Read.
	Record(ctx context.Context, number int64) ([]byte, error)
}

// rows follows a store. All of it but Text belongs to the goroutine that calls
// Next.
type rows struct {
	hooks
	*closing
	path    string
	options Options
	store   store
	decoder *decode.Opencode

	state   opencode.State
	refused string
	away    error     // why the store cannot be read now
	busy    time.Time // when it was found busy, zero when it is not
	entries int       // of the journal given so far
	last    Status
	about   string // what the last event said of the session itself
	begun   bool
	ended   bool
	wait    time.Duration
}

func newRows(path string, s store, options Options) *rows {
	return &rows{
		hooks: options.hooked(), path: path, options: options, store: s,
		closing: newClosing(func() error { return nil }), decoder: decode.NewOpencode(options.Counter), wait: shortestWait,
	}
}

// Next gives the first event at once, even when there is nothing yet.
func (r *rows) Next(ctx context.Context) (Event, error) { return r.next(ctx, r.follow) }

func (r *rows) follow(ctx context.Context) (Event, error) {
	for {
		if err := ctx.Err(); err != nil {
			return Event{}, err
		}
		if r.ended {
			return Event{}, io.EOF
		}
		began := r.now()
		if err := r.read(ctx); err != nil {
			return Event{}, err
		}
		event, news := r.event()
		r.ended = r.options.Once
		if news {
			r.wait = shortestWait
			return event, nil
		}
		if !r.state.More {
			r.pause(ctx, rowsRest*r.now().Sub(began))
		}
	}
}

// read reads what has changed: all of it when read once, else a piece.
func (r *rows) read(ctx context.Context) error {
	for {
		state, err := r.store.Read(ctx, r.decoder, pieceBytes)
		r.state, r.away, r.refused = state, nil, ""
		passing := r.busyFor(err) < busyTime
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, opencode.ErrNoSession) && !state.Found:
			r.refused = err.Error()
		case errors.Is(err, opencode.ErrBusy) && passing && r.options.Once:
			r.pause(ctx, 0)
			continue
		case errors.Is(err, opencode.ErrBusy) && passing:
			return nil
		case err != nil && r.options.Once:
			return fmt.Errorf("read session %s: %w", r.path, err)
		case err != nil:
			r.away = err
		}
		if !state.More || !r.options.Once || r.refused != "" {
			return nil
		}
	}
}

// busyFor is how long the store has been busy, when err says that it is.
func (r *rows) busyFor(err error) time.Duration {
	if !errors.Is(err, opencode.ErrBusy) {
		r.busy = time.Time{}
		return 0
	}
	if r.busy.IsZero() {
		r.busy = r.now()
	}
	return r.now().Sub(r.busy)
}

// pause waits until it is time for another look, for the time rest at least.
func (r *rows) pause(ctx context.Context, rest time.Duration) {
	fired, stop := r.timer(max(r.wait, rest))
	defer stop()
	select {
	case <-ctx.Done():
	case <-fired:
		r.wait = min(2*r.wait, longestWait)
	}
}

// event is what there is to say now, and whether it is news.
func (r *rows) event() (Event, bool) {
	var e Event
	e.Change, e.Session = r.decoder.Change(), r.decoder.Session()
	e.Session.Refused = r.refused
	before := r.entries
	r.entries = e.Change.Keep + len(e.Change.Entries)
	e.Status = r.status()
	about := fmt.Sprintf("%+v", e.Session)
	if r.begun && e.Status == r.last && about == r.about && len(e.Change.Entries) == 0 && before == r.entries {
		return Event{}, false
	}
	r.last, r.about, r.begun = e.Status, about, true
	return e, true
}

func (r *rows) status() Status {
	s := Status{
		Name: filepath.Base(r.path), Path: r.path, Mode: ModePolling, Note: r.state.Note,
		Read: r.state.Read, Size: r.state.Size, Modified: r.state.Modified,
	}
	if s.Missing = r.away != nil && missing(r.away); r.options.Once {
		s.Mode = ModeOnce
	}
	s.Live = !s.Missing && !r.options.Once && s.Modified > r.now().Add(-liveTime).UnixMilli()
	switch {
	case r.refused != "":
		s.Note = r.refused
	case s.Missing && !r.state.Found:
		s.Note = "waiting for the file to be made"
	case s.Missing:
		s.Note = "the file is gone; the last state stands"
	case r.away != nil:
		s.Note = "it cannot be read now: " + r.away.Error() + "; the last state stands"
	case s.Note == "":
		s.notice(r.entries)
	default:
		s.Waiting = !r.state.Found // there is no session yet, as its note says
	}
	return s
}

// Text reads the text of a message again, by the record that it came from.
func (r *rows) Text(m kernel.Message) (string, error) {
	if m.Source.Length == 0 {
		if m.Text != "" {
			return m.Text, nil
		}
		return "", fmt.Errorf("the text of message %s is not in the session", m.ID)
	}
	record, err := r.store.Record(context.Background(), m.Source.Offset)
	if err != nil {
		return "", fmt.Errorf("the text of message %s cannot be read: %w", m.ID, err)
	}
	text, ok := r.decoder.Text(record, m.Source.Part)
	if !ok || kernel.Len16(text) != m.Chars {
		return "", fmt.Errorf("the text of message %s cannot be shown: it has changed since it was read", m.ID)
	}
	return text, nil
}

// openStore opens what holds a session as records: a database, or the file of
// a session in a folder of files. It gives nil for any other file.
func openStore(path, session string) (store, error) {
	const magic = "SQLite format 3\x00"
	head := make([]byte, len(magic))
	f, info, err := openRegular(path)
	if err != nil && !missing(err) {
		return nil, err
	}
	if err == nil {
		n, err := io.ReadFull(f, head)
		if head = head[:n]; errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			err = nil
		}
		if err := errors.Join(err, f.Close()); err != nil {
			return nil, err
		}
	}
	switch {
	case string(head) == magic, filepath.Ext(path) == ".db" && (info == nil || info.Size() == 0): // a new database is empty
		return opencode.NewDatabase(path, session), nil
	case info != nil && info.Size() <= longestSessionFile && strings.HasPrefix(string(head), "{"):
		t, err := opencode.OpenTree(path)
		if errors.Is(err, opencode.ErrNoSession) {
			return nil, nil
		}
		return t, err
	}
	return nil, nil
}
