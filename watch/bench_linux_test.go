package watch

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/creack/pty"
)

// benchProgram opens a file on the screen of the built program: when the first
// frame stands, when the session is judged, and what the process holds in
// memory then, as a share of the file.
func benchProgram(b *testing.B, path string) {
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	now := time.Now()
	if err := os.Chtimes(path, now, now); err != nil { // so that it counts as live
		b.Fatal(err)
	}
	program := filepath.Join(b.TempDir(), "ctxscope")
	if out, err := exec.Command("go", "build", "-o", program, "..").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	var first, judged time.Duration
	var resident int64
	for b.Loop() {
		first, judged, resident = watchProgram(b, program, path)
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(first.Milliseconds()), "first-frame-ms")
	b.ReportMetric(judged.Seconds(), "judged-s")
	b.ReportMetric(float64(resident)/1e6, "resident-MB")
	b.ReportMetric(100*float64(resident)/float64(info.Size()), "%resident")
}

// watchProgram runs the program in a terminal of its own until the session is
// judged and a moment longer.
func watchProgram(b *testing.B, program, path string) (first, judged time.Duration, resident int64) {
	cmd := exec.Command(program, "--no-host", path)
	cmd.Env = append(os.Environ(), "TERM=xterm-256color", "HOME="+b.TempDir())
	start := time.Now()
	terminal, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 40, Cols: 120})
	if err != nil {
		b.Fatal(err)
	}
	defer terminal.Close()
	chunks := make(chan []byte)
	go func() {
		defer close(chunks)
		for {
			chunk := make([]byte, 64<<10)
			n, err := terminal.Read(chunk)
			if err != nil { // it was closed, or the program has ended
				return
			}
			chunks <- chunk[:n]
		}
	}()
	var seen []byte
	limit := time.After(5 * time.Minute)
	for judged == 0 {
		select {
		case chunk, ok := <-chunks:
			if !ok {
				b.Fatalf("the program has ended: %q", seen)
			}
			seen = append(seen, chunk...)
			if bytes.Contains(chunk, []byte("\x1b[6n")) { // where is the cursor? A terminal answers at once.
				if _, err := io.WriteString(terminal, "\x1b[1;1R"); err != nil {
					b.Fatal(err)
				}
			}
			if first == 0 && bytes.Contains(seen, []byte("Reading the session")) {
				first = time.Since(start)
			}
			if first > 0 && bytes.Contains(seen, []byte("LIVE")) {
				judged = time.Since(start)
			}
		case <-limit:
			b.Fatal("the session is never judged")
		}
	}
	settled := time.After(3 * time.Second)
	for waiting := true; waiting; {
		select {
		case <-chunks:
		case <-settled:
			waiting = false
		}
	}
	resident = residentOf(b, cmd.Process.Pid)
	if _, err := io.WriteString(terminal, "q"); err != nil {
		b.Fatal(err)
	}
	go func() {
		for range chunks { // the last frame wants to be read
		}
	}()
	if err := cmd.Wait(); err != nil {
		b.Fatal(err)
	}
	return first, judged, resident
}

var residentLine = regexp.MustCompile(`VmRSS:\s+(\d+) kB`)

// residentOf is the memory that a process holds, in bytes.
func residentOf(b *testing.B, pid int) int64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		b.Fatal(err)
	}
	found := residentLine.FindSubmatch(status)
	if found == nil {
		b.Fatalf("the system does not say how much memory is resident:\n%s", status)
	}
	kilobytes, err := strconv.ParseInt(string(found[1]), 10, 64)
	if err != nil {
		b.Fatal(err)
	}
	return kilobytes << 10
}
