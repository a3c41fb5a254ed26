package kernel

import "strconv"

const (
	cutMark      = "[truncated for context space]"
	cutKeep      = 2000 // UTF-16 chars kept at each end
	cutMinChars  = 2 * cutKeep
	cutMinTokens = 1000
)

// cutText is what emergency truncation makes of a text of that many tokens:
// its first and last 2000 UTF-16 chars around a marker. A surrogate pair that
// a cut would split is left out.
func cutText(text string, tokens Tokens) string {
	head, marker, tail := cutPieces(text, tokens)
	return head + marker + tail
}

// cutPieces is cutText in its pieces, which cost no copy of the text.
func cutPieces(text string, tokens Tokens) (head, marker, tail string) {
	marker = "\n\n..." + cutMark + " — original ~" + strconv.Itoa(int(tokens)) + " tokens]...\n\n"
	return head16(text, cutKeep), marker, tail16(text, cutKeep)
}
