package demo

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"ctxscope/kernel"
	"ctxscope/watch/decode"
)

var rewrite = flag.Bool("rewrite", false, "write the session from the story")

// overhead is the part of the prompt that no transcript holds: system prompt
// and tool declarations, in tokens.
const overhead = 11_900

// recorder writes the story as Pi writes a session. It runs the kernel beside
// it, so that refs, reported sizes and the answers to compress calls are those
// that an agent with this kernel would have got.
type recorder struct {
	t       *testing.T
	out     bytes.Buffer
	lines   int
	decoder decode.Decoder
	kernel  *kernel.Kernel
	run     kernel.Run
	marks   map[string]int // position in the list
	parent  *string
	ids     int
	clock   time.Time
	cached  int // tokens of the prompt before
}

func newRecorder(t *testing.T) *recorder {
	k := kernel.New(kernel.Default(200_000), nil)
	r := &recorder{
		t: t, kernel: k, run: k.Start(), marks: map[string]int{},
		clock: time.Date(2026, 3, 3, 9, 0, 0, 0, time.UTC),
	}
	r.decoder = decode.New("", nil)
	r.write(map[string]any{"type": "session", "version": 3, "id": "019cb2e4-58f0-7a31-9c44-d3e05b7f1a60", "timestamp": r.stamp(), "cwd": "/srv/orders-service"})
	r.entry("model_change", map[string]any{"provider": "anthropic", "modelId": "claude-sonnet-4-5"})
	r.entry("thinking_level_change", map[string]any{"thinkingLevel": "medium"})
	r.entry("session_info", map[string]any{"name": "orders-service: one mail for each invoice"})
	return r
}

func (r *recorder) stamp() string { return r.clock.Format("2006-01-02T15:04:05.000Z") }

// write appends one record and lets the kernel see it.
func (r *recorder) write(record map[string]any) {
	var line bytes.Buffer
	e := json.NewEncoder(&line)
	e.SetEscapeHTML(false)
	if err := e.Encode(record); err != nil {
		r.t.Fatal(err)
	}
	r.lines++
	r.decoder.Line(bytes.TrimSuffix(line.Bytes(), []byte("\n")), decode.Place{Number: r.lines, Offset: int64(r.out.Len())})
	r.out.Write(line.Bytes())
	r.run = r.kernel.Advance(r.run, r.decoder.Change())
}

// entry appends an entry of the session's tree.
func (r *recorder) entry(kind string, fields map[string]any) {
	r.ids++
	id := fmt.Sprintf("%08x", 0x5e000000+r.ids)
	fields["type"], fields["id"], fields["parentId"], fields["timestamp"] = kind, id, r.parent, r.stamp()
	r.parent = &id
	r.write(fields)
}

func (r *recorder) message(fields map[string]any) {
	fields["timestamp"] = r.clock.UnixMilli()
	r.entry("message", map[string]any{"message": fields})
}

func text(s string) map[string]any { return map[string]any{"type": "text", "text": s} }

// play records one block.
func (r *recorder) play(b *block) {
	if b.mark != "" {
		r.marks[b.mark] = r.run.Log().Len()
	}
	if b.user != "" {
		r.clock = r.clock.Add(9 * time.Second)
		r.message(map[string]any{"role": "user", "content": []any{text(b.user)}})
		return
	}
	if b.fold != nil {
		b.calls = append(b.calls, r.compress(b.fold))
	}
	r.reply(b)
	for i, c := range b.calls {
		if !c.answered {
			r.t.Fatalf("%s %s has no output", c.tool, c.arguments)
		}
		r.clock = r.clock.Add(700*time.Millisecond + time.Duration(len(c.output)/16)*time.Millisecond)
		r.message(map[string]any{
			"role": "toolResult", "toolCallId": r.callID(i), "toolName": c.tool,
			"content": []any{text(c.output)}, "isError": c.failed,
		})
	}
}

// callID names call i of the newest reply.
func (r *recorder) callID(i int) string {
	return fmt.Sprintf("toolu_%04d_%d", r.run.Turns().Len(), i+1)
}

func (r *recorder) reply(b *block) {
	now := r.run.Now()
	prompt := overhead + int(now.Sent.Tokens-now.Truncation.Saved)
	output := int(kernel.Estimate(b.think+b.say)) + 40
	var content []any
	if b.think != "" {
		content = append(content, map[string]any{"type": "thinking", "thinking": b.think, "thinkingSignature": "c2lnbmVk"})
	}
	if b.say != "" {
		content = append(content, text(b.say))
	}
	stop := "stop"
	for i, c := range b.calls {
		output += int(kernel.Estimate(string(c.arguments)))
		id := fmt.Sprintf("toolu_%04d_%d", r.run.Turns().Len()+1, i+1)
		content = append(content, map[string]any{"type": "toolCall", "id": id, "name": c.tool, "arguments": c.arguments})
		stop = "toolUse"
	}
	r.clock = r.clock.Add(b.wait + 1500*time.Millisecond + time.Duration(output)*8*time.Millisecond)
	cached := min(r.cached, prompt-3)
	r.cached = prompt
	r.message(map[string]any{
		"role": "assistant", "content": content, "api": "anthropic-messages", "provider": "anthropic", "model": "claude-sonnet-4-5",
		"usage":      map[string]any{"input": 3, "output": output, "cacheRead": cached, "cacheWrite": prompt - 3 - cached, "totalTokens": prompt + output},
		"stopReason": stop,
	})
}

// compress makes the call and asks the executor for its answer.
func (r *recorder) compress(f *fold) *toolCall {
	from, to := r.run.Ref(r.marks[f.from]), r.run.Ref(r.marks[f.to]-1)
	summary := strings.Join(f.summary, "\n")
	arguments, err := json.Marshal(map[string]any{
		"topic":   f.topic,
		"content": []any{map[string]any{"startId": from, "endId": to, "summary": summary}},
	})
	if err != nil {
		r.t.Fatal(err)
	}
	c := &toolCall{tool: "compress", arguments: arguments, answered: true}
	call := kernel.Call{Ranges: []kernel.CallRange{{StartRef: from, EndRef: to, Summary: summary, Topic: &f.topic}}}
	after, verdict := r.kernel.Apply(r.run, call)
	if !verdict.Ok() {
		c.output, c.failed = strings.Join(verdict.Errors, "\n"), true
		return c
	}
	before, now := int(r.run.Now().Sent.Tokens), int(after.Now().Sent.Tokens)
	c.output = fmt.Sprintf("▣ ACP | %.1fK → %.1fK tokens (~%.1fK reclaimed, %d block)",
		float64(before)/1000, float64(now)/1000, float64(before-now)/1000, verdict.BlocksCreated)
	return c
}

// TestSessionIsTheStory holds the embedded session to the story. With
// -rewrite it writes it.
func TestSessionIsTheStory(t *testing.T) {
	r := newRecorder(t)
	for _, b := range readStory(t) {
		r.play(b)
	}
	embedded, err := session()
	if err != nil {
		t.Fatal(err)
	}
	same := bytes.Equal(embedded, r.out.Bytes())
	switch {
	case *rewrite && !same:
		if err := os.WriteFile("session.jsonl.gz", zip(t, r.out.Bytes()), 0o644); err != nil {
			t.Fatal(err)
		}
	case !same:
		t.Error("session.jsonl.gz is not what the story gives; run go test ./watch/demo -rewrite and read the difference")
	}
}

func zip(t *testing.T, data []byte) []byte {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
