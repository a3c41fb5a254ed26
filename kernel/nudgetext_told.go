package kernel

// TextCost is what the text of a finished turn's nudge costs.
type TextCost struct {
	Kind   NudgeKind `json:"kind"`
	Full   bool      `json:"full"`
	Tokens Tokens    `json:"tokens"`
}

// NudgeRecord says when the model was given the rules of a kind in full.
type NudgeRecord struct {
	Kind   NudgeKind `json:"kind"`
	Rules  string    `json:"rules"` // names the wording
	Turn   int       `json:"turn"`
	Tokens Tokens    `json:"tokenCount"` // the context size of that turn
}

// told is which kinds of text the model was given in full and still sees. A
// text is taken to stand behind the last message of its turn and to stay in
// the list, as it does where a host keeps its nudges.
type told []telling

type telling struct {
	NudgeRecord
	ref int32 // the highest number of its turn: the text stands behind it
}

// holds reports whether the model still sees the rules of a kind, in the
// wording that they have now.
func (t told) holds(kind NudgeKind) bool {
	for i := range t {
		if t[i].Kind == kind && t[i].Rules == rulesOf(kind) {
			return true
		}
	}
	return false
}

// forget drops what fails keep. What was given away stays as it is.
func (t told) forget(keep func(*telling) bool) told {
	var out told
	for i := range t {
		if keep(&t[i]) {
			out = append(out, t[i])
		}
	}
	return out
}

// after is what the model still sees after a fold: what stands inside a folded
// range went with it.
func (t told) after(v *Verdict) told {
	if len(t) == 0 || v.BlocksCreated == 0 {
		return t
	}
	return t.forget(func(one *telling) bool {
		for i := range v.Ranges {
			first, _ := refNumber(v.Ranges[i].Folded.StartRef)
			last, _ := refNumber(v.Ranges[i].Folded.EndRef)
			if first > 0 && first <= one.ref && one.ref < last {
				return false
			}
		}
		return true
	})
}

// tell renders the text of a turn that injects, its report filled, and keeps
// what it costs.
func (w *runner) tell(report *Report) *TextCost {
	if !report.Nudge.ShouldInject {
		return nil
	}
	writer := nudgeWriter{decision: &report.Nudge, targets: w.e.named(report.Nudge.TierTargetBlocks)}
	kind := kindOf(&report.Nudge)
	cost := &TextCost{Kind: kind, Full: !w.told.holds(kind)}
	if !cost.Full {
		cost.Tokens = w.k.count(writer.short(kind))
		return cost
	}
	cost.Tokens = w.k.count(writer.full(kind))
	var highest int32
	if n := w.e.index.refs.n; n > 0 {
		highest = w.e.index.refs.at(n - 1).number
	}
	w.told = append(w.told[:len(w.told):len(w.told)], telling{
		NudgeRecord{kind, rulesOf(kind), report.Turn, report.Used.Tokens}, highest,
	})
	return cost
}

// NudgeCosts is what nudging costs a session by itself: one text for each turn
// that injects, the first of a kind with all its rules, with the ranges of the
// decision. The kernel never counts it. Where a host keeps its nudges in the
// list they come back in its token count, and growth is partly their own.
type NudgeCosts struct {
	Texts         int           `json:"texts"`
	FullTexts     int           `json:"fullTexts"`
	Tokens        Tokens        `json:"tokens"`        // of all of them
	Growth        float64       `json:"growth"`        // as decided, in tokens
	GrowthWithout float64       `json:"growthWithout"` // without the text at the growth reference; 0 when it was all of it
	Told          []NudgeRecord `json:"told"`          // kinds whose rules the model still sees
}

// NudgeCosts adds the texts of the finished turns up.
func (r Run) NudgeCosts() NudgeCosts {
	growth := r.now.Nudge.Breakdown.Growth
	c := NudgeCosts{Growth: growth, GrowthWithout: growth, Told: []NudgeRecord{}}
	var last *TextCost
	for i := range r.past.turns.Len() {
		text := r.past.turns.At(i).Text
		if text == nil {
			continue
		}
		last = text
		c.Texts++
		c.Tokens += text.Tokens
		if text.Full {
			c.FullTexts++
		}
	}
	if last != nil && growth > 0 && r.now.Nudge.GrowthSourceStamp == "shown" { // each nudge moves that stamp
		c.GrowthWithout = max(0, growth-float64(last.Tokens))
	}
	for i := range r.told {
		c.Told = append(c.Told, r.told[i].NudgeRecord)
	}
	return c
}
