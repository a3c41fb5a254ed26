package kernel

import (
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"
)

// A caseRun is one state and one log, step after step.
type caseRun struct {
	kernel *Kernel
	state  State
	log    []Message
	view   []Message         // what the last turn sent
	texts  map[string]string // the text of each message of the log
}

func newCaseRun(c caseInput) (*caseRun, error) {
	config, err := c.configuration()
	if err != nil {
		return nil, err
	}
	start, err := c.startState()
	if err != nil {
		return nil, err
	}
	run := &caseRun{kernel: New(config, nil), texts: map[string]string{}}
	if run.state, err = adaptState(start); err != nil {
		return nil, err
	}
	return run, run.append(c.Messages)
}

func (r *caseRun) append(list []caseMessage) error {
	all, err := expandedMessages(list)
	if err != nil {
		return err
	}
	for _, m := range all {
		r.texts[m.ID] = m.Text
	}
	r.log = append(r.log[:len(r.log):len(r.log)], messagesOf(all)...)
	return nil
}

// step does one step and tells everything that can be asked about it.
func (r *caseRun) step(s caseStep) (stepAnswer, error) {
	switch s.Op {
	case "append":
		return stepAnswer{}, r.append(s.Messages)
	case "replace":
		r.log = nil
		return stepAnswer{}, r.append(s.Messages)
	case "turn":
		return r.turn(s.TokenCount)
	case "compress":
		return r.compress(s)
	case "rebuild":
		return r.rebuild()
	case "truncate":
		return r.truncate(s.TokenCount)
	case "count":
		counts := []Tokens{}
		for _, text := range s.Texts {
			counts = append(counts, Estimate(text))
		}
		return stepAnswer{values: object{"tokens": counts}}, nil
	case "parse":
		parsed := []any{}
		for _, ref := range s.Refs {
			kind, number, _, ok := adaptParseBoundary(ref)
			if !ok {
				parsed = append(parsed, nil)
				continue
			}
			parsed = append(parsed, fmt.Sprintf("%s:%d", kind, number))
		}
		return stepAnswer{values: object{"parsed": parsed}}, nil
	}
	return stepAnswer{}, fmt.Errorf("op %q is unknown", s.Op)
}

func (r *caseRun) turn(used Tokens) (stepAnswer, error) {
	state, report, out := r.kernel.Turn(r.state, r.log, used)
	sent := out.Messages()
	r.state, r.view = state, sent
	saved, err := savedOf(state)
	if err != nil {
		return stepAnswer{}, err
	}
	n := report.Nudge
	values, err := stateAnswers(saved)
	if err != nil {
		return stepAnswer{}, err
	}
	values["inject"] = n.ShouldInject
	values["tier"] = n.Tier
	values["pending"] = []Tokens{n.Breakdown.PendingT1, n.Breakdown.PendingT2, n.Breakdown.PendingT3}
	values["growth"] = n.Breakdown.Growth
	values["growthReference"] = n.Breakdown.GrowthReference
	values["threshold"] = n.Breakdown.NudgeGrowthTokens
	values["effThreshold"] = n.Breakdown.EffectiveThreshold
	values["usagePct"] = roundJS(n.ContextUsage*1000) / 10
	values["overLimit"] = n.Breakdown.OverLimit
	values["emergency"] = n.Breakdown.EmergencyOverride
	values["targets"] = n.TierTargetBlocks
	rangeAnswers(values, report)
	values["refs"] = saved.MessageRefs.ByRaw
	values["view"] = idsOf(sent)
	total := Tokens(0)
	for i := range sent {
		total += sent[i].Size()
	}
	values["viewTokens"] = total
	return stepAnswer{values: values, texts: map[string][]string{"reason": {n.Reason}}}, nil
}

func rangeAnswers(values object, report Report) {
	ranges, batches, protected := [][]any{}, [][]any{}, [][]any{}
	for _, r := range report.Ranges.All() {
		ranges = append(ranges, []any{r.StartRef, r.EndRef, r.Count, r.Tokens, r.Chars, r.ToolPct})
	}
	viable := 0
	for _, b := range report.Nudge.Batches.All() {
		batches = append(batches, []any{b.StartRef, b.EndRef, b.Count, b.Tokens, b.Chars})
		if b.Tokens >= 200 {
			viable++
		}
	}
	for _, p := range report.Nudge.ProtectedRanges.All() {
		protected = append(protected, []any{p.StartRef, p.EndRef, p.Count, p.Tools})
	}
	values["turnRanges"], values["batches"], values["protectedRanges"] = ranges, batches, protected
	values["viable"], values["zone"] = viable, sortedRefs(report.Zone)
}

// sortedRefs are refs in ascending order of their numbers.
func sortedRefs(refs []string) []string {
	sorted := append([]string{}, refs...)
	sort.Slice(sorted, func(i, j int) bool {
		a, _ := adaptRefToIndex(sorted[i])
		b, _ := adaptRefToIndex(sorted[j])
		return a < b
	})
	return sorted
}

// stateAnswers is what both a turn and a call may be asked about the state.
func stateAnswers(saved savedState) (object, error) {
	var stamps struct {
		Baseline Tokens            `json:"lastPerMessageNudgeTokens"`
		Shown    Tokens            `json:"lastNudgeShownTokens"`
		ByTier   map[string]Tokens `json:"lastShownByTier"`
	}
	if err := recode(saved.Nudge, &stamps); err != nil {
		return nil, err
	}
	active := []string{}
	for _, b := range saved.Blocks {
		if b.Active {
			active = append(active, fmt.Sprintf("%s:T%d", b.ID, int(b.Tier)))
		}
	}
	return object{
		"active": active,
		"nudge":  object{"baseline": stamps.Baseline, "shown": stamps.Shown, "byTier": stamps.ByTier},
	}, nil
}

func (r *caseRun) compress(s caseStep) (stepAnswer, error) {
	log := r.log
	switch s.On {
	case "":
	case "view":
		log = r.view
	default:
		return stepAnswer{}, fmt.Errorf("on %q is unknown", s.On)
	}
	var call Call
	for _, asked := range s.Ranges {
		chars := 80
		if asked.SummaryChars != nil {
			chars = *asked.SummaryChars
		}
		call.Ranges = append(call.Ranges, CallRange{
			StartRef: asked.Start, EndRef: asked.End, Summary: strings.Repeat("x", chars),
		})
	}
	before, err := savedOf(r.state)
	if err != nil {
		return stepAnswer{}, err
	}
	state, verdict := r.kernel.Execute(r.state, log, call, nil)
	r.state = state
	kinds := []string{}
	for _, sentence := range verdict.Errors {
		kinds = append(kinds, errorKind(sentence))
	}
	values, err := r.folded(before)
	if err != nil {
		return stepAnswer{}, err
	}
	values["blocksCreated"] = verdict.BlocksCreated
	values["tokensCompressed"] = verdict.TokensCompressed
	values["errorKinds"] = kinds
	values["warningCount"] = len(verdict.Warnings)
	return stepAnswer{values: values, texts: map[string][]string{
		"error": verdict.Errors, "warning": verdict.Warnings, "note": verdict.Notes,
	}}, nil
}

// folded tells the blocks that a step made, and the state after it.
func (r *caseRun) folded(before savedState) (object, error) {
	after, err := savedOf(r.state)
	if err != nil {
		return nil, err
	}
	values, err := stateAnswers(after)
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, b := range before.Blocks {
		known[b.ID] = true
	}
	blocks := []object{}
	for _, b := range after.Blocks {
		if !known[b.ID] {
			blocks = append(blocks, object{
				"id": b.ID, "tier": b.Tier, "direct": list(b.DirectMessageIDs),
				"covers": list(b.EffectiveMessageIDs), "consumed": list(b.DirectBlockIDs),
			})
		}
	}
	values["blocks"] = blocks
	return values, nil
}

func (r *caseRun) rebuild() (stepAnswer, error) {
	before, err := savedOf(r.state)
	if err != nil {
		return stepAnswer{}, err
	}
	state, created := r.kernel.Rebuild(r.state, r.log)
	r.state = state
	values, err := r.folded(before)
	if err != nil {
		return stepAnswer{}, err
	}
	values["blocksCreated"] = created
	return stepAnswer{values: values}, nil
}

func (r *caseRun) truncate(used Tokens) (stepAnswer, error) {
	cut, err := adaptTruncate(r.kernel, r.log, used)
	if err != nil {
		return stepAnswer{}, err
	}
	changed, chars, wellFormed := []string{}, []Chars{}, true
	for i := range cut {
		text := r.texts[cut[i].ID]
		if cut[i].Chars != r.log[i].Chars {
			text = cutText(text, r.log[i].Tokens)
			changed = append(changed, cut[i].ID)
			chars = append(chars, Len16(text))
		}
		if Len16(text) != cut[i].Chars {
			return stepAnswer{}, fmt.Errorf("%s is said to have %d chars, but has %d", cut[i].ID, cut[i].Chars, Len16(text))
		}
		wellFormed = wellFormed && utf8.ValidString(text) && !strings.ContainsRune(text, utf8.RuneError)
	}
	return stepAnswer{values: object{
		"count": len(changed), "changed": changed, "changedChars": chars, "wellFormed": wellFormed,
	}}, nil
}
