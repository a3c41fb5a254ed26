package decode

import (
	"bytes"
	"fmt"
	"os"
	"reflect"
	"sync"
	"testing"

	"ctxscope/kernel"
)

// readAhead reads the first lines of a file in their turn and the others in
// drafts of some lines, all of which are read at the same time.
func readAhead(data []byte, first, each int) ([]kernel.Entry, Session) {
	d := newClaude(nil).(*claude)
	offset, number := 0, 0
	for ; number < first && offset < len(data); number++ {
		end := offset + bytes.IndexByte(data[offset:], '\n')
		d.Line(data[offset:end], Place{Number: number + 1, Offset: int64(offset)})
		offset = end + 1
	}
	var drafts []Draft
	var starts []int
	var reading sync.WaitGroup
	for start := offset; start < len(data); {
		piece := data[start:]
		draft, ends := d.Draft(), []int(nil)
		for at := 0; at < len(piece) && len(ends) < each; {
			end := at + bytes.IndexByte(piece[at:], '\n')
			starts = append(starts, start+at)
			ends = append(ends, end)
			at = end + 1
		}
		reading.Go(func() {
			at := 0
			for _, end := range ends {
				draft.Read(piece, at, end)
				at = end + 1
			}
		})
		for range ends {
			drafts = append(drafts, draft)
		}
		start += ends[len(ends)-1] + 1
	}
	reading.Wait()
	for i, draft := range drafts {
		number++
		draft.Take(Place{Number: number, Offset: int64(starts[i])})
	}
	return d.Change().Entries, d.Session()
}

// sameAhead fails unless lines that are read ahead of their turn give the same
// as lines that are not.
func sameAhead(t *testing.T, data []byte) {
	t.Helper()
	d := newClaude(nil)
	feed(d, data, nil)
	want, session := d.Change().Entries, d.Session()
	for _, cut := range [][2]int{{0, 1}, {1, 3}, {2, 1000}} {
		got, s := readAhead(data, cut[0], cut[1])
		if !sameEntries(got, want) {
			t.Fatalf("journal\nread ahead %s\nin turn    %s", showJournal(got), showJournal(want))
		}
		if !reflect.DeepEqual(s, session) {
			t.Fatalf("session\nread ahead %+v\nin turn    %+v", s, session)
		}
	}
}

func TestClaudeLinesReadAheadGiveTheSame(t *testing.T) {
	for _, c := range claudeJournals {
		t.Run(c.name, func(t *testing.T) { sameAhead(t, claudeBytes(c.records)) })
	}
	for seed := range uint64(200) {
		t.Run(fmt.Sprint("random ", seed), func(t *testing.T) { sameAhead(t, claudeBytes(randomClaude(seed, 40))) })
	}
	for _, path := range claudeFiles(t) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(path, func(t *testing.T) { sameAhead(t, append(data, '\n')) })
	}
}

func TestADraftIsEmptyAfterItsLastLine(t *testing.T) {
	d := newClaude(nil).(*claude)
	draft := d.Draft().(*claudeDraft)
	for i := range 3 {
		line := claudeBytes([]obj{user(fmt.Sprint("u", i), "", "go"), user(fmt.Sprint("v", i), fmt.Sprint("u", i), "on")})
		first := bytes.IndexByte(line, '\n')
		draft.Read(line, 0, first)
		draft.Read(line, first+1, len(line)-1)
		draft.Take(Place{Number: 2*i + 1})
		draft.Take(Place{Number: 2*i + 2, Offset: int64(first + 1)})
		if n := len(draft.lines) + len(draft.scan.nodes) + len(draft.reader.messages) + len(draft.reader.parts.buf); n > 0 {
			t.Errorf("it holds %d things of lines that were taken", n)
		}
	}
	if got := showJournal(d.Change().Entries); got != "u2 v2" {
		t.Errorf("journal %s", got)
	}
}

func TestAForeignCounterReadsInTurn(t *testing.T) {
	d := newClaude(func(string) kernel.Tokens { return 1 }).(*claude)
	if d.Draft() != nil {
		t.Error("it counts ahead")
	}
}
