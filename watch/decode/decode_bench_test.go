package decode

import (
	"fmt"
	"strings"
	"testing"
)

// benchPi is a session of Pi: prompts, replies with a call, results.
func benchPi(entries int) []string {
	lines := []string{piHeader}
	output := strings.Repeat("src/reader.go:12: the reader keeps its place, so that a second call goes on\n", 20)
	parent := ""
	for i := range entries {
		id := fmt.Sprintf("%08x", i)
		var line string
		switch i % 3 {
		case 0:
			line = piUser(id, parent, "Look at the reader once more, and say where it stops.")
		case 1:
			line = piAnswer(id, parent, `{"type":"thinking","thinking":"Where does it stop?"},`+piText("Reading.")+","+
				piCall("c"+id, "grep", `{"pattern":"reader","path":"src","glob":"*.go"}`), `,"model":"m","usage":{"input":900,"output":20,"cacheRead":100000,"cacheWrite":80,"totalTokens":101000},"stopReason":"toolUse"`)
		default:
			line = piResult(id, parent, "c"+parent, "grep", output)
		}
		lines = append(lines, line)
		parent = id
	}
	return lines
}

// benchCore is the same kind of session in the core format.
func benchCore(entries int) []string {
	var lines []string
	output := strings.Repeat("src/reader.go:12: the reader keeps its place\n", 20)
	for i := range entries {
		lines = append(lines, fmt.Sprintf(`{"id":"m%d","role":%q,"contentType":"text","text":%q}`, i, []string{"user", "assistant"}[i%2], output))
	}
	return lines
}

// BenchmarkDecode reads a session at once, and asks after every line.
func BenchmarkDecode(b *testing.B) {
	claude := []string{}
	for _, r := range benchRecords() {
		claude = append(claude, string(r))
	}
	for _, c := range []struct {
		format string
		lines  []string
	}{{"pi", benchPi(3000)}, {"claude", claude}, {"core", benchCore(3000)}} {
		lines, size := linesWithPlaces(c.lines)
		for _, how := range []struct {
			name string
			ask  bool
		}{{"whole", false}, {"by-line", true}} {
			b.Run(c.format+"/"+how.name, func(b *testing.B) {
				b.SetBytes(size)
				b.ReportAllocs()
				for b.Loop() {
					d := New(c.format, nil)
					for _, l := range lines {
						if d.Line(l.text, l.at); how.ask {
							extracted += len(d.Change().Entries)
						}
					}
					extracted += len(d.Change().Entries)
				}
			})
		}
	}
}

func linesWithPlaces(text []string) (lines []fileLine, size int64) {
	for i, l := range text {
		lines = append(lines, fileLine{[]byte(l), Place{Number: i + 1, Offset: size}})
		size += int64(len(l)) + 1
	}
	return lines, size
}

// BenchmarkLongLine reads a record of 15 MB.
func BenchmarkLongLine(b *testing.B) {
	text := strings.Repeat("a line of output that goes on for a while\\n", 15_000_000/43)
	lines, size := linesWithPlaces([]string{piHeader, `{"id":"a","parentId":null,"type":"message","message":{"role":"toolResult","toolCallId":"c","content":[{"type":"text","text":"` + text + `"}]}}`})
	b.SetBytes(size)
	for b.Loop() {
		d := New("pi", nil)
		for _, l := range lines {
			d.Line(l.text, l.at)
		}
		extracted += len(d.Change().Entries)
	}
}
