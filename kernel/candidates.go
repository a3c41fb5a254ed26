package kernel

import (
	"fmt"
	"strings"
)

// CandidateKind says what a candidate is made of.
type CandidateKind string

// The kinds of candidates.
const (
	Micro   CandidateKind = "micro"   // one bulky message, or one tool transaction
	Episode CandidateKind = "episode" // neighbouring small units, large enough together
)

// OmissionReason says why something is no candidate.
type OmissionReason string

// The reasons of omissions.
const (
	OmitsMissingReference  OmissionReason = "missing-reference"        // an end has no ref
	OmitsSynthetic         OmissionReason = "synthetic-or-ignored"     // a summary or other injected content
	OmitsActiveCompression OmissionReason = "active-compression"       // an active block covers some of it
	OmitsProtected         OmissionReason = "protected-tool-or-file"   // some of it is never folded
	OmitsRecent            OmissionReason = "recent-protection"        // some of it is in the recent zone
	OmitsBelowMinimum      OmissionReason = "below-minimum"            // too small to be taken
	OmitsDrift             OmissionReason = "executor-selection-drift" // the executor would fold something else
	OmitsRejected          OmissionReason = "executor-rejected"        // the executor refuses or skips it
)

// candidateCap is the most candidates that a plan lists.
const candidateCap = 12

// Candidate is a piece that can be folded by a call of its own, or together
// with any of the others.
type Candidate struct {
	Kind             CandidateKind `json:"kind"`
	StartRef         string        `json:"startRef"`
	EndRef           string        `json:"endRef"`
	MessageCount     int           `json:"messageCount"`
	RetainedChars    Chars         `json:"retainedChars"`
	EstimatedTokens  Tokens        `json:"estimatedTokens"`
	ToolPct          int           `json:"toolPct"` // of the messages; rounded apart from TextPct
	TextPct          int           `json:"textPct"`
	Label            string        `json:"label"`
	SourceMessageIDs []string      `json:"sourceMessageIds"` // every message of it, in order
}

// Omission is something that is no candidate.
type Omission struct {
	Kind     CandidateKind  `json:"kind"`
	StartRef string         `json:"startRef,omitempty"`
	EndRef   string         `json:"endRef,omitempty"`
	Reason   OmissionReason `json:"reason"`
	Sentence string         `json:"sentence,omitempty"` // the executor's own words, with executor-rejected
}

// Plan is what a planner found, as far as the executor takes it. Candidates
// are disjoint, the largest first, at most twelve. Where Failed is set there
// is no plan, and the batches of the decision stand.
type Plan struct {
	Planner        string      `json:"planner"`
	Version        string      `json:"version"`
	Candidates     []Candidate `json:"candidates"`
	Omitted        []Omission  `json:"omitted"`
	TruncatedCount int         `json:"truncatedCount"`   // candidates beyond the cap
	Failed         string      `json:"failed,omitempty"` // why there is no plan
}

// Ok reports whether the plan may be shown in place of the batches.
func (p Plan) Ok() bool { return p.Failed == "" }

// Plan looks for candidates in what is sent at this moment of a run, with the
// planner that the configuration names. It is advice: it changes neither the
// run nor any decision, and other ranges may be folded all the same. An
// unknown planner, or one that panics or answers nonsense, gives a failed
// plan.
func (k *Kernel) Plan(r Run, planners Planners) Plan {
	name := k.config.CandidatePlanner
	if name == "" {
		name = DefaultPlanner
	}
	p := Plan{Planner: name, Candidates: []Candidate{}, Omitted: []Omission{}}
	planner, ok := planners.Get(name)
	if !ok || planner.Propose == nil {
		p.Failed = fmt.Sprintf("no planner is called %q", name)
		return p
	}
	p.Version = planner.Version
	g := k.ground(r)
	drafts, omitted, failed := propose(planner, g)
	if failed == "" {
		failed = misplaced(drafts, len(g.Messages))
	}
	if failed != "" {
		p.Failed = fmt.Sprintf("planner %q %s", name, failed)
		return p
	}
	p.Omitted = append(p.Omitted, omitted...)
	k.admit(r, &g, drafts, &p)
	return p
}

// propose asks a planner; failed says what went wrong.
func propose(planner Planner, g Ground) (drafts []Draft, omitted []Omission, failed string) {
	defer func() {
		if reason := recover(); reason != nil {
			failed = fmt.Sprintf("panicked: %v", reason)
		}
	}()
	drafts, omitted = planner.Propose(g)
	return drafts, omitted, ""
}

// misplaced says which draft is none, or is empty.
func misplaced(drafts []Draft, n int) string {
	for i, d := range drafts {
		switch {
		case d.From < 0 || d.To >= n || d.From > d.To:
			return fmt.Sprintf("gave draft %d the places %d to %d of %d", i, d.From, d.To, n)
		case d.Kind != Micro && d.Kind != Episode:
			return fmt.Sprintf("gave draft %d the kind %q", i, d.Kind)
		}
	}
	return ""
}

// Text is the candidates as they are listed for a model, one a line; empty
// without candidates.
func (p Plan) Text() string {
	if len(p.Candidates) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("COMPRESSION CANDIDATES (independent; batchable)")
	for _, c := range p.Candidates {
		fmt.Fprintf(&b, "\n  %-7s %s–%s  %d msg%s  %s tokens  %s",
			strings.ToUpper(string(c.Kind)), c.StartRef, c.EndRef, c.MessageCount, plural(c.MessageCount), thousands(float64(c.EstimatedTokens)), c.Label)
	}
	if p.TruncatedCount > 0 {
		fmt.Fprintf(&b, "\n  ...%d additional candidate%s omitted", p.TruncatedCount, plural(p.TruncatedCount))
	}
	return b.String()
}

func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}

// thousands prints a number of tokens: from 1000 on in thousands with one
// decimal and a K.
func thousands(n float64) string {
	if n >= 1000 {
		return fixed1(n/1000) + "K"
	}
	return num(n)
}
