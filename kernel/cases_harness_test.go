package kernel

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func answerOf(values object) stepAnswer {
	return stepAnswer{values: values, texts: map[string][]string{"reason": {"growth 5 < floor 9"}, "note": nil}}
}

func TestMatchStepReportsWhatIsWrong(t *testing.T) {
	got := answerOf(object{
		"tier": nil, "batches": [][]any{{"m00001", 3}}, "refs": map[string]string{"a": "m00001", "b": "BLOCKED"},
		"nudge": object{"baseline": 5, "byTier": object{}},
	})
	tests := []struct{ name, expect, fails string }{
		{"nothing asked", `{}`, ""},
		{"all met", `{"tier":null,"batches":[["m00001",3]],"reasonHas":["growth 5","floor"]}`, ""},
		{"only the named refs count", `{"refs":{"b":"BLOCKED"}}`, ""},
		{"a wrong ref", `{"refs":{"b":"m00002"}}`, `refs.b: want "m00002", got "BLOCKED"`},
		{"a ref that is not there", `{"refs":{"c":"m00003"}}`, `refs.c: want "m00003", got nothing`},
		{"a wrong value", `{"batches":[["m00001",4]]}`, "batches[0][1]: want 4, got 3"},
		{"a list too short", `{"batches":[]}`, `batches[0]: want nothing, got ["m00001",3]`},
		{"an object counts whole", `{"nudge":{"baseline":5}}`, "nudge.byTier: want nothing, got {}"},
		{"an unknown key", `{"tiers":1}`, "key tiers is unknown here"},
		{"an unknown key of parts", `{"errorHas":["x"]}`, "key errorHas is unknown here"},
		{"a missing part", `{"reasonHas":["growth 6"]}`, `reasonHas: want "growth 6"`},
		{"a part of nothing", `{"noteHas":["x"]}`, `noteHas: want "x"`},
		{"parts that are no list", `{"reasonHas":"growth"}`, "want a list"},
		{"one of several", `{"tier":{"oneOf":[1,null]},"batches":[["m00001",{"oneOf":[2,3]}]]}`, ""},
		{"none of several", `{"tier":{"oneOf":[1,2]}}`, "tier: want 1, got null"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			value, err := decodeAny([]byte(test.expect))
			if err != nil {
				t.Fatal(err)
			}
			err = matchStep(value.(map[string]any), got)
			switch {
			case test.fails == "" && err != nil:
				t.Errorf("got %v, want none", err)
			case test.fails != "" && (err == nil || !strings.Contains(err.Error(), test.fails)):
				t.Errorf("got %v, want %q", err, test.fails)
			}
		})
	}
}

func TestErrorKind(t *testing.T) {
	tests := []struct{ sentence, kind string }{
		{"range m00001..m00002: Summary too short (4 chars, min 50). The summary", "summary-too-short"},
		{`range m00009..m00009: startId="m00009" does not exist in this session (typo`, "unknown-ref"},
		{"None of the 2 requested range(s) resolved", "unknown-ref"},
		{"range m00001..m00002: Range m00001..m00002 contains no new compressible messages — every", "no-new-content"},
		{"range m00001..m00002: Range contains no compressible messages — all", "nothing-left"},
		{"Total compressible content too small (4500 chars", "too-small"},
		{"something new", "something new"},
	}
	for _, test := range tests {
		if got := errorKind(test.sentence); got != test.kind {
			t.Errorf("%q is %s, want %s", test.sentence, got, test.kind)
		}
	}
}

func TestReadKernelCasesRefusesABrokenFolder(t *testing.T) {
	const input = `{"case":"a","config":{"modelContextLimit":1},"messages":[],"steps":[{"op":"count","texts":["abc"]}]}`
	const expected = `{"kernel-a.json":{"seenIn":[],"expect":[{"tokens":[1]}]}}`
	tests := []struct {
		name  string
		files map[string]string
		fails string
	}{
		{"a good folder", map[string]string{"kernel-a.json": input, "expected.json": expected, "README.md": "", "tail-b.json": ""}, ""},
		{"no table", map[string]string{"kernel-a.json": input}, "expected.json"},
		{"a case without an entry", map[string]string{"kernel-a.json": input, "expected.json": `{}`}, "has no entry"},
		{"an entry without a case", map[string]string{"expected.json": expected}, "which is not there"},
		{"another family", map[string]string{"other-a.json": input, "expected.json": `{}`}, "of no family"},
		{"another name inside", map[string]string{"kernel-b.json": input, "expected.json": strings.ReplaceAll(expected, "-a", "-b")}, `its case is "a"`},
		{"an unknown key", map[string]string{"kernel-a.json": strings.Replace(input, "texts", "text", 1), "expected.json": expected}, "unknown field"},
		{"fewer entries than steps", map[string]string{"kernel-a.json": input, "expected.json": strings.Replace(expected, `[{"tokens":[1]}]`, `[]`, 1)}, "1 steps, but expected is []"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			folder := t.TempDir()
			for name, content := range test.files {
				if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			cases, err := readKernelCases(folder)
			switch {
			case test.fails != "":
				if err == nil || !strings.Contains(err.Error(), test.fails) {
					t.Errorf("got %v, want an error with %q", err, test.fails)
				}
			case err != nil || len(cases) != 1:
				t.Errorf("got %d cases, %v, want 1", len(cases), err)
			}
		})
	}
}

func TestRunKernelCasesReportsWhatIsWrong(t *testing.T) {
	count := func(tokens string) kernelCase {
		value, err := decodeAny([]byte(`{"tokens":[` + tokens + `]}`))
		if err != nil {
			t.Fatal(err)
		}
		return kernelCase{
			file:   "kernel-a.json",
			input:  caseInput{Config: []byte(`{"modelContextLimit":1}`), Steps: []caseStep{{Op: "count", Texts: []string{"abc"}}}},
			expect: []map[string]any{value.(map[string]any)},
		}
	}
	unknown := count("1")
	unknown.input.Steps = []caseStep{{Op: "fold"}}
	tests := []struct {
		name  string
		cases []kernelCase
		want  string
	}{
		{"a good case", []kernelCase{count("1")}, ""},
		{"a wrong value", []kernelCase{count("2")}, "kernel-a.json: step 1 (count): tokens[0]: want 2, got 1"},
		{"an unknown step", []kernelCase{unknown}, `kernel-a.json: step 1 (fold): op "fold" is unknown`},
		{"no case", nil, "no case was run"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := strings.Join(runKernelCases(test.cases, discard), "\n"); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}
