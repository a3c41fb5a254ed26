package hoststate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
)

const transcripts = "../../testdata/transcripts"

// answers give what a state says under each key of an expectation. A key that
// none answers fails.
var answers = map[string]func(s State) any{
	"kind":          func(s State) any { return s.Kind },
	"blocks":        func(s State) any { return len(s.Kernel.Blocks()) },
	"active":        func(s State) any { return activeBlocks(s) },
	"refs":          func(s State) any { return len(s.Kernel.Refs()) },
	"folded":        func(s State) any { return s.Folded() },
	"realName":      func(s State) any { return storeName(s.Session) },
	"window":        func(s State) any { return s.Window },
	"totalPruned":   func(s State) any { return s.Pruned },
	"contextTokens": func(s State) any { return s.Context },
	"messages":      kindsOf,
}

func activeBlocks(s State) []string {
	ids := []string{}
	for _, b := range s.Kernel.Blocks() {
		if b.Active {
			ids = append(ids, b.ID)
		}
	}
	return ids
}

func kindsOf(s State) any {
	n := map[string]int{}
	for _, m := range s.Messages {
		n[m.Role.String()+"/"+m.Type.String()]++
	}
	return n
}

// folders are the folders of state files: the project's, and a further one of
// the same form that CTXSCOPE_TRANSCRIPTS names.
func folders() []string {
	all := []string{transcripts}
	if further := os.Getenv("CTXSCOPE_TRANSCRIPTS"); further != "" {
		if !filepath.IsAbs(further) {
			further = filepath.Join("..", "..", further)
		}
		all = append(all, further)
	}
	return all
}

// TestStates holds every state file of the transcripts against expected.json.
func TestStates(t *testing.T) {
	for n, folder := range folders() {
		var expected map[string]map[string]any
		data, err := os.ReadFile(filepath.Join(folder, "expected.json"))
		if err == nil {
			err = json.Unmarshal(data, &expected)
		}
		if err != nil {
			t.Fatal(err)
		}
		ran, passed := 0, 0
		for _, name := range slices.Sorted(maps.Keys(expected)) {
			if expected[name]["kind"] == nil {
				continue
			}
			ran++
			errs := unmet(folder, name, expected[name])
			for _, err := range errs {
				t.Errorf("%s: %v", name, err)
			}
			if len(errs) == 0 {
				passed++
			}
		}
		t.Logf("suite transcripts/state in %s: %d ran, %d passed", folder, ran, passed)
		if n == 0 && ran < 7 {
			t.Errorf("only %d state files were read", ran)
		}
	}
}

func unmet(folder, name string, want map[string]any) []error {
	s, err := Read(filepath.Join(folder, name))
	if err != nil {
		return []error{err}
	}
	var errs []error
	for key, value := range want {
		if key == "note" {
			continue
		}
		if key == "session" {
			errs = append(errs, belongs(s, filepath.Join(folder, value.(string))))
			continue
		}
		answer, ok := answers[key]
		if !ok {
			errs = append(errs, fmt.Errorf("no test answers for the key %q", key))
			continue
		}
		if got := asJSON(answer(s)); !reflect.DeepEqual(got, value) {
			errs = append(errs, fmt.Errorf("%s: got %v, want %v", key, got, value))
		}
	}
	return slices.DeleteFunc(errs, func(err error) bool { return err == nil })
}

// belongs holds that the messages which a state numbers are those of a session.
func belongs(s State, path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if len(s.Kernel.Refs()) == 0 {
		return fmt.Errorf("it numbers nothing")
	}
	for id := range s.Kernel.Refs() {
		if !bytes.Contains(data, fmt.Appendf(nil, "%q", id)) {
			return fmt.Errorf("message %s is not in %s", id, path)
		}
	}
	return nil
}

func asJSON(v any) any {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	var out any
	if err := json.Unmarshal(data, &out); err != nil {
		return err
	}
	return out
}

func TestEveryKeyOfAStateCanFail(t *testing.T) {
	var expected map[string]map[string]any
	data, err := os.ReadFile(filepath.Join(transcripts, "expected.json"))
	if err == nil {
		err = json.Unmarshal(data, &expected)
	}
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	for name, want := range expected {
		if want["kind"] == nil {
			continue
		}
		for key := range want {
			if key == "note" {
				continue
			}
			wrong := any("something else")
			if key == "session" {
				wrong = "opencode/export-revert.json"
			}
			if errs := unmet(transcripts, name, map[string]any{key: wrong}); len(errs) == 0 {
				t.Errorf("%s passes with %s = %v", name, key, wrong)
			}
			tried++
		}
	}
	if tried < 25 {
		t.Errorf("only %d keys were tried", tried)
	}
}

// TestKernelStatesComeThroughUnchanged holds that a sound state is taken over as
// it stands.
func TestKernelStatesComeThroughUnchanged(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(transcripts, "acp", "session.jsonl.acp.json"))
	if err != nil {
		t.Fatal(err)
	}
	s, err := Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	var want map[string]any
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	want["tokenSnapshot"] = map[string]any{}
	want["nudge"].(map[string]any)["lastInjectedTier"] = nil
	if got := asJSON(s.Kernel); !reflect.DeepEqual(got, any(want)) {
		t.Errorf("got %v\nwant %v", got, want)
	}
	if len(s.Notes) > 0 {
		t.Errorf("notes %v", s.Notes)
	}
}

func FuzzParse(f *testing.F) {
	paths, err := filepath.Glob(filepath.Join(transcripts, "acp", "*.json"))
	if err != nil || len(paths) < 5 {
		f.Fatalf("%d seeds (%v)", len(paths), err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(encryptedMagic + "\x01\x00"))
	f.Add([]byte(compressedMagic + "\x01\x00{}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Parse(data)
		if err != nil {
			return
		}
		if s.Kind == "" || s.Counting == "" {
			t.Errorf("a state of no kind: %+v", s)
		}
		written, err := json.Marshal(s.Kernel)
		if err != nil {
			t.Fatalf("it cannot be written: %v", err)
		}
		if _, err := Parse(written); err != nil {
			t.Errorf("what was written is no state: %v", err)
		}
	})
}
