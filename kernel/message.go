package kernel

import (
	"fmt"
	"slices"
	"strings"
)

// Tokens is a number of tokens as some counter counts them. Which counter
// stands beside the number wherever it is shown. Counters give whole numbers;
// a host may add fractions of its own (Message.ThinkingTokens), and sums keep
// them.
type Tokens float64

// String prints the number as the reference does: whole numbers without a dot.
func (t Tokens) String() string { return num(float64(t)) }

// Chars is a number of UTF-16 code units. Len16 and Measure make it.
type Chars int

// Role says who speaks.
type Role uint8

// The roles of a message.
const (
	RoleUser Role = iota
	RoleAssistant
	RoleSystem
	RoleTool
)

var roleNames = [...]string{"user", "assistant", "system", "tool"}

func (r Role) String() string { return roleNames[r] }

// MarshalText writes the name that hosts use.
func (r Role) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText accepts the names that hosts use.
func (r *Role) UnmarshalText(text []byte) error {
	i, err := placeOf("role", roleNames[:], text)
	if err == nil {
		*r = Role(i)
	}
	return err
}

// placeOf is the place of a name among all that there are; what says in the
// error what is named.
func placeOf(what string, names []string, text []byte) (int, error) {
	i := slices.Index(names, string(text))
	if i < 0 {
		return 0, fmt.Errorf("%s %q is none of %s", what, text, strings.Join(names, ", "))
	}
	return i, nil
}

// ContentType says what a message is: one message is one part.
type ContentType uint8

// The content types of a message.
const (
	Text ContentType = iota
	ToolCall
	ToolResult
	Reasoning
)

var contentTypeNames = [...]string{"text", "tool-call", "tool-result", "reasoning"}

func (c ContentType) String() string { return contentTypeNames[c] }

// MarshalText writes the name that hosts use.
func (c ContentType) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText accepts the names that hosts use.
func (c *ContentType) UnmarshalText(text []byte) error {
	i, err := placeOf("content type", contentTypeNames[:], text)
	if err == nil {
		*c = ContentType(i)
	}
	return err
}

// Facts are what rules ask about a text, decided once while the text is at
// hand.
type Facts uint8

const (
	// HasSummaryHeader: the text starts with the header of a folded section.
	HasSummaryHeader Facts = 1 << iota
	// HasCodeFence: the text holds three backticks in a row.
	HasCodeFence
	// HasTruncationMark: the text was already shortened to save context.
	HasTruncationMark
	// HasMedia: the message carries an image or another payload that is not text.
	HasMedia
)

// Source says where the text of a message stands, so that it can be read when
// a person looks at it. Offset and Length are bytes in the transcript; in a
// store of records that change in place, Offset is the reader's own number of
// the record. A Length of 0 means that the text is in neither. Part is the
// reader's own number of the piece within the record.
type Source struct {
	Offset int64
	Length int64
	Part   int32
}

// Outcome is what the host answered to a compress call, as far as its result
// tells.
type Outcome uint8

const (
	// NoOutcome: the message is not the result of a compress call.
	NoOutcome Outcome = iota
	// Neutral: the answer does not tell; nothing is known to be folded.
	Neutral
	// Succeeded: the host folded at least one block.
	Succeeded
	// Failed: the host refused.
	Failed
	// NoOp: the host carried the call out and folded nothing.
	NoOp
)

var outcomeNames = [...]string{"none", "neutral", "succeeded", "failed", "no-op"}

func (o Outcome) String() string { return outcomeNames[o] }

// MarshalText writes the outcome in a word.
func (o Outcome) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// UnmarshalText reads the word.
func (o *Outcome) UnmarshalText(text []byte) error {
	i, err := placeOf("outcome", outcomeNames[:], text)
	if err == nil {
		*o = Outcome(i)
	}
	return err
}

// Message is one part of a conversation, measured. Its text stays where it
// was read (Source), except for what rules read or rewrite: the arguments of
// compress and decompress calls, and text that the kernel itself has made.
type Message struct {
	ID               string
	ToolName         string // of calls, and of results when the host knows it
	ToolCallID       string // pairs a call with its result
	ToolPath         string // "skill/NAME" for a call that loads a skill, else empty
	SummaryOfBlockID string // set on a host's checkpoint that shows a block's summary
	Text             string // only what KeepsText asks for

	Tokens         Tokens // of the text
	ThinkingTokens Tokens // sent each turn but not in the text; metering only
	Chars          Chars  // of the text
	CutTokens      Tokens // of the text as emergency truncation would leave it
	CutChars       Chars  // 0: too short to be cut
	Time           int64  // epoch milliseconds, 0 when unknown
	Source         Source

	Role          Role
	Type          ContentType
	Facts         Facts
	Outcome       Outcome // on results of compress calls
	OutcomeBlocks uint16  // blocks that the host reported, with Succeeded
	Images        uint16  // pictures carried beside the text
	Failed        bool    // a result that the host marked as an error, or a reply that failed or was aborted
}

// Size is the tokens that the message costs each turn: its text and what is
// sent beside it.
func (m *Message) Size() Tokens {
	if m.ThinkingTokens > 0 {
		return m.Tokens + m.ThinkingTokens
	}
	return m.Tokens
}

// Has reports whether every one of the facts holds.
func (m *Message) Has(f Facts) bool { return m.Facts&f == f }

func (m *Message) isTool() bool { return m.Type == ToolCall || m.Type == ToolResult }
