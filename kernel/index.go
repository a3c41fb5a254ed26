package kernel

import "strings"

// index is a list of messages with what rules look up in it. Only its owner
// changes it; what it has given away as Lists never changes.
type index struct {
	rules *rules
	names map[string]int32 // ids to numbers; for the owner alone
	tools map[string]marks // marks by tool name, for the owner alone
	keys  map[string]int32 // call ids to numbers, for the owner alone

	name  listBuilder[string] // of an id number
	ids   listBuilder[idFacts]
	calls listBuilder[callFacts]
	refs  listBuilder[refEntry] // by ascending number

	log      listBuilder[Message]
	slots    listBuilder[slot]
	rendered listBuilder[int32] // positions of messages with the id of a rendered summary
	compress listBuilder[int32] // positions of tool calls named compress
	byLatest map[string][]int32 // positions of calls that a latest-only rule looks at, by rule

	firstUser     int32 // position of the first user message, -1 without
	compressParts int   // compress calls, and parts that share their call ids
	hashIDs       bool  // some ids are hashes of content
	familiar      bool  // a message came whose id, or its base, was known before
	repeatedID    bool  // one id stands at two positions
}

// slot is what is known of a position without its text.
type slot struct {
	id    int32 // number of the message's id, -1 without
	call  int32 // number of its call id, -1 without
	prev  int32 // the position before with the same call id, -1 without
	reach int32 // from here up to it pairs reach over every cut; its own position when none reaches over the cut behind it
	marks marks
}

type marks uint16

const (
	markProtected     marks = 1 << iota // by its own tool name
	markPassesZone                      // the recent zone passes over it
	markSynthetic                       // starts with the summary header
	markRendered                        // is a rendered summary
	markRetrieved                       // is retrieved content
	markCompress                        // is a compress call
	markAssistant                       // assistant text or tool call: what a turn group is made of
	markReasoning                       // reasoning
	markAssistantCall                   // an assistant's tool call with a call id
)

type idFacts struct {
	base  int32 // number of the base id, the id's own when it has no sub-id
	at    int32 // its last position, -1 when it is not in the list
	first int32 // the first position of any id with this base; of base ids only
	ref   int32 // 0 none, -1 BLOCKED
}

type callFacts struct {
	last          int32 // the last position with this call id
	firstResult   int32 // the position of its first result, -1 without
	protectedCall bool  // a protected tool call carries it
	protectedPart bool  // a protected tool part carries it
}

// refEntry says which id a ref number names.
type refEntry struct {
	number int32
	id     int32
}

// newIndex makes an empty index with room for some ids.
func newIndex(r *rules, ids int) *index {
	return &index{
		rules:     r,
		names:     make(map[string]int32, ids),
		tools:     map[string]marks{},
		keys:      make(map[string]int32, ids/4),
		byLatest:  map[string][]int32{},
		firstUser: -1,
	}
}

// number gives the number of an id and makes one for a new id.
func (x *index) number(id string) int32 {
	if n, ok := x.names[id]; ok {
		return n
	}
	base := baseID(id)
	n := int32(x.ids.n)
	x.names[id] = n
	x.name.push(id)
	x.ids.push(idFacts{base: n, at: -1, first: -1})
	if len(base) != len(id) {
		b := x.number(base)
		x.ids.at(int(n)).base = b
	}
	return n
}

// append puts a message at the end of the list.
func (x *index) append(m Message) {
	x.log.push(m)
	x.file(x.log.n - 1)
}

// appendAll is append for many. The index takes the slice over: nobody may
// change it afterwards.
func (x *index) appendAll(messages []Message) {
	if x.log.n == 0 {
		x.log = listOver(messages).builder()
	} else {
		for i := range messages {
			x.log.push(messages[i])
		}
	}
	for pos := x.log.n - len(messages); pos < x.log.n; pos++ {
		x.file(pos)
	}
}

// file notes what is to be looked up of the message at a position, the next
// in order.
func (x *index) file(at int) {
	m, pos := x.log.at(at), int32(at)
	s := slot{id: -1, call: -1, prev: -1, reach: pos, marks: x.marksOf(m)}
	if m.ID != "" {
		s.id = x.place(m.ID, pos)
	}
	x.slots.push(s)
	if m.ToolCallID != "" && m.isTool() {
		x.pair(pos, m)
	}
	if m.Role == RoleUser && x.firstUser < 0 {
		x.firstUser = pos
	}
	if strings.HasPrefix(m.ID, renderedPrefix) {
		x.rendered.push(pos)
		x.familiar = true // it may bring its block back
	}
	if s.marks&markCompress != 0 {
		x.compress.push(pos)
		x.compressParts++
	}
	if m.Type == ToolCall && len(x.rules.latest) > 0 {
		x.noteLatest(pos, m)
	}
}

// place notes where an id stands and gives its number.
func (x *index) place(id string, pos int32) int32 {
	before := x.ids.n
	x.hashIDs = x.hashIDs || isContentHash(id)
	n := x.number(id)
	facts := *x.ids.at(int(n))
	x.familiar = x.familiar || int(n) < before || int(facts.base) < before
	x.repeatedID = x.repeatedID || facts.at >= 0
	facts.at = pos
	if facts.base == n && facts.first < 0 {
		facts.first = pos
	}
	x.ids.set(int(n), facts)
	if base := *x.ids.at(int(facts.base)); base.first < 0 {
		base.first = pos
		x.ids.set(int(facts.base), base)
	}
	return n
}

// pair links the position with the others of its call id.
func (x *index) pair(pos int32, m *Message) {
	key, known := x.keys[m.ToolCallID]
	if !known {
		key = int32(x.calls.n)
		x.keys[m.ToolCallID] = key
		x.calls.push(callFacts{last: -1, firstResult: -1})
	}
	s := *x.slots.at(int(pos))
	facts := *x.calls.at(int(key))
	s.call, s.prev = key, facts.last
	x.slots.set(int(pos), s)
	for p := facts.last; p >= 0 && p < pos; {
		between := *x.slots.at(int(p))
		next := max(between.reach, p+1)
		between.reach = pos
		x.slots.set(int(p), between)
		p = next
	}
	if facts.last >= 0 && x.log.at(int(facts.last)).ToolName == "compress" {
		x.compressParts++
	}
	facts.last = pos
	if m.Type == ToolResult && facts.firstResult < 0 {
		facts.firstResult = pos
	}
	if s.marks&markProtected != 0 {
		facts.protectedPart = true
		facts.protectedCall = facts.protectedCall || m.Type == ToolCall
	}
	x.calls.set(int(key), facts)
}

func (x *index) marksOf(m *Message) marks {
	var out marks
	if m.isTool() && m.ToolName != "" {
		out = x.toolMarks(m)
	}
	if m.Has(HasSummaryHeader) {
		out |= markSynthetic
	}
	if renderedBlock(m) != "" {
		out |= markRendered
	}
	if strings.HasPrefix(m.ID, retrievedPrefix) {
		out |= markRetrieved
	}
	switch {
	case m.Type == ToolCall && m.ToolName == "compress":
		out |= markCompress
	case m.Type == Reasoning:
		out |= markReasoning
	}
	if m.Role == RoleAssistant && (m.Type == Text || m.Type == ToolCall) {
		out |= markAssistant
		if m.Type == ToolCall && m.ToolCallID != "" {
			out |= markAssistantCall
		}
	}
	return out
}

// toolMarks looks the tool's name up once; only a call with a path is looked
// at by itself.
func (x *index) toolMarks(m *Message) marks {
	if m.ToolPath == "" {
		if known, ok := x.tools[m.ToolName]; ok {
			return known
		}
	}
	var out marks
	if x.rules.protects(m) {
		out |= markProtected
	}
	if x.rules.passesRecent(m) {
		out |= markPassesZone
	}
	if m.ToolPath == "" {
		x.tools[m.ToolName] = out
	}
	return out
}

// noteLatest files a tool call under each latest-only rule that matches it: a
// pattern with a path keeps the instances of each path apart.
func (x *index) noteLatest(pos int32, m *Message) {
	for _, p := range x.rules.latest {
		if !p.matchesPart(m) {
			continue
		}
		key := p.text
		if p.byPath() {
			key += "\x00" + m.ToolPath
		}
		x.byLatest[key] = append(x.byLatest[key], pos)
	}
}
