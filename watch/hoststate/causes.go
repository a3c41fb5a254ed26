package hoststate

import (
	"cmp"
	"fmt"

	"ctxscope/kernel"
)

// inherited is the cause of whatever comes from a parent session, else empty.
func (d *drift) inherited() string {
	if d.host.Parents > 0 {
		return "the host's state is that of the session that this one was forked from"
	}
	return ""
}

// behind is the cause of what a host does not know yet, else empty.
func (d *drift) behind() string {
	if d.out.Unseen > 0 {
		return fmt.Sprintf("the host's file is older than the transcript: it has not seen the newest %d messages", d.out.Unseen)
	}
	return ""
}

// diverged is the cause of what follows a fold that came out differently, else
// empty.
func (d *drift) diverged() string {
	if why := d.run.Diverged(); why != "" {
		return "the replay left the host's course: " + why
	}
	return ""
}

// whyOnlyHost is why the replay lacks a block.
func (d *drift) whyOnlyHost(h kernel.Block) string {
	fold, replayed := d.calls[h.CompressCallID]
	inLog := false
	for i := range d.log.Len() {
		m := d.log.At(i)
		inLog = inLog || m.Type == kernel.ToolCall && m.ToolCallID == h.CompressCallID
	}
	switch {
	case h.CompressCallID == "":
		return "the file does not say which call made it, so it cannot be replayed"
	case !replayed && !inLog:
		return cmp.Or(d.inherited(), "its call "+h.CompressCallID+" is not in this transcript: it was made on a branch that was left, before a compaction, or by the proxy itself")
	case !replayed:
		return "the transcript holds its call " + h.CompressCallID + ", but no result of it"
	case fold.Host != kernel.Succeeded:
		return "the transcript's result of call " + h.CompressCallID + " does not say that it folded something"
	case len(fold.Verdict.Errors) > 0:
		return "the replay refuses its call: " + fold.Verdict.Errors[0]
	}
	return cmp.Or(d.diverged(), "a branch or compaction has taken its call out of the replay")
}

// whyOnlyReplay is why the host lacks a block.
func (d *drift) whyOnlyReplay(b kernel.Block) string {
	if d.run.WhatIf() > 0 && b.CompressCallID == "" {
		return "it was only tried here"
	}
	if len(d.state.Blocks()) == 0 && d.host.Pruned > 0 {
		return "the host dropped all blocks, as it does after a compaction of its own"
	}
	return cmp.Or(d.behind(), d.diverged(), "the host has dropped it since, or its state was begun anew")
}

// whyOtherMessages is why a block covers other messages.
func (d *drift) whyOtherMessages() string {
	if d.host.Hashed {
		return "the host's ids are hashes of what it sent, and not all of them could be matched"
	}
	return cmp.Or(d.diverged(), d.inherited(), "the call meant other messages: the host numbers or protects some differently, or its settings for the recent zone differ")
}

// whyActive is why a block is active on one side only.
func (d *drift) whyActive(h kernel.Block) string {
	switch {
	case h.Expanded:
		return "the host has put its messages back since"
	case h.Active:
		return cmp.Or(d.behind(), d.diverged(), "its messages are not in the list that is replayed, or another block took it over here")
	}
	return cmp.Or(d.diverged(), "the host has taken it back or over in a newer block that the replay does not have")
}

// whyRef is why refs differ from message i on.
func (d *drift) whyRef(i, off int) string {
	host, replay := d.refs[d.log.At(i).ID], d.run.Ref(i)
	switch {
	case host == kernel.BlockedRef, replay == kernel.BlockedRef:
		return "the host protects other messages from being folded than the settings used here"
	case host == "":
		return "the host's list does not hold it"
	case replay == "":
		return "the replay gives it no number: it is not in the list that a turn has seen"
	case off > 0 && len(d.lost) > 0:
		return fmt.Sprintf("the host has numbered %d messages that are not in this list: of a branch that was left, or from before a compaction", len(d.lost))
	case off > 0:
		return cmp.Or(d.inherited(), "the host numbered messages before these that the replay does not number")
	}
	return cmp.Or(d.inherited(), d.diverged(), "the replay numbers messages before these that the host did not: it protects more of them, or began to number later")
}

// stamps compares the stamps of the nudge.
func (d *drift) stamps() {
	host, replay := d.state.Stamps(), d.run.Stamps()
	d.stamp("baseline", "lastPerMessageNudgeTokens", host.Baseline, replay.Baseline)
	d.stamp("shown stamp", "lastNudgeShownTokens", host.Shown, replay.Shown)
	for tier := 1; tier <= 3; tier++ {
		d.stamp(fmt.Sprintf("tier %d stamp", tier), "lastShownByTier", host.ShownByTier[tier], replay.ShownByTier[tier])
	}
	if host.LastInjectedTier != replay.LastInjectedTier {
		d.add("stamp", "last injected tier", tierName(host.LastInjectedTier), tierName(replay.LastInjectedTier), 1, d.whyStamp("lastInjectedTier"))
	}
}

func tierName(t kernel.Tier) string {
	if t == 0 {
		return "none"
	}
	return fmt.Sprint(int(t))
}

func (d *drift) stamp(name, field string, host, replay kernel.Tokens) {
	if host != replay {
		d.add("stamp", name, host.String(), replay.String(), 1, d.whyStamp(field))
	}
}

// whyStamp is why a stamp differs.
func (d *drift) whyStamp(field string) string {
	host := d.state.Stamps()
	switch {
	case !d.host.writes(field):
		return "this host does not write it down"
	case d.inherited() != "", d.behind() != "", d.diverged() != "":
		return cmp.Or(d.inherited(), d.behind(), d.diverged())
	case host.Shown == 0 && host.Baseline == 0:
		return "the host has shown no nudge: it is switched off there, set differently from here, or its state was begun anew"
	}
	return "the host counts tokens otherwise or is set differently (window, step, floor) than the replay, which knows only what the transcript reports"
}
