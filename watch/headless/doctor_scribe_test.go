package headless

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"ctxscope/kernel"
	"ctxscope/watch/decode"
)

// A scribe writes a session as its agent would, and runs the kernel beside it,
// so that refs, reported sizes and the answers to compress calls are those of
// an agent with this kernel.
type scribe struct {
	t       *testing.T
	claude  bool // else Pi
	out     bytes.Buffer
	lines   int
	decoder decode.Decoder
	kernel  *kernel.Kernel
	run     kernel.Run
	parent  *string
	ids     int
	calls   int
	clock   time.Time

	beside  int                  // tokens of a prompt that no transcript holds
	report  func(prompt int) int // what is reported for a prompt; 0: nothing
	want    map[string][]int     // turns by the code of the finding that they show
	written int                  // words of prose so far
}

func newScribe(t *testing.T, format string, config kernel.Config) *scribe {
	k := kernel.New(config, nil)
	s := &scribe{
		t: t, claude: format == "claude", decoder: decode.New("", nil), kernel: k, run: k.Start(),
		clock: time.Date(2026, 4, 7, 8, 30, 0, 0, time.UTC), beside: 1500, want: map[string][]int{},
	}
	s.report = func(prompt int) int { return prompt }
	if !s.claude {
		s.write(object{"type": "session", "version": 3, "id": "01a2c000-0000-7000-8000-000000000001", "timestamp": s.stamp(), "cwd": "/srv/app"})
		s.entry("model_change", object{"provider": "anthropic", "modelId": "claude-sonnet-4-5"})
	}
	return s
}

func (s *scribe) stamp() string { return s.clock.Format("2006-01-02T15:04:05.000Z") }

func (s *scribe) write(record object) {
	var line bytes.Buffer
	e := json.NewEncoder(&line)
	e.SetEscapeHTML(false)
	if err := e.Encode(record); err != nil {
		s.t.Fatal(err)
	}
	s.lines++
	s.decoder.Line(bytes.TrimSuffix(line.Bytes(), []byte("\n")), decode.Place{Number: s.lines, Offset: int64(s.out.Len())})
	s.out.Write(line.Bytes())
	s.run = s.kernel.Advance(s.run, s.decoder.Change())
	s.clock = s.clock.Add(3 * time.Second)
}

// entry appends a record to the tree of the session and gives its id.
func (s *scribe) entry(kind string, fields object) string {
	s.ids++
	id := fmt.Sprintf("%08x", 0x2f000000+s.ids)
	fields["type"], fields["timestamp"] = kind, s.stamp()
	if s.claude {
		usual := object{
			"uuid": id, "parentUuid": s.parent, "isSidechain": false, "userType": "external", "cwd": "/srv/app",
			"sessionId": "00000000-0000-4000-8000-0000000d0c01", "version": "2.1.50", "gitBranch": "main",
		}
		for key, value := range usual {
			if _, set := fields[key]; !set {
				fields[key] = value
			}
		}
	} else {
		fields["id"], fields["parentId"] = id, s.parent
	}
	s.parent = &id
	s.write(fields)
	return id
}

// turns is how many requests were made so far.
func (s *scribe) turns() int { return s.run.Turns().Len() }

// here is the list's length: where the next message will stand.
func (s *scribe) here() int { return s.run.Log().Len() }

// prose is about n chars of text, never the same twice.
func (s *scribe) prose(n int) string {
	words := []string{"invoice", "order", "the", "queue", "retries", "every", "mail", "with", "one", "lease", "a", "page", "is", "rendered", "before", "claimed"}
	var b strings.Builder
	for b.Len() < n {
		s.written++
		fmt.Fprintf(&b, "%s %s %d ", words[s.written%len(words)], words[(s.written*7+3)%len(words)], s.written)
	}
	return b.String()[:n]
}

func (s *scribe) user(text string) string {
	if s.claude {
		return s.entry("user", object{"message": object{"role": "user", "content": text}})
	}
	return s.entry("message", object{"message": object{"role": "user", "content": []any{object{"type": "text", "text": text}}}})
}

// toolUse is a call of a tool in a reply.
type toolUse struct {
	tool      string
	arguments object
	id        string
}

// reply writes a reply: a text, if there is one, and calls. It gives the calls
// with their ids.
func (s *scribe) reply(say string, calls ...toolUse) []toolUse {
	prompt := s.beside + int(s.run.Now().Sent.Tokens)
	output := int(kernel.Estimate(say))
	blocks := []any{}
	if say != "" {
		blocks = append(blocks, object{"type": "text", "text": say})
	}
	stop := "stop"
	for i := range calls {
		s.calls++
		calls[i].id = fmt.Sprintf("call_%03d", s.calls)
		arguments, err := json.Marshal(calls[i].arguments)
		if err != nil {
			s.t.Fatal(err)
		}
		output += int(kernel.Estimate(string(arguments)))
		stop = "toolUse"
		if s.claude {
			blocks = append(blocks, object{"type": "tool_use", "id": calls[i].id, "name": calls[i].tool, "input": calls[i].arguments})
		} else {
			blocks = append(blocks, object{"type": "toolCall", "id": calls[i].id, "name": calls[i].tool, "arguments": calls[i].arguments})
		}
	}
	total := s.report(prompt + output)
	if s.claude {
		s.claudeReply(blocks, max(0, total-output), min(output, total))
		return calls
	}
	message := object{"role": "assistant", "content": blocks, "api": "anthropic-messages", "provider": "anthropic", "model": "claude-sonnet-4-5", "stopReason": stop}
	if total > 0 {
		message["usage"] = object{"input": 3, "output": output, "cacheRead": 0, "cacheWrite": total - output - 3, "totalTokens": total}
	}
	s.entry("message", object{"message": message})
	return calls
}

// claudeReply writes a record for each block.
func (s *scribe) claudeReply(blocks []any, prompt, output int) {
	reply := fmt.Sprintf("msg_%03d", s.turns()+1)
	for _, block := range blocks {
		message := object{
			"id": reply, "type": "message", "role": "assistant", "model": "claude-sonnet-4-5-20250929",
			"content": []any{block}, "stop_reason": nil, "stop_sequence": nil,
		}
		if prompt > 0 {
			message["usage"] = object{"input_tokens": 3, "cache_creation_input_tokens": prompt - 3, "cache_read_input_tokens": 0, "output_tokens": output}
		}
		s.entry("assistant", object{"requestId": "req_" + reply[4:], "message": message})
	}
}

func (s *scribe) result(c toolUse, text string, failed bool) {
	if s.claude {
		block := object{"tool_use_id": c.id, "type": "tool_result", "content": text}
		if failed && c.tool != "mcp__bili__compress" {
			block["is_error"] = true
		}
		s.entry("user", object{"message": object{"role": "user", "content": []any{block}}})
		return
	}
	s.entry("message", object{"message": object{
		"role": "toolResult", "toolCallId": c.id, "toolName": c.tool, "content": []any{object{"type": "text", "text": text}}, "isError": failed,
	}})
}

// work is one reply with a call and a result of about n chars.
func (s *scribe) work(n int) { s.workWith("grep", n) }

func (s *scribe) workWith(tool string, n int) {
	call := s.reply("Looking on.", toolUse{tool: tool, arguments: object{"pattern": s.prose(12)}})[0]
	s.result(call, s.prose(n), false)
}

// ask writes a compress call for the messages from one place in the list to
// another, and gives its answer by the executor's verdict. It gives the turn
// that the call came after.
func (s *scribe) ask(from, to int) (turn int, folded bool) {
	return s.askRefs(s.run.Ref(from), s.run.Ref(to-1), s.prose(120))
}

func (s *scribe) askRefs(start, end, summary string) (turn int, folded bool) {
	call := kernel.Call{Ranges: []kernel.CallRange{{StartRef: start, EndRef: end, Summary: summary}}}
	if summary == "" { // Check would take a placeholder
		call.Ranges[0].Summary = "\n"
	}
	verdict := s.kernel.Check(s.run, call)
	return s.askAnswered(start, end, summary, verdict.BlocksCreated, strings.Join(verdict.Errors, "\n")), verdict.Ok()
}

// askAnswered writes a compress call with the answer that a host gives: blocks
// made, or an error.
func (s *scribe) askAnswered(start, end, summary string, blocks int, failure string) int {
	tool := "compress"
	if s.claude {
		tool = "mcp__bili__compress"
	}
	c := s.reply("", toolUse{tool: tool, arguments: object{"content": []any{object{"startId": start, "endId": end, "summary": summary}}}})[0]
	answer, failed := fmt.Sprintf("▣ ACP | 9.0K → 6.0K tokens (~3.0K reclaimed, %d block)", blocks), blocks == 0
	if s.claude {
		answer = fmt.Sprintf("[Compressed %s–%s → %d block(s), ~3000 tokens saved.]", start, end, blocks)
	}
	if failed {
		answer = cmp.Or(failure, "nothing was folded")
		if s.claude {
			answer = "[Compression FAILED: " + answer + "]"
		}
	}
	s.result(c, answer, failed)
	return s.turns()
}

// fold is ask where a fold is expected.
func (s *scribe) fold(from, to int) int {
	turn, folded := s.ask(from, to)
	if !folded {
		f := s.run.Folds()
		s.t.Fatalf("turn %d: %v", turn, f.At(f.Len()-1).Verdict.Errors)
	}
	return turn
}

// refused is ask where a refusal is expected.
func (s *scribe) refused(start, end, summary string) int {
	turn, folded := s.askRefs(start, end, summary)
	if folded {
		s.t.Fatalf("turn %d: %s..%s folded", turn, start, end)
	}
	return turn
}

// shows notes that a turn shows what a finding of that code says.
func (s *scribe) shows(code string, turns ...int) { s.want[code] = append(s.want[code], turns...) }

// last is the record of the last turn.
func (s *scribe) last() kernel.TurnRecord { return *s.run.Turns().At(s.turns() - 1) }

// must fails where a story does not go as it says.
func (s *scribe) must(holds bool, what string) {
	s.t.Helper()
	if !holds {
		s.t.Fatalf("turn %d: the story says that %s", s.turns(), what)
	}
}

// nudges counts the nudges for a tier.
func (s *scribe) nudges(tier kernel.Tier) int {
	n := 0
	for i := range s.turns() {
		if t := s.run.Turns().At(i); t.Inject && t.Tier == tier {
			n++
		}
	}
	return n
}

// folds counts the calls that folded.
func (s *scribe) folds() int {
	n := 0
	for i := range s.run.Folds().Len() {
		if s.run.Folds().At(i).Verdict.Ok() {
			n++
		}
	}
	return n
}
