package watch

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"ctxscope/kernel"
	"ctxscope/watch/decode"
)

// sessionFiles are all session files of the test data, of every format, and
// those of the cases.
func sessionFiles(t *testing.T) map[string][]byte {
	t.Helper()
	files, byEnd := map[string][]byte{}, map[string]int{}
	err := filepath.WalkDir("../testdata/transcripts", func(path string, entry fs.DirEntry, err error) error {
		name := filepath.Base(path)
		if err != nil || entry.IsDir() || filepath.Base(filepath.Dir(path)) == "storage" || name == "expected.json" {
			return err
		}
		if ext := filepath.Ext(path); ext == ".jsonl" || ext == ".json" {
			byEnd[ext]++
			files[path], err = os.ReadFile(path)
		}
		return err
	})
	cases, globErr := filepath.Glob("../testdata/cases/transcript-*.jsonl")
	for _, path := range cases {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files[path] = data
	}
	if err != nil || globErr != nil || byEnd[".jsonl"] < 50 || byEnd[".json"] < 10 || len(cases) < 10 {
		t.Fatalf("%v and %d cases: %v, %v", byEnd, len(cases), err, globErr)
	}
	return files
}

// TestByteByByteGivesTheSameJournal lets each file grow by one byte at a time
// and looks at it after each.
func TestByteByByteGivesTheSameJournal(t *testing.T) {
	formats := map[string]int{}
	for path, data := range sessionFiles(t) {
		whole := readUpTo(t, data, len(data), nil)
		formats[whole.session.Format]++
		var grown *grownFile
		for to := 1; to <= len(data); to++ {
			grown = readUpTo(t, data, to, grown)
		}
		if len(data) == 0 {
			continue
		}
		if !reflect.DeepEqual(grown.journal, whole.journal) {
			t.Errorf("%s: byte by byte the journal is\n%+v\nas a whole it is\n%+v", path, grown.journal, whole.journal)
		}
		if !reflect.DeepEqual(grown.session, whole.session) {
			t.Errorf("%s: byte by byte the session is\n%+v\nas a whole it is\n%+v", path, grown.session, whole.session)
		}
	}
	for _, format := range []string{"pi", "claude", "codex", "gemini", "opencode", "proxy"} {
		if formats[format] == 0 {
			t.Errorf("no file of the format %s was read", format)
		}
	}
	t.Logf("files by format: %v", formats)
}

// grownFile is a file that was read up to some byte.
type grownFile struct {
	reading *reading
	journal []kernel.Entry
	session decode.Session
}

// readUpTo reads on to a byte, as a look at a file of that size does: anew
// where a line goes on that was taken for whole.
func readUpTo(t *testing.T, data []byte, to int, g *grownFile) *grownFile {
	t.Helper()
	block := make([]byte, 4<<10)
	for {
		if g == nil {
			g = &grownFile{reading: &reading{file: memory{bytes.NewReader(data[:to])}, decoder: decode.New("", nil)}, journal: []kernel.Entry{}}
		}
		g.reading.file = memory{bytes.NewReader(data[:to])}
		var err error
		for err == nil && g.reading.lines.Read() < int64(to) {
			err = g.reading.next(block, int64(to))
		}
		if err == nil {
			change, session := g.reading.decoded()
			g.journal, g.session = append(g.journal[:change.Keep:change.Keep], change.Entries...), session
			return g
		}
		if g.reading.lines.Read() == 0 {
			t.Fatal(err)
		}
		g = nil
	}
}
