package kernel

import (
	"encoding/json"
)

// Block is one stored summary with the messages that it covers. Blocks are
// never changed once made: a new state holds new blocks.
type Block struct {
	ID                  string   `json:"blockId"`
	RunID               string   `json:"runId"`
	Tier                Tier     `json:"tier"`
	Topic               *string  `json:"topic,omitempty"`
	Summary             string   `json:"summary"`
	DirectMessageIDs    []string `json:"directMessageIds"`
	EffectiveMessageIDs []string `json:"effectiveMessageIds"`
	DirectBlockIDs      []string `json:"directBlockIds"`
	CompressedTokens    Tokens   `json:"compressedTokens"`
	CreatedAt           int64    `json:"createdAt"` // epoch milliseconds
	SurvivedCount       int      `json:"survivedCount"`
	Generation          string   `json:"generation"` // "young" or "old"
	Active              bool     `json:"active"`
	Expanded            bool     `json:"expanded,omitempty"`
	RestoredInline      bool     `json:"restoredInline,omitempty"`
	DurationMs          *float64 `json:"durationMs,omitempty"`
	CompressCallID      string   `json:"compressCallId,omitempty"`
	StartRef            string   `json:"startRef,omitempty"` // as the caller wrote it
	EndRef              string   `json:"endRef,omitempty"`
	SummaryTokens       Tokens   `json:"-"` // of the stored summary, by the kernel's counter
}

// NudgeState is the stamps that the nudge leaves from turn to turn.
type NudgeState struct {
	Baseline         Tokens         `json:"lastPerMessageNudgeTokens"`
	Shown            Tokens         `json:"lastNudgeShownTokens"`
	BaselineTokens   Tokens         `json:"baselineTokens"` // legacy, never written
	Anchors          map[string]any `json:"anchors"`        // legacy, never written
	ShownByTier      TierStamps     `json:"lastShownByTier"`
	LastInjectedTier Tier           `json:"lastInjectedTier"`
}

// TierStamps is the cadence stamp of each tier in tokens; 0 is none. Index 0
// is unused. In JSON it is an object of the set ones.
type TierStamps [4]Tokens

// Stats are the session's totals.
type Stats struct {
	TokensCompressed Tokens `json:"tokensCompressed"`
	CompressionCount int    `json:"compressionCount"`
}

// State is what a host keeps between turns. It is a value: a turn or a call
// gives a new one. Its JSON form is the one that hosts persist; fields that
// the kernel does not know are carried through.
type State struct {
	facts
	refs   *lookup       // ids and refs; nil in the initial state
	passed List[Message] // the inbound list of the last turn, where lastPass does not hold its ids
}

// facts is a state without its refs.
type facts struct {
	blocks           []standing
	turns            int // run so far: what survival is counted from
	promotion        int // turns after which a block is old
	nudge            NudgeState
	stats            Stats
	nextBlock        int
	nextRun          int
	terminalStreak   *int
	hiddenOrphanRefs []string
	deadRefs         []string
	lastPass         []string                   // inbound ids of the last turn, as loaded
	tokenSnapshot    json.RawMessage            // read by tags only: carried
	unknown          map[string]json.RawMessage // fields of the state that the kernel does not know
	unknownStats     map[string]json.RawMessage
}

// standing is a block with what turns and calls change about it.
type standing struct {
	*Block
	covers   []int32 // id numbers of EffectiveMessageIDs, in the index of the run
	active   bool
	survived int // at turn since
	since    int
}

// NewState is the state of a session that has just begun.
func NewState() State {
	return State{facts: facts{nextBlock: 1, nextRun: 1, nudge: NudgeState{Anchors: map[string]any{}}, tokenSnapshot: json.RawMessage("{}")}}
}

// survivedAt is the turns that the block has survived by turn number turns.
func (s *standing) survivedAt(turns int) int {
	if s.active {
		return s.survived + turns - s.since
	}
	return s.survived
}

// block gives the block as it stands.
func (f *facts) block(i int) Block {
	s := &f.blocks[i]
	b := *s.Block
	b.Active = s.active
	b.SurvivedCount = s.survivedAt(f.turns)
	if f.promotion > 0 && b.SurvivedCount >= f.promotion && b.SurvivedCount > s.SurvivedCount {
		b.Generation = "old"
	}
	return b
}

// all are the blocks as they stand, in the order of their making.
func (f *facts) all() []Block {
	out := make([]Block, len(f.blocks))
	for i := range out {
		out[i] = f.block(i)
	}
	return out
}

// find is the position of a block by its id, -1 without.
func (f *facts) find(id string) int {
	for i := range f.blocks {
		if f.blocks[i].ID == id {
			return i
		}
	}
	return -1
}
