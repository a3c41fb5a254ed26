package views

import (
	"strings"

	"ctxscope/kernel"
)

// sentence answers in two lines of plain words: will the agent be nudged, why
// or why not and how far it is; then what could be folded now and what cannot.
func sentence(s *Screen, st *Styles, width int) []string {
	cells := width - 2
	before := ""
	switch {
	case !s.empty() && s.Session.Follow == Missing && cells >= sideBorders:
		before = pick(cells/3, "The file is gone; its last state: ", "File gone: ")
	case !s.empty() && s.Session.Follow == Stopped && cells >= sideBorders:
		before = pick(cells/3, "Reading stopped; its last state: ", "Stopped: ")
	case s.WhatIf.Folds > 0 && cells >= sideBorders:
		before = "What-if: "
	}
	first, p := nudgeSentence(s, st, cells-Width(before))
	return []string{plainLine(p, " "+before+first, width), plainLine(paint{}, " "+foldSentence(s, cells), width)}
}

// nudgeSentence is the first line with the colour that repeats it.
func nudgeSentence(s *Screen, st *Styles, cells int) (string, paint) {
	switch {
	case s.Report == nil && s.Session.Follow == Loading:
		read := fileSize(s.Session.Read) + " of " + fileSize(s.Session.Size) + "."
		return pick(cells, "Reading the session: "+read, "Reading the session."), st.faint
	case s.empty() && s.Session.Follow == Missing:
		return pick(cells, "There is no such file; watching until there is one.", "There is no such file."), st.bad
	case s.empty() && s.Session.Refused != "":
		return pick(cells, "This cannot be read as a session.", "No session."), st.bad
	case s.empty():
		return "Waiting for the first message.", st.faint
	case s.Report.Nudge.ShouldInject && s.Nudging.Withheld():
		return heldSentence(s, cells), st.warn
	case s.Report.Nudge.ShouldInject:
		return injectSentence(s, cells), injectPaint(s, st)
	}
	if s.Report.Nudge.Band == kernel.BandNormal {
		return idleSentence(s, cells), st.good
	}
	return suppressedSentence(s, cells), st.warn
}

func injectPaint(s *Screen, st *Styles) paint {
	if s.Report.Nudge.Band == kernel.BandEmergency {
		return st.bad
	}
	return st.warn
}

// asked says what a nudge of tier t asks the agent for.
func asked(r *kernel.Report, t kernel.Tier) string {
	switch t {
	case 2:
		return "merge " + plural(r.Pending.C2, "summary", "summaries") + " into one (T2)"
	case 3:
		return "condense " + plural(r.Pending.C3, "T2 summary", "T2 summaries") + " (T3)"
	}
	return "fold old messages (T1)"
}

// pendingOf is what tier t could reclaim.
func pendingOf(r *kernel.Report, t kernel.Tier) kernel.Tokens {
	switch t {
	case 2:
		return r.Pending.T2
	case 3:
		return r.Pending.T3
	}
	return r.Pending.T1
}

func injectSentence(s *Screen, cells int) string {
	r := s.Report
	mass := number(pendingOf(r, r.Nudge.Tier)) + " tokens"
	ask := asked(r, r.Nudge.Tier)
	tier := "Nudge " + tierName(r.Nudge.Tier) + ": "
	again := ""
	if s.Repeats > 1 {
		again = " Repeated for " + number(s.Repeats) + " turns."
	}
	switch {
	case r.Nudge.Band != kernel.BandNormal:
		where := overWord(r) + " (" + bandLimit(s) + ")"
		return pick(cells,
			"Nudge: the context is "+where+"; each turn asks the agent to "+ask+", "+mass+" are ready."+again,
			"Nudge: the context is "+where+"; each turn asks to "+ask+"."+again,
			"Nudge: "+where+"; each turn asks to "+ask+".",
			tier+where+".")
	case r.Nudge.FirstSight:
		return pick(cells,
			"Nudge: the agent will be asked to "+ask+": "+mass+" stood ready when the session was first seen."+again,
			"Nudge: asked to "+ask+", "+mass+" stood ready at first sight.",
			"Nudge: "+ask+", "+mass+" at first sight.",
			tier+"ready at first sight.")
	}
	growth := amount(r.Nudge.Breakdown.Growth) + " tokens"
	return pick(cells,
		"Nudge: the agent will be asked to "+ask+", since the context grew by "+growth+" and "+mass+" can be reclaimed."+again,
		"Nudge: the agent will be asked to "+ask+"; the context grew by "+growth+".",
		"Nudge: "+ask+"; the context grew by "+growth+".",
		tier+"growth "+growth+".")
}

// heldSentence sets the kernel's nudge against the gate of a host that would
// hold it back.
func heldSentence(s *Screen, cells int) string {
	g := s.Nudging.Guard
	again, least := "", "Nudge "+tierName(s.Report.Nudge.Tier)+". "
	if s.Repeats > 1 {
		again = "Repeated for " + number(s.Repeats) + " turns. "
		least = again
	}
	why, brief := withheld(g)+".", withheldBrief(g)+"."
	return pick(cells, "A host that guards against loops would hold the nudge back. "+again+why,
		"A guarding host would hold the nudge back. "+again+brief, again+why, least+brief, again+brief, brief,
		"A host gate would hold the nudge.")
}

// overWord names a band above normal in a sentence.
func overWord(r *kernel.Report) string {
	if r.Nudge.Band == kernel.BandEmergency {
		return "in the emergency band"
	}
	return "over the limit"
}

// bandLimit is the limit that was reached.
func bandLimit(s *Screen) string {
	if s.Report.Nudge.Band == kernel.BandEmergency {
		return percent(s.Config.Nudge.EmergencyThresholdPct)
	}
	return percent(s.Config.Nudge.MaxContextLimitPct)
}

// suppressedSentence explains why nothing is said although the context is
// over its limit.
func suppressedSentence(s *Screen, cells int) string {
	r := s.Report
	where := "No nudge: " + overWord(r)
	limit := " (" + bandLimit(s) + ")"
	benefit := gateNamed(&r.Nudge, "pressure: benefit")
	if benefit == nil {
		return pick(cells,
			where+limit+", but there is nothing that the executor would fold.",
			where+", nothing can be folded.",
			"No nudge: nothing can be folded.")
	}
	most, least := amount(benefit.Left), amount(benefit.Right)
	return pick(cells,
		where+limit+", but a fold would free only "+most+" tokens; it is worth while from "+least+" on.",
		where+", but a fold frees only "+most+" of "+least+" tokens.",
		"No nudge: a fold frees only "+most+".")
}

// idleSentence explains why nothing is said in the normal band and how far a
// nudge is.
func idleSentence(s *Screen, cells int) string {
	r := s.Report
	d := &r.Nudge
	ready := number(d.Breakdown.MaxPending) + " of " + amount(d.Threshold[1]) + " tokens"
	held, less, brief := "too little is ready to fold ("+ready+")", "only "+ready+" are ready to fold", "too little to fold"
	if d.Breakdown.MaxPending == 0 {
		held, less, brief = "nothing is ready to fold", "nothing is ready to fold", "nothing to fold"
	}
	missing := amount(d.TokensToNudge)
	over := percent(s.Config.Nudge.MaxContextLimitPct)
	switch late := heldBack(d); {
	case s.Config.GrowthOutOfReach():
		return pick(cells,
			"Idle, no nudge: the window is too small to hold the "+amount(d.Threshold[1])+" tokens that growth needs; it nudges from "+over+" full on.",
			"Idle: the window is too small for growth to count; nudges from "+over+" on.",
			"Idle: nudges from "+over+" full on.")
	case d.Breakdown.Growth < 0:
		shrank := "the context shrank by " + amount(-d.Breakdown.Growth) + " tokens"
		return pick(cells,
			"Idle, no nudge: "+shrank+" since growth was last counted; "+missing+" tokens of growth are missing.",
			"Idle: "+shrank+", "+missing+" of growth to go.",
			"Idle: "+missing+" tokens of growth to go.")
	case d.TokensToNudge > 0 && d.NextSlot != 0:
		return pick(cells,
			"Idle, no nudge: after "+missing+" more tokens of growth the agent will be asked to "+asked(r, d.NextSlot)+".",
			"Idle: "+missing+" more tokens of growth until a nudge is due.",
			"Idle: "+missing+" tokens of growth to go.")
	case d.TokensToNudge > 0:
		return pick(cells,
			"Idle, no nudge: "+missing+" more tokens of growth are missing, and "+held+".",
			"Idle: "+missing+" tokens of growth to go; "+held+".",
			"Idle: "+missing+" tokens of growth to go; "+brief+".",
			"Idle: "+missing+" tokens of growth to go.")
	case late != 0:
		return pick(cells,
			"No nudge: "+tierName(late)+" is ready, but it was asked for too lately: a nudge repeats after "+amount(d.Breakdown.GrowthFloor)+" tokens.",
			"No nudge: "+tierName(late)+" is ready, but was asked for too lately.",
			"No nudge: "+tierName(late)+" was asked for lately.")
	}
	return pick(cells,
		"No nudge, although the context grew by "+amount(d.Breakdown.Growth)+" tokens: "+held+".",
		"No nudge, growth is due: "+held+".",
		"No nudge: "+less+".",
		"No nudge: "+brief+".")
}

// foldSentence is the second line: what could be folded now and what cannot.
func foldSentence(s *Screen, cells int) string {
	r := s.Report
	if s.empty() {
		return waitingDetail(s, cells)
	}
	rest := number(max(0, r.Sent.Tokens-s.Totals.BatchTokens))
	if n := r.Nudge.Batches.Len(); n > 0 {
		mass := number(s.Totals.BatchTokens)
		would, folds := plural(n, "batch", "batches"), " fold now: "
		if n == 1 {
			folds = " folds now: "
		}
		return pick(cells,
			would+" would fold now ("+mass+" tokens); the other "+rest+" tokens that are sent would not ("+counter(s)+").",
			would+" would fold now ("+mass+" tokens); "+rest+" tokens cannot.",
			would+folds+mass+" tokens.")
	}
	return nothingFolds(s, cells)
}

// nothingFolds says why there is no batch.
func nothingFolds(s *Screen, cells int) string {
	r, t := s.Report, &s.Totals
	if r.Ranges.Len() > 0 {
		limit := gateText(s)
		return pick(cells,
			"Nothing to fold: "+plural(t.RangeMessages, "message", "messages")+" could be compressed ("+number(t.RangeChars)+" chars), but no unbroken stretch of them reaches the gate of "+limit+".",
			"Nothing to fold: "+plural(t.RangeMessages, "compressible message", "compressible messages")+", no unbroken stretch reaches the gate of "+limit+".",
			"Nothing to fold: no unbroken stretch reaches the gate of "+limit+".",
			"Nothing to fold: below "+limit+".")
	}
	why, total := keptWords(&r.Kept), number(r.Kept.Total())
	if why == "" {
		return "Nothing to fold: no message is free to be compressed."
	}
	return pick(cells,
		"Nothing to fold: none of the "+number(r.Sent.Messages)+" messages that are sent is free to be compressed (tokens: "+why+").",
		"Nothing to fold: all "+total+" tokens must stay ("+why+").",
		"Nothing to fold: "+why+" tokens.",
		"Nothing to fold: all "+total+" tokens must stay.",
		"Nothing to fold.")
}

// keptWords names what could not be folded, in tokens by cause.
func keptWords(k *kernel.Kept) string {
	var why []string
	for _, x := range []struct {
		tokens kernel.Tokens
		cause  string
	}{
		{k.Protected, "protected"},
		{k.Media, "with images"},
		{k.Summaries, "summaries"},
		{k.Recent, "recent"},
		{k.Withdrawn, "kept whole"},
		{k.Fragments, "fragments"},
		{k.Other, "other"},
	} {
		if x.tokens > 0 {
			why = append(why, number(x.tokens)+" "+x.cause)
		}
	}
	return strings.Join(why, ", ")
}

// waitingDetail is the second line while there is nothing to evaluate.
func waitingDetail(s *Screen, cells int) string {
	switch {
	case s.Session.Refused != "":
		return said(s.Session.Refused)
	case s.Session.Note != "":
		return s.Session.Note
	}
	size := number(s.Session.Window) + " tokens"
	switch {
	case s.Session.Window <= 0 && s.Session.Follow == Loading:
		return pick(cells, "It is judged when all of it was read.", "")
	case s.Session.Window <= 0:
		return pick(cells, "The window is unknown; --window sets it.", "The window is unknown.")
	case s.Session.WindowFrom == "assumed":
		return pick(cells, "The window is unknown, "+size+" are assumed; --window sets it.", "Window assumed: "+size+".")
	}
	return pick(cells, "The window is "+size+" ("+s.Session.WindowFrom+").", "Window: "+size+".")
}
