package hoststate

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ctxscope/kernel"
)

// Comparison is how a host's state differs from a replay of its session.
type Comparison struct {
	// Unseen is how many of the newest messages of the log the host had not
	// numbered when it wrote its state.
	Unseen int
	// Note says in a sentence what could not be compared, or is empty.
	Note string
	// Foreign: the host numbers something, but nothing of this list.
	Foreign     bool
	Differences []Difference // blocks, then refs, then stamps
}

// Difference is one thing that host and replay say differently.
type Difference struct {
	Kind   string `json:"kind"`   // "block", "ref" or "stamp"
	Name   string `json:"name"`   // "b3", "m00012–m00040" as the host numbers, "shown stamp"
	Host   string `json:"host"`   // what the host says; empty: nothing
	Replay string `json:"replay"` // what the replay says; empty: nothing
	Count  int    `json:"count"`  // messages, of refs that differ alike; else 1
	Cause  string `json:"cause"`  // the likely one, a sentence
}

// Said is what both sides say, in a sentence.
func (d Difference) Said() string {
	return "host: " + cmp.Or(d.Host, "nothing") + "; replay: " + cmp.Or(d.Replay, "nothing")
}

// drift is one comparison while it is made.
type drift struct {
	host  State
	state kernel.State // the host's, with the ids of the log
	run   kernel.Run
	log   kernel.List[kernel.Message]
	refs  map[string]string // id in the log → the host's ref
	lost  []string          // refs of messages that are not in the log
	calls map[string]kernel.FoldRecord
	out   Comparison
}

// Drift compares a host's state with a replay of the same session and lists
// what differs, each with its likely cause. Equal arguments give equal lists.
func Drift(host State, run kernel.Run) Comparison { return host.compare(run).out }

func (s State) compare(run kernel.Run) *drift {
	d := &drift{host: s, run: run, log: run.Log(), refs: map[string]string{}, calls: map[string]kernel.FoldRecord{}}
	d.state = s.In(d.log)
	for _, fold := range run.Folds().All() {
		d.calls[fold.CallID] = fold
	}
	d.number()
	d.blocks()
	d.compareRefs()
	d.stamps()
	return d
}

// number brings the host's refs to the messages of the log.
func (d *drift) number() {
	here := map[string]bool{}
	for i := range d.log.Len() {
		here[d.log.At(i).ID] = true
	}
	for id, ref := range d.state.Refs() {
		if here[id] {
			d.refs[id] = ref
		} else {
			d.lost = append(d.lost, ref)
		}
	}
	slices.Sort(d.lost)
	switch {
	case len(d.refs) > 0:
		for i := d.log.Len() - 1; i >= 0 && d.refs[d.log.At(i).ID] == ""; i-- {
			d.out.Unseen++
		}
	case len(d.lost) == 0:
		d.out.Note = "the host has numbered no message, so refs are not compared"
	default:
		d.out.Foreign = true
		d.out.Note = fmt.Sprintf("the host numbers %s that this list does not hold, so refs are not compared", d.host.Counting)
	}
}

func (d *drift) add(kind, name, host, replay string, count int, cause string) {
	d.out.Differences = append(d.out.Differences, Difference{kind, name, host, replay, count, cause})
}

// blocks compares blocks by their ids.
func (d *drift) blocks() {
	replayed := d.run.Blocks()
	met := map[string]bool{}
	for _, h := range d.state.Blocks() {
		met[h.ID] = true
		i := slices.IndexFunc(replayed, func(b kernel.Block) bool { return b.ID == h.ID })
		if i < 0 {
			d.add("block", h.ID, describe(h), "", 1, d.whyOnlyHost(h))
			continue
		}
		d.block(h, replayed[i])
	}
	for _, b := range replayed {
		if !met[b.ID] {
			d.add("block", b.ID, "", describe(b), 1, d.whyOnlyReplay(b))
		}
	}
}

// describe says of a block what tells it from others.
func describe(b kernel.Block) string {
	active := "active"
	if !b.Active {
		active = "not active"
	}
	return fmt.Sprintf("tier %d, %s, %d messages", b.Tier, active, len(b.EffectiveMessageIDs))
}

// block compares one block.
func (d *drift) block(h, r kernel.Block) {
	switch {
	case h.CompressCallID != r.CompressCallID && h.CompressCallID != "" && r.CompressCallID != "":
		d.add("block", h.ID, "made by call "+h.CompressCallID, "made by call "+r.CompressCallID, 1, "a call before it folded on one side only, so the same number names another block")
	case h.Tier != r.Tier:
		d.add("block", h.ID, describe(h), describe(r), 1, "the host chose another tier: its settings for tiers differ from those used here")
	case d.out.Note == "" && !sameSet(h.EffectiveMessageIDs, r.EffectiveMessageIDs):
		d.add("block", h.ID, describe(h), describe(r), 1, d.whyOtherMessages())
	case h.Active != r.Active:
		d.add("block", h.ID, describe(h), describe(r), 1, d.whyActive(h))
	case h.Summary != r.Summary && d.host.Kind != OpencodeACP && d.host.Kind != OpencodeDCP:
		d.add("block", h.ID, fmt.Sprintf("a summary of %d chars", kernel.Len16(h.Summary)), fmt.Sprintf("one of %d", kernel.Len16(r.Summary)), 1, "the host has rewritten the summary since")
	}
}

func sameSet(a, b []string) bool {
	a, b = slices.Clone(a), slices.Clone(b)
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(slices.Compact(a), slices.Compact(b))
}

// compareRefs compares the refs of the messages that both have. Neighbours that
// are off by the same number are one difference.
func (d *drift) compareRefs() {
	if d.out.Note != "" {
		return
	}
	for i := 0; i < d.log.Len()-d.out.Unseen; {
		first, off := d.off(i)
		end := i + 1
		for ; first != "" && end < d.log.Len()-d.out.Unseen; end++ {
			if next, same := d.off(end); next == "" || same != off {
				break
			}
		}
		if first != "" {
			d.refRun(i, end, off)
		}
		i = end
	}
}

// off says how the ref of message i differs, in words and by how much; kind is
// empty when it does not.
func (d *drift) off(i int) (kind string, by int) {
	host, replay := d.refs[d.log.At(i).ID], d.run.Ref(i)
	switch {
	case host == replay:
		return "", 0
	case host == "":
		return "only the replay has one", 1 << 30
	case replay == "":
		return "only the host has one", 1<<30 + 1
	case host == kernel.BlockedRef:
		return "only the replay numbers it", 1<<30 + 2
	case replay == kernel.BlockedRef:
		return "only the host numbers it", 1<<30 + 3
	}
	return "shifted", numberOf(host) - numberOf(replay)
}

// numberOf is the number of a printed ref.
func numberOf(ref string) int {
	n, _ := strconv.Atoi(strings.TrimPrefix(ref, "m")) // the kernel has printed it
	return n
}

// refRun adds the difference of the messages from i up to end.
func (d *drift) refRun(i, end, off int) {
	span := func(ref func(int) string) string {
		first, last := ref(i), ref(end-1)
		if first == last {
			return first
		}
		return first + "–" + last
	}
	host := span(func(i int) string { return d.refs[d.log.At(i).ID] })
	replay := span(d.run.Ref)
	d.add("ref", cmp.Or(host, replay), host, replay, end-i, d.whyRef(i, off))
}
