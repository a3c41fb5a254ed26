package headless

import (
	"cmp"
	"context"
	"io"
	"slices"
	"strings"

	"ctxscope/kernel"
	"ctxscope/kernel/doctor"
	"ctxscope/watch/settings"
)

// Diagnosis is what `doctor --json` writes: what was found in a session, and
// the tables that it was found in.
type Diagnosis struct {
	File          string          `json:"file"`
	Session       Session         `json:"session"`
	Window        settings.Window `json:"window"`
	Configuration string          `json:"configuration"` // where it comes from
	Counter       string          `json:"counter"`       // "estimate" is the host's own
	doctor.Examination
	Diverged string    `json:"diverged,omitempty"` // where the replay left what the host did
	Problems []Problem `json:"problems"`           // lines of the transcript and settings that were not taken
}

// Doctor writes what looks wrong in the session and reports whether nothing
// does. Muted findings are named but not shown, and count for nothing.
func Doctor(ctx context.Context, o Options, r Request) (healthy bool, err error) {
	l, err := load(ctx, o)
	if err != nil {
		return false, err
	}
	l.settings.Problems = slices.DeleteFunc(l.settings.Problems, func(p settings.Problem) bool { return p.Where == settings.Whole }) // they are findings
	run := l.kernel.Advance(l.kernel.Start(), l.change)
	d := Diagnosis{
		File: o.File, Session: l.describe(), Window: l.settings.Window, Configuration: l.settings.From, Counter: l.counter,
		Examination: doctor.Examine(l.kernel, run, l.examined()).Mute(r.Mute), Diverged: run.Diverged(), Problems: l.problems(),
	}
	if r.JSON {
		return len(d.Findings) == 0, writeJSON(o.Out, d)
	}
	_, err = io.WriteString(o.Out, printable(d.text()))
	return len(d.Findings) == 0, err
}

// examined is what an examination is told beside the run.
func (l loaded) examined() doctor.Session {
	s := doctor.Session{Counter: l.counter}
	switch source := l.settings.Window.Source; source {
	case settings.Assumed, settings.Inferred, settings.UnknownSize:
		s.Window = string(source)
	}
	return s
}

func unknownCode(codes []string) string {
	for _, code := range codes {
		if !slices.Contains(doctor.Codes(), code) {
			return code
		}
	}
	return ""
}

// text is the diagnosis for people.
func (d *Diagnosis) text() string {
	var p page
	p.line("%s", oneLine(cmp.Or(d.Session.Title, d.File)))
	p.line("%s", oneLine(sessionText(d.Session)))
	p.line("Model %s, window %s.", oneLine(cmp.Or(d.Session.Model, "unknown")), windowText(d.Window))
	p.line("%s (requests) examined, judged with %s. Tokens are counted by %s.", count(d.Turns, "turn"), d.Configuration, counterText(d.Counter))
	p.line("")
	switch n := len(d.Findings); n {
	case 0:
		p.line("Nothing looks wrong.")
	default:
		p.line("%s. Each says what it resembles, not what it is.", count(n, "finding"))
	}
	if len(d.Muted) > 0 {
		p.line("Muted: %s.", strings.Join(d.Muted, ", "))
	}
	for _, f := range d.Findings {
		p.finding(f)
	}
	p.refusals(d.Refusals)
	p.floor(d.Floor)
	p.problems(Facts{Problems: d.Problems})
	return p.String()
}

// evidenceShown is how many items of a kind the text shows; JSON has all.
const evidenceShown = 6

func (p *page) finding(f doctor.Finding) {
	p.title("%s [%s]", f.Title, f.Code)
	p.line("  %s", oneLine(f.What))
	for i, detail := range f.Details {
		if i == evidenceShown {
			p.line("    and %s more; --json has all", number(len(f.Details)-i))
			break
		}
		p.line("    %s", oneLine(detail))
	}
	if len(f.Turns) > 0 {
		p.line("  turns      %s", strings.Join(doctor.Stretches(f.Turns), ", "))
	}
	p.someOf("calls", f.Calls)
	p.someOf("refs", f.Refs)
	if len(f.Resembles) > 0 {
		p.line("  resembles  %s", strings.Join(f.Resembles, ", "))
	}
	p.line("  do         %s", f.Advice)
}

func (p *page) someOf(name string, items []string) {
	switch n := len(items); {
	case n == 0:
	case n > evidenceShown:
		p.line("  %-9s  %s and %s more", name, oneLine(strings.Join(items[:evidenceShown], ", ")), number(n-evidenceShown))
	default:
		p.line("  %-9s  %s", name, oneLine(strings.Join(items, ", ")))
	}
}

// refusals is the table of refused calls by cause.
func (p *page) refusals(r doctor.Refusals) {
	if r.Calls == 0 {
		return
	}
	p.title("Compress calls: %s, %s refused (%.0f %%)", number(r.Calls), number(r.Refused), 100*r.Share)
	for _, c := range r.Causes {
		p.line("  %-15s  %5s", c.Cause, number(c.Calls))
	}
}

// floor is the table of what could not be folded.
func (p *page) floor(f doctor.Floor) {
	p.title("Not to be folded: %s tokens now, %s at the first turn", tokensText(f.Now), tokensText(f.First))
	for _, c := range f.Causes {
		if c.Now > 0 || c.First > 0 {
			p.line("  %-26s  %9s now, %9s at first", c.Cause, tokensText(c.Now), tokensText(c.First))
		}
	}
	if f.Beside > 0 {
		p.line("  %-26s  %9s now", "not in the transcript", tokensText(f.Beside))
	}
}

// tokensText writes whole tokens.
func tokensText(t kernel.Tokens) string { return number(int(t + 0.5)) }
