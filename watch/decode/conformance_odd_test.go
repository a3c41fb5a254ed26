package decode

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"ctxscope/kernel"
)

// lineFiles are the session files of the test data that are lines, by name,
// with their formats.
func lineFiles(t *testing.T) map[string]string {
	t.Helper()
	var expected map[string]expectation
	if err := readJSON(filepath.Join(transcriptFolder, "expected.json"), &expected); err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for name, want := range expected {
		if format, ok := want["format"].(string); ok && !isState(want) && !isStore(name, want) && filepath.Ext(name) == ".jsonl" {
			files[name] = format
		}
	}
	if len(files) < 50 {
		t.Fatalf("only %d files", len(files))
	}
	return files
}

// essence is what a reading gives, apart from where it stands.
func essence(t *testing.T, r *reading) any {
	t.Helper()
	type message struct {
		ID, Text string
		Type     kernel.ContentType
		Tokens   kernel.Tokens
	}
	var all []message
	for _, m := range slices.Concat(r.log, r.parts) {
		text, err := r.text(m)
		if err != nil {
			t.Error(err)
		}
		all = append(all, message{m.ID, text, m.Type, m.Tokens})
	}
	s := r.session
	meter := s.Meter
	meter.Unknown, meter.OffBranch = 0, 0 // records that are no messages may count there
	return []any{all, s.Usage, meter, s.Model, s.Window, s.Title, s.Format}
}

// unknownRecords are of types that no version knows, one of each way in which
// records are told apart.
var unknownRecords = map[string][]string{
	"pi":     {`{"type":"from_the_future","data":{"text":"x"}}`},
	"claude": {`{"type":"from-the-future","sessionId":"s","message":7}`, `{"type":"from-the-future","uuid":"future-%d","parentUuid":null,"isSidechain":false}`},
	"codex":  {`{"timestamp":"2026-01-05T10:00:00.000Z","type":"from_the_future","payload":{"type":"message","role":"user"}}`},
	"gemini": {`{"id":"future-%d","type":"from_the_future","content":"x"}`, `{"$future":{"messages":[]}}`},
}

// TestUnknownRecordsAreSkippedInEveryFormat puts records of unknown types
// between all the records of every file: what is read is what it was before.
func TestUnknownRecordsAreSkippedInEveryFormat(t *testing.T) {
	counted := map[string]int{}
	for name, format := range lineFiles(t) {
		records, ok := unknownRecords[format]
		if !ok || name == "pi/v1-linear.jsonl" || name == "pi/no-ids.jsonl" { // there the places of all entries are counted
			continue
		}
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join(transcriptFolder, name))
			if err != nil {
				t.Fatal(err)
			}
			whole, last := data, []byte(nil)
			if end := bytes.LastIndexByte(data, '\n'); end < len(data)-1 && !json.Valid(data[end+1:]) {
				whole, last = data[:end+1], data[end+1:] // a line that is just being written stays the last one
			}
			var b strings.Builder
			lines := bytes.SplitAfter(whole, []byte("\n"))
			inserted := 0
			for i, line := range lines {
				if b.Write(line); i == 0 || i == len(lines)-1 && len(line) == 0 {
					continue
				}
				if !bytes.HasSuffix(line, []byte("\n")) {
					b.WriteByte('\n')
				}
				for _, r := range records {
					inserted++
					b.WriteString(strings.Replace(r, "%d", fmt.Sprint(i), 1) + "\n")
				}
			}
			b.Write(last)
			before, after := readData(data), readData([]byte(b.String()))
			if got, want := essence(t, after), essence(t, before); !reflect.DeepEqual(got, want) {
				t.Errorf("with unknown records\n%+v\nwithout\n%+v", got, want)
			}
			if n := len(after.session.Problems) - len(before.session.Problems); n != 0 {
				t.Errorf("%d more lines are called damaged", n)
			}
			if n := after.session.Meter.Unknown - before.session.Meter.Unknown; n != 0 && n != inserted {
				t.Errorf("%d of %d are counted", n, inserted)
			} else {
				counted[format] += n
			}
			for _, err := range checkLaws(after, []byte(b.String())) {
				t.Error(err)
			}
		})
	}
	t.Logf("counted by format: %v", counted)
	for format := range unknownRecords {
		if counted[format] == 0 {
			t.Errorf("%s counts no unknown record", format)
		}
	}
}

// TestUnknownPartsOfOpencodeAreSkippedAndCounted does the same to the parts of
// the messages of an export.
func TestUnknownPartsOfOpencodeAreSkippedAndCounted(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(transcriptFolder, "opencode/export.json"))
	if err != nil {
		t.Fatal(err)
	}
	var export struct {
		Info     json.RawMessage
		Messages []struct {
			Info  json.RawMessage   `json:"info"`
			Parts []json.RawMessage `json:"parts"`
		}
	}
	if err := json.Unmarshal(data, &export); err != nil {
		t.Fatal(err)
	}
	for i := range export.Messages {
		export.Messages[i].Parts = append(export.Messages[i].Parts, json.RawMessage(`{"id":"future","type":"from-the-future","text":"x"}`))
	}
	odd, err := json.Marshal(map[string]any{"info": export.Info, "messages": export.Messages})
	if err != nil {
		t.Fatal(err)
	}
	before, after := readData(data), readData(odd)
	if got, want := essence(t, after), essence(t, before); !reflect.DeepEqual(got, want) {
		t.Errorf("with unknown parts\n%+v\nwithout\n%+v", got, want)
	}
	if n := after.session.Meter.Unknown; before.session.Meter.Unknown != 0 || n == 0 || n > len(export.Messages) {
		t.Errorf("%d are counted of %d, and %d without them", n, len(export.Messages), before.session.Meter.Unknown)
	}
}
