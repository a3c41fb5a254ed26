package kernel

// Verdict is what the executor says of one compress call.
type Verdict struct {
	BlocksCreated    int            `json:"blocksCreated"`
	TokensCompressed Tokens         `json:"tokensCompressed"`
	Errors           []string       `json:"errors"`
	Warnings         []string       `json:"warnings"`
	Notes            []string       `json:"notes,omitempty"`
	Ranges           []RangeVerdict `json:"ranges"`         // one a requested range, in request order
	Gate             *Gate          `json:"gate,omitempty"` // the size gate, when it was asked
	Placeholder      bool           `json:"placeholder"`    // no summary was given; one of the least length stood in
	NewBlocks        []string       `json:"newBlocks"`      // ids of blocks made or refolded
}

// VerdictKind says in a word what happens to a range.
type VerdictKind string

// The kinds of a range's verdict.
const (
	Folds      VerdictKind = "folds"
	FoldsWider VerdictKind = "folds wider"
	FoldsLess  VerdictKind = "folds less"
	Refolds    VerdictKind = "refolds"
	Skipped    VerdictKind = "skipped"
	Refused    VerdictKind = "refused"
)

// RangeVerdict is the executor's answer to one range of a call.
type RangeVerdict struct {
	StartRef string      `json:"startRef"` // as asked
	EndRef   string      `json:"endRef"`
	Kind     VerdictKind `json:"verdict"`
	Code     string      `json:"code"`               // for programs, for example "too-small"
	Sentence string      `json:"sentence"`           // the executor's own words; empty when it has none
	Picked   Picked      `json:"picked"`             // what was asked for
	Folded   Picked      `json:"folded"`             // what would be newly folded
	Added    []string    `json:"added,omitempty"`    // refs pulled in beside the pick
	LeftOut  []string    `json:"leftOut,omitempty"`  // refs of the pick that stay visible
	Consumes []string    `json:"consumes,omitempty"` // ids of blocks that would be consumed
	BlockID  string      `json:"blockId,omitempty"`
	Tier     Tier        `json:"tier"`
	Reclaims Tokens      `json:"reclaims"` // folded tokens and consumed summaries
	Warnings []string    `json:"warnings,omitempty"`
	Notes    []string    `json:"notes,omitempty"`
}

// Picked measures a set of messages.
type Picked struct {
	StartRef string `json:"startRef"` // empty when there is none
	EndRef   string `json:"endRef"`
	Messages int    `json:"messages"`
	Tokens   Tokens `json:"tokens"`
	Chars    Chars  `json:"chars"`
}

// Ok reports whether at least one block would be made.
func (v Verdict) Ok() bool { return v.BlocksCreated > 0 }
