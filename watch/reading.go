package watch

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"

	"ctxscope/kernel"
	"ctxscope/watch/decode"
)

// file is what a reading reads from: a file, or bytes kept in memory.
type file interface {
	io.ReaderAt
	io.Closer
}

// longestLine is more bytes than any agent's runtime can put into one string:
// a file with a longer line is no transcript, and would fill the memory.
const longestLine = 1 << 30

var (
	errShorter = errors.New("the file was cut shorter")
	errTooLong = errors.New("a line is longer than 1 GiB, so this is no transcript")
)

// reading is one reading of one file, from its start on. When the file turns
// out to be another one, or rewritten, a new reading takes its place.
type reading struct {
	mu      sync.Mutex // text is asked for beside next
	file    file
	decoder decode.Decoder
	lines   Lines
	imprint imprint
	ahead   ahead
}

// next reads one block of the bytes before to and decodes the lines that it
// finishes. It needs block only until it returns.
func (r *reading) next(block []byte, to int64) error {
	offset := r.lines.Read()
	n, err := r.file.ReadAt(block[:min(int64(len(block)), to-offset)], offset)
	if n == 0 && err != nil {
		if errors.Is(err, io.EOF) {
			return errShorter
		}
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.imprint.block(block[:n])
	if err := r.feed(block[:n]); err != nil {
		return err
	}
	if r.lines.Read() == to {
		r.lines.Early(r.take)
		r.ahead.release()
	} else if r.lines.Pending() >= len(block) && r.lines.room() < len(block) {
		return r.makeRoom(block, to)
	}
	return nil
}

// feed takes the bytes that follow. The first line of a block may have begun
// before it: those behind can be read ahead.
func (r *reading) feed(block []byte) error {
	from := bytes.IndexByte(block, '\n') + 1
	if from > 0 {
		if n := r.ahead.cut(block[from:], r.decoder); n > 0 {
			if err := r.lines.Feed(block[:from], r.take); err != nil {
				return err
			}
			r.takeAhead()
			block = block[from+n:]
		}
	}
	return r.lines.Feed(block, r.take)
}

func (r *reading) take(line []byte, at decode.Place) {
	r.imprint.line(line, at)
	r.decoder.Line(line, at)
}

// decoded is what changed since the last call, and the session as it is known.
func (r *reading) decoded() (kernel.Change, decode.Session) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.decoder.Change(), r.decoder.Session()
}

// session is the session as it is known.
func (r *reading) session() decode.Session {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.decoder.Session()
}

// makeRoom looks ahead for the end of a giant line, so that its buffer is made
// once and has the right size. It fails where no end is near.
func (r *reading) makeRoom(block []byte, to int64) error {
	offset := r.lines.Read()
	for at := offset; at < to; {
		if at-r.lines.start > longestLine {
			return errTooLong
		}
		n, err := r.file.ReadAt(block[:min(int64(len(block)), to-at)], at)
		if n == 0 {
			return ignoreEOF(err)
		}
		if end := bytes.IndexByte(block[:n], '\n'); end >= 0 {
			to = at + int64(end)
			break
		}
		at += int64(n)
	}
	r.lines.reserve(int(to - offset))
	return nil
}

// status sets how far the reading is.
func (r *reading) status(s *Status) {
	s.Pending = r.lines.Pending()
	s.Read = r.lines.Read() - int64(s.Pending)
}

// text reads the text of m again and makes sure that the bytes are those that
// m was made from.
func (r *reading) text(m kernel.Message) (string, error) {
	if m.Source.Length == 0 {
		if m.Text != "" {
			return m.Text, nil
		}
		return "", fmt.Errorf("the text of message %s is not in the file", m.ID)
	}
	r.mu.Lock()
	end := r.lines.start - 1
	if r.lines.shown > 0 {
		end = r.lines.Read()
	}
	from := m.Source.Offset
	held, ok := r.imprint.linesAt(from, from+m.Source.Length, end)
	r.mu.Unlock()
	if !ok {
		return "", changed(m)
	}
	start := held[0].from
	lines := make([]byte, held[len(held)-1].to-start)
	if n, err := r.file.ReadAt(lines, start); n < len(lines) {
		if errors.Is(err, io.EOF) {
			return "", changed(m)
		}
		return "", fmt.Errorf("the text of message %s cannot be read: %w", m.ID, err)
	}
	for _, group := range held {
		if sumOf(lines[group.from-start:group.to-start]) != group.sum {
			return "", changed(m)
		}
	}
	record := lines[from-start:][:m.Source.Length]
	r.mu.Lock()
	text, ok := r.decoder.Text(record, m.Source.Part)
	r.mu.Unlock()
	if !ok || kernel.Len16(text) != m.Chars {
		return "", changed(m)
	}
	return text, nil
}

func changed(m kernel.Message) error {
	return fmt.Errorf("the text of message %s cannot be shown: the file has changed there since it was read", m.ID)
}
