package kernel

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func discard(string, ...any) {}

// echo answers with its input.
func echo(input, expected json.RawMessage) error { return compare(expected, input) }

func TestRunReferenceReportsWhatIsWrong(t *testing.T) {
	good := referenceCase{Name: "good", Input: json.RawMessage(`{"a":1}`), Expected: json.RawMessage(`{"a":1}`)}
	bad := referenceCase{Name: "bad", Input: json.RawMessage(`{"a":1}`), Expected: json.RawMessage(`{"a":2}`)}
	suites := map[string]suiteRunner{
		"echo":   echo,
		"panics": func(_, _ json.RawMessage) error { panic("out of range") },
	}
	tests := []struct {
		name  string
		files []referenceFile
		want  []string
	}{
		{"a good case passes", []referenceFile{{"f", "echo", []referenceCase{good}}}, nil},
		{"a wrong value fails", []referenceFile{{"f", "echo", []referenceCase{good, bad}}}, []string{"echo: bad: a: want 2, got 1"}},
		{"a panic fails its case", []referenceFile{{"f", "panics", []referenceCase{good}}}, []string{"panics: good: panic: out of range"}},
		{"an unknown suite fails", []referenceFile{{"f", "other", []referenceCase{good}}}, []string{`f: no runner takes suite "other"`, "no case was run"}},
		{"a file without cases fails", []referenceFile{{"f", "echo", nil}, {"g", "echo", []referenceCase{good}}}, []string{"f: no case"}},
		{"no file at all fails", nil, []string{"no case was run"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := runReference(test.files, suites, discard)
			if strings.Join(got, "\n") != strings.Join(test.want, "\n") {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestRunReferenceCountsBySuite(t *testing.T) {
	pass := referenceCase{Name: "x", Input: json.RawMessage(`1`), Expected: json.RawMessage(`1`)}
	fail := referenceCase{Name: "y", Input: json.RawMessage(`1`), Expected: json.RawMessage(`2`)}
	var lines []string
	log := func(format string, args ...any) {
		lines = append(lines, strings.TrimSpace(fmt.Sprintf(format, args...)))
	}
	runReference([]referenceFile{{"f", "echo", []referenceCase{pass, fail, pass}}}, map[string]suiteRunner{"echo": echo}, log)
	if got := strings.Join(lines, "\n"); got != "suite echo: 3 ran, 2 passed" {
		t.Errorf("got %q", got)
	}
}

func TestCompareShowsTheFirstDifference(t *testing.T) {
	tests := []struct{ name, want, got, text string }{
		{"equal", `{"a":[1,"x",null,true]}`, `{"a":[1.0,"x",null,true]}`, ""},
		{"a value", `{"a":{"b":[1,2]}}`, `{"a":{"b":[1,3]}}`, "a.b[1]: want 2, got 3"},
		{"a missing key", `{"a":1,"b":2}`, `{"a":1}`, "b: want 2, got nothing"},
		{"a key too many", `{"a":1}`, `{"a":1,"b":2}`, "b: want nothing, got 2"},
		{"null is not absent", `{"a":null}`, `{}`, "a: want null, got nothing"},
		{"null is not an empty list", `{"a":[]}`, `{"a":null}`, "a: want [], got null"},
		{"a short list", `[1,2]`, `[1]`, "[1]: want 2, got nothing"},
		{"a long list", `[1]`, `[1,2]`, "[1]: want nothing, got 2"},
		{"another kind", `{"a":"1"}`, `{"a":1}`, `a: want "1", got 1`},
		{"one bit of a number", `0.1`, `0.10000000000000002`, "(whole): want 0.1, got 0.10000000000000002"},
		{"a large whole number", `9007199254740992`, `9007199254740994`, "(whole): want 9007199254740992, got 9007199254740994"},
		{"no escapes for HTML", `"a"`, `"<b>"`, `(whole): want "a", got "<b>"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := ""
			if err := compare(json.RawMessage(test.want), json.RawMessage(test.got)); err != nil {
				got = err.Error()
			}
			if got != test.text {
				t.Errorf("got %q, want %q", got, test.text)
			}
		})
	}
}

func TestCompareShowsLongTextsWhereTheyPart(t *testing.T) {
	same := strings.Repeat("x", 500)
	err := compare(json.RawMessage(`"`+same+`1"`), same+"2")
	if err == nil || !strings.HasPrefix(err.Error(), "(from byte 480): want ") {
		t.Errorf("got %v", err)
	}
}

func TestSuiteOfRefusesAnUnknownKey(t *testing.T) {
	err := suiteOf(runBatches)(json.RawMessage(`{"ranges":[],"minTokens":1}`), json.RawMessage(`{}`))
	if err == nil || !strings.Contains(err.Error(), `unknown field "minTokens"`) {
		t.Errorf("got %v", err)
	}
}

func TestExpandParts(t *testing.T) {
	tests := []struct{ name, in, want, fails string }{
		{"units repeat", `{"textParts":[["ab",2],["汉",3]]}`, `{"text":"abab汉汉汉"}`, ""},
		{"deep inside", `[{"b":{"summaryParts":[["x",1]]}}]`, `[{"b":{"summary":"x"}}]`, ""},
		{"a flag that is off", `{"expanded":false,"restoredInline":true,"active":false}`, `{"active":false,"restoredInline":true}`, ""},
		{"nothing to do", `{"text":"a","n":1.50}`, `{"n":1.50,"text":"a"}`, ""},
		{"given twice", `{"text":"a","textParts":[]}`, "", "both text and textParts are given"},
		{"not a pair", `{"textParts":[["a"]]}`, "", "a part has 1 items"},
		{"not a number", `{"textParts":[["a","b"]]}`, "", "cannot unmarshal"},
		{"no value", ``, "", "nothing given"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := expandParts(json.RawMessage(test.in))
			switch {
			case test.fails != "":
				if err == nil || !strings.Contains(err.Error(), test.fails) {
					t.Errorf("got %v, want an error with %q", err, test.fails)
				}
			case err != nil || string(got) != test.want:
				t.Errorf("got %s, %v, want %s", got, err, test.want)
			}
		})
	}
}

func TestReadReferenceFolderRefusesOtherFiles(t *testing.T) {
	tests := []struct{ name, file, content, fails string }{
		{"a file of another kind", "x.txt", "", "is no .json, .json.gz or .md file"},
		{"another format", "x.json", `{"suite":"refs","format":2,"cases":[]}`, "format is 2"},
		{"an unknown key", "x.json", `{"suite":"refs","format":1,"tests":[]}`, "unknown field"},
		{"a case without input", "x.json", `{"suite":"refs","format":1,"cases":[{"name":"a","expected":{}}]}`, `case "a": input`},
		{"a case without an answer", "x.json", `{"suite":"refs","format":1,"cases":[{"name":"a","input":{}}]}`, `case "a": expected`},
		{"two values", "x.json", `{"suite":"refs","format":1,"cases":[]} {}`, "something stands behind"},
		{"gzip that is none", "x.json.gz", `{}`, "unpack"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			folder := t.TempDir()
			if err := os.WriteFile(filepath.Join(folder, test.file), []byte(test.content), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := readReferenceFolder(folder)
			if err == nil || !strings.Contains(err.Error(), test.fails) {
				t.Errorf("got %v, want an error with %q", err, test.fails)
			}
		})
	}
}

func TestReferenceFilesHoldTheirCases(t *testing.T) {
	files, err := readReferenceFolder(referenceFolder)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		seen := map[string]bool{}
		for _, c := range file.cases {
			if c.Name == "" || seen[c.Name] {
				t.Errorf("%s: the name %q is empty or stands twice", file.name, c.Name)
			}
			seen[c.Name] = true
		}
	}
}
