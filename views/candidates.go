package views

import (
	"strings"

	"ctxscope/kernel"
)

// CandidateRow is one candidate of a plan, or something that the planner left
// out: one of both is nil.
type CandidateRow struct {
	Candidate *kernel.Candidate
	Omission  *kernel.Omission
	Mark
}

// candidates draws the plan: small pieces that can be folded by a call of
// their own or together, the largest first, then what is no candidate and why.
func candidates(s *Screen, st *Styles, width, lines int) []string {
	items, offset := visible(s.Candidates, lines-headLines(lines))
	refs := 13
	for i := range items {
		refs = max(refs, Width(Clean(clip(candidateRefs(items[i]), 40))))
	}
	c := candidateColumns(width, min(refs, width/2))
	t := table[CandidateRow]{
		st: st, rows: s.Candidates, focused: s.Focus == PanelCandidates,
		head:  c.head(width),
		empty: emptyList(s, &s.Candidates, noCandidate(s)),
		row:   c.row(st),
		mark:  func(r CandidateRow) Mark { return r.Mark },
	}
	return t.draw(items, offset, width, lines)
}

func candidateRefs(r CandidateRow) string {
	if r.Candidate != nil {
		return span(r.Candidate.StartRef, r.Candidate.EndRef)
	}
	return span(r.Omission.StartRef, r.Omission.EndRef)
}

// noCandidate says why the list is empty.
func noCandidate(s *Screen) string {
	switch {
	case s.Plan == nil:
		return "Looking for candidates …"
	case !s.Plan.Ok():
		return "There is no plan: " + s.Plan.Failed + ". The batches stand."
	}
	return "No candidate: nothing that is sent is large enough to be folded by itself (gate " + gateText(s) + ", at least " + number(s.Config.MinCandidateTokens) + " tokens)."
}

// candidateWidths are the widths of the columns; 0 leaves one out. What it is
// takes the rest.
type candidateWidths struct {
	kind, refs, count, tokens, chars, tool int
	brief                                  bool
}

func candidateColumns(width, refs int) candidateWidths {
	c := candidateWidths{kind: 8, refs: refs, tokens: 8, brief: true}
	if width >= refs+36 {
		c.count = 5
	}
	if width >= refs+56 {
		c.tokens, c.chars, c.brief = 10, 10, false
	}
	if width >= refs+64 {
		c.tool = 7
	}
	return c
}

func (c candidateWidths) head(width int) string {
	l := newLine(width)
	l.gap(2)
	l.cell(paint{}, "kind", c.kind)
	l.cell(paint{}, "refs", c.refs)
	l.right(paint{}, "msgs", c.count)
	l.right(paint{}, "tokens", c.tokens)
	l.right(paint{}, "chars", c.chars)
	l.right(paint{}, "tools", c.tool)
	l.gap(2)
	l.rest(paint{}, "what it is")
	return l.String()
}

func (c candidateWidths) row(st *Styles) func(*line, CandidateRow) {
	return func(l *line, r CandidateRow) {
		if o := r.Omission; o != nil {
			l.cell(st.faint, string(o.Kind), c.kind)
			l.cell(st.faint, span(o.StartRef, o.EndRef), c.refs)
			l.gap(2)
			why := omissionWord(o.Reason)
			l.rest(st.faint, pick(l.left, "no candidate: "+why, "not: "+why, why))
			return
		}
		x := r.Candidate
		l.cell(paint{}, string(x.Kind), c.kind)
		l.cell(paint{}, span(x.StartRef, x.EndRef), c.refs)
		l.right(paint{}, number(x.MessageCount), c.count)
		tokens := number(x.EstimatedTokens)
		if c.brief {
			tokens = short(x.EstimatedTokens)
		}
		l.right(paint{}, tokens, c.tokens)
		l.right(paint{}, number(x.RetainedChars), c.chars)
		l.right(paint{}, percent(float64(x.ToolPct)/100), c.tool)
		l.gap(2)
		l.rest(st.good, x.Label)
	}
}

// omissionWords say in plain words why something is no candidate.
var omissionWords = map[kernel.OmissionReason]string{
	kernel.OmitsMissingReference:  "an end has no ref",
	kernel.OmitsSynthetic:         "a summary or other injected text",
	kernel.OmitsActiveCompression: "a block covers some of it",
	kernel.OmitsProtected:         "protected",
	kernel.OmitsRecent:            "recent zone",
	kernel.OmitsBelowMinimum:      "too small",
	kernel.OmitsDrift:             "the executor would fold something else",
	kernel.OmitsRejected:          "the executor refuses it",
}

func omissionWord(reason kernel.OmissionReason) string {
	if word, ok := omissionWords[reason]; ok {
		return word
	}
	return strings.ReplaceAll(string(reason), "-", " ")
}

// OmissionText says at length why something is no candidate.
func OmissionText(o *kernel.Omission) string {
	text := "This is no candidate: " + omissionWord(o.Reason) + " (" + string(o.Reason) + ")."
	if o.Sentence != "" {
		text += "\n\nThe executor says: " + o.Sentence
	}
	return text
}

// candidatesCaption is what stands in the title of the Candidates panel.
func candidatesCaption(s *Screen) []string {
	p := s.Plan
	switch {
	case p == nil:
		return nil
	case !p.Ok():
		return []string{"no plan"}
	}
	var tokens kernel.Tokens
	for i := range p.Candidates {
		tokens += p.Candidates[i].EstimatedTokens
	}
	n, out := number(len(p.Candidates)), ""
	if len(p.Candidates) == 0 {
		n = "none"
	}
	if p.TruncatedCount > 0 {
		out = ", " + number(p.TruncatedCount) + " more beyond the cap"
	}
	left := ""
	if k := len(p.Omitted); k > 0 {
		left = ", " + number(k) + " left out"
	}
	return []string{
		n + ", " + number(tokens) + " tokens" + out + left + ", " + p.Planner + " " + p.Version,
		n + ", " + number(tokens) + " tokens" + out + left, n + ", " + number(tokens) + " tokens", n,
	}
}
