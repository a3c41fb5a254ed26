package kernel

import "fmt"

// The gates of a guard, in the order in which they are asked.
const (
	GuardKernel    = "kernel"    // the decision injects
	GuardEmpty     = "empty"     // the executor would take something of what is offered
	GuardResponded = "responded" // the last attempt did not fail, or the context grew by the floor since
	GuardCoolDown  = "cooldown"  // three failures in a row were not the last thing, or enough came since
	GuardDedupe    = "dedupe"    // no nudge in this user turn, or the context grew by the floor since
)

// GuardTurn is what a guard is asked about.
type GuardTurn struct {
	Used   Tokens // the context size
	Inject bool   // the kernel's decision, its tier, band and reason
	Tier   Tier
	Band   Band
	Reason string
	Idle   bool // nothing could be folded at all
	Offer  Offer
}

// Offer is what of a nudge the executor would take.
type Offer struct {
	Taken    int    `json:"taken"`    // at least; counting stops at the first batch
	Unit     string `json:"unit"`     // "batches", "candidates" or "calls"
	Sentence string `json:"sentence"` // why nothing is taken
}

// GuardAnswer is what a guard says of one turn.
type GuardAnswer struct {
	Send     bool   `json:"send"`           // all gates hold: the text is sent
	Gate     string `json:"gate,omitempty"` // the gate that says no
	Gates    []Gate `json:"gates"`          // those that were asked, in order; all but the last hold
	Sentence string `json:"sentence"`       // why, or why not
	Notice   string `json:"notice,omitempty"`
}

// emergencyNotice is said where nothing can be done about an emergency. It is
// no nudge.
const emergencyNotice = "The limit of the context is reached and nothing in it can be compressed. Do not try again: export the session, start a new one, or use the host's own compaction."

// guardQuestion is one turn while a guard is asked.
type guardQuestion struct {
	GuardTurn
	guard       Guard
	step, floor float64
	answer      GuardAnswer
}

// Guarded asks a guard about a turn. It gives the guard after the turn and the
// answer; the kernel's decision stays what it is.
func (k *Kernel) Guarded(g Guard, t GuardTurn) (Guard, GuardAnswer) {
	q := &guardQuestion{GuardTurn: t}
	q.step, q.floor = k.config.StepAndFloor()
	q.guard = g.settle(t.Used, q.step)
	coolDown := q.endCoolDown()
	switch {
	case !q.ask(newGate(GuardKernel, truth(t.Inject), "=", 1, "yes/no")):
		q.answer.Sentence = t.Reason
	case !q.ask(newGate(GuardEmpty, float64(t.Offer.Taken), ">", 0, t.Offer.Unit)):
		q.answer.Sentence = fmt.Sprintf("T%d nudge withheld: %s", t.Tier, t.Offer.Sentence)
	case !q.ask(q.responded()):
		q.answer.Sentence = fmt.Sprintf("the last attempt failed at %v tokens: %s more of growth until the next nudge", q.guard.RespondedAt, q.missing())
	case !q.ask(coolDown):
		q.answer.Sentence = fmt.Sprintf("cool-down, %d refusals in a row: it ends with a new user message or after %s more tokens of growth", q.guard.Failures, q.missing())
	case !q.ask(q.dedupe()):
		q.answer.Sentence = fmt.Sprintf("a nudge was sent in this user turn at %v tokens: %s more of growth until the next", q.guard.ShownAt, q.missing())
	default:
		q.answer.Send, q.answer.Sentence = true, t.Reason
		q.guard.Shown, q.guard.ShownAt, q.guard.Responded = true, t.Used, false
	}
	q.notice()
	return q.guard, q.answer
}

func (q *guardQuestion) ask(g Gate) bool {
	q.answer.Gates = append(q.answer.Gates, g)
	if !g.Holds {
		q.answer.Gate = g.Name
	}
	return g.Holds
}

// missing is the growth until the gate that said no would hold.
func (q *guardQuestion) missing() string {
	return num(-q.answer.Gates[len(q.answer.Gates)-1].Margin)
}

// idleGate is a gate that has nothing to compare.
func idleGate(name string) Gate { return newGate(name, 0, "=", 0, "yes/no") }

func (q *guardQuestion) grown(name string, at Tokens, least float64) Gate {
	return newGate(name, float64(q.Used-at), ">=", least, "tokens")
}

// endCoolDown asks whether a cool-down goes on, before anything else: it may
// end on a turn without a nudge too.
func (q *guardQuestion) endCoolDown() Gate {
	if !q.guard.CoolDown {
		return idleGate(GuardCoolDown)
	}
	g := q.grown(GuardCoolDown, q.guard.RespondedAt, q.guard.coolDownLasts(q.floor))
	q.guard.CoolDown = !g.Holds
	return g
}

// responded: a failed attempt is an answer, so the next nudge needs the growth
// of one. A cool-down asks for at least as much.
func (q *guardQuestion) responded() Gate {
	if !q.guard.Responded || q.guard.CoolDown {
		return idleGate(GuardResponded)
	}
	return q.grown(GuardResponded, q.guard.RespondedAt, q.floor)
}

func (q *guardQuestion) dedupe() Gate {
	if !q.guard.Shown || q.Band == BandEmergency {
		return idleGate(GuardDedupe)
	}
	return q.grown(GuardDedupe, q.guard.ShownAt, q.floor)
}

// notice says once for each floor of growth that an emergency has no cure.
func (q *guardQuestion) notice() {
	hopeless := q.answer.Gate == GuardEmpty || q.answer.Gate == GuardKernel && q.Idle
	if q.Band != BandEmergency || !hopeless || q.guard.Noticed && float64(q.Used-q.guard.NoticedAt) < q.floor {
		return
	}
	q.guard.Noticed, q.guard.NoticedAt = true, q.Used
	q.answer.Notice = emergencyNotice
}
