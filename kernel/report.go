package kernel

// Range is a run of neighbouring compressible messages. A batch is ranges
// joined until one call could take them; it has the same fields.
type Range struct {
	StartRef   string `json:"startRef"`
	EndRef     string `json:"endRef"`
	Count      int    `json:"count"`
	Tokens     Tokens `json:"tokens"`
	Chars      Chars  `json:"chars"`
	ToolPct    int    `json:"toolPct"`
	TextPct    int    `json:"textPct"`
	UserMsgs   int    `json:"userMsgs"`
	StartIndex int    `json:"startIndex"`          // place of the first message in what is sent
	EndIndex   int    `json:"endIndex"`            // of the last one
	Dangerous  bool   `json:"dangerous,omitempty"` // never set by the kernel

	lastRef int32
}

// noIndex stands for a place that is not known.
const noIndex = -1

// ProtectedRange is a run of messages that are never folded.
type ProtectedRange struct {
	StartRef   string   `json:"startRef"`
	EndRef     string   `json:"endRef"`
	Count      int      `json:"count"`
	Tokens     Tokens   `json:"tokens"`
	Tools      []string `json:"tools"`
	StartIndex int      `json:"startIndex"`
	EndIndex   int      `json:"endIndex"`
}

// CountSource names where a token count comes from.
type CountSource string

// The sources of a token count.
const (
	CountNone     CountSource = "unknown"
	CountReported CountSource = "reported"            // the provider's total, nothing came after it
	CountExtended CountSource = "reported + estimate" // the provider's total and an estimate of what came after
	CountEstimate CountSource = "estimate"            // an estimate of the sent view
	CountRecorded CountSource = "recorded"            // given by a recording
)

// Count is a context size with its source.
type Count struct {
	Tokens    Tokens      `json:"tokens"`
	Source    CountSource `json:"source"`
	Reported  Tokens      `json:"reported"`  // the provider's part of Tokens
	Estimated Tokens      `json:"estimated"` // the estimated part of Tokens
	Old       bool        `json:"old"`       // the reported part is from before the last fold
}

// Sent is the size of what the agent would be sent.
type Sent struct {
	Messages int    `json:"messages"`
	Tokens   Tokens `json:"tokens"` // estimate of the texts, after hiding, before truncation
}

// Kept is the part of what is sent that no compress call could fold now, in
// tokens by cause. What is sent is Kept and the recommended batches together;
// without a size gate, Kept and the compressible ranges.
type Kept struct {
	Protected Tokens `json:"protected"` // protected tools, compress calls among them
	Media     Tokens `json:"media"`     // texts beside pictures and attachments
	Summaries Tokens `json:"summaries"` // of blocks
	Recent    Tokens `json:"recent"`    // the recent zone
	Withdrawn Tokens `json:"withdrawn"` // folding it would split a turn
	Fragments Tokens `json:"fragments"` // compressible, but in ranges too small for the size gate
	Other     Tokens `json:"other"`     // covered by a block but sent all the same, or without a ref
}

// Total is all of it.
func (k Kept) Total() Tokens {
	return k.Protected + k.Media + k.Summaries + k.Recent + k.Withdrawn + k.Fragments + k.Other
}

// Pending is what each tier could reclaim.
type Pending struct {
	T1 Tokens `json:"t1"` // in batches that the executor would take
	T2 Tokens `json:"t2"` // in the summaries of active tier-1 blocks
	T3 Tokens `json:"t3"` // in the summaries of active tier-2 blocks
	C2 int    `json:"c2"` // active tier-1 blocks
	C3 int    `json:"c3"` // active tier-2 blocks
}

// Decision is the nudge decision with everything that it was made from.
type Decision struct {
	ShouldInject      bool                 `json:"shouldInject"`
	Tier              Tier                 `json:"tier"` // null when nothing is injected
	Reason            string               `json:"reason"`
	ContextUsage      float64              `json:"contextUsage"`
	Batches           List[Range]          `json:"compressibleRanges"`
	ProtectedRanges   List[ProtectedRange] `json:"protectedRanges"`
	ActiveBlockSpans  []BlockSpan          `json:"activeBlockSpans"`
	TierTargetBlocks  []string             `json:"tierTargetBlocks"` // ids of the blocks that the tier would consume
	Breakdown         Breakdown            `json:"breakdown"`
	ContextBreakdown  ContextBreakdown     `json:"contextBreakdown"`
	Band              Band                 `json:"band"`
	FirstSight        bool                 `json:"firstSight"`
	Threshold         [4]float64           `json:"-"` // by tier, in tokens; index 0 is unused
	Ready             [4]bool              `json:"-"` // by tier: it has the mass or the count, whether or not it is its turn; index 0 is unused
	Gates             []Gate               `json:"gates"`
	Tiers             [4]TierLine          `json:"-"`                   // by tier; index 0 is unused
	Order             TierOrder            `json:"-"`                   // in which the tiers were asked
	SlotGates         []Gate               `json:"-"`                   // what was asked for NextSlot
	SlotOrder         TierOrder            `json:"-"`                   // in which the tiers were asked for NextSlot
	NextSlot          Tier                 `json:"nextSlot"`            // the tier whose turn it is in the rotation; null when none is ready
	TokensToNudge     float64              `json:"tokensToNudge"`       // growth still missing until the growth gate opens; 0 when it is open
	GrowthSourceStamp string               `json:"growthReferenceFrom"` // "shown", "baseline" or "now"
}

// Band is a region of usage.
type Band string

// The bands.
const (
	BandNormal    Band = "normal"
	BandOverLimit Band = "over-limit"
	BandEmergency Band = "emergency"
)

// TierLine is what a decision knew of one tier.
type TierLine struct {
	Tier       Tier    `json:"tier"`
	On         bool    `json:"on"` // it may be asked for at all
	Pending    Tokens  `json:"pending"`
	Threshold  float64 `json:"threshold"`       // tokens
	Own        bool    `json:"own,omitempty"`   // the threshold is set by itself (nudge.tierGrowthTokens)
	Blocks     int     `json:"blocks"`          // one tier below; 0 for tier 1
	Trigger    int     `json:"trigger"`         // blocks; 0 for tier 1
	Shown      Tokens  `json:"shown,omitempty"` // context size at its last nudge; 0: none is remembered
	Since      float64 `json:"since,omitempty"` // tokens of growth since then
	MassReady  bool    `json:"massReady"`
	CountReady bool    `json:"countReady"`
}

// TierOrder says in which order a decision asks the tiers.
type TierOrder string

// The orders.
const (
	OrderNone     TierOrder = "none"     // the growth gate is shut: no tier is asked
	OrderMost     TierOrder = "most"     // under pressure: the tier that reclaims most
	OrderRotation TierOrder = "rotation" // tier 1 and those ready by count take turns
	OrderCascade  TierOrder = "cascade"  // tier 1, then 2, then 3: the first that is ready
)

// Tier is 1, 2 or 3; 0 is none and null in JSON.
type Tier int

// Breakdown holds the numbers of a decision under the reference's names.
type Breakdown struct {
	Usage              float64 `json:"usage"`
	Growth             float64 `json:"growth"`
	GrowthReference    float64 `json:"growthReference"`
	EffectiveThreshold float64 `json:"effectiveThreshold"` // reported; no rule reads it
	NudgeGrowthTokens  float64 `json:"nudgeGrowthTokens"`  // step
	GrowthFloor        float64 `json:"growthFloor"`        // floor
	HasPendingNudge    int     `json:"hasPendingNudge"`    // reported; no rule reads it
	OverLimit          int     `json:"overLimit"`
	EmergencyOverride  int     `json:"emergencyOverride"`
	MinPressureBenefit float64 `json:"minPressureBenefit"`
	PendingT1          Tokens  `json:"pendingT1"`
	PendingT2          Tokens  `json:"pendingT2"`
	PendingT3          Tokens  `json:"pendingT3"`
	MaxPending         Tokens  `json:"maxPending"`
}

// ContextBreakdown counts each message of the sent view once, in tokens.
// Total is the turn's count, not the sum.
type ContextBreakdown struct {
	System    Tokens  `json:"system"`
	Tool      Tokens  `json:"tool"`
	Summaries Tokens  `json:"summaries"`
	Code      Tokens  `json:"code"`
	Text      Tokens  `json:"text"`
	Total     Tokens  `json:"total"`
	Growth    float64 `json:"growth"`
}

// BlockSpan is the refs between which an active block stands.
type BlockSpan struct {
	BlockID  string `json:"blockId"`
	Tier     Tier   `json:"tier"`
	StartRef string `json:"startRef"`
	EndRef   string `json:"endRef"`
}

// Gate is one condition of a decision: what was compared, how, the answer and
// the margin that would flip it.
type Gate struct {
	Name   string  `json:"name"`   // what is asked, for example "growth"
	Left   float64 `json:"left"`   // the measured operand
	Op     string  `json:"op"`     // ">=", ">", "<", "!=" or "="
	Right  float64 `json:"right"`  // the limit operand
	Unit   string  `json:"unit"`   // "tokens", "share", "blocks", "tier" or "yes/no"
	Holds  bool    `json:"holds"`  // the answer
	Margin float64 `json:"margin"` // Left − Right: what would have to change to flip the answer
}

// Report is what one evaluation of the kernel found.
type Report struct {
	Turn        int         `json:"turn"` // from 1
	Used        Count       `json:"used"`
	Limit       Tokens      `json:"modelContextLimit"`
	Messages    int         `json:"messages"` // in the list that was evaluated
	Sent        Sent        `json:"sent"`
	Ranges      List[Range] `json:"ranges"`
	Zone        []string    `json:"zone"` // refs of the recent zone, oldest first
	Kept        Kept        `json:"kept"` // what of the sent no call could fold
	Pending     Pending     `json:"pending"`
	Nudge       Decision    `json:"nudge"`
	StampsAfter NudgeState  `json:"nudgeState"`
	Truncation  Truncation  `json:"truncation"`
}

// Truncation is what the emergency truncation did in a turn.
type Truncation struct {
	IDs      []string `json:"ids,omitempty"`      // shortened messages, in list order
	Skipped  string   `json:"skipped,omitempty"`  // why nothing was shortened
	Terminal string   `json:"terminal,omitempty"` // the terminal floor's message
	Saved    Tokens   `json:"saved"`

	StuckEvents int `json:"stuckEvents,omitempty"` // with Terminal: turns in a row on which nothing helped
}
