package watch

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// bigFile writes a session like those of Claude Code: replies of several
// records, calls whose results are written twice, thinking, progress records
// and now and then a picture, in prose, code, JSON, coloured logs and Chinese.
// Equal arguments give equal files of about size bytes in about records
// records.
type bigFile struct {
	w       *bufio.Writer
	random  *rand.Rand
	texts   []string // JSON strings without their quotes
	unit    int      // bytes of text of an ordinary record
	written int64
	records int
	parent  string
	used    int
}

func writeBigFile(t testing.TB, path string, size int64, records int) *bigFile {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	b := &bigFile{w: bufio.NewWriterSize(f, 1<<20), random: rand.New(rand.NewPCG(1, 2)), texts: sampleTexts(), parent: "null", used: 20_000}
	b.unit = int(size) / records * 6 / 10
	picture := size / 12
	for b.written < size {
		b.round()
		if b.written > picture {
			b.picture(int(size / 120))
			picture += size / 12
		}
	}
	b.close(t, f)
	return b
}

func (b *bigFile) close(t testing.TB, f *os.File) {
	t.Helper()
	if err := errors.Join(b.w.Flush(), f.Close()); err != nil {
		t.Fatal(err)
	}
}

// reply appends one reply of one record to the file at path.
func (b *bigFile) reply(t testing.TB, path string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	b.w.Reset(f)
	b.block(b.records, fmt.Sprintf(`{"type":"text","text":"%s"}`, b.texts[0][:600]), 120)
	b.close(t, f)
}

// sampleTexts are long texts of the kinds that sessions hold, as JSON.
func sampleTexts() []string {
	code := "func (r *Reader) Next() (Record, error) {\n\tif r.err != nil {\n\t\treturn Record{}, fmt.Errorf(\"read %q: %w\", r.name, r.err)\n\t}\n\tr.line++\n\treturn r.record(r.line), nil\n}\n\n"
	prose := "The reader keeps its place, so that a second call goes on where the first one stopped. That matters for files that grow while they are read: nobody wants to see a line twice.\n\n"
	listing := "-rw-r--r-- 1 somebody somebody  4096 Jan  5 10:00 src/reader/next.go\nsrc/reader/next.go:112:\treturn Record{}, r.err\n"
	log := "\x1b[32m2026-01-05T10:00:03.412Z\x1b[0m INFO  request id=7f3a9c path=\"/api/orders\" status=200 took=12ms\n"
	data := `{"id":"7f3a9c","name":"orders","items":[{"sku":"A-1","count":2,"price":9.5},{"sku":"B-7","count":1,"price":120}],"open":true},`
	chinese := "读取器会记住自己的位置，因此第二次调用会从第一次停止的地方继续。\n"
	var texts []string
	for _, text := range []string{code, prose, listing, log, data, chinese, code, listing} {
		whole := strings.Repeat(text, 1+(64<<10)/len(text))
		quoted, err := json.Marshal(whole)
		if err != nil {
			panic(err)
		}
		texts = append(texts, string(quoted[1:len(quoted)-1]))
	}
	return texts
}

// text is about size bytes of one of the texts, cut where nothing is split.
func (b *bigFile) text(size int) string {
	text := b.texts[b.random.IntN(len(b.texts))]
	size = min(max(size, 16), len(text)-16)
	for text[size]&0xc0 == 0x80 || text[size-1] == '\\' || strings.Contains(text[size-6:size], `\u`) {
		size--
	}
	return text[:size]
}

// sized is a size around the unit: most are small, some are large.
func (b *bigFile) sized() int { return int(float64(b.unit) * b.random.ExpFloat64()) }

// round writes a prompt, some replies with a call and its result, and a last
// reply.
func (b *bigFile) round() {
	b.record("user", fmt.Sprintf(`"message":{"role":"user","content":"%s"},`, b.text(b.sized()/4)))
	for range 2 + b.random.IntN(8) {
		reply := b.records
		b.used += 500
		if b.random.IntN(3) == 0 {
			b.block(reply, fmt.Sprintf(`{"type":"thinking","thinking":"%s","signature":"EqQBCkYIARgCKkDx"}`, b.text(b.sized()/2)), 5)
		}
		if b.random.IntN(2) == 0 {
			b.block(reply, fmt.Sprintf(`{"type":"text","text":"%s"}`, b.text(b.sized()/4)), 5)
		}
		call := fmt.Sprintf("toolu_%012d", reply)
		b.block(reply, fmt.Sprintf(`{"type":"tool_use","id":"%s","name":"%s","input":{"file_path":"/home/somebody/project/src/reader.go","old_string":"%s","replace_all":false}}`,
			call, []string{"Edit", "Bash", "Read", "Grep"}[b.random.IntN(4)], b.text(b.sized()/4)), 85)
		if b.random.IntN(4) == 0 {
			b.record("progress", fmt.Sprintf(`"data":{"type":"bash_progress","output":"%s","elapsedTimeSeconds":2},"toolUseID":"%s",`, b.text(b.sized()), call))
		}
		result := b.text(2 * b.sized())
		b.record("user", fmt.Sprintf(`"message":{"role":"user","content":[{"tool_use_id":"%s","type":"tool_result","content":"%s"}]},"toolUseResult":{"stdout":"%s","stderr":"","interrupted":false,"isImage":false},`, call, result, result))
	}
	b.block(b.records, fmt.Sprintf(`{"type":"text","text":"%s"}`, b.text(b.sized()/4)), 120)
	if b.used > 155_000 {
		b.compact()
	}
}

// compact writes the compaction that the host makes when the context is full.
func (b *bigFile) compact() {
	before := b.parent
	b.parent = "null"
	b.record("system", fmt.Sprintf(`"subtype":"compact_boundary","content":"Conversation compacted","logicalParentUuid":%s,"compactMetadata":{"trigger":"auto","preTokens":%d},`, before, b.used))
	b.used = 20_000
	b.record("user", fmt.Sprintf(`"isCompactSummary":true,"message":{"role":"user","content":"%s"},`, b.text(6_000)))
}

func (b *bigFile) block(reply int, block string, output int) {
	b.record("assistant", fmt.Sprintf(`"message":{"id":"msg_%08d","type":"message","role":"assistant","model":"claude-sonnet-4-5-20250929","content":[%s],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":12,"cache_creation_input_tokens":480,"cache_read_input_tokens":%d,"output_tokens":%d,"service_tier":"standard"}},"requestId":"req_%08[1]d",`,
		reply, block, b.used, output))
}

// picture writes a prompt with a picture of size bytes.
func (b *bigFile) picture(size int) {
	b.record("user", `"message":{"role":"user","content":[{"type":"text","text":"Look."},`+imageBlock(size)+`]},`)
}

// imageBlock is a picture of size bytes of base64.
func imageBlock(size int) string {
	const some = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"
	return `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"` + strings.Repeat(some, size/len(some)) + `"}}`
}

func (b *bigFile) record(kind, body string) {
	id := fmt.Sprintf("%08x-0000-4000-8000-000000000000", b.records)
	n, err := fmt.Fprintf(b.w, `{"parentUuid":%s,"isSidechain":false,"userType":"external","cwd":"/home/somebody/project","sessionId":"00000000-0000-4000-8000-0000000000c1","version":"2.1.50","gitBranch":"main","type":"%s",%s"uuid":"%s","timestamp":"2026-01-05T10:%02d:%02d.%03dZ"}`+"\n",
		b.parent, kind, body, id, b.records/60%60, b.records%60, b.records%1000)
	if err != nil {
		panic(err)
	}
	b.written += int64(n)
	b.records++
	b.parent = `"` + id + `"`
}

func TestTheBigFileIsASession(t *testing.T) {
	path := filepath.Join(t.TempDir(), "big.jsonl")
	writeBigFile(t, path, 3<<20, 600)
	source, err := Open(path, Options{Once: true})
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	e, err := source.Next(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s := e.Session
	if s.Format != "claude" || len(s.Problems) > 0 || s.Meter.Parts < 400 || s.Meter.Replies < 100 || s.Meter.Images == 0 || !s.Usage.Known {
		t.Errorf("session %+v", s)
	}
}
