package kernel

import "slices"

// Guard is a host's protection against nudging in a loop: the model is asked
// to compress, the call is refused, and it is asked again. It stands beside the
// kernel's decision and never changes it. A Guard is a value that is folded
// over user messages, compress calls and turns, in their order; the zero Guard
// is that of a new session.
type Guard struct {
	UserTurn    string        `json:"userTurn"`            // id of the newest user message
	Attempts    []Attempt     `json:"attempts,omitempty"`  // of this user turn, oldest first; the newest 32
	Failures    int           `json:"consecutiveFailures"` // since the last success or user message
	Responded   bool          `json:"responded"`           // the newest attempt failed and no nudge was sent since
	RespondedAt Tokens        `json:"respondedAt"`         // the context size then, or when a cool-down began to count anew
	CoolDown    bool          `json:"coolDown"`
	CoolDowns   int           `json:"coolDowns"` // since the last success
	Shown       bool          `json:"shown"`     // a nudge was sent in this user turn, and nothing was folded since
	ShownAt     Tokens        `json:"shownAt"`
	Noticed     bool          `json:"noticed"` // a notice was given that nothing can be folded
	NoticedAt   Tokens        `json:"noticedAt"`
	Refused     []RefusedCall `json:"refused,omitempty"` // calls that failed, newest last; eight at most
}

// Attempt is one compress call of the agent and what came of it.
type Attempt struct {
	CallID  string  `json:"callId"`
	Outcome Outcome `json:"outcome"`
	Spec    string  `json:"spec"`       // its ranges, see SpecOf
	Tokens  Tokens  `json:"tokenCount"` // the context size when its result came
	Answer  string  `json:"answer"`     // what the executor says of each range, in codes
	Reason  string  `json:"reason"`     // of a failure, in few words and without advice
}

// RefusedCall is a call that failed, by its ranges.
type RefusedCall struct {
	Spec   string `json:"spec"`
	Count  int    `json:"count"`  // failures of just these ranges
	Answer string `json:"answer"` // of the executor, the last time
	Reason string `json:"reason"`
}

const (
	failuresToCoolDown = 3
	coolDownGrowth     = 16 // most floors of growth that a cool-down lasts
	attemptsKept       = 32
	refusedKept        = 8
)

// failed reports whether an outcome counts as a failure. A call that was
// carried out and folded nothing does; an answer that does not tell counts for
// nothing.
func (o Outcome) failed() bool { return o == Failed || o == NoOp }

// UserMessage is the guard after a message that a person wrote. A new one
// clears what was counted since the last.
func (g Guard) UserMessage(id string) Guard {
	if id == g.UserTurn {
		return g
	}
	g.UserTurn, g.Attempts = id, nil
	g.Failures, g.CoolDown, g.Responded, g.RespondedAt = 0, false, false, 0
	g.Shown, g.ShownAt = false, 0
	return g
}

// Attempted is the guard after a compress call. Each call id counts once; an
// empty one always counts.
func (g Guard) Attempted(a Attempt) Guard {
	if !a.Outcome.failed() && a.Outcome != Succeeded {
		return g
	}
	if a.CallID != "" && slices.ContainsFunc(g.Attempts, func(b Attempt) bool { return b.CallID == a.CallID }) {
		return g
	}
	kept := g.Attempts[max(0, len(g.Attempts)+1-attemptsKept):]
	g.Attempts = append(slices.Clone(kept), a)
	if a.Outcome == Succeeded {
		g.Failures, g.CoolDown, g.CoolDowns, g.Responded = 0, false, 0, false
		g.Shown, g.ShownAt = false, 0 // the kernel's own stamps begin anew too
		return g
	}
	g.Failures++
	g.Responded, g.RespondedAt = true, a.Tokens
	if g.Failures >= failuresToCoolDown && !g.CoolDown {
		g.CoolDown = true
		g.CoolDowns++
	}
	g.Refused = g.refusedWith(a)
	return g
}

// refusedWith counts a failure by its ranges.
func (g Guard) refusedWith(a Attempt) []RefusedCall {
	one := RefusedCall{Spec: a.Spec, Count: 1, Answer: a.Answer, Reason: a.Reason}
	var out []RefusedCall
	for _, r := range g.Refused {
		if r.Spec == a.Spec {
			one.Count += r.Count
			continue
		}
		out = append(out, r)
	}
	return append(out[max(0, len(out)+1-refusedKept):], one)
}

// refused is the record of a call that failed twice or more and of which the
// executor says just the same again.
func (g *Guard) refused(spec, answer string) (RefusedCall, bool) {
	for _, r := range g.Refused {
		if r.Spec == spec && r.Count >= 2 && r.Answer == answer {
			return r, true
		}
	}
	return RefusedCall{}, false
}

// coolDownLasts is the growth that ends a cool-down, in tokens.
func (g *Guard) coolDownLasts(floor float64) float64 {
	factor := 1
	for i := 1; i < g.CoolDowns && factor < coolDownGrowth; i++ {
		factor *= 2
	}
	return floor * float64(factor)
}

// settle begins to count anew where the context fell by more than a step below
// what is remembered, as the kernel does with its stamps.
func (g Guard) settle(used Tokens, step float64) Guard {
	fell := func(at Tokens) bool { return float64(used) < float64(at)-step }
	if g.Shown && fell(g.ShownAt) {
		g.Shown, g.ShownAt = false, 0
	}
	if (g.Responded || g.CoolDown) && fell(g.RespondedAt) {
		g.RespondedAt = used
	}
	if g.Noticed && fell(g.NoticedAt) {
		g.Noticed, g.NoticedAt = false, 0
	}
	return g
}
