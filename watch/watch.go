// Package watch follows one transcript and delivers whole messages, in order,
// once.
package watch

import (
	"context"

	"ctxscope/kernel"
	"ctxscope/watch/decode"
)

// Source is one session that is followed: a file, a demo. Its methods are
// called by one goroutine at a time, except Text and Close, which may be called
// beside Next.
type Source interface {
	// Next waits until there is something new and says what. It merges what
	// was read meanwhile into one Event. After ctx is done it returns
	// ctx.Err(), and after the end of a source that has one io.EOF.
	Next(ctx context.Context) (Event, error)

	// Text reads the text of a message again. It fails with a sentence when
	// the file has changed since.
	Text(m kernel.Message) (string, error)

	// Close ends the watch. It does not wait for a Next that is out: that of a
	// file or a database gives io.EOF then.
	Close() error
}

// Event is what a look at the source found.
type Event struct {
	Reset   bool          // the file was replaced, cut or rewritten: forget the run before applying Change
	Change  kernel.Change // of the journal; may be empty
	Session decode.Session
	Status  Status
}

// Status says how the source is followed.
type Status struct {
	Name     string // for people: the file's name, or "demo"
	Path     string
	Live     bool   // followed, there, and written to within the last ten minutes
	Missing  bool   // the file is gone; the last state stands
	Mode     string // one of the modes below
	Note     string // one sentence for people, or empty ("waiting for the first message", "file was replaced, read again")
	Waiting  bool   // nothing was said yet, and Note says no more than that
	Read     int64  // bytes read so far
	Size     int64  // bytes of the file
	Pending  int    // bytes of an unfinished last line
	Modified int64  // epoch milliseconds of the file's last change, 0 when unknown
}

// The modes of following a source.
const (
	ModeWatching = "watching"  // file events, and checks at least once a second
	ModePolling  = "polling"   // checks alone
	ModeOnce     = "read once" // not followed
	ModeDemo     = "demo"
)

// Loading reports whether the first read is still under way.
func (s Status) Loading() bool { return s.Read+int64(s.Pending) < s.Size }
