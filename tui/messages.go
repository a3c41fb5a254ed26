package tui

import (
	"fmt"
	"runtime/debug"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"ctxscope/kernel"
	"ctxscope/views"
	"ctxscope/watch"
)

// eventMsg is what a source said. Err is io.EOF when nothing will follow.
type eventMsg struct {
	feed  int
	event watch.Event
	err   error
}

// openedMsg is a source that was opened anew.
type openedMsg struct {
	feed   int
	opened Opened
	err    error
}

// advancedMsg is the outcome of a kernel job: the live scene and those of the
// what-if branches.
type advancedMsg struct {
	feed, gen int
	live      scene
	branches  []branch
	anew      bool // the run was made anew from the host's state
	title     title
}

// appliedMsg is the outcome of a submitted call.
type appliedMsg struct {
	feed, gen  int
	submission submission
	verdict    kernel.Verdict
	scene      scene
}

// checkedMsg is the verdict of the form's call.
type checkedMsg struct {
	number  int
	call    kernel.Call
	verdict kernel.Verdict
}

// foreseenMsg is what would hold after the form's call.
type foreseenMsg struct {
	feed, gen, number int
	report            *kernel.Report
}

// judgedMsg holds the verdicts of rows of one scene.
type judgedMsg struct {
	version  int
	verdicts map[span]kernel.Verdict
}

// filteredMsg holds the rows that a filter leaves.
type filteredMsg struct {
	panel  views.Panel
	number int
	rows   []int32
}

// textMsg is the text of the open reader, wrapped for one width.
type textMsg struct {
	number int
	text   string
	lines  []string
	err    error
}

// doneMsg says how a small errand ended; note is for the foot line.
type doneMsg struct{ note string }

// tickMsg tells the time.
type tickMsg time.Time

// faultMsg is a panic in a command.
type faultMsg struct{ fault *PanicError }

// PanicError is a panic that ended the program, with the stack at that place.
type PanicError struct {
	Value any
	Stack []byte
}

func (e *PanicError) Error() string { return fmt.Sprint(e.Value) }

// guard makes a panic in cmd a message, so that the terminal is restored
// before the stack is printed.
func guard(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer func() {
			if v := recover(); v != nil {
				msg = faultMsg{&PanicError{Value: v, Stack: debug.Stack()}}
			}
		}()
		return cmd()
	}
}

// now asks for the time.
func now() tea.Msg { return tickMsg(time.Now()) }

// clock asks for the time a second from now.
func clock() tea.Cmd {
	return tea.Tick(time.Second, func(t time.Time) tea.Msg { return tickMsg(t) })
}

// relieve gives the memory back that the first reading of a session took.
func relieve() tea.Msg {
	debug.FreeOSMemory()
	return nil
}

// closing ends a source that is no longer followed.
func closing(source watch.Source) tea.Cmd {
	return guard(func() tea.Msg {
		_ = source.Close() // nobody waits for it, and it was only read
		return nil
	})
}
