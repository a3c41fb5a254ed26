package views

import (
	"ctxscope/kernel"
)

// compress draws the compress form: what is picked, what the executor says of
// it, what would hold afterwards, the summary and the exact call.
func compress(s *Screen, st *Styles, width, lines int) []string {
	w := formWriter{s: s, st: st, f: &s.Form, width: width}
	switch s.Form.Stage {
	case NoPick:
		w.say(st.faint, "Nothing is picked. Take a batch or a range, or pick messages in a list, to learn what the executor would say.")
	case Picking:
		w.picks(lines)
	case Writing:
		return w.writing(lines)
	case Applied:
		w.applied()
	}
	offset := 0
	if s.Focus == PanelCompress {
		offset = s.Form.Scroll
	}
	return excerpt(w.out, offset, lines, width)
}

// compressCaption is what stands in the title of the Compress panel.
func compressCaption(s *Screen) []string {
	whatIf := "what-if: none"
	if n := s.WhatIf.Folds; n > 0 {
		whatIf = "what-if: " + plural(n, "fold", "folds")
	}
	switch s.Form.Stage {
	case Picking:
		growing := ""
		if s.Form.Growing {
			growing = ", the pick grows"
		}
		return []string{plural(len(s.Form.Ranges), "range", "ranges") + growing + ", " + whatIf, plural(len(s.Form.Ranges), "range", "ranges")}
	case Writing:
		return []string{"summary, " + whatIf, "summary"}
	case Applied:
		return []string{"applied, " + whatIf, "applied"}
	}
	return []string{whatIf}
}

type formWriter struct {
	s     *Screen
	st    *Styles
	f     *Form
	width int
	out   []string
}

// say adds a text, broken into as many lines as it needs.
func (w *formWriter) say(p paint, text string) {
	for _, part := range Wrap(text, max(1, w.width-2)) {
		w.out = append(w.out, plainLine(p, " "+part, w.width))
	}
}

// labelled adds a text behind a label.
func (w *formWriter) labelled(label string, p paint, text string) {
	for i, part := range Wrap(text, max(1, w.width-8)) {
		l := newLine(w.width)
		l.gap(1)
		if i > 0 {
			label = ""
		}
		l.cell(w.st.faint, label, 6)
		l.rest(p, part)
		w.out = append(w.out, l.String())
	}
}

// picks writes the ranges of the call with their verdicts, the whole call's
// errors, and what would hold afterwards. In two lines the executor's own
// sentence gives way to what would hold.
func (w *formWriter) picks(lines int) {
	for i := range w.f.Ranges {
		w.rangeLine(i)
		if lines > 2 {
			w.sentences(i)
		}
	}
	v := w.f.Verdict
	if v != nil && lines <= 2 && !v.Ok() {
		w.firstSentence(v)
		return
	}
	if v != nil && lines > 2 {
		for _, e := range v.Errors {
			if !w.said(e) {
				w.labelled("error", w.st.bad, e)
			}
		}
		w.gate(v)
	}
	w.then()
}

// rangeLine writes one range: its refs, its verdict, picked against folded.
func (w *formWriter) rangeLine(i int) {
	x := w.f.Ranges[i]
	l := newLine(w.width)
	cursor := " "
	if w.s.Focus == PanelCompress && i == w.f.Selected && len(w.f.Ranges) > 1 {
		cursor = "▸"
	}
	l.flow(paint{}, cursor)
	l.cell(w.st.faint, "pick", 6)
	l.flow(w.st.marked, span(x.StartRef, x.EndRef))
	l.gap(2)
	r := w.verdict(i)
	if r == nil {
		l.rest(w.st.faint, "asking the executor …")
	} else {
		l.flow(w.st.kind(r.Kind), rangeWords(r, w.f.Verdict.Gate, l.left-8))
		if w.f.Checking {
			l.flow(w.st.faint, " (being checked again)")
		}
		l.gap(2)
		l.rest(paint{}, pick(l.left, measured(r)...))
	}
	w.out = append(w.out, l.String())
}

// verdict is the executor's answer to range i of the form, or nil.
func (w *formWriter) verdict(i int) *kernel.RangeVerdict {
	v := w.f.Verdict
	if v == nil || i < 0 || i >= len(v.Ranges) {
		return nil
	}
	return &v.Ranges[i]
}

// measured sets what was picked against what would be folded.
func measured(r *kernel.RangeVerdict) []string {
	size := number(r.Picked.Tokens) + " tokens, " + number(r.Picked.Chars) + " chars"
	brief := number(r.Picked.Messages) + " picked"
	if r.Folded.Messages == 0 && len(r.Consumes) == 0 {
		return []string{plural(r.Picked.Messages, "message", "messages") + " picked, " + size, brief + ", " + size, brief}
	}
	fold := number(r.Picked.Messages) + " picked → " + number(r.Folded.Messages) + " folded"
	if r.Folded.Messages == 0 {
		frees := "frees " + number(r.Reclaims) + " tokens of summaries"
		return []string{fold + ": no new message, " + frees, fold + ", " + frees, fold, number(r.Picked.Messages) + "→0"}
	}
	frees := "frees " + number(r.Reclaims) + " tokens"
	return []string{
		fold + " (" + span(r.Folded.StartRef, r.Folded.EndRef) + "), " + frees + ", " + number(r.Folded.Chars) + " chars",
		fold + ", " + frees,
		fold,
		number(r.Picked.Messages) + "→" + number(r.Folded.Messages),
	}
}

// sentences writes the executor's own words on range i.
func (w *formWriter) sentences(i int) {
	r := w.verdict(i)
	if r == nil {
		return
	}
	if before := w.verdict(i - 1); r.Sentence != "" && (before == nil || before.Sentence != r.Sentence) {
		w.labelled("", w.st.kind(r.Kind), r.Sentence)
	}
	for _, text := range r.Warnings {
		if text != r.Sentence {
			w.labelled("warns", w.st.warn, text)
		}
	}
	for _, text := range r.Notes {
		w.labelled("note", paint{}, text)
	}
	if len(r.Added) > 0 {
		w.labelled("adds", paint{}, refs(r.Added))
	}
	if len(r.LeftOut) > 0 {
		w.labelled("stays", paint{}, refs(r.LeftOut))
	}
	if len(r.Consumes) > 0 {
		w.labelled("eats", paint{}, "consumes "+refs(r.Consumes)+" into a "+tierName(r.Tier)+" block")
	}
}

// refs lists refs, the first ones by name.
func refs(list []string) string {
	const most = 8
	text := ""
	for i, ref := range list {
		if i == most {
			return text + ", … " + number(len(list)-most) + " more"
		}
		text = join(", ", text, ref)
	}
	return text
}

// said reports whether error text was written with its range already.
func (w *formWriter) said(text string) bool {
	for i := range w.f.Ranges {
		if r := w.verdict(i); r != nil && r.Sentence != "" && len(text) >= len(r.Sentence) && text[len(text)-len(r.Sentence):] == r.Sentence {
			return true
		}
	}
	return false
}

// firstSentence writes why the call was refused, in the executor's words, as
// far as one line holds them.
func (w *formWriter) firstSentence(v *kernel.Verdict) {
	text := ""
	for i := range v.Ranges {
		text = v.Ranges[i].Sentence
		if text != "" {
			break
		}
	}
	if text == "" && len(v.Errors) > 0 {
		text = v.Errors[0]
	}
	l := newLine(w.width)
	l.gap(1)
	l.cell(w.st.faint, "says", 6)
	l.rest(w.st.bad, text)
	w.out = append(w.out, l.String())
}

// gate writes the size gate of the call.
func (w *formWriter) gate(v *kernel.Verdict) {
	if v.Gate == nil {
		return
	}
	l := newLine(w.width)
	l.gap(1)
	l.cell(w.st.faint, "gate", 6)
	gateLine(l, w.st, v.Gate, Width(v.Gate.Name))
	w.out = append(w.out, l.String())
}

// then writes what would hold after the call.
func (w *formWriter) then() {
	t, now := w.f.Then, w.s.Report
	if w.f.Before != nil {
		now = w.f.Before
	}
	if t == nil || now == nil {
		return
	}
	next := "no nudge, " + amount(t.Nudge.TokensToNudge) + " tokens of growth to go"
	if t.Nudge.ShouldInject {
		next = "nudge " + tierName(t.Nudge.Tier) + " at once"
	}
	gain := ", gains " + number(now.Sent.Tokens-t.Sent.Tokens)
	if v := w.f.Verdict; v != nil && v.Placeholder && w.f.Stage != Applied {
		gain += " with the shortest summary"
	}
	sent := "sent " + number(now.Sent.Tokens) + " → " + number(t.Sent.Tokens) + " tokens (" + counter(w.s) + ")"
	l := newLine(w.width)
	l.gap(1)
	l.cell(w.st.faint, "then", 6)
	l.rest(paint{}, pick(l.left,
		sent+gain+", pending T1 "+number(t.Pending.T1)+", T2 "+number(t.Pending.T2)+"; next turn: "+next,
		sent+gain+"; next turn: "+next,
		sent+gain,
		sent+"; "+next,
		sent, "sent → "+short(t.Sent.Tokens)+" tokens"))
	w.out = append(w.out, l.String())
}
