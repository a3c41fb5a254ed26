package watch

import (
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"ctxscope/kernel"
	"ctxscope/watch/decode"
)

// transcripts gives the session files of the top testdata by path.
func transcripts(t *testing.T) map[string]string {
	t.Helper()
	const root = "../testdata/transcripts"
	files := map[string]string{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".jsonl" {
			return err
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(root, path)
		files[name] = string(data)
		return err
	})
	if err != nil || len(files) < 40 {
		t.Fatalf("%d transcripts, error %v", len(files), err)
	}
	return files
}

func (w *world) realDecoders() *hooks {
	h := w.hooks()
	h.newDecoder = func(count kernel.Counter) decode.Decoder { return decode.New("", count) }
	return h
}

// However a file came to be what it is, its journal is the same.
func TestAnyCuttingOfTheSameBytesGivesTheSameJournal(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	messages := 0
	for name, data := range transcripts(t) {
		t.Run(name, func(t *testing.T) {
			d, w := newDisk(t), newWorld(t)
			once := w.open(d.write("whole.jsonl", data), Options{Once: true, hooks: w.realDecoders()})
			d.must(once.next())
			for range 5 {
				f := w.open(d.write("cut.jsonl", ""), Options{hooks: w.realDecoders()})
				for rest := data; rest != ""; {
					n := cutAt(random, rest)
					d.append("cut.jsonl", rest[:n])
					rest = rest[n:]
					f.poll()
				}
				if !reflect.DeepEqual(f.entries, once.entries) {
					t.Fatalf("the journal is\n%+v\nat once it is\n%+v", f.entries, once.entries)
				}
				if data != "" && !reflect.DeepEqual(f.last.Session, once.last.Session) {
					t.Fatalf("the session is\n%+v\nat once it is\n%+v", f.last.Session, once.last.Session)
				}
			}
			for _, entry := range once.entries {
				if entry.Op != kernel.Append {
					continue
				}
				messages++
				text, err := once.tail.Text(entry.Message)
				if err != nil || kernel.Len16(text) != entry.Message.Chars {
					t.Errorf("text of %s is %q, error %v, measured were %d chars", entry.Message.ID, text, err, entry.Message.Chars)
				}
			}
		})
	}
	if messages < 100 {
		t.Errorf("only %d messages", messages)
	}
}

// cutAt chooses where to cut: anywhere, or around the next line end.
func cutAt(random *rand.Rand, rest string) int {
	n := 1 + random.IntN(min(len(rest), 700))
	if end := strings.IndexByte(rest, '\n'); end > 0 && random.IntN(2) == 0 {
		n = min(end+random.IntN(2), len(rest))
	}
	return n
}
