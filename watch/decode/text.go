package decode

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

const hexDigits = "0123456789abcdef"

// plain reports whether the inside of a JSON string says what it shows: no
// escapes, and all of it UTF-8.
func plain(raw []byte) bool {
	return bytes.IndexByte(raw, '\\') < 0 && utf8.Valid(raw)
}

// appendDecoded appends what the inside of a JSON string says. Bytes that are
// not UTF-8 and halves of surrogate pairs become U+FFFD, as in encoding/json;
// an unknown escape stands for the character behind its backslash.
func appendDecoded(dst, raw []byte) []byte {
	start, whole, ascii := len(dst), raw, true
	for {
		dst = slices.Grow(dst, len(raw)) // a bad escape may be longer as a rune than it was
		written, read, plain := decodeSimple(dst[len(dst):cap(dst)], raw)
		dst, raw, ascii = dst[:len(dst)+written], raw[read:], ascii && plain
		switch {
		case len(raw) > 0:
		case ascii || utf8.Valid(dst[start:]):
			return dst
		default: // the bytes were not UTF-8
			return appendDecoded(dst[:start], appendValid(nil, whole))
		}
		var r rune
		r, raw = escapedRune(raw)
		dst = utf8.AppendRune(dst, r)
		ascii = ascii && r < utf8.RuneSelf
	}
}

// decodeSimple writes what the start of raw says to dst, up to its end or to an
// escape of more than one letter. It gives how many bytes it wrote (w) and read
// (r), and reports whether all it wrote is ASCII. dst is at least as long as
// raw. Escapes stand close together in code, so eight bytes at a time cost less
// than a search and a copy for each.
func decodeSimple(dst, raw []byte) (w, r int, ascii bool) {
	var seen uint64
	for {
		for r+8 <= len(raw) && w+8 <= len(dst) {
			word := binary.LittleEndian.Uint64(raw[r : r+8])
			binary.LittleEndian.PutUint64(dst[w:w+8], word)
			if found := firstByte(word, '\\'); found != 0 {
				n := bits.TrailingZeros64(found) / 8
				seen |= word & (1<<(8*n) - 1)
				w, r = w+n, r+n
				break
			}
			seen |= word
			w, r = w+8, r+8
		}
		for r < len(raw) && raw[r] != '\\' {
			seen |= uint64(raw[r])
			dst[w] = raw[r]
			w, r = w+1, r+1
		}
		if r+1 >= len(raw) || simpleEscapes[raw[r+1]] == 0 {
			return w, r, seen&highs == 0
		}
		dst[w] = simpleEscapes[raw[r+1]]
		w, r = w+1, r+2
	}
}

// Eight bytes, of which each is 1 or has its highest bit alone.
const ones, highs = 0x0101010101010101, 0x8080808080808080

// firstByte has the highest bit of the first byte c among the eight of a word,
// lowest first, and may have those of bytes behind it; it is 0 when there is
// none.
func firstByte(word uint64, c byte) uint64 {
	zero := word ^ ones*uint64(c)
	return (zero - ones) &^ zero & highs
}

// simpleEscapes is what one letter behind a backslash stands for.
var simpleEscapes = [256]byte{'n': '\n', 't': '\t', 'r': '\r', 'b': '\b', 'f': '\f', '"': '"', '\\': '\\', '/': '/'}

// escapedRune reads the escape at the start of raw, two of them when they are
// a surrogate pair, and gives what stands behind it. Half of a pair is given
// as it stands.
func escapedRune(raw []byte) (r rune, rest []byte) {
	r, rest = escapedUnit(raw)
	if !utf16.IsSurrogate(r) {
		return r, rest
	}
	if low, behind := escapedUnit(rest); utf16.IsSurrogate(low) {
		if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
			return pair, behind
		}
	}
	return r, rest
}

// escapedUnit reads the one escape at the start of raw: a UTF-16 code unit,
// or a rune behind a backslash that means nothing. Without an escape there it
// is U+FFFD and nothing stands behind it.
func escapedUnit(raw []byte) (r rune, rest []byte) {
	if len(raw) < 2 || raw[0] != '\\' {
		return utf8.RuneError, nil
	}
	if c := simpleEscapes[raw[1]]; c != 0 {
		return rune(c), raw[2:]
	}
	if raw[1] == 'u' && len(raw) >= 6 {
		if n := hexValues[raw[2]]<<12 | hexValues[raw[3]]<<8 | hexValues[raw[4]]<<4 | hexValues[raw[5]]; n >= 0 {
			return n, raw[6:]
		}
	}
	r, size := utf8.DecodeRune(raw[1:])
	return r, raw[1+size:]
}

// hexValues are the values of hexadecimal digits; -1 of any other byte, which
// stays negative wherever it is shifted to.
var hexValues = func() (values [256]rune) {
	for i := range values {
		values[i] = -1
	}
	for i, c := range []byte(hexDigits) {
		values[c], values[bytes.ToUpper([]byte{c})[0]] = rune(i), rune(i)
	}
	return values
}()

// appendValid appends raw with U+FFFD for each byte that is not UTF-8.
func appendValid(dst, raw []byte) []byte {
	if utf8.Valid(raw) {
		return append(dst, raw...)
	}
	for len(raw) > 0 {
		r, size := utf8.DecodeRune(raw)
		dst = utf8.AppendRune(dst, r)
		raw = raw[size:]
	}
	return dst
}

// appendCompact appends the value as JSON without blanks, written as
// JavaScript's JSON.stringify writes it: keys in their order, nothing escaped
// that need not be, numbers in their shortest form.
func (v value) appendCompact(dst []byte) []byte {
	raw := v.raw()
	for i := 0; i < len(raw); {
		switch c := raw[i]; c {
		case ' ', '\t', '\n', '\r':
			i++
		case '"':
			end := stringEnd(raw, i)
			dst = appendQuoted(dst, raw[i+1:end-1])
			i = end
		case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
			end := numberEnd(raw, i)
			dst = appendNumber(dst, raw[i:end])
			i = end
		default:
			dst = append(dst, c)
			i++
		}
	}
	return dst
}

// appendQuoted writes the inside of a JSON string anew, in quotes.
func appendQuoted(dst, raw []byte) []byte {
	dst = append(dst, '"')
	if standard(raw) {
		return append(append(dst, raw...), '"')
	}
	for len(raw) > 0 {
		n := 0
		for n < len(raw) && raw[n] != '\\' && raw[n] >= ' ' {
			n++
		}
		dst = appendValid(dst, raw[:n])
		if raw = raw[n:]; len(raw) == 0 {
			break
		}
		if raw[0] != '\\' {
			dst = appendEscaped(dst, rune(raw[0]))
			raw = raw[1:]
			continue
		}
		var r rune
		r, raw = escapedRune(raw)
		dst = appendEscaped(dst, r)
	}
	return append(dst, '"')
}

// standard reports whether the inside of a JSON string is written as
// JSON.stringify writes it. It may say no where the answer is yes.
func standard(raw []byte) bool {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	i := 0
	for ; i+8 <= len(raw); i += 8 { // no control character, nothing but ASCII
		word := binary.LittleEndian.Uint64(raw[i:])
		if word&highs != 0 || (word-ones*' ')&^word&highs != 0 {
			return false
		}
	}
	for ; i < len(raw); i++ {
		if raw[i] < ' ' || raw[i] >= utf8.RuneSelf {
			return false
		}
	}
	for {
		i := bytes.IndexByte(raw, '\\')
		if i < 0 {
			return true
		}
		if c := raw[i+1]; c == 'u' || c == '/' || simpleEscapes[c] == 0 {
			return false
		}
		raw = raw[i+2:]
	}
}

// appendEscaped writes one character of a string as JSON.stringify does.
func appendEscaped(dst []byte, r rune) []byte {
	switch r {
	case '"', '\\':
		return append(dst, '\\', byte(r))
	case '\n':
		return append(dst, '\\', 'n')
	case '\t':
		return append(dst, '\\', 't')
	case '\r':
		return append(dst, '\\', 'r')
	case '\b':
		return append(dst, '\\', 'b')
	case '\f':
		return append(dst, '\\', 'f')
	}
	if r < ' ' || utf16.IsSurrogate(r) {
		return append(dst, '\\', 'u', hexDigits[r>>12&15], hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15])
	}
	return utf8.AppendRune(dst, r)
}

// appendNumber writes a number as JavaScript prints it; null when it is
// beyond what a number can hold there.
func appendNumber(dst, raw []byte) []byte {
	if len(raw) < 16 && raw[0] != '-' && digitsEnd(raw, 0) == len(raw) {
		return append(dst, raw...)
	}
	f, _ := strconv.ParseFloat(string(raw), 64) // beyond the range: an infinity
	switch size := math.Abs(f); {
	case math.IsInf(f, 0):
		return append(dst, "null"...)
	case f == 0:
		return append(dst, '0')
	case size >= 1e-6 && size < 1e21:
		return strconv.AppendFloat(dst, f, 'f', -1, 64)
	}
	dst = strconv.AppendFloat(dst, f, 'e', -1, 64)
	if n := len(dst); dst[n-2] == '0' && (dst[n-3] == '-' || dst[n-3] == '+') {
		dst = append(dst[:n-2], dst[n-1]) // 1e-07 is printed 1e-7
	}
	return dst
}
