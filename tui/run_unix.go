//go:build unix

package tui

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// endings are the signals that end the program.
var endings = []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}

func heedContinue(c chan<- os.Signal) { signal.Notify(c, syscall.SIGCONT) }

// patience is how long a stop may take to happen.
const patience = 300 * time.Millisecond

// Run stops the process group, as ctrl+z does, and returns when it is
// continued. Where nobody could continue it, the system does not stop it: then
// Run returns an error instead of waiting.
func (pause) Run() error {
	going := make(chan os.Signal, 1)
	signal.Notify(going, syscall.SIGCONT)
	defer signal.Stop(going)
	if err := syscall.Kill(0, syscall.SIGTSTP); err != nil {
		return fmt.Errorf("stop the program: %w", err)
	}
	for _, wait := range [...]time.Duration{patience, patience / 3} {
		// The time spent stopped counts too, so the first wait may be over
		// before the signal that ended it is seen.
		select {
		case <-going:
			return nil
		case <-time.After(wait):
		}
	}
	return errors.New("no shell is here to come back from, so ctrl+z does nothing")
}
