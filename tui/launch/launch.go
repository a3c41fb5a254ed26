// Package launch opens what the command line asks for on the screen: the
// session in a file, the newest of this machine, or the demo.
package launch

import (
	"context"
	"errors"

	"ctxscope/tui"
	"ctxscope/watch"
	"ctxscope/watch/demo"
	"ctxscope/watch/headless"
	"ctxscope/watch/settings"
)

// Screen follows a session on the screen until the person leaves it. Standard
// output must be a terminal.
func Screen(a headless.Arguments, machine watch.Machine) error {
	err := a.Locate(machine)
	if err != nil && (!errors.Is(err, watch.ErrNoSession) || a.Latest || a.Agent != "") {
		return err
	}
	open := opener(a)
	first, err := open(a.Options.Tokens)
	if err != nil {
		return err
	}
	machine.Agent = a.Agent
	o := tui.Options{
		Source: first.Source, Count: first.Count, Counter: a.Options.Tokens, Counters: headless.Counters,
		Choice: a.Options.Choice, Hosts: a.Hosts(machine), Open: open, OpenFile: openFile,
		Session: a.Options.Session, Machine: &machine, Pick: a.Pick, FollowLatest: a.FollowLatest,
		Scout: func(path, session, folder string) tui.Scout { return machine.Scout(path, session, folder) },
	}
	if !a.NoHost {
		o.Layers = settings.Hosts{Home: machine.Home, Getenv: machine.Getenv}.Layers
	}
	return tui.Run(context.Background(), o)
}

// opener gives what opens the session that was found, or the demo where none
// was.
func opener(a headless.Arguments) func(counter string) (tui.Opened, error) {
	if path, session := a.Options.File, a.Options.Session; path != "" {
		return func(counter string) (tui.Opened, error) { return openFile(path, session, counter) }
	}
	var player *demo.Player
	return func(counter string) (tui.Opened, error) {
		count, err := headless.Counter(counter)
		switch {
		case err != nil:
			return tui.Opened{}, err
		case player != nil:
			return tui.Opened{Source: player.Again(count), Count: count}, nil
		}
		player, err = demo.Open(count)
		return tui.Opened{Source: player, Count: count}, err
	}
}

// openFile follows the session in a file; of one that holds many, session is
// the id.
func openFile(path, session, counter string) (tui.Opened, error) {
	count, err := headless.Counter(counter)
	if err != nil {
		return tui.Opened{}, err
	}
	source, err := watch.Open(path, watch.Options{Counter: count, Session: session})
	return tui.Opened{Source: source, Count: count}, err
}
