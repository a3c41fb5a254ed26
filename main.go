// ctxscope shows what is in the context of a running AI coding agent, what of
// it could be compressed, and whether and why the agent will be nudged to.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"

	"github.com/charmbracelet/x/term"

	"ctxscope/tui"
	"ctxscope/tui/launch"
	"ctxscope/watch"
	"ctxscope/watch/headless"
)

const version = "0.1.0"

// The exit codes.
const (
	exitDone        = 0
	exitRefused     = 1 // check: no block would be made; doctor: something was found
	exitFailure     = 2 // usage, or something failed
	exitInterrupted = 130
)

// hinted is an error with advice for the person.
type hinted struct {
	error
	hint string
}

func main() {
	code, err := run(os.Args[1:])
	switch {
	case errors.Is(err, tui.ErrInterrupted):
		code = exitInterrupted
	case err != nil:
		fmt.Fprintln(os.Stderr, "ctxscope: error:", headless.Sentence(err.Error()))
	}
	if h := (hinted{}); errors.As(err, &h) {
		fmt.Fprintln(os.Stderr, "ctxscope: hint:", h.hint)
	}
	if p := (*tui.PanicError)(nil); errors.As(err, &p) {
		os.Stderr.Write(p.Stack)
	}
	os.Exit(code)
}

// run does what the arguments ask for and gives the exit code.
func run(args []string) (int, error) {
	a, err := headless.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		_, err = fmt.Print(headless.Usage)
		return ended(err)
	case err != nil:
		return exitFailure, hinted{err, "ctxscope --help lists what can be asked"}
	case a.Version:
		_, err = fmt.Println("ctxscope", version)
		return ended(err)
	}
	machine := watch.ThisMachine()
	if a.Verb == "" {
		if !term.IsTerminal(os.Stdout.Fd()) {
			return exitFailure, hinted{
				errors.New("standard output is not a terminal, so there is no screen"),
				"ctxscope report FILE writes the same facts as text",
			}
		}
		return ended(launch.Screen(a, machine))
	}
	interrupt := make(chan os.Signal, 1)
	signal.Notify(interrupt, os.Interrupt)
	go func() {
		<-interrupt
		os.Exit(exitInterrupted)
	}()
	ctx := context.Background()
	a.Options.In, a.Options.Out, a.Options.Err = os.Stdin, os.Stdout, os.Stderr
	a.Options.Hosts = a.Hosts(machine)
	if a.Verb == headless.VerbList {
		machine.Agent = a.Agent
		return ended(headless.List(ctx, machine, a.Options, a.Request.JSON))
	}
	if err := a.Locate(machine); err != nil {
		return exitFailure, err
	}
	switch a.Verb {
	case headless.VerbReport:
		return ended(headless.Report(ctx, a.Options, a.Request.JSON))
	case headless.VerbReplay:
		return ended(headless.Replay(ctx, a.Options))
	case headless.VerbDoctor:
		return answered(headless.Doctor(ctx, a.Options, a.Request))
	}
	return answered(headless.Check(ctx, a.Options, a.Request))
}

// answered is the exit code of a question whose good answer is yes.
func answered(yes bool, err error) (int, error) {
	if err == nil && !yes {
		return exitRefused, nil
	}
	return ended(err)
}

// ended is the exit code of something that cannot be refused.
func ended(err error) (int, error) {
	if err != nil {
		return exitFailure, err
	}
	return exitDone, nil
}
