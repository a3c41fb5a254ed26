package kernel

import "strings"

// A range may be given as plain text: a first line with its refs and a topic
// ("m00012–m00030 reading the parser"), then the summary.

type lineHeader struct {
	start, end, topic string
}

const lineTopicMax = 60 // UTF-16 chars

// lines reads content that is plain text, range by range. A text without any
// such first line gives nothing.
func (r *callReader) lines(text string) {
	type piece struct {
		header lineHeader
		ok     bool
		body   []string
	}
	pieces := []piece{{}}
	for line := range strings.Lines(text) {
		if header, ok := parseLineHeader(line); ok {
			pieces = append(pieces, piece{header: header, ok: true})
			continue
		}
		last := &pieces[len(pieces)-1]
		last.body = append(last.body, line)
	}
	if len(pieces) == 1 {
		return
	}
	if trimJS(strings.Join(pieces[0].body, "")) == "" {
		pieces = pieces[1:]
	}
	for i, p := range pieces {
		if p.ok {
			r.addLines(i, p.header, strings.Join(p.body, ""))
		} else {
			r.invalid(i, missingBounds)
		}
	}
}

// lineEntry reads an entry that is a text. A first line that stands alone is
// joined with the texts after it that have no refs; it says how many.
func (r *callReader) lineEntry(i int, text string, following []any) (joined int) {
	header, body, ok := cutLineHeader(text)
	if !ok {
		r.invalid(i, missingBounds)
		return 0
	}
	if trimJS(body) != "" {
		r.addLines(i, header, body)
		return 0
	}
	var texts []string
	for _, next := range following {
		more, isText := next.(string)
		if _, _, hasRefs := cutLineHeader(more); !isText || hasRefs {
			break
		}
		texts = append(texts, more)
	}
	r.addLines(i, header, strings.Join(texts, "\n"))
	return len(texts)
}

func (r *callReader) addLines(i int, header lineHeader, body string) {
	summary := trimJS(body)
	topic := header.topic
	if topic == "" {
		topic = lineTopic(summary)
	}
	r.add(i, CallRange{StartRef: header.start, EndRef: header.end, Summary: summary}, head16(topic, lineTopicMax))
}

// lineTopic is the first heading of a summary, else its first line.
func lineTopic(summary string) string {
	for line := range strings.Lines(summary) {
		if strings.HasPrefix(line, "#") {
			if heading := trimJS(strings.TrimLeft(line, "#")); heading != "" {
				return heading
			}
		}
	}
	first, _, _ := strings.Cut(summary, "\n")
	return trimJS(first)
}

func cutLineHeader(text string) (header lineHeader, body string, ok bool) {
	first, body, _ := strings.Cut(trimJS(text), "\n")
	header, ok = parseLineHeader(first)
	return header, body, ok
}

// parseLineHeader reads a line that starts with a ref or with two of them and
// a dash or dots between.
func parseLineHeader(line string) (header lineHeader, ok bool) {
	line = trimJS(line)
	start, rest, ok := cutRef(line)
	if !ok {
		return lineHeader{}, false
	}
	header.start, header.end = start, start
	if second, ok := cutRefSeparator(rest); ok {
		if end, after, ok := cutRef(second); ok {
			header.end, rest = end, after
		}
	}
	if rest != "" && rest[0] != ':' && trimJS(rest) == rest {
		return lineHeader{}, false
	}
	header.topic = trimJS(strings.TrimLeft(trimJS(rest), ":-–—~ \t"))
	return header, true
}

// cutRef takes the ref that text starts with: m or b and one to seven digits.
// The number of a message is padded to five.
func cutRef(text string) (ref, rest string, ok bool) {
	if text == "" || !strings.ContainsRune("mMbB", rune(text[0])) {
		return "", text, false
	}
	end := 1
	for end < len(text) && text[end] >= '0' && text[end] <= '9' {
		end++
	}
	if end == 1 || end > 8 || end < len(text) && isAlphanumeric(text[end]) {
		return "", text, false
	}
	number := text[1:end]
	if text[0] == 'b' || text[0] == 'B' {
		return "b" + number, text[end:], true
	}
	return "m" + "00000"[min(5, len(number)):] + number, text[end:], true
}

// cutRefSeparator takes what stands between two refs.
func cutRefSeparator(text string) (rest string, ok bool) {
	text = trimJS(text)
	for _, separator := range []string{"...", "..", "…", "-", "–", "—", "~"} {
		if after, found := strings.CutPrefix(text, separator); found {
			return trimJS(after), true
		}
	}
	return "", false
}
