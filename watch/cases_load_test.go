package watch

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// newestCase is the one case about finding sessions; its name makes it look
// like a transcript.
const newestCase = "transcript-newest-file-is-a-subagent.json"

// tailCase is one case with what is expected after each of its steps, or, for a
// case without steps, once.
type tailCase struct {
	name   string
	input  caseInput
	expect []map[string]any
}

type caseInput struct {
	Case  string
	File  string
	Steps []caseStep
	Root  string     // of newestCase
	Files []caseFile // of newestCase, below Root
}

type caseFile struct {
	Path  string
	Mtime float64 // seconds
	Bytes int
}

type caseStep struct {
	Op           string
	Text         *string
	Hex          *string
	Generate     *struct{ Lines int }
	Path         string
	From, To     string
	DeliverEvent *bool
	Errno        any
	Seconds      float64
}

// readCases reads the cases of a folder that this package answers for.
func readCases(folder string) ([]tailCase, error) {
	data, err := os.ReadFile(filepath.Join(folder, "expected.json"))
	if err != nil {
		return nil, err
	}
	var table map[string]struct{ Expect json.RawMessage }
	if err := json.Unmarshal(data, &table); err != nil {
		return nil, fmt.Errorf("expected.json: %w", err)
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var cases []tailCase
	for _, entry := range entries {
		name := entry.Name()
		if !ours(name) {
			continue
		}
		c, err := readCase(filepath.Join(folder, name), table[name].Expect)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		cases = append(cases, c)
		delete(table, name)
	}
	for name := range table {
		if ours(name) {
			return nil, fmt.Errorf("%s is expected but not there", name)
		}
	}
	return cases, nil
}

func ours(name string) bool { return strings.HasPrefix(name, "tail-") || name == newestCase }

func readCase(path string, expect json.RawMessage) (tailCase, error) {
	c := tailCase{name: filepath.Base(path)}
	data, err := os.ReadFile(path)
	if err != nil {
		return c, err
	}
	strict := json.NewDecoder(bytes.NewReader(data))
	strict.DisallowUnknownFields()
	if err := strict.Decode(&c.input); err != nil {
		return c, err
	}
	if expect == nil {
		return c, fmt.Errorf("expected.json does not have it")
	}
	if c.input.Steps == nil {
		c.expect = make([]map[string]any, 1)
		return c, json.Unmarshal(expect, &c.expect[0])
	}
	if err := json.Unmarshal(expect, &c.expect); err != nil {
		return c, err
	}
	if len(c.expect) != len(c.input.Steps) {
		return c, fmt.Errorf("%d steps, %d expectations", len(c.input.Steps), len(c.expect))
	}
	return c, nil
}

// unmet gives a sentence for each key of want that got does not meet.
func unmet(want, got map[string]any) []string {
	var sentences []string
	for key, value := range want {
		switch have, ok := got[key]; {
		case !ok:
			sentences = append(sentences, fmt.Sprintf("key %s is not known here", key))
		case !equal(value, asJSON(have)):
			sentences = append(sentences, fmt.Sprintf("%s is %v, want %v", key, have, value))
		}
	}
	return sentences
}

// equal compares JSON values; {"oneOf": […]} in want stands for any of its
// values.
func equal(want, got any) bool {
	switch want := want.(type) {
	case map[string]any:
		if choices, ok := want["oneOf"].([]any); ok && len(want) == 1 {
			for _, choice := range choices {
				if equal(choice, got) {
					return true
				}
			}
			return false
		}
		object, ok := got.(map[string]any)
		if !ok || len(object) != len(want) {
			return false
		}
		for key, value := range want {
			if have, ok := object[key]; !ok || !equal(value, have) {
				return false
			}
		}
		return true
	case []any:
		list, ok := got.([]any)
		if !ok || len(list) != len(want) {
			return false
		}
		for i := range want {
			if !equal(want[i], list[i]) {
				return false
			}
		}
		return true
	default:
		return want == got
	}
}

// asJSON is a value as it comes out of JSON.
func asJSON(value any) any {
	data, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	var out any
	if err := json.Unmarshal(data, &out); err != nil {
		panic(err)
	}
	return out
}
