package kernel

import (
	"encoding/json"
	"fmt"
)

type boundariesInput struct {
	Messages []vectorMessage `json:"messages"`
	State    vectorState     `json:"state"`
	Queries  []struct {
		StartRef string `json:"startRef"`
		EndRef   string `json:"endRef"`
	} `json:"queries"`
}

// vectorResolved is what two refs come to: a stretch of the list, or why not.
type vectorResolved struct {
	OK                bool      `json:"ok"`
	StartIndex        *int      `json:"startIndex,omitempty"`
	EndIndex          *int      `json:"endIndex,omitempty"`
	MessageIDs        *[]string `json:"messageIds,omitempty"`
	NestedBlockIDs    *[]string `json:"nestedBlockIds,omitempty"`
	BoundaryKind      string    `json:"boundaryKind,omitempty"`
	SnappedBoundaries *[]string `json:"snappedBoundaries,omitempty"`
	ReversedNote      string    `json:"reversedNote,omitempty"`
	Kind              string    `json:"kind,omitempty"`
	Endpoint          string    `json:"endpoint,omitempty"`
	Message           string    `json:"message,omitempty"`
}

func runBoundaries(in boundariesInput) (any, error) {
	log := messagesOf(in.Messages)
	got := []vectorResolved{}
	for _, query := range in.Queries {
		resolved, err := adaptResolve(log, in.State, query.StartRef, query.EndRef)
		if err != nil {
			return nil, err
		}
		got = append(got, resolved)
	}
	return got, nil
}

type pairsQuery struct {
	Op         string   `json:"op"`
	StartIndex int      `json:"startIndex"`
	EndIndex   int      `json:"endIndex"`
	FoldedIDs  []string `json:"foldedIds"`
}

type pairsInput struct {
	Messages []vectorMessage `json:"messages"`
	Queries  []pairsQuery    `json:"queries"`
}

func runPairs(in pairsInput) (any, error) {
	log := messagesOf(in.Messages)
	got := []any{}
	for _, query := range in.Queries {
		answer, err := runPairsQuery(log, query)
		if err != nil {
			return nil, err
		}
		got = append(got, answer)
	}
	return got, nil
}

func runPairsQuery(log []Message, query pairsQuery) (any, error) {
	switch query.Op {
	case "toolPairs":
		start, end, err := adaptToolPairs(log, query.StartIndex, query.EndIndex)
		return object{"startIndex": start, "endIndex": end}, err
	case "reasoningPairs":
		start, end, err := adaptReasoningPairs(log, query.StartIndex, query.EndIndex)
		return object{"startIndex": start, "endIndex": end}, err
	case "turnGroups":
		groups, err := adaptTurnGroups(log)
		return list(groups), err
	case "withdrawals":
		withdrawn, turns, pairs, err := adaptWithdrawals(log, query.FoldedIDs)
		return object{"withdrawn": list(withdrawn), "splitTurnCount": turns, "splitPairCount": pairs}, err
	}
	return nil, fmt.Errorf("op %q is unknown", query.Op)
}

type viewInput struct {
	Messages           []vectorMessage `json:"messages"`
	State              vectorState     `json:"state"`
	PromotionThreshold int             `json:"promotionThreshold"`
}

func runPrune(in viewInput) (any, error) {
	log := messagesOf(in.Messages)
	pruned, err := adaptPrune(log, in.State)
	if err != nil {
		return nil, err
	}
	texts := make(map[string]string, len(in.Messages))
	for _, m := range in.Messages {
		texts[m.ID] = m.Text
	}
	summaries := map[string]string{}
	for i := range pruned {
		m := &pruned[i]
		if renderedBlock(m) == "" {
			continue
		}
		summaries[m.ID] = m.Text
		if m.Text == "" {
			summaries[m.ID] = texts[m.ID]
		}
	}
	return object{"ids": idsOf(pruned), "summaries": summaries}, nil
}

func runSync(in viewInput) (any, error) {
	log := messagesOf(in.Messages)
	blocks, deactivated, err := adaptSync(log, in.State, in.PromotionThreshold)
	rows := []object{}
	for _, b := range blocks {
		rows = append(rows, object{
			"blockId": b.ID, "active": b.Active, "survivedCount": b.SurvivedCount, "generation": b.Generation,
		})
	}
	return object{"blocks": rows, "deactivated": list(deactivated)}, err
}

func runHide(in viewInput) (any, error) {
	log := messagesOf(in.Messages)
	kept, hidden, orphans, err := adaptHide(log, in.State)
	if err != nil {
		return nil, err
	}
	rewritten := map[string]string{}
	for i := range kept {
		for _, m := range in.Messages {
			if m.ID == kept[i].ID && kept[i].KeepsText() && kept[i].Text != m.Text {
				rewritten[m.ID] = kept[i].Text
			}
		}
	}
	return object{
		"ids": idsOf(kept), "hidden": hidden, "hiddenOrphanRefs": list(orphans), "rewritten": rewritten,
	}, nil
}

type nudgeInput struct {
	TokenCount        Tokens           `json:"tokenCount"`
	Config            Config           `json:"config"`
	Nudge             json.RawMessage  `json:"nudge"`
	Blocks            []vectorBlock    `json:"blocks"`
	MessageRefs       vectorRefs       `json:"messageRefs"`
	Messages          []vectorMessage  `json:"messages"`
	RecommendedRanges []vectorRange    `json:"recommendedRanges"`
	ProtectedRanges   []map[string]any `json:"protectedRanges"`
}
