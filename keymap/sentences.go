package keymap

// sentences say more of a binding than there is room for at the foot, by the
// short words that stand there.
var sentences = map[string]string{
	"help":             "all keys, and what the words on the screen mean",
	"quit":             "quit",
	"compress":         "take the selected row, the marked rows or the growing pick into the Compress panel",
	"zoom":             "let the focused panel take the whole body, or put it back",
	"next panel":       "go to the next panel",
	"previous panel":   "go to the panel before",
	"go to panel":      "go to the panel of that number: Batches, Ranges, Tiers, Nudge, Compress, Messages, Blocks, Candidates",
	"back":             "back out: of a text, a pick, the form, the zoom, a filter",
	"copy call":        "copy the exact compress call to the terminal's clipboard",
	"undo what-if":     "take the last what-if fold back",
	"reset what-if":    "drop the what-if and show the live session",
	"token counter":    "count with another token counter; the figures follow when the session is read again",
	"explain":          "why the selected row can be folded or not, and what would change it",
	"nudge text":       "the text that a host would send now, and what it costs",
	"doctor":           "what looks wrong in this session, and what to do",
	"sessions":         "the sessions of this machine, to look at or to go to",
	"token scales":     "each turn as the provider, the estimate and a tokenizer count it, and what no file shows",
	"growth":           "the context over the turns, with folds, compactions and nudges",
	"follow the agent": "go to the session in which the agent went on after /clear, a resume or a fork",
	"problems":         "lines that were skipped, settings that are wrong, and where the replay left the host",
	"quit at once":     "quit, also while text is typed",
	"suspend":          "suspend to the shell; fg comes back",
	"pause or play":    "pause the demo, or play on",
	"faster":           "play the demo faster",
	"slower":           "play the demo slower",

	"up":             "up one row or line",
	"down":           "down one row or line",
	"page up":        "up one page",
	"page down":      "down one page",
	"oldest":         "to the first row",
	"newest, follow": "to the last row, and follow what arrives",

	"open":   "open the text of a message, the summary of a block, the executor's full answer to a range",
	"select": "start a pick that grows with the cursor; again to keep it",
	"mark":   "mark the row: several marked rows make one call",
	"filter": "show only the rows that hold a text",

	"subagent":       "open the session of the subagent that the selected call started; esc comes back",
	"mute":           "leave findings of that kind out, or bring them back",
	"compress calls": "the compress calls of the session: what the host answered, and what the executor would have; again goes back",

	"next":     "the next message, block or range",
	"previous": "the one before",

	"write summary": "write the summary of the selected range",
	"drop range":    "take the selected range out of the call",
	"apply what-if": "apply the call to ctxscope's own copy; the session is not touched",
	"keep filter":   "keep the filter and go back to the list",
}

// says is the sentence for a binding of a group, or empty.
func (m Map) says(group, short string) string {
	switch {
	case group == "Writing a summary" && short == m.Cancel.Help().Desc:
		return "back to the ranges; the text is kept"
	case group == "Typing a filter" && short == m.Cancel.Help().Desc:
		return "drop the filter"
	}
	return sentences[short]
}
