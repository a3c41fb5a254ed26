package views

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"ctxscope/kernel"
)

// tierName is how a tier is written.
func tierName(t kernel.Tier) string {
	if t == 0 {
		return "none"
	}
	return "T" + strconv.Itoa(int(t))
}

// gateUnit is the unit of the size gate.
func gateUnit(s *Screen) string {
	if s.Config.GateUnit == kernel.GateTokens {
		return "tokens"
	}
	return "chars"
}

// gateText is the size gate with its unit.
func gateText(s *Screen) string {
	return number(s.Config.Compress.MinCompressRange) + " " + gateUnit(s)
}

// verdictWords says what the executor would do with the range of row v, in at
// most the words that cells cells hold.
func verdictWords(v *kernel.Verdict, cells int) string {
	if v == nil || len(v.Ranges) == 0 {
		return pick(cells, "checking …", "…")
	}
	return rangeWords(&v.Ranges[0], v.Gate, cells)
}

// rangeWords says what happens to one range of a call; gate is the size gate
// of the call.
func rangeWords(r *kernel.RangeVerdict, gate *kernel.Gate, cells int) string {
	switch r.Kind {
	case kernel.FoldsWider:
		n := "+" + strconv.Itoa(len(r.Added))
		return pick(cells, "folds wider ("+n+")", "wider "+n)
	case kernel.FoldsLess:
		n := "−" + strconv.Itoa(len(r.LeftOut))
		return pick(cells, "folds less ("+n+")", "less "+n)
	case kernel.Skipped:
		return pick(cells, "skipped", "skip")
	case kernel.Refused:
		if gate != nil && r.Code == "too-small" {
			missing := amount(-gate.Margin)
			return pick(cells, "refused: "+missing+" "+gate.Unit+" short", "refused, short "+missing, "no: short "+missing, "no")
		}
		return pick(cells, "refused: "+reasonOf(r), "refused", "no")
	case "":
		return "…"
	}
	return string(r.Kind)
}

// reasonOf is what a code of the executor says, as words.
func reasonOf(r *kernel.RangeVerdict) string {
	return strings.ReplaceAll(r.Code, "-", " ")
}

// verdictPaint is the colour that repeats a verdict's word.
func (st *Styles) verdict(v *kernel.Verdict) paint {
	if v == nil || len(v.Ranges) == 0 {
		return st.faint
	}
	return st.kind(v.Ranges[0].Kind)
}

func (st *Styles) kind(k kernel.VerdictKind) paint {
	switch k {
	case kernel.Folds, kernel.Refolds:
		return st.good
	case kernel.FoldsWider, kernel.FoldsLess:
		return st.warn
	case kernel.Skipped:
		return st.faint
	}
	return st.bad
}

// span writes two refs as one.
func span(start, end string) string {
	switch {
	case start == "" && end == "":
		return unknown
	case start == end || end == "":
		return start
	case start == "":
		return end
	}
	return start + "–" + end
}

// standing says what became of a message, without the reason.
func standing(s kernel.Standing) string {
	text := string(s.Kind)
	if text == "" {
		return unknown
	}
	if s.BlockID != "" {
		switch s.Kind {
		case kernel.StandsFolded:
			text = "folded in " + s.BlockID
		case kernel.StandsFoldedShown:
			text = "folded in " + s.BlockID + ", sent"
		default:
			text += " " + s.BlockID
		}
	}
	return text
}

// kindWord is the kind of a message in a word.
func kindWord(c kernel.ContentType) string {
	switch c {
	case kernel.ToolCall:
		return "call"
	case kernel.ToolResult:
		return "result"
	}
	return c.String()
}

// said makes a sentence of a text that may begin small and have no full stop.
func said(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	if text = string(unicode.ToUpper(first)) + text[size:]; strings.HasSuffix(text, "?") {
		return text
	}
	return strings.TrimSuffix(text, ".") + "."
}
