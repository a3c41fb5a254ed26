package watch

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"ctxscope/kernel"
	"ctxscope/watch/decode"
)

// bigFiles are the files that the benchmarks read.
var bigFiles = []struct {
	name    string
	bytes   int64
	records int
}{
	{"300MB", 300 << 20, 60_000},
	{"1GB", 1 << 30, 200_000},
}

// BenchmarkBigFile measures what a very large session costs.
func BenchmarkBigFile(b *testing.B) {
	for _, file := range bigFiles {
		b.Run(file.name, func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "session.jsonl")
			big := writeBigFile(b, path, file.bytes, file.records)
			b.Run("read", func(b *testing.B) { benchRead(b, path) })
			b.Run("program", func(b *testing.B) { benchProgram(b, path) })
			b.Run("append", func(b *testing.B) { benchAppend(b, path, big) })
		})
	}
}

// benchRead reads a file to its messages, beside what reading and counting its
// lines costs and what encoding/json costs for the same fields, one after the
// other in each round. The best of each counts.
func benchRead(b *testing.B, path string) {
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	var plain, ours, standard time.Duration
	for b.Loop() {
		for range 3 { // one takes a small part of the time of the standard library
			plain = best(plain, func() { countLines(b, path) })
			ours = best(ours, func() { readMessages(b, path) })
		}
		standard = best(standard, func() { readStandard(b, path) })
	}
	rate := func(d time.Duration) float64 { return float64(info.Size()) / 1e6 / d.Seconds() }
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(rate(ours), "MB/s")
	b.ReportMetric(rate(plain), "plain-MB/s")
	b.ReportMetric(rate(standard), "json-MB/s")
	b.ReportMetric(100*plain.Seconds()/ours.Seconds(), "%plain")
	b.ReportMetric(standard.Seconds()/ours.Seconds(), "x-json")
}

// benchAppend appends one reply to a large file and to one of 10 MB in turn,
// and compares what the tail needs to find and read it, and what the kernel
// needs to take it.
func benchAppend(b *testing.B, path string, big *bigFile) {
	small := filepath.Join(b.TempDir(), "small.jsonl")
	followers := []*grown{
		followGrown(b, small, writeBigFile(b, small, 10<<20, 2_000)),
		followGrown(b, path, big),
	}
	for b.Loop() {
		for _, f := range followers {
			f.step(b)
		}
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median(followers[0].read), "ns-10MB")
	b.ReportMetric(median(followers[1].read), "ns-big")
	b.ReportMetric(median(followers[1].read)/median(followers[0].read), "x-10MB")
	b.ReportMetric(median(followers[0].kernel), "kernel-ns-10MB")
	b.ReportMetric(median(followers[1].kernel), "kernel-ns-big")
}

// grown follows a file that a benchmark appends to.
type grown struct {
	path         string
	file         *bigFile
	tail         *tail
	judge        *kernel.Kernel
	run          kernel.Run
	read, kernel []time.Duration
}

func followGrown(b *testing.B, path string, file *bigFile) *grown {
	source, err := Open(path, Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { source.Close() })
	a := &grown{path: path, file: file, tail: source.(*tail), judge: kernel.New(kernel.Default(200_000), nil)}
	a.run = a.judge.Start()
	for loading := true; loading; {
		e, err := source.Next(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		a.run = a.judge.Advance(a.run, e.Change)
		loading = e.Status.Loading()
	}
	runtime.GC()
	return a
}

// step appends a reply, reads it and takes it.
func (a *grown) step(b *testing.B) {
	a.file.reply(b, a.path)
	start := time.Now()
	e, news, err := a.tail.look(b.Context())
	a.read = append(a.read, time.Since(start))
	if err != nil || !news || len(e.Change.Entries) == 0 {
		b.Fatalf("news %v, error %v", news, err)
	}
	start = time.Now()
	a.run = a.judge.Advance(a.run, e.Change)
	a.kernel = append(a.kernel, time.Since(start))
}

func median(all []time.Duration) float64 {
	sorted := slices.Sorted(slices.Values(all))
	return float64(sorted[len(sorted)/2])
}

// BenchmarkImageLine passes over a record with a picture of 8 MB, beside a
// search for one byte in it. The best of each counts.
func BenchmarkImageLine(b *testing.B) {
	line := []byte(`{"parentUuid":null,"type":"user","uuid":"a","sessionId":"s","message":{"role":"user","content":[{"type":"text","text":"Look."},` + imageBlock(8<<20) + `]},"timestamp":"2026-01-05T10:00:00.000Z"}`)
	b.SetBytes(int64(len(line)))
	var search, pass time.Duration
	for b.Loop() {
		search = best(search, func() { taken += bytes.IndexByte(line, '\n') })
		d := decode.New("claude", nil)
		pass = best(pass, func() { d.Line(line, decode.Place{Number: 1}) })
		taken += len(d.Change().Entries)
	}
	b.ReportMetric(search.Seconds()/pass.Seconds(), "x-search")
}

// best is the shorter of the best time so far, zero for none, and that of do.
func best(so time.Duration, do func()) time.Duration {
	start := time.Now()
	do()
	if took := time.Since(start); so == 0 || took < so {
		return took
	}
	return so
}

// taken keeps the compiler from dropping what a benchmark reads.
var taken int

func countLines(b *testing.B, path string) {
	f, err := os.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	block := make([]byte, 1<<20)
	for {
		n, err := f.Read(block)
		taken += bytes.Count(block[:n], []byte("\n"))
		if err == io.EOF {
			return
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}

func readMessages(b *testing.B, path string) {
	source, err := Open(path, Options{Once: true})
	if err != nil {
		b.Fatal(err)
	}
	defer source.Close()
	e, err := source.Next(context.Background())
	if err != nil {
		b.Fatal(err)
	}
	taken += len(e.Change.Entries)
}

// standardRecord are the fields of a record that the decoder reads.
type standardRecord struct {
	Type, UUID, ParentUUID, LogicalParentUUID, SessionID, CWD, Timestamp, Subtype string
	IsSidechain, IsMeta, IsCompactSummary, IsAPIErrorMessage                      bool
	Message                                                                       struct {
		ID, Role, Model string
		Usage           struct {
			Input  int `json:"input_tokens"`
			Output int `json:"output_tokens"`
			Read   int `json:"cache_read_input_tokens"`
			Write  int `json:"cache_creation_input_tokens"`
		}
		Content json.RawMessage
	}
}

type standardBlock struct {
	Type, ID, Name, Text, Thinking string
	ToolUseID                      string `json:"tool_use_id"`
	IsError                        bool   `json:"is_error"`
	Content                        json.RawMessage
	Input                          json.RawMessage
}

// readStandard reads the same fields with encoding/json, line by line.
func readStandard(b *testing.B, path string) {
	f, err := os.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	var lines Lines
	block := make([]byte, blockSize)
	for {
		n, err := f.Read(block)
		if feed := lines.Feed(block[:n], func(line []byte, _ decode.Place) { standardLine(b, line) }); feed != nil {
			b.Fatal(feed)
		}
		if err == io.EOF {
			return
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}

func standardLine(b *testing.B, line []byte) {
	var r standardRecord
	if err := json.Unmarshal(line, &r); err != nil {
		b.Fatal(err)
	}
	if len(r.Message.Content) > 0 && r.Message.Content[0] == '"' {
		taken += len(standardText(b, r.Message.Content))
		return
	}
	var blocks []standardBlock
	if len(r.Message.Content) == 0 {
		return
	}
	if err := json.Unmarshal(r.Message.Content, &blocks); err != nil {
		b.Fatal(err)
	}
	for _, block := range blocks {
		taken += len(block.Text) + len(block.Input)
		if len(block.Content) > 0 {
			taken += len(standardText(b, block.Content))
		}
	}
}

func standardText(b *testing.B, raw json.RawMessage) string {
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		b.Fatal(err)
	}
	return text
}
