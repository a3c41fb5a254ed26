package hoststate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"ctxscope/kernel"
	"ctxscope/watch/decode"
)

// replay runs the session in a file of the test data.
func replay(t *testing.T, name string) kernel.Run {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(transcripts, name))
	if err != nil {
		t.Fatal(err)
	}
	return replayLines(bytes.Split(data, []byte("\n")))
}

func replayLines(lines [][]byte) kernel.Run {
	d := decode.New("", nil)
	var offset int64
	for i, line := range lines {
		d.Line(line, decode.Place{Number: i + 1, Offset: offset})
		offset += int64(len(line)) + 1
	}
	k := kernel.New(kernel.Default(200_000), nil)
	return k.Advance(k.Start(), d.Change())
}

// hostOf is the state that a host would have written after the run.
func hostOf(t *testing.T, run kernel.Run) map[string]any {
	t.Helper()
	state, ok := asJSON(run.State()).(map[string]any)
	if !ok {
		t.Fatal("the run's state cannot be written")
	}
	return state
}

func parsed(t *testing.T, state map[string]any) State {
	t.Helper()
	data, err := json.Marshal(state)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func member(t *testing.T, state map[string]any, names ...string) map[string]any {
	t.Helper()
	for _, name := range names {
		state = state[name].(map[string]any)
	}
	return state
}

func block(state map[string]any) map[string]any {
	return state["blocks"].([]any)[0].(map[string]any)
}

func TestAHostThatAgreesDoesNotDrift(t *testing.T) {
	for _, name := range []string{"acp/session.jsonl", "pi/omp-compress.jsonl", "codex/basic.jsonl", "claude/basic.jsonl"} {
		run := replay(t, name)
		host := parsed(t, hostOf(t, run))
		// The last reply came after the last turn: the host numbers it at the next one.
		if c := Drift(host, run); len(c.Differences) > 0 || c.Note != "" {
			t.Errorf("%s: %+v", name, c)
		}
	}
}

func TestDrift(t *testing.T) {
	run := replay(t, "acp/session.jsonl")
	cases := []struct {
		name   string
		change func(host map[string]any)
		want   []string // kind, name, host and replay of each difference
		cause  string   // a part of that of the first one
	}{
		{"the host took a block back", func(h map[string]any) { block(h)["active"] = false }, []string{"block b1 tier 1, not active, 2 messages|tier 1, active, 2 messages"}, "taken it back"},
		{"the host put messages back", func(h map[string]any) { block(h)["active"], block(h)["expanded"] = false, true }, []string{"block b1 tier 1, not active, 2 messages|tier 1, active, 2 messages"}, "put its messages back"},
		{"a block covers less", func(h map[string]any) { block(h)["effectiveMessageIds"] = []string{"f0000002"} }, []string{"block b1 tier 1, active, 1 messages|tier 1, active, 2 messages"}, "the call meant other messages"},
		{"a block of another tier", func(h map[string]any) { block(h)["tier"] = 2 }, []string{"block b1 tier 2, active, 2 messages|tier 1, active, 2 messages"}, "settings for tiers"},
		{"a summary that was rewritten", func(h map[string]any) { block(h)["summary"] = "new" }, []string{"block b1 a summary of 3 chars|one of 67"}, "rewritten the summary"},
		{"a block of another call", func(h map[string]any) { block(h)["compressCallId"] = "c9" }, []string{"block b1 made by call c9|made by call c2"}, "folded on one side only"},
		{"no block", func(h map[string]any) { h["blocks"] = []any{} }, []string{"block b1 |tier 1, active, 2 messages"}, "dropped it since"},
		{"a block of a call that the transcript lacks", func(h map[string]any) { block(h)["blockId"], block(h)["compressCallId"] = "b7", "c9" }, []string{"block b7 tier 1, active, 2 messages|", "block b1 |tier 1, active, 2 messages"}, "c9 is not in this transcript"},
		{"a block of nobody knows which call", func(h map[string]any) { block(h)["blockId"] = "b7"; delete(block(h), "compressCallId") }, []string{"block b7 tier 1, active, 2 messages|", "block b1 |tier 1, active, 2 messages"}, "does not say which call"},
		{"refs that are shifted from a message on", func(h map[string]any) {
			refs := member(t, h, "messageRefs", "byRaw")
			refs["gone"], refs["f0000003"], refs["f0000004"], refs["f0000005"] = "m00003", "m00004", "m00005", "m00006"
		}, []string{"ref m00004–m00006 m00004–m00006|m00003–m00005"}, "numbered 1 messages that are not in this list"},
		{"a message that only the host protects", func(h map[string]any) { member(t, h, "messageRefs", "byRaw")["f0000003"] = "BLOCKED" }, []string{"ref BLOCKED BLOCKED|m00003"}, "protects other messages"},
		{"a message that the host left out", func(h map[string]any) { delete(member(t, h, "messageRefs", "byRaw"), "f0000003") }, []string{"ref m00003 |m00003"}, "does not hold it"},
		{"a host that never showed a nudge", func(h map[string]any) {
			n := member(t, h, "nudge")
			n["lastPerMessageNudgeTokens"], n["lastNudgeShownTokens"] = 0, 0
		}, []string{"stamp baseline 0|3474"}, "shown no nudge"},
		{"stamps of another count", func(h map[string]any) { member(t, h, "nudge")["lastNudgeShownTokens"] = 70_000 }, []string{"stamp shown stamp 70000|0"}, "counts tokens otherwise"},
		{"a stamp of a tier", func(h map[string]any) { member(t, h, "nudge")["lastShownByTier"] = map[string]int{"2": 9} }, []string{"stamp tier 2 stamp 9|0"}, "counts tokens otherwise"},
		{"the tier shown last", func(h map[string]any) { member(t, h, "nudge")["lastInjectedTier"] = 1 }, []string{"stamp last injected tier 1|none"}, "counts tokens otherwise"},
		{"a stamp that a host does not write", func(h map[string]any) { delete(member(t, h, "nudge"), "lastPerMessageNudgeTokens") }, []string{"stamp baseline 0|3474"}, "does not write it down"},
	}
	for _, c := range cases {
		host := hostOf(t, run)
		c.change(host)
		got := Drift(parsed(t, host), run)
		var said []string
		for _, d := range got.Differences {
			said = append(said, fmt.Sprintf("%s %s %s|%s", d.Kind, d.Name, d.Host, d.Replay))
		}
		if !reflect.DeepEqual(said, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, said, c.want)
			continue
		}
		if cause := got.Differences[0].Cause; !strings.Contains(cause, c.cause) {
			t.Errorf("%s: the cause is %q, want %q", c.name, cause, c.cause)
		}
	}
}

func TestDriftCountsWhatTheHostHasNotSeen(t *testing.T) {
	run := replay(t, "acp/session.jsonl")
	host := hostOf(t, run)
	refs := member(t, host, "messageRefs", "byRaw")
	for _, m := range run.Log().All()[5:] {
		delete(refs, m.ID)
	}
	member(t, host, "nudge")["lastPerMessageNudgeTokens"] = 1
	c := Drift(parsed(t, host), run)
	if c.Unseen != 2 || len(c.Differences) != 1 || !strings.Contains(c.Differences[0].Cause, "has not seen the newest 2 messages") {
		t.Errorf("%+v", c)
	}
}

func TestDriftDoesNotMixTwoCountings(t *testing.T) {
	run := replay(t, "claude/basic.jsonl")
	host, err := Read(filepath.Join(transcripts, "acp", "opencode-acp.json"))
	if err != nil {
		t.Fatal(err)
	}
	c := Drift(host, run)
	if !strings.Contains(c.Note, "whole opencode messages that this list does not hold") {
		t.Errorf("note %q", c.Note)
	}
	for _, d := range c.Differences {
		if d.Kind == "ref" {
			t.Errorf("refs are compared: %+v", d)
		}
	}
	if c := Drift(State{Kernel: kernel.NewState()}, run); !strings.Contains(c.Note, "has numbered no message") {
		t.Errorf("note %q", c.Note)
	}
}

// TestHashedIDsAreMatched holds that the ids of the oh-my-pi plugin are brought
// to the transcript's: calls and results by their call, texts by their place.
func TestHashedIDsAreMatched(t *testing.T) {
	run := replay(t, "pi/omp-compress.jsonl")
	host, err := Read(filepath.Join(transcripts, "acp", "omp-fold.json"))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"h_00000000000000a1": "d0000002", "h_00000000000000a2#0": "d0000003", "h_00000000000000a3#0": "d0000004"}
	if got := host.match(run.Log()); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if refs := host.In(run.Log()).Refs(); refs["d0000004"] != "m00003" || len(refs) != 3 {
		t.Errorf("refs %v", refs)
	}
	c := Drift(host, run)
	if c.Unseen != 7 || c.Note != "" || len(c.Differences) != 2 {
		t.Fatalf("%+v", c)
	}
	if d := c.Differences[0]; d.Name != "b1" || !strings.Contains(d.Cause, "the replay refuses its call") {
		t.Errorf("%+v", d)
	}
}

func TestMatchKeepsTheOrderOfTexts(t *testing.T) {
	text := func(id, text string) kernel.Message {
		m := kernel.Message{ID: id, Role: kernel.RoleUser}
		m.Measure(text, nil)
		return m
	}
	call := func(id, call string, kind kernel.ContentType) kernel.Message {
		return kernel.Message{ID: id, ToolCallID: call, Type: kind}
	}
	log := []kernel.Message{text("a", "same"), call("b", "1", kernel.ToolCall), call("c", "1", kernel.ToolResult), text("d", "same"), text("e", "other text"), text("f", "same")}
	host := State{Messages: []kernel.Message{call("h1", "1", kernel.ToolCall), text("h2", "gone from here"), call("h3", "1", kernel.ToolResult), text("h4", "same"), text("h5", "same"), text("h6", "same")}}
	want := map[string]string{"h1": "b", "h3": "c", "h4": "d", "h5": "f"}
	if got := host.match(kernel.ListOf(log...)); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
