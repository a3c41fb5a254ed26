package kernel

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"
)

// savedState is a state as a host finds it in its own file.
type savedState struct {
	Blocks           []Block         `json:"blocks"`
	MessageRefs      vectorRefs      `json:"messageRefs"`
	Nudge            json.RawMessage `json:"nudge"`
	Stats            json.RawMessage `json:"stats"`
	NextBlockID      int             `json:"nextBlockId"`
	NextRunID        int             `json:"nextRunId"`
	TerminalStreak   *int            `json:"terminalStreak"`
	HiddenOrphanRefs *[]string       `json:"hiddenOrphanRefs"`
	DeadRefs         *[]string       `json:"deadRefs"`
}

func savedOf(s State) (savedState, error) {
	var saved savedState
	err := recode(s, &saved)
	return saved, err
}

// turnAsRecorded writes what every record of a turn tells: nudge, nudgeState,
// hiddenOrphanRefs and, when they occur, the streak of stuck turns, the
// terminal floor and why nothing was shortened.
func turnAsRecorded(state State, report Report) (object, error) {
	saved, err := savedOf(state)
	if err != nil {
		return nil, err
	}
	decision, err := decisionAsRecorded(report.Nudge)
	if err != nil {
		return nil, err
	}
	got := object{"nudge": decision, "nudgeState": saved.Nudge, "hiddenOrphanRefs": saved.HiddenOrphanRefs}
	if saved.TerminalStreak != nil {
		got["terminalStreak"] = *saved.TerminalStreak
	}
	if report.Truncation.Skipped != "" {
		got["truncationSkipped"] = report.Truncation.Skipped
	}
	if report.Truncation.Terminal != "" {
		got["terminalEscape"] = object{
			"message":           report.Truncation.Terminal,
			"usage":             report.Nudge.ContextUsage,
			"tokenCount":        report.Used.Tokens,
			"modelContextLimit": report.Limit,
			"stuckEvents":       got["terminalStreak"],
		}
	}
	return got, nil
}

// resultAsRecorded writes what the reference's executor tells of a call.
func resultAsRecorded(v Verdict) (object, error) {
	var all, result object
	if err := recode(v, &all); err != nil {
		return nil, err
	}
	result = object{}
	for _, key := range []string{"blocksCreated", "tokensCompressed", "errors", "warnings", "notes"} {
		if value, ok := all[key]; ok {
			result[key] = value
		}
	}
	return result, nil
}

type applyInput struct {
	Messages []vectorMessage `json:"messages"`
	State    vectorState     `json:"state"`
	Config   applyConfig     `json:"config"`
	Calls    []struct {
		Ranges        []CallRange `json:"ranges"`
		ProtectedRefs *[]string   `json:"protectedRefs"`
	} `json:"calls"`
}

// applyConfig has the size gate a second time, outside its group, where no
// rule reads it.
type applyConfig struct {
	Config
	MinCompressRange *int `json:"minCompressRange"`
}

func runApply(in applyInput) (any, error) {
	log := messagesOf(in.Messages)
	k := New(in.Config.Config, nil)
	got := []object{}
	for i, call := range in.Calls {
		state, err := adaptState(in.State)
		if err != nil {
			return nil, err
		}
		before, err := savedOf(state)
		if err != nil {
			return nil, err
		}
		next, verdict := k.Execute(state, log, Call{Ranges: call.Ranges}, call.ProtectedRefs)
		if after, err := savedOf(state); err != nil || asJSON(after) != asJSON(before) {
			return nil, fmt.Errorf("call %d changed the state that it was given (%v)", i, err)
		}
		result, err := resultAsRecorded(verdict)
		if err != nil {
			return nil, err
		}
		changes, err := stateChanges(before, next)
		if err != nil {
			return nil, err
		}
		got = append(got, object{"result": result, "state": changes})
	}
	return got, nil
}

func stateChanges(before savedState, next State) (object, error) {
	after, err := savedOf(next)
	if err != nil {
		return nil, err
	}
	changed, err := changedBlocks(before.Blocks, after.Blocks)
	if err != nil {
		return nil, err
	}
	ids := []string{}
	for _, block := range after.Blocks {
		ids = append(ids, block.ID)
	}
	got := object{
		"blockIds": ids, "changedBlocks": changed, "nudge": after.Nudge, "stats": after.Stats,
		"nextBlockId": after.NextBlockID, "nextRunId": after.NextRunID,
	}
	if after.TerminalStreak != nil {
		got["terminalStreak"] = *after.TerminalStreak
	}
	if after.HiddenOrphanRefs != nil {
		got["hiddenOrphanRefs"] = *after.HiddenOrphanRefs
	}
	if after.DeadRefs != nil {
		got["deadRefs"] = *after.DeadRefs
	}
	return got, nil
}

type sessionInput struct {
	Config json.RawMessage `json:"config"`
	Host   string          `json:"host"`
	Turns  []sessionTurn   `json:"turns"`
}

type sessionTurn struct {
	Append     []vectorMessage `json:"append"`
	Remove     []string        `json:"remove"`
	TokenCount Tokens          `json:"tokenCount"`
	Compress   []Call          `json:"compress"`
	Full       bool            `json:"full"`
	WantIDs    bool            `json:"wantIds"`
}

func runSession(in sessionInput) (any, error) {
	return runSessionThrough(in, func(s State) (State, error) { return s, nil })
}

// runSessionThrough runs a session; the state goes through a function before
// each turn and each call.
func runSessionThrough(in sessionInput, through func(State) (State, error)) (any, error) {
	var config Config
	if err := decodeStrict(in.Config, &config); err != nil {
		return nil, err
	}
	if in.Host != "full-log" && in.Host != "pruned-view" {
		return nil, fmt.Errorf("host %q is unknown", in.Host)
	}
	k := New(config, nil)
	state, err := adaptState(vectorState{})
	if err != nil {
		return nil, err
	}
	var log []Message
	turns := []object{}
	for _, turn := range in.Turns {
		more := messagesOf(turn.Append)
		log = without(append(log[:len(log):len(log)], more...), turn.Remove)
		if state, err = through(state); err != nil {
			return nil, err
		}
		next, report, out := k.Turn(state, log, turn.TokenCount)
		sent := out.Messages()
		state = next
		got, err := sessionTurnAsRecorded(turn, state, report, sent)
		if err != nil {
			return nil, err
		}
		if in.Host == "pruned-view" {
			log = sent
		}
		if state, err = sessionCompress(k, state, log, turn.Compress, got, through); err != nil {
			return nil, err
		}
		turns = append(turns, got)
	}
	return object{"turns": turns}, nil
}

// without is the log less the messages of those ids.
func without(log []Message, ids []string) []Message {
	gone := make(map[string]bool, len(ids))
	for _, id := range ids {
		gone[id] = true
	}
	kept := make([]Message, 0, len(log))
	for _, m := range log {
		if !gone[m.ID] {
			kept = append(kept, m)
		}
	}
	return kept
}

func sessionTurnAsRecorded(turn sessionTurn, state State, report Report, sent []Message) (object, error) {
	got, err := turnAsRecorded(state, report)
	if err != nil {
		return nil, err
	}
	saved, err := savedOf(state)
	if err != nil {
		return nil, err
	}
	if got["terminalStreak"] == 0 {
		delete(got, "terminalStreak")
	}
	if len(report.Truncation.IDs) > 0 {
		got["truncatedIds"] = report.Truncation.IDs
	}
	got["messageRefs"] = object{"byRaw": len(saved.MessageRefs.ByRaw), "byRef": len(saved.MessageRefs.ByRef)}
	ids := idsOf(sent)
	pruned := object{
		"count": len(ids), "sha256": fmt.Sprintf("%x", sha256.Sum256([]byte(strings.Join(ids, "\n")))),
	}
	if turn.WantIDs {
		pruned["ids"] = ids
	}
	got["pruned"] = pruned
	if turn.Full {
		got["blocks"] = blockRows(saved.Blocks)
	} else {
		delete(got["nudge"].(object), "activeBlockSpans")
		delete(got["nudge"].(object), "protectedRanges")
	}
	return got, nil
}

// blockRows is the short form of blocks: id, tier, active as 1 or 0, survived
// turns, generation.
func blockRows(blocks []Block) [][]any {
	rows := [][]any{}
	for _, b := range blocks {
		active := 0
		if b.Active {
			active = 1
		}
		rows = append(rows, []any{b.ID, b.Tier, active, b.SurvivedCount, b.Generation})
	}
	return rows
}

// sessionCompress applies the calls of a turn in order and records them in
// got.
func sessionCompress(
	k *Kernel, state State, log []Message, calls []Call, got object, through func(State) (State, error),
) (State, error) {
	var records []object
	for _, call := range calls {
		var err error
		if state, err = through(state); err != nil {
			return state, err
		}
		before, err := savedOf(state)
		if err != nil {
			return state, err
		}
		next, verdict := k.Execute(state, log, call, nil)
		state = next
		record, err := stateChanges(before, state)
		if err != nil {
			return state, err
		}
		if record["result"], err = resultAsRecorded(verdict); err != nil {
			return state, err
		}
		record["nudgeState"] = record["nudge"]
		for _, key := range []string{"nudge", "blockIds", "terminalStreak", "hiddenOrphanRefs", "deadRefs"} {
			delete(record, key)
		}
		records = append(records, record)
	}
	if records != nil {
		got["compress"] = records
	}
	return state, nil
}
