package kernel

import (
	"fmt"
	"testing"
)

// hostTurns runs a transcript as its host did: a turn over the whole list for
// each reply, and each compress call that the host took over the messages
// before it. The counts are those of the run that it is compared with.
type hostTurns struct {
	k      *Kernel
	counts List[TurnRecord]
	state  State
	log    []Message
	turns  []string
	folds  []string
}

func (h *hostTurns) run(journal []Entry) {
	for _, e := range journal {
		switch e.Op {
		case Append:
			h.log = append(h.log[:len(h.log):len(h.log)], e.Message)
			if e.Message.Type == ToolResult {
				h.result(e.Message)
			}
		case Replace:
			h.log = e.List
		case Reply:
			used := h.counts.At(len(h.turns)).Used
			state, report, out := h.k.Turn(h.state, h.log, used.Tokens)
			report.Turn, report.Used = len(h.turns)+1, used
			h.state = state
			h.turns = append(h.turns, asJSON([]any{report, idsOf(out.Messages())}))
		}
	}
}

// result carries the compress call of a result out, if it has one.
func (h *hostTurns) result(m Message) {
	for at := len(h.log) - 2; at >= 0; at-- {
		call := &h.log[at]
		if call.Type != ToolCall || call.ToolCallID != m.ToolCallID {
			continue
		}
		if call.ToolName != "compress" {
			return
		}
		parsed, _ := ParseCall(call.Text, call.ToolCallID)
		state, verdict := h.k.Execute(h.state, h.log[:at], parsed, nil)
		if m.Outcome == Succeeded {
			h.state = state
		}
		h.folds = append(h.folds, asJSON(verdict))
		return
	}
}

func TestATranscriptIsReplayedAsItsHostRanIt(t *testing.T) {
	folded, refused := 0, 0
	for c, config := range lawConfigs() {
		for _, seed := range []int64{1, 2, 3, oddSeeds, oddSeeds + 1, oddSeeds + 2} {
			t.Run(fmt.Sprintf("config %d seed %d", c, seed), func(t *testing.T) {
				journal := transcript(seed, 40)
				k := New(config, nil)
				var turns, verdicts []string
				run := k.Start()
				for from := 0; from < len(journal); {
					to := min(from+1+int(seed%7)*2, len(journal))
					run = k.AdvanceEach(run, Change{Keep: from, Entries: journal[from:to]}, func(step Step) {
						if step.Fold != nil {
							if step.Fold.Applied && step.Fold.Verdict.Ok() {
								folded++
							} else {
								refused++
							}
							verdicts = append(verdicts, asJSON(step.Fold.Verdict))
							return
						}
						turns = append(turns, asJSON([]any{step.Report(), step.Sent()}))
					})
					from = to
				}
				host := &hostTurns{k: k, counts: run.Turns(), state: NewState()}
				host.run(journal)
				sameSteps(t, history{host.turns, host.folds}, history{turns, verdicts}, false)
			})
		}
	}
	if folded < 50 || refused < 50 {
		t.Errorf("%d calls folded and %d did not; many of both must occur", folded, refused)
	}
}
