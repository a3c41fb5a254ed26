package kernel

import (
	"fmt"
	"testing"
)

// TestATriedCallFollowsTheLiveSession tries a call in the middle of a session:
// however the rest then comes in, the run is the same; the run that it was
// tried on goes on as if nothing had been tried; and taking back what stood
// before it takes the call back too.
func TestATriedCallFollowsTheLiveSession(t *testing.T) {
	tried := 0
	for c, config := range lawConfigs() {
		for _, seed := range []int64{1, 2, oddSeeds, oddSeeds + 1} {
			journal := transcript(seed, 30)
			if seed%2 == 0 {
				journal = recording(seed, 30)
			}
			t.Run(fmt.Sprintf("config %d seed %d", c, seed), func(t *testing.T) {
				k := New(config, nil)
				if tryInTheMiddle(t, k, journal) {
					tried++
				}
			})
		}
	}
	if tried == 0 {
		t.Error("no call was taken")
	}
}

func tryInTheMiddle(t *testing.T, k *Kernel, journal []Entry) bool {
	t.Helper()
	half := len(journal) / 2
	base := k.Advance(k.Start(), Change{Entries: journal[:half]})
	var call Call
	for _, r := range base.Now().Ranges.All() {
		call.Ranges = append(call.Ranges, CallRange{StartRef: r.StartRef, EndRef: r.EndRef, Summary: placeholder(60)})
	}
	with, verdict := k.Apply(base, call)
	if !verdict.Ok() {
		return false
	}
	rest := Change{Keep: half, Entries: journal[half:]}
	whole := k.Advance(with, rest)
	if whole.WhatIf() != 1 {
		t.Errorf("%d tried calls, want 1", whole.WhatIf())
	}
	step := with
	for i := half; i < len(journal); i++ {
		step = k.Advance(step, Change{Keep: i, Entries: journal[i : i+1]})
	}
	sameRun(t, "entry by entry", whole, step)
	later := half + (len(journal)-half)/2
	sameRun(t, "taken back to after the call", whole, k.Advance(whole, Change{Keep: later, Entries: journal[later:]}))
	plain := k.Advance(k.Start(), Change{Entries: journal})
	sameRun(t, "without the call", plain, k.Advance(base, rest))
	back := k.Advance(whole, Change{Keep: half - 1, Entries: journal[half-1:]})
	sameRun(t, "taken back", plain, back)
	if back.WhatIf() != 0 {
		t.Errorf("%d tried calls after going back, want 0", back.WhatIf())
	}
	return true
}

func sameRun(t *testing.T, what string, want, got Run) {
	t.Helper()
	if err := compareTexts(snapshot(want), snapshot(got)); err != nil {
		t.Errorf("%s: %v", what, err)
	}
}
