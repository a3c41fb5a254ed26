package hoststate

import (
	"slices"
	"strings"
	"testing"

	"ctxscope/kernel"
)

func TestDamagedFieldsHaveTheirDefaultsAndANote(t *testing.T) {
	s, err := Parse([]byte(`{
		"blocks":[7,{"blockId":""},{"blockId":"b2","runId":"r2","tier":2,"summary":"s","active":true},{"blockId":"b3","tier":"x"}],
		"messageRefs":{"byRaw":{"a":"m00001","b":7},"byRef":[]},
		"nudge":{"lastNudgeShownTokens":"many","lastPerMessageNudgeTokens":1.5,"lastShownByTier":{"2":7},"lastInjectedTier":null,"more":1},
		"stats":{"tokensCompressed":5,"compressionCount":"x","own":true},
		"nextBlockId":"4","terminalStreak":{},"ahead":{"of":"its time"}}`))
	if err != nil {
		t.Fatal(err)
	}
	stamps := s.Kernel.Stamps()
	if stamps.Shown != 0 || stamps.Baseline != 1.5 || stamps.ShownByTier[2] != 7 || s.Kernel.Stats().TokensCompressed != 5 {
		t.Errorf("stamps %+v, stats %+v", stamps, s.Kernel.Stats())
	}
	if blocks := s.Kernel.Blocks(); len(blocks) != 1 || blocks[0].ID != "b2" || blocks[0].DirectMessageIDs == nil {
		t.Errorf("blocks %+v", blocks)
	}
	if refs := s.Kernel.Refs(); len(refs) != 1 || refs["a"] != "m00001" {
		t.Errorf("refs %v", refs)
	}
	want := []string{
		"block 1 of the list is damaged and left out", "block 2 of the list is damaged and left out", "block 4 of the list is damaged and left out",
		`byRaw of "b" is no string and left out`, "compressionCount of stats is of the wrong type and left out",
		"lastNudgeShownTokens of nudge is of the wrong type and left out", "nextBlockId is of the wrong type and left out",
		"terminalStreak is of the wrong type and left out",
	}
	got := slices.Sorted(slices.Values(s.Notes))
	if slices.Sort(want); !slices.Equal(got, want) {
		t.Errorf("notes %q\nwant %q", got, want)
	}
	written, err := s.Kernel.MarshalJSON()
	if err != nil || !strings.Contains(string(written), `"ahead":{"of":"its time"}`) {
		t.Errorf("what is not known is not carried: %s, %v", written, err)
	}
}

func TestWholeGroupsOfTheWrongType(t *testing.T) {
	s, err := Parse([]byte(`{"blocks":[],"messageRefs":[],"nudge":7,"stats":"x"}`))
	if err != nil || len(s.Notes) != 3 || len(s.Kernel.Blocks()) != 0 {
		t.Errorf("%q, %v", s.Notes, err)
	}
	s, err = Parse([]byte(`{"blocks":{},"messageRefs":{}}`))
	if err != nil || len(s.Notes) != 1 {
		t.Errorf("%q, %v", s.Notes, err)
	}
}

func TestOpencodeBlocks(t *testing.T) {
	s, err := Parse([]byte(`{"sessionName":"T","prune":{"messages":{"activeBlockIds":[10],"nextBlockId":11,"nextRunId":3,"blocksById":{
		"10":{"blockId":10,"runId":2,"tier":2,"active":true,"consumedBlockIds":[2],"effectiveMessageIds":["a","b"],"startId":"m0001","endId":"m0002","createdAt":1.5,"summary":"s"},
		"2":{"blockId":2,"runId":1,"tier":1,"active":true,"effectiveMessageIds":["a"]},"3":7}}},
		"nudges":{"lastPerMessageNudgeTokens":5,"lastTier2NudgeTokens":9,"lastTier3NudgeTokens":null},
		"messageIds":{"byRawId":{"a":"m0001","b":"m0002"},"byRef":{}},"stats":{"totalPruneTokens":77},"lastUpdated":"2026-01-05T10:00:30.000Z"}`))
	if err != nil {
		t.Fatal(err)
	}
	blocks := s.Kernel.Blocks()
	if len(blocks) != 2 || blocks[0].ID != "b2" || blocks[0].Active || blocks[1].ID != "b10" || !blocks[1].Active || blocks[1].Tier != 2 ||
		!slices.Equal(blocks[1].DirectBlockIDs, []string{"b2"}) || blocks[1].StartRef != "m0001" {
		t.Errorf("blocks %+v", blocks)
	}
	want := kernel.TierStamps{2: 9}
	if stamps := s.Kernel.Stamps(); stamps.Baseline != 5 || stamps.Shown != 0 || stamps.ShownByTier != want || stamps.LastInjectedTier != 0 {
		t.Errorf("stamps %+v", stamps)
	}
	if s.Pruned != 77 || s.Saved != 1767607230000 || s.Title != "T" || s.Kernel.Stats().CompressionCount != 2 || len(s.Notes) != 1 {
		t.Errorf("%+v, stats %+v", s, s.Kernel.Stats())
	}
	if refs := s.Kernel.Refs(); refs["b"] != "m00002" {
		t.Errorf("refs %v", refs)
	}
}

func TestProxyVersions(t *testing.T) {
	state := `"state":` + stateText(1)
	for name, text := range map[string]string{
		"3": `{"version":3,"savedAt":9,"id":"x|y","meta":{"title":"T","label":"k"},"stats":{"contextTokens":7},` + state + `,"messages":[{"id":"a","role":"user","contentType":"text","text":"hi"},{"id":"a"}]}`,
		"3 in an envelope": `{"version":3,"savedAt":9,"id":"x|y","payload":{"version":3,"id":"x|y","meta":{"title":"T"},"stats":{"contextTokens":7},` + state +
			`,"messages":[{"id":"a","role":"user","contentType":"text","text":"hi"},{"id":"a"}]}}`,
		"1": `{"version":1,"savedAt":9,"id":"x|y","label":"T","contextTokens":7,` + state + `}`,
	} {
		s, err := Parse([]byte(text))
		if err != nil || s.Kind != ProxySession || s.Session != "x|y" || s.Saved != 9 || s.Title != "T" || s.Context != 7 || len(s.Kernel.Blocks()) != 1 {
			t.Errorf("%s: %+v, %v", name, s, err)
		}
		if name != "1" && (len(s.Messages) != 1 || s.Messages[0].Tokens == 0 || len(s.Notes) != 1) {
			t.Errorf("%s: messages %+v, notes %q", name, s.Messages, s.Notes)
		}
	}
}
