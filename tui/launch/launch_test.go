package launch

import (
	"runtime"
	"testing"

	"ctxscope/watch/headless"
)

// The first frame must not wait for a vocabulary: it is built when the first
// text is counted.
func TestOpeningASessionBuildsNoVocabulary(t *testing.T) {
	const file = "../../testdata/transcripts/claude/basic.jsonl"
	allocated := func() uint64 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.TotalAlloc
	}
	const few, vocabulary = 2 << 20, 10 << 20 // bytes
	for _, counter := range headless.Counters {
		a := headless.Arguments{Options: headless.Options{File: file}}
		before := allocated()
		opened, err := opener(a)(counter)
		if err != nil {
			t.Fatal(err)
		}
		if n := allocated() - before; n > few {
			t.Errorf("%s: opening a session takes %d bytes", counter, n)
		}
		before = allocated()
		if _, err := opened.Source.Next(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := allocated() - before; counter != headless.Estimate && n < vocabulary {
			t.Errorf("%s: counting the first text takes %d bytes: is nothing built?", counter, n)
		}
		if err := opened.Source.Close(); err != nil {
			t.Error(err)
		}
	}
}
