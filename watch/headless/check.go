package headless

import (
	"context"
	"fmt"
	"io"
	"strings"

	"ctxscope/kernel"
	"ctxscope/watch/settings"
)

// Request is what `check` asks: one compress call. Of it, `doctor` has Mute
// and JSON.
type Request struct {
	Ranges    []string // "m00005..m00020", judged together as one call
	Summaries []string // files: none, one for all ranges, or one a range in order
	Mute      []string // codes of findings that are left out
	JSON      bool     // write an Answer, or a Diagnosis, instead of sentences
}

// Answer is what `check --json` writes.
type Answer struct {
	kernel.Verdict
	Host *Host `json:"host,omitempty"` // its own state of the session, where it keeps one
}

// Check writes what the executor would say to the call at the end of the
// transcript and reports whether at least one block would be made.
func Check(ctx context.Context, o Options, r Request) (accepted bool, err error) {
	call, err := r.call()
	if err != nil {
		return false, err
	}
	l, err := load(ctx, o)
	if err != nil {
		return false, err
	}
	if err := l.warn(o.Err); err != nil {
		return false, err
	}
	run, host := l.judge()
	if where := run.Diverged(); where != "" {
		if err := warning(o.Err, where); err != nil {
			return false, err
		}
	}
	verdict := l.kernel.Check(run, call)
	if r.JSON {
		return verdict.Ok(), writeJSON(o.Out, Answer{verdict, host})
	}
	_, err = io.WriteString(o.Out, printable(verdictText(verdict, l.counter, host)))
	return verdict.Ok(), err
}

// maxSummary is more bytes than any summary has.
const maxSummary = 16 << 20

// call reads the ranges and their summaries.
func (r Request) call() (kernel.Call, error) {
	if len(r.Ranges) == 0 {
		return kernel.Call{}, fmt.Errorf("no range: want --range START..END, for example --range m00005..m00020")
	}
	if n := len(r.Summaries); n > 1 && n != len(r.Ranges) {
		return kernel.Call{}, fmt.Errorf("%d summary files for %s: want none, one for all, or one a range", n, count(len(r.Ranges), "range"))
	}
	var call kernel.Call
	for i, text := range r.Ranges {
		start, end, ok := strings.Cut(text, "..")
		if !ok || start == "" || end == "" {
			return kernel.Call{}, fmt.Errorf("range %q: want START..END, for example m00005..m00020", text)
		}
		c := kernel.CallRange{StartRef: start, EndRef: end}
		if len(r.Summaries) > 0 {
			summary, err := settings.ReadFile(r.Summaries[min(i, len(r.Summaries)-1)], maxSummary)
			if err != nil {
				return kernel.Call{}, fmt.Errorf("read summary: %w", err)
			}
			c.Summary = string(summary)
			if c.Summary == "" {
				c.Summary = "\n" // an empty summary was given, which is not none
			}
		}
		call.Ranges = append(call.Ranges, c)
	}
	return call, nil
}
