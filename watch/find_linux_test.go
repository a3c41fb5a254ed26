package watch

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// nobody makes the calling goroutine one that has no right to the person's
// files, whoever runs the test: the superuser may read everything otherwise.
func nobody(t *testing.T) {
	t.Helper()
	if os.Geteuid() != 0 {
		return
	}
	runtime.LockOSThread()
	if err := syscall.Setfsuid(65534); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Setfsuid(0); err != nil {
			t.Fatal(err)
		}
		runtime.UnlockOSThread()
	})
}

func TestAFolderWithoutPermissionIsSaid(t *testing.T) {
	h := newHome(t)
	session := h.add(".claude/projects/-p/good.jsonl", record("a", "one"))
	closed := h.add(".claude/projects/-closed/a.jsonl", record("a", "one"))
	unread := h.add(".claude/projects/-p/unread.jsonl", record("a", "one"))
	h.must(os.Chmod(unread, 0))
	for folder := filepath.Dir(session); folder != filepath.Dir(filepath.Dir(h.folder)); folder = filepath.Dir(folder) {
		h.must(os.Chmod(folder, 0o755))
	}
	h.must(os.Chmod(session, 0o644))
	h.must(os.Chmod(filepath.Dir(closed), 0))
	t.Cleanup(func() { h.must(os.Chmod(filepath.Dir(closed), 0o700)) })
	nobody(t)
	got := refusals(h.machine("/p"))
	if len(got) != 2 || got["-closed"] != "the folder cannot be read: permission denied" || got["unread.jsonl"] != "it cannot be read: permission denied" {
		t.Errorf("refused %v", got)
	}
	if newest, err := h.machine("/p").Newest(); err != nil || newest.Path != session {
		t.Errorf("newest is %s, error %v", newest.Path, err)
	}
	_, err := Open(closed, Options{})
	if err == nil || !strings.Contains(err.Error(), "permission denied") {
		t.Errorf("error %v", err)
	}
}
