package kernel

import (
	"strconv"
	"strings"
)

// BlockedRef is the ref of a message that is never folded.
const BlockedRef = "BLOCKED"

// A ref is the printed name of a message, "m00012". Numbers go from 1 to
// maxRef; BlockedRef has none.
const maxRef = 9_999_999

// refBlocked stands for BLOCKED where refs are numbers; 0 is no ref.
const refBlocked int32 = -1

// formatRef prints a ref number; wide numbers are not cut.
func formatRef(number int32) string {
	switch {
	case number == refBlocked:
		return BlockedRef
	case number <= 0:
		return ""
	}
	var digits [12]byte
	text := strconv.AppendInt(digits[:0], int64(number), 10)
	if len(text) >= 5 {
		return "m" + string(text)
	}
	return "m00000"[:6-len(text)] + string(text)
}

// refNumber reads a ref: blanks around it, case and leading zeros do not
// matter.
func refNumber(ref string) (int32, bool) {
	ref = strings.ToLower(trimJS(ref))
	if len(ref) < 2 || ref[0] != 'm' {
		return 0, false
	}
	return digits(ref[1:], 7, maxRef)
}

// digits reads a number from 1 to limit of at most width digits after its
// leading zeros.
func digits(text string, width int, limit int64) (int32, bool) {
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return 0, false
		}
	}
	significant := strings.TrimLeft(text, "0")
	if significant == "" || len(significant) > width {
		return 0, false
	}
	number, err := strconv.ParseInt(significant, 10, 64)
	if err != nil || number < 1 || number > limit {
		return 0, false
	}
	return int32(number), true
}

// blockNumber reads a block ref, "b3": at most nine digits, leading zeros
// counted.
func blockNumber(ref string) (int32, bool) {
	ref = strings.ToLower(trimJS(ref))
	if len(ref) < 2 || len(ref) > 10 || ref[0] != 'b' {
		return 0, false
	}
	return digits(ref[1:], 9, 999_999_999)
}

// NamesBlock reports whether the executor reads a ref as that of a block.
func NamesBlock(ref string) bool {
	_, ok := blockNumber(ref)
	return ok
}

// blockOrder is the number of a block id for sorting: the digits behind the
// b, else 0.
func blockOrder(id string) int {
	if !strings.HasPrefix(id, "b") {
		return 0
	}
	number, err := strconv.Atoi(id[1:])
	if err != nil {
		return 0
	}
	return number
}

// boundary is one end of a range as a caller wrote it.
type boundary struct {
	block  bool
	number int32
	text   string // trimmed and in lower case, zeros as written
}

func parseBoundary(ref string) (boundary, bool) {
	b := boundary{text: strings.ToLower(trimJS(ref))}
	var ok bool
	if b.number, ok = refNumber(ref); ok {
		return b, true
	}
	b.block = true
	b.number, ok = blockNumber(ref)
	return b, ok
}

// orderedRefPair puts two refs in the order in which they are printed.
func orderedRefPair(a, b string) (string, string) {
	x, okX := refNumber(a)
	y, okY := refNumber(b)
	if okX && okY && y < x {
		return b, a
	}
	return a, b
}

// baseID is the part of an id before its sub-id: "base#part".
func baseID(id string) string {
	if at := strings.IndexByte(id, '#'); at > 0 {
		return id[:at]
	}
	return id
}

const (
	renderedPrefix  = "acp_summary_"   // ids of rendered summaries
	retrievedPrefix = "acp_retrieved_" // ids of retrieved content
)

// renderedBlock is the block id that a rendered summary stands for, or empty:
// id, role and content type must all match.
func renderedBlock(m *Message) string {
	if m.Role != RoleSystem || m.Type != Text || !strings.HasPrefix(m.ID, renderedPrefix) {
		return ""
	}
	return m.ID[len(renderedPrefix):]
}
