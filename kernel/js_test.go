package kernel

import (
	"math"
	"strings"
	"testing"
	"unicode/utf16"
)

func TestEstimateCountsWideScriptsByUnitAndTheRestByQuarter(t *testing.T) {
	tests := []struct {
		text   string
		tokens Tokens
		chars  Chars
	}{
		{"", 0, 0},
		{"abc", 1, 3},
		{"function test_fn() {}", 6, 21},
		{`{"topic":"auth"}`, 4, 16},
		{"你好世界", 4, 4},
		{"こんにちは世界", 7, 7},
		{"カタカナー", 5, 5},
		{"안녕하세요", 5, 5},
		{"ｶﾀｶﾅ", 1, 4},
		{"，。！", 1, 3},
		{"你a", 2, 2},
		{"😀😀", 1, 4},
		{"𠮷野家", 3, 4},
		{"e\u0301", 1, 2},
		{"12345", 2, 5},
		{"  \n\t", 1, 4},
		{"\u3040\u30ff\u4e00\u9fff\uac00\ud7af", 6, 6},
		{"\u303f\u3100\u9fff\ua000\ud7b0", 2, 5},
		{"\xff\xfe\xfd\xfc\xfb", 2, 5},
		{"\xed\xa0\x80", 1, 3},
		{"abcdefgh\x80", 3, 9},
	}
	for _, test := range tests {
		if got := Estimate(test.text); got != test.tokens {
			t.Errorf("Estimate(%q) = %v, want %v", test.text, got, test.tokens)
		}
		if got := Len16(test.text); got != test.chars {
			t.Errorf("Len16(%q) = %d, want %d", test.text, got, test.chars)
		}
	}
}

func TestCountingAllocatesNothing(t *testing.T) {
	text := strings.Repeat("plain, 世界, 😀; ", 1000)
	if n := testing.AllocsPerRun(10, func() { Estimate(text); Len16(text) }); n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}

func TestRoundTakesTiesUp(t *testing.T) {
	for x, want := range map[float64]float64{
		0: 0, 0.5: 1, 1.5: 2, 2.5: 3, 2.4999: 2, -0.5: 0, -1.5: -1, -2.6: -3,
		0.49999999999999994: 0, 4503599627370497: 4503599627370497,
	} {
		if got := roundJS(x); got != want {
			t.Errorf("roundJS(%v) = %v, want %v", x, got, want)
		}
	}
}

func TestOneDecimalTakesTiesAwayFromZero(t *testing.T) {
	for x, want := range map[float64]string{
		1.25: "1.3", 2.25: "2.3", 1.75: "1.8", 1.049: "1.0", 1.05: "1.1", 1.45: "1.4", 9.95: "9.9",
		0: "0.0", 0.25: "0.3", -0.25: "-0.3", -0.04: "-0.0", 999.97: "1000.0", 1e21: "1e+21",
		math.Copysign(0, -1): "0.0", math.Inf(-1): "-Infinity",
	} {
		if got := fixed1(x); got != want {
			t.Errorf("fixed1(%v) = %q, want %q", x, got, want)
		}
	}
}

func TestNumbersPrintShortest(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0", math.Copysign(0, -1): "0", 50000: "50000", -12: "-12", 6660.3330000000005: "6660.3330000000005",
		2777.4: "2777.4", 0.1: "0.1", 1e20: "100000000000000000000", 1e21: "1e+21", 1.5e300: "1.5e+300",
		0.000001: "0.000001", 0.0000001: "1e-7", -1.25e-9: "-1.25e-9", math.MaxInt64: "9223372036854776000",
		math.Inf(1): "Infinity", math.Inf(-1): "-Infinity",
	} {
		if got := num(x); got != want {
			t.Errorf("num(%g) = %q, want %q", x, got, want)
		}
	}
	if got := num(math.NaN()); got != "NaN" {
		t.Errorf("num(NaN) = %q", got)
	}
}

func TestTrimCutsScriptWhiteSpaceOnly(t *testing.T) {
	space := "\t\v\f \u00a0\ufeff\u1680\u2000\u200a\u202f\u205f\u3000\n\r\u2028\u2029"
	if got := trimJS(space + "a b" + space); got != "a b" {
		t.Errorf("trimJS left %q", got)
	}
	for _, kept := range []string{"\u0085", "\u200b", "\u180e", "\x00"} {
		if got := trimJS(kept + "x" + kept); got != kept+"x"+kept {
			t.Errorf("trimJS(%q) = %q", kept+"x"+kept, got)
		}
	}
}

func TestCutsCountUnitsAndSplitNoPair(t *testing.T) {
	const s = "a😀b世c"
	tests := []struct{ name, got, want string }{
		{"head 0", head16(s, 0), ""},
		{"head 1", head16(s, 1), "a"},
		{"head 2 would split the pair", head16(s, 2), "a"},
		{"head 3", head16(s, 3), "a😀"},
		{"head beyond the end", head16(s, 99), s},
		{"tail 0", tail16(s, 0), ""},
		{"tail 3", tail16(s, 3), "b世c"},
		{"tail 4 would split the pair", tail16(s, 4), "b世c"},
		{"tail 5", tail16(s, 5), "😀b世c"},
		{"tail beyond the start", tail16(s, 99), s},
	}
	for _, test := range tests {
		if test.got != test.want {
			t.Errorf("%s: %q, want %q", test.name, test.got, test.want)
		}
	}
}

func FuzzMeasure16(f *testing.F) {
	for _, s := range []string{"", "plain text of some length", "a😀b世c", "\xed\xa0\x80\xffabcdefghi\xf0\x9f", "한국어かな"} {
		f.Add(s, 3)
	}
	f.Fuzz(func(t *testing.T, s string, n int) {
		units := len(utf16.Encode([]rune(s)))
		if got := Len16(s); int(got) != units {
			t.Fatalf("Len16(%q) = %d, want %d", s, got, units)
		}
		if n < 0 || n > units {
			return
		}
		head, tail := head16(s, n), tail16(s, n)
		for _, part := range []string{head, tail} {
			if int(Len16(part)) > n || !strings.Contains(s, part) {
				t.Fatalf("cutting %q at %d gives %q", s, n, part)
			}
		}
		if int(Len16(head)) < n-1 || int(Len16(tail)) < n-1 {
			t.Fatalf("cutting %q at %d loses more than half a pair: %q, %q", s, n, head, tail)
		}
	})
}

func BenchmarkEstimate(b *testing.B) {
	for name, text := range map[string]string{
		"ascii": strings.Repeat("func main() { run(os.Args) }\n", 4000),
		"cjk":   strings.Repeat("文字列を数える。", 5000),
		"mixed": strings.Repeat("plain words, “quotes” and 世界\n", 3000),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				Estimate(text)
			}
		})
	}
}

// The short cuts for common text agree with the rune by rune count.
func TestTheMeasureAgreesWithItsDefinition(t *testing.T) {
	for _, s := range []string{
		"", "a", "\xff", "\xe4\xb8", "\xe4\xb8\xad", "\xed\xa0\x80x", "\xe0\x80\x80", "a中b文c", "ぁ\u30ff\u3100", "\uac00\ud7af\ud7b0",
		"\u4dff\u4e00\u9fff\ua000", "😀中😀", strings.Repeat("中", 9) + "\xe4", "\u0800\uffff\ue000",
	} {
		units, cjk := 0, 0
		for _, r := range s {
			units += runeUnits(r)
			if isCJK(r) {
				cjk++
			}
		}
		if gotUnits, gotCJK := measure16(s); gotUnits != units || gotCJK != cjk {
			t.Errorf("%q: %d units and %d CJK, want %d and %d", s, gotUnits, gotCJK, units, cjk)
		}
	}
	plain := strings.Repeat("x", 50)
	for n := range 60 {
		if head, tail := head16(plain, n), tail16(plain, n); len(head) != min(n, 50) || len(tail) != min(n, 50) {
			t.Errorf("%d: head %q, tail %q", n, head, tail)
		}
	}
}
