package kernel

// SummaryHeader starts the text of every folded section.
const SummaryHeader = "[Compressed conversation section]"

// Measure sets what rules need to know about a text: its size, its facts and
// what emergency truncation would make of it. It keeps the text itself only
// where rules read it (KeepsText). Set Role, Type and ToolName first.
func (m *Message) Measure(text string, count Counter) {}

// KeepsText reports whether rules read the text of such a message, so that it
// is kept in memory: the arguments of compress and decompress calls.
func (m *Message) KeepsText() bool { return false }

// Estimate is the reference's default counter: one token for each code unit
// in the CJK, kana and Hangul ranges and a quarter of the other UTF-16 units,
// rounded up.
func Estimate(text string) Tokens { return 0 }

// Len16 is the length of s in UTF-16 code units.
func Len16(s string) Chars { return 0 }
