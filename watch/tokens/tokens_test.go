package tokens

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"ctxscope/kernel"
)

// ordinary gives the corpora of testdata by name.
func ordinary(t testing.TB) map[string]string {
	t.Helper()
	paths, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no corpora in testdata: %v", err)
	}
	texts := map[string]string{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		texts[filepath.Base(path)] = string(text)
	}
	return texts
}

func counter(t testing.TB, encoding string) kernel.Counter {
	t.Helper()
	count, err := New(encoding)
	if err != nil {
		t.Fatal(err)
	}
	return count
}

// library is what the library itself says of the uncut text.
func library(t testing.TB, encoding, text string) int {
	t.Helper()
	encoder, err := builders[encoding]()
	if err != nil {
		t.Fatal(err)
	}
	return len(encoder.EncodeOrdinary(text))
}

// The recorded counts are the library's own of the uncut text.
func TestCorporaCountAsRecorded(t *testing.T) {
	recorded := map[string][2]kernel.Tokens{
		"prose.txt":    {3468, 3647},
		"code.txt":     {2241, 2296},
		"cjk.txt":      {4388, 6337},
		"log.txt":      {8064, 7804},
		"minified.txt": {5255, 5111},
	}
	texts := ordinary(t)
	if len(texts) != len(recorded) {
		t.Errorf("%d corpora, %d recorded counts", len(texts), len(recorded))
	}
	for name, text := range texts {
		for i, encoding := range []string{"o200k_base", "cl100k_base"} {
			if got := counter(t, encoding)(text); got != recorded[name][i] {
				t.Errorf("%s in %s is %v tokens, recorded are %v", name, encoding, got, recorded[name][i])
			}
		}
	}
}

// What a cut costs is bounded: about a token for each
// 1,024 bytes, two where the bytes are no UTF-8.
func TestLongRunsCountWithinTwoTokensACut(t *testing.T) {
	for name, text := range hostile {
		end := 3_000
		for utf8.ValidString(text) && !utf8.RuneStart(text[end]) {
			end++
		}
		text = text[:end]
		pieces := 0
		cut(text, func(string) { pieces++ })
		for _, encoding := range []string{"o200k", "cl100k"} {
			got, want := int(counter(t, encoding)(text)), library(t, encoding, text)
			if off := max(got-want, want-got); off > 2*(pieces-1) {
				t.Errorf("%s in %s: %d tokens, exactly %d, with %d pieces", name, encoding, got, want, pieces)
			}
		}
	}
}

func TestNamesOfSpecialTokensArePlainText(t *testing.T) {
	for _, encoding := range []string{"o200k", "cl100k"} {
		count := counter(t, encoding)
		if got := count("x <|endoftext|> y <|endofprompt|> z"); got < 12 {
			t.Errorf("%s: %v tokens, so a name was taken for a token or lost", encoding, got)
		}
	}
}

func TestShortNamesAreTheSameEncodings(t *testing.T) {
	text := "The parser returns early. 解析器提前返回。 x := []byte(nil)"
	for short, long := range map[string]string{"o200k": "o200k_base", "cl100k": "cl100k_base"} {
		if a, b := counter(t, short)(text), counter(t, long)(text); a != b || a == 0 {
			t.Errorf("%s counts %v, %s %v", short, a, long, b)
		}
	}
}

func TestAnUnknownEncodingIsNamed(t *testing.T) {
	_, err := New("p50k")
	if err == nil || !strings.Contains(err.Error(), `"p50k"`) {
		t.Errorf("error is %v", err)
	}
}

func TestCountersMayBeSharedByGoroutines(t *testing.T) {
	var group sync.WaitGroup
	counts := make([]kernel.Tokens, 8)
	for i := range counts {
		group.Go(func() {
			count, err := New("cl100k")
			if err != nil {
				t.Error(err)
				return
			}
			counts[i] = count(strings.Repeat("func main() { println(1) }\n", 50))
		})
	}
	group.Wait()
	for _, n := range counts {
		if n != counts[0] || n == 0 {
			t.Fatalf("counts differ: %v", counts)
		}
	}
}

func FuzzCountEqualsTheLibrary(f *testing.F) {
	for _, text := range ordinary(f) {
		for i := 0; i+700 < len(text) && i < 20_000; i += 2_000 {
			f.Add(text[i : i+700])
		}
	}
	f.Add("\n  \n\t\r\n  x  \u00a0\u2028y'll 'S don't ſ's \u0085")
	f.Add("x <|endoftext|> y")
	f.Add("1234567890 ١٢٣ Ⅷ ½½½½ e\u0301e\u0301 👩\u200d👧 \xff\xfe")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 2_000 || longestRunIn(text) >= longestRun {
			return
		}
		// A short text is never cut on its own, so it is put where cuts fall.
		long := strings.Repeat(text+" ", 2+enough/(len(text)+1))
		for _, encoding := range []string{"o200k_base", "cl100k_base"} {
			if got, want := int(counter(t, encoding)(text)), library(t, encoding, text); got != want {
				t.Fatalf("%s: %d tokens, the library says %d of %q", encoding, got, want, text)
			}
			if got, want := int(counter(t, encoding)(long)), library(t, encoding, long); got != want && longestRunIn(long) < longestRun {
				t.Fatalf("%s: %d tokens, the library says %d of many times %q", encoding, got, want, text)
			}
		}
	})
}

func BenchmarkCount(b *testing.B) {
	texts := ordinary(b)
	for name, text := range hostile {
		texts["hostile "+name] = text
	}
	count := counter(b, "o200k")
	for name, text := range texts {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				count(text)
			}
		})
	}
}
