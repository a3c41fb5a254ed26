package views

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Wrap makes lines of at most width cells of text: cleaned, broken at its line
// breaks and where a line is full, after a space where there is one. The text
// itself is kept; an empty text gives no line.
func Wrap(text string, width int) []string {
	if width < 1 || text == "" {
		return nil
	}
	text = strings.ReplaceAll(text, "\r\n", "\n")
	var lines []string
	for part := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		lines = wrapLine(lines, Clean(part), width)
	}
	return lines
}

// wrapLine adds the pieces of a clean text without line breaks to lines.
func wrapLine(lines []string, text string, width int) []string {
	for {
		head := fill(text, width)
		if head == len(text) {
			return append(lines, text)
		}
		if space := strings.LastIndexByte(text[:head], ' '); space > head/2 {
			head = space + 1
		}
		lines = append(lines, strings.TrimRight(text[:head], " "))
		text = text[head:]
	}
}

// fill is the length, in bytes, of the longest beginning of clean text that
// takes at most width cells, but at least one character.
func fill(text string, width int) int {
	if n := min(len(text), width); printable(text[:n]) && (n == len(text) || text[n] >= ' ' && text[n] <= '~') {
		return n
	}
	used, at := 0, 0
	for at < len(text) {
		cluster, cells := ansi.FirstGraphemeCluster(text[at:], ansi.GraphemeWidth)
		if used+cells > width && at > 0 {
			return at
		}
		used += cells
		at += len(cluster)
	}
	return at
}
