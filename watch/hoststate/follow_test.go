package hoststate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// lookAt looks once and holds what is found against blocks (-1: nothing) and a
// part of the note.
func lookAt(t *testing.T, f *Follower, q Query, step string, blocks int, note string, changed bool) {
	t.Helper()
	view, news := f.Look(q)
	got := -1
	if view.Found {
		got = len(view.State.Kernel.Blocks())
	}
	if got != blocks || (note == "") != (view.Note == "") || !strings.Contains(view.Note, note) || news != changed {
		t.Errorf("%s: %d blocks, note %q, changed %v; want %d, %q, %v", step, got, view.Note, news, blocks, note, changed)
	}
}

func TestTheLastGoodStateStands(t *testing.T) {
	d := newDisk(t)
	q := piQuery(d.write("s/a.jsonl", piHeader("ida", "")), "ida", "")
	f := Follow(d.machine())
	clock := time.Now()
	write := func(text string) { // as a host that writes in place
		path := d.write("s/a.jsonl.acp.json", text)
		clock = clock.Add(time.Second)
		if err := os.Chtimes(path, clock, clock); err != nil {
			t.Fatal(err)
		}
	}
	lookAt(t, f, q, "nothing there", -1, "", false)
	write(stateText(1))
	lookAt(t, f, q, "a state", 1, "", true)
	lookAt(t, f, q, "the same state", 1, "", false)
	write(stateText(2)[:50])
	lookAt(t, f, q, "half of the next", 1, "is being written; the one of", true)
	lookAt(t, f, q, "still half", 1, "is being written; the one of", false)
	write(stateText(2))
	lookAt(t, f, q, "the whole of it", 2, "", true)
	write(stateText(2)[:50])
	for i := range patience {
		lookAt(t, f, q, "half for long", 2, "is being written", i == 0)
	}
	lookAt(t, f, q, "half for too long", 2, "unreadable", true)
	lookAt(t, f, q, "and left alone", 2, "unreadable", false)
	write(encryptedMagic + "\x01\x00xx")
	lookAt(t, f, q, "an encrypted one", 2, "the state is encrypted; only the host has its key; the one of", true)
	lookAt(t, f, q, "still encrypted", 2, "the state is encrypted", false)
	write(stateText(3))
	lookAt(t, f, q, "readable again", 3, "", true)
	if err := os.Remove(d.path("s/a.jsonl.acp.json")); err != nil {
		t.Fatal(err)
	}
	lookAt(t, f, q, "gone", 3, "the host's state file is gone; the one of", true)
	other := piQuery(d.write("s/b.jsonl", piHeader("idb", "")), "idb", "")
	lookAt(t, f, other, "another session", -1, "", true)
	lookAt(t, f, other, "still another session", -1, "", false)
}

func TestAReplacedFileIsReadAgain(t *testing.T) {
	d := newDisk(t)
	q := piQuery(d.write("s/a.jsonl", piHeader("ida", "")), "ida", "")
	f := Follow(d.machine())
	for blocks := 1; blocks < 5; blocks++ {
		temp := d.write("s/.acp-tmp-a", stateText(blocks))
		if err := os.Rename(temp, d.path("s/a.jsonl.acp.json")); err != nil {
			t.Fatal(err)
		}
		lookAt(t, f, q, "replaced", blocks, "", true)
	}
}

func TestARecordOfTheProxyThatComesLaterIsFound(t *testing.T) {
	const id = "01a1b2c3-0000-7000-8000-0000000000ae"
	d := newDisk(t)
	q := Query{d.write("c.jsonl", ""), piQuery("", id, "").Session}
	q.Session.Format, q.Session.Agent = "claude", "Claude Code"
	f := Follow(d.machine("BILI_SESSIONS_DIR=" + d.path("bili")))
	lookAt(t, f, q, "no folder", -1, "", false)
	for _, name := range []string{"bili/anthropic/a_1.json", "bili/openai/a_2.json"} {
		path := d.write(name, `{"version":3,"savedAt":1,"id":"x|`+id+`","meta":{},"state":`+stateText(1)+`}`)
		lookAt(t, f, q, name, 1, "", true)
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		lookAt(t, f, q, name+" removed", 1, "is gone", true)
		if err := os.RemoveAll(filepath.Dir(path)); err != nil {
			t.Fatal(err)
		}
		f = Follow(d.machine("BILI_SESSIONS_DIR=" + d.path("bili")))
		lookAt(t, f, q, "no record", -1, "", false)
	}
}

func TestANoteWithoutAState(t *testing.T) {
	d := newDisk(t)
	q := piQuery(d.write("s/a.jsonl", piHeader("ida", "")), "ida", "")
	d.write("s/a.jsonl.acp.json", encryptedMagic)
	lookAt(t, Follow(d.machine()), q, "an encrypted one", -1, ErrEncrypted.Error(), true)
}
