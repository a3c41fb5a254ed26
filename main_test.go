package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode"

	"github.com/cockroachdb/datadriven"

	"ctxscope/keymap"
)

// program is the built command, made once for all tests.
var program string

func TestMain(m *testing.M) {
	folder, err := os.MkdirTemp("", "ctxscope")
	if err != nil {
		panic(err)
	}
	program = filepath.Join(folder, "ctxscope")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		panic(fmt.Sprintf("build: %v\n%s", err, out))
	}
	code := m.Run()
	if err := os.RemoveAll(folder); err != nil {
		panic(err)
	}
	os.Exit(code)
}

// answer is what a run of the command did.
type answer struct {
	out, errs string
	code      int
	took      time.Duration
}

// command runs the program in a session of its own, without a terminal and
// with home as the home folder.
func command(t *testing.T, home string, args ...string) answer {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env = append(os.Environ(), "HOME="+home, "USERPROFILE="+home, "NO_COLOR=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	start := time.Now()
	err := cmd.Run()
	a := answer{out: out.String(), errs: errs.String(), took: time.Since(start)}
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		a.code = exit.ExitCode()
	} else if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestCommand runs the scripts of testdata/commands: "run" with one argument a
// line gives exit code and output; "file NAME" makes a file in the folder that
// the arguments call DIR.
func TestCommand(t *testing.T) {
	datadriven.Walk(t, "testdata/commands", func(t *testing.T, path string) {
		folder := t.TempDir()
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "file":
				name := filepath.Join(folder, d.CmdArgs[0].Key)
				if err := os.WriteFile(name, []byte(d.Input), 0o600); err != nil {
					d.Fatalf(t, "%v", err)
				}
				return "ok\n"
			case "run":
				var args []string
				for _, word := range strings.Fields(d.Input) {
					args = append(args, strings.ReplaceAll(word, "DIR", folder))
				}
				a := command(t, folder, args...)
				return strings.ReplaceAll(printed(a), folder, "DIR")
			}
			d.Fatalf(t, "command %q is unknown", d.Cmd)
			return ""
		})
	})
}

func printed(a answer) string {
	var b strings.Builder
	fmt.Fprintf(&b, "exit %d\n%s", a.code, a.out)
	for line := range strings.Lines(a.errs) {
		b.WriteString("stderr: " + line)
	}
	return b.String()
}

// TestNoTerminal runs the cases that start the program without a terminal.
// CTXSCOPE_CASES names a further folder of such cases.
func TestNoTerminal(t *testing.T) {
	folders := []string{"testdata/cases"}
	if further := os.Getenv("CTXSCOPE_CASES"); further != "" {
		folders = append(folders, further)
	}
	for _, folder := range folders {
		var expected map[string]struct{ Expect json.RawMessage }
		readJSON(t, filepath.Join(folder, "expected.json"), &expected)
		ran := 0
		for name, c := range expected {
			if !strings.HasPrefix(name, "screen-no-terminal") {
				continue
			}
			ran++
			var want noTerminal
			if err := json.Unmarshal(c.Expect, &want); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			t.Run(name, want.run)
		}
		if ran == 0 && folder == folders[0] {
			t.Errorf("%s holds no such case", folder)
		}
		t.Logf("%s: %d cases ran", folder, ran)
	}
}

// noTerminal is what such a case expects.
type noTerminal struct {
	ExitCode            any // a number or "non-zero"
	MaxSeconds          float64
	StderrLines         struct{ Min, Max int }
	EscapeBytesOnStdout int
	ReportModeExitCode  int
}

func (want noTerminal) run(t *testing.T) {
	for _, args := range [][]string{nil, {"--demo"}, {"testdata/transcripts/pi/basic.jsonl"}} {
		a := command(t, t.TempDir(), args...)
		if want.ExitCode == "non-zero" && a.code == 0 || want.ExitCode != "non-zero" && want.ExitCode != float64(a.code) {
			t.Errorf("%v exits %d, want %v", args, a.code, want.ExitCode)
		}
		if a.took.Seconds() > want.MaxSeconds {
			t.Errorf("%v takes %s, want at most %v s", args, a.took, want.MaxSeconds)
		}
		if n := strings.Count(a.errs, "\n"); n < want.StderrLines.Min || n > want.StderrLines.Max || !strings.Contains(a.errs, "report") {
			t.Errorf("%v says %q, want %d to %d lines that name report", args, a.errs, want.StderrLines.Min, want.StderrLines.Max)
		}
		if n := strings.Count(a.out, "\x1b"); n != want.EscapeBytesOnStdout {
			t.Errorf("%v writes %d escape bytes", args, n)
		}
	}
	if a := command(t, t.TempDir(), "report", "testdata/transcripts/pi/basic.jsonl"); a.code != want.ReportModeExitCode {
		t.Errorf("report exits %d, want %d: %s", a.code, want.ReportModeExitCode, a.errs)
	}
}

// TestInterruptEndsReplay interrupts a replay whose output nobody takes.
func TestInterruptEndsReplay(t *testing.T) {
	file := filepath.Join(t.TempDir(), "long.jsonl")
	var lines strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&lines, "{\"id\":\"u%d\",\"role\":\"user\",\"contentType\":\"text\",\"text\":\"go on\"}\n", i)
		fmt.Fprintf(&lines, "{\"id\":\"a%d\",\"role\":\"assistant\",\"contentType\":\"text\",\"text\":\"done\"}\n", i)
	}
	if err := os.WriteFile(file, []byte(lines.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program, "replay", file)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != exitInterrupted {
		t.Errorf("it ends with %v, want exit code %d", err, exitInterrupted)
	}
}

func readJSON(t *testing.T, file string, value any) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, value); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

// TestEveryTranscriptIsReported runs the screenless commands over every
// transcript: whatever stands in it, they answer, and write neither a stack
// nor a byte that drives a terminal.
func TestEveryTranscriptIsReported(t *testing.T) {
	ran := 0
	err := filepath.WalkDir("testdata/transcripts", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(file) != ".jsonl" {
			return err
		}
		ran++
		for _, args := range [][]string{{"report", file}, {"report", file, "--json"}, {"replay", file}, {"check", file, "--range", "m00001..m00002"}, {"doctor", file}} {
			a := command(t, t.TempDir(), args...)
			if a.code > 2 || strings.Contains(a.errs, "goroutine") {
				t.Errorf("%v exits %d: %s", args, a.code, a.errs)
			}
			if strings.ContainsFunc(a.out+a.errs, func(r rune) bool { return r != '\n' && unicode.IsControl(r) }) {
				t.Errorf("%v writes control characters", args)
			}
		}
		return nil
	})
	if err != nil || ran == 0 {
		t.Errorf("%d transcripts, %v", ran, err)
	}
}

// TestReadme holds the README to the program. With -rewrite its frame and its
// table of keys are written anew.
func TestReadme(t *testing.T) {
	data, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	readme := string(data)
	frame, keys := readmeFrame(t), keymap.Markdown()
	if flag.Lookup("rewrite").Value.String() == "true" {
		readme = replaced(t, readme, "```text\n", "```", frame)
		readme = replaced(t, readme, "## Keys\n\n", "\n##", keys)
		if err := os.WriteFile("README.md", []byte(readme), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if n := strings.Count(readme, "\n"); n > 200 {
		t.Errorf("it has %d lines, want at most 200", n)
	}
	if !strings.Contains(readme, "```text\n"+frame+"```") {
		t.Errorf("its frame is not that of %s", readmeGolden)
	}
	if !strings.Contains(readme, keys) {
		t.Error("its table of keys is not keymap.Markdown()")
	}
	examples := fenced(readme, "console")
	if len(examples) < 4 {
		t.Errorf("it has %d examples, want one of report, replay, check and doctor each", len(examples))
	}
	for _, example := range examples {
		checkExample(t, example)
	}
	checkCoreFormat(t, fenced(readme, "json"))
}

// readmeGolden is the frame that the README shows.
const readmeGolden = "views/testdata/idle-80x24.golden"

func readmeFrame(t *testing.T) string {
	golden, err := os.ReadFile(readmeGolden)
	if err != nil {
		t.Fatal(err)
	}
	var frame strings.Builder
	for line := range strings.Lines(strings.TrimRight(string(golden), " \n")) {
		frame.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
	return frame.String()
}

// replaced puts text between the first before and the after that follows.
func replaced(t *testing.T, whole, before, after, text string) string {
	start := strings.Index(whole, before) + len(before)
	end := strings.Index(whole[start:], after)
	if start < len(before) || end < 0 {
		t.Fatalf("%q and %q are not in the README", before, after)
	}
	return whole[:start] + text + whole[start+end:]
}

// fenced gives the blocks of a language.
func fenced(readme, language string) []string {
	var blocks []string
	for _, part := range strings.Split(readme, "```"+language+"\n")[1:] {
		block, _, _ := strings.Cut(part, "```")
		blocks = append(blocks, block)
	}
	return blocks
}

// checkExample runs "$ ctxscope …" and finds the lines below it in its output,
// in order; "…" stands for what was left out.
func checkExample(t *testing.T, example string) {
	first, rest, _ := strings.Cut(example, "\n")
	args, ok := strings.CutPrefix(first, "$ ctxscope ")
	if !ok {
		t.Errorf("example %q does not start with $ ctxscope", first)
		return
	}
	out := command(t, t.TempDir(), strings.Fields(args)...).out
	for _, part := range strings.FieldsFunc(rest, func(r rune) bool { return r == '…' || r == '\n' }) {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		_, after, found := strings.Cut(out, part)
		if !found {
			t.Errorf("%s does not write %q, or not there", first, part)
			return
		}
		out = after
	}
}

// checkCoreFormat reads the README's example of the core format.
func checkCoreFormat(t *testing.T, blocks []string) {
	if len(blocks) != 1 {
		t.Fatalf("%d blocks of JSON, want the example of the core format", len(blocks))
	}
	file := filepath.Join(t.TempDir(), "session.jsonl")
	if err := os.WriteFile(file, []byte(blocks[0]), 0o600); err != nil {
		t.Fatal(err)
	}
	a := command(t, t.TempDir(), "report", file)
	if a.code != 0 || !strings.Contains(a.out, "Recorded run") || strings.Contains(a.out, "Problems") {
		t.Errorf("the example of the core format is read as:\n%s%s", a.out, a.errs)
	}
}

// TestStrangeSurroundings runs the command without a home folder, in a folder
// that was removed, and where nothing can be written.
func TestStrangeSurroundings(t *testing.T) {
	session, err := filepath.Abs("testdata/transcripts/pi/basic.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	gone := filepath.Join(folder, "gone")
	run := func(script string, args ...string) (errs string, code int) {
		t.Helper()
		var out bytes.Buffer
		cmd := exec.CommandContext(t.Context(), "/bin/sh", append([]string{"-c", script, "sh"}, args...)...)
		cmd.Dir, cmd.Stderr = folder, &out
		if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
			t.Fatal(err)
		}
		return out.String(), cmd.ProcessState.ExitCode()
	}
	for _, c := range []struct {
		script string
		code   int
		errs   string
	}{
		{`unset HOME; exec "$1" report "$2"`, 0, ""},
		{`unset HOME; exec "$1" ls --agent codex`, 0, "no agent"},
		{`mkdir "$3"; cd "$3"; rmdir "$3"; exec "$1" report "$2"`, 0, ""},
		{`mkdir "$3"; cd "$3"; rmdir "$3"; HOME=/none exec "$1" ls`, 0, "no agent"},
		{`exec "$1" --help >/dev/full`, 2, "no space left"},
		{`exec "$1" --version >/dev/full`, 2, "no space left"},
		{`exec "$1" report "$2" --json >/dev/full`, 2, "no space left"},
		{`exec "$1" replay "$2" >/dev/full`, 2, "no space left"},
		{`exec "$1" report "$2" >&- 2>&- <&-`, 0, ""},
	} {
		if _, err := os.Stat("/dev/full"); err != nil && strings.Contains(c.script, "/dev/full") {
			continue // not every system has a device that is always full
		}
		errs, code := run(c.script, program, session, gone)
		if code != c.code || !strings.Contains(errs, c.errs) || c.errs == "" && errs != "" {
			t.Errorf("%s: exit code %d and %q, want %d and %q", c.script, code, errs, c.code, c.errs)
		}
	}
	forged := command(t, folder, "report", filepath.Join(folder, "none\nctxscope: error: forged\x1b[31m"))
	if strings.Count(forged.errs, "\n") != 1 || forged.code != 2 {
		t.Errorf("the name of a file writes a message of its own: %q", forged.errs)
	}
}

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
