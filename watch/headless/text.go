package headless

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"

	"ctxscope/kernel"
	"ctxscope/watch/settings"
)

// number writes n with commas: 118,290. A fraction keeps one decimal.
func number[T ~int | ~int64 | ~float64](n T) string {
	decimals := -1 // as many as it needs, and a whole number needs none
	if x := float64(n); x != math.Trunc(x) {
		decimals = 1
	}
	return kernel.Commas(strconv.FormatFloat(float64(n), 'f', decimals, 64))
}

// count writes a number with its noun: "1 turn", "62 turns".
func count[T ~int](n T, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return number(n) + " " + noun + "s"
}

// page is a text that is being written.
type page struct{ strings.Builder }

// line writes one line, whatever line feeds stand in args.
func (p *page) line(format string, args ...any) {
	p.WriteString(strings.ReplaceAll(fmt.Sprintf(format, args...), "\n", " "))
	p.WriteByte('\n')
}

func (p *page) title(format string, args ...any) {
	p.WriteByte('\n')
	p.line(format, args...)
}

// text is the report for people: the facts of the screen, in sentences.
func text(f Facts, c kernel.Config) string {
	var p page
	p.head(f, c)
	p.context(f, c)
	p.nudge(f)
	p.batches(f, c)
	p.candidates(f)
	p.ranges(f)
	p.blocks(f)
	p.calls(f)
	p.host(f.Host)
	p.problems(f)
	return p.String()
}

func (p *page) head(f Facts, c kernel.Config) {
	s := f.Session
	p.line("%s", oneLine(cmp.Or(s.Title, f.File)))
	p.line("%s", oneLine(sessionText(s)))
	p.line("Model %s, window %s.", oneLine(cmp.Or(s.Model, "unknown")), windowText(f.Window))
	p.line("%s finished, %s in the list. A ref numbers %s.", count(f.Turns, "turn"), count(f.Now.Messages, "message"), cmp.Or(s.Counting, "messages"))
	if s.Unknown > 0 {
		p.line("Records of types that are not known here, passed over: %s.", number(s.Unknown))
	}
	p.line("Judged with %s. Tokens are counted by %s.", f.Configuration, counterText(f.Counter))
	p.line("%s", f.Host.source())
	p.line("")
	p.line("%s", outlook(&f.Now, c))
}

func sessionText(s Session) string {
	text := "No session was recognised yet"
	if s.Agent != "" {
		text = "Session of " + s.Agent
	}
	if s.Recording {
		text = "Recorded run"
	}
	if s.ID != "" {
		text += " " + s.ID
	}
	if s.Folder != "" {
		text += " in " + s.Folder
	}
	return text + "."
}

func windowText(w settings.Window) string {
	switch {
	case w.Source == settings.UnknownSize:
		return "unknown (a reported context is larger than any window of this model's family; set it with --window)"
	case w.Source == settings.Assumed:
		return number(w.Tokens) + " tokens (assumed; set it with --window)"
	case w.Recorded > 0 && w.Source != settings.Recorded:
		return fmt.Sprintf("%s tokens (%s; the transcript says %s)", number(w.Tokens), w.Source, number(w.Recorded))
	}
	return fmt.Sprintf("%s tokens (%s)", number(w.Tokens), w.Source)
}

func counterText(counter string) string {
	if counter == Estimate {
		return "the kernel's estimate"
	}
	return counter + ", which is not the host's count"
}

// outlook says in plain words whether the agent will be nudged, why or why
// not, and what could be folded.
func outlook(r *kernel.Report, c kernel.Config) string {
	d := &r.Nudge
	var first string
	switch {
	case r.Messages == 0:
		return "There is no message yet."
	case d.ShouldInject:
		first = fmt.Sprintf("The agent is nudged now to compress (tier %d, %s band).", d.Tier, d.Band)
	case d.Band == kernel.BandNormal && c.GrowthOutOfReach():
		first = "No nudge, and growth can bring none in a window this small; pressure can."
	case d.Band == kernel.BandNormal && d.TokensToNudge > 0:
		first = fmt.Sprintf("No nudge: %s more tokens of growth until one can be due.", number(math.Ceil(d.TokensToNudge)))
	case d.Band != kernel.BandNormal:
		first = fmt.Sprintf("No nudge, although the context is in the %s band: %s.", d.Band, d.Reason)
	default:
		first = fmt.Sprintf("No nudge, although growth is due: %s.", d.Reason)
	}
	if d.Batches.Len() == 0 {
		return first + " Nothing could be folded by itself now."
	}
	var tokens kernel.Tokens
	for i := range d.Batches.Len() {
		tokens += d.Batches.At(i).Tokens
	}
	return fmt.Sprintf("%s %s (%s tokens) could be folded now.", first, batchCount(d.Batches.Len()), number(tokens))
}

func batchCount(n int) string {
	if n == 1 {
		return "1 batch"
	}
	return number(n) + " batches"
}

func (p *page) context(f Facts, c kernel.Config) {
	p.title("Context")
	used, limit := f.Now.Used, f.Window.Tokens
	switch {
	case used.Source == kernel.CountNone:
		p.line("  in use      unknown")
	case limit > 0:
		p.line("  in use      %s of %s tokens, %.1f %% (%s)", number(used.Tokens), number(limit), 100*f.Now.Nudge.ContextUsage, usedText(used))
	default:
		p.line("  in use      %s tokens (%s)", number(used.Tokens), usedText(used))
	}
	if f.Session.Stale && f.Session.Reported > 0 {
		p.line("  reported    %s tokens, from before a compaction or an edit by the host: stale until the next reply", number(f.Session.Reported))
	}
	p.line("  band        %s", f.Now.Nudge.Band)
	if limit > 0 {
		p.line("  over-limit  from %s tokens; emergency from %s", number(math.Ceil(c.BandStart(kernel.BandOverLimit))), number(math.Ceil(c.BandStart(kernel.BandEmergency))))
	}
	p.line("  sent        %s, %s tokens of text", count(f.Now.Sent.Messages, "message"), number(f.Now.Sent.Tokens))
	b := f.Now.Nudge.ContextBreakdown
	p.line("  made of     tools %s, text %s, code %s, summaries %s, system %s", number(b.Tool), number(b.Text), number(b.Code), number(b.Summaries), number(b.System))
	if t := f.Now.Truncation; len(t.IDs) > 0 {
		p.line("  truncated   %s shortened, %s tokens saved", count(len(t.IDs), "message"), number(t.Saved))
	}
}

func usedText(c kernel.Count) string {
	text := string(c.Source)
	if c.Source == kernel.CountExtended {
		text = fmt.Sprintf("%s reported and %s estimated", number(c.Reported), number(c.Estimated))
	}
	if c.Old {
		text += ", the reported part is from before the last fold"
	}
	return text
}
