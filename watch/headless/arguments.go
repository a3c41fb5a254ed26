package headless

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"ctxscope/kernel/doctor"
	"ctxscope/watch"
)

// Usage is the help of the command line.
const Usage = `ctxscope shows what is in an AI coding agent's context and what of it could be compressed.

  ctxscope                    follow the newest session of this machine, or play the demo
  ctxscope FILE               follow the session in FILE
  ctxscope --latest           follow the session that was written to last, in whatever folder
  ctxscope --pick             choose among the sessions of this machine first
  ctxscope --demo             play the demo

  ctxscope ls                 the sessions of this machine by folder, as text or with --json

  ctxscope report FILE        what stands at the end of FILE, as text or with --json
  ctxscope replay FILE        every turn of FILE, one JSON object a line
  ctxscope check FILE --range m00005..m00020
                              what the executor would say to that compress call;
                              exit 0: a block would be made, 1: none, 2: failure
  ctxscope doctor FILE        what looks wrong in FILE, and what to do;
                              exit 0: nothing, 1: something was found, 2: failure
  For these four, - is standard input, and --latest takes the place of FILE.

Options
  --agent NAME                only sessions of pi, omp, claude, codex, opencode, gemini or proxy
  --follow-latest             when the agent goes on in another session, follow it there
  --session ID                the session in a FILE that holds many (a database)
  --window N                  the model's window in tokens, for example 200000 or 200k
  --config FILE               settings under the kernel's key names, JSON with comments
  --no-host                   judge by a replay of the transcript alone, without the host's own state
  --tokens NAME               count with estimate (the host's own), o200k or cl100k
  --range A..B                check: a range; several are one call
  --summary-file FILE         check: the summary, one for all ranges or one a range
  --mute CODE                 doctor: leave findings of that code out; several may be given
  --json                      ls, report, check, doctor: JSON instead of sentences
  --version, --help
`

// The verbs of the command line. None asks for the screen.
const (
	VerbReport = "report"
	VerbReplay = "replay"
	VerbCheck  = "check"
	VerbDoctor = "doctor"
	VerbList   = "ls"
)

var verbs = []string{VerbReport, VerbReplay, VerbCheck, VerbDoctor, VerbList}

// Arguments are what the command line asks for.
type Arguments struct {
	Verb         string // empty: the screen
	Demo         bool
	Latest       bool   // the newest session in whatever folder
	Pick         bool   // the screen starts with a list of all sessions
	FollowLatest bool   // the screen follows the agent into other sessions
	Agent        string // as watch.Found has it; empty: all
	NoHost       bool   // states that hosts keep are not looked for
	Version      bool
	Options      Options
	Request      Request
}

// Parse reads the command line without the program's name. Options may stand
// before and behind words. It looks whether a word that could be a verb is the
// name of a file. The error is flag.ErrHelp when help is asked for.
func Parse(args []string) (a Arguments, err error) {
	f := flag.NewFlagSet("ctxscope", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	a.Options.Choice.Flags(f)
	a.Request.flags(f)
	f.StringVar(&a.Options.Tokens, "tokens", Estimate, "the token counter")
	f.StringVar(&a.Options.Session, "session", "", "a session in a file that holds many")
	f.BoolVar(&a.Demo, "demo", false, "play the demo")
	f.BoolVar(&a.Latest, "latest", false, "the newest session")
	f.BoolVar(&a.Pick, "pick", false, "choose a session first")
	f.BoolVar(&a.FollowLatest, "follow-latest", false, "follow the agent into other sessions")
	f.Func("agent", "only sessions of this agent", a.agent)
	f.BoolVar(&a.NoHost, "no-host", false, "judge by a replay alone")
	f.BoolVar(&a.Version, "version", false, "print the version")
	var words []string
	for {
		if err := f.Parse(args); err != nil {
			return a, unknownOption(err)
		}
		if f.NArg() == 0 {
			break
		}
		words, args = append(words, f.Arg(0)), f.Args()[1:]
	}
	if len(words) > 0 && slices.Contains(verbs, words[0]) {
		a.Verb, words = words[0], words[1:]
	}
	if len(words) > 0 {
		a.Options.File = words[0]
	}
	return a, a.wrong(words)
}

// agent takes an agent by any of its names.
func (a *Arguments) agent(called string) error {
	name, ok := watch.AgentNamed(called)
	if !ok {
		return fmt.Errorf("want one of %s", strings.Join(watch.AgentNames(), ", "))
	}
	a.Agent = name
	return nil
}

// unknownOption says of an option that there is none such, as it is typed.
func unknownOption(err error) error {
	if name, ok := strings.CutPrefix(err.Error(), "flag provided but not defined: -"); ok {
		return fmt.Errorf("there is no option --%s", name)
	}
	return err
}

// unknownVerb refuses a word that was meant as a verb: it looks like no file,
// and there is none of that name.
func unknownVerb(word string) error {
	if word == "-" || strings.ContainsAny(word, `./\`) {
		return nil
	}
	if _, err := os.Stat(word); !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return fmt.Errorf("%q is neither a file nor one of %s", word, strings.Join(verbs, ", "))
}

// Locate finds the session that the arguments ask for on m, where they name no
// file: the newest one of the current folder, else of all; the newest of all
// with Latest. It is watch.ErrNoSession when there is none. A file that is
// named is refused when a symbolic link leads to it out of an agent's folder.
func (a *Arguments) Locate(m watch.Machine) error {
	if a.Demo || a.Options.File == "-" {
		return nil
	}
	if a.Options.File != "" {
		return m.Admit(a.Options.File)
	}
	m.Agent = a.Agent
	find := m.Newest
	if a.Latest {
		find = m.Latest
	}
	found, err := find()
	a.Options.File, a.Options.Session = found.Path, found.Session
	return err
}

// flags lets the command line make the request.
func (r *Request) flags(f *flag.FlagSet) {
	list := func(to *[]string) func(string) error {
		return func(text string) error {
			*to = append(*to, text)
			return nil
		}
	}
	f.Func("range", "a range of the call, START..END", list(&r.Ranges))
	f.Func("summary-file", "the summary of one range, or of all", list(&r.Summaries))
	f.Func("mute", "a code whose findings are left out", list(&r.Mute))
	f.BoolVar(&r.JSON, "json", false, "write JSON")
}

// wrong says what in the command line does not go together.
func (a *Arguments) wrong(words []string) error {
	switch {
	case a.Version:
		return nil
	case a.Verb == VerbList && len(words) > 0:
		return errors.New("ls lists the sessions of this machine; --agent narrows it down")
	case a.Verb != "" && a.Verb != VerbList && len(words) == 0 && !a.Latest:
		return fmt.Errorf("%s: name the transcript", a.Verb)
	case a.Verb == "" && len(words) > 0 && words[0] == "-":
		return errors.New("the screen follows a file; report, replay, check and doctor read standard input")
	case a.Verb == "" && len(words) > 0 && unknownVerb(words[0]) != nil:
		return unknownVerb(words[0])
	case len(words) > 1:
		return fmt.Errorf("%q: only one transcript can be named", words[1])
	case a.Demo && (a.Verb != "" || len(words) > 0 || a.Latest || a.Agent != "" || a.Pick || a.FollowLatest):
		return errors.New("--demo stands alone")
	case len(words) > 0 && (a.Latest || a.Agent != "" || a.Pick):
		return errors.New("--latest, --agent and --pick choose a session; do not name one too")
	case len(words) == 0 && a.Options.Session != "":
		return errors.New("--session names a session in a file; name the file too")
	case a.Verb != "" && (a.Pick || a.FollowLatest):
		return errors.New("--pick and --follow-latest belong to the screen")
	case a.Verb != VerbCheck && len(a.Request.Ranges)+len(a.Request.Summaries) > 0:
		return errors.New("--range and --summary-file belong to check")
	case a.Request.JSON && (a.Verb == "" || a.Verb == VerbReplay):
		return errors.New("--json belongs to ls, report, check and doctor")
	case a.Verb != VerbDoctor && len(a.Request.Mute) > 0:
		return errors.New("--mute belongs to doctor")
	case unknownCode(a.Request.Mute) != "":
		return fmt.Errorf("finding %q is unknown, want one of %s", unknownCode(a.Request.Mute), strings.Join(doctor.Codes(), ", "))
	case !slices.Contains(Counters, a.Options.Tokens):
		return unknownCounter(a.Options.Tokens)
	}
	return nil
}
