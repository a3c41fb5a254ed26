//go:build unix

package tui

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestTheScreenRefusesWhatIsNoSession starts the program with what is none: it
// says why, and neither hangs nor leaves the terminal changed.
func TestTheScreenRefusesWhatIsNoSession(t *testing.T) {
	home := t.TempDir()
	folder := filepath.Join(home, ".claude", "projects", "-p")
	at := func(name string) string { return filepath.Join(folder, name) }
	err := errors.Join(
		os.MkdirAll(folder, 0o700), os.WriteFile(filepath.Join(home, "outside.jsonl"), []byte("{}\n"), 0o600),
		os.Symlink(filepath.Join(home, "outside.jsonl"), at("link.jsonl")), os.Symlink("/dev/zero", at("device.jsonl")),
		syscall.Mkfifo(at("pipe.jsonl"), 0o600), os.WriteFile(at("zeros.jsonl"), nil, 0o600), os.Truncate(at("zeros.jsonl"), 64<<30),
	)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		at("link.jsonl"):   "it is a symbolic link that leads out of the session folder",
		at("device.jsonl"): "it is a symbolic link that leads out of the session folder, to /dev/zero",
		at("pipe.jsonl"):   "it is a pipe, which cannot be followed; name a file",
		"/dev/zero":        "it is a device; name a file",
		folder:             "it is a folder; name a session file in it",
	} {
		x := start(t, 100, 30, "env", "HOME="+home, program(t), path)
		if code := x.ends(patient); code != 2 {
			t.Errorf("%s: exit code %d", path, code)
		}
		if out := x.all(); !strings.Contains(out, want) || !strings.Contains(out, path) || strings.Contains(out, "\x1b[?1049h") {
			t.Errorf("%s: it writes %q, want %q", path, out, want)
		}
	}
	x := start(t, 100, 30, "env", "HOME="+home, program(t), at("zeros.jsonl"))
	x.await("This cannot be read as a session.")
	x.await("A line is longer than 1 GiB, so this is no transcript.")
	x.send("?")
	x.await("shift+tab")
	x.send("q")
	if code := x.ends(patient); code != 0 {
		t.Errorf("exit code %d", code)
	}
	x.restored()
	x = start(t, 100, 30, "env", "HOME="+home, program(t), at("zeros.jsonl"))
	x.await("ctxscope")
	x.send("q") // it need not be read first
	if code := x.ends(patient); code != 0 {
		t.Errorf("exit code %d", code)
	}
}
