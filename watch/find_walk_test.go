//go:build unix

package watch

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// refusals are the sentences of what m refuses, by name.
func refusals(m Machine) map[string]string {
	out := map[string]string{}
	for _, f := range m.All() {
		if why := f.Look().Refused; why != "" {
			out[filepath.Base(f.Path)] = why
		}
	}
	return out
}

func TestWhatIsNoSessionFileIsRefusedAndTheRestIsFound(t *testing.T) {
	h := newHome(t)
	session := h.add(".claude/projects/-p/good.jsonl", record("a", "one"))
	folder := filepath.Dir(session)
	secret := h.add("secret/notes.jsonl", record("a", "one"))
	h.must(os.MkdirAll(h.path("secret/more"), 0o700))
	h.must(os.Symlink(secret, filepath.Join(folder, "out.jsonl")))
	h.must(os.Symlink(h.path("secret"), filepath.Join(folder, "..", "-linked")))
	h.must(os.Symlink(session, filepath.Join(folder, "inside.jsonl")))
	h.must(os.Symlink(h.path("nowhere"), filepath.Join(folder, "dead.jsonl")))
	h.must(os.Symlink("loop.jsonl", filepath.Join(folder, "loop.jsonl")))
	h.must(os.Symlink("/dev/zero", filepath.Join(folder, "device.jsonl")))
	h.must(syscall.Mkfifo(filepath.Join(folder, "pipe.jsonl"), 0o600))
	socket, err := net.Listen("unix", filepath.Join(folder, "socket.jsonl"))
	h.must(err)
	defer func() { h.must(socket.Close()) }()
	sparse, err := os.Create(filepath.Join(folder, "zeros.jsonl"))
	h.must(err)
	h.must(sparse.Truncate(64 << 30))
	h.must(sparse.Close())

	got := refusals(h.machine("/p"))
	want := map[string]string{
		"out.jsonl":    "it is a symbolic link that leads out of the session folder, to " + secret,
		"-linked":      "it is a symbolic link that leads out of the session folder",
		"dead.jsonl":   "it is a symbolic link that leads nowhere",
		"loop.jsonl":   "it is a symbolic link that leads nowhere",
		"device.jsonl": "it is a symbolic link that leads out of the session folder, to /dev/zero",
		"pipe.jsonl":   "it is a pipe",
		"socket.jsonl": "it is a socket",
		"zeros.jsonl":  "its start holds no record",
	}
	for name, why := range want {
		if !strings.HasPrefix(got[name], why) {
			t.Errorf("%s: %q, want %q", name, got[name], why)
		}
		delete(got, name)
	}
	if len(got) > 0 {
		t.Errorf("refused too: %v", got)
	}
	if newest, err := h.machine("/p").Latest(); err != nil || newest.Path != session {
		t.Errorf("latest is %s, error %v", newest.Path, err)
	}
}

func TestTheLinkThatLeadsOutIsRefusedWhenItIsNamed(t *testing.T) {
	h := newHome(t)
	inside := h.add(".claude/projects/-p/a.jsonl", record("a", "one"))
	outside := h.add("elsewhere/b.jsonl", record("a", "one"))
	link := h.path(".claude/projects/-p/link.jsonl")
	h.must(os.Symlink(outside, link))
	own := h.path("elsewhere/own.jsonl")
	h.must(os.Symlink(outside, own))
	m := h.machine("/p")
	for _, path := range []string{inside, outside, own, h.path("none.jsonl"), h.path(".claude/projects/-p/none.jsonl")} {
		if err := m.Admit(path); err != nil {
			t.Errorf("%s is refused: %v", path, err)
		}
	}
	if err := m.Admit(link); err == nil || !strings.Contains(err.Error(), "leads out of the session folder, to "+outside) {
		t.Errorf("error %v", err)
	}
}

func TestAMovedSessionFolderIsNoLinkOut(t *testing.T) {
	h := newHome(t)
	session := h.add("big-disk/claude/projects/-p/a.jsonl", record("a", "one"))
	h.must(os.Symlink(h.path("big-disk/claude"), h.path(".claude")))
	m := h.machine("/p")
	found := m.Sessions()
	if len(found) != 1 || found[0].Path != h.path(".claude/projects/-p/a.jsonl") || found[0].Size == 0 {
		t.Errorf("sessions %+v", found)
	}
	if err := m.Admit(found[0].Path); err != nil {
		t.Error(err)
	}
	if err := m.Admit(session); err != nil {
		t.Error(err)
	}
}

func TestAFileOfZerosEndsBeforeItIsReadToItsEnd(t *testing.T) {
	d := newDisk(t)
	path := d.write("zeros.jsonl", "")
	d.must(os.Truncate(path, 64<<30))
	for _, once := range []bool{true, false} {
		source, err := Open(path, Options{Once: once})
		d.must(err)
		_, err = source.Next(t.Context())
		if err == nil || !strings.Contains(err.Error(), "a line is longer than 1 GiB, so this is no transcript") {
			t.Errorf("error %v", err)
		}
		d.must(source.Close())
	}
}

// What lies in the folder of a session must be its own.
func TestALinkOutOfASessionsFolderIsRefused(t *testing.T) {
	h := newHome(t)
	h.add(".omp/agent/sessions/--p--/s.jsonl", piHeader)
	h.add(".omp/agent/sessions/--p--/s/Explore.jsonl", piHeader)
	h.must(os.Symlink(h.add("secret.jsonl", piHeader), h.path(".omp/agent/sessions/--p--/s/out.jsonl")))
	if got := refusals(h.machine("/p")); len(got) != 1 || !strings.Contains(got["out.jsonl"], "leads out") {
		t.Errorf("refused %v", got)
	}
}
