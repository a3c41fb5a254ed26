package kernel

import (
	"fmt"
	"math/rand"
	"strings"
)

// A sessionMaker makes a random session, entry by entry, as a decoder would
// give it. Equal seeds give equal sessions.
type sessionMaker struct {
	*rand.Rand
	entries []Entry
	log     []Message // as it stands
	ids     int
	calls   int
	used    Tokens
	late    []Message // results that are still to come
	odd     bool      // see oddSeeds
}

// oddSeeds is the first seed of sessions in which ids may repeat or name parts
// of a message. What a ref names is then not always clear, so such sessions
// serve only where two ways to run them are compared.
const oddSeeds = 1000

func newSessionMaker(seed int64) *sessionMaker {
	return &sessionMaker{Rand: rand.New(rand.NewSource(seed)), odd: seed >= oddSeeds}
}

// chance is true in p of 100 cases.
func (s *sessionMaker) chance(p int) bool { return s.Intn(100) < p }

var fillTexts = []string{"plain words, ", "错误日志", "🙂 done ", "{\"a\":{\"b\":[1,2,{\"c\":\"deep\"}]}}", "at main.go:12\n", "```go\nx := 1\n```\n"}

func (s *sessionMaker) text(most int) string {
	unit := fillTexts[s.Intn(len(fillTexts))]
	return strings.Repeat(unit, s.Intn(1+most/len(unit)))
}

func (s *sessionMaker) say(m Message, text string) {
	m.ID = s.newID()
	if s.chance(2) && m.Type == Text {
		m.SummaryOfBlockID = fmt.Sprintf("b%d", 1+s.Intn(3))
	}
	if s.odd && s.chance(2) && m.Type == Text {
		m.ID = fmt.Sprintf("%sb%d", renderedPrefix, 1+s.Intn(3))
		m.Role = [...]Role{RoleSystem, RoleAssistant}[s.Intn(2)]
	}
	m.Measure(text, nil)
	s.log = append(s.log, m)
	s.entries = append(s.entries, Entry{Op: Append, Message: m})
}

// newID is mostly an id of its own; now and then a part of the message before,
// a hash that other messages share, or an id that was there before.
func (s *sessionMaker) newID() string {
	s.ids++
	own := fmt.Sprintf("x%d", s.ids)
	if !s.odd || s.chance(94) || len(s.log) == 0 {
		return own
	}
	switch s.Intn(3) {
	case 0:
		return baseID(s.log[len(s.log)-1].ID) + fmt.Sprintf("#%d", s.ids)
	case 1:
		return fmt.Sprintf("h_%016x", s.Intn(3))
	}
	return s.log[s.Intn(len(s.log))].ID
}

// turn is one request: what the user says, the reply, its calls and results.
func (s *sessionMaker) turn(event func()) {
	if s.chance(50) || len(s.log) == 0 {
		s.say(Message{Role: RoleUser}, s.text(3000))
	}
	event()
	for s.chance(25) {
		s.say(Message{Role: RoleAssistant, Type: Reasoning, ThinkingTokens: Tokens(s.Intn(50))}, s.text(900))
	}
	if s.chance(70) {
		s.say(Message{Role: RoleAssistant}, s.text(4000))
	}
	s.callTools()
}

var someTools = []string{"bash", "read", "grep", "write", "skill", "todowrite", "decompress"}

// callTools calls some tools in parallel; now and then a result is missing,
// unnamed, late or marked as failed.
func (s *sessionMaker) callTools() {
	var calls []Message
	for n := s.Intn(4); n > 0; n-- {
		s.calls++
		m := Message{Role: RoleAssistant, Type: ToolCall, ToolName: someTools[s.Intn(len(someTools))], ToolCallID: fmt.Sprintf("c%d", s.calls)}
		s.say(m, `{"path":"a.go"}`)
		calls = append(calls, m)
	}
	for _, call := range calls {
		if s.chance(6) {
			continue
		}
		result := Message{Role: RoleTool, Type: ToolResult, ToolName: call.ToolName, ToolCallID: call.ToolCallID, Failed: s.chance(5)}
		if s.chance(20) {
			result.ToolName = ""
		}
		if s.chance(4) {
			result.Facts, result.Images = HasMedia, 1
		}
		if s.chance(5) {
			s.late = append(s.late, result)
			continue
		}
		s.say(result, s.text(8000))
	}
	if len(s.late) > 0 && s.chance(30) {
		s.say(s.late[0], s.text(3000))
		s.late = s.late[1:]
	}
}

// ranges are those of one call: mostly one that a host would take, else up to
// three of all kinds.
func (s *sessionMaker) ranges() []CallRange {
	if s.chance(65) {
		return []CallRange{s.likelyRange()}
	}
	var out []CallRange
	for n := 1 + s.Intn(3); n > 0; n-- {
		r := s.likelyRange()
		switch s.Intn(10) {
		case 0:
			r.StartRef, r.EndRef = fmt.Sprintf("b%d", 1+s.Intn(4)), fmt.Sprintf("b%d", 1+s.Intn(4))
		case 1:
			r.StartRef, r.EndRef = r.EndRef, r.StartRef
		case 2:
			r.EndRef = fmt.Sprintf("b%d", 1+s.Intn(4))
		case 3:
			r.Summary = strings.Repeat("x", 1+s.Intn(60))
		case 4:
			r.StartRef = "m99x"
		case 5:
			r.EndRef = r.StartRef
		}
		out = append(out, r)
	}
	return out
}

// likelyRange is a dozen messages somewhere, or a few of the first blocks.
func (s *sessionMaker) likelyRange() CallRange {
	r := CallRange{Summary: strings.Repeat("what was done and found. ", 2+s.Intn(4))}
	if s.chance(15) {
		first := 1 + s.Intn(3)
		r.StartRef, r.EndRef = fmt.Sprintf("b%d", first), fmt.Sprintf("b%d", first+s.Intn(3))
		return r
	}
	start := 1 + s.Intn(max(1, s.ids-12))
	r.StartRef, r.EndRef = fmt.Sprintf("m%05d", start), fmt.Sprintf("m%05d", start+6+s.Intn(12))
	return r
}

// recording is a session as the core format records it: turns, calls and
// removals are entries of their own.
func recording(seed int64, turns int) []Entry {
	s := newSessionMaker(seed)
	s.entries = append(s.entries, Entry{Op: Recording}, Entry{Op: View, PrunedView: s.chance(50)})
	for range turns {
		s.turn(func() {
			if s.chance(10) && len(s.log) > 0 {
				s.entries = append(s.entries, Entry{Op: Remove, IDs: []string{s.log[s.Intn(len(s.log))].ID}})
			}
			s.used += Tokens(s.Intn(9000))
			if s.chance(10) {
				s.used /= 2
			}
			s.entries = append(s.entries, Entry{Op: RecordedTurn, Used: s.used})
			if s.chance(40) {
				s.entries = append(s.entries, Entry{Op: Compress, Call: Call{Ranges: s.ranges()}})
			}
		})
	}
	return s.entries
}

// transcript is a session as an agent writes it: replies with usage, compress
// calls among the messages, lists that the host rewrites.
func transcript(seed int64, turns int) []Entry {
	s := newSessionMaker(seed)
	for i := range turns {
		s.turn(func() {
			s.entries = append(s.entries, Entry{Op: Reply, ReplyID: fmt.Sprintf("r%d", i), Time: int64(i) * 1000})
		})
		if s.chance(30) {
			s.compressCall()
		}
		if s.chance(70) {
			s.used = Tokens(len(s.log)*300 + s.Intn(4000))
			s.entries = append(s.entries, Entry{Op: Usage, Used: s.used})
		}
		if s.chance(4) {
			s.compact()
		}
	}
	return s.entries
}

func (s *sessionMaker) compressCall() {
	s.calls++
	id := fmt.Sprintf("c%d", s.calls)
	var content []string
	for _, r := range s.ranges() {
		content = append(content, fmt.Sprintf(`{"startId":%q,"endId":%q,"summary":%q}`, r.StartRef, r.EndRef, r.Summary))
	}
	s.say(Message{Role: RoleAssistant, Type: ToolCall, ToolName: "compress", ToolCallID: id}, `{"content":[`+strings.Join(content, ",")+`]}`)
	if s.chance(90) {
		result := Message{Role: RoleTool, Type: ToolResult, ToolName: "compress", ToolCallID: id, Outcome: Succeeded}
		if s.chance(30) {
			result.Outcome = Outcome(1 + s.Intn(3))
		}
		if result.Outcome == Succeeded {
			result.OutcomeBlocks = uint16(1 + s.Intn(2))
		}
		s.say(result, "done")
	}
}

// compact replaces what is old by one message, as hosts do.
func (s *sessionMaker) compact() {
	m := Message{ID: s.newID(), Role: RoleUser}
	m.Measure(s.text(2000), nil)
	list := append([]Message{m}, s.log[s.Intn(len(s.log)):]...)
	s.log = append([]Message(nil), list...)
	s.entries = append(s.entries, Entry{Op: Replace, List: list})
}
