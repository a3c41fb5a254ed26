package kernel

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
	CreatedAt           int64    `json:"createdAt"`
	SurvivedCount       int      `json:"survivedCount"`
	Generation          string   `json:"generation"` // "young" or "old"
	Active              bool     `json:"active"`
	Expanded            bool     `json:"expanded,omitempty"`
	RestoredInline      bool     `json:"restoredInline,omitempty"`
	CompressCallID      string   `json:"compressCallId,omitempty"`
	StartRef            string   `json:"startRef,omitempty"` // as the caller wrote it
	EndRef              string   `json:"endRef,omitempty"`
	SummaryTokens       Tokens   `json:"-"` // of the stored summary
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
