package kernel

import (
	"cmp"
	"fmt"
	"slices"
)

// Explanation is the chain of rules that makes a message, or the messages
// between two refs, compressible or not.
type Explanation struct {
	StartRef string `json:"startRef"`
	EndRef   string `json:"endRef"`
	Answer   string `json:"answer"` // in a few words, for example "recent zone" or "below the gate"
	Rules    []Rule `json:"rules"`  // in the order in which they are asked; the one that does not pass is the last
}

// Rule is one link of the chain.
type Rule struct {
	Name   string `json:"rule"`   // for example "recent zone"
	Passes bool   `json:"passes"` // it does not keep the messages from being folded
	Says   string `json:"says"`   // what was found
	Change string `json:"change"` // what would make it pass; empty when nothing would, or when it passes
}

// The answers of an explanation that are no StandingKind.
const (
	AnswerFoldable  = "compressible, in a batch"
	AnswerBelowGate = "compressible, below the gate"
	AnswerEmpty     = "compressible, without tokens"
)

// Explain says what the rules make of message i of the log, as the list
// stands. It reads what the evaluation has left behind and asks no rule anew.
func (k *Kernel) Explain(r Run, i int) Explanation {
	x := explaining{k: k, r: r, l: r.sight.list, pos: int32(i), place: *r.sight.sentAt.At(i), stands: r.Standing(i)}
	x.s, x.m = x.l.slots.At(i), x.l.log.At(i)
	x.StartRef, x.EndRef, x.Answer = r.Ref(i), r.Ref(i), string(x.stands.Kind)
	for _, ask := range []func() bool{x.block, x.sent, x.ref, x.summary, x.protection, x.recent, x.wholeTurn, x.gate} {
		if !ask() {
			break
		}
	}
	return x.Explanation
}

// explaining is a chain while it is put together.
type explaining struct {
	Explanation
	k      *Kernel
	r      Run
	l      *lookup
	s      *slot
	m      *Message
	pos    int32
	place  int32 // in what is sent, -1 when it is not sent
	stands Standing
}

// pass adds a rule that lets the message go on.
func (x *explaining) pass(name, says string, args ...any) bool {
	x.Rules = append(x.Rules, Rule{Name: name, Passes: true, Says: fmt.Sprintf(says, args...)})
	return true
}

// stop adds the rule that keeps it.
func (x *explaining) stop(name, change, says string, args ...any) bool {
	x.Rules = append(x.Rules, Rule{Name: name, Says: fmt.Sprintf(says, args...), Change: change})
	return false
}

// status is what recommending made of the message.
func (x *explaining) status() status { return x.r.sight.sent.At(int(x.place)).status }

func (x *explaining) block() bool {
	id := x.r.coveredBy(x.s)
	switch {
	case id == "":
		return x.pass("block", "no active block covers it")
	case x.place >= 0:
		return x.stop("block", "", "%s covers it, but the first user message is sent all the same", id)
	}
	change := "a decompress of " + id + " would show it again"
	return x.stop("block", change, "%s stands for it%s", id, x.history(id))
}

// history names the blocks that folded the message before the one that stands
// for it now.
func (x *explaining) history(id string) string {
	text, before := "", ""
	for i := range x.r.sight.blocks {
		b := &x.r.sight.blocks[i]
		switch {
		case b.ID == id:
			text = fmt.Sprintf(" (tier %d, a summary of %s for %d message%s)", int(b.Tier), tokensOf(b.SummaryTokens), len(b.covers), plural(len(b.covers)))
		case !b.active && x.s.id >= 0 && slices.Contains(b.covers, x.s.id):
			before += "; before it " + b.ID + " did"
		}
	}
	return text + before
}

func tokensOf(t Tokens) string { return grouped(float64(t)) + " tokens" }

// sent asks whether the message is sent at all.
func (x *explaining) sent() bool {
	switch {
	case x.place >= 0:
		return x.pass("sent", "the agent is sent it")
	case x.stands.Kind == StandsHidden:
		return x.stop("sent", "", "not sent: %s; only the newest %d such calls are", x.stands.Why, orphansKept)
	}
	return x.stop("sent", "it is sent again when the other half is there", "not sent: %s", x.stands.Why)
}

// ref asks whether the message has a number that a call could name.
func (x *explaining) ref() bool {
	switch ref := x.l.ref(int(x.pos)); {
	case ref > 0:
		return x.pass("ref", "%s names it", formatRef(ref))
	case ref == refBlocked:
		why := x.r.whyProtected(x.s, x.m)
		return x.stop("ref", x.unprotect(), "%s in place of a ref: %s", BlockedRef, why)
	}
	return x.stop("ref", "the next turn gives it one", "it has no ref yet")
}

func (x *explaining) summary() bool {
	if x.status() != statusGap {
		return x.pass("content", "it is the conversation's own text")
	}
	switch {
	case x.m.SummaryOfBlockID != "":
		return x.stop("content", "", "the host shows the summary of %s here", x.m.SummaryOfBlockID)
	case x.m.Has(HasMedia):
		return x.stop("content", "", "it carries an image or attachment")
	}
	return x.stop("content", "", "it is a summary; blocks are merged with their own ids, bN..bM")
}

func (x *explaining) protection() bool {
	if x.status() == statusProtected {
		return x.stop("protected", x.unprotect(), "%s", x.stands.Why)
	}
	if x.m.isTool() && x.m.ToolName != "" {
		return x.pass("protected", "%s is not protected", x.m.ToolName)
	}
	return x.pass("protected", "no rule protects it")
}

// unprotect says what would end the protection.
func (x *explaining) unprotect() string {
	switch {
	case x.m.Has(HasMedia), isAlwaysProtected(x.m.ToolName):
		return ""
	case x.l.isLatest(x.s, x.m, x.r.sight.latest):
		return "a newer call of " + cmp.Or(x.m.ToolName, "its tool") + " takes its place"
	case x.m.ToolName == "" && x.callOf() != nil && isAlwaysProtected(x.callOf().ToolName):
		return ""
	}
	return "taking the tool out of protectedTools"
}

// callOf is the call that a result belongs to, or nil.
func (x *explaining) callOf() *Message {
	if x.s.call < 0 {
		return nil
	}
	for p := x.l.calls.At(int(x.s.call)).last; p >= 0; p = x.l.slots.At(int(p)).prev {
		if m := x.l.log.At(int(p)); m.Type == ToolCall {
			return m
		}
	}
	return nil
}
