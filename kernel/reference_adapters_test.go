package kernel

import (
	"encoding/json"
	"errors"
	"math"
)

// The suites ask the kernel through these functions only: plain inputs, plain
// answers.

var errNotWired = errors.New("not wired")

type hostState = json.RawMessage

// wholeAndFraction parts a count that a host gives. The kernel counts whole
// tokens; the fraction, which no provider reports, is kept apart.
func wholeAndFraction(count float64) (whole, fraction float64) {
	whole = math.Floor(count)
	if count <= 0 {
		return whole, 0
	}
	return whole, count - whole
}

func adaptIndexToRef(index float64) (string, error) { return indexToRef(index) }

func adaptRefToIndex(ref string) (int, bool) {
	number, ok := refNumber(ref)
	return int(number), ok
}

func adaptParseBoundary(ref string) (kind string, number int, raw string, ok bool) {
	b, ok := parseBoundary(ref)
	kind = "message"
	if b.block {
		kind = "block"
	}
	return kind, int(b.number), b.text, ok
}

func adaptHighestUsedIndex(map[string]string) (int, error) { return 0, errNotWired }

func adaptAssignRefs(Config, []Message, vectorRefs) (refs vectorRefs, next, assigned int, err error) {
	return vectorRefs{}, 0, 0, errNotWired
}

// protection is, in message order, the ids for which each rule holds; zone is
// refs in ascending order.
type protection struct{ zone, neverRecent, protected, paired, latest []string }

func adaptProtection(Config, []Message, vectorState) (protection, error) {
	return protection{}, errNotWired
}

// foundRanges is what a turn finds to compress.
type foundRanges struct {
	ranges    []Range
	protected []ProtectedRange
	batches   []Range
	viable    []string // start refs
}

func adaptRanges(Config, []Message, vectorState, bool) (foundRanges, error) {
	return foundRanges{}, errNotWired
}

func adaptBatches([]vectorRange, int) ([]vectorRange, error) { return nil, errNotWired }

func adaptViable([]vectorRange) ([]vectorRange, error) { return nil, errNotWired }

// adaptPending gives tokens and target blocks by tier; index 0 is unused.
func adaptPending(pendingInput) (pending [4]Tokens, targets [4][]string, err error) {
	return pending, targets, errNotWired
}

func adaptDecide(nudgeInput, []Message) (Decision, NudgeState, error) {
	return Decision{}, NudgeState{}, errNotWired
}

func adaptResolve([]Message, vectorState, string, string) (vectorResolved, error) {
	return vectorResolved{}, errNotWired
}

func adaptToolPairs([]Message, int, int) (start, end int, err error) { return 0, 0, errNotWired }

func adaptReasoningPairs([]Message, int, int) (start, end int, err error) { return 0, 0, errNotWired }

func adaptTurnGroups([]Message) ([][]string, error) { return nil, errNotWired }

func adaptWithdrawals([]Message, []string) (withdrawn []string, turns, pairs int, err error) {
	return nil, 0, 0, errNotWired
}

func adaptPrune([]Message, vectorState) ([]Message, error) { return nil, errNotWired }

func adaptSync([]Message, vectorState, int) (blocks []Block, deactivated []string, err error) {
	return nil, nil, errNotWired
}

func adaptHide([]Message, vectorState) (kept []Message, hidden int, orphans []string, err error) {
	return nil, 0, nil, errNotWired
}

func adaptState(v vectorState) (hostState, error) { return v.json() }

func adaptTurn(*Kernel, hostState, []Message, Tokens) (hostState, Report, []Message, error) {
	return nil, Report{}, nil, errNotWired
}

func adaptExecute(*Kernel, hostState, []Message, Call, *[]string) (hostState, Verdict, error) {
	return nil, Verdict{}, errNotWired
}

func adaptRebuild(*Kernel, hostState, []Message) (hostState, int, error) {
	return nil, 0, errNotWired
}

func adaptTruncate(*Kernel, []Message, Tokens) ([]Message, error) { return nil, errNotWired }
