package watch

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"ctxscope/watch/decode"
)

// keptBuffer is the size in bytes up to which the room for an unfinished line
// is kept for the next one.
const keptBuffer = 1 << 20

// blanks may stand around a record on its line.
const blanks = " \t\r"

// Lines cuts the bytes of one file into whole lines, however the bytes are cut
// on their way in. Only LF ends a line, and a line may have any length. The
// zero value stands at the start of a file.
type Lines struct {
	number int    // of the last line given
	start  int64  // offset of the line that is not finished
	rest   []byte // its bytes so far
	shown  int    // how many of them were given before the line ended
}

// Feed takes the bytes that follow and hands each line that they finish to
// give, without its LF. The slice is only good until give returns. Feed fails
// when a line goes on that Early has given as whole: then the file must be read
// again from its start.
func (l *Lines) Feed(p []byte, give func(line []byte, at decode.Place)) error {
	for {
		end := bytes.IndexByte(p, '\n')
		if end < 0 {
			break
		}
		line := p[:end]
		if len(l.rest) > 0 {
			l.rest = append(l.rest, line...)
			line = l.rest
		}
		if l.shown == 0 {
			l.number++
			give(line, decode.Place{Number: l.number, Offset: l.start})
		} else if err := l.blankSinceShown(line); err != nil {
			return err
		}
		l.start += int64(len(line)) + 1
		l.shown = 0
		l.empty()
		p = p[end+1:]
	}
	l.rest = append(l.rest, p...)
	return l.blankSinceShown(l.rest)
}

// pass is where the next line stands, of n bytes without its LF, which was
// found and read elsewhere. No line may be begun.
func (l *Lines) pass(n int) decode.Place {
	l.number++
	at := decode.Place{Number: l.number, Offset: l.start}
	l.start += int64(n) + 1
	return at
}

// Early gives the unfinished line if it is a whole JSON object already, or the
// bracket that ends one spread over lines, and gives it no second time when its
// LF comes. So what has been given depends on the bytes alone, and a writer that
// leaves out the last LF loses nothing.
func (l *Lines) Early(give func(line []byte, at decode.Place)) {
	line := bytes.Trim(l.rest, blanks)
	if l.shown > 0 || len(line) == 0 || line[len(line)-1] != '}' {
		return
	}
	if closing := len(line) == 1 && l.rest[0] == '}'; !closing && (line[0] != '{' || !json.Valid(line)) {
		return
	}
	l.number++
	l.shown = len(l.rest)
	give(l.rest, decode.Place{Number: l.number, Offset: l.start})
}

// Read is the number of bytes taken so far, those of the unfinished line
// included.
func (l *Lines) Read() int64 { return l.start + int64(len(l.rest)) }

// Pending is the number of bytes of the unfinished line, 0 when it was given
// already.
func (l *Lines) Pending() int {
	if l.shown > 0 {
		return 0
	}
	return len(l.rest)
}

// reserve makes room for n further bytes of the unfinished line.
func (l *Lines) reserve(n int) { l.rest = slices.Grow(l.rest, n) }

// room is how many bytes the unfinished line can still take without moving.
func (l *Lines) room() int { return cap(l.rest) - len(l.rest) }

func (l *Lines) empty() {
	if cap(l.rest) > keptBuffer {
		l.rest = nil
	}
	l.rest = l.rest[:0]
}

func (l *Lines) blankSinceShown(line []byte) error {
	if l.shown == 0 || len(bytes.Trim(line[l.shown:], blanks)) == 0 {
		return nil
	}
	return fmt.Errorf("line %d goes on after its record", l.number)
}
