package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// refusedHome makes a home folder in whose folder of sessions stands what is
// none, and gives the sentence that belongs to each.
func refusedHome(t *testing.T) (home string, refused map[string]string) {
	t.Helper()
	home = t.TempDir()
	projects := filepath.Join(home, ".claude", "projects")
	at := func(name string) string { return filepath.Join(projects, "-p", name) }
	data, err := os.ReadFile("testdata/transcripts/claude/basic.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	outside, closed := filepath.Join(home, "outside.jsonl"), filepath.Join(projects, "-closed", "s.jsonl")
	for _, err := range []error{
		os.MkdirAll(at(""), 0o755), os.MkdirAll(filepath.Dir(closed), 0o755),
		os.WriteFile(at("good.jsonl"), data, 0o644), os.WriteFile(outside, data, 0o644), os.WriteFile(closed, data, 0o644),
		os.Symlink(outside, at("link.jsonl")), os.Symlink("/dev/zero", at("device.jsonl")), os.Symlink("nowhere", at("dead.jsonl")),
		syscall.Mkfifo(at("pipe.jsonl"), 0o644),
		os.WriteFile(at("zeros.jsonl"), nil, 0o644), os.Truncate(at("zeros.jsonl"), 64<<30),
		os.Mkdir(filepath.Join(home, ".codex"), 0),
		os.Chmod(filepath.Dir(closed), 0), os.Chmod(home, 0o755), os.Chmod(filepath.Dir(home), 0o755), os.Chmod(filepath.Dir(program), 0o755),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		if err := os.Chmod(filepath.Dir(closed), 0o700); err != nil {
			t.Error(err)
		}
	})
	return home, map[string]string{
		at("link.jsonl"):     "it is a symbolic link that leads out of the session folder, to " + outside,
		at("device.jsonl"):   "it is a symbolic link that leads out of the session folder, to /dev/zero",
		at("dead.jsonl"):     "no such file or directory",
		at("pipe.jsonl"):     "it is a pipe, which cannot be followed",
		at("zeros.jsonl"):    "a line is longer than 1 GiB, so this is no transcript",
		at(""):               "it is a folder",
		closed:               "permission denied",
		filepath.Dir(closed): "it is a folder",
		"/dev/null":          "it is a device",
	}
}

// asNobody runs the program without a right to what is closed, whoever runs
// the test, and fails when it does not come to an end by itself.
func asNobody(t *testing.T, home string, args ...string) answer {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Env = home, append(os.Environ(), "HOME="+home)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if os.Geteuid() == 0 {
		const nobody = 65534
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: nobody, Gid: nobody}
	}
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if ctx.Err() != nil || cmd.ProcessState == nil {
		t.Fatalf("%v: %v", args, err)
	}
	return answer{out: out.String(), errs: errs.String(), code: cmd.ProcessState.ExitCode()}
}

// TestWhatIsNoSessionIsRefusedByEveryVerb names each thing that is no session
// to each verb: it says why in one sentence, and hangs at none.
func TestWhatIsNoSessionIsRefusedByEveryVerb(t *testing.T) {
	home, refused := refusedHome(t)
	for path, want := range refused {
		for _, args := range [][]string{
			{"report", path}, {"report", path, "--json"}, {"replay", path}, {"check", path, "--range", "m00001..m00002"}, {"doctor", path},
		} {
			a := asNobody(t, home, args...)
			if a.code != exitFailure || a.out != "" || strings.Count(a.errs, "\n") != 1 || !strings.Contains(a.errs, want) {
				t.Errorf("%v: exit %d, %q, %q; want %q", args, a.code, a.out, a.errs, want)
			}
			if n := strings.Count(a.errs, path); n != 1 {
				t.Errorf("%v names the file %d times: %s", args, n, a.errs)
			}
		}
	}
}

func TestWhatIsNoSessionIsNamedInTheList(t *testing.T) {
	home, refused := refusedHome(t)
	projects := filepath.Join(home, ".claude", "projects")
	listed := map[string]string{
		filepath.Join(home, ".codex"):              "the folder cannot be read: permission denied",
		filepath.Join(projects, "-closed"):         "the folder cannot be read: permission denied",
		filepath.Join(projects, "-p/dead.jsonl"):   "it is a symbolic link that leads nowhere",
		filepath.Join(projects, "-p/zeros.jsonl"):  "its start holds no record of a session",
		filepath.Join(projects, "-p/link.jsonl"):   "",
		filepath.Join(projects, "-p/device.jsonl"): "",
		filepath.Join(projects, "-p/pipe.jsonl"):   "",
	}
	for path, why := range listed {
		if why == "" {
			listed[path] = refused[path]
		}
	}
	a := asNobody(t, home, "ls", "--json")
	var got []struct{ File, Refused string }
	if err := json.Unmarshal([]byte(a.out), &got); err != nil || a.code != exitDone || len(got) != len(listed)+1 {
		t.Fatalf("exit %d, error %v, %s%s", a.code, err, a.out, a.errs)
	}
	text := asNobody(t, home, "ls")
	for _, s := range got {
		if why, ok := listed[s.File]; s.File != filepath.Join(projects, "-p/good.jsonl") && (!ok || !strings.HasPrefix(s.Refused, why)) {
			t.Errorf("%s: %q, want %q", s.File, s.Refused, why)
		}
		if s.Refused != "" && !strings.Contains(text.out, s.File+": "+s.Refused+"\n") {
			t.Errorf("the text does not say %q of %s:\n%s", s.Refused, s.File, text.out)
		}
	}
	if latest := asNobody(t, home, "report", "--latest"); latest.code != exitDone || !strings.Contains(latest.out, "Claude Code") {
		t.Errorf("the good one is not found: %+v", latest)
	}
}
