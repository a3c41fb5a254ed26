package kernel

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	_ "github.com/cockroachdb/datadriven" // defines -rewrite
)

const recordingFolder = "../testdata/recordings"

// A recordedLine is one line of a recording: a message without an op, or an
// event with one.
type recordedLine struct {
	Op         string      `json:"op"`
	View       string      `json:"view,omitempty"`
	TokenCount *Tokens     `json:"tokenCount,omitempty"`
	Ranges     []CallRange `json:"ranges,omitempty"`
	IDs        []string    `json:"ids,omitempty"`
}

// recordedMessage is a message as a recording writes it.
type recordedMessage struct {
	ID               string      `json:"id"`
	Role             Role        `json:"role"`
	ContentType      ContentType `json:"contentType"`
	Text             string      `json:"text,omitempty"`
	ToolName         string      `json:"toolName,omitempty"`
	ToolCallID       string      `json:"toolCallId,omitempty"`
	ThinkingTokens   Tokens      `json:"thinkingTokens,omitempty"`
	SummaryOfBlockID string      `json:"summaryOfBlockId,omitempty"`
	ImageBase64      string      `json:"imageBase64,omitempty"`
}

// recordingOf writes a recorded session as a core file: the configuration, the
// host's way of keeping its list, and per turn the messages that came, those
// that went, the turn and the compress calls after it.
func recordingOf(in sessionInput) ([]byte, error) {
	config := object{}
	if err := json.Unmarshal(in.Config, &config); err != nil {
		return nil, err
	}
	config["op"] = "config"
	lines := []any{config, recordedLine{Op: "host", View: in.Host}}
	for _, turn := range in.Turns {
		for _, m := range turn.Append {
			lines = append(lines, recordedMessage(m))
		}
		if len(turn.Remove) > 0 {
			lines = append(lines, recordedLine{Op: "remove", IDs: turn.Remove})
		}
		lines = append(lines, recordedLine{Op: "turn", TokenCount: &turn.TokenCount})
		for _, call := range turn.Compress {
			lines = append(lines, recordedLine{Op: "compress", Ranges: call.Ranges})
		}
	}
	var out bytes.Buffer
	for _, line := range lines {
		data, err := encodePlain(line)
		if err != nil {
			return nil, err
		}
		out.Write(data)
		out.WriteByte('\n')
	}
	return out.Bytes(), nil
}

// sessionCases gives the recorded sessions with a file name for each.
func sessionCases(t *testing.T) (names []string, cases []referenceCase) {
	t.Helper()
	data, err := readPacked(filepath.Join(referenceFolder, "session.json.gz"))
	if err != nil {
		t.Fatal(err)
	}
	file, err := parseReferenceFile("session.json.gz", data)
	if err != nil {
		t.Fatal(err)
	}
	other := regexp.MustCompile(`[^a-z0-9]+`)
	for i, c := range file.cases {
		slug := strings.Trim(other.ReplaceAllString(strings.ToLower(c.Name), "-"), "-")
		names = append(names, fmt.Sprintf("%02d-%s", i+1, slug))
	}
	return names, file.cases
}

// TestRecordings holds that testdata/recordings is made of the recorded
// sessions: NAME.jsonl.gz is the session as a core file, NAME.expected.json.gz
// what the reference decided in each turn. -rewrite writes them.
func TestRecordings(t *testing.T) {
	rewrite := flag.Lookup("rewrite").Value.String() == "true"
	names, cases := sessionCases(t)
	want := map[string][]byte{}
	for i, c := range cases {
		var in sessionInput
		if err := decodeStrict(c.Input, &in); err != nil {
			t.Fatal(err)
		}
		recording, err := recordingOf(in)
		if err != nil {
			t.Fatal(err)
		}
		want[names[i]+".jsonl.gz"] = recording
		want[names[i]+".expected.json.gz"] = append(c.Expected[:len(c.Expected):len(c.Expected)], '\n')
	}
	for name, content := range want {
		path := filepath.Join(recordingFolder, name)
		got, err := readPacked(path)
		if err == nil && bytes.Equal(got, content) {
			continue
		}
		if !rewrite {
			t.Errorf("%s is not what the session gives (%v); run with -rewrite", name, err)
			continue
		}
		if err := writePacked(path, content); err != nil {
			t.Fatal(err)
		}
	}
	entries, err := os.ReadDir(recordingFolder)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if _, ok := want[entry.Name()]; !ok {
			t.Errorf("%s belongs to no session", entry.Name())
		}
	}
}

// writePacked writes content as gzip, without a name or a time.
func writePacked(path string, content []byte) error {
	var packed bytes.Buffer
	writer, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := writer.Write(content); err != nil {
		return err
	}
	if err := writer.Close(); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, packed.Bytes(), 0o644)
}
