package kernel

import (
	"fmt"
	"math"
	"strings"
)

// ParseNotes says how the arguments of a compress call were read.
type ParseNotes struct {
	Ok bool `json:"ok"` // at least one range was found
	// Kind is "ok", "truncated" (the JSON was cut: what was whole is used), or
	// why there is no range: "empty-input", "not-object", "missing-content",
	// "content-not-array", "no-valid-ranges", "malformed-json".
	Kind           string   `json:"kind"`
	InvalidItems   int      `json:"invalidItems"`             // entries that were dropped
	InvalidReasons []string `json:"invalidReasons,omitempty"` // one a dropped entry, "entry 0: missing summary"
	Keys           []string `json:"keys,omitempty"`           // of the object, in order
	RawPrefix      string   `json:"rawPrefix,omitempty"`      // the first 800 UTF-16 chars, unless all was well
	Length         Chars    `json:"length,omitempty"`         // of the arguments, unless all was well
	QuoteSalvage   bool     `json:"quoteSalvage,omitempty"`   // single quotes were read as double ones
	ContentSalvage bool     `json:"contentSalvage,omitempty"` // content was an object
}

// ParseCall reads the arguments of a compress call, in every shape that
// models are known to send, and gives its ranges in their order. callID is
// attached to each. It never fails: the notes say what was wrong.
func ParseCall(arguments, callID string) (Call, ParseNotes) {
	text := trimJS(arguments)
	if text == "" {
		return Call{}, ParseNotes{Kind: "empty-input"}
	}
	best := readCall(text)
	if len(best.ranges) == 0 || best.notes.InvalidItems > 0 {
		if quoted, changed := doubleQuotes(text); changed {
			if other := readCall(quoted); len(other.ranges) > len(best.ranges) {
				best = other
				best.notes.QuoteSalvage = true
			}
		}
	}
	notes := best.notes
	notes.Ok = len(best.ranges) > 0
	if notes.Kind != "ok" || notes.InvalidItems > 0 {
		notes.RawPrefix, notes.Length = head16(arguments, 800), Len16(arguments)
	}
	for i := range best.ranges {
		best.ranges[i].CompressCallID = callID
	}
	return Call{Ranges: best.ranges}, notes
}

// callReader collects the ranges of one reading of a call.
type callReader struct {
	ranges []CallRange
	notes  ParseNotes
	topic  string // of the call, for entries without one
	max    *int   // summaryMaxChars of the call, for entries without one
}

func readCall(text string) callReader {
	var r callReader
	body := unfence(text)
	value, err := parseLenient(body)
	if inner, ok := value.(string); ok && err == nil {
		body = unfence(inner)
		value, err = parseLenient(body)
	}
	if err != nil {
		entries := salvage(body)
		r.entries(entries)
		r.notes.Kind = "malformed-json"
		if len(entries) > 0 || !balanced(body) {
			r.notes.Kind = "truncated"
		}
		return r
	}
	o, ok := value.(*jsonObject)
	if !ok {
		r.notes.Kind = "not-object"
		return r
	}
	r.notes.Keys = o.keys
	r.notes.Kind = r.call(o)
	return r
}

// call reads the object of a call and says of which kind the reading is.
func (r *callReader) call(o *jsonObject) string {
	r.topic, r.max = o.text("topic"), wholeChars(o.values["summaryMaxChars"])
	failed := "content-not-array"
	switch content := o.values["content"].(type) {
	case []any:
		failed = "no-valid-ranges"
		r.entries(content)
	case string:
		if cut := r.contentText(content); cut {
			return "truncated"
		}
	case *jsonObject:
		r.notes.ContentSalvage = true
		r.contentObject(content)
	default:
		if !o.has("content") {
			failed = "missing-content"
			r.entry(0, o)
		}
	}
	if len(r.ranges) > 0 {
		return "ok"
	}
	return failed
}

func (r *callReader) contentObject(content *jsonObject) {
	for _, key := range []string{"ranges", "content"} {
		if entries, ok := content.values[key].([]any); ok {
			r.entries(entries)
			return
		}
	}
	r.entry(0, content)
}

// contentText reads content given as text: an array in JSON, what is left of
// one that was cut (then it reports true), or lines.
func (r *callReader) contentText(content string) (cut bool) {
	body := unfence(content)
	value, err := parseLenient(body)
	if inner, ok := value.(string); ok && err == nil {
		body = unfence(inner)
		value, _ = parseLenient(body)
	}
	if entries, ok := value.([]any); ok {
		r.entries(entries)
		return false
	}
	quoted, changed := doubleQuotes(body)
	if changed {
		value, _ = parseLenient(quoted)
		if entries, ok := value.([]any); ok {
			r.notes.QuoteSalvage = true
			r.entries(entries)
			return false
		}
	}
	for _, text := range []string{body, quoted} {
		if !strings.HasPrefix(text, "[") {
			continue
		}
		if entries := salvageArray(text[1:]); len(entries) > 0 {
			r.notes.QuoteSalvage = text != body
			r.entries(entries)
			return true
		}
	}
	r.lines(body)
	return false
}

func (r *callReader) entries(items []any) {
	for i := 0; i < len(items); i++ {
		switch item := items[i].(type) {
		case *jsonObject:
			r.entry(i, item)
		case string:
			i += r.lineEntry(i, item, items[i+1:])
		default:
			r.invalid(i, "not an object")
		}
	}
}

// entry reads one range given as an object.
func (r *callReader) entry(i int, o *jsonObject) {
	if ids, ok := o.values["blockIds"].([]any); ok && len(ids) > 0 {
		r.invalid(i, refuseBlockIDs(ids))
		return
	}
	found := CallRange{
		StartRef: o.text("startRef", "startId", "messageId"),
		EndRef:   o.text("endRef", "endId", "messageId"),
		Summary:  o.text("summary"),
	}
	topic := o.text("topic")
	found.SummaryMaxChars = wholeChars(o.values["summaryMaxChars"])
	r.add(i, found, topic)
}

const missingBounds = "missing range bounds (need startRef/startId and endRef/endId)"

// add takes a range unless something is missing, and fills in what the call
// says for all of its entries.
func (r *callReader) add(i int, found CallRange, topic string) {
	switch {
	case found.StartRef == "" || found.EndRef == "":
		r.invalid(i, missingBounds)
		return
	case found.Summary == "":
		r.invalid(i, "missing summary")
		return
	}
	if topic == "" {
		topic = r.topic
	}
	if topic != "" {
		found.Topic = &topic
	}
	if found.SummaryMaxChars == nil {
		found.SummaryMaxChars = r.max
	}
	r.ranges = append(r.ranges, found)
}

func (r *callReader) invalid(i int, reason string) {
	r.notes.InvalidItems++
	r.notes.InvalidReasons = append(r.notes.InvalidReasons, fmt.Sprintf("entry %d: %s", i, reason))
}

// refuseBlockIDs says how a list of blocks is asked for: by its first and its
// last block.
func refuseBlockIDs(ids []any) string {
	var first, last int32
	for _, id := range ids {
		name, _ := id.(string)
		number, ok := blockNumber(name)
		if !ok {
			return fmt.Sprintf("blockIds holds %s, not a valid block id", head16(formatJSON(id), 40))
		}
		if first == 0 || number < first {
			first = number
		}
		last = max(last, number)
	}
	return fmt.Sprintf(`blockIds is not supported: name the first and the last block instead, startId="b%d" and endId="b%d"`, first, last)
}

// wholeChars reads a finite number of chars, rounded down.
func wholeChars(value any) *int {
	x, ok := value.(float64)
	if !ok || math.IsInf(x, 0) {
		return nil
	}
	n := int(math.Floor(max(-1, min(x, math.MaxInt32))))
	return &n
}

// parseDecompress reads the arguments of a decompress call: the id of the
// block, also given as bare digits, and whether its messages come back inline.
// ok is false when they name no block.
func parseDecompress(arguments string) (blockID string, inline, ok bool) {
	value, err := parseLenient(unfence(arguments))
	o, isObject := value.(*jsonObject)
	if err != nil || !isObject {
		return "", false, false
	}
	name := trimJS(o.text("blockId"))
	if x, isNumber := o.values["blockId"].(float64); isNumber {
		name = num(x)
	}
	number, ok := blockNumber(name)
	if !ok {
		number, ok = blockNumber("b" + name)
	}
	if !ok {
		return "", false, false
	}
	inline, _ = o.values["inline"].(bool)
	return fmt.Sprintf("b%d", number), inline, true
}
