package kernel

import (
	"fmt"
	"strings"
)

var errRefCapacity = fmt.Errorf("ref capacity exhausted: cannot allocate beyond %s", formatRef(maxRef))

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
	reach int32 // the last position that a pair opened up to here extends to
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
	base := id
	if at := strings.IndexByte(id, '#'); at > 0 {
		base = id[:at]
	}
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
	if at > 0 {
		s.reach = max(pos, x.slots.at(at-1).reach)
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
		x.calls.push(callFacts{last: -1})
	}
	s := *x.slots.at(int(pos))
	facts := *x.calls.at(int(key))
	s.call, s.prev = key, facts.last
	x.slots.set(int(pos), s)
	for p := facts.last; p >= 0 && p < pos; p++ {
		between := *x.slots.at(int(p))
		between.reach = max(between.reach, pos)
		x.slots.set(int(p), between)
	}
	if facts.last >= 0 && x.log.at(int(facts.last)).ToolName == "compress" {
		x.compressParts++
	}
	facts.last = pos
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

// lookup is an index as it stood at one moment: it never changes and may be
// read by anyone.
type lookup struct {
	rules    *rules
	name     List[string]
	ids      List[idFacts]
	calls    List[callFacts]
	refs     List[refEntry]
	log      List[Message]
	slots    List[slot]
	rendered List[int32]
	compress List[int32]
	latest   map[string][]int32 // positions by latest-only rule; nil without such rules

	firstUser     int32
	compressParts int
	hashIDs       bool
	repeatedID    bool
}

func (x *index) lookup() *lookup {
	l := &lookup{
		rules:     x.rules,
		name:      x.name.list(),
		ids:       x.ids.list(),
		calls:     x.calls.list(),
		refs:      x.refs.list(),
		log:       x.log.list(),
		slots:     x.slots.list(),
		rendered:  x.rendered.list(),
		compress:  x.compress.list(),
		firstUser: x.firstUser,

		compressParts: x.compressParts,
		hashIDs:       x.hashIDs,
		repeatedID:    x.repeatedID,
	}
	if len(x.byLatest) > 0 {
		l.latest = make(map[string][]int32, len(x.byLatest))
		for key, positions := range x.byLatest {
			l.latest[key] = positions[:len(positions):len(positions)]
		}
	}
	return l
}

// index makes an index of its own that starts as l stands.
func (l *lookup) index() *index {
	x := newIndex(l.rules, l.name.Len())
	x.name, x.ids, x.calls = l.name.builder(), l.ids.builder(), l.calls.builder()
	x.refs, x.log, x.slots = l.refs.builder(), l.log.builder(), l.slots.builder()
	x.rendered, x.compress = l.rendered.builder(), l.compress.builder()
	x.firstUser, x.compressParts = l.firstUser, l.compressParts
	x.hashIDs, x.repeatedID = l.hashIDs, l.repeatedID
	for i := range l.name.Len() {
		x.names[*l.name.At(i)] = int32(i)
	}
	for i := range l.log.Len() {
		if s := l.slots.At(i); s.call >= 0 {
			x.keys[l.log.At(i).ToolCallID] = s.call
		}
	}
	for key, positions := range l.latest {
		x.byLatest[key] = positions[:len(positions):len(positions)]
	}
	return x
}

// firstResult is the position of the first result of a call id, -1 without.
func (l *lookup) firstResult(call int32) int32 {
	first := int32(-1)
	if call < 0 {
		return first
	}
	for p := l.calls.At(int(call)).last; p >= 0; p = l.slots.At(int(p)).prev {
		if l.log.At(int(p)).Type == ToolResult {
			first = p
		}
	}
	return first
}

// ref is the ref number of the message at a position: 0 none, -1 BLOCKED.
func (l *lookup) ref(pos int) int32 {
	if id := l.slots.At(pos).id; id >= 0 {
		return l.ids.At(int(id)).ref
	}
	return 0
}

// refID is the id number that a ref number names.
func (l *lookup) refID(number int32) (int32, bool) {
	low, high := 0, l.refs.Len()
	for low < high {
		mid := (low + high) / 2
		if l.refs.At(mid).number < number {
			low = mid + 1
		} else {
			high = mid
		}
	}
	if low < l.refs.Len() && l.refs.At(low).number == number {
		return l.refs.At(low).id, true
	}
	return 0, false
}

// nextRef is the number behind the highest one in use. A number whose message
// vanished still counts.
func (x *index) nextRef() int32 {
	if x.refs.n == 0 {
		return 1
	}
	return x.refs.at(x.refs.n-1).number + 1
}

// assignRefs gives each message from a position on its ref, in order, and
// tells which ids got one. A ref never changes.
func (x *index) assignRefs(from int) (given []int32, err error) {
	l, newest := x.lookup(), x.newestLatest()
	for pos := from; pos < x.log.n; pos++ {
		s, m := x.slots.at(pos), x.log.at(pos)
		if s.id < 0 || s.marks&markRetrieved != 0 {
			continue
		}
		facts := *x.ids.at(int(s.id))
		if facts.ref != 0 {
			continue
		}
		if l.blocked(s, m, newest) {
			facts.ref = refBlocked
		} else {
			facts.ref = x.nextRef()
			if facts.ref > maxRef {
				return given, errRefCapacity
			}
			x.refs.push(refEntry{facts.ref, s.id})
		}
		x.ids.set(int(s.id), facts)
		given = append(given, s.id)
	}
	return given, nil
}

// blocked reports whether a message gets BLOCKED instead of a number: media
// always, protected tools only when some are configured.
func (l *lookup) blocked(s *slot, m *Message, newest map[int32]bool) bool {
	if m.Has(HasMedia) {
		return true
	}
	if !l.rules.blocks {
		return false
	}
	if s.marks&markProtected != 0 {
		return true
	}
	if s.call >= 0 && m.Type == ToolResult && m.ToolName == "" && l.rules.pairsByPath && l.calls.At(int(s.call)).protectedCall {
		return true
	}
	return l.isLatest(s, m, newest)
}

// newestLatest is the newest call of each latest-only rule, by position.
func (x *index) newestLatest() map[int32]bool {
	if len(x.byLatest) == 0 {
		return nil
	}
	newest := map[int32]bool{}
	for _, positions := range x.byLatest {
		newest[positions[len(positions)-1]] = true
	}
	return newest
}
