package kernel

// A session is read as a journal: what happened, in the order in which it
// matters for the requests that the agent made. A transcript is not
// append-only (a branch is left, a block of a reply is written late), so a
// reader hands over changes that keep a prefix of the journal and put entries
// behind it. The journal is a function of the bytes alone, never of how they
// were cut on their way in.

// Op says what an entry does.
type Op uint8

const (
	// Append puts Message at the end of the list.
	Append Op = iota
	// Reply: the agent asked for a reply here. One turn is run over the list
	// as it stands. The messages of the reply follow as Append entries. A
	// reply that failed or was aborted is a Reply too.
	Reply
	// Usage: the reply that ends here was reported to use Entry.Used tokens
	// of context, itself included (input, cache read, cache write, output).
	// It stands right behind the last message of the reply.
	Usage
	// Replace: the host rewrote its list (a compaction, an edit, a reset).
	// The list is now exactly Entry.List. Earlier turns, blocks and stamps
	// stay, and usage reported before is stale.
	Replace
	// RecordedTurn is a recorded turn with the host's own token count, Entry.Used:
	// only the core format has it.
	RecordedTurn
	// Compress is a recorded compress call, Entry.Call, applied after the
	// last turn: only the core format has it.
	Compress
	// Remove takes the messages named by Entry.IDs out of the list: only the
	// core format has it.
	Remove
	// View says what the next recorded turn's list is, Entry.PrunedView: all
	// so far (false, the default), or the output of the last turn and what
	// came since. Only the core format has it.
	View
	// Recording marks a file whose own entries run the turns and folds:
	// compress calls among its messages are just messages. It stands first.
	Recording
)

// Entry is one step of a journal.
type Entry struct {
	Op         Op
	Message    Message   // Append
	ReplyID    string    // Reply: the host's id of the reply
	Time       int64     // Reply, Replace: epoch milliseconds, 0 when unknown
	Used       Tokens    // Usage, RecordedTurn
	Prompt     Tokens    // Usage: the part of Used that is the prompt, cache included; no rule reads it
	Cached     Tokens    // Usage: the part of Prompt that was read from the cache; no rule reads it
	List       []Message // Replace
	Call       Call      // Compress
	IDs        []string  // Remove
	PrunedView bool      // View
}

// Change keeps the first Keep entries of the journal read so far and puts
// Entries behind them.
type Change struct {
	Keep    int
	Entries []Entry
}

// Call is one compress call: its ranges are judged together.
type Call struct {
	Ranges []CallRange
}

// CallRange is one range of a compress call, as the caller wrote it.
type CallRange struct {
	StartRef        string  `json:"startRef"`
	EndRef          string  `json:"endRef"`
	Summary         string  `json:"summary"`
	Topic           *string `json:"topic,omitempty"` // nil: none was given
	CompressCallID  string  `json:"compressCallId,omitempty"`
	SummaryMaxChars *int    `json:"summaryMaxChars,omitempty"` // UTF-16 chars; nil: the configured limit
}
