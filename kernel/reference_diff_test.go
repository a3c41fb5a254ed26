package kernel

import (
	"encoding/json"
	"fmt"
	"sort"
	"strings"
)

// compare says where got, written as JSON, first differs from what is
// expected, or nil. Keys are visited in alphabetical order; a key that only
// one side has is a difference.
func compare(expected json.RawMessage, got any) error {
	want, err := decodeAny(expected)
	if err != nil {
		return fmt.Errorf("expected: %w", err)
	}
	data, err := encodePlain(got)
	if err != nil {
		return fmt.Errorf("got: %w", err)
	}
	have, err := decodeAny(data)
	if err != nil {
		return fmt.Errorf("got: %w", err)
	}
	if difference := firstDiff("", want, have); difference != "" {
		return fmt.Errorf("%s", difference)
	}
	return nil
}

// compareTexts is compare for two JSON texts.
func compareTexts(expected, got string) error {
	if expected == got {
		return nil
	}
	return compare(json.RawMessage(expected), json.RawMessage(got))
}

func firstDiff(path string, want, got any) string {
	switch want := want.(type) {
	case map[string]any:
		if got, ok := got.(map[string]any); ok {
			return differenceInObject(path, want, got)
		}
	case []any:
		if got, ok := got.([]any); ok {
			return differenceInList(path, want, got)
		}
	case json.Number:
		if got, ok := got.(json.Number); ok && sameNumber(want, got) {
			return ""
		}
	case string:
		if text, ok := got.(string); ok {
			return differenceInText(path, want, text)
		}
	default:
		if want == got {
			return ""
		}
	}
	return difference(path, short(want), short(got))
}

func difference(path, want, got string) string {
	if path == "" {
		path = "(whole)"
	}
	return fmt.Sprintf("%s: want %s, got %s", path, want, got)
}

func differenceInObject(path string, want, got map[string]any) string {
	keys := make(map[string]bool, len(want))
	for key := range want {
		keys[key] = true
	}
	for key := range got {
		keys[key] = true
	}
	sorted := make([]string, 0, len(keys))
	for key := range keys {
		sorted = append(sorted, key)
	}
	sort.Strings(sorted)
	for _, key := range sorted {
		inner := strings.TrimPrefix(path+"."+key, ".")
		w, wanted := want[key]
		g, present := got[key]
		switch {
		case !wanted:
			return difference(inner, "nothing", short(g))
		case !present:
			return difference(inner, short(w), "nothing")
		}
		if text := firstDiff(inner, w, g); text != "" {
			return text
		}
	}
	return ""
}

func differenceInList(path string, want, got []any) string {
	for i := range min(len(want), len(got)) {
		if text := firstDiff(fmt.Sprintf("%s[%d]", path, i), want[i], got[i]); text != "" {
			return text
		}
	}
	inner := fmt.Sprintf("%s[%d]", path, min(len(want), len(got)))
	switch {
	case len(want) > len(got):
		return difference(inner, short(want[len(got)]), "nothing")
	case len(got) > len(want):
		return difference(inner, "nothing", short(got[len(want)]))
	}
	return ""
}

// sameNumber compares the values exactly: two spellings of one number are the
// same.
func sameNumber(a, b json.Number) bool {
	x, errX := a.Float64()
	y, errY := b.Float64()
	return errX == nil && errY == nil && x == y
}

// differenceInText shows two texts from a little before the place where they
// part.
func differenceInText(path, want, got string) string {
	if want == got {
		return ""
	}
	at := 0
	for at < min(len(want), len(got)) && want[at] == got[at] {
		at++
	}
	if at < 60 {
		return difference(path, short(want), short(got))
	}
	from := at - 20
	where := strings.TrimPrefix(fmt.Sprintf("%s (from byte %d)", path, from), " ")
	return difference(where, short(want[from:]), short(got[from:]))
}

func short(value any) string {
	data, err := encodePlain(value)
	if err != nil {
		return err.Error()
	}
	const limit = 300
	if len(data) > limit {
		return string(data[:limit]) + fmt.Sprintf("… (%d bytes)", len(data))
	}
	return string(data)
}
