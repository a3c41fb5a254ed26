//go:build unix

package tui

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"ctxscope/views"
)

// loose lets the short sessions of the tests be folded.
const loose = `{"compress": {"minCompressRange": 1}, "preserveRecentMessages": 1, "preserveRecentTokens": 0}`

func looseConfig(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "loose.json")
	if err := os.WriteFile(path, []byte(loose), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestTheProgramInATerminal(t *testing.T) {
	for _, c := range []struct {
		name  string
		args  []string
		shows string
		slow  bool // it plays: it has to be stopped first
	}{
		{"demo", []string{"--demo"}, "DEMO", true},
		{"claude", []string{"../testdata/transcripts/claude/parallel-results.jsonl"}, "Claude Code", false},
		{"pi", []string{"../testdata/transcripts/pi/basic.jsonl"}, "pi", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			args := append([]string{"--config", looseConfig(t)}, c.args...)
			x := start(t, 120, 40, program(t), args...)
			x.await(c.shows)
			if c.slow {
				x.send("+++")
				x.await("would fold now")
				x.send(" ")
				x.await("PAUSED")
			}
			tour(x)
			x.send("q")
			if code := x.ends(5 * time.Second); code != 0 {
				t.Errorf("exit code %d", code)
			}
			x.restored(1000, 1002, 1003, 1006)
		})
	}
}

// tour goes through what a person does: panels, a pick, its verdict, a what-if
// and back, another size, ctrl+z.
func tour(x *terminal) {
	x.t.Helper()
	x.send("?")
	x.await("shift+tab")
	x.send("\x1b")
	x.await("1 Batches")
	x.send("p")
	x.await("Problems ──")
	x.send("\x1b")
	x.await("1 Batches")
	x.send("4z")
	x.await("Gates, in the order in which they were asked")
	x.send("z")
	x.await("3 Tiers")
	x.send("1c")
	x.await("picked →")
	x.send("\r")
	x.await("summary of 0 chars")
	x.send("short\x13")
	x.await("Not applied: Summary too short (5 chars, min 50)")
	x.send(": what was found, what was changed and what is still to be done here\x13")
	x.await("WHAT-IF 1 fold")
	x.send("y")
	x.awaitThat("the call for the clipboard", func(out string) bool { return strings.Contains(out, "\x1b]52;c;") })
	x.send("u")
	x.await("Undone: the live session is shown.")
	x.resize(80, 24)
	x.awaitThat("a frame of 80 cells at most", func(out string) bool {
		frames := strings.Split(out, "\x1b[H") // what was on its way before the resize comes first
		last := ansi.Strip(frames[len(frames)-1])
		if !strings.Contains(last, "5 Compress") {
			return false
		}
		for _, line := range strings.Split(last, "\n") {
			if views.Width(strings.Trim(line, "\r")) > 80 {
				return false
			}
		}
		return true
	})
	x.send("\x1a")
	x.await("no shell is here to come back from")
}

func TestSuspendingAndComingBack(t *testing.T) {
	const shell = `set -m; "$0" "$@"; echo "STOPPED"; read line; fg; echo "LEFT $?"`
	x := start(t, 100, 30, "sh", "-c", shell, program(t), "../testdata/transcripts/pi/basic.jsonl")
	x.await("1 Batches")
	x.send("\x1a")
	x.await("STOPPED")
	x.restored()
	x.send("\n")
	x.awaitThat("the alternate screen", func(out string) bool { return strings.Contains(out, "\x1b[?1049h") })
	x.await("1 Batches")
	x.send("?")
	x.await("shift+tab")
	x.send("q")
	x.await("LEFT 0")
	if code := x.ends(5 * time.Second); code != 0 {
		t.Errorf("exit code %d", code)
	}
	x.restored(1000, 1002, 1003, 1006)
}

// TestAStopFromOutside stops the program with the terminal as it is. The shell
// sets it up for itself, and afterwards every key must be heard at once again.
func TestAStopFromOutside(t *testing.T) {
	const shell = `set -m; was=$(stty -g); sh -c 'echo PID $$ IS; exec "$0" "$@"' "$0" "$@"
		stty "$was"; echo "STOPPED 1"; read line; fg; stty "$was"; echo "STOPPED 2"; read line; fg; echo "LEFT $?"`
	x := start(t, 100, 30, "sh", "-c", shell, program(t), "../testdata/transcripts/pi/basic.jsonl")
	x.await("1 Batches")
	_, id, _ := strings.Cut(x.all(), "PID ")
	id, _, _ = strings.Cut(id, " IS")
	pid, err := strconv.Atoi(id)
	if err != nil {
		t.Fatal(err)
	}
	for _, stop := range []func(){
		func() {
			if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
				t.Fatal(err)
			}
			x.await("STOPPED 1")
		},
		func() {
			x.send("\x1a")
			x.await("STOPPED 2")
			x.restored()
		},
	} {
		x.begin()
		stop()
		x.send("\n")
		x.await("1 Batches")
		x.send("?")
		x.await("shift+tab")
		x.send("\x1b")
		x.await("1 Batches")
	}
	x.send("q")
	x.await("LEFT 0")
	if code := x.ends(5 * time.Second); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

func TestASizeThatIsNonsenseIsNotFilled(t *testing.T) {
	x := start(t, 80, 24, program(t), "../testdata/transcripts/pi/basic.jsonl")
	x.await("1 Batches")
	x.resize(65535, 65535)
	x.await("1 Batches")
	x.resize(80, 24)
	x.send("?")
	x.await("shift+tab")
	x.send("q")
	if code := x.ends(patient); code != 0 {
		t.Errorf("exit code %d", code)
	}
	if written := len(x.all()); written > 4*widest*highest {
		t.Errorf("%d bytes were written", written)
	}
}

func TestSignalsRestoreTheTerminal(t *testing.T) {
	signals := map[string]syscall.Signal{"SIGTERM": syscall.SIGTERM, "SIGINT": syscall.SIGINT, "SIGHUP": syscall.SIGHUP}
	ran := 0
	for path, expect := range signalCases(t) {
		var c struct {
			Signals []string `json:"signals"`
		}
		readJSON(t, path, &c)
		var want struct {
			MaxSeconds float64 `json:"maxSeconds"`
			ModesOff   []int   `json:"modesOff"`
		}
		if err := json.Unmarshal(expect, &want); err != nil {
			t.Fatal(err)
		}
		for _, name := range c.Signals {
			ran++
			t.Run(name, func(t *testing.T) {
				x := start(t, 80, 24, program(t), "--demo")
				x.await("DEMO")
				sent := time.Now()
				if err := x.cmd.Process.Signal(signals[name]); err != nil {
					t.Fatal(err)
				}
				if code := x.ends(patient); code != 130 {
					t.Errorf("exit code %d, want 130", code)
				}
				if took := time.Since(sent); took.Seconds() > want.MaxSeconds {
					t.Errorf("it took %v to end", took)
				}
				x.restored(want.ModesOff...)
			})
		}
	}
	if ran == 0 {
		t.Error("no signal was sent")
	}
}

// signalCases are the screen cases about signals, by path.
func signalCases(t *testing.T) map[string]json.RawMessage {
	t.Helper()
	out := map[string]json.RawMessage{}
	for _, folder := range caseFolders() {
		for name, expect := range screenExpectations(t, folder) {
			var keys map[string]json.RawMessage
			readJSON(t, filepath.Join(folder, name), &keys)
			if _, ok := keys["signals"]; ok {
				out[filepath.Join(folder, name)] = expect
			}
		}
	}
	return out
}

func TestCtrlCEndsTheProgram(t *testing.T) {
	x := start(t, 80, 24, program(t), "--demo")
	x.await("DEMO")
	x.send("\x03")
	if code := x.ends(5 * time.Second); code != 130 {
		t.Errorf("exit code %d, want 130", code)
	}
	x.restored(1000, 1002, 1003, 1006)
}
