package kernel

import (
	"math"
	"strings"
)

const summaryShown = 200 // UTF-16 chars of a summary that a kept call may show

// rewriteCall gives the argument text that a compress call which stays in the
// sent view has there, and whether it differs from text. live reports whether
// an entry's key ("startId::endId", or the messageId twice) is that of a live
// block of the call; nil when the call has none or one of them lacks refs.
//
// Where live takes at least one entry, only such entries are kept and the
// object is written anew. Entry summaries over 200 UTF-16 chars are shortened.
// What stands before the first brace is kept. A text that is not JSON, or in
// which nothing of that applies, stays as it is.
func rewriteCall(text string, live func(key string) bool) (string, bool) {
	brace := strings.IndexByte(text, '{')
	if brace < 0 {
		return text, false
	}
	value, err := parseJSON(text[brace:])
	call, ok := value.(*jsonObject)
	if err != nil || !ok {
		return text, false
	}
	content := call.values["content"]
	packed, isPacked := content.(string)
	if isPacked {
		if content, err = parseJSON(packed); err != nil {
			return text, false
		}
	}
	entries, ok := content.([]any)
	if !ok {
		return text, false
	}
	entries, filtered := liveEntries(entries, live)
	if shortened := shortenSummaries(entries); !filtered && !shortened {
		return text, false
	}
	call.set("content", entries)
	if isPacked {
		call.set("content", formatJSON(entries))
	}
	rewritten := text[:brace] + formatJSON(call)
	return rewritten, rewritten != text
}

// liveEntries keeps the entries that live takes, if it takes any.
func liveEntries(entries []any, live func(key string) bool) ([]any, bool) {
	if live == nil {
		return entries, false
	}
	var kept []any
	for _, entry := range entries {
		if key, ok := entryKey(entry); ok && live(key) {
			kept = append(kept, entry)
		}
	}
	if len(kept) == 0 {
		return entries, false
	}
	return kept, true
}

func entryKey(entry any) (string, bool) {
	o, ok := entry.(*jsonObject)
	if !ok {
		return "", false
	}
	if start, ok := o.values["startId"].(string); ok {
		end, ok := o.values["endId"].(string)
		return start + "::" + end, ok
	}
	id, ok := o.values["messageId"].(string)
	return id + "::" + id, ok
}

// shortenSummaries cuts the summaries of entries in place and reports whether
// it cut one.
func shortenSummaries(entries []any) bool {
	cut := false
	for _, entry := range entries {
		o, ok := entry.(*jsonObject)
		if !ok {
			continue
		}
		if summary, ok := o.values["summary"].(string); ok && Len16(summary) > summaryShown {
			o.set("summary", head16(summary, summaryShown-1)+"…")
			cut = true
		}
	}
	return cut
}

// formatJSON writes a value compactly, as ECMAScript's JSON.stringify does.
func formatJSON(value any) string {
	var b strings.Builder
	writeJSON(&b, value)
	return b.String()
}

func writeJSON(b *strings.Builder, value any) {
	switch v := value.(type) {
	case bool:
		if v {
			b.WriteString("true")
		} else {
			b.WriteString("false")
		}
	case float64:
		if math.IsInf(v, 0) {
			b.WriteString("null")
		} else {
			b.WriteString(num(v))
		}
	case string:
		writeJSONString(b, v)
	case []any:
		b.WriteByte('[')
		for i, item := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			writeJSON(b, item)
		}
		b.WriteByte(']')
	case *jsonObject:
		b.WriteByte('{')
		for i, key := range v.keys {
			if i > 0 {
				b.WriteByte(',')
			}
			writeJSONString(b, key)
			b.WriteByte(':')
			writeJSON(b, v.values[key])
		}
		b.WriteByte('}')
	default:
		b.WriteString("null")
	}
}

func writeJSONString(b *strings.Builder, s string) {
	const hex, plain, named = "0123456789abcdef", "\"\\\b\f\n\r\t", `"\bfnrt`
	b.WriteByte('"')
	start := 0
	for i := range len(s) {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		b.WriteString(s[start:i])
		start = i + 1
		if at := strings.IndexByte(plain, c); at >= 0 {
			b.WriteByte('\\')
			b.WriteByte(named[at])
		} else {
			b.WriteString(`\u00`)
			b.WriteByte(hex[c>>4])
			b.WriteByte(hex[c&15])
		}
	}
	b.WriteString(s[start:])
	b.WriteByte('"')
}
