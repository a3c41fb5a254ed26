package decode

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"ctxscope/kernel"
)

// claudeMessages reads records and gives the messages of the list as it
// stands, with the decoder and the file's bytes.
func claudeMessages(records ...obj) ([]kernel.Message, Decoder, []byte) {
	d, data := newClaude(nil), claudeBytes(records)
	feed(d, data, nil)
	var list []kernel.Message
	for _, e := range d.Change().Entries {
		switch e.Op {
		case kernel.Append:
			list = append(list, e.Message)
		case kernel.Replace:
			list = e.List
		}
	}
	return list, d, data
}

func image() obj {
	return obj{"type": "image", "source": obj{"type": "base64", "media_type": "image/png", "data": strings.Repeat("A", 4000)}}
}

func TestClaudeParts(t *testing.T) {
	type part struct {
		id, kind, text, tool string
		images               int
		media, failed        bool
	}
	document := func(source obj) obj { return obj{"type": "document", "source": source} }
	pdf := document(obj{"type": "base64", "data": "AAAA"})
	assistant := func(content any) obj {
		return rec("assistant", "a", "", obj{"message": obj{"id": "m", "content": content}})
	}
	for _, c := range []struct {
		name   string
		record obj
		want   []part
	}{
		{
			"the texts of a prompt are one part", user("u", "", []obj{say("a"), say("b\n"), say("c")}),
			[]part{{id: "u", kind: "user/text", text: "a\nb\n\nc"}},
		},
		{
			"pictures are counted, never text", user("u", "", []obj{image(), say("see"), image()}),
			[]part{{id: "u", kind: "user/text", text: "see", images: 2, media: true}},
		},
		{
			"a prompt of pictures only has an empty text", user("u", "", []obj{image()}),
			[]part{{id: "u", kind: "user/text", images: 1, media: true}},
		},
		{
			"a document is media, its plain text is text", user("u", "", []obj{say("read"), pdf, document(obj{"type": "text", "data": "plain"})}),
			[]part{{id: "u", kind: "user/text", text: "read\nplain", media: true}},
		},
		{"each result is a part, the texts beside it are one", user("u", "", []obj{
			{"type": "tool_result", "tool_use_id": "t1", "content": "one"},
			say("and"),
			{"type": "tool_result", "tool_use_id": "t2", "is_error": true, "content": []obj{say("two"), image(), say("lines")}},
			say("go on"),
		}), []part{
			{id: "u#0", kind: "tool/tool-result", text: "one"},
			{id: "u#1", kind: "user/text", text: "and\ngo on"},
			{id: "u#2", kind: "tool/tool-result", text: "two\nlines", images: 1, media: true, failed: true},
		}},
		{
			"a result without content is a result", user("u", "", []obj{{"type": "tool_result", "tool_use_id": "t1"}}),
			[]part{{id: "u", kind: "tool/tool-result"}},
		},
		{
			"what a tool gave the host beside the result is not sent",
			answer("u", "", "t1", "<persisted-output>\npreview\n</persisted-output>", obj{"toolUseResult": obj{"stdout": strings.Repeat("x", 9999)}}),
			[]part{{id: "u", kind: "tool/tool-result", text: "<persisted-output>\npreview\n</persisted-output>"}},
		},
		{"each block of a reply is a part, white space is none", assistant([]obj{
			{"type": "thinking", "thinking": "hm", "signature": "zz"}, say(" \n\t\u00a0"), say("yes"), {"type": "redacted_thinking", "data": "zz"}, call("t1", "Bash"),
		}), []part{
			{id: "a#0", kind: "assistant/reasoning", text: "hm"},
			{id: "a#2", kind: "assistant/text", text: "yes"},
			{id: "a#3", kind: "assistant/reasoning"},
			{id: "a#4", kind: "assistant/tool-call", text: `{"a":1}`, tool: "Bash"},
		}},
		{
			"one part left of two blocks goes by the record's id", assistant([]obj{say("\n\n"), call("t1", "Bash")}),
			[]part{{id: "a", kind: "assistant/tool-call", text: `{"a":1}`, tool: "Bash"}},
		},
		{"tools of the server are calls and results too", assistant([]obj{
			{"type": "server_tool_use", "id": "s1", "name": "web_search", "input": obj{"query": "é<b>"}},
			{"type": "web_search_tool_result", "tool_use_id": "s1", "content": []obj{say("found")}},
		}), []part{
			{id: "a#0", kind: "assistant/tool-call", text: `{"query":"é<b>"}`, tool: "web_search"},
			{id: "a#1", kind: "tool/tool-result", text: "found", tool: "web_search"},
		}},
		{
			"arguments that are a string stand as they are", assistant([]obj{{"type": "tool_use", "id": "t1", "name": "X", "input": "raw \"text\""}}),
			[]part{{id: "a", kind: "assistant/tool-call", text: `raw "text"`, tool: "X"}},
		},
		{"a reply may be a string", assistant("short"), []part{{id: "a", kind: "assistant/text", text: "short"}}},
		{
			"a queued prompt may be a list", rec("attachment", "x", "", obj{"attachment": obj{"type": "queued_command", "prompt": []obj{say("see"), image()}}}),
			[]part{{id: "x", kind: "user/text", text: "see", images: 1, media: true}},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			list, d, data := claudeMessages(c.record)
			var got []part
			for _, m := range list {
				text, ok := d.Text(data[m.Source.Offset:m.Source.Offset+m.Source.Length], m.Source.Part)
				if !ok || kernel.Len16(text) != m.Chars || kernel.Estimate(text) != m.Tokens {
					t.Errorf("%s: read again %q %v, measured %d chars %v tokens", m.ID, text, ok, m.Chars, m.Tokens)
				}
				got = append(got, part{m.ID, m.Role.String() + "/" + m.Type.String(), text, m.ToolName, int(m.Images), m.Has(kernel.HasMedia), m.Failed})
			}
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("parts\n got %+v\nwant %+v", got, c.want)
			}
		})
	}
}

func TestClaudeTextOfAnotherRecord(t *testing.T) {
	d := newClaude(nil)
	for _, record := range []string{"", "7", "{", `{"type":"system"}`} {
		if text, ok := d.Text([]byte(record), 0); ok {
			t.Errorf("record %q has the text %q", record, text)
		}
	}
	if _, ok := d.Text([]byte(`{"type":"user","message":{"content":"a"}}`), 1); ok {
		t.Error("a record of one part has a second one")
	}
}

// A call and its result find each other, whichever was written first.
func TestClaudeCompressCalls(t *testing.T) {
	fold := obj{"type": "tool_use", "id": "t1", "name": "mcp__bili__compress", "input": obj{"content": []any{}}}
	done := "[Compressed m00002–m00003 → 2 block(s), ~180 tokens saved.]"
	for name, records := range map[string][]obj{
		"call first":   {user("u1", "", "go"), block("a1", "u1", "m1", 5, fold), answer("r1", "a1", "t1", done)},
		"result first": {user("u1", "", "go"), answer("r1", "a1", "t1", done), block("a1", "u1", "m1", 5, fold)},
	} {
		t.Run(name, func(t *testing.T) {
			list, _, _ := claudeMessages(records...)
			if len(list) != 3 {
				t.Fatalf("%d messages, want 3", len(list))
			}
			c, r := list[1], list[2]
			if c.ToolName != "compress" || c.Text != `{"content":[]}` || c.Outcome != kernel.NoOutcome {
				t.Errorf("call %+v", c)
			}
			if r.ToolName != "compress" || r.Outcome != kernel.Succeeded || r.OutcomeBlocks != 2 || r.Text != "" {
				t.Errorf("result %+v", r)
			}
			samePieceByPiece(t, claudeBytes(records))
		})
	}
}

func TestClaudeSession(t *testing.T) {
	stamp := obj{"timestamp": "2026-01-05T10:00:01.500Z", "cwd": "/proj", "sessionId": "s9"}
	_, s := readClaudeJournal(
		obj{"type": "summary", "summary": "first", "leafUuid": "z"},
		obj{"type": "custom-title", "customTitle": "mine", "sessionId": "s1"},
		obj{"type": "ai-title", "aiTitle": "made", "sessionId": "s1"},
		user("u1", "", "go", stamp),
		rec("assistant", "a1", "u1", obj{"cwd": "/proj/sub", "sessionId": "s9", "message": obj{
			"id": "m1", "model": "claude-y", "content": []obj{call("t1", "A")},
			"usage": obj{"input_tokens": 1, "cache_read_input_tokens": 20, "cache_creation_input_tokens": 300, "output_tokens": 4000, "other": obj{"input_tokens": 7}},
		}}),
		answer("r1", "a1", "t1", "x", obj{"sessionId": "s9"}),
		rec("system", "c1", "r1", obj{"sessionId": "s9", "subtype": "microcompact_boundary", "microcompactMetadata": obj{"compactedToolIds": []string{"t1", "t1"}}}),
		user("l1", "gone", "left", obj{"sessionId": "s9"}), user("u2", "c1", "on", obj{"sessionId": "s9"}),
	)
	want := Session{
		Format: "claude", Agent: "Claude Code", Counting: "parts", ID: "s9", Title: "mine", Folder: "/proj", Model: "claude-y",
		Usage: Usage{Known: true, Tokens: 4321, Prompt: 321, Cached: 20, Reply: 4000},
		Meter: Meter{Parts: 4, Tokens: 5, OffBranch: 1, Dangling: 1, Replies: 1, Cleared: []string{"t1"}},
	}
	if !reflect.DeepEqual(s, want) {
		t.Errorf("session\n got %+v\nwant %+v", s, want)
	}
	_, s = readClaudeJournal(user("u1", "", "go"), block("a1", "u1", "m1", 50, say("x")), boundary("b1", "a1", obj{"preTokens": 60}))
	if u := (Usage{Known: true, Stale: true, Tokens: 50, Prompt: 49, Reply: 1, Before: 60}); s.Usage != u || s.Meter.Parts != 0 {
		t.Errorf("behind a compaction: usage %+v, %d parts", s.Usage, s.Meter.Parts)
	}
}

func TestClaudeMessageTimes(t *testing.T) {
	d := newClaude(nil)
	feed(d, claudeBytes([]obj{
		user("u1", "", "go", obj{"timestamp": "2026-01-05T10:00:01.500Z"}),
		block("a1", "u1", "m1", 5, say("x"), obj{"timestamp": "2026-01-05T10:00:02Z"}),
		boundary("b1", "a1", nil),
	}), nil)
	entries := d.Change().Entries
	if m := entries[0].Message; m.Time != 1767607201500 {
		t.Errorf("message at %d", m.Time)
	}
	if r := entries[1]; r.Op != kernel.Reply || r.Time != 1767607202000 {
		t.Errorf("reply at %d", r.Time)
	}
}

// A line that Claude Code itself could not have written must not stop the
// reader: odd kinds of value stand for missing ones.
func TestClaudeOddValues(t *testing.T) {
	odd := []any{nil, 7, -1.5, true, "text", []any{}, []any{nil, 7, "x", []any{}}, obj{}, obj{"type": 7, "content": 7}, []any{obj{"type": "tool_result", "content": obj{"a": 1}}}}
	whole := block("a1", "u1", "m1", 5, call("t1", "A"), obj{
		"isSidechain": false, "cwd": "/", "timestamp": "x", "logicalParentUuid": "u1", "subtype": "compact_boundary",
		"attachment":      obj{"type": "queued_command", "prompt": "x"},
		"compactMetadata": obj{"preTokens": 5, "preservedMessages": obj{"anchorUuid": "u2", "uuids": []string{"u1"}}}, "microcompactMetadata": obj{"compactedToolIds": []string{"t1"}},
	})
	for key := range whole {
		for _, v := range odd {
			for _, kind := range []string{"user", "assistant", "system", "attachment", "progress"} {
				text, _ := json.Marshal(whole)
				var r obj
				if err := json.Unmarshal(text, &r); err != nil {
					t.Fatal(err)
				}
				r["type"] = kind
				r[key] = v
				samePieceByPiece(t, claudeBytes([]obj{user("u1", "", "go"), r, user("u2", "a1", "on"), r}))
			}
		}
	}
}
