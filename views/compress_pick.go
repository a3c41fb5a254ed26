package views

import (
	"ctxscope/kernel"
)

// applied writes what the what-if holds and the call to copy.
func (w *formWriter) applied() {
	for i := range w.f.Ranges {
		w.rangeLine(i)
		w.sentences(i)
	}
	w.labelled("", w.st.good, "Applied to ctxscope's own copy only: the session is untouched, and the copy follows it.")
	w.then()
	if w.f.Call != "" {
		w.labelled("call", paint{}, w.f.Call)
	}
}

// pickLine is the pick in one line.
func pickLine(s *Screen, st *Styles, width int) string {
	w := formWriter{s: s, st: st, f: &s.Form, width: width}
	if len(s.Form.Ranges) == 0 {
		return plainLine(st.faint, " pick  nothing", width)
	}
	if n := len(s.Form.Ranges); n > 1 {
		return plainLine(paint{}, " pick  "+number(n)+" ranges: "+tally(s.Form.Verdict), width)
	}
	w.rangeLine(0)
	return w.out[0]
}

// tally counts the verdicts of a call by their word.
func tally(v *kernel.Verdict) string {
	if v == nil {
		return "asking the executor …"
	}
	text := ""
	for _, k := range []kernel.VerdictKind{kernel.Folds, kernel.FoldsWider, kernel.FoldsLess, kernel.Refolds, kernel.Skipped, kernel.Refused} {
		n := 0
		for i := range v.Ranges {
			if v.Ranges[i].Kind == k {
				n++
			}
		}
		if n > 0 {
			text = join(", ", text, number(n)+" "+string(k))
		}
	}
	return text
}
