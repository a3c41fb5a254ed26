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

// Run is a session followed so far: its journal, the turns that it finished
// and the evaluation of the list as it stands. Runs are values: advancing one
// leaves it as it was.
type Run struct {
	log   List[Message]
	now   Report
	turns List[TurnRecord]
	folds List[FoldRecord]
}

// Log is the list of messages as it stands.
func (r Run) Log() List[Message] { return r.log }

// Now is the evaluation of the list as it stands, made on a copy: the turn
// that a request at this moment would run.
func (r Run) Now() Report { return r.now }

// Turns are the finished turns, oldest first.
func (r Run) Turns() List[TurnRecord] { return r.turns }

// Folds are the compress calls met so far, oldest first.
func (r Run) Folds() List[FoldRecord] { return r.folds }

// Ref is the printed ref of message i of the log: "m00012", "BLOCKED" for a
// message that is never folded and has no number, or empty.
func (r Run) Ref(i int) string { return "" }

// Index is the position in the log of the message that ref names, and whether
// there is one.
func (r Run) Index(ref string) (int, bool) { return 0, false }

// Standing says what became of message i of the log.
func (r Run) Standing(i int) Standing { return Standing{} }

// Blocks are all blocks in the order of their making.
func (r Run) Blocks() []Block { return nil }

// Diverged says where the replay left what the host did, or is empty: the
// refs after that point may differ from the host's.
func (r Run) Diverged() string { return "" }

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
	Stamps     NudgeState `json:"nudgeState"`           // after the turn
	Compaction bool       `json:"compaction,omitempty"` // the host rewrote its list since the turn before
}

// FoldRecord is one compress call met in a transcript or recording.
type FoldRecord struct {
	CallID    string  `json:"callId,omitempty"`
	AfterTurn int     `json:"afterTurn"`
	Host      Outcome `json:"host"`    // what the host answered
	Blocks    int     `json:"blocks"`  // that the host reported
	Applied   bool    `json:"applied"` // the verdict was carried out
	Verdict   Verdict `json:"verdict"`
}

// Start is the run of an empty journal.
func (k *Kernel) Start() Run { return Run{} }

// Advance applies c to the journal of r, runs every turn that it finishes and
// evaluates the rest on a copy, so that looking never changes what comes next.
func (k *Kernel) Advance(r Run, c Change) Run { return k.AdvanceEach(r, c, nil) }

// AdvanceEach is Advance that hands each finished turn and each fold to
// visit, in order. Its Step's Report costs a copy of nothing.
func (k *Kernel) AdvanceEach(r Run, c Change, visit func(Step)) Run { return r }

// Step is one finished turn, or one compress call after it.
type Step struct {
	Turn   *TurnRecord
	Report func() Report   // of the turn; makes it when called
	Sent   func() []string // ids of what the turn's output holds, in order
	Blocks []Block         // after the step
	Fold   *FoldRecord     // set instead of Turn for a compress call
	State  NudgeState      // after the step
}

// Check says what the executor would do with c now, range by range. It is
// Apply with the copy dropped.
func (k *Kernel) Check(r Run, c Call) Verdict { return Verdict{} }

// Apply does what Check says: it gives the run with c's blocks in its state.
func (k *Kernel) Apply(r Run, c Call) (Run, Verdict) { return r, Verdict{} }
