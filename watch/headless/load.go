package headless

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"ctxscope/kernel"
	"ctxscope/watch"
	"ctxscope/watch/decode"
	"ctxscope/watch/hoststate"
	"ctxscope/watch/settings"
	"ctxscope/watch/tokens"
)

// Options say what is read and how it is judged.
type Options struct {
	File    string // "-" is In
	Session string // its id, in a file that holds many
	In      io.Reader
	Choice  settings.Choice
	Hosts   *hoststate.Machine // where states of hosts are looked for; nil: nowhere, a replay alone judges
	Tokens  string             // one of Counters; empty means the estimate
	Out     io.Writer          // results only
	Err     io.Writer          // what could not be read or used, a sentence a line
}

// Estimate names the kernel's own counter, which hosts use.
const Estimate = "estimate"

// Counters are the names of the token counters.
var Counters = []string{Estimate, "o200k", "cl100k"}

// Counter gives the counter of that name; nil is the kernel's estimate. An
// embedded vocabulary is unpacked when a text is counted for the first time,
// which takes some tenths of a second.
func Counter(name string) (kernel.Counter, error) {
	if name == Estimate {
		return nil, nil
	}
	if !slices.Contains(Counters, name) {
		return nil, unknownCounter(name)
	}
	build := sync.OnceValue(func() kernel.Counter {
		count, err := tokens.New(name)
		if err != nil {
			panic(fmt.Sprintf("headless: the embedded vocabulary is damaged: %v", err))
		}
		return count
	})
	return func(text string) kernel.Tokens { return build()(text) }, nil
}

func unknownCounter(name string) error {
	return fmt.Errorf("token counter %q is unknown, want one of %s", name, strings.Join(Counters, ", "))
}

// loaded is a transcript read to its end.
type loaded struct {
	session  decode.Session
	status   watch.Status
	settings settings.Settings
	kernel   *kernel.Kernel
	change   kernel.Change // the whole journal
	counter  string
	host     hoststate.View
}

// load reads the transcript to its end and settles how it is judged.
func load(ctx context.Context, o Options) (loaded, error) {
	l := loaded{counter: cmp.Or(o.Tokens, Estimate)}
	count, err := Counter(l.counter)
	if err != nil {
		return loaded{}, err
	}
	source, err := o.open(count)
	if err != nil {
		return loaded{}, err
	}
	defer source.Close()
	var peak settings.Peak
	for {
		event, err := source.Next(ctx)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return loaded{}, err // it names the file
		}
		if event.Reset {
			l.change.Entries, peak = nil, settings.Peak{}
		}
		l.change.Entries = slices.Concat(l.change.Entries[:event.Change.Keep], event.Change.Entries)
		peak = peak.After(event.Change)
		l.session, l.status = event.Session, event.Status
	}
	if l.session.Refused != "" {
		return loaded{}, fmt.Errorf("%s: %s", o.File, l.session.Refused)
	}
	if l.session.Format == "" && l.status.Read > 0 {
		return loaded{}, fmt.Errorf("%s: nothing in it is known as a session", o.File)
	}
	l.settings = settings.Resolve(o.choice(l.session), l.session, peak.Tokens())
	l.kernel = kernel.New(l.settings.Config, count)
	o.lookForHost(ctx, &l)
	return l, nil
}

func (o Options) open(count kernel.Counter) (watch.Source, error) {
	options := watch.Options{Counter: count, Once: true, Session: o.Session}
	if o.File == "-" {
		return watch.OpenReader("standard input", o.In, options)
	}
	return watch.Open(o.File, options)
}

// warn writes what could not be read or used; advice is for the report.
func (l loaded) warn(w io.Writer) error {
	l.settings.Problems = slices.DeleteFunc(slices.Clone(l.settings.Problems), func(p settings.Problem) bool { return p.Advice })
	problems := l.problems()
	for _, p := range problems[:min(len(problems), problemsShown)] {
		if err := warning(w, p.Where+": "+p.Reason); err != nil {
			return err
		}
	}
	if more := len(problems) - problemsShown; more > 0 {
		return warning(w, number(more)+" more problems; report --json lists them all")
	}
	return nil
}

// problems are those of the transcript and those of the configuration.
func (l loaded) problems() []Problem {
	problems := []Problem{}
	for _, p := range l.session.Problems {
		problems = append(problems, Problem{Where: p.Where(), Reason: p.Reason})
	}
	for _, p := range l.settings.Problems {
		problems = append(problems, Problem{Where: p.Where, Reason: p.Reason})
	}
	return problems
}
