package doctor

import (
	"fmt"
	"strings"

	"ctxscope/kernel"
)

// From how many on something is a pattern.
const (
	repeatsFrom  = 2 // refusals of one and the same call
	refusalsFrom = 3 // refused calls
	gainlessFrom = 2 // blocks that are as large as what they replaced
)

// refusedShare is the share of refused calls from which on they are many.
const refusedShare = 0.25

// disagreements finds calls on which the host and the replay disagree.
func disagreements(h *history) []Finding {
	f := found(Parity, "")
	alarms := 0
	for i := range h.calls {
		o := &h.calls[i]
		if o.Alarm == "" {
			continue
		}
		alarms++
		f.Turns, f.Calls = append(f.Turns, o.AfterTurn), append(f.Calls, o.CallID)
		f.detail("Turn %d, %s (%s): %s. %s.", o.AfterTurn, o.name(), strings.Join(o.Ranges, ", "), o.Alarm, capital(strings.TrimSuffix(o.Would, ".")))
	}
	if alarms == 0 {
		return nil
	}
	f.What = fmt.Sprintf("The host's answer to %s of %s is not what the executor says here.", plural(alarms, "compress call"), amount(len(h.calls)))
	return []Finding{f}
}

// listedRefused finds calls that asked for what was recommended and were
// refused, and batches of now that the executor would refuse.
func listedRefused(h *history) []Finding {
	f := found(ListedRefused, "")
	for i := range h.calls {
		o := &h.calls[i]
		if !o.Refused || !o.offered || o.Cause == SummaryLength {
			continue
		}
		f.Turns, f.Calls, f.Refs = append(f.Turns, o.AfterTurn), append(f.Calls, o.CallID), append(f.Refs, o.Ranges...)
		f.detail("Turn %d recommended %s; %s asked for it and was refused.", o.AfterTurn, strings.Join(o.Ranges, ", "), o.name())
	}
	f.Refs = append(f.Refs, h.refusedNow(&f)...)
	if len(f.Refs) == 0 {
		return nil
	}
	f.What = plural(len(once(f.Refs)), "range") + " of the list did not fold."
	return []Finding{f}
}

// refusedNow asks the executor for all batches of now at once and gives those
// that it refuses.
func (h *history) refusedNow(f *Finding) []string {
	var call kernel.Call
	batches := h.now.Nudge.Batches
	for i := range batches.Len() {
		call.Ranges = append(call.Ranges, kernel.CallRange{StartRef: batches.At(i).StartRef, EndRef: batches.At(i).EndRef})
	}
	if len(call.Ranges) == 0 {
		return nil
	}
	var refs []string
	for _, r := range h.kernel.Check(h.run, call).Ranges {
		if r.Kind == kernel.Refused || r.Kind == kernel.Skipped {
			refs = append(refs, r.StartRef+".."+r.EndRef)
			f.detail("Now %s..%s is recommended, and the executor says: %s", r.StartRef, r.EndRef, r.Sentence)
		}
	}
	return refs
}

// repeatedCalls finds calls that were refused and came again unchanged.
func repeatedCalls(h *history) []Finding {
	f := found(CallRepeated, "")
	groups := map[string][]*Outcome{}
	var specs []string
	for i := range h.calls {
		o := &h.calls[i]
		if !o.Refused || len(o.Ranges) == 0 {
			continue
		}
		if groups[o.spec()] == nil {
			specs = append(specs, o.spec())
		}
		groups[o.spec()] = append(groups[o.spec()], o)
	}
	most := ""
	for _, spec := range specs {
		group := groups[spec]
		if len(group) < repeatsFrom {
			continue
		}
		var turns []int
		for _, o := range group {
			turns, f.Calls = append(turns, o.AfterTurn), append(f.Calls, o.CallID)
		}
		f.Turns = append(f.Turns, turns...)
		f.detail("%s was refused %s, at %s: %s.", spec, plural(len(group), "time"), turnsText(turns), group[len(group)-1].Cause)
		if most == "" || len(group) > len(groups[most]) {
			most = spec
		}
	}
	if most == "" {
		return nil
	}
	f.What = fmt.Sprintf("%s was asked for and refused %s.", most, plural(len(groups[most]), "time"))
	return []Finding{f}
}

// refusalRate finds sessions in which many calls are refused.
func refusalRate(h *history) []Finding {
	r := refusalsOf(h.calls)
	if r.Refused < refusalsFrom || r.Share < refusedShare {
		return nil
	}
	f := found(RefusalRate, "%s of %s were refused (%s), up to %s in a row.", amount(r.Refused), plural(r.Calls, "compress call"), percent(r.Share), amount(r.InARow))
	for _, c := range r.Causes {
		f.detail("%s: %s, %s of the refusals.", capital(string(c.Cause)), plural(c.Calls, "call"), percent(float64(c.Calls)/float64(r.Refused)))
	}
	for i := range h.calls {
		if o := &h.calls[i]; o.Refused {
			f.Turns, f.Calls = append(f.Turns, o.AfterTurn), append(f.Calls, o.CallID)
		}
	}
	return []Finding{f}
}

// gainlessFolds finds blocks whose summary is as large as what it replaced.
func gainlessFolds(h *history) []Finding {
	f := found(FoldNoGain, "")
	for _, b := range h.run.Blocks() {
		if b.CompressedTokens <= 0 || b.SummaryTokens < b.CompressedTokens {
			continue
		}
		f.Refs, f.Calls = append(f.Refs, b.ID), append(f.Calls, b.CompressCallID)
		f.detail("%s (tier %d) replaced %s tokens by a summary of %s.", b.ID, b.Tier, amount(b.CompressedTokens), amount(b.SummaryTokens))
	}
	if len(f.Refs) < gainlessFrom {
		return nil
	}
	for i := range h.calls {
		for _, id := range f.Calls {
			if h.calls[i].CallID == id && id != "" {
				f.Turns = append(f.Turns, h.calls[i].AfterTurn)
			}
		}
	}
	f.What = plural(len(f.Refs), "block") + " hold a summary that is no smaller than what it replaced."
	return []Finding{f}
}
