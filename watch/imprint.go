package watch

import (
	"bytes"
	"encoding/json"
	"errors"
	"hash/crc32"
	"io"
	"slices"
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

// groupSize is how many bytes of short lines share one sum.
const groupSize = 512

// imprint is what a file was like when it was read, as far as it was read: by
// it a later look finds that the bytes are other ones now.
type imprint struct {
	read    int64
	head    []byte   // the first bytes, up to window
	tail    []byte   // the bytes before read, up to window
	offsets []int64  // of the groups of lines given
	sums    []uint32 // of the lines in each group
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
	n := len(p.offsets)
	if n == 0 || n == 1 && p.slot != nil || at.Offset-p.offsets[n-1] >= groupSize {
		p.offsets, p.sums = append(p.offsets, at.Offset), append(p.sums, 0)
		n++
	}
	p.sums[n-1] = addSum(p.sums[n-1], line)
}

func isTitle(line []byte) bool { return bytes.HasPrefix(line, []byte(`{"type":"title"`)) }

// sumOf is the sum of the lines in text.
func sumOf(text []byte) (sum uint32) {
	for line := range bytes.SplitSeq(text, []byte("\n")) {
		sum = addSum(sum, line)
	}
	return sum
}

// addSum adds a line to the sum of those before it. Blanks at its end count
// for nothing: a line is given before all of them are there.
func addSum(sum uint32, line []byte) uint32 {
	if line = bytes.TrimRight(line, blanks); len(line) == 0 {
		return sum
	}
	return crc32.Update(crc32.Update(sum, castagnoli, line), castagnoli, []byte("\n"))
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
	var now imprint
	for lines.Read() < p.read {
		got, err := r.ReadAt(block[:min(int64(len(block)), p.read-lines.Read())], lines.Read())
		if got == 0 {
			return false, ignoreEOF(err)
		}
		if lines.Feed(block[:got], now.line) != nil {
			return false, nil
		}
	}
	lines.Early(now.line)
	if p.slot != nil && now.slot != nil {
		now.sums[0] = p.sums[0] // the title may be another one
	}
	return slices.Equal(now.offsets, p.offsets) && slices.Equal(now.sums, p.sums), nil
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

// heldLines is a group of the lines given: its bounds in bytes, without the
// last LF, and its sum.
type heldLines struct {
	from, to int64
	sum      uint32
}

// linesAt gives the groups of lines that hold the bytes from one offset to
// another: mostly one, more for a record that is spread over lines. The last
// line given ends at end. ok is false when no such lines were given.
func (p *imprint) linesAt(from, to, end int64) (held []heldLines, ok bool) {
	i := sort.Search(len(p.offsets), func(i int) bool { return p.offsets[i] > from }) - 1
	for i = max(i, 0); i < len(p.offsets) && p.offsets[i] < to; i++ {
		group := heldLines{p.offsets[i], end, p.sums[i]}
		if i+1 < len(p.offsets) {
			group.to = p.offsets[i+1] - 1
		}
		held = append(held, group)
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
