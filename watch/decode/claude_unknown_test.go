package decode

import (
	"fmt"
	"reflect"
	"testing"
)

// claudeKnownTypes are the types of records whose part in a session is known:
// in the context, or beside it.
var claudeKnownTypes = []string{
	"user", "assistant", "attachment", "system", "progress", "summary", "custom-title", "ai-title", "last-prompt", "queue-operation",
	"permission-mode", "mode", "file-history-snapshot", "pr-link", "tag", "agent-name", "worktree-state",
	"agent-color", "agent-setting", "task-summary", "file-history-delta", "attribution-snapshot", "speculation-accept", "frame-link", "bridge-session",
	"cost-state", "relocated",
}

// unknownIn counts the unknown records of a session of Claude Code: the same
// however often it is asked in between, and when lines are read ahead.
func unknownIn(t *testing.T, records []obj) int {
	t.Helper()
	data := claudeBytes(records)
	sameAhead(t, data)
	whole, asked := newClaude(nil), newClaude(nil)
	feed(whole, data, nil)
	feed(asked, data, func(int) { asked.Change(); asked.Session() })
	if got, want := asked.Session(), whole.Session(); !reflect.DeepEqual(got, want) {
		t.Errorf("asked in between %+v\nat the end    %+v", got, want)
	}
	return whole.Session().Meter.Unknown
}

func TestClaudeRecordsOfUnknownTypesAreCounted(t *testing.T) {
	records := []obj{
		user("u1", "", "go"), rec("from-the-future", "f1", "u1"),
		{"type": "content-replacement", "sessionId": "s"},
		rec("from-the-future", "f1", "u1"), rec("from-the-future", "f2", "f1", side),
		block("a1", "f1", "m1", 10, say("yes")), rec("future-too", "f3", "a1", side), user("u2", "a1", "on"),
	}
	if n := unknownIn(t, records); n != 5 {
		t.Errorf("%d records are counted, want 5", n)
	}
	for n := range len(records) + 1 { // wherever the file ends, those before it count
		want := 0
		for _, r := range records[:n] {
			switch r["type"] {
			case "from-the-future", "future-too", "content-replacement":
				want++
			}
		}
		if got := unknownIn(t, records[:n]); got != want {
			t.Errorf("of the first %d records %d are counted, want %d", n, got, want)
		}
	}
}

func TestClaudeRecordsBesideTheContextAreNotUnknown(t *testing.T) {
	for _, kind := range claudeKnownTypes {
		records := []obj{user("u1", "", "go"), rec(kind, "k1", "u1"), {"type": kind, "sessionId": "s"}, block("a1", "k1", "m1", 10, say("yes"))}
		if n := unknownIn(t, records); n != 0 {
			t.Errorf("%s: %d records are counted", kind, n)
		}
	}
	for i, odd := range []any{nil, 7, []int{1}} { // no type is no type of another version's
		if n := unknownIn(t, []obj{user("u1", "", "go"), {"type": odd, "uuid": fmt.Sprint("o", i), "sessionId": "s"}}); n != 0 {
			t.Errorf("type %v: %d records are counted", odd, n)
		}
	}
}
