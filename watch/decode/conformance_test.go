package decode

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const (
	transcriptFolder = "../../testdata/transcripts"
	caseFolder       = "../../testdata/cases"
)

// expectation is what expected.json says of one file.
type expectation map[string]any

// tally counts what ran, suite by suite.
type tally struct {
	ran, passed map[string]int
	failures    []string
}

func newTally() *tally { return &tally{ran: map[string]int{}, passed: map[string]int{}} }

func (c *tally) add(suite, name string, errs []error) {
	c.ran[suite]++
	if len(errs) == 0 {
		c.passed[suite]++
	}
	for _, err := range errs {
		c.failures = append(c.failures, fmt.Sprintf("%s: %v", name, err))
	}
}

func (c *tally) report(t *testing.T) {
	t.Helper()
	for _, suite := range slices.Sorted(maps.Keys(c.ran)) {
		t.Logf("suite %s: %d ran, %d passed", suite, c.ran[suite], c.passed[suite])
	}
	for _, failure := range c.failures {
		t.Error(failure)
	}
	if len(c.ran) == 0 {
		t.Error("nothing was run")
	}
}

// furtherFolder is the folder that a variable names, relative ones from the
// module's root.
func furtherFolder(variable string) string {
	folder := os.Getenv(variable)
	if folder == "" || filepath.IsAbs(folder) {
		return folder
	}
	return filepath.Join("..", "..", folder)
}

// TestTranscripts reads every session file and holds it against expected.json.
// CTXSCOPE_TRANSCRIPTS names a further folder of the same form. With -v it
// prints how many files ran and passed in each suite.
func TestTranscripts(t *testing.T) {
	folders := []string{transcriptFolder}
	if folder := furtherFolder("CTXSCOPE_TRANSCRIPTS"); folder != "" {
		folders = append(folders, folder)
	}
	for _, folder := range folders {
		t.Run(folder, func(t *testing.T) { runTranscripts(folder).report(t) })
	}
}

func runTranscripts(folder string) *tally {
	c := newTally()
	var expected map[string]expectation
	if err := readJSON(filepath.Join(folder, "expected.json"), &expected); err != nil {
		c.failures = append(c.failures, err.Error())
		return c
	}
	for _, name := range slices.Sorted(maps.Keys(expected)) {
		want, suite := expected[name], "transcripts/"+strings.Split(name, "/")[0]
		if isState(want) {
			c.add("recognised/state file", name, checkRecognised(filepath.Join(folder, name)))
			continue
		}
		if isStore(name, want) {
			continue // package opencode opens it and answers for it
		}
		c.add(suite, name, checkFile(filepath.Join(folder, name), want))
	}
	for _, name := range unexpected(folder, expected) {
		c.failures = append(c.failures, name+": expected.json does not name it")
	}
	return c
}

// unexpected are the files below folder that expected.json does not account
// for. Side files belong to a session file and are not read alone.
func unexpected(folder string, expected map[string]expectation) []string {
	var names []string
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(folder, path)
		name = filepath.ToSlash(name)
		if _, ok := expected[name]; !ok && !isSideFile(name, expected) {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		names = append(names, err.Error())
	}
	return names
}

func isSideFile(name string, expected map[string]expectation) bool {
	for dir := filepath.ToSlash(filepath.Dir(name)); dir != "."; dir = filepath.ToSlash(filepath.Dir(dir)) {
		if _, ok := expected[dir]; ok {
			return true
		}
		if strings.HasSuffix(dir, "/tool-results") {
			return true
		}
	}
	return name == "README.md" || name == "expected.json" || strings.HasSuffix(name, ".meta.json")
}

// isStore reports whether an expectation is about a session that no single
// file holds as lines: a database, or a folder of files.
func isStore(name string, want expectation) bool {
	return want["format"] == "opencode" && filepath.Ext(name) != ".json"
}

// isState reports whether an expectation is about a file that is no session:
// package hoststate answers for what it holds.
func isState(want expectation) bool {
	kind, ok := want["kind"]
	return ok && kind != "proxy-session"
}

// checkRecognised holds that a state file is refused by its name.
func checkRecognised(path string) []error {
	r, err := readFile(path)
	if err != nil {
		return []error{err}
	}
	if refused := r.session.Refused; !strings.Contains(refused, "state file") || len(r.log) > 0 {
		return []error{fmt.Errorf("refused with %q and %d messages, want a sentence that names a state file", refused, len(r.log))}
	}
	return nil
}

// TestTranscriptCases runs the small cases about transcripts. CTXSCOPE_CASES
// names a further folder of the same form.
func TestTranscriptCases(t *testing.T) {
	folders := []string{caseFolder}
	if folder := furtherFolder("CTXSCOPE_CASES"); folder != "" {
		folders = append(folders, folder)
	}
	for _, folder := range folders {
		t.Run(folder, func(t *testing.T) { runCases(folder).report(t) })
	}
}

func runCases(folder string) *tally {
	c := newTally()
	var expected map[string]struct{ Expect json.RawMessage }
	if err := readJSON(filepath.Join(folder, "expected.json"), &expected); err != nil {
		c.failures = append(c.failures, err.Error())
		return c
	}
	names, err := filepath.Glob(filepath.Join(folder, "transcript-*"))
	if err != nil || len(names) == 0 {
		c.failures = append(c.failures, fmt.Sprintf("no transcript case in %s (%v)", folder, err))
	}
	found := map[string]bool{}
	for _, path := range names {
		name := filepath.Base(path)
		found[name] = true
		e, ok := expected[name]
		if !ok {
			c.failures = append(c.failures, name+": expected.json does not name it")
			continue
		}
		runCase(c, path, e.Expect)
	}
	for name := range expected {
		if strings.HasPrefix(name, "transcript-") && !found[name] {
			c.failures = append(c.failures, name+": the file is missing")
		}
	}
	return c
}

func runCase(c *tally, path string, expect json.RawMessage) {
	const suite = "cases/transcript"
	name := filepath.Base(path)
	var want expectation
	if err := json.Unmarshal(expect, &want); err != nil {
		c.add(suite, name, []error{err})
		return
	}
	switch {
	case name == "transcript-cache-tokens-per-wire.json":
		c.add(suite, name, checkWires(path, want))
	case name == "transcript-very-long-lines.json":
		c.add(suite, name, checkLongLines(path, want))
	case name == "transcript-newest-file-is-a-subagent.json":
		// It is about finding sessions: package watch answers for it.
	case strings.HasSuffix(name, ".jsonl"):
		c.add(suite, name, checkFile(path, want))
	default:
		c.add(suite, name, []error{fmt.Errorf("no test knows how to run it")})
	}
}

// checkFile reads a session file and holds it against what is expected, and
// the laws of reading with it.
func checkFile(path string, want expectation) []error {
	data, err := os.ReadFile(path)
	if err != nil {
		return []error{err}
	}
	r := readData(data)
	r.path = path
	return append(checkKeys(r, want), checkLaws(r, data)...)
}

func readFile(path string) (*reading, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	r := readData(data)
	r.path = path
	return r, nil
}

func readJSON(path string, into any) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, into); err != nil {
		return fmt.Errorf("read %s: %w", path, err)
	}
	return nil
}
