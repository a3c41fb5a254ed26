package decode

import (
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// seedFiles are the bytes of every session file of the test data.
func seedFiles(f *testing.F) [][]byte {
	f.Helper()
	var seeds [][]byte
	err := filepath.WalkDir(transcriptFolder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".jsonl") {
			return err
		}
		data, err := os.ReadFile(path)
		seeds = append(seeds, data)
		return err
	})
	if err != nil || len(seeds) < 30 {
		f.Fatalf("%d seeds (%v)", len(seeds), err)
	}
	return seeds
}

// fuzzDecoder holds that no bytes make a decoder panic or its journal depend
// on when it was asked for, and that every text can be read again.
func fuzzDecoder(f *testing.F, format string) {
	for _, seed := range seedFiles(f) {
		f.Add(seed, byte(1))
	}
	f.Fuzz(func(t *testing.T, data []byte, every byte) {
		lines, _ := wholeLines(data)
		whole, piecemeal := New(format, nil), New(format, nil)
		journal := follow(whole, lines, never)
		pieces := follow(piecemeal, lines, func(i int) bool { return i%(int(every)+1) == 0 })
		if !reflect.DeepEqual(journal, pieces) {
			t.Fatalf("piece by piece the journal is\n%s\ninstead of\n%s", short(pieces), short(journal))
		}
		if a, b := whole.Session(), piecemeal.Session(); !reflect.DeepEqual(a, b) {
			t.Fatalf("piece by piece the session is\n%+v\ninstead of\n%+v", b, a)
		}
		for _, m := range fold(journal) {
			if s := m.Source; s.Offset < 0 || s.Length <= 0 || s.Offset+s.Length > int64(len(data)) {
				t.Fatalf("%s stands at %+v of %d bytes", m.ID, s, len(data))
			}
			if _, ok := whole.Text(data[m.Source.Offset:m.Source.Offset+m.Source.Length], m.Source.Part); !ok {
				t.Fatalf("%s cannot be read again", m.ID)
			}
		}
	})
}

func FuzzPi(f *testing.F)     { fuzzDecoder(f, "pi") }
func FuzzCore(f *testing.F)   { fuzzDecoder(f, "core") }
func FuzzCodex(f *testing.F)  { fuzzDecoder(f, "codex") }
func FuzzGemini(f *testing.F) { fuzzDecoder(f, "gemini") }
func FuzzProxy(f *testing.F)  { fuzzDecoder(f, "proxy") }
func FuzzDetect(f *testing.F) { fuzzDecoder(f, "") }

// randomPiSession is a session with branches, compactions, edits, entries
// written twice, parents that come late or never, and results before calls.
func randomPiSession(r *rand.Rand) []string {
	lines := []string{piHeader}
	ids := []string{""}
	pick := func() string { return ids[len(ids)-1-min(int(r.ExpFloat64()*1.5), len(ids)-1)] }
	letter := func() string { return string(rune('a' + r.IntN(26))) }
	for range 5 + r.IntN(40) {
		id, parent := letter()+letter(), pick()
		if r.IntN(12) == 0 {
			parent = letter() + letter()
		}
		call := letter()
		failed := ""
		if r.IntN(5) == 0 {
			failed = `,"stopReason":"error"`
		}
		switch r.IntN(12) {
		case 0:
			lines = append(lines, piLine(id, parent, `"type":"compaction","summary":"s","firstKeptEntryId":"`+pick()+`","tokensBefore":5`))
		case 1:
			lines = append(lines, piLine(id, parent, `"type":"context_edit","targetId":"`+pick()+`","replacement":`+[]string{"null", `{"content":"new"}`}[r.IntN(2)]))
		case 2:
			lines = append(lines, piLine(id, parent, `"type":"`+[]string{"label", "custom", "reset_boundary", "mode_change"}[r.IntN(4)]+`"`))
		case 3, 4:
			lines = append(lines, piResult(id, parent, call, []string{"", "ls", "write"}[r.IntN(3)], "▣ ACP | 1 → 1 tokens (~1 reclaimed, 1 block)"))
		case 5, 6, 7:
			calls := piCall(call, []string{"ls", "compress"}[r.IntN(2)], `{}`)
			if r.IntN(2) == 0 {
				calls += "," + piCall(letter(), "write", `{"path":"xd://compress","content":"{}"}`)
			}
			lines = append(lines, piAnswer(id, parent, piText("t")+","+calls, failed+`,"usage":{"input":9,"output":1}`))
		case 8, 9:
			lines = append(lines, piAnswer(id, parent, piText("t"), failed+`,"usage":{"input":9,"output":1}`))
		default:
			lines = append(lines, piUser(id, parent, "u"))
		}
		ids = append(ids, id)
	}
	return lines
}

func TestPiRandomSessionsArePieceByPieceTheSame(t *testing.T) {
	for seed := range uint64(150) {
		lines := randomPiSession(rand.New(rand.NewPCG(seed, 1)))
		r := readLines(lines...)
		errs := checkLaws(r, r.data)
		if len(errs) > 0 {
			t.Fatalf("session %d: %v\n%s", seed, errs[0], strings.Join(lines, "\n"))
		}
	}
}

// TestAppendingCostsWhatIsAppended compares what is allocated for the same
// lines at the end of a short and of a long session.
func TestAppendingCostsWhatIsAppended(t *testing.T) {
	cost := func(before int) uint64 {
		d := New("pi", nil)
		d.Line([]byte(piHeader), Place{Number: 1})
		parent := ""
		ask := func(i int) {
			id := "e" + linearID(i)
			line := piAnswer(id, parent, piText("text"), `,"usage":{"input":9}`)
			if i%2 == 0 {
				line = piUser(id, parent, "text")
			}
			d.Line([]byte(line), Place{Number: i + 2, Offset: int64(i) * 500})
			d.Change()
			d.Session()
			parent = id
		}
		for i := range before {
			ask(i)
		}
		costs := make([]uint64, 0, 40)
		for i := before; i < before+40; i++ {
			var m1, m2 runtime.MemStats
			runtime.ReadMemStats(&m1)
			ask(i)
			runtime.ReadMemStats(&m2)
			costs = append(costs, m2.TotalAlloc-m1.TotalAlloc)
		}
		slices.Sort(costs)
		return costs[len(costs)/2]
	}
	if short, long := cost(200), cost(20_000); long > 2*short {
		t.Errorf("a line costs %d bytes at the end of 200 entries and %d at the end of 20,000", short, long)
	}
}
