package headless

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// recordings are whole runs of the reference: a core file each, and beside it
// what the reference decided.
const recordings = "../../testdata/recordings"

type object = map[string]any

// TestReplayGivesTheReferencesDecisions replays every recording and compares
// each turn and each fold with the reference's.
func TestReplayGivesTheReferencesDecisions(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(recordings, "*.expected.json.gz"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no recording was found: %v", err)
	}
	turns := 0
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".expected.json.gz")
		t.Run(name, func(t *testing.T) {
			var expected struct{ Turns []object }
			if err := json.Unmarshal(unzip(t, file), &expected); err != nil {
				t.Fatal(err)
			}
			got := replayOf(t, unzip(t, filepath.Join(recordings, name+".jsonl.gz")))
			if len(got) != len(expected.Turns) {
				t.Fatalf("%d turns, want %d", len(got), len(expected.Turns))
			}
			for i, want := range expected.Turns {
				for _, difference := range compareTurn(got[i], want) {
					t.Errorf("turn %d: %s", i+1, difference)
				}
			}
			turns += len(got)
		})
	}
	if turns == 0 {
		t.Error("no turn was compared")
	}
	t.Logf("recordings: %d ran, %d turns compared", len(files), turns)
}

func unzip(t *testing.T, file string) []byte {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// replayOf gives the lines that replay writes for a transcript.
func replayOf(t *testing.T, transcript []byte) []object {
	t.Helper()
	file := filepath.Join(t.TempDir(), "session.jsonl")
	if err := os.WriteFile(file, transcript, 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	if err := Replay(context.Background(), Options{File: file, Out: &out, Err: &errs}); err != nil {
		t.Fatal(err)
	}
	if errs.Len() > 0 {
		t.Errorf("warnings: %s", errs.String())
	}
	var turns []object
	for lines := json.NewDecoder(&out); ; {
		var turn object
		err := lines.Decode(&turn)
		if err == io.EOF {
			return turns
		}
		if err != nil {
			t.Fatal(err)
		}
		turns = append(turns, turn)
	}
}

// compareTurn says where a line of replay differs from the expectation. What
// an expectation holds and replay does not write is listed here by name.
func compareTurn(got, want object) []string {
	found := compareTruncation(got["truncation"].(object), want)
	for key, value := range want {
		switch key {
		case "truncatedIds", "truncationSkipped", "terminalEscape":
		case "nudge":
			found = append(found, compareKeys("decision", got["decision"], value)...)
		case "nudgeState":
			found = append(found, compareKeys(key, got[key], value)...)
		case "pruned":
			found = append(found, compareSent(got["sent"].(object), value.(object))...)
		case "blocks":
			found = append(found, compareBlocks(got["activeBlocks"].([]any), value.([]any))...)
		case "compress":
			found = append(found, compareCalls(got["compressCalls"].([]any), value.([]any))...)
		case "hiddenOrphanRefs", "messageRefs", "terminalStreak":
			// Of the host's state; the kernel's own tests compare them.
		default:
			found = append(found, "the expectation has an unknown key "+key)
		}
	}
	return found
}

func same(name string, got, want any) []string {
	if reflect.DeepEqual(got, want) {
		return nil
	}
	return []string{fmt.Sprintf("%s is %v, want %v", name, got, want)}
}

// compareKeys compares what the expectation has.
func compareKeys(name string, got, want any) []string {
	var found []string
	g, _ := got.(object)
	for key, value := range want.(object) {
		found = append(found, same(name+"."+key, g[key], value)...)
	}
	return found
}

// compareTruncation compares what the emergency truncation did, and that it
// did nothing where the expectation has nothing.
func compareTruncation(got, want object) []string {
	var message any
	if escape, ok := want["terminalEscape"].(object); ok {
		message = escape["message"]
	}
	found := same("truncatedIds", got["ids"], want["truncatedIds"])
	found = append(found, same("truncationSkipped", got["skipped"], want["truncationSkipped"])...)
	return append(found, same("terminalEscape", got["terminal"], message)...)
}

func compareSent(got, want object) []string {
	var ids []string
	for _, id := range got["ids"].([]any) {
		ids = append(ids, id.(string))
	}
	sum := sha256.Sum256([]byte(strings.Join(ids, "\n")))
	found := same("sent.count", float64(len(ids)), want["count"])
	found = append(found, same("sent.sha256", hex.EncodeToString(sum[:]), want["sha256"])...)
	if list, ok := want["ids"]; ok {
		found = append(found, same("sent.ids", got["ids"], list)...)
	}
	return found
}

// compareBlocks compares the active ones of the expectation's rows of id,
// tier, active, survivedCount and generation.
func compareBlocks(got, want []any) []string {
	var rows []any
	for _, b := range got {
		b := b.(object)
		rows = append(rows, []any{b["blockId"], b["tier"], 1.0, b["survivedCount"], b["generation"]})
	}
	want = slices.DeleteFunc(slices.Clone(want), func(row any) bool { return row.([]any)[2] == 0.0 })
	if len(rows) == 0 && len(want) == 0 {
		return nil
	}
	return same("active blocks", rows, []any(want))
}

// compareCalls compares the answers of the executor and the blocks that it
// made.
func compareCalls(got, want []any) []string {
	if len(got) != len(want) {
		return []string{fmt.Sprintf("%d compress calls, want %d", len(got), len(want))}
	}
	var found []string
	for i, w := range want {
		g, w := got[i].(object), w.(object)
		result := w["result"].(object)
		found = append(found, compareKeys("verdict", g["verdict"], result)...)
		found = append(found, compareKeys("nudgeState", g["nudgeState"], w["nudgeState"])...)
		changed := map[any]object{}
		for _, b := range w["changedBlocks"].([]any) {
			changed[b.(object)["blockId"]] = b.(object)
		}
		for _, b := range g["blocks"].([]any) {
			id := b.(object)["blockId"]
			if changed[id] == nil {
				found = append(found, fmt.Sprintf("block %v was not changed by the reference", id))
				continue
			}
			found = append(found, compareKeys(fmt.Sprint(id), b, changed[id])...)
		}
		if float64(len(g["blocks"].([]any))) != result["blocksCreated"] {
			found = append(found, fmt.Sprintf("%d new blocks, want %v", len(g["blocks"].([]any)), result["blocksCreated"]))
		}
	}
	return found
}
