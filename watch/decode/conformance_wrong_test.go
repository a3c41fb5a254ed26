package decode

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
)

// lastRecords are good prompts to stand behind whatever else.
var lastRecords = map[string]string{
	"pi":     `{"type":"message","id":"last","parentId":null,"timestamp":"2026-01-05T11:00:00.000Z","message":{"role":"user","content":[{"type":"text","text":"Still read."}]}}`,
	"claude": `{"type":"user","uuid":"last","parentUuid":null,"sessionId":"s","isSidechain":false,"timestamp":"2026-01-05T11:00:00.000Z","message":{"role":"user","content":"Still read."}}`,
	"codex":  `{"timestamp":"2026-01-05T11:00:00.000Z","type":"response_item","payload":{"type":"message","id":"last","role":"user","content":[{"type":"input_text","text":"Still read."}]}}`,
	"gemini": `{"id":"last","timestamp":"2026-01-05T11:00:00.000Z","type":"user","content":"Still read."}`,
}

// wrong are values of all types.
var wrong = []any{nil, 7.5, "text", []any{7.0, nil}, map[string]any{"type": 7.0}}

// twisted are copies of a record, each with one member, at any depth, of
// another type than it has.
func twisted(v any) []any {
	var out []any
	v, isObject := v.(map[string]any)
	object, _ := v.(map[string]any)
	if !isObject {
		return nil
	}
	for _, key := range slices.Sorted(maps.Keys(object)) {
		for _, value := range append(slices.Clone(wrong), twisted(object[key])...) {
			if reflect.TypeOf(value) == reflect.TypeOf(object[key]) && object[key] != nil && reflect.TypeOf(value).Kind() != reflect.Map {
				continue
			}
			other := maps.Clone(object)
			other[key] = value
			out = append(out, other)
		}
		if list, ok := object[key].([]any); ok {
			for i := range list {
				for _, value := range append(slices.Clone(wrong), twisted(list[i])...) {
					other, items := maps.Clone(object), slices.Clone(list)
					items[i] = value
					other[key] = items
					out = append(out, other)
				}
			}
		}
	}
	return out
}

// TestWrongTypesNeverStopReading puts every record of every file once more
// behind it for each of its members, which then has another type, and a good
// record at the end.
func TestWrongTypesNeverStopReading(t *testing.T) {
	odd := 0
	for name, format := range lineFiles(t) {
		last, ok := lastRecords[format]
		if !ok {
			continue
		}
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join(transcriptFolder, name))
			if err != nil {
				t.Fatal(err)
			}
			b := bytes.NewBuffer(bytes.Clone(data))
			b.WriteByte('\n')
			for line := range bytes.SplitSeq(data, []byte("\n")) {
				var record any
				if json.Unmarshal(line, &record) != nil {
					continue
				}
				for _, other := range twisted(record) {
					text, err := json.Marshal(other)
					if err != nil {
						t.Fatal(err)
					}
					b.Write(append(text, '\n'))
					odd++
				}
			}
			b.WriteString(last + "\n")
			r := readData(b.Bytes())
			n := len(r.parts)
			if n == 0 {
				t.Fatal("nothing is left")
			}
			if text, err := r.text(r.parts[n-1]); text != "Still read." || err != nil {
				t.Errorf("the last message is %q, error %v", text, err)
			}
			if lines, _ := wholeLines(b.Bytes()); len(lines) < 200 {
				for _, err := range checkLaws(r, b.Bytes()) {
					t.Error(err)
				}
			}
		})
	}
	t.Logf("%d records had a member of another type", odd)
	if odd < 20_000 {
		t.Errorf("only %d", odd)
	}
}

// documents are the session files of the test data that are one object, with
// the member that holds their messages.
var documents = map[string]string{"gemini/legacy.json": "messages", "opencode/export.json": "messages", "acp/proxy-session.json": "messages"}

// TestWrongTypesInADocumentSpareTheOtherMessages gives each member of each
// message another type: what the other messages hold is read as before.
func TestWrongTypesInADocumentSpareTheOtherMessages(t *testing.T) {
	odd := 0
	for name, member := range documents {
		data, err := os.ReadFile(filepath.Join(transcriptFolder, name))
		if err != nil {
			t.Fatal(err)
		}
		var document map[string]any
		if err := json.Unmarshal(data, &document); err != nil {
			t.Fatal(err)
		}
		holder := document
		if payload, ok := document["payload"].(map[string]any); ok {
			holder = payload
		}
		list := holder[member].([]any)
		with := func(messages []any) *reading {
			holder[member] = messages
			text, err := json.Marshal(document)
			if err != nil {
				t.Fatal(err)
			}
			return readData(text)
		}
		for i := range list {
			rest := texts(t, with(append(slices.Clone(list[:i]), list[i+1:]...)))
			for _, other := range append(slices.Clone(wrong), twisted(list[i])...) {
				messages := slices.Clone(list)
				messages[i] = other
				odd++
				got := texts(t, with(messages))
				for text := range rest {
					if got[text] < rest[text] {
						t.Errorf("%s: message %d as %v takes %q with it", name, i, other, text)
					}
				}
			}
		}
		holder[member] = list
	}
	t.Logf("%d messages had a member of another type", odd)
	if odd < 1000 {
		t.Errorf("only %d", odd)
	}
}

// texts counts the texts that a reading gives.
func texts(t *testing.T, r *reading) map[string]int {
	t.Helper()
	out := map[string]int{}
	for _, m := range r.parts {
		text, err := r.text(m)
		if err != nil {
			t.Error(err)
		}
		out[m.Type.String()+" "+text]++
	}
	return out
}
