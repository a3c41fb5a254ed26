package hoststate

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ctxscope/watch/decode"
)

// disk is a home folder that tests fill.
type disk struct {
	t    *testing.T
	home string
}

func newDisk(t *testing.T) disk { return disk{t, t.TempDir()} }

func (d disk) machine(env ...string) Machine {
	return Machine{Home: d.home, Getenv: func(key string) string {
		for _, pair := range env {
			if value, ok := strings.CutPrefix(pair, key+"="); ok {
				return value
			}
		}
		return ""
	}}
}

func (d disk) path(name string) string { return filepath.Join(d.home, filepath.FromSlash(name)) }

func (d disk) write(name, text string) string {
	d.t.Helper()
	path := d.path(name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
		d.t.Fatal(err)
	}
	return path
}

// stateText is a kernel state with blocks b1 to bN over messages x1 to xN.
func stateText(blocks int) string {
	var list, byRaw []string
	for i := 1; i <= blocks; i++ {
		list = append(list, fmt.Sprintf(`{"blockId":"b%d","runId":"r%d","tier":1,"summary":"s","directMessageIds":["x%d"],"effectiveMessageIds":["x%d"],"directBlockIds":[],"active":true}`, i, i, i, i))
		byRaw = append(byRaw, fmt.Sprintf(`"x%d":"m%05d"`, i, i))
	}
	return fmt.Sprintf(`{"blocks":[%s],"messageRefs":{"byRaw":{%s},"byRef":{}},"nudge":{},"stats":{},"nextBlockId":%d,"nextRunId":%d}`,
		strings.Join(list, ","), strings.Join(byRaw, ","), blocks+1, blocks+1)
}

func envelope(id string, saved int, payload string) string {
	return fmt.Sprintf(`{"version":1,"savedAt":%d,"id":%q,"payload":%s}`, saved, id, payload)
}

func piHeader(id, parent string) string {
	return fmt.Sprintf(`{"type":"session","version":3,"id":%q,"cwd":"/none","parentSession":%q}`, id, parent) + "\n"
}

func piQuery(path, id, folder string) Query {
	return Query{path, decode.Session{Format: "pi", Agent: "pi", ID: id, Folder: folder}}
}

func TestFindPi(t *testing.T) {
	d := newDisk(t)
	session := d.write("s/a.jsonl", piHeader("ida", ""))
	q := piQuery(session, "ida", d.path("work"))
	if _, err := d.machine().Find(q); !errors.Is(err, ErrNone) {
		t.Errorf("without a state: %v", err)
	}
	hidden := d.write("work/.acp-ida.acp.json", stateText(2))
	if s, err := d.machine().Find(q); err != nil || s.Path != hidden || s.Kind != PiSidecar {
		t.Errorf("the hidden one: %+v, %v", s, err)
	}
	own := d.write("s/a.jsonl.acp.json", stateText(1))
	if s, err := d.machine().Find(q); err != nil || s.Path != own || s.Modified == 0 {
		t.Errorf("the one beside the session: %+v, %v", s, err)
	}
	q.Session.ID = "../../etc/passwd"
	if s, err := d.machine().Find(q); err != nil || s.Path != own {
		t.Errorf("an id that is no name: %+v, %v", s, err)
	}
}

func TestFindTheStateOfAParent(t *testing.T) {
	d := newDisk(t)
	for i := range 12 {
		parent := fmt.Sprintf("f%d.jsonl", i-1)
		if i == 0 {
			parent = ""
		}
		d.write(fmt.Sprintf("s/f%d.jsonl", i), `{"type":"title","v":1,"pad":""}`+"\n"+piHeader(fmt.Sprint("id", i), parent))
	}
	d.write("s/f0.jsonl.acp.json", stateText(2))
	s, err := d.machine().Find(piQuery(d.path("s/f8.jsonl"), "id8", ""))
	if err != nil || s.Parents != 8 || len(s.Kernel.Blocks()) != 2 {
		t.Errorf("eight forks later: %d parents, %d blocks, %v", s.Parents, len(s.Kernel.Blocks()), err)
	}
	if s, err := d.machine().Find(piQuery(d.path("s/f9.jsonl"), "id9", "")); !errors.Is(err, ErrNone) {
		t.Errorf("nine forks later: %+v, %v", s, err)
	}
	own := `{"blocks":[],"messageRefs":{"byRaw":{"y":"m00007"},"byRef":{}},"nudge":{"lastNudgeShownTokens":5},"stats":{},"nextBlockId":1,"nextRunId":1}`
	path := d.write("s/f1.jsonl.acp.json", own)
	s, err = d.machine().Find(piQuery(d.path("s/f1.jsonl"), "id1", ""))
	refs := s.Kernel.Refs()
	if err != nil || s.Path != path || s.Parents != 1 || len(s.Kernel.Blocks()) != 2 || refs["y"] != "m00007" || refs["x2"] != "m00002" || s.Kernel.Stamps().Shown != 5 {
		t.Errorf("a fork with refs of its own: %+v, refs %v, %v", s, refs, err)
	}
	d.write("s/loop.jsonl", piHeader("l", "loop2.jsonl"))
	d.write("s/loop2.jsonl", piHeader("l2", "loop.jsonl"))
	if _, err := d.machine().Find(piQuery(d.path("s/loop.jsonl"), "l", "")); !errors.Is(err, ErrNone) {
		t.Errorf("parents in a circle: %v", err)
	}
	d.write("s/odd.jsonl", piHeader("o", d.write("s/secret", stateText(1))))
	if _, err := d.machine().Find(piQuery(d.path("s/odd.jsonl"), "o", "")); !errors.Is(err, ErrNone) {
		t.Errorf("a parent that is no session: %v", err)
	}
}

func TestTheForkOfTheTestDataTakesItsParentsBlocks(t *testing.T) {
	s, err := newDisk(t).machine().Find(piQuery(filepath.Join(transcripts, "acp", "fork.jsonl"), "01a1b2c3-0000-7000-8000-0000000000f3", ""))
	if err != nil || s.Parents != 1 || len(s.Folded()) != 2 {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestMainAgainstSpill(t *testing.T) {
	const id = "the id"
	cases := []struct {
		name        string
		main, spill string
		blocks      int // of the one that wins; -1: an error
		notes       int
	}{
		{"the file alone", envelope(id, 5, stateText(1)), "", 1, 0},
		{"the spill alone", "", envelope(id, 5, stateText(2)), 2, 0},
		{"the later file", envelope(id, 6, stateText(1)), envelope(id, 5, stateText(2)), 1, 0},
		{"the later spill", envelope(id, 5, stateText(1)), envelope(id, 6, stateText(2)), 2, 0},
		{"both at once", envelope(id, 5, stateText(1)), envelope(id, 5, stateText(2)), 2, 0},
		{"a damaged file", "{", envelope(id, 5, stateText(2)), 2, 1},
		{"a damaged spill", envelope(id, 5, stateText(1)), "{", 1, 1},
		{"both damaged", "{", "{", -1, 0},
		{"a damaged spill alone", "", "{", -1, 0},
		{"another session's file", envelope("other", 9, stateText(1)), envelope(id, 5, stateText(2)), 2, 1},
	}
	for _, c := range cases {
		d := newDisk(t)
		if c.main != "" {
			d.write(storeName(id), c.main)
		}
		if c.spill != "" {
			d.write(strings.TrimSuffix(storeName(id), ".json")+".fb.json", c.spill)
		}
		s, err := readStore(d.home, id)
		if blocks := len(s.Kernel.Blocks()); (c.blocks < 0) != (err != nil) || err == nil && blocks != c.blocks || len(s.Notes) != c.notes {
			t.Errorf("%s: %d blocks, notes %q, %v", c.name, len(s.Kernel.Blocks()), s.Notes, err)
		}
	}
	if _, err := readStore(t.TempDir(), id); !missing(err) {
		t.Errorf("nothing there: %v", err)
	}
}

func TestFindOtherHosts(t *testing.T) {
	const id = "01a1b2c3-0000-7000-8000-0000000000ae"
	fold := envelope(id, 5, `{"identities":[],"state":`+stateText(1)+`,"coreMessages":[]}`)
	proxy := `{"version":3,"savedAt":1,"id":"anthropic|https://x|` + id + `","meta":{},"stats":{"contextTokens":7},"state":` + stateText(1) + `}`
	open := `{"prune":{"messages":{"blocksById":{}}},"messageIds":{"byRawId":{}}}`
	cases := []struct {
		name          string
		file, text    string
		env           []string
		format, agent string
		kind          Kind
	}{
		{"oh-my-pi", ".omp/acp-omp-folds/" + storeName(id), fold, nil, "pi", "oh-my-pi", OmpFold},
		{"oh-my-pi, moved", "folds/" + storeName(id), fold, []string{"ACP_OMP_FOLD_DIR=~/folds"}, "pi", "oh-my-pi", OmpFold},
		{"oh-my-pi, early", "session.jsonl.acp-omp.json", fold, nil, "pi", "oh-my-pi", OmpFold},
		{"opencode", ".local/share/opencode/storage/plugin/acp/" + id + ".json", open, nil, "opencode", "opencode", OpencodeACP},
		{"opencode's ancestor, moved", "data/opencode/storage/plugin/dcp/" + id + ".json", `{"prune":{"tools":{}}}`, []string{"XDG_DATA_HOME=~/data"}, "opencode", "opencode", OpencodeDCP},
		{"the proxy", ".local/share/billion-context/sessions/anthropic/x_00.json", proxy, nil, "claude", "Claude Code", ProxySession},
		{"the proxy, moved", "bili/openai/x_00.json", proxy, []string{"BILI_SESSIONS_DIR=~/bili"}, "codex", "Codex CLI", ProxySession},
		{"a session file of the proxy", "session.jsonl", proxy, nil, "proxy", "", ProxySession},
	}
	for _, c := range cases {
		d := newDisk(t)
		d.write(".local/share/billion-context/sessions/anthropic/y_00.json", strings.ReplaceAll(proxy, id, "another-session"))
		d.write(".local/share/billion-context/sessions/anthropic/.tmp-x.json", proxy)
		path := d.write(c.file, c.text)
		q := Query{d.path("session.jsonl"), decode.Session{Format: c.format, Agent: c.agent, ID: id}}
		s, err := d.machine(c.env...).Find(q)
		if err != nil || s.Path != path || s.Kind != c.kind {
			t.Errorf("%s: %s of kind %q, %v", c.name, s.Path, s.Kind, err)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if s, err := d.machine(c.env...).Find(q); err == nil || c.format != "proxy" && !errors.Is(err, ErrNone) {
			t.Errorf("%s, without it: %+v, %v", c.name, s, err)
		}
	}
}

func TestReadRefusesWhatIsNoStateFile(t *testing.T) {
	d := newDisk(t)
	good := d.write("a/good.json", stateText(1))
	link := func(to, name string) string {
		path := d.path(name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.Symlink(to, path)); err != nil {
			t.Fatal(err)
		}
		return path
	}
	large := d.path("a/large.json")
	if err := errors.Join(os.WriteFile(large, nil, 0o600), os.Truncate(large, maxState+1)); err != nil {
		t.Fatal(err)
	}
	cases := []struct{ name, path, want string }{
		{"a file", good, ""},
		{"a link in its folder", link(good, "a/link.json"), ""},
		{"a link out of its folder", link(good, "b/link.json"), "a link out of its folder"},
		{"a link to nowhere", link(d.path("gone"), "b/none.json"), "no such file"},
		{"a folder", d.home, "not a regular file"},
		{"a file of 64 MiB and more", large, "larger than 64 MiB"},
		{"half a file", d.write("a/half.json", stateText(1)[:40]), "half written or damaged"},
		{"nothing in it", d.write("a/empty.json", ""), "half written or damaged"},
		{"other JSON", d.write("a/other.json", `{"name":"x"}`), "no state of a compression plugin"},
		{"a list", d.write("a/list.json", `[1]`), "no state of a compression plugin"},
		{"an encrypted one", d.write("a/secret.json", encryptedMagic+"\x01\x01xxxxxxxxxxxx"), "the state is encrypted"},
		{"a compressed one", d.write("a/zstd.json", compressedMagic+"\x01\x01\x28\xb5\x2f\xfd"), "compressed with zstd"},
		{"a framed one", d.write("a/raw.json", compressedMagic+"\x01\x00"+stateText(1)), ""},
		{"a frame without anything", d.write("a/frame.json", compressedMagic), "half written or damaged"},
	}
	for _, c := range cases {
		_, err := Read(c.path)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

func TestReadingLeavesEverythingAsItWas(t *testing.T) {
	d := newDisk(t)
	session := d.write("s/a.jsonl", piHeader("ida", ""))
	d.write("s/a.jsonl.acp.json", stateText(1))
	if err := os.Chmod(d.path("s"), 0o500); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(d.path("s"), 0o700)
	before, err := os.Stat(d.path("s"))
	if err != nil {
		t.Fatal(err)
	}
	f := Follow(d.machine())
	for range 3 {
		f.Look(piQuery(session, "ida", ""))
	}
	entries, err := os.ReadDir(d.path("s"))
	after, statErr := os.Stat(d.path("s"))
	if err != nil || statErr != nil || len(entries) != 2 || !after.ModTime().Equal(before.ModTime()) {
		t.Errorf("%d entries; %v, was %v (%v, %v)", len(entries), after, before, err, statErr)
	}
}
