package tui

import (
	"path/filepath"
	"strings"
	"testing"

	"ctxscope/kernel"
)

// look is what a screen must show of a kernel case before one of its steps.
type look struct {
	name  string // of the case
	step  int    // from 0; a turn is shown with its own count, a compress call as a pick
	keys  []string
	shows []string
	never []string
}

// looks are the rows of the table of kernel cases, as a person sees them.
var looks = []look{
	{"all-protected-stays-quiet", 0, []string{"4", "z"}, []string{"No nudge, although the context grew by 60,000 tokens: nothing is ready to fold.", "Nothing to fold", "max compressible 0 < threshold 50000"}, nil},
	{"listed-but-not-acceptable", 1, nil, []string{"refused: 10 chars short", "4,990 ≥ 5,000 chars (−10)"}, nil},
	{"listed-but-not-acceptable", 0, []string{"2"}, []string{"m00001–m00002 2 1,248 4,990", "refused: 10 chars short"}, nil},
	{"over-limit-boundary", 0, nil, []string{"Idle", "no nudge"}, []string{"over the limit (75 %)"}},
	{"over-limit-boundary", 1, nil, []string{"Nudge: the context is over the limit (75 %)"}, nil},
	{"emergency-micro-pending", 0, nil, []string{"a fold would free only 232 tokens; it is worth while from 5,000 on"}, nil},
	{"over-limit-fires-every-turn", 2, nil, []string{"nudges T1", "Repeated for 2 turns.", "kernel: inject — host gate: a nudge was sent in this user turn"}, nil},
	{"over-limit-fires-every-turn", 2, []string{"4", "z"}, []string{"100 of 22,500 tokens, not asked for"}, nil},
	{"shown-stamp-above-context", 0, nil, []string{"the context shrank by 70,000 tokens", "−70,000 of 22,500 tokens"}, nil},
	{"shown-stamp-above-context", 1, nil, []string{"the context grew by 23,000 tokens", "nudges T1"}, nil},
	{"first-sight-backlog", 0, nil, []string{"stood ready when the session was first seen", "[first-sight mass]"}, nil},
	{"attach-below-band", 0, []string{"4", "z"}, []string{"Idle", "0 of 22,500 tokens: 22,500 to go"}, []string{"142,000 of 22,500", "grew by 142,000"}},
	{"tier1-never-yields", 0, nil, []string{"nudges T1", "T1 60,000, needs 50,000 in 1 batch nudged", "22 of 5 blocks waits"}, nil},
	{"tier1-never-yields", 1, nil, []string{"nudges T2", "22 of 5 blocks nudged", "in 1 batch waits"}, nil},
	{"ten-blocks-no-distill", 0, nil, []string{"T2 10,000, needs 75,000 10 of 1,000 blocks", "10,000 of 50,000 tokens"}, []string{"nudges T"}},
	{"success-clears-stamps", 2, nil, []string{"0 of 22,500 tokens", "baseline none, shown none"}, nil},
	{"pair-pulled-in", 1, nil, []string{"folds wider (+1)", "adds m00004"}, nil},
	{"gate-before-widening", 1, nil, []string{"refused: 500 chars short", "4500 chars across 1 range(s), min 5000"}, nil},
	{"zone-splits-a-pair", 1, nil, []string{"folds less (−1)", "stays m00003", "they stay visible outside the new block", "warns"}, nil},
	{"compress-calls-never-offered", 0, []string{"2"}, []string{"m00001–m00003", "m00006–m00008", "m00004–m00005", "protected: compress"}, nil},
	{"retry-on-full-log", 3, nil, []string{"contains no new compressible messages", "pick m00002–m00003 refused: no new content"}, []string{"frees"}},
	{"tier3-rewrites-itself", 1, nil, []string{"0 folded: no new message", "consumes b1 into a T3 block", "sent 1,709 → 1,725 tokens (estimate), gains −16"}, nil},
	{"reversed-endpoints", 1, nil, []string{"refused", "1734 chars across 1 range(s)", "reversed"}, nil},
	{"reversed-endpoints", 2, nil, []string{"folds", "note", "reversed"}, []string{"refused"}},
	{"cjk-range-refused", 0, []string{"2"}, []string{"m00001 1 1,300 1,300", "refused: 3,700 chars short"}, nil},
	{"cjk-range-refused", 0, nil, []string{"T1 0, needs 50,000 in 0 batches"}, nil},
	{"big-tool-output-at-the-end", 0, nil, []string{"m00006–m00009 4", "40,200"}, nil},
	{"distil-absorbs-raw-between", 1, nil, []string{"1 folded (m00003)", "consumes b1, b2 into a T2 block"}, nil},
	{"first-user-message-stays", 2, []string{"6", "g"}, []string{"m00001 user", "folded in b1, sent"}, nil},
	{"no-user-message-at-all", 2, []string{"7"}, []string{"b1 T1 m00001–m00003", "1 active of 1"}, nil},
	{"failed-compress-calls-hidden", 0, []string{"6", "g"}, []string{"21, sent 5", "hidden: an old compress call"}, nil},
	{"small-window-only-pressure", 0, nil, []string{"the window is too small to hold the 50,000 tokens that growth needs"}, nil},
	{"small-window-only-pressure", 1, nil, []string{"Nudge: the context is over the limit"}, nil},
	{"gate-is-per-call", 1, nil, []string{"refused: 2,000 chars short"}, nil},
	{"gate-is-per-call", 2, nil, []string{"2 ranges", "pick m00001–m00003 folds", "pick m00005–m00007 folds"}, []string{"refused"}},
	{"orphan-result-not-counted", 0, []string{"6"}, []string{"(229 tokens, estimate)", "unpaired"}, nil},
	{"cjk-summary-size", 0, nil, []string{"T2 2,000, needs 75,000"}, nil},
	{"cjk-summary-size", 0, []string{"7", "z"}, []string{"→ 2,000"}, []string{"→ 500"}},
	{"replay-compress-calls-after-fork", 1, []string{"7", "z"}, []string{"b1 T1", "b2 T1", "2 active of 2"}, nil},
	{"growth-is-not-forgotten", 0, nil, []string{"nothing is ready to fold"}, nil},
	{"growth-is-not-forgotten", 2, nil, []string{"nudges T1", "the context grew by 61,000 tokens"}, nil},
}

// notLooked are the cases without a step that a screen of a session shows: a
// table of counts, and the truncation by itself, which has a test of its own.
var notLooked = map[string]bool{"token-count-table": true, "emergency-truncate-numbers": true}

func TestScreensOfKernelCases(t *testing.T) {
	looked := map[string]bool{}
	for _, l := range looks {
		looked[l.name] = true
		t.Run(l.name, func(t *testing.T) {
			m := pressed(t, shownAt(t, l.name, l.step, 150, 60), l.keys)
			text := words(m)
			for _, want := range l.shows {
				if !strings.Contains(text, want) {
					t.Errorf("before step %d the screen does not show %q:\n%s", l.step, want, m.View())
				}
			}
			for _, no := range l.never {
				if strings.Contains(text, no) {
					t.Errorf("before step %d the screen shows %q:\n%s", l.step, no, m.View())
				}
			}
		})
	}
	files, err := filepath.Glob("../testdata/cases/kernel-*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d cases: %v", len(files), err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(file), "kernel-"), ".json")
		if looked[name] == notLooked[name] {
			t.Errorf("the screen of %s is looked at: %v", name, looked[name])
		}
	}
}

// TestShortenedOutputsAreSaid shows the case of the truncation as the turn
// that would run it.
func TestShortenedOutputsAreSaid(t *testing.T) {
	s := stageOf(t, "emergency-truncate-numbers", 0)
	m := pressed(t, opened(t, &s, s.run(96_000), 120, 50), []string{"4"})
	if n := len(m.shown().report.Truncation.IDs); n != 2 {
		t.Fatalf("%d outputs are shortened, want 2", n)
	}
	holds(t, m, "2 shortened, saves 9,967 tokens")
}

// TestAForkedTranscriptIsNotShownAsUncompressed opens the messages of the case
// as a transcript without a state, so that its calls are replayed.
func TestAForkedTranscriptIsNotShownAsUncompressed(t *testing.T) {
	s := stage{c: readKernelCase(t, "replay-compress-calls-after-fork")}
	s.k = kernel.New(s.c.Config, nil)
	var entries []kernel.Entry
	for _, m := range measured(s.c.Messages) {
		if m.Role == kernel.RoleAssistant { // each is a reply of its own
			entries = append(entries, kernel.Entry{Op: kernel.Reply})
		}
		if m.Type == kernel.ToolResult {
			m.Outcome, m.OutcomeBlocks = kernel.Succeeded, 1
		}
		entries = append(entries, kernel.Entry{Op: kernel.Append, Message: m})
	}
	m := pressed(t, opened(t, &s, s.k.Advance(s.k.Start(), kernel.Change{Entries: entries}), 120, 40), []string{"6", "g"})
	text := words(m)
	for _, want := range []string{"2 active of 2", "folded in b1", "folded in b2"} {
		if !strings.Contains(text, want) {
			t.Errorf("the screen does not show %q:\n%s", want, m.View())
		}
	}
}
