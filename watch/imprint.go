package watch

import (
	"bytes"
	"encoding/json"
	"errors"
	"hash/crc32"
	"io"
	"sort"

	"ctxscope/watch/decode"
)

const (
	// window is how many of the first bytes, and of the bytes just before the
	// offset, are compared at each look.
	window = 4 << 10
	// titleSlot is the length of the first line of an oh-my-pi session, which
	// is rewritten in place whenever the title changes.
	titleSlot = 256
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// imprint is what a file was like when it was read, as far as it was read: by
// it a later look finds that the bytes are other ones now.
type imprint struct {
	read    int64
	head    []byte   // the first bytes, up to window
	tail    []byte   // the bytes before read, up to window
	offsets []int64  // of the lines given
	sums    []uint32 // of the lines given, without blanks at the end
	slot    []byte   // the first line with its LF when it is a title slot, else nil
}

// block takes the bytes that follow.
func (p *imprint) block(b []byte) {
	p.read += int64(len(b))
	if missing := window - len(p.head); missing > 0 {
		p.head = append(p.head, b[:min(missing, len(b))]...)
	}
	if len(b) >= window {
		p.tail = append(p.tail[:0], b[len(b)-window:]...)
		return
	}
	p.tail = append(p.tail, b...)
	if extra := len(p.tail) - window; extra > 0 {
		p.tail = p.tail[:copy(p.tail, p.tail[extra:])]
	}
}

// line takes the next line.
func (p *imprint) line(line []byte, at decode.Place) {
	if at.Number == 1 && len(line) == titleSlot-1 && isTitle(line) {
		p.slot = append(append(p.slot, line...), '\n')
	}
	p.offsets = append(p.offsets, at.Offset)
	p.sums = append(p.sums, sumOf(line))
}

func isTitle(line []byte) bool { return bytes.HasPrefix(line, []byte(`{"type":"title"`)) }

func sumOf(line []byte) uint32 {
	return crc32.Checksum(bytes.TrimRight(line, blanks), castagnoli)
}

// matches reports whether r still starts with the first bytes and has the
// bytes before the offset where they were. A title slot may have changed.
func (p *imprint) matches(r io.ReaderAt) (bool, error) {
	ok, err := p.holds(r, p.head, 0)
	if !ok || err != nil {
		return false, err
	}
	return p.holds(r, p.tail, p.read-int64(len(p.tail)))
}

// holds reports whether r has the bytes want at offset, the title slot left
// out.
func (p *imprint) holds(r io.ReaderAt, want []byte, offset int64) (bool, error) {
	if skip := int64(len(p.slot)) - offset; skip > 0 {
		skip = min(skip, int64(len(want)))
		want, offset = want[skip:], offset+skip
	}
	if len(want) == 0 {
		return true, nil
	}
	got := make([]byte, len(want))
	switch _, err := r.ReadAt(got, offset); {
	case errors.Is(err, io.EOF):
		return bytes.Equal(got, want), nil
	case err != nil:
		return false, err
	}
	return bytes.Equal(got, want), nil
}

// matchesWhole reads everything again and reports whether every line is what
// it was. It is for the rare case that a file kept its size but was written to.
func (p *imprint) matchesWhole(r io.ReaderAt, block []byte) (bool, error) {
	var lines Lines
	n, same := 0, true
	compare := func(line []byte, at decode.Place) {
		same = same && n < len(p.sums) && at.Offset == p.offsets[n] &&
			(p.sums[n] == sumOf(line) || n == 0 && p.slot != nil && isTitle(line))
		n++
	}
	for same && lines.Read() < p.read {
		got, err := r.ReadAt(block[:min(int64(len(block)), p.read-lines.Read())], lines.Read())
		if got == 0 {
			return false, ignoreEOF(err)
		}
		if err := lines.Feed(block[:got], compare); err != nil {
			return false, nil
		}
	}
	lines.Early(compare)
	return same && n == len(p.sums), nil
}

// title reads a title slot again. It gives the title and whether it is another
// one; a slot that is just being written is not.
func (p *imprint) title(r io.ReaderAt) (string, bool) {
	if p.slot == nil {
		return "", false
	}
	now := make([]byte, titleSlot)
	if _, err := r.ReadAt(now, 0); err != nil || bytes.Equal(now, p.slot) {
		return "", false
	}
	var record struct{ Type, Title string }
	if json.Unmarshal(now, &record) != nil || record.Type != "title" {
		return "", false
	}
	p.slot = now
	return record.Title, true
}

// heldLine is one of the lines given: its bounds in bytes, without its LF, and
// its sum.
type heldLine struct {
	from, to int64
	sum      uint32
}

// linesAt gives the lines that hold the bytes from one offset to another:
// mostly one, more for a record that is spread over lines. The last line given
// ends at end. ok is false when no such lines were given.
func (p *imprint) linesAt(from, to, end int64) (held []heldLine, ok bool) {
	i := sort.Search(len(p.offsets), func(i int) bool { return p.offsets[i] > from }) - 1
	for i = max(i, 0); i < len(p.offsets) && p.offsets[i] < to; i++ {
		line := heldLine{p.offsets[i], end, p.sums[i]}
		if i+1 < len(p.offsets) {
			line.to = p.offsets[i+1] - 1
		}
		held = append(held, line)
	}
	n := len(held)
	return held, n > 0 && held[0].from <= from && from < held[0].to && to <= held[n-1].to
}

func ignoreEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}
