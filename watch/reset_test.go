package watch

import (
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"
)

// long is a session much longer than what is compared at each look.
func long() string {
	return repeat(400, func(i int) string { return record(fmt.Sprintf("m%03d", i), strings.Repeat("word ", 20)) })
}

func TestWhatMakesAFileAnotherOne(t *testing.T) {
	other := record("x", "one") + record("y", "two")
	for name, c := range map[string]struct {
		before, note string
		want         []string
		change       func(d disk)
	}{
		"cut shorter and written": {long(), "the file was cut shorter; it was read again", []string{"x", "y"}, func(d disk) {
			d.write("s.jsonl", other)
		}},
		"emptied": {long(), "the file was cut shorter; it was read again", []string{}, func(d disk) {
			d.must(os.Truncate(d.path("s.jsonl"), 0))
		}},
		"rewritten at the same size": {record("a", "one") + record("b", "two"), "the file was rewritten; it was read again", []string{"x", "y"}, func(d disk) {
			d.write("s.jsonl", other)
		}},
		"rewritten longer": {record("a", "one"), "the file was rewritten; it was read again", []string{"x", "y"}, func(d disk) {
			d.write("s.jsonl", other)
		}},
		"replaced by a shorter one": {long(), "the file was replaced; it was read again", []string{"x", "y"}, func(d disk) {
			d.replace("s.jsonl", other)
		}},
		"replaced by a longer one": {record("a", "one"), "the file was replaced; it was read again", []string{"x", "y"}, func(d disk) {
			d.replace("s.jsonl", other)
		}},
		"removed and made again": {record("a", "one"), "the file was replaced; it was read again", []string{"x", "y"}, func(d disk) {
			d.remove("s.jsonl")
			d.write("s.jsonl", other)
		}},
		"half a line rewritten": {record("a", "one") + `{"id":"b`, "the file was rewritten; it was read again", []string{"a", "c"}, func(d disk) {
			d.write("s.jsonl", record("a", "one")+record("c", "three"))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			d, w := newDisk(t), newWorld(t)
			f := w.follow(d.write("s.jsonl", c.before))
			f.poll()
			c.change(d)
			f.poll()
			f.want(c.want...)
			f.wantNote(c.note)
			if f.resets != 1 {
				t.Errorf("%d resets, want 1", f.resets)
			}
			w.now = w.now.Add(noteTime)
			f.poll()
			if f.last.Status.Note == c.note {
				t.Error("the note stays for good")
			}
			d.append("s.jsonl", record("z", "last"))
			f.poll()
			f.want(append(c.want, "z")...)
		})
	}
}

func TestAChangeInTheMiddleThatKeepsTheSizeIsFound(t *testing.T) {
	d, w := newDisk(t), newWorld(t)
	before := long()
	f := w.follow(d.write("s.jsonl", before))
	f.poll()
	middle := strings.Index(before, "m200")
	if middle < window || len(before)-middle < window {
		t.Fatal("that is not the middle")
	}
	d.writeAt("s.jsonl", "MMMM", int64(middle))
	// The clock of the file system may be too coarse for a test.
	later := w.now.Add(time.Minute)
	d.must(os.Chtimes(d.path("s.jsonl"), later, later))
	f.poll()
	if f.resets != 1 || f.ids()[200] != "MMMM" {
		t.Errorf("%d resets, message 200 is %s", f.resets, f.ids()[200])
	}
}

func TestATouchIsNoChange(t *testing.T) {
	d, w := newDisk(t), newWorld(t)
	f := w.follow(d.write("s.jsonl", long()+`{"id":"half`))
	f.poll()
	later := w.now.Add(time.Minute)
	d.must(os.Chtimes(d.path("s.jsonl"), later, later))
	f.poll()
	if f.resets != 0 || len(f.last.Change.Entries) != 0 || f.last.Status.Modified != later.UnixMilli() {
		t.Errorf("%d resets, %d entries, modified %d", f.resets, len(f.last.Change.Entries), f.last.Status.Modified)
	}
}

func TestWhileTheFileIsGoneTheLastStateStands(t *testing.T) {
	d, w := newDisk(t), newWorld(t)
	path := d.write("s.jsonl", record("a", "one"))
	f := w.follow(path)
	f.poll()
	d.must(os.Rename(path, d.path("away")))
	f.poll()
	f.want("a")
	f.wantNote("the file is gone; the last state stands")
	if !f.last.Status.Missing || f.last.Status.Live {
		t.Errorf("status %+v", f.last.Status)
	}
	if text, err := f.tail.Text(f.entries[0].Message); text != "one" || err != nil {
		t.Errorf("text %q, error %v", text, err)
	}
	d.append("away", record("b", "two"))
	d.must(os.Rename(d.path("away"), path))
	f.poll()
	f.want("a", "b")
	if f.resets != 0 || f.last.Status.Missing {
		t.Errorf("the same file came back with %d resets, missing %v", f.resets, f.last.Status.Missing)
	}
}

func TestAFolderInThePlaceOfTheFileIsSaid(t *testing.T) {
	d, w := newDisk(t), newWorld(t)
	f := w.follow(d.write("s.jsonl", record("a", "one")))
	f.poll()
	d.remove("s.jsonl")
	d.must(os.Mkdir(d.path("s.jsonl"), 0o700))
	f.poll()
	f.want("a")
	f.wantNote("the file cannot be read now: it is a folder; name a session file in it")
}

func titleSlotOf(title string) string {
	line := fmt.Sprintf(`{"type":"title","v":1,"title":%q,"pad":"`, title)
	return line + strings.Repeat(" ", titleSlot-len(line)-3) + "\"}\n"
}

func TestATitleRewrittenInPlaceIsATitleAndNoReset(t *testing.T) {
	d, w := newDisk(t), newWorld(t)
	for name, rest := range map[string]string{"short": record("a", "one"), "long": long()} {
		t.Run(name, func(t *testing.T) {
			f := w.follow(d.write("s.jsonl", titleSlotOf("first")+rest))
			f.poll()
			n := len(f.entries)
			d.writeAt("s.jsonl", titleSlotOf("second"), 0)
			later := w.now.Add(time.Minute)
			d.must(os.Chtimes(d.path("s.jsonl"), later, later))
			f.poll()
			if f.resets != 0 || len(f.entries) != n || f.last.Session.Title != "second" {
				t.Errorf("%d resets, %d entries of %d, title %q", f.resets, len(f.entries), n, f.last.Session.Title)
			}
			d.append("s.jsonl", record("z", "last"))
			f.poll()
			if f.resets != 0 || len(f.entries) != n+1 || f.last.Session.Title != "second" {
				t.Errorf("%d resets, %d entries of %d, title %q", f.resets, len(f.entries), n+1, f.last.Session.Title)
			}
		})
	}
}

func TestATitleThatIsJustBeingWrittenIsLeftAlone(t *testing.T) {
	d, w := newDisk(t), newWorld(t)
	f := w.follow(d.write("s.jsonl", titleSlotOf("first")+record("a", "one")))
	f.poll()
	d.writeAt("s.jsonl", titleSlotOf("a longer title")[:40], 0)
	f.poll()
	if f.resets != 0 || f.last.Session.Title != "first" {
		t.Errorf("%d resets, title %q", f.resets, f.last.Session.Title)
	}
}

// Whatever is done to a file, after a look the messages are those that it
// holds.
func TestRandomChangesLoseAndDoubleNothing(t *testing.T) {
	d, w := newDisk(t), newWorld(t)
	random := rand.New(rand.NewPCG(1, 2))
	f := w.follow(d.write("s.jsonl", ""))
	content, exists, id := "", true, 0
	set := func(data string) { content, exists = data, true }
	more := func() string {
		id++
		return record(fmt.Sprintf("r%d", id), strings.Repeat("é", random.IntN(400)))
	}
	var rest string // of a record that was appended in part
	clock := w.now
	for step := range 3_000 {
		switch what := random.IntN(20); {
		case !exists:
			set(more() + more())
			d.write("s.jsonl", content)
			rest = ""
		case rest != "":
			n := 1 + random.IntN(len(rest))
			d.append("s.jsonl", rest[:n])
			set(content + rest[:n])
			rest = rest[n:]
		case what < 10:
			line := more()
			n := random.IntN(len(line) + 1)
			d.append("s.jsonl", line[:n])
			set(content + line[:n])
			rest = line[n:]
		case what < 13:
			line := more() + more() + more()
			d.append("s.jsonl", line)
			set(content + line)
		case what < 15:
			cut := content[:random.IntN(len(content)+1)]
			d.must(os.Truncate(d.path("s.jsonl"), int64(len(cut))))
			set(cut)
		case what < 17:
			set(repeat(random.IntN(6), func(int) string { return more() }))
			d.replace("s.jsonl", content)
		case what < 19 && len(content) > 0:
			at := random.IntN(len(content))
			d.writeAt("s.jsonl", "#", int64(at))
			set(content[:at] + "#" + content[at+1:])
		default:
			d.remove("s.jsonl")
			exists = false
		}
		if exists {
			clock = clock.Add(time.Second)
			d.must(os.Chtimes(d.path("s.jsonl"), clock, clock))
		}
		if random.IntN(3) == 0 {
			continue
		}
		f.poll()
		if f.last.Status.Missing == exists {
			t.Fatalf("step %d: missing %v", step, f.last.Status.Missing)
		}
		if want := idsIn(content); exists && !reflect.DeepEqual(f.ids(), want) {
			t.Fatalf("step %d: messages %v, want %v", step, f.ids(), want)
		}
	}
	if f.resets < 200 || id < 1_000 {
		t.Errorf("only %d resets and %d records", f.resets, id)
	}
}

// idsIn is what a decoder makes of data at once.
func idsIn(data string) []string {
	decoder := newPlain(nil)
	for _, line := range linesOf([]byte(data)) {
		decoder.Line([]byte(line.Text), line.At)
	}
	ids := []string{}
	for _, e := range decoder.Change().Entries {
		ids = append(ids, e.Message.ID)
	}
	return ids
}
