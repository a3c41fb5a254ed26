package decode

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// twist is another value of the same shape.
func twist(v any) any {
	switch v := v.(type) {
	case bool:
		return !v
	case float64:
		return v + 1
	case string:
		if _, ok := outcomes[v]; ok {
			return map[string]string{"success": "failure", "failure": "no-op", "no-op": "success"}[v]
		}
		return v + "x"
	case []any:
		if len(v) == 0 {
			return []any{1.0}
		}
		out := []any{}
		for _, x := range v {
			out = append(out, twist(x))
		}
		return out
	case map[string]any:
		if len(v) == 0 {
			return map[string]any{"x": 1.0}
		}
		out := map[string]any{}
		for k, x := range v {
			out[k] = twist(x)
		}
		return out
	}
	return 1.0
}

func TestEveryKeyOfAnExpectationCanFail(t *testing.T) {
	var expected map[string]expectation
	if err := readJSON(filepath.Join(transcriptFolder, "expected.json"), &expected); err != nil {
		t.Fatal(err)
	}
	tried := 0
	for name, want := range expected {
		if isState(want) || isStore(name, want) {
			continue
		}
		r, err := readFile(filepath.Join(transcriptFolder, name))
		if err != nil {
			t.Fatal(err)
		}
		for key, v := range want {
			twisted := twist(v)
			switch key {
			case "note":
				continue
			case "messagesOneOf": // one way on from the other
				twisted = []any{map[string]any{"user/text": 99.0}}
			}
			if errs := checkKeys(r, expectation{"format": want["format"], key: twisted}); len(errs) == 0 {
				t.Errorf("%s passes with %s = %v", name, key, twisted)
			}
			tried++
		}
	}
	if tried < 200 {
		t.Errorf("only %d keys were tried", tried)
	}
}

func TestTheRunnerRefusesWhatItDoesNotRun(t *testing.T) {
	good, err := os.ReadFile(filepath.Join(transcriptFolder, "pi", "basic.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	cases := []struct {
		name  string
		files map[string]string
		want  string // part of a failure; empty: none
	}{
		{"all is well", map[string]string{"expected.json": `{"pi/a.jsonl":{"format":"pi"}}`, "pi/a.jsonl": string(good)}, ""},
		{"a file is not expected", map[string]string{"expected.json": `{"pi/a.jsonl":{"format":"pi"}}`, "pi/a.jsonl": string(good), "pi/b.jsonl": ""}, "pi/b.jsonl: expected.json does not name it"},
		{"a file is missing", map[string]string{"expected.json": `{"pi/a.jsonl":{"format":"pi"}}`}, "no such file"},
		{"a key is unknown", map[string]string{"expected.json": `{"pi/a.jsonl":{"format":"pi","colour":1}}`, "pi/a.jsonl": string(good)}, `no test answers for the key "colour"`},
		{"a format is misnamed", map[string]string{"expected.json": `{"pi/a.jsonl":{"format":"claude"}}`, "pi/a.jsonl": string(good)}, "got pi, want claude"},
		{"a session passes for a state file", map[string]string{"expected.json": `{"pi/a.jsonl":{"kind":"pi-sidecar"}}`, "pi/a.jsonl": string(good)}, "want a sentence that names"},
		{"there is no list", map[string]string{"pi/a.jsonl": string(good)}, "no such file"},
	}
	for _, c := range cases {
		folder := t.TempDir()
		for name, text := range c.files {
			path := filepath.Join(folder, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		failures := strings.Join(runTranscripts(folder).failures, "\n")
		if (c.want == "") != (failures == "") || !strings.Contains(failures, c.want) {
			t.Errorf("%s: failures are %q, want %q", c.name, failures, c.want)
		}
	}
	tally := newTally()
	runCase(tally, "transcript-unheard-of.json", json.RawMessage(`{}`))
	if len(tally.failures) != 1 {
		t.Errorf("a case that no test knows fails %d times", len(tally.failures))
	}
}
