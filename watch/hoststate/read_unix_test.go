//go:build unix

package hoststate

import (
	"strings"
	"syscall"
	"testing"
)

func TestReadDoesNotWait(t *testing.T) {
	fifo := newDisk(t).path("fifo.json")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{fifo, "/dev/zero"} {
		if _, err := Read(path); err == nil || !strings.Contains(err.Error(), "not a regular file") {
			t.Errorf("%s: %v", path, err)
		}
	}
}
