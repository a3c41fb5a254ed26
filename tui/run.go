package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"

	"github.com/aymanbagabas/go-osc52/v2"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
)

// ErrInterrupted says that a signal or ctrl+c ended the program.
var ErrInterrupted = errors.New("interrupted")

// Run shows the screen until it is left. It restores the terminal before it
// returns, whatever ended it: after ctrl+c or a signal it returns
// ErrInterrupted, after a panic a *PanicError. It closes the source.
func Run(ctx context.Context, opts Options) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	// What a large session needs is kept for long; twice that much would be
	// held before the collector looks at it.
	defer debug.SetGCPercent(debug.SetGCPercent(collectAt))

	m := New(ctx, opts, lipgloss.DefaultRenderer())
	m.errand = errands{now: now, tick: clock, suspend: suspend, relieve: relieve, copy: func(text string) tea.Cmd {
		return guard(func() tea.Msg { return copyTo(os.Stdout, os.Getenv, text) })
	}}
	program := tea.NewProgram(m, tea.WithAltScreen(), tea.WithContext(ctx), tea.WithoutSignalHandler())
	interrupted := make(chan bool, 1)
	ended := make(chan struct{})
	go heed(program, interrupted, ended)
	last, err := program.Run()
	close(ended)
	cancel()
	// The first source may have given way to one that was opened later.
	final, ok := last.(Model)
	if !ok {
		final = m
	}
	closed := final.close()
	switch {
	case final.fault != nil:
		return final.fault
	case final.interrupted || <-interrupted:
		return ErrInterrupted
	case err != nil:
		return fmt.Errorf("show the screen: %w", err)
	case closed != nil:
		return fmt.Errorf("close the session: %w", closed)
	}
	return nil
}

// collectAt is by how many percent the memory in use may grow before it is
// collected.
const collectAt = 25

// heed ends the program at a signal and takes the terminal again when the
// process is continued. After ended is closed it says whether a signal came.
func heed(program *tea.Program, interrupted chan<- bool, ended <-chan struct{}) {
	ending, going := make(chan os.Signal, 1), make(chan os.Signal, 1)
	signal.Notify(ending, endings...)
	heedContinue(going)
	defer signal.Stop(going)
	defer signal.Stop(ending)
	caught := false
	for {
		select {
		case <-ending:
			// A second signal ends the process in the system's own way, should
			// the terminal not take what restores it.
			signal.Stop(ending)
			caught = true
			program.Kill()
		case <-going:
			go program.Send(continuedMsg{})
		case <-ended:
			interrupted <- caught
			return
		}
	}
}

// close ends the sources.
func (m Model) close() error {
	if m.next != nil && m.next.source != nil {
		_ = m.next.source.Close() // it never reached the screen
	}
	return m.live.source.Close()
}

// clipboardLimit is the most that terminals usually take, in bytes.
const clipboardLimit = 74_000

// copyTo sends text to the clipboard of the terminal behind w, through tmux or
// screen where the environment names them.
func copyTo(w io.Writer, env func(string) string, text string) tea.Msg {
	if len(text) > clipboardLimit {
		return doneMsg{fmt.Sprintf("The call has %d bytes, more than a terminal's clipboard takes (%d).", len(text), clipboardLimit)}
	}
	sequence := osc52.New(text)
	switch {
	case env("TMUX") != "":
		sequence = sequence.Tmux()
	case env("STY") != "":
		sequence = sequence.Screen()
	}
	if _, err := io.WriteString(w, sequence.String()); err != nil {
		return doneMsg{fmt.Sprintf("The terminal does not take the call: %v.", err)}
	}
	return doneMsg{"The call was sent to the terminal's clipboard."}
}

// continuedMsg says that the process was stopped by somebody and goes on: who
// stopped it may have set the terminal up for a shell.
type continuedMsg struct{}

// retake sets the terminal up for the screen again.
func retake() tea.Cmd {
	return tea.Exec(moment{}, func(error) tea.Msg { return resumedMsg{} })
}

// moment takes no time.
type moment struct{ pause }

func (moment) Run() error { return nil }

// resumedMsg says that the program goes on after ctrl+z. Err says that it was
// not stopped.
type resumedMsg struct{ err error }

// suspend gives the terminal back and stops the process until it is continued.
func suspend() tea.Cmd {
	return tea.Exec(pause{}, func(err error) tea.Msg { return resumedMsg{err} })
}

// pause stops the process; it reads and writes nothing.
type pause struct{}

func (pause) SetStdin(io.Reader)  {}
func (pause) SetStdout(io.Writer) {}
func (pause) SetStderr(io.Writer) {}

// resumed draws the whole screen again.
func (m Model) resumed(msg resumedMsg) (Model, tea.Cmd) {
	if msg.err != nil {
		m = m.say(msg.err.Error())
	}
	return m, tea.ClearScreen
}
