package kernel

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
)

// MarshalJSON writes the stamps that are set.
func (t TierStamps) MarshalJSON() ([]byte, error) {
	out := map[string]Tokens{}
	for tier := 1; tier <= 3; tier++ {
		if t[tier] != 0 {
			out[strconv.Itoa(tier)] = t[tier]
		}
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads an object of stamps.
func (t *TierStamps) UnmarshalJSON(data []byte) error {
	var in map[string]Tokens
	if err := json.Unmarshal(data, &in); err != nil {
		return err
	}
	*t = TierStamps{}
	for tier := 1; tier <= 3; tier++ {
		t[tier] = in[strconv.Itoa(tier)]
	}
	return nil
}

// MarshalJSON writes null for no tier.
func (t Tier) MarshalJSON() ([]byte, error) {
	if t == 0 {
		return []byte("null"), nil
	}
	return strconv.AppendInt(nil, int64(t), 10), nil
}

type stateJSON struct {
	Blocks           []Block         `json:"blocks"`
	MessageRefs      messageRefs     `json:"messageRefs"`
	TokenSnapshot    json.RawMessage `json:"tokenSnapshot"`
	Nudge            NudgeState      `json:"nudge"`
	Stats            Stats           `json:"stats"`
	NextBlockID      int             `json:"nextBlockId"`
	NextRunID        int             `json:"nextRunId"`
	TerminalStreak   *int            `json:"terminalStreak,omitempty"`
	HiddenOrphanRefs []string        `json:"hiddenOrphanRefs,omitzero"`
	DeadRefs         []string        `json:"deadRefs,omitempty"`
	LastPassIDs      []string        `json:"lastPassIds,omitempty"`
}

type messageRefs struct {
	ByRaw map[string]string `json:"byRaw"`
	ByRef map[string]string `json:"byRef"`
}

// UnmarshalJSON reads a persisted state; a missing group has its default.
func (s *State) UnmarshalJSON(data []byte) error {
	in := stateJSON{Nudge: NudgeState{Anchors: map[string]any{}}, NextBlockID: 1, NextRunID: 1}
	if err := json.Unmarshal(data, &in); err != nil {
		return err
	}
	unknown := map[string]json.RawMessage{}
	if err := json.Unmarshal(data, &unknown); err != nil {
		return err
	}
	*s = NewState()
	if raw, ok := unknown["stats"]; ok {
		if err := json.Unmarshal(raw, &s.unknownStats); err != nil {
			return err
		}
		delete(s.unknownStats, "tokensCompressed")
		delete(s.unknownStats, "compressionCount")
	}
	for _, name := range []string{
		"blocks", "messageRefs", "tokenSnapshot", "nudge", "stats", "nextBlockId", "nextRunId",
		"terminalStreak", "hiddenOrphanRefs", "deadRefs", "lastPassIds",
	} {
		delete(unknown, name)
	}
	s.nudge, s.stats = in.Nudge, in.Stats
	s.nextBlock, s.nextRun = in.NextBlockID, in.NextRunID
	s.terminalStreak, s.hiddenOrphanRefs, s.deadRefs = in.TerminalStreak, in.HiddenOrphanRefs, in.DeadRefs
	s.lastPass, s.unknown = in.LastPassIDs, unknown
	if in.TokenSnapshot != nil {
		s.tokenSnapshot = in.TokenSnapshot
	}
	x := newIndex(&rules{}, len(in.MessageRefs.ByRaw))
	x.loadRefs(in.MessageRefs)
	for _, b := range in.Blocks {
		s.blocks = append(s.blocks, x.stand(b))
	}
	s.refs = x.lookup()
	return nil
}

// stand makes a standing block of a loaded one.
func (x *index) stand(b Block) standing {
	s := standing{Block: &b, active: b.Active, survived: b.SurvivedCount}
	for _, id := range b.EffectiveMessageIDs {
		s.covers = append(s.covers, x.number(id))
	}
	return s
}

// loadRefs takes over persisted refs. Where one map lacks what the other has,
// both are believed.
func (x *index) loadRefs(in messageRefs) {
	byRef := map[int32]string{}
	for _, id := range slices.Sorted(maps.Keys(in.ByRaw)) {
		n := x.number(id)
		facts := *x.ids.at(int(n))
		if in.ByRaw[id] == BlockedRef {
			facts.ref = refBlocked
		} else if number, ok := refNumber(in.ByRaw[id]); ok {
			facts.ref = number
			byRef[number] = id
		}
		x.ids.set(int(n), facts)
	}
	for ref, id := range in.ByRef {
		if number, ok := refNumber(ref); ok {
			byRef[number] = id
		}
	}
	for _, number := range slices.Sorted(maps.Keys(byRef)) {
		x.refs.push(refEntry{number, x.number(byRef[number])})
	}
}

// MarshalJSON writes the state as hosts persist it.
func (s State) MarshalJSON() ([]byte, error) {
	out := stateJSON{
		Blocks: make([]Block, len(s.blocks)), MessageRefs: messageRefs{map[string]string{}, map[string]string{}},
		TokenSnapshot: s.tokenSnapshot, Nudge: s.nudge, Stats: s.stats, NextBlockID: s.nextBlock, NextRunID: s.nextRun,
		TerminalStreak: s.terminalStreak, HiddenOrphanRefs: s.hiddenOrphanRefs, DeadRefs: s.deadRefs, LastPassIDs: s.passIDs(),
	}
	for i := range s.blocks {
		out.Blocks[i] = s.block(i)
	}
	if s.refs != nil {
		s.refs.writeRefs(out.MessageRefs)
	}
	return mergeJSON(out, s.unknown, s.unknownStats)
}

// passIDs are the inbound ids of the last turn.
func (s State) passIDs() []string {
	if s.passed.n == 0 {
		return s.lastPass
	}
	ids := make([]string, s.passed.n)
	for i := range ids {
		ids[i] = s.passed.At(i).ID
	}
	return ids
}

func (l *lookup) writeRefs(out messageRefs) {
	for i := range l.ids.Len() {
		if ref := l.ids.At(i).ref; ref != 0 {
			out.ByRaw[*l.name.At(i)] = formatRef(ref)
		}
	}
	for i := range l.refs.Len() {
		entry := l.refs.At(i)
		out.ByRef[formatRef(entry.number)] = *l.name.At(int(entry.id))
	}
}

// mergeJSON adds the fields that the kernel carries without knowing them.
func mergeJSON(out stateJSON, unknown, unknownStats map[string]json.RawMessage) ([]byte, error) {
	data, err := json.Marshal(out)
	if err != nil || len(unknown) == 0 && len(unknownStats) == 0 {
		return data, err
	}
	fields := map[string]json.RawMessage{}
	if err := json.Unmarshal(data, &fields); err != nil {
		return nil, err
	}
	maps.Copy(fields, unknown)
	if len(unknownStats) > 0 {
		stats := map[string]json.RawMessage{}
		if err := json.NewDecoder(bytes.NewReader(fields["stats"])).Decode(&stats); err != nil {
			return nil, err
		}
		maps.Copy(stats, unknownStats)
		if fields["stats"], err = json.Marshal(stats); err != nil {
			return nil, err
		}
	}
	return json.Marshal(fields)
}
