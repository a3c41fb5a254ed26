package kernel

import (
	"fmt"
	"testing"
)

// history is every step of a run in order, as JSON. A step that is visited
// again, after the journal was cut back, takes the place of what followed it.
type history struct {
	turns []string
	folds []string
}

func (h *history) visit(step Step) {
	if step.Fold != nil {
		h.folds = append(h.folds, asJSON([]any{step.Fold, step.Blocks, step.State}))
		return
	}
	at := min(step.Turn.Number-1, len(h.turns))
	h.turns = append(h.turns[:at], asJSON([]any{step.Turn, step.Report(), step.Sent(), step.Blocks, step.State}))
}

// follow runs a journal in changes of random sizes. With detours it now and
// then goes some way along another journal and comes back, as a session does
// that leaves a branch.
func follow(k *Kernel, journal, other []Entry, seed int64, detours bool) (Run, history) {
	dice := newSessionMaker(seed)
	var h history
	run, kept := k.Start(), 0
	for from := 0; from < len(journal); {
		to := min(from+1+dice.Intn(25), len(journal))
		run = k.AdvanceEach(run, Change{Keep: from, Entries: journal[from:to]}, h.visit)
		from, kept = to, to
		if detours && dice.chance(25) {
			back := dice.Intn(kept)
			away := other[:dice.Intn(len(other))]
			run = k.AdvanceEach(run, Change{Keep: back, Entries: away}, h.visit)
			from = back
			if len(away) > 3 && dice.chance(50) {
				run = k.AdvanceEach(run, Change{Keep: back + len(away)/2, Entries: other[:2]}, h.visit)
			}
		}
	}
	h.turns = h.turns[:min(len(h.turns), run.Turns().Len())] // a detour may have run more
	return run, h
}

func TestAnyCuttingGivesTheSameRun(t *testing.T) {
	for c, config := range lawConfigs() {
		for _, seed := range []int64{1, oddSeeds + 2} {
			seed += 2 * int64(c)
			journal, other := transcript(seed, 30), transcript(seed+100, 12)
			if (seed+int64(c)/2)%2 == 0 {
				journal, other = recording(seed, 30), recording(seed+100, 12)[2:]
			}
			t.Run(fmt.Sprintf("config %d seed %d", c, seed), func(t *testing.T) {
				sameCut(t, New(config, nil), journal, other, seed*7)
			})
		}
	}
}

// sameCut holds that a journal gives the same run in one change and cut at
// random, without and with detours.
func sameCut(t *testing.T, k *Kernel, journal, other []Entry, cuts int64) {
	t.Helper()
	var whole history
	run := k.AdvanceEach(k.Start(), Change{Entries: journal}, whole.visit)
	for _, detours := range []bool{false, true} {
		cut, steps := follow(k, journal, other, cuts, detours)
		if err := compareTexts(snapshot(run), snapshot(cut)); err != nil {
			t.Errorf("detours %v: the run differs: %v", detours, err)
		}
		sameSteps(t, whole, steps, detours)
	}
}

// FuzzAnyCuttingGivesTheSameRun cuts arbitrary sessions anywhere: incremental
// against full.
func FuzzAnyCuttingGivesTheSameRun(f *testing.F) {
	f.Add(int64(1), int64(7), uint8(0), false)
	f.Add(int64(2), int64(14), uint8(3), true)
	f.Fuzz(func(t *testing.T, seed, cuts int64, config uint8, recorded bool) {
		configs := lawConfigs()
		journal, other := transcript(seed, 16), transcript(seed+100, 8)
		if recorded {
			journal, other = recording(seed, 16), recording(seed+100, 8)[2:]
		}
		sameCut(t, New(configs[int(config)%len(configs)], nil), journal, other, cuts)
	})
}

// sameSteps compares the turns, and the folds where none was visited twice.
func sameSteps(t *testing.T, whole, cut history, detours bool) {
	t.Helper()
	if len(whole.turns) != len(cut.turns) {
		t.Fatalf("detours %v: %d turns, want %d", detours, len(cut.turns), len(whole.turns))
	}
	for i := range whole.turns {
		if err := compareTexts(whole.turns[i], cut.turns[i]); err != nil {
			t.Fatalf("detours %v: turn %d: %v", detours, i+1, err)
		}
	}
	if detours {
		return
	}
	if len(whole.folds) != len(cut.folds) {
		t.Fatalf("%d folds, want %d", len(cut.folds), len(whole.folds))
	}
	for i := range whole.folds {
		if err := compareTexts(whole.folds[i], cut.folds[i]); err != nil {
			t.Fatalf("fold %d: %v", i+1, err)
		}
	}
}

// singleTurns runs a recording turn by turn over whole lists, with a saved
// state in between: what a host does.
type singleTurns struct {
	k      *Kernel
	state  State
	log    []Message
	pruned bool
	turns  []string
	folds  []string
}

func (s *singleTurns) run(journal []Entry) {
	for _, e := range journal {
		switch e.Op {
		case View:
			s.pruned = e.PrunedView
		case Append:
			s.log = append(s.log[:len(s.log):len(s.log)], e.Message)
		case Remove:
			s.log = without(s.log, e.IDs)
		case RecordedTurn:
			state, report, out := s.k.Turn(s.state, s.log, e.Used)
			sent := out.Messages()
			report.Turn = len(s.turns) + 1
			s.state = state
			s.turns = append(s.turns, asJSON([]any{report, idsOf(sent)}))
			if s.pruned {
				s.log = sent
			}
		case Compress:
			state, verdict := s.k.Execute(s.state, s.log, e.Call, nil)
			s.state = state
			s.folds = append(s.folds, asJSON(verdict))
		}
	}
}

func TestARunDecidesAsSingleTurnsDo(t *testing.T) {
	for c, config := range lawConfigs() {
		for _, seed := range []int64{1, 2, 3, oddSeeds, oddSeeds + 1, oddSeeds + 2} {
			t.Run(fmt.Sprintf("config %d seed %d", c, seed), func(t *testing.T) {
				journal := recording(seed, 40)
				k := New(config, nil)
				single := &singleTurns{k: k, state: NewState()}
				single.run(journal)
				var turns, folds []string
				run := k.Start()
				for from := 0; from < len(journal); {
					to := min(from+1+int(seed%7), len(journal))
					run = k.AdvanceEach(run, Change{Keep: from, Entries: journal[from:to]}, func(step Step) {
						if step.Fold != nil {
							folds = append(folds, asJSON(step.Fold.Verdict))
							return
						}
						turns = append(turns, asJSON([]any{step.Report(), step.Sent()}))
					})
					from = to
				}
				sameSteps(t, history{single.turns, single.folds}, history{turns, folds}, false)
			})
		}
	}
}
