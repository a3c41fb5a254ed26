package watch

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"ctxscope/kernel"
	"ctxscope/watch/decode"
)

// odd are lines that are not exactly one record each.
var odd = []string{"", "not JSON", `{"type":"user","uuid":"cut`, "{}{}", "\x00\x00", "[1]", `{"type":"user","type":"user","uuid":"glued-%[1]d","message":{"content":"a"}}{"uuid":"glued-b-%[1]d","type":"progress"}`}

// writeOddFile writes a large session of Claude Code with odd lines in it.
func writeOddFile(t *testing.T, path string, size int64) (data []byte) {
	t.Helper()
	writeBigFile(t, path, size, int(size/1000))
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	i := 0
	for line := range bytes.Lines(whole) {
		data = append(data, line...)
		if i++; i%20 == 0 {
			data = append(data, strings.ReplaceAll(odd[i/20%len(odd)], "%[1]d", fmt.Sprint(i))+"\n"...)
		}
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return data
}

// counting counts the lines that are read in their turn.
type counting struct {
	decode.Decoder
	inTurn *int
}

func (c counting) Line(line []byte, at decode.Place) {
	*c.inTurn++
	c.Decoder.Line(line, at)
}

func (c counting) Draft() decode.Draft { return c.Decoder.(decode.Drafter).Draft() }

// faulty panics while it reads ahead.
type faulty struct{ decode.Decoder }

func (f faulty) Draft() decode.Draft              { return f }
func (f faulty) Read(data []byte, start, end int) { panic("a fault in reading") }
func (f faulty) Take(at decode.Place)             {}

func TestAPanicInReadingAheadIsMetByTheReader(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	writeBigFile(t, path, 2*blockSize, 2000)
	h := realHooks()
	h.newDecoder = func(count kernel.Counter) decode.Decoder { return faulty{decode.New("", count)} }
	source, err := Open(path, Options{Once: true, hooks: &h})
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	defer func() {
		if got := fmt.Sprint(recover()); !strings.HasPrefix(got, "a fault in reading") {
			t.Errorf("the panic is %q", got)
		}
	}()
	_, err = source.Next(t.Context())
	t.Errorf("it is read, error %v", err)
}

func TestALargeFileIsReadAsIfLineByLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	data := writeOddFile(t, path, 5*blockSize/2) // the format is found in the first block
	if inTurn, lines := readAsIfLineByLine(t, path, data); lines < 2000 || inTurn == 0 || inTurn > lines/2 {
		t.Errorf("%d of %d lines were read in their turn", inTurn, lines)
	}
}

// What is kept of a line that waits for its turn is far more than a short line
// itself.
func TestFewOfManyShortLinesAreReadAhead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	data := writeOddFile(t, path, blockSize+1<<20) // the format is found in the first block
	for _, short := range []string{"\n", "{}\n", "x\n"} {
		data := slices.Concat(data, bytes.Repeat([]byte(short), 1<<19))
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if inTurn, lines := readAsIfLineByLine(t, path, data); inTurn < lines*9/10 {
			t.Errorf("%d of %d lines %q were read in their turn", inTurn, lines, short)
		}
	}
}

// readAsIfLineByLine fails unless a source gives what the lines one by one
// give. It tells how many lines were read in their turn, of how many.
func readAsIfLineByLine(t *testing.T, path string, data []byte) (inTurn, number int) {
	t.Helper()
	var lines Lines
	var marks imprint
	d := decode.New("", nil)
	err := lines.Feed(data, func(line []byte, at decode.Place) {
		marks.line(line, at)
		d.Line(line, at)
	})
	if err != nil {
		t.Fatal(err)
	}
	want, session := d.Change().Entries, d.Session()
	if len(session.Problems) < 20 {
		t.Fatalf("%d odd lines only", len(session.Problems))
	}
	for _, options := range []Options{{}, {Once: true}} {
		h := realHooks()
		inTurn = 0
		h.newDecoder = func(count kernel.Counter) decode.Decoder { return counting{decode.New("", count), &inTurn} }
		options.hooks = &h
		source, err := Open(path, options)
		if err != nil {
			t.Fatal(err)
		}
		defer source.Close()
		var got []kernel.Entry
		for e := (Event{Status: Status{Size: 1}}); e.Status.Loading(); {
			if e, err = source.Next(t.Context()); err != nil {
				t.Fatal(err)
			}
			got = append(got[:e.Change.Keep], e.Change.Entries...)
			if !e.Status.Loading() && !reflect.DeepEqual(e.Session, session) {
				t.Errorf("session %+v\nwant %+v", e.Session, session)
			}
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%d entries differ from the %d of line by line", len(got), len(want))
		}
		r := source.(*tail).current
		if r.lines.number != lines.number || r.lines.start != lines.start || !slices.Equal(r.imprint.offsets, marks.offsets) || !slices.Equal(r.imprint.sums, marks.sums) {
			t.Error("the lines are marked in another way")
		}
		for i, e := range got {
			if i%9 != 0 || e.Op != kernel.Append {
				continue
			}
			if _, err := source.Text(e.Message); err != nil {
				t.Fatal(err)
			}
		}
	}
	return inTurn, lines.number
}
