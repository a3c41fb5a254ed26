package kernel

import (
	"encoding/json"
	"fmt"
	"strings"
)

func runNudge(in nudgeInput) (any, error) {
	log := messagesOf(in.Messages)
	decision, stamps, err := adaptDecide(in, log)
	if err != nil {
		return nil, err
	}
	recorded, err := decisionAsRecorded(decision)
	if err != nil {
		return nil, err
	}
	if err := leaveOutAbsent(recorded, "compressibleRanges", in.RecommendedRanges); err != nil {
		return nil, err
	}
	if err := leaveOutAbsent(recorded, "protectedRanges", in.ProtectedRanges); err != nil {
		return nil, err
	}
	return object{"decision": recorded, "nudge": stamps}, nil
}

// decisionAsRecorded writes a decision without what the reference does not
// tell: band, gates and the way to the next nudge.
func decisionAsRecorded(d Decision) (object, error) {
	var recorded object
	if err := recode(d, &recorded); err != nil {
		return nil, err
	}
	for _, key := range []string{"band", "firstSight", "gates", "nextSlot", "tokensToNudge", "growthReferenceFrom"} {
		if _, ok := recorded[key]; !ok {
			return nil, fmt.Errorf("a decision has no %s", key)
		}
		delete(recorded, key)
	}
	return recorded, nil
}

// leaveOutAbsent takes keys out of the ranges under key that the given ranges
// do not have: a decision passes ranges on as it got them.
func leaveOutAbsent[T any](recorded object, key string, given []T) error {
	var keys []object
	if err := recode(given, &keys); err != nil {
		return err
	}
	ranges, ok := recorded[key].([]any)
	if !ok || len(ranges) != len(given) {
		return fmt.Errorf("%s: want %d ranges, got %s", key, len(given), short(recorded[key]))
	}
	for i := range ranges {
		for name := range ranges[i].(object) {
			if _, ok := keys[i][name]; !ok {
				delete(ranges[i].(object), name)
			}
		}
	}
	return nil
}

// recode writes value as JSON and reads it into target.
func recode(value, target any) error {
	data, err := encodePlain(value)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, target)
}

// A workedNudge is one row of the worked decisions.
type workedNudge struct {
	ID   int             `json:"id"`
	Name string          `json:"name"`
	In   json.RawMessage `json:"in"`
	New  json.RawMessage `json:"NEW"`
	P41  json.RawMessage `json:"P41"` // an older behaviour, for reading only
}

func workedNudgeCases(vectors []workedNudge) ([]referenceCase, error) {
	cases := make([]referenceCase, 0, len(vectors))
	for _, v := range vectors {
		if len(v.In) == 0 || len(v.New) == 0 {
			return nil, fmt.Errorf("row %d has no in or no NEW", v.ID)
		}
		name := fmt.Sprintf("%d %s", v.ID, v.Name)
		cases = append(cases, referenceCase{Name: name, Input: v.In, Expected: v.New})
	}
	return cases, nil
}

type workedInput struct {
	Config     json.RawMessage `json:"config"`
	State      json.RawMessage `json:"state"`
	TokenCount Tokens          `json:"tokenCount"`
	T1Eff      Tokens          `json:"t1Eff"`
	T1         []Tokens        `json:"t1"`
	T2         []Tokens        `json:"t2"`
}

func runWorkedNudge(in workedInput) (any, error) {
	config := Default(0)
	if err := decodeStrict(in.Config, &config); err != nil {
		return nil, err
	}
	full := nudgeInput{TokenCount: in.TokenCount, Config: config, Nudge: in.State}
	if in.T1Eff > 0 {
		chars := Chars(config.Compress.MinCompressRange)
		full.RecommendedRanges = []vectorRange{{
			StartRef: "m00001", EndRef: "m00040", Count: 40, Tokens: in.T1Eff, Chars: &chars,
		}}
	}
	for i, tokens := range append(append([]Tokens{}, in.T1...), in.T2...) {
		block := vectorBlock{
			BlockID: fmt.Sprintf("b%d", i+1), RunID: fmt.Sprintf("r%d", i+1), Tier: 1, Active: true,
			Summary: strings.Repeat("abcd", int(tokens)), Generation: "young",
		}
		if i >= len(in.T1) {
			block.Tier = 2
		}
		full.Blocks = append(full.Blocks, block)
	}
	decision, stamps, err := adaptDecide(full, nil)
	if err != nil {
		return nil, err
	}
	state := object{}
	if err := recode(stamps, &state); err != nil {
		return nil, err
	}
	delete(state, "baselineTokens")
	delete(state, "anchors")
	if state["lastInjectedTier"] == nil {
		delete(state, "lastInjectedTier")
	}
	return object{"tier": decision.Tier, "reason": decision.Reason, "state": state}, nil
}

type sequenceInput struct {
	Config   Config          `json:"config"`
	Messages []vectorMessage `json:"messages"`
	State    vectorState     `json:"state"`
	Steps    []struct {
		TokenCount Tokens          `json:"tokenCount"`
		Append     []vectorMessage `json:"append"`
		Apply      *Call           `json:"apply"`
	} `json:"steps"`
}

func runNudgeSequence(in sequenceInput) (any, error) {
	log := messagesOf(in.Messages)
	k := New(in.Config, nil)
	state, err := adaptState(in.State)
	if err != nil {
		return nil, err
	}
	steps := []object{}
	for _, step := range in.Steps {
		more := messagesOf(step.Append)
		log = append(log, more...)
		next, report, _ := k.Turn(state, log, step.TokenCount)
		state = next
		got, err := turnAsRecorded(state, report)
		if err != nil {
			return nil, err
		}
		got["decision"] = got["nudge"]
		got["nudge"] = got["nudgeState"]
		delete(got, "nudgeState")
		delete(got, "hiddenOrphanRefs")
		if step.Apply != nil {
			next, verdict := k.Execute(state, log, *step.Apply, nil)
			state = next
			if got["applied"], err = appliedAsRecorded(state, verdict); err != nil {
				return nil, err
			}
		}
		steps = append(steps, got)
	}
	return object{"steps": steps}, nil
}

func appliedAsRecorded(state State, verdict Verdict) (object, error) {
	result, err := resultAsRecorded(verdict)
	if err != nil {
		return nil, err
	}
	saved, err := savedOf(state)
	return object{"result": result, "nudge": saved.Nudge}, err
}
