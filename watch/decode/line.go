package decode

import (
	"bytes"

	"ctxscope/kernel"
)

// lines is what every decoder of a JSON Lines format reads its lines with. It
// finds the records on a line and names the lines that hold none.
type lines struct {
	scan     scanner
	problems []Problem // in file order
}

// each hands every record of the line to use, in order, with the place of its
// bytes: usually one, more when a line end was lost. A record is a JSON
// object; use gives a reason when it is none that the format knows how to
// read. An empty line is no problem, and one line is at most one problem.
// Values of rec are void after use.
func (l *lines) each(line []byte, at Place, use func(rec value, src kernel.Source) (reason string)) {
	defer l.scan.release()
	pos, end := bounds(line, at)
	line = line[:end]
	for pos = skipBlank(line, pos); pos < end; pos = skipBlank(line, pos) {
		rec, behind, ok := l.scan.scan(line, pos)
		reason := ""
		switch {
		case !ok:
			reason = "not a whole JSON object"
			if rec, pos, ok = l.salvage(line, pos); ok {
				reason = "half a record stands before the whole one, which was read"
				use(rec, kernel.Source{Offset: at.Offset + int64(pos), Length: int64(end - pos)})
			}
			behind = end
		case !rec.isObject():
			reason = "JSON, but not an object"
			behind = end
		default:
			reason = use(rec, kernel.Source{Offset: at.Offset + int64(pos), Length: int64(behind - pos)})
		}
		if reason != "" {
			l.problem(at.Number, reason)
		}
		pos = behind
	}
}

// maxProblems is how many lines are named that hold no record.
const maxProblems = 100_000

func (l *lines) problem(line int, reason string) {
	n := len(l.problems)
	switch {
	case n > 0 && l.problems[n-1].Line == line, n > maxProblems:
		return
	case n == maxProblems:
		reason = "from here on lines without a record are not named any more"
	}
	l.problems = append(l.problems, Problem{Line: line, Reason: reason})
}

// salvage finds the whole record that a writer put behind half of the same
// record after a write had failed. It starts with the same key and goes on to
// the end of the line.
func (l *lines) salvage(line []byte, pos int) (rec value, start int, ok bool) {
	// A hostile line costs no more than 64 reads, and a giant one fewer.
	const tries, budget = 64, 1 << 30
	key := line[pos:]
	if i := bytes.IndexByte(key[:min(len(key), 64)], ':'); i > 0 {
		key = key[:i+1]
	} else {
		return value{}, pos, false
	}
	left := budget
	for range tries {
		i := bytes.Index(line[pos+1:], key)
		if left -= len(line) - pos; i < 0 || left < 0 {
			break
		}
		pos += 1 + i
		rec, end, ok := l.scan.scan(line, pos)
		if ok && rec.isObject() && skipBlank(line, end) == len(line) {
			return rec, pos, true
		}
	}
	return value{}, pos, false
}

// bounds is where the text of a line begins and ends: without a byte-order
// mark at the start of the file, the CR of a CRLF, and the runs of NUL bytes
// that a power cut leaves at either end.
func bounds(line []byte, at Place) (start, end int) {
	if at.Offset == 0 && bytes.HasPrefix(line, []byte("\xef\xbb\xbf")) {
		start = 3
	}
	end = len(line)
	for end > start && (line[end-1] == 0 || line[end-1] == '\r') {
		end--
	}
	return start, end
}

// skipBlank is the first place from pos on that is neither blank nor NUL.
func skipBlank(line []byte, pos int) int {
	for pos < len(line) && (line[pos] == 0 || skipSpace(line, pos) > pos) {
		pos++
	}
	return pos
}
