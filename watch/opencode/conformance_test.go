package opencode

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"ctxscope/kernel"
	"ctxscope/watch/decode"
)

const transcriptFolder = "../../testdata/transcripts"

type expectation map[string]any

// TestStores opens every database and folder of files that expected.json names
// and holds it against what is expected. CTXSCOPE_TRANSCRIPTS names a further
// folder of the same form. With -v it prints how many ran and passed.
func TestStores(t *testing.T) {
	folders := []string{transcriptFolder}
	if folder := os.Getenv("CTXSCOPE_TRANSCRIPTS"); folder != "" {
		if !filepath.IsAbs(folder) {
			folder = filepath.Join("..", "..", folder)
		}
		folders = append(folders, folder)
	}
	for _, folder := range folders {
		var expected map[string]expectation
		data, err := os.ReadFile(filepath.Join(folder, "expected.json"))
		if err := errors.Join(err, json.Unmarshal(data, &expected)); err != nil {
			t.Fatal(err)
		}
		ran, passed := 0, 0
		for _, name := range slices.Sorted(maps.Keys(expected)) {
			want := expected[name]
			if want["format"] != "opencode" || filepath.Ext(name) == ".json" {
				continue
			}
			ran++
			if t.Run(name, func(t *testing.T) { checkStore(t, filepath.Join(folder, name), want) }) {
				passed++
			}
		}
		t.Logf("suite transcripts/opencode stores: %d ran, %d passed", ran, passed)
		if ran == 0 && folder == transcriptFolder {
			t.Error("nothing was run")
		}
	}
}

// checkStore opens a store's newest session, and then the session that is
// expected by its id.
func checkStore(t *testing.T, path string, want expectation) {
	id, _ := want["session"].(string)
	open := treeIn(t, path, id)
	if filepath.Ext(path) == ".sql" {
		script, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		db, _ := newDatabase(t, string(script))
		if _, err := os.Stat(db + "-wal"); err != nil {
			t.Fatalf("the database has no log: %v", err)
		}
		open = func(session string) *followed { return follow(t, db, session) }
	}
	for _, session := range []string{"", id} {
		f := open(session)
		if err := f.look(); err != nil {
			t.Fatal(err)
		}
		f.texts()
		for key, value := range want {
			answer, ok := answers[key]
			if !ok {
				t.Errorf("no test answers for the key %q", key)
				continue
			}
			if got := asJSON(t, answer(f, open, want)); !reflect.DeepEqual(got, value) {
				t.Errorf("%s: got %v, want %v", key, got, value)
			}
		}
	}
}

// treeIn opens the session of a folder of files.
func treeIn(t *testing.T, path, id string) func(string) *followed {
	return func(string) *followed {
		files, err := filepath.Glob(filepath.Join(path, "session", "*", id+".json"))
		if err != nil || len(files) != 1 {
			t.Fatalf("%d files of session %s (%v)", len(files), id, err)
		}
		tree, err := OpenTree(files[0])
		if err != nil {
			t.Fatal(err)
		}
		return &followed{t: t, store: tree, decoder: decode.NewOpencode(nil)}
	}
}

// answers give what a session says under each key of an expectation.
var answers = map[string]func(f *followed, open func(string) *followed, want expectation) any{
	"format":   func(f *followed, _ func(string) *followed, _ expectation) any { return f.decoder.Session().Format },
	"session":  func(f *followed, _ func(string) *followed, _ expectation) any { return f.decoder.Session().ID },
	"model":    func(f *followed, _ func(string) *followed, _ expectation) any { return f.decoder.Session().Model },
	"messages": func(f *followed, _ func(string) *followed, _ expectation) any { return kinds(f.decoder.Parts()) },
	"order":    func(f *followed, _ func(string) *followed, _ expectation) any { return ids(f.decoder.Parts()) },
	"images": func(f *followed, _ func(string) *followed, _ expectation) any {
		return f.decoder.Session().Meter.Images
	},
	"contextTokens": func(f *followed, _ func(string) *followed, _ expectation) any {
		return f.decoder.Session().Usage.Tokens
	},
	"childSession": func(f *followed, _ func(string) *followed, _ expectation) any {
		all, err := Sessions(context.Background(), f.store.(*Database).path)
		if err != nil || len(all) == 0 {
			return err
		}
		return all[0].ID // it is the newest, but not at the top level
	},
	"childContextTokens": func(_ *followed, open func(string) *followed, want expectation) any {
		child := open(want["childSession"].(string))
		if err := child.look(); err != nil {
			return err.Error()
		}
		return child.decoder.Session().Usage.Tokens
	},
}

func kinds(list []kernel.Message) map[string]int {
	n := map[string]int{}
	for _, m := range list {
		n[m.Role.String()+"/"+m.Type.String()]++
	}
	return n
}

func ids(list []kernel.Message) []string {
	out := []string{}
	for _, m := range list {
		out = append(out, m.ID)
	}
	return out
}

func asJSON(t *testing.T, v any) any {
	t.Helper()
	data, err := json.Marshal(v)
	var out any
	if err := errors.Join(err, json.Unmarshal(data, &out)); err != nil {
		t.Fatal(err)
	}
	return out
}
