package kernel

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// journalOf writes a recorded session as the journal that a reader gives for
// it.
func journalOf(in sessionInput) ([]Entry, error) {
	entries := []Entry{{Op: Recording}, {Op: View, PrunedView: in.Host == "pruned-view"}}
	for _, turn := range in.Turns {
		more := messagesOf(turn.Append)
		for _, m := range more {
			entries = append(entries, Entry{Op: Append, Message: m})
		}
		if len(turn.Remove) > 0 {
			entries = append(entries, Entry{Op: Remove, IDs: turn.Remove})
		}
		entries = append(entries, Entry{Op: RecordedTurn, Used: turn.TokenCount})
		for _, call := range turn.Compress {
			entries = append(entries, Entry{Op: Compress, Call: call})
		}
	}
	return entries, nil
}

// stepRecorder writes the steps of a run as records do.
type stepRecorder struct {
	in     sessionInput
	turns  []object
	folds  []object
	blocks []Block
	err    error
}

func (s *stepRecorder) visit(step Step) {
	if s.err != nil {
		return
	}
	if step.Fold != nil {
		s.err = s.fold(step)
	} else {
		s.err = s.turn(step)
	}
	s.blocks = step.Blocks
}

func (s *stepRecorder) fold(step Step) error {
	result, err := resultAsRecorded(step.Fold.Verdict)
	if err != nil {
		return err
	}
	changed, err := changedBlocks(s.blocks, step.Blocks)
	s.folds = append(s.folds, object{"result": result, "changedBlocks": changed, "nudgeState": step.State})
	s.turns[len(s.turns)-1]["compress"] = s.folds
	return err
}

func (s *stepRecorder) turn(step Step) error {
	s.folds = nil
	report := step.Report()
	decision, err := decisionAsRecorded(report.Nudge)
	if err != nil {
		return err
	}
	got := object{"nudge": decision, "nudgeState": step.State}
	if len(report.Truncation.IDs) > 0 {
		got["truncatedIds"] = report.Truncation.IDs
	}
	if report.Truncation.Skipped != "" {
		got["truncationSkipped"] = report.Truncation.Skipped
	}
	if report.Truncation.Terminal != "" {
		got["terminalEscape"] = report.Truncation.Terminal
	}
	ids := step.Sent()
	pruned := object{
		"count": len(ids), "sha256": fmt.Sprintf("%x", sha256.Sum256([]byte(strings.Join(ids, "\n")))),
	}
	turn := s.in.Turns[len(s.turns)]
	if turn.WantIDs {
		pruned["ids"] = ids
	}
	got["pruned"] = pruned
	if turn.Full {
		got["blocks"] = blockRows(step.Blocks)
	} else {
		delete(decision, "activeBlockSpans")
		delete(decision, "protectedRanges")
	}
	s.turns = append(s.turns, got)
	return nil
}

// withoutStateFields takes out of expected turns what a step does not tell:
// counters and fields that only the saved state has.
func withoutStateFields(expected json.RawMessage) (json.RawMessage, error) {
	var all struct {
		Turns []object `json:"turns"`
	}
	if err := json.Unmarshal(expected, &all); err != nil {
		return nil, err
	}
	for _, turn := range all.Turns {
		for _, key := range []string{"messageRefs", "hiddenOrphanRefs", "terminalStreak"} {
			delete(turn, key)
		}
		if floor, ok := turn["terminalEscape"].(object); ok {
			turn["terminalEscape"] = floor["message"]
		}
		folds, _ := turn["compress"].([]any)
		for _, fold := range folds {
			for _, key := range []string{"stats", "nextBlockId", "nextRunId"} {
				delete(fold.(object), key)
			}
		}
	}
	return encodePlain(all)
}

// TestSessionsAsJournals follows each recorded session as a journal, in one
// change and entry by entry: turn by turn the run decides and folds as the
// reference did.
func TestSessionsAsJournals(t *testing.T) {
	names, cases := sessionCases(t)
	for i, c := range cases {
		for _, size := range []int{1, 7, 1 << 20} {
			t.Run(fmt.Sprintf("%s by %d", names[i], size), func(t *testing.T) {
				got, err := followSession(c, size)
				if err != nil {
					t.Fatal(err)
				}
				expected, err := withoutStateFields(c.Expected)
				if err != nil {
					t.Fatal(err)
				}
				if err := compare(expected, object{"turns": got}); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

func followSession(c referenceCase, size int) ([]object, error) {
	recorder := &stepRecorder{}
	if err := decodeStrict(c.Input, &recorder.in); err != nil {
		return nil, err
	}
	var config Config
	if err := decodeStrict(recorder.in.Config, &config); err != nil {
		return nil, err
	}
	entries, err := journalOf(recorder.in)
	if err != nil {
		return nil, err
	}
	k := New(config, nil)
	run := k.Start()
	for from := 0; from < len(entries); from += size {
		to := min(from+size, len(entries))
		run = k.AdvanceEach(run, Change{Keep: from, Entries: entries[from:to]}, recorder.visit)
	}
	if run.Turns().Len() != len(recorder.in.Turns) {
		return nil, fmt.Errorf("%d turns were run, want %d", run.Turns().Len(), len(recorder.in.Turns))
	}
	return recorder.turns, recorder.err
}
