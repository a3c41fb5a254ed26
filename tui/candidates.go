package tui

import (
	"fmt"
	"strings"

	"ctxscope/kernel"
	"ctxscope/views"
)

// The rows of the Candidates panel are the candidates, then what the planner
// left out.

// candidates is the number of rows of a plan that may be shown.
func (c content) candidates() int {
	if c.plan == nil || !c.plan.Ok() {
		return 0
	}
	return len(c.plan.Candidates) + len(c.plan.Omitted)
}

// candidate is row i: one of both is nil.
func (c content) candidate(i int) (*kernel.Candidate, *kernel.Omission) {
	if n := len(c.plan.Candidates); i >= n {
		return nil, &c.plan.Omitted[i-n]
	}
	return &c.plan.Candidates[i], nil
}

func (c content) candidateSpan(i int) span {
	x, o := c.candidate(i)
	if x != nil {
		return span{x.StartRef, x.EndRef}
	}
	return span{numbered(o.StartRef), numbered(o.EndRef)}
}

// candidateKey names a row: candidates by their first message, so that one
// that grows stays the same.
func (c content) candidateKey(i int) string {
	x, o := c.candidate(i)
	if x != nil {
		return x.StartRef
	}
	return fmt.Sprintf("left out %s %s %s", o.Reason, o.StartRef, o.EndRef)
}

func (c content) candidateText(i int) string {
	x, o := c.candidate(i)
	if x != nil {
		return strings.Join([]string{string(x.Kind), x.StartRef + "–" + x.EndRef, x.Label}, " ")
	}
	return strings.Join([]string{string(o.Kind), o.StartRef + "–" + o.EndRef, string(o.Reason), "left out"}, " ")
}

func candidateRow(c content, k marker, i int) views.CandidateRow {
	x, o := c.candidate(i)
	return views.CandidateRow{Candidate: x, Omission: o, Mark: k.mark(c, c.candidateSpan(i))}
}

// openCandidate is the text of a row for the reader.
func (c content) openCandidate(r reader, i int) reader {
	x, o := c.candidate(i)
	s := c.candidateSpan(i)
	r.title = nameOf(s.start, "left out")
	if s.end != s.start {
		r.title += "–" + s.end
	}
	if o != nil {
		r.facts, r.text = string(o.Kind)+", left out of the plan", views.OmissionText(o)
		return r
	}
	r.facts = fmt.Sprintf("%s, %s tokens, %s chars: %s", x.Kind, views.Number(x.EstimatedTokens), views.Number(x.RetainedChars), x.Label)
	r.text = fmt.Sprintf("The executor would fold exactly these %d messages in a call of their own, and also together with all other candidates. Nothing else is taken in and nothing stays.\n\nc takes it to the Compress panel.\n", x.MessageCount)
	for _, id := range x.SourceMessageIDs {
		r.text += "\n" + id
	}
	return r
}
