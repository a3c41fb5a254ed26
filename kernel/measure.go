package kernel

import (
	"encoding/json"
	"strings"
)

// SummaryHeader starts the text of every folded section.
const SummaryHeader = "[Compressed conversation section]"

// Measure sets what rules need to know about a text: its size, its facts and
// what emergency truncation would make of it. It keeps a copy of the text
// itself only where rules read it (KeepsText). HasMedia stays as it was. Set
// Role, Type and ToolName first; a nil counter means Estimate.
func (m *Message) Measure(text string, count Counter) {
	units, cjk := measure16(text)
	m.Chars = Chars(units)
	estimated := count == nil
	if estimated {
		m.Tokens = estimate(units, cjk)
	} else {
		m.Tokens = count(text)
	}
	m.Facts = m.Facts&HasMedia | factsOf(text)
	m.CutTokens, m.CutChars = 0, 0
	if m.cuttable() {
		units, cjk = 0, 0
		head, marker, tail := cutPieces(text, m.Tokens)
		for _, piece := range [...]string{head, marker, tail} {
			u, c := measure16(piece)
			units, cjk = units+u, cjk+c
		}
		m.CutChars = Chars(units)
		if estimated {
			m.CutTokens = estimate(units, cjk)
		} else {
			m.CutTokens = count(head + marker + tail)
		}
	}
	m.Text = ""
	if m.KeepsText() {
		m.Text = strings.Clone(text)
	}
	m.ToolPath = ""
	if m.Type == ToolCall {
		m.ToolPath = toolPath(m.ToolName, text)
	}
}

// KeepsText reports whether rules read the text of such a message, so that it
// is kept in memory: the arguments of compress and decompress calls.
func (m *Message) KeepsText() bool {
	return m.Type == ToolCall && (m.ToolName == "compress" || m.ToolName == "decompress")
}

func factsOf(text string) Facts {
	var f Facts
	if strings.HasPrefix(text, SummaryHeader) {
		f |= HasSummaryHeader
	}
	if strings.Contains(text, "```") {
		f |= HasCodeFence
	}
	if strings.Contains(text, cutMark) {
		f |= HasTruncationMark
	}
	return f
}

// cuttable reports whether emergency truncation could shorten the text of m:
// a result or a text that is long enough and not shortened yet.
func (m *Message) cuttable() bool {
	return (m.Type == ToolResult || m.Type == Text) &&
		m.Chars > cutMinChars && m.Tokens >= cutMinTokens && !m.Has(HasTruncationMark)
}

// toolPath is "skill/NAME" for a call that loads a skill, by the name in its
// arguments or by a path to the skill's file; else empty.
func toolPath(tool, arguments string) string {
	name := ""
	if strings.EqualFold(tool, "skill") {
		name = skillArgument(arguments)
	}
	if name == "" {
		name = skillFile(arguments)
	}
	if name == "" {
		return ""
	}
	return "skill/" + name
}

// skillArgument is the first valid name among the arguments skill, name and
// command, or empty.
func skillArgument(arguments string) string {
	var fields map[string]any
	if json.Unmarshal([]byte(arguments), &fields) != nil {
		return ""
	}
	for _, key := range []string{"skill", "name", "command"} {
		if name, ok := fields[key].(string); ok && validSkillName(name) {
			return name
		}
	}
	return ""
}

// skillFile is the folder name in the first NAME/SKILL.md of a text. The
// separator is a slash, a backslash or an escaped backslash.
func skillFile(text string) string {
	const stem, ending = "SKILL", ".md"
	for at := 0; ; at++ {
		dot := strings.IndexByte(text[at:], '.')
		if dot < 0 {
			return ""
		}
		at += dot
		start := at - len(stem)
		if start < 1 || at+len(ending) > len(text) || !strings.EqualFold(text[at:at+len(ending)], ending) || !strings.EqualFold(text[start:at], stem) {
			continue
		}
		if name := skillFolder(text[:start]); name != "" {
			return name
		}
	}
}

// skillFolder is the folder name that a text ends with, before a separator.
func skillFolder(text string) string {
	before := text[:len(text)-1]
	switch text[len(before)] {
	case '/':
	case '\\':
		before = strings.TrimSuffix(before, `\`)
	default:
		return ""
	}
	start := len(before)
	for start > 0 && isSkillNameByte(before[start-1]) {
		start--
	}
	if name := before[start:]; validSkillName(name) {
		return name
	}
	return ""
}

func validSkillName(name string) bool {
	if name == "" || len(name) > 128 || !isAlphanumeric(name[0]) {
		return false
	}
	for i := range len(name) {
		if !isSkillNameByte(name[i]) {
			return false
		}
	}
	return true
}

func isAlphanumeric(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
}

func isSkillNameByte(c byte) bool {
	return isAlphanumeric(c) || c == '.' || c == '_' || c == '-'
}
