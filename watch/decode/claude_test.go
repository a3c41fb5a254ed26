package decode

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"ctxscope/kernel"
)

// The records of the tests are made by these, one a line: rec is any record,
// the others are what its name says.
type obj = map[string]any

func rec(kind, uuid, parent string, more ...obj) obj {
	r := obj{"type": kind, "uuid": uuid, "sessionId": "s", "parentUuid": nil}
	if parent != "" {
		r["parentUuid"] = parent
	}
	for _, m := range more {
		maps.Copy(r, m)
	}
	return r
}

func user(uuid, parent string, content any, more ...obj) obj {
	return rec("user", uuid, parent, append([]obj{{"message": obj{"role": "user", "content": content}}}, more...)...)
}

// block is one block of reply id; used is the input that it reports, 0 none.
func block(uuid, parent, id string, used int, content obj, more ...obj) obj {
	m := obj{"role": "assistant", "model": "claude-x", "content": []obj{content}}
	if id != "" {
		m["id"] = id
	}
	if used > 0 {
		m["usage"] = obj{"input_tokens": used - 1, "output_tokens": 1}
	}
	return rec("assistant", uuid, parent, append([]obj{{"message": m}}, more...)...)
}

func say(text string) obj { return obj{"type": "text", "text": text} }

func call(id, tool string) obj {
	return obj{"type": "tool_use", "id": id, "name": tool, "input": obj{"a": 1}}
}

func answer(uuid, parent, id string, content any, more ...obj) obj {
	return user(uuid, parent, []obj{{"type": "tool_result", "tool_use_id": id, "content": content}}, more...)
}

func boundary(uuid, logical string, meta obj) obj {
	r := rec("system", uuid, "", obj{"subtype": "compact_boundary", "compactMetadata": meta})
	if logical != "" {
		r["logicalParentUuid"] = logical
	}
	return r
}

func summary(uuid, parent string) obj {
	return user(uuid, parent, "what happened", obj{"isCompactSummary": true})
}

func hostError(uuid, parent string) obj {
	r := block(uuid, parent, "id-"+uuid, 0, say("API Error"), obj{"isApiErrorMessage": true})
	r["message"].(obj)["model"] = "<synthetic>"
	return r
}

var (
	meta = obj{"isMeta": true}
	side = obj{"isSidechain": true}
	team = obj{"teamName": "t"}
)

func claudeBytes(records []obj) []byte {
	var b bytes.Buffer
	for _, r := range records {
		line, err := json.Marshal(r)
		if err != nil {
			panic(err)
		}
		b.Write(append(line, '\n'))
	}
	return b.Bytes()
}

// feed gives the whole lines of data to d, and calls after behind each.
func feed(d Decoder, data []byte, after func(line int)) {
	var offset int64
	for n := 1; ; n++ {
		line, rest, whole := bytes.Cut(data, []byte("\n"))
		if !whole {
			return
		}
		d.Line(line, Place{Number: n, Offset: offset})
		if after != nil {
			after(n)
		}
		offset += int64(len(line)) + 1
		data = rest
	}
}

func readClaudeJournal(records ...obj) (string, Session) {
	d := newClaude(nil)
	feed(d, claudeBytes(records), nil)
	return showJournal(d.Change().Entries), d.Session()
}

// showJournal writes a journal in short: ids of messages, (reply), usage,
// [list].
func showJournal(entries []kernel.Entry) string {
	var out []string
	for _, e := range entries {
		switch e.Op {
		case kernel.Append:
			out = append(out, e.Message.ID)
		case kernel.Reply:
			out = append(out, "("+e.ReplyID+")")
		case kernel.Usage:
			out = append(out, fmt.Sprint(int(e.Used)))
		case kernel.Replace:
			var ids []string
			for _, m := range e.List {
				ids = append(ids, m.ID)
			}
			out = append(out, "["+strings.Join(ids, " ")+"]")
		default:
			out = append(out, fmt.Sprintf("op %d", e.Op))
		}
	}
	return strings.Join(out, " ")
}

func TestClaudeJournal(t *testing.T) {
	for _, c := range claudeJournals {
		t.Run(c.name, func(t *testing.T) {
			if got, _ := readClaudeJournal(c.records...); got != c.want {
				t.Errorf("journal\n got %s\nwant %s", got, c.want)
			}
			samePieceByPiece(t, claudeBytes(c.records))
		})
	}
}

// samePieceByPiece fails unless the journal and the session after each line
// are those of a decoder that has read just these lines and was never asked
// before.
func samePieceByPiece(t *testing.T, data []byte) {
	t.Helper()
	live := newClaude(nil)
	var journal []kernel.Entry
	end := 0
	feed(live, data, func(line int) {
		end += bytes.IndexByte(data[end:], '\n') + 1
		c := live.Change()
		if c.Keep > len(journal) {
			t.Fatalf("line %d: keeps %d entries of %d", line, c.Keep, len(journal))
		}
		journal = append(journal[:c.Keep:c.Keep], c.Entries...)
		fresh := newClaude(nil)
		feed(fresh, data[:end], nil)
		want := fresh.Change().Entries
		if !sameEntries(journal, want) {
			t.Fatalf("line %d: journal\n live %s\nfresh %s", line, showJournal(journal), showJournal(want))
		}
		if a, b := live.Session(), fresh.Session(); !reflect.DeepEqual(a, b) {
			t.Fatalf("line %d: session\n live %+v\nfresh %+v", line, a, b)
		}
	})
}

func sameEntries(a, b []kernel.Entry) bool {
	return len(a) == len(b) && (len(a) == 0 || reflect.DeepEqual(a, b))
}

// claudeFiles are the session files in the test data.
func claudeFiles(t testing.TB) (paths []string) {
	for _, folder := range []string{"claude", "broken"} {
		err := filepath.WalkDir(filepath.Join("../../testdata/transcripts", folder), func(path string, _ os.DirEntry, err error) error {
			if strings.HasSuffix(path, ".jsonl") {
				paths = append(paths, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	cases, _ := filepath.Glob("../../testdata/cases/transcript-*.jsonl")
	paths = append(paths, cases...)
	if len(paths) < 35 {
		t.Fatalf("found %d session files only", len(paths))
	}
	return paths
}

func TestClaudeFilesPieceByPiece(t *testing.T) {
	for _, path := range claudeFiles(t) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(filepath.Base(path), func(t *testing.T) { samePieceByPiece(t, data) })
	}
}
