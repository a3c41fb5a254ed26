package decode

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// maxDepth is how deep values may nest: as deep as encoding/json allows.
const maxDepth = 10000

// maxNodes is how many values and keys a text may hold: enough for any record,
// and little enough that a line of nothing but small numbers does not take many
// times its own size of memory.
const maxNodes = 1 << 24

// scanner finds the values of one JSON text in one pass and remembers where
// they stand, so that they can be asked for in any order. It is used again
// for the next text: values of the text before are void then.
//
// It accepts what encoding/json accepts, up to maxNodes, and raw control characters and
// unknown escapes inside strings besides.
type scanner struct {
	data  []byte
	nodes []node
	open  []int32 // the containers around the place that is being read
	text  []byte  // room for decoded strings
}

// node is one value, or one key, of the text. A container is followed by what
// it holds; in an object keys and values take turns.
type node struct {
	start, end int   // bytes of the value, quotes included
	next       int32 // the node behind the value and all that it holds
}

// want says what may stand at the place that is read next.
type want uint8

const (
	wantValue want = iota
	wantKey
	wantNothing
)

// scan reads one value of data from pos on and gives the place behind it. ok
// is false when there is no whole value.
func (s *scanner) scan(data []byte, pos int) (root value, end int, ok bool) {
	s.nodes = s.nodes[:0]
	return s.more(data, pos)
}

// more is scan for a further text, where the values read before stay what they
// are. data must begin with the data of before.
func (s *scanner) more(data []byte, pos int) (root value, end int, ok bool) {
	s.data, s.open = data, s.open[:0]
	first := int32(len(s.nodes))
	next := wantValue
	for pos >= 0 {
		pos = skipSpace(data, pos)
		if pos == len(data) || len(s.nodes) >= maxNodes {
			return value{}, pos, false
		}
		if next == wantKey {
			pos = s.key(pos)
			next = wantValue
			continue
		}
		var opened bool
		if pos, opened = s.begin(pos); opened {
			next = wantValue
			if data[s.nodes[s.open[len(s.open)-1]].start] == '{' {
				next = wantKey
			}
			continue
		}
		if pos, next = s.finish(pos); next == wantNothing {
			return value{s, first}, pos, pos >= 0
		}
	}
	return value{}, len(data), false
}

// key reads a key and its colon.
func (s *scanner) key(pos int) int {
	if s.data[pos] != '"' {
		return -1
	}
	end := stringEnd(s.data, pos)
	if end < 0 {
		return -1
	}
	s.nodes = append(s.nodes, node{pos, end, int32(len(s.nodes)) + 1})
	end = skipSpace(s.data, end)
	if end == len(s.data) || s.data[end] != ':' {
		return -1
	}
	return end + 1
}

// begin reads a scalar or an empty container as a whole, or the opening of a
// container that holds something.
func (s *scanner) begin(pos int) (end int, opened bool) {
	c := s.data[pos]
	switch c {
	case '"':
		end = stringEnd(s.data, pos)
	case '{', '[':
		if len(s.open) == maxDepth {
			return -1, false
		}
		inner := skipSpace(s.data, pos+1)
		if inner < len(s.data) && s.data[inner] == c+2 {
			end = inner + 1
			break
		}
		s.open = append(s.open, int32(len(s.nodes)))
		s.nodes = append(s.nodes, node{start: pos})
		return inner, true
	case 't':
		end = literalEnd(s.data, pos, "true")
	case 'f':
		end = literalEnd(s.data, pos, "false")
	case 'n':
		end = literalEnd(s.data, pos, "null")
	default:
		end = numberEnd(s.data, pos)
	}
	if end >= 0 {
		s.nodes = append(s.nodes, node{pos, end, int32(len(s.nodes)) + 1})
	}
	return end, false
}

// finish goes on behind a whole value: it closes the containers that end
// there and says what stands next.
func (s *scanner) finish(pos int) (int, want) {
	for pos >= 0 && len(s.open) > 0 {
		pos = skipSpace(s.data, pos)
		if pos == len(s.data) {
			return -1, wantNothing
		}
		top := &s.nodes[s.open[len(s.open)-1]]
		opening := s.data[top.start]
		switch s.data[pos] {
		case ',':
			if opening == '{' {
				return pos + 1, wantKey
			}
			return pos + 1, wantValue
		case opening + 2: // the closing bracket of either kind
			pos++
			top.end, top.next = pos, int32(len(s.nodes))
			s.open = s.open[:len(s.open)-1]
		default:
			return -1, wantNothing
		}
	}
	return pos, wantNothing
}

// release gives back the room that an unusually large text took.
func (s *scanner) release() {
	if cap(s.nodes) > 1<<15 {
		s.nodes = nil
	}
	if cap(s.text) > 1<<20 {
		s.text = nil
	}
	s.data = nil
}

func skipSpace(data []byte, pos int) int {
	for pos < len(data) {
		switch data[pos] {
		case ' ', '\t', '\n', '\r':
			pos++
		default:
			return pos
		}
	}
	return pos
}

// stringEnd is the place behind the string that starts at pos, or -1.
func stringEnd(data []byte, pos int) int {
	i := pos + 1
	for close := 0; ; {
		from := i
		if i = nextQuote(data, i); i < 0 {
			return -1
		}
		k := i
		for k > pos+1 && data[k-1] == '\\' {
			k--
		}
		if (i-k)%2 == 0 {
			return i + 1
		}
		if close++; i-from > 24 {
			close = 0
		}
		if i++; close > 2 {
			end, next := throughQuotes(data, i)
			if end >= 0 {
				return end
			}
			i, close = next, 0
		}
	}
}

// throughQuotes looks for the end of a string among quotes that stand close
// together, as in JSON inside a string, eight bytes at a time from pos on, where
// no escape is begun. Where there are no more quotes it gives a place to go on
// from that is no escape either.
func throughQuotes(data []byte, pos int) (end, next int) {
	carry := uint16(0) // 256 when the first byte is escaped
	for last := pos; pos+8 <= len(data) && pos-last < 32; {
		word := binary.LittleEndian.Uint64(data[pos:])
		quotes := bytesEqual(word, '"')
		e := escapes[carry|uint16(bytesEqual(word, '\\'))]
		if ends := quotes &^ uint8(e); ends != 0 {
			return pos + bits.TrailingZeros8(ends) + 1, 0
		}
		pos += 8
		carry = e & 256
		if quotes != 0 {
			last = pos
		}
	}
	return -1, pos - int(carry>>8)
}

// bytesEqual has a bit for each of the eight bytes of a word, lowest first, set
// where the byte is c.
func bytesEqual(word uint64, c byte) uint8 {
	const ones, lows, highs = 0x0101010101010101, 0x7f7f7f7f7f7f7f7f, 0x8080808080808080
	word ^= ones * uint64(c)
	equal := ^((word&lows + lows) | word) & highs
	return uint8((equal >> 7) * 0x0102040810204080 >> 56)
}

// escapes is which of eight bytes are escaped, by which of them are
// backslashes; plus 256 when the byte behind them is. The upper half is for a
// first byte that is escaped itself.
var escapes = func() (table [512]uint16) {
	for i := range table {
		escaped := i >= 256
		for bit := range 8 {
			if escaped {
				table[i] |= 1 << bit
			}
			escaped = !escaped && i>>bit&1 != 0
		}
		if escaped {
			table[i] |= 256
		}
	}
	return table
}()

// nextQuote is the first quote from pos on, or -1. Most are near, and a look at
// the next bytes costs less than a search.
func nextQuote(data []byte, pos int) int {
	for range 3 {
		if pos+8 > len(data) {
			break
		}
		if found := firstByte(binary.LittleEndian.Uint64(data[pos:pos+8]), '"'); found != 0 {
			return pos + bits.TrailingZeros64(found)/8
		}
		pos += 8
	}
	n := bytes.IndexByte(data[pos:], '"')
	if n < 0 {
		return -1
	}
	return pos + n
}

func literalEnd(data []byte, pos int, word string) int {
	if len(data)-pos < len(word) || string(data[pos:pos+len(word)]) != word {
		return -1
	}
	return pos + len(word)
}

func numberEnd(data []byte, pos int) int {
	if data[pos] == '-' {
		pos++
	}
	whole := digitsEnd(data, pos)
	if whole == pos || (data[pos] == '0' && whole > pos+1) {
		return -1
	}
	pos = whole
	if pos < len(data) && data[pos] == '.' {
		end := digitsEnd(data, pos+1)
		if end == pos+1 {
			return -1
		}
		pos = end
	}
	if pos < len(data) && (data[pos] == 'e' || data[pos] == 'E') {
		pos++
		if pos < len(data) && (data[pos] == '+' || data[pos] == '-') {
			pos++
		}
		end := digitsEnd(data, pos)
		if end == pos {
			return -1
		}
		pos = end
	}
	return pos
}

func digitsEnd(data []byte, pos int) int {
	for pos < len(data) && '0' <= data[pos] && data[pos] <= '9' {
		pos++
	}
	return pos
}
