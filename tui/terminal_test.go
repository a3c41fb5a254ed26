//go:build unix

package tui

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
	"github.com/creack/pty"
)

// patient is how long a terminal waits for what must come: long enough for a
// busy machine.
const patient = 30 * time.Second

// build makes the program once for all tests.
var build = sync.OnceValues(func() (string, error) {
	folder, err := os.MkdirTemp("", "ctxscope")
	if err != nil {
		return "", err
	}
	path := filepath.Join(folder, "ctxscope")
	cmd := exec.Command("go", "build", "-o", path, ".")
	cmd.Dir = ".."
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build: %w\n%s", err, out)
	}
	return path, nil
})

// program is the path of the built program.
func program(t *testing.T) string {
	t.Helper()
	path, err := build()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// terminal is a pseudo-terminal with a program in it. It answers the questions
// that programs ask of a terminal.
type terminal struct {
	t        *testing.T
	cmd      *exec.Cmd
	pty, tty *os.File
	before   *term.State
	exited   chan error
	read     chan struct{} // closed when nothing more comes

	mu   sync.Mutex
	out  []byte
	mark int // awaited text stands behind it
}

// start runs a command in a terminal of width by height cells.
func start(t *testing.T, width, height int, name string, args ...string) *terminal {
	t.Helper()
	master, slave, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	x := &terminal{t: t, pty: master, tty: slave, exited: make(chan error, 1), read: make(chan struct{})}
	x.resize(width, height)
	if x.before, err = term.GetState(slave.Fd()); err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	x.cmd = exec.Command(name, args...)
	x.cmd.Env = append(os.Environ(), "HOME="+home, "TERM=xterm-256color", "NO_COLOR=1", "TMUX=", "STY=")
	x.cmd.Stdin, x.cmd.Stdout, x.cmd.Stderr = slave, slave, slave
	x.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := x.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { x.exited <- x.cmd.Wait() }()
	go x.listen()
	t.Cleanup(func() {
		_ = x.cmd.Process.Kill() // it may have ended long ago
		_ = slave.Close()
		_ = master.Close()
	})
	return x
}

// listen collects what the program writes and answers its questions.
func (x *terminal) listen() {
	defer close(x.read)
	buf := make([]byte, 1<<16)
	for {
		n, err := x.pty.Read(buf)
		x.mu.Lock()
		x.out = append(x.out, buf[:n]...)
		x.mu.Unlock()
		if bytes.Contains(buf[:n], []byte("\x1b]11;?")) {
			_, _ = io.WriteString(x.pty, "\x1b]11;rgb:0000/0000/0000\x1b\\")
		}
		if bytes.Contains(buf[:n], []byte("\x1b[6n")) {
			_, _ = io.WriteString(x.pty, "\x1b[1;1R")
		}
		if err != nil {
			return
		}
	}
}

func (x *terminal) resize(width, height int) {
	x.t.Helper()
	x.begin()
	if err := pty.Setsize(x.pty, &pty.Winsize{Cols: uint16(width), Rows: uint16(height)}); err != nil {
		x.t.Fatal(err)
	}
}

// begin makes what comes from now on what is awaited.
func (x *terminal) begin() {
	x.mu.Lock()
	x.mark = len(x.out)
	x.mu.Unlock()
}

// send types text; what it brings about is awaited afterwards.
func (x *terminal) send(text string) {
	x.t.Helper()
	x.begin()
	if _, err := io.WriteString(x.pty, text); err != nil {
		x.t.Fatal(err)
	}
}

// since is what was written since begin.
func (x *terminal) since() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return string(x.out[x.mark:])
}

// all is everything that was written.
func (x *terminal) all() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return string(x.out)
}

// await waits until text was written since the last begin, escape sequences
// left out.
func (x *terminal) await(text string) {
	x.t.Helper()
	x.awaitThat(fmt.Sprintf("%q", text), func(out string) bool { return strings.Contains(ansi.Strip(out), text) })
}

func (x *terminal) awaitThat(what string, holds func(out string) bool) {
	x.t.Helper()
	for deadline := time.Now().Add(patient); !holds(x.since()); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			x.t.Fatalf("waited in vain for %s; written since:\n%s", what, ansi.Strip(x.since()))
		}
	}
}

// ends waits at most limit for the program to end and gives its exit code.
func (x *terminal) ends(limit time.Duration) int {
	x.t.Helper()
	select {
	case err := <-x.exited:
		after, stateErr := term.GetState(x.tty.Fd())
		if stateErr != nil {
			x.t.Fatal(stateErr)
		}
		if !reflect.DeepEqual(after, x.before) {
			x.t.Error("the terminal's settings are not what they were before")
		}
		_ = x.tty.Close()
		<-x.read
		if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
			return exit.ExitCode()
		}
		if err != nil {
			x.t.Fatal(err)
		}
		return 0
	case <-time.After(limit):
		x.t.Fatalf("the program did not end within %v", limit)
	}
	return -1
}

// restored fails unless the last things written leave the terminal as a shell
// wants it: these mouse modes off, the cursor shown, the alternate screen left.
func (x *terminal) restored(modes ...int) {
	x.t.Helper()
	out := x.all()
	for _, mode := range modes {
		on, off := strings.LastIndex(out, fmt.Sprintf("\x1b[?%dh", mode)), strings.LastIndex(out, fmt.Sprintf("\x1b[?%dl", mode))
		if on > off {
			x.t.Errorf("mode %d is still on", mode)
		}
	}
	if hidden, shown := strings.LastIndex(out, "\x1b[?25l"), strings.LastIndex(out, "\x1b[?25h"); shown < hidden {
		x.t.Error("the cursor is still hidden")
	}
	entered, left := strings.LastIndex(out, "\x1b[?1049h"), strings.LastIndex(out, "\x1b[?1049l")
	if entered < 0 {
		x.t.Error("the alternate screen was never entered")
	}
	if left < entered {
		x.t.Error("the alternate screen was not left")
	}
}
