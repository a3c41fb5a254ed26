package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// sessionsHome makes a home folder with two sessions and things that are none.
func sessionsHome(t *testing.T) (home, older, newer string) {
	t.Helper()
	home = t.TempDir()
	data, err := os.ReadFile("testdata/transcripts/claude/basic.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	put := func(path string, age time.Duration) string {
		path = filepath.Join(home, ".claude", "projects", path)
		at := time.Now().Add(-age)
		for _, err := range []error{
			os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, data, 0o600), os.Chtimes(path, at, at),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
		return path
	}
	older, newer = put("-a/older.jsonl", time.Hour), put("-b/newer.jsonl", time.Minute)
	folder := filepath.Dir(newer)
	zeros := filepath.Join(folder, "zeros.jsonl")
	for _, err := range []error{
		syscall.Mkfifo(filepath.Join(folder, "pipe.jsonl"), 0o600),
		os.Symlink("/dev/zero", filepath.Join(folder, "link.jsonl")),
		os.WriteFile(zeros, nil, 0o600), os.Truncate(zeros, 64<<30),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return home, older, newer
}

func TestSessionsAreListedAndChosen(t *testing.T) {
	home, older, newer := sessionsHome(t)
	a := command(t, home, "ls", "--json")
	var listed []struct{ File, Refused string }
	if err := json.Unmarshal([]byte(a.out), &listed); err != nil || a.code != 0 {
		t.Fatalf("exit %d, error %v\n%s%s", a.code, err, a.out, a.errs)
	}
	refused := 0
	for _, s := range listed {
		if s.Refused != "" {
			refused++
		}
	}
	if len(listed) != 5 || listed[0].File != newer || listed[1].File != older || refused != 3 {
		t.Errorf("listed %+v", listed)
	}
	if a := command(t, home, "report", "--latest"); a.code != 0 || a.out != command(t, home, "report", newer).out {
		t.Errorf("exit %d: %s%s", a.code, a.out, a.errs)
	}
	if a := command(t, home, "report", "--latest", "--agent", "codex"); a.code != 2 || !strings.Contains(a.errs, "no agent has left a session") {
		t.Errorf("exit %d: %s%s", a.code, a.out, a.errs)
	}
	if a := command(t, home, "ls", "--agent", "pi"); a.code != 0 || a.out != "" {
		t.Errorf("exit %d: %s%s", a.code, a.out, a.errs)
	}
}

func TestWhatIsNoSessionIsRefusedWithASentence(t *testing.T) {
	home, _, newer := sessionsHome(t)
	for name, want := range map[string]string{
		"pipe.jsonl":  "it is a pipe",
		"link.jsonl":  "it is a symbolic link that leads out of the session folder, to /dev/zero",
		"zeros.jsonl": "a line is longer than 1 GiB, so this is no transcript",
		"":            "it is a folder",
	} {
		a := command(t, home, "report", filepath.Join(filepath.Dir(newer), name))
		if a.code != 2 || !strings.Contains(a.errs, want) || a.took > 20*time.Second {
			t.Errorf("%s: exit %d after %v: %s", name, a.code, a.took, a.errs)
		}
	}
}
