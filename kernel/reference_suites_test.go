package kernel

import (
	"encoding/json"
	"fmt"
)

// A suiteRunner says where the kernel's answer to one input first differs from
// what the reference answered, or nil.
type suiteRunner func(input, expected json.RawMessage) error

// referenceSuites names every suite that can be run.
var referenceSuites = map[string]suiteRunner{
	"refs":            suiteOf(runRefs),
	"tokens":          suiteOf(runTokens),
	"protected-zone":  suiteOf(runProtectedZone),
	"ranges":          suiteOf(runRanges),
	"batches":         suiteOf(runBatches),
	"viable":          suiteOf(runViable),
	"pending-by-tier": suiteOf(runPending),
	"nudge":           suiteOf(runNudge),
	"worked-nudge":    suiteOf(runWorkedNudge),
	"nudge-sequences": suiteOf(runNudgeSequence),
	"boundaries":      suiteOf(runBoundaries),
	"pairs":           suiteOf(runPairs),
	"prune":           suiteOf(runPrune),
	"sync":            suiteOf(runSync),
	"hide":            suiteOf(runHide),
	"apply":           suiteOf(runApply),
	"session":         suiteOf(runSession),
}

// suiteOf makes a runner of a function from a case's input to its whole
// answer. An input key that the function does not know fails.
func suiteOf[In any](run func(In) (any, error)) suiteRunner {
	return func(input, expected json.RawMessage) error {
		var in In
		if err := decodeStrict(input, &in); err != nil {
			return fmt.Errorf("input: %w", err)
		}
		got, err := run(in)
		if err != nil {
			return err
		}
		return compare(expected, got)
	}
}

// object is a JSON object made by hand.
type object = map[string]any

type refsInput struct {
	Op          string            `json:"op"`
	Index       float64           `json:"index"`
	Ref         string            `json:"ref"`
	ByRaw       map[string]string `json:"byRaw"`
	Messages    []vectorMessage   `json:"messages"`
	Config      Config            `json:"config"`
	MessageRefs vectorRefs        `json:"messageRefs"`
}

func runRefs(in refsInput) (any, error) {
	switch in.Op {
	case "indexToRef":
		ref, err := adaptIndexToRef(in.Index)
		if err != nil {
			return object{"error": err.Error()}, nil
		}
		return object{"ref": ref}, nil
	case "refToIndex":
		if index, ok := adaptRefToIndex(in.Ref); ok {
			return object{"index": index}, nil
		}
		return object{"index": nil}, nil
	case "parseBoundary":
		kind, number, raw, ok := adaptParseBoundary(in.Ref)
		if !ok {
			return object{"boundary": nil}, nil
		}
		return object{"boundary": object{"kind": kind, "numericId": number, "raw": raw}}, nil
	case "highestUsedIndex":
		index, err := adaptHighestUsedIndex(in.ByRaw)
		return object{"index": index}, err
	case "assignRefs":
		log := messagesOf(in.Messages)
		refs, next, assigned, err := adaptAssignRefs(in.Config, log, in.MessageRefs)
		return object{"messageRefs": refs, "nextIndex": next, "newlyAssigned": assigned}, err
	}
	return nil, fmt.Errorf("op %q is unknown", in.Op)
}

func runTokens(in vectorMessage) (any, error) {
	m := in.message()
	return object{"tokens": m.Size(), "chars": m.Chars}, nil
}

type zoneInput struct {
	Messages []vectorMessage `json:"messages"`
	Config   Config          `json:"config"`
	State    vectorState     `json:"state"`
	UseZone  *bool           `json:"useZone"`
}

func runProtectedZone(in zoneInput) (any, error) {
	log := messagesOf(in.Messages)
	got, err := adaptProtection(in.Config, log, in.State)
	return object{
		"protectedRefs":        list(got.zone),
		"neverPreserveRecent":  list(got.neverRecent),
		"protectedTools":       list(got.protected),
		"protectedToolsPaired": list(got.paired),
		"latestProtected":      list(got.latest),
	}, err
}

func runRanges(in zoneInput) (any, error) {
	log := messagesOf(in.Messages)
	got, err := adaptRanges(in.Config, log, in.State, *in.UseZone)
	return object{
		"compressible":      list(got.ranges),
		"protected":         list(got.protected),
		"recommendedRanges": list(got.batches),
		"viableRecommended": list(got.viable),
	}, err
}

type batchesInput struct {
	Ranges   []vectorRange `json:"ranges"`
	MinChars int           `json:"minChars"`
}

func runBatches(in batchesInput) (any, error) {
	batches, err := adaptBatches(in.Ranges, in.MinChars)
	return object{"ranges": list(batches)}, err
}

func runViable(in batchesInput) (any, error) {
	viable, err := adaptViable(in.Ranges)
	return object{"ranges": list(viable)}, err
}

type pendingInput struct {
	Blocks            []vectorBlock `json:"blocks"`
	RecommendedRanges []vectorRange `json:"recommendedRanges"`
	MinCompressRange  int           `json:"minCompressRange"`
}

func runPending(in pendingInput) (any, error) {
	pending, targets, err := adaptPending(in)
	got := object{}
	for tier := 1; tier <= 3; tier++ {
		got[fmt.Sprint(tier)] = object{"pending": pending[tier], "targetBlocks": list(targets[tier])}
	}
	return got, err
}

// list is items, or an empty list instead of none.
func list[T any](items []T) []T {
	if items == nil {
		return []T{}
	}
	return items
}
