package watch

import (
	"context"
	"fmt"
	"io"

	"ctxscope/kernel"
)

// blockSize is how many bytes are read at a time.
const blockSize = 1 << 20

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
	block := make([]byte, blockSize)
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
