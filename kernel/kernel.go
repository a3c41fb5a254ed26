package kernel

// Counter counts the tokens of a text. Equal texts give equal counts.
type Counter func(text string) Tokens

// Kernel holds a configuration and nothing else: it may be shared.
type Kernel struct {
	config Config
	count  Counter
	rules  rules
}

// New returns a kernel for config. A nil counter means Estimate. Messages
// must have been measured with the same counter.
func New(config Config, count Counter) *Kernel {
	if count == nil {
		count = Estimate
	}
	return &Kernel{config: config, count: count, rules: compileRules(config)}
}

// Config is the configuration that the kernel decides with.
func (k *Kernel) Config() Config { return k.config }

// StandingKind says in a word what became of a message.
type StandingKind string

// What can become of a message.
const (
	StandsSent        StandingKind = "sent"         // the agent is sent it, and it may be folded
	StandsRecent      StandingKind = "recent zone"  // sent, too recent to be offered
	StandsProtected   StandingKind = "protected"    // sent, never folded
	StandsCheckpoint  StandingKind = "checkpoint"   // sent, shows a block's summary itself
	StandsWithdrawn   StandingKind = "kept whole"   // sent, folding it would split a turn
	StandsFolded      StandingKind = "folded"       // a block stands for it
	StandsFoldedShown StandingKind = "folded, sent" // covered by a block but sent all the same
	StandsHidden      StandingKind = "hidden"       // an old compress call
	StandsUnpaired    StandingKind = "unpaired"     // half of a call and result, or reasoning without its reply: not sent
)

// Standing is what became of a message and why.
type Standing struct {
	Kind    StandingKind `json:"kind"`
	BlockID string       `json:"blockId,omitempty"` // of the block that covers it
	Why     string       `json:"why,omitempty"`     // for example "compress is always protected"
}

// TurnRecord is one finished turn in short.
type TurnRecord struct {
	Number     int        `json:"turn"` // from 1
	ReplyID    string     `json:"replyId,omitempty"`
	Time       int64      `json:"time,omitempty"` // epoch milliseconds
	Messages   int        `json:"messages"`
	Used       Count      `json:"used"`
	Inject     bool       `json:"shouldInject"`
	Tier       Tier       `json:"tier"`
	Reason     string     `json:"reason"`
	Band       Band       `json:"band"`
	Pending    Pending    `json:"pending"`
	Batches    int        `json:"batches"`              // recommended
	Ready      [4]bool    `json:"-"`                    // by tier: it holds what a nudge for it asks for, by mass or by count; index 0 is unused
	Growth     float64    `json:"growth"`               // tokens; below 0 the context is smaller than what growth is counted from
	Sent       Sent       `json:"sent"`                 // before the turn's truncation
	Saved      Tokens     `json:"saved,omitempty"`      // by the turn's truncation
	Kept       Kept       `json:"kept"`                 // of what is sent
	Gone       []string   `json:"gone,omitempty"`       // ids of blocks that left together with the messages they stood for
	Stamps     NudgeState `json:"nudgeState"`           // after the turn
	Compaction bool       `json:"compaction,omitempty"` // the host rewrote its list since the turn before
	Text       *TextCost  `json:"nudgeText,omitempty"`  // what the text of its nudge costs; nil without a nudge

	Guard GuardAnswer `json:"guard"` // of a host that guards against loops; the stamps do not heed it
}

// FoldRecord is one compress call met in a transcript or recording.
type FoldRecord struct {
	CallID    string  `json:"callId,omitempty"`
	AfterTurn int     `json:"afterTurn"`
	Host      Outcome `json:"host"`            // what the host answered
	Blocks    int     `json:"blocks"`          // that the host reported
	Applied   bool    `json:"applied"`         // the verdict was carried out
	Offered   int     `json:"offered"`         // ranges of the call that are batches which the last turn recommended
	Tried     bool    `json:"tried,omitempty"` // by a person, on a copy: the transcript does not hold it
	Used      Tokens  `json:"tokenCount"`      // the context size when its result came
	Verdict   Verdict `json:"verdict"`
}

// Step is one finished turn, or one compress call after it.
type Step struct {
	Turn   *TurnRecord
	Report func() Report   // of the turn; makes it when called
	Sent   func() []string // ids of what the turn's output holds, in order
	Blocks []Block         // after the step
	Fold   *FoldRecord     // set instead of Turn for a compress call
	State  NudgeState      // after the step
}
