package decode

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// benchRecords are records as a coding agent writes them: replies, results
// with the output twice, and one picture.
func benchRecords() [][]byte {
	var records [][]byte
	head := `{"parentUuid":"00000000-0000-4000-8000-000000000001","isSidechain":false,"userType":"external","cwd":"/home/somebody/project","sessionId":"00000000-0000-4000-8000-0000000000c1","version":"2.1.50","gitBranch":"main",`
	tail := `"uuid":"00000000-0000-4000-8000-000000000002","timestamp":"2026-01-05T10:00:03.000Z"}`
	code := strings.Repeat(`func (r *Reader) Next() (Record, error) {\n\tif r.err != nil {\n\t\treturn Record{}, r.err\n\t}\n\tname := \"next\"\n}\n`, 12)
	prose := strings.Repeat(`The reader keeps its place, so that a second call goes on where the first one stopped. `, 6)
	for i := range 40 {
		records = append(records,
			[]byte(head+`"type":"assistant","message":{"id":"msg_01","type":"message","role":"assistant","model":"claude-sonnet-4-5-20250929","content":[{"type":"text","text":"`+prose+`"}],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":12,"cache_creation_input_tokens":20000,"cache_read_input_tokens":0,"output_tokens":3,"service_tier":"standard"}},"requestId":"req_01",`+tail),
			[]byte(head+`"type":"assistant","message":{"id":"msg_01","type":"message","role":"assistant","model":"claude-sonnet-4-5-20250929","content":[{"type":"tool_use","id":"toolu_`+fmt.Sprint(i)+`","name":"Edit","input":{"file_path":"/home/somebody/project/reader.go","old_string":"`+code[:200]+`","new_string":"`+code+`"}}],"stop_reason":"tool_use","usage":{"input_tokens":12,"cache_creation_input_tokens":20000,"cache_read_input_tokens":0,"output_tokens":85}},"requestId":"req_01",`+tail),
			[]byte(head+`"type":"user","message":{"role":"user","content":[{"tool_use_id":"toolu_`+fmt.Sprint(i)+`","type":"tool_result","content":"`+code+code+`"}]},"toolUseResult":{"stdout":"`+code+code+`","stderr":"","interrupted":false,"structuredPatch":[{"oldStart":1,"lines":[" a","-b","+c"]}]},`+tail))
	}
	image := strings.Repeat("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ", 2000)
	return append(records, []byte(head+`"type":"user","message":{"role":"user","content":[{"type":"text","text":"look"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"`+image+`"}}]},`+tail))
}

// extracted keeps the compiler from dropping what a benchmark reads.
var extracted int

func BenchmarkScanner(b *testing.B) {
	records := benchRecords()
	size := 0
	for _, r := range records {
		size += len(r)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	var s scanner
	for b.Loop() {
		for _, r := range records {
			v, _, ok := s.scan(r, 0)
			if !ok {
				b.Fatal("not JSON")
			}
			extracted += extract(v)
		}
	}
}

// extract reads what a decoder needs of a record.
func extract(rec value) int {
	n := 0
	for k, v := range rec.members() {
		switch string(k) {
		case "type", "uuid", "parentUuid", "timestamp", "sessionId":
			n += len(v.text())
		case "message":
			for k, v := range v.members() {
				switch string(k) {
				case "id", "role", "model":
					n += len(v.text())
				case "usage":
					for _, u := range v.members() {
						n += int(u.number())
					}
				case "content":
					for block := range v.items() {
						n += extractBlock(block)
					}
				}
			}
		}
	}
	return n
}

func extractBlock(block value) int {
	n := 0
	for k, v := range block.members() {
		switch string(k) {
		case "type", "id", "name", "tool_use_id", "text", "content":
			n += len(v.text())
		case "input":
			n += len(v.raw())
		case "source":
			n += len(v.get("data").quoted())
		}
	}
	return n
}

type jsonRecord struct {
	Type, UUID, ParentUUID, Timestamp, SessionID string
	Message                                      struct {
		ID, Role, Model string
		Usage           map[string]any
		Content         []struct {
			Type, ID, Name string
			ToolUseID      string `json:"tool_use_id"`
			Text           string
			Content        json.RawMessage
			Input          json.RawMessage
			Source         struct{ Data string }
		}
	}
}

// BenchmarkEncodingJSON is what BenchmarkScanner is measured against.
func BenchmarkEncodingJSON(b *testing.B) {
	records := benchRecords()
	size := 0
	for _, r := range records {
		size += len(r)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		for _, r := range records {
			var rec jsonRecord
			if err := json.Unmarshal(r, &rec); err != nil {
				b.Fatal(err)
			}
			extracted += len(rec.Message.Content)
		}
	}
}
