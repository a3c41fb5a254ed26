//go:build unix

package watch

import (
	"net"
	"os"
	"strings"
	"syscall"
	"testing"
)

func TestWhatIsNoFileIsRefusedAtOnce(t *testing.T) {
	d := newDisk(t)
	d.must(os.Mkdir(d.path("folder"), 0o700))
	d.must(syscall.Mkfifo(d.path("pipe"), 0o600))
	socket, err := net.Listen("unix", d.path("socket"))
	d.must(err)
	defer func() { d.must(socket.Close()) }()
	d.must(os.Symlink(d.path("loop"), d.path("loop")))
	for path, want := range map[string]string{
		d.path("folder"): "it is a folder",
		d.path("pipe"):   "it is a pipe",
		d.path("socket"): "it is a socket",
		"/dev/null":      "it is a device",
		d.path("loop"):   "too many levels of symbolic links",
	} {
		_, err := Open(path, Options{})
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: error is %v, want %q", path, err, want)
		}
	}
}

func TestAPipeThatTakesThePlaceOfTheFileHangsNothing(t *testing.T) {
	d, w := newDisk(t), newWorld(t)
	f := w.follow(d.write("s.jsonl", record("a", "one")))
	f.poll()
	d.remove("s.jsonl")
	d.must(syscall.Mkfifo(d.path("s.jsonl"), 0o600))
	f.poll()
	f.want("a")
	f.wantNote("the file cannot be read now: it is a pipe, which cannot be followed; name a file")
}
