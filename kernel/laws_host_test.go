package kernel

import (
	"encoding/json"
	"fmt"
	"testing"
)

// keptBy is the state of a run as a host would have written it down.
func keptBy(t *testing.T, r Run) State {
	t.Helper()
	data, err := json.Marshal(r.State())
	if err != nil {
		t.Fatal(err)
	}
	var s State
	if err := json.Unmarshal(data, &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// sights is all that a person is shown of the list as it stands.
func sights(k *Kernel, r Run) string {
	type message struct {
		Ref      string
		Standing Standing
	}
	var list []message
	for i := range r.Log().Len() {
		list = append(list, message{r.Ref(i), r.Standing(i)})
	}
	now := r.Now()
	calls := []Call{
		{Ranges: []CallRange{{StartRef: "m00002", EndRef: "m00009"}}},
		{Ranges: []CallRange{{StartRef: "b1", EndRef: "b2"}, {StartRef: "m00001", EndRef: "m00040"}}},
	}
	if now.Nudge.Batches.Len() > 0 {
		calls = append(calls, batchCall(now.Nudge.Batches.All()...))
	}
	var verdicts []Verdict
	for _, c := range calls {
		verdicts = append(verdicts, k.Check(r, c))
	}
	return asJSON([]any{now, r.Blocks(), r.Stamps(), list, verdicts, r.Turns().Len(), r.Folds()})
}

// eachSession follows random sessions of both kinds, the odd ones too, in
// pieces and calls look with the run and the journal up to there.
func eachSession(t *testing.T, look func(t *testing.T, k *Kernel, r Run, journal []Entry)) {
	for c, config := range lawConfigs() {
		for _, seed := range []int64{3, 4, oddSeeds + 2, oddSeeds + 3} {
			journal := transcript(seed, 24)
			if seed%2 == 0 {
				journal = recording(seed, 24)
			}
			t.Run(fmt.Sprintf("config %d seed %d", c, seed), func(t *testing.T) {
				k := New(config, nil)
				run := k.Start()
				for from := 0; from < len(journal); {
					to := min(from+1+int(seed%5)*4, len(journal))
					run = k.Advance(run, Change{Keep: from, Entries: journal[from:to]})
					look(t, k, run, journal[:to])
					from = to
				}
			})
		}
	}
}

// TestAHostThatAgreesShowsTheSame holds that a run judged by the state that its
// replay has itself shows what the replay shows.
func TestAHostThatAgreesShowsTheSame(t *testing.T) {
	blocks := 0
	eachSession(t, func(t *testing.T, k *Kernel, r Run, _ []Entry) {
		host := k.FromHost(r, keptBy(t, r))
		blocks += len(host.Blocks())
		if err := compareTexts(sights(k, r), sights(k, host)); err != nil {
			t.Errorf("after %d entries: %v", r.Entries(), err)
		}
		if !host.Hosted() || host.Replay().Hosted() {
			t.Error("a run does not say whether a host's state judges it")
		}
	})
	if blocks == 0 {
		t.Error("no session folded anything")
	}
}

// TestAHostIsFollowedAsIfMadeAnew holds that advancing a run judged by a state
// is judging the advanced replay by it, however the journal changed.
func TestAHostIsFollowedAsIfMadeAnew(t *testing.T) {
	var host Run
	var state State
	eachSession(t, func(t *testing.T, k *Kernel, r Run, journal []Entry) {
		if r.Entries() == 0 || !host.Hosted() || host.Entries() >= len(journal) {
			state = keptBy(t, r)
			host = k.FromHost(r, state)
			return
		}
		before := sights(k, host)
		next := k.Advance(host, Change{Keep: host.Entries(), Entries: journal[host.Entries():]})
		if err := compareTexts(sights(k, k.FromHost(r, state)), sights(k, next)); err != nil {
			t.Errorf("%d entries further: %v", len(journal)-host.Entries(), err)
		}
		if err := compareTexts(sights(k, r), sights(k, next.Replay())); err != nil {
			t.Errorf("its replay: %v", err)
		}
		if cut := len(journal) / 2; len(journal)%4 == 0 {
			back := k.Advance(next, Change{Keep: cut, Entries: journal[cut:]})
			if err := compareTexts(sights(k, next), sights(k, back)); err != nil {
				t.Errorf("taken back and read again: %v", err)
			}
		}
		if after := sights(k, host); after != before {
			t.Error("advancing a run changed it")
		}
		if len(journal)%3 == 0 { // the host saves now and then
			state = keptBy(t, r)
			next = k.FromHost(next, state)
		}
		host = next
	})
}

func TestACallTriedOnAHostFollowsIt(t *testing.T) {
	k := New(lawConfigs()[1], nil)
	run := k.Advance(k.Start(), Change{Entries: talk(8)})
	host := k.FromHost(run, keptBy(t, run))
	with, verdict := k.Apply(host, Call{Ranges: []CallRange{{StartRef: "m00002", EndRef: "m00005", Summary: placeholder(60)}}})
	if !verdict.Ok() || with.WhatIf() != 1 || len(with.Blocks()) != 1 || len(host.Blocks()) != 0 || len(with.Replay().Blocks()) != 0 {
		t.Fatalf("tried: %+v, %d blocks, %d on the host", verdict, len(with.Blocks()), len(host.Blocks()))
	}
	on := k.Advance(with, Change{Keep: with.Entries(), Entries: talk(1)})
	if on.WhatIf() != 1 || len(on.Blocks()) != 1 || on.Folds().Len() != 1 || on.Log().Len() != with.Log().Len()+2 {
		t.Errorf("appended: %d tried, blocks %v, folds %v", on.WhatIf(), on.Blocks(), on.Folds())
	}
	back := k.Advance(on, Change{Keep: with.Entries() - 1})
	if back.WhatIf() != 1 || len(back.Blocks()) != 1 || back.Folds().Len() != 1 {
		t.Errorf("an entry taken back: %d tried, blocks %v", back.WhatIf(), back.Blocks())
	}
	if start := k.Advance(on, Change{}); start.WhatIf() != 0 || len(start.Blocks()) != 0 {
		t.Errorf("all taken back: %d tried, blocks %v", start.WhatIf(), start.Blocks())
	}
}

func TestATriedCallGoesWhenTheHostMakesItsBlockItself(t *testing.T) {
	k := New(lawConfigs()[1], nil)
	run := k.Advance(k.Start(), Change{Entries: talk(8)})
	host := k.FromHost(run, keptBy(t, run))
	call := func(from, to string) Call {
		return Call{Ranges: []CallRange{{StartRef: from, EndRef: to, Summary: placeholder(60)}}}
	}
	one, _ := k.Apply(host, call("m00002", "m00005"))
	two, verdict := k.Apply(one, call("m00006", "m00009"))
	if two.WhatIf() != 2 {
		t.Fatalf("tried: %+v", verdict)
	}
	if kept := k.Retry(host, two); kept.WhatIf() != 2 || len(kept.Blocks()) != 2 {
		t.Errorf("the same state: %d calls are kept, want 2", kept.WhatIf())
	}
	folded, _ := k.Apply(run, call("m00002", "m00005"))
	if kept := k.Retry(k.FromHost(run, keptBy(t, folded)), two); kept.WhatIf() != 0 || len(kept.Blocks()) != 1 {
		t.Errorf("a state with b1: %d calls are kept, blocks %v", kept.WhatIf(), kept.Blocks())
	}
	// What is tried on a replay can be taken to a host's state too.
	onReplay, _ := k.Apply(run, call("m00002", "m00005"))
	if kept := k.Retry(host, onReplay); kept.WhatIf() != 1 {
		t.Errorf("from the replay: %d calls are kept, want 1", kept.WhatIf())
	}
}

// TestAHostsNumbersHold holds that refs and stamps are the host's where both
// have some, and that messages which the host has not seen are numbered behind.
func TestAHostsNumbersHold(t *testing.T) {
	k := New(lawConfigs()[1], nil)
	run := k.Advance(k.Start(), Change{Entries: talk(8)})
	var s State
	data := `{"blocks":[{"blockId":"b3","tier":1,"summary":"` + placeholder(60) + `","effectiveMessageIds":["u1","a1","u2"],"active":true}],
		"messageRefs":{"byRaw":{"gone":"m00001","u0":"m00002","a0":"BLOCKED","u1":"m00003"},"byRef":{"m00001":"gone","m00002":"u0","m00003":"u1"}},
		"nudge":{"lastPerMessageNudgeTokens":77,"lastNudgeShownTokens":88,"lastShownByTier":{"1":88},"lastInjectedTier":1},"nextBlockId":4}`
	if err := json.Unmarshal([]byte(data), &s); err != nil {
		t.Fatal(err)
	}
	host := k.FromHost(run, s)
	var refs []string
	for i := range 6 {
		refs = append(refs, host.Ref(i))
	}
	if got, want := fmt.Sprint(refs), "[m00002 BLOCKED m00003 m00004 m00005 m00006]"; got != want {
		t.Errorf("refs %s, want %s", got, want)
	}
	if st := host.Stamps(); st.Baseline != 77 || st.Shown != 88 || st.ShownByTier[1] != 88 || st.LastInjectedTier != 1 {
		t.Errorf("stamps %+v", st)
	}
	if at := host.Standing(3); at.Kind != StandsFolded || at.BlockID != "b3" {
		t.Errorf("the message in b3 stands as %+v", at)
	}
	if next, v := k.Apply(host, Call{Ranges: []CallRange{{StartRef: "m00007", EndRef: "m00010", Summary: placeholder(60)}}}); !v.Ok() || v.NewBlocks[0] != "b4" || next.WhatIf() != 1 {
		t.Errorf("the next block: %+v", v)
	}
	if run.Blocks() == nil || len(run.Blocks()) != 0 || run.Ref(0) != "m00001" {
		t.Error("the replay has changed")
	}
}
