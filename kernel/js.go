package kernel

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The reference counts, rounds and prints as ECMAScript does. Here is where
// that differs from Go.

// Len16 is the length of s in UTF-16 code units. A byte that is not part of
// valid UTF-8 counts as one.
func Len16(s string) Chars {
	units, _ := measure16(s)
	return Chars(units)
}

// Estimate is the reference's default counter: one token for each code unit
// in the CJK, kana and Hangul ranges and a quarter of the other UTF-16 units,
// rounded up. A byte that is not part of valid UTF-8 is one other unit.
func Estimate(text string) Tokens {
	units, cjk := measure16(text)
	return estimate(units, cjk)
}

func estimate(units, cjk int) Tokens { return Tokens(cjk + (units-cjk+3)/4) }

// measure16 counts the UTF-16 code units of s and, among them, those of the
// CJK, kana and Hangul ranges.
func measure16(s string) (units, cjk int) {
	for i := 0; i < len(s); {
		if s[i] < utf8.RuneSelf {
			n := asciiPrefix(s[i:])
			units += n
			i += n
			continue
		}
		if r, ok := rune3(s[i:]); ok { // most text that is not ASCII
			units++
			if isCJK(r) {
				cjk++
			}
			i += 3
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		units++
		if r >= 0x10000 {
			units++
		}
	}
	return units, cjk
}

// isCJK reports whether r lies in the CJK, kana or Hangul ranges.
func isCJK(r rune) bool {
	return r >= 0x3040 && r <= 0x30FF || r >= 0x4E00 && r <= 0x9FFF || r >= 0xAC00 && r <= 0xD7AF
}

// rune3 is the rune at the start of s where it takes three bytes; ok is false
// for any other.
func rune3(s string) (r rune, ok bool) {
	if len(s) < 3 || s[0]&0xf0 != 0xe0 || s[1]&0xc0 != 0x80 || s[2]&0xc0 != 0x80 {
		return 0, false
	}
	r = rune(s[0]&0x0f)<<12 | rune(s[1]&0x3f)<<6 | rune(s[2]&0x3f)
	return r, r >= 0x800 && (r < 0xD800 || r > 0xDFFF)
}

// asciiPrefix is the number of ASCII bytes that s starts with.
func asciiPrefix(s string) int {
	const highs = 0x8080808080808080
	i := 0
	for ; i+32 <= len(s) && (eight(s[i:])|eight(s[i+8:])|eight(s[i+16:])|eight(s[i+24:]))&highs == 0; i += 32 {
	}
	for ; i+8 <= len(s) && eight(s[i:])&highs == 0; i += 8 {
	}
	for i < len(s) && s[i] < utf8.RuneSelf {
		i++
	}
	return i
}

// eight are the first eight bytes of s as one number: a single load.
func eight(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// runeUnits is the number of UTF-16 code units of r.
func runeUnits(r rune) int {
	if r >= 0x10000 {
		return 2
	}
	return 1
}

// head16 is the first n UTF-16 code units of s; a surrogate pair that the cut
// would split is left out.
func head16(s string, n int) string {
	if n <= len(s) && n > 0 && asciiPrefix(s[:n]) == n {
		return s[:n]
	}
	units := 0
	for i, r := range s {
		units += runeUnits(r)
		if units > n {
			return s[:i]
		}
	}
	return s
}

// tail16 is the last n UTF-16 code units of s; a surrogate pair that the cut
// would split is left out.
func tail16(s string, n int) string {
	if n <= len(s) && n > 0 && asciiPrefix(s[len(s)-n:]) == n {
		return s[len(s)-n:]
	}
	units := 0
	for i := len(s); i > 0; {
		r, size := utf8.DecodeLastRuneInString(s[:i])
		units += runeUnits(r)
		if units > n {
			return s[i:]
		}
		i -= size
	}
	return s
}

// roundJS is the nearest integer to x, ties toward +∞.
func roundJS(x float64) float64 {
	floor := math.Floor(x)
	if x-floor >= 0.5 {
		return floor + 1
	}
	return floor
}

// fixed1 prints x with one decimal, rounded on the exact value, ties away
// from zero: fixed1(1.25) is "1.3".
func fixed1(x float64) string {
	if math.IsNaN(x) || math.Abs(x) >= 1e21 {
		return num(x)
	}
	sign := ""
	if x < 0 {
		sign, x = "-", -x
	}
	x = math.Abs(x)
	if floor := math.Floor(x); x-floor == 0.25 {
		return sign + strconv.FormatFloat(floor, 'f', 0, 64) + ".3"
	}
	return sign + strconv.FormatFloat(x, 'f', 1, 64)
}

// num prints x as ECMAScript prints numbers: the shortest digits that read
// back as x, no ".0", an exponent from 1e+21 and below 1e-6, "0" for -0.
func num(x float64) string {
	switch {
	case x == 0:
		return "0"
	case math.IsNaN(x):
		return "NaN"
	case math.IsInf(x, 1):
		return "Infinity"
	case math.IsInf(x, -1):
		return "-Infinity"
	}
	if abs := math.Abs(x); abs >= 1e-6 && abs < 1e21 {
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	digits, exponent, _ := strings.Cut(strconv.FormatFloat(x, 'e', -1, 64), "e")
	return digits + "e" + exponent[:1] + strings.TrimLeft(exponent[1:], "0")
}

// trimJS cuts ECMAScript's white space off both ends of s.
func trimJS(s string) string { return strings.TrimFunc(s, isSpaceJS) }

// isSpaceJS reports whether r is white space or a line end in ECMAScript.
// Unlike Go it takes U+FEFF and leaves U+0085.
func isSpaceJS(r rune) bool {
	switch r {
	case '\t', '\n', '\v', '\f', '\r', ' ', 0xA0, 0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF:
		return true
	}
	return r >= 0x2000 && r <= 0x200A
}
