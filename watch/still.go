package watch

import (
	"context"
	"fmt"
	"io"

	"ctxscope/kernel"
)

// blockSize is how many bytes are read at a time, and smallBlock how many at
// least. Processors wait for one another once a block.
const (
	blockSize  = 4 << 20
	smallBlock = 64 << 10
)

// blockFor is a block to read n bytes with: the one there is, where it is large
// enough.
func blockFor(block []byte, n int64) []byte {
	if size := min(max(n, smallBlock), blockSize); int64(len(block)) < size {
		return make([]byte, size)
	}
	return block
}

// still is a source that does not grow.
type still struct {
	name    string
	size    int64
	reading *reading
	given   bool
}

func (s *still) Next(ctx context.Context) (Event, error) {
	if err := ctx.Err(); err != nil {
		return Event{}, err
	}
	if s.given {
		return Event{}, io.EOF
	}
	block := blockFor(nil, s.size)
	for s.reading.lines.Read() < s.size {
		if err := ctx.Err(); err != nil {
			return Event{}, err
		}
		if err := s.reading.next(block, s.size); err != nil {
			return Event{}, fmt.Errorf("read %s: %w", s.name, err)
		}
	}
	s.given = true
	var e Event
	e.Change, e.Session = s.reading.decoded()
	e.Status = Status{Name: s.name, Mode: ModeOnce, Size: s.size}
	s.reading.status(&e.Status)
	if e.Status.Note = e.Session.Refused; e.Status.Note == "" {
		e.Status.notice(len(e.Change.Entries))
	}
	return e, nil
}

func (s *still) Text(m kernel.Message) (string, error) { return s.reading.text(m) }

func (s *still) Close() error { return s.reading.file.Close() }
