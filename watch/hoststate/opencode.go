package hoststate

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"time"

	"ctxscope/kernel"
)

// openBlock is a block as the opencode plugins write it. Their ids are plain
// numbers.
type openBlock struct {
	ID                  int           `json:"blockId"`
	Run                 int           `json:"runId"`
	Active              bool          `json:"active"`
	Tier                kernel.Tier   `json:"tier"`
	Topic               *string       `json:"topic"`
	Summary             string        `json:"summary"`
	StartID             string        `json:"startId"`
	EndID               string        `json:"endId"`
	CompressCallID      string        `json:"compressCallId"`
	ConsumedBlockIDs    []int         `json:"consumedBlockIds"`
	DirectMessageIDs    []string      `json:"directMessageIds"`
	EffectiveMessageIDs []string      `json:"effectiveMessageIds"`
	CompressedTokens    kernel.Tokens `json:"compressedTokens"`
	CreatedAt           float64       `json:"createdAt"`
}

// parseOpencode makes a kernel state of what the opencode plugin keeps, or of
// what its ancestor keeps. It has no memory of the tier shown last.
func parseOpencode(f fields) State {
	s := State{Kind: OpencodeACP, Counting: "whole opencode messages"}
	if f.object("messageIds") == nil {
		s.Kind = OpencodeDCP
	}
	prune := f.object("prune").object("messages")
	refs, stats := f.object("messageIds"), f.object("stats")
	s.Pruned = max(0, get[kernel.Tokens](stats, "totalPruneTokens"))
	s.Title, s.Model = get[string](f, "sessionName"), get[string](f, "modelID")
	s.Window = max(0, get[kernel.Tokens](f, "modelContextLimit"))
	if saved, err := time.Parse(time.RFC3339, get[string](f, "lastUpdated")); err == nil {
		s.Saved = saved.UnixMilli()
	}
	blocks, runs, notes := openBlocks(prune)
	s.Notes = notes
	state := fields{}
	state.put("blocks", blocks)
	state.put("messageRefs", map[string]fields{"byRaw": refs.object("byRawId"), "byRef": refs.object("byRef")})
	state.put("nudge", openNudge(f.object("nudges")))
	state.put("stats", map[string]any{"tokensCompressed": s.Pruned, "compressionCount": runs})
	state.put("nextBlockId", max(1, get[int](prune, "nextBlockId")))
	state.put("nextRunId", max(1, get[int](prune, "nextRunId")))
	s.take(state)
	return s
}

// openBlocks makes kernel blocks, in the order of their numbers, and counts the
// calls that made them.
func openBlocks(prune fields) (blocks []kernel.Block, runs int, notes []string) {
	active := map[int]bool{}
	for _, id := range get[[]int](prune, "activeBlockIds") {
		active[id] = true
	}
	made := map[int]bool{}
	byID := prune.object("blocksById")
	numbers := slices.SortedFunc(maps.Keys(byID), func(a, b string) int {
		m, _ := strconv.Atoi(a)
		n, _ := strconv.Atoi(b)
		return cmp.Or(cmp.Compare(m, n), cmp.Compare(a, b))
	})
	blocks = []kernel.Block{}
	for _, key := range numbers {
		var b openBlock
		if err := json.Unmarshal(byID[key], &b); err != nil {
			notes = append(notes, "block "+strconv.Quote(key)+" is damaged and left out")
			continue
		}
		if b.ID == 0 {
			b.ID, _ = strconv.Atoi(key)
		}
		made[b.Run] = true
		blocks = append(blocks, b.kernel(prune["activeBlockIds"] == nil && b.Active || active[b.ID]))
	}
	return blocks, len(made), notes
}

func (b openBlock) kernel(active bool) kernel.Block {
	out := kernel.Block{
		ID: "b" + strconv.Itoa(b.ID), RunID: "r" + strconv.Itoa(b.Run), Tier: max(1, min(b.Tier, 3)), Topic: b.Topic, Summary: b.Summary,
		DirectMessageIDs: b.DirectMessageIDs, EffectiveMessageIDs: b.EffectiveMessageIDs, DirectBlockIDs: []string{},
		CompressedTokens: b.CompressedTokens, CreatedAt: int64(b.CreatedAt), Generation: "young", Active: active,
		CompressCallID: b.CompressCallID, StartRef: b.StartID, EndRef: b.EndID,
	}
	for _, id := range b.ConsumedBlockIDs {
		out.DirectBlockIDs = append(out.DirectBlockIDs, "b"+strconv.Itoa(id))
	}
	return out
}

// openNudge makes the stamps. One that is not there was never set.
func openNudge(nudges fields) fields {
	out := fields{}
	for _, name := range []string{"lastPerMessageNudgeTokens", "lastNudgeShownTokens"} {
		if raw := nudges[name]; raw != nil {
			out[name] = raw
		}
	}
	tiers := fields{}
	for tier, name := range map[string]string{"2": "lastTier2NudgeTokens", "3": "lastTier3NudgeTokens"} {
		if raw := nudges[name]; raw != nil && string(raw) != "null" {
			tiers[tier] = raw
		}
	}
	if len(tiers) > 0 {
		out.put("lastShownByTier", tiers)
	}
	return out
}
