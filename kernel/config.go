package kernel

// Config is the kernel's configuration under the names that hosts use.
// Default gives every default; ModelContextLimit has none.
type Config struct {
	ModelContextLimit        Tokens     `json:"modelContextLimit"`
	Tiers                    Tiers      `json:"tiers"`
	Nudge                    NudgeRules `json:"nudge"`
	PromotionThreshold       int        `json:"promotionThreshold"`
	Truncate                 Truncate   `json:"truncate"`
	Compress                 Limits     `json:"compress"`
	ProtectedTools           []string   `json:"protectedTools"`
	ProtectedLatestTools     []string   `json:"protectedLatestTools,omitempty"`
	NeverPreserveRecentTools *[]string  `json:"neverPreserveRecentTools,omitempty"` // nil: the built-in list
	PreserveRecentTools      []string   `json:"preserveRecentTools,omitempty"`
	PreserveRecentMessages   int        `json:"preserveRecentMessages"`
	PreserveRecentTokens     Tokens     `json:"preserveRecentTokens"`
	GateUnit                 GateUnit   `json:"gateUnit,omitempty"`         // of compress.minCompressRange; empty means chars
	MinCandidateTokens       Tokens     `json:"minCandidateTokens"`         // least size of a candidate; 0: the size gate alone
	CandidatePlanner         string     `json:"candidatePlanner,omitempty"` // name of the planner; empty means DefaultPlanner
}

// GateUnit is the unit of the size gate. Recommendation and executor always
// share it.
type GateUnit string

// The gate units.
const (
	GateChars  GateUnit = "chars"
	GateTokens GateUnit = "tokens"
)

// Tiers configures the tiers above the first.
type Tiers struct {
	Enabled      bool `json:"enabled"`
	Tier2Trigger int  `json:"tier2Trigger"` // active tier-1 blocks
	Tier3Trigger int  `json:"tier3Trigger"` // active tier-2 blocks
}

// NudgeRules configures the nudge. Shares are of the window, 0 to 1.
type NudgeRules struct {
	MaxContextLimitPct       float64           `json:"maxContextLimitPct"` // over-limit band
	MinContextLimitPct       float64           `json:"minContextLimitPct"` // first-sight bypass only
	Frequency                float64           `json:"frequency"`          // read by no rule
	IterationThreshold       float64           `json:"iterationThreshold"` // read by no rule
	Force                    string            `json:"force"`              // read by no rule
	GrowthRatio              float64           `json:"growthRatio"`
	GrowthFloor              float64           `json:"growthFloor"` // tokens
	GrowthCap                float64           `json:"growthCap"`   // tokens
	MinGrowthFloor           float64           `json:"minGrowthFloor"`
	MinGrowthRatio           float64           `json:"minGrowthRatio"`
	EmergencyThresholdPct    float64           `json:"emergencyThresholdPct"`
	Tier2GrowthMultiplier    *float64          `json:"tier2GrowthMultiplier,omitempty"` // nil means 1.5
	TierGrowthTokens         *TierGrowthTokens `json:"tierGrowthTokens,omitempty"`
	MinPressureBenefitTokens *float64          `json:"minPressureBenefitTokens,omitempty"` // nil: derived from the window
}

// TierGrowthTokens sets the mass thresholds tier by tier, in tokens.
type TierGrowthTokens struct {
	T1 *float64 `json:"t1,omitempty"`
	T2 *float64 `json:"t2,omitempty"`
	T3 *float64 `json:"t3,omitempty"`
}

// Truncate configures the emergency truncation.
type Truncate struct {
	Threshold           float64 `json:"threshold"`                     // share of the window
	TerminalEscapeAfter *int    `json:"terminalEscapeAfter,omitempty"` // stuck turns; nil means 3, 0 never
}

// Limits configures the executor.
type Limits struct {
	MinCompressRange int   `json:"minCompressRange"` // in the gate unit
	MaxSummaryLength Chars `json:"maxSummaryLength"` // 0: no limit
	MinSummaryLength Chars `json:"minSummaryLength"` // 0: no limit
}

// What holds where an optional setting is nil.
const (
	tier2Multiplier = 1.5 // nudge.tier2GrowthMultiplier
	terminalAfter   = 3   // truncate.terminalEscapeAfter, in turns
)

// Default is the kernel's own configuration for a window of limit tokens.
func Default(limit Tokens) Config {
	multiplier, escape := tier2Multiplier, terminalAfter
	return Config{
		ModelContextLimit: limit,
		Tiers:             Tiers{Enabled: true, Tier2Trigger: 1000, Tier3Trigger: 2000},
		Nudge: NudgeRules{
			MaxContextLimitPct:    0.75,
			MinContextLimitPct:    0.45,
			Frequency:             5,
			IterationThreshold:    15,
			Force:                 "soft",
			GrowthRatio:           0.05,
			GrowthFloor:           50000,
			GrowthCap:             50000,
			MinGrowthFloor:        20000,
			MinGrowthRatio:        0.45,
			EmergencyThresholdPct: 0.95,
			Tier2GrowthMultiplier: &multiplier,
		},
		PromotionThreshold:     5,
		Truncate:               Truncate{Threshold: 0.95, TerminalEscapeAfter: &escape},
		Compress:               Limits{MinCompressRange: 5000, MaxSummaryLength: 20000, MinSummaryLength: 50},
		ProtectedTools:         []string{},
		PreserveRecentMessages: 5,
		PreserveRecentTokens:   5000,
		GateUnit:               GateChars,
		MinCandidateTokens:     200,
	}
}
