package kernel

import (
	"encoding/json"
	"testing"
)

// saved writes a state and reads it again, as a host does over a restart.
func saved(s State) (State, error) {
	data, err := json.Marshal(s)
	if err != nil {
		return s, err
	}
	var again State
	if err := json.Unmarshal(data, &again); err != nil {
		return s, err
	}
	return again, compare(data, again)
}

// TestSessionsOverRestarts saves and loads the state before every turn and
// every call: the saved form holds all that decisions depend on.
func TestSessionsOverRestarts(t *testing.T) {
	names, cases := sessionCases(t)
	for i, c := range cases {
		t.Run(names[i], func(t *testing.T) {
			var in sessionInput
			if err := decodeStrict(c.Input, &in); err != nil {
				t.Fatal(err)
			}
			got, err := runSessionThrough(in, saved)
			if err != nil {
				t.Fatal(err)
			}
			if err := compare(c.Expected, got); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestUnknownFieldsOfAStateAreKept runs a turn and a call over a state that a
// newer host has saved.
func TestUnknownFieldsOfAStateAreKept(t *testing.T) {
	const given = `{"blocks":[],"messageRefs":{"byRaw":{},"byRef":{}},"rules":[{"id":"x","text":"y"}],` +
		`"stats":{"tokensCompressed":0,"compressionCount":0,"storedCount":7},"futureField":{"a":[1,2]}}`
	var s State
	if err := json.Unmarshal([]byte(given), &s); err != nil {
		t.Fatal(err)
	}
	config := Default(200000)
	config.Compress.MinCompressRange, config.PreserveRecentMessages, config.PreserveRecentTokens = 0, 0, 0
	k := New(config, nil)
	log := messagesOf([]vectorMessage{{ID: "a", Role: RoleAssistant, Text: "done"}, {ID: "b", Role: RoleAssistant, Text: "done"}})
	s, _, _ = k.Turn(s, log, 5000)
	s, verdict := k.Execute(s, log, Call{Ranges: []CallRange{{
		StartRef: "m00001", EndRef: "m00001", Summary: "a summary that is long enough for the executor to take it",
	}}}, nil)
	if !verdict.Ok() {
		t.Fatalf("the call was refused: %v", verdict.Errors)
	}
	var fields map[string]json.RawMessage
	if err := recode(s, &fields); err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{
		"rules":       `[{"id":"x","text":"y"}]`,
		"futureField": `{"a":[1,2]}`,
		"stats":       `{"tokensCompressed":1,"compressionCount":1,"storedCount":7}`,
	} {
		if err := compare([]byte(want), fields[key]); err != nil {
			t.Errorf("%s: %v", key, err)
		}
	}
}
