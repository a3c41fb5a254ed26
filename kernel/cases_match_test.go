package kernel

import (
	"fmt"
	"regexp"
	"sort"
	"strings"
)

// A stepAnswer is everything that can be asked about a step: values under
// their keys, and the texts of which parts may be asked for.
type stepAnswer struct {
	values object
	texts  map[string][]string // by the key without Has
}

// matchStep gives the first expected key that the answer does not meet, or
// nil. A key that the answer does not have fails.
func matchStep(expect map[string]any, answer stepAnswer) error {
	keys := make([]string, 0, len(expect))
	for key := range expect {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	for _, key := range keys {
		if err := matchKey(key, expect[key], answer); err != nil {
			return err
		}
	}
	return nil
}

func matchKey(key string, want any, answer stepAnswer) error {
	if name, ok := strings.CutSuffix(key, "Has"); ok {
		texts, known := answer.texts[name]
		if !known {
			return fmt.Errorf("key %s is unknown here", key)
		}
		return matchParts(key, want, texts)
	}
	value, ok := answer.values[key]
	if !ok {
		return fmt.Errorf("key %s is unknown here", key)
	}
	data, err := encodePlain(value)
	if err != nil {
		return err
	}
	got, err := decodeAny(data)
	if err != nil {
		return err
	}
	if key == "refs" {
		got = onlyNamed(want, got)
	}
	if text := firstDiff(key, chooseOneOf(want, got), got); text != "" {
		return fmt.Errorf("%s", text)
	}
	return nil
}

// matchParts asks that each part is contained in at least one of the texts.
func matchParts(key string, want any, texts []string) error {
	parts, ok := want.([]any)
	if !ok {
		return fmt.Errorf("%s is %s, want a list", key, short(want))
	}
	for _, part := range parts {
		found := false
		for _, text := range texts {
			found = found || strings.Contains(text, fmt.Sprint(part))
		}
		if !found {
			return fmt.Errorf("%s: want %q, got %s", key, part, short(texts))
		}
	}
	return nil
}

// onlyNamed keeps of an object the keys that want names.
func onlyNamed(want, got any) any {
	wanted, okWant := want.(map[string]any)
	all, okGot := got.(map[string]any)
	if !okWant || !okGot {
		return got
	}
	named := object{}
	for key := range wanted {
		if value, ok := all[key]; ok {
			named[key] = value
		}
	}
	return named
}

// chooseOneOf replaces each {"oneOf": […]} in want by the alternative that got
// meets, or by the first.
func chooseOneOf(want, got any) any {
	switch want := want.(type) {
	case map[string]any:
		if alternatives, ok := want["oneOf"].([]any); ok && len(want) == 1 && len(alternatives) > 0 {
			for _, alternative := range alternatives {
				if chosen := chooseOneOf(alternative, got); firstDiff("", chosen, got) == "" {
					return chosen
				}
			}
			return alternatives[0]
		}
		of, _ := got.(map[string]any)
		chosen := object{}
		for key, value := range want {
			chosen[key] = chooseOneOf(value, of[key])
		}
		return chosen
	case []any:
		of, _ := got.([]any)
		chosen := make([]any, len(want))
		for i := range want {
			var other any
			if i < len(of) {
				other = of[i]
			}
			chosen[i] = chooseOneOf(want[i], other)
		}
		return chosen
	}
	return want
}

var (
	rangePrefix  = regexp.MustCompile(`^range [^:]*: `)
	noNewContent = regexp.MustCompile(`^Range \S+\.\.\S+ contains no new compressible messages`)
)

// errorStarts says how the sentences of each kind of error start.
var errorStarts = []struct{ kind, start string }{
	{"unknown-ref", "None of the"},
	{"invalid-ref", "Invalid boundary ref(s)"},
	{"already-compressed", "Requested range(s) already compressed"},
	{"dead-ref", "Requested range(s) cannot be anchored"},
	{"too-small", "Total compressible content too small"},
	{"nothing-left", "Range contains no compressible messages"},
	{"protected-only", "Range is entirely within the protected zone"},
	{"splits-turn", "Range would split"},
	{"summary-empty", "Summary is empty"},
	{"summary-too-short", "Summary too short"},
	{"summary-too-long", "Summary too long"},
}

// errorKind tells the kind of an error by its sentence; a sentence of no known
// kind is given back whole.
func errorKind(sentence string) string {
	text := rangePrefix.ReplaceAllString(sentence, "")
	for _, known := range errorStarts {
		if strings.HasPrefix(text, known.start) {
			return known.kind
		}
	}
	switch {
	case strings.Contains(text, "does not exist in this session"):
		return "unknown-ref"
	case noNewContent.MatchString(text):
		return "no-new-content"
	}
	return sentence
}
