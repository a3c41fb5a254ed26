package kernel

import (
	"slices"
	"strings"
)

// flow is what follows from a list and its blocks: what is sent, what of it
// can be compressed. It is kept from turn to turn and taken up again where
// something changed, so that a turn costs what was appended and the tail that
// is not settled. Only its owner reads it.
type flow struct {
	k *Kernel

	fresh     bool            // nothing was followed yet
	pruning   bool            // some active block covers something
	activeIDs map[string]bool // of blocks
	covered   []coverage      // by id number
	owner     []int32         // by id number: the active block that covers it, -1 without
	anchors   []anchor        // of active blocks, by position
	summaries []Message       // rendered, by block
	known     map[string]bool // ids of rendered summaries that have a ref: a host keeps them in its list

	sent   listBuilder[sentItem]
	sentAt listBuilder[int32] // by log position: its place in sent, -1 when it is not sent
	before listBuilder[int32] // by log position: the length of sent before what stands there
	tail   int                // the length of sent before the summaries behind the last message

	hidden hiding

	zone   zone
	latest map[int32]bool // positions of the calls that a latest-only rule protects

	marks      listBuilder[mark]
	ranges     listBuilder[Range]
	protecteds listBuilder[ProtectedRange]
	batches    listBuilder[Range]
	sum        tally  // after the last item, what is open still open
	pending    Tokens // in batches that the executor would take
}

type coverage uint8

const (
	coversID   coverage = 1 << iota // an active block covers the id
	coversBase                      // an active block covers an id with this base
)

// anchor is where an active block's summary stands: before a log position.
type anchor struct {
	pos   int32
	block int32
}

// sentItem is one message of what is sent.
type sentItem struct {
	pos    int32 // log position; ^block for a summary that the kernel renders
	status status
}

// status says what recommending made of a sent message.
type status uint8

const (
	statusIgnored   status = iota // no ref: no part in ranges, and no gap
	statusGap                     // a summary, media or a checkpoint
	statusProtected               // never folded
	statusRecent                  // in the recent zone
	statusWithdrawn               // kept to keep a turn whole
	statusCompressible
)

func newFlow(k *Kernel) *flow { return &flow{k: k, fresh: true} }

// message is the message of a sent item, as it is sent.
func (f *flow) message(l *lookup, item sentItem) *Message {
	if item.pos < 0 {
		return &f.summaries[^item.pos]
	}
	if m := f.hidden.rewritten[item.pos]; m != nil {
		return m
	}
	return l.log.At(int(item.pos))
}

// setBlocks takes the blocks over: who is covered and where summaries stand.
// Everything sent is made again after it.
func (f *flow) setBlocks(l *lookup, blocks []standing) {
	f.covered, f.owner = coverageOf(l, blocks), ownersOf(l, blocks)
	f.summaries = make([]Message, len(blocks))
	f.anchors, f.pruning, f.activeIDs = nil, false, map[string]bool{}
	for i := range blocks {
		if blocks[i].active {
			f.activeIDs[blocks[i].ID] = true
		}
		f.pruning = f.pruning || blocks[i].active && len(blocks[i].covers) > 0
	}
	for i := range blocks {
		if !blocks[i].active || !f.pruning {
			continue
		}
		f.summaries[i] = f.k.renderSummary(blocks[i].Block)
		f.anchors = append(f.anchors, anchor{f.insertPosition(l, &blocks[i]), int32(i)})
	}
	slices.SortStableFunc(f.anchors, func(a, b anchor) int { return int(a.pos - b.pos) })
	for i := range f.anchors {
		f.anchors[i].pos = pairSafe(l, f.anchors[i].pos)
	}
	slices.SortStableFunc(f.anchors, func(a, b anchor) int { return int(a.pos - b.pos) })
	f.known = l.summariesWithRef()
	f.hidden = hiding{}
	f.cutSent(0)
}

// summariesWithRef are the ids of rendered summaries that were in a list when
// refs were given.
func (l *lookup) summariesWithRef() map[string]bool {
	known := map[string]bool{}
	for i := range l.name.Len() {
		if name := *l.name.At(i); strings.HasPrefix(name, renderedPrefix) && l.ids.At(i).ref > 0 {
			known[name] = true
		}
	}
	return known
}

// cutSent drops what is sent from a log position on.
func (f *flow) cutSent(from int) {
	if from < f.before.n {
		f.tail = int(*f.before.at(from))
	}
	f.sent.cut(f.tail)
	f.sentAt.cut(from)
	f.before.cut(from)
}

// coverageOf marks what active blocks cover, by id number.
func coverageOf(l *lookup, blocks []standing) []coverage {
	covered := make([]coverage, l.ids.Len())
	for i := range blocks {
		if !blocks[i].active {
			continue
		}
		for _, id := range blocks[i].covers {
			covered[id] |= coversID
			covered[l.ids.At(int(id)).base] |= coversBase
		}
	}
	return covered
}

// ownersOf names the active block that covers an id, by id number.
func ownersOf(l *lookup, blocks []standing) []int32 {
	owner := make([]int32, l.ids.Len())
	for i := range owner {
		owner[i] = -1
	}
	for i := range blocks {
		if !blocks[i].active {
			continue
		}
		for _, id := range blocks[i].covers {
			owner[id], owner[l.ids.At(int(id)).base] = int32(i), int32(i)
		}
	}
	return owner
}

// renderSummary is the message that stands for an active block.
func (k *Kernel) renderSummary(b *Block) Message {
	var text strings.Builder
	text.WriteString(SummaryHeader)
	if b.Topic != nil && *b.Topic != "" {
		text.WriteString(" — ")
		text.WriteString(*b.Topic)
	}
	if summary := trimJS(b.Summary); summary != "" {
		text.WriteString("\n")
		text.WriteString(summary)
	}
	m := Message{ID: renderedPrefix + b.ID, Role: RoleSystem, Type: Text}
	m.Measure(text.String(), k.count)
	m.Text = text.String()
	return m
}

// insertPosition is where a block's summary would stand: its rendered summary
// in the list, else the first covered message, else the start.
func (f *flow) insertPosition(l *lookup, s *standing) int32 {
	if pos := l.renderedAt(s.ID); pos >= 0 {
		return pos
	}
	first := int32(-1)
	for _, id := range s.covers {
		at := l.ids.At(int(l.ids.At(int(id)).base)).first
		if at >= 0 && (first < 0 || at < first) {
			first = at
		}
	}
	return max(first, 0)
}

// pairSafe moves a position so that a summary there splits no run of replies
// and no call from its first result.
func pairSafe(l *lookup, pos int32) int32 {
	if int(pos) < l.log.Len() && l.log.At(int(pos)).Role == RoleAssistant {
		for pos > 0 && l.log.At(int(pos-1)).Role == RoleAssistant {
			pos--
		}
	}
	for {
		moved := pos
		if pos > 0 && l.slots.At(int(pos-1)).reach >= pos {
			moved = pastResults(l, pos)
		}
		if moved == pos {
			return pos
		}
		pos = moved
	}
}

// pastResults is the position behind the first results of all assistant calls
// that stand before pos.
func pastResults(l *lookup, pos int32) int32 {
	moved := pos
	for p := pos - 1; p >= 0 && l.slots.At(int(p)).reach > p; p-- {
		if s := l.slots.At(int(p)); s.marks&markAssistantCall != 0 {
			if result := l.firstResult(s.call); result >= moved {
				moved = result + 1
			}
		}
	}
	return moved
}

// walked reports whether a log position survives the walk over the list: it
// is not covered and no stale rendered summary of an active block. The first
// user message always stays.
func (f *flow) walked(l *lookup, pos int32) bool {
	if !f.pruning || pos == l.firstUser {
		return true
	}
	s := l.slots.At(int(pos))
	if s.marks&markRendered != 0 && f.anchored(renderedBlock(l.log.At(int(pos)))) {
		return false
	}
	return s.id < 0 || !f.hasCoverage(l.ids.At(int(s.id)).base, coversBase)
}

func (f *flow) hasCoverage(id int32, c coverage) bool {
	return int(id) < len(f.covered) && f.covered[id]&c != 0
}

func (f *flow) anchored(blockID string) bool {
	for _, a := range f.anchors {
		if f.summaries[a.block].ID == renderedPrefix+blockID {
			return true
		}
	}
	return false
}
