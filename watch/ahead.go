package watch

import (
	"bytes"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"ctxscope/watch/decode"
)

// pieceSize is how many bytes of whole lines, at least, are read ahead
// together.
const pieceSize = 64 << 10

// pieceLines is how many lines of a piece are read ahead at most. A line that
// waits for its turn takes many times the room of a short one.
const pieceLines = 1 << 10

// ahead reads the lines of a block on all processors before they are taken in
// their order. Most of what reading a line costs needs nothing of the lines
// before it.
type ahead struct {
	drafts []decode.Draft // kept from block to block
	pieces []piece
	next   atomic.Int32 // the piece that nobody has begun
}

// piece is a part of a block: whole lines, each with its LF.
type piece struct {
	bytes []byte
	draft decode.Draft
	ends  []int         // of the lines read ahead, places of their LFs
	read  chan struct{} // closed when it is read
	fault string        // the panic that reading it ended with, or empty
}

// cut cuts lines into pieces and gives how many bytes they hold: all but the
// last ones, which are too few or end no line. That is 0 where there are too few
// to be worth it, and where the decoder cannot read ahead.
func (a *ahead) cut(lines []byte, decoder decode.Decoder) (n int) {
	a.pieces = a.pieces[:0]
	drafter, ok := decoder.(decode.Drafter)
	if !ok || len(lines) < 2*pieceSize {
		return 0
	}
	for len(lines)-n >= pieceSize {
		end := bytes.IndexByte(lines[n+pieceSize-1:], '\n')
		if end < 0 {
			break
		}
		next := len(a.pieces)
		if next == len(a.drafts) {
			d := drafter.Draft()
			if d == nil {
				return 0
			}
			a.drafts = append(a.drafts, d)
		}
		end += n + pieceSize
		a.pieces = append(a.pieces, piece{bytes: lines[n:end], draft: a.drafts[next], read: make(chan struct{})})
		n = end
	}
	return n
}

// takeAhead reads the pieces and takes their lines in order.
func (r *reading) takeAhead() {
	a := &r.ahead
	a.next.Store(0)
	var others sync.WaitGroup
	defer others.Wait()
	for range min(runtime.GOMAXPROCS(0), len(a.pieces)) - 1 {
		others.Go(func() {
			for a.readOne() {
			}
		})
	}
	for i := range a.pieces {
		r.takePiece(a.wait(i))
	}
}

// release gives back the room that reading ahead took: it is for large files
// only.
func (a *ahead) release() { a.drafts, a.pieces = nil, nil }

// wait is piece i, read. Until it is, others are read here. A panic in reading
// it goes on here, where the program can meet it.
func (a *ahead) wait(i int) *piece {
	p := &a.pieces[i]
	for !p.done() && a.readOne() {
	}
	<-p.read
	if p.fault != "" {
		panic(p.fault)
	}
	return p
}

// readOne reads the next piece that nobody has begun, if there is one.
func (a *ahead) readOne() bool {
	i := int(a.next.Add(1)) - 1
	if i >= len(a.pieces) {
		return false
	}
	a.pieces[i].readLines()
	return true
}

func (p *piece) done() bool {
	select {
	case <-p.read:
		return true
	default:
		return false
	}
}

func (p *piece) readLines() {
	defer close(p.read)
	defer func() {
		if v := recover(); v != nil {
			p.fault = fmt.Sprintf("%v\n%s", v, debug.Stack())
		}
	}()
	for start := 0; start < len(p.bytes) && len(p.ends) < pieceLines; {
		end := start + bytes.IndexByte(p.bytes[start:], '\n')
		p.draft.Read(p.bytes, start, end)
		p.ends = append(p.ends, end)
		start = end + 1
	}
}

// takePiece takes the lines of a piece in their turn.
func (r *reading) takePiece(p *piece) {
	start := 0
	for _, end := range p.ends {
		line := p.bytes[start:end]
		at := r.lines.pass(len(line))
		r.imprint.line(line, at)
		p.draft.Take(at)
		start = end + 1
	}
	for line := range bytes.Lines(p.bytes[start:]) {
		line = line[:len(line)-1]
		r.take(line, r.lines.pass(len(line)))
	}
}
