package opencode

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"ctxscope/watch/decode"
)

const sessionFile = `{"id":"ses_1","version":"0.15.0","title":"t","directory":"/proj","time":{"created":1,"updated":2}}`

// plant writes the files of a session, names below the storage folder.
func plant(t *testing.T, files map[string]string) (folder string) {
	t.Helper()
	folder = t.TempDir()
	for name, text := range files {
		write(t, filepath.Join(folder, filepath.FromSlash(name)), text)
	}
	return folder
}

func followTree(t *testing.T, path string) *followed {
	t.Helper()
	tree, err := OpenTree(path)
	if err != nil {
		t.Fatal(err)
	}
	return &followed{t: t, store: tree, decoder: decode.NewOpencode(nil)}
}

func TestAFolderOfFilesIsFollowed(t *testing.T) {
	folder := plant(t, map[string]string{
		"session/p/ses_1.json":        sessionFile,
		"message/ses_1/msg_2.json":    `{"role":"user","time":{"created":5}}`,
		"message/ses_1/msg_1.json":    `{"role":"user","time":{"created":6}}`,
		"message/ses_1/notes.txt":     `x`,
		"message/ses_2/msg_9.json":    `{"role":"user"}`,
		"part/msg_1/prt_2.json":       textData("there"),
		"part/msg_1/prt_1.json":       textData("hello"),
		"part/msg_2/prt_3.json":       textData("first"),
		"message/ses_1/folder.json/x": "",
	})
	f := followTree(t, filepath.Join(folder, "session/p/ses_1.json"))
	f.mustLook("first", "hello\nthere")
	if s := f.decoder.Session(); s.ID != "ses_1" || s.Title != "t" || s.Folder != "/proj" {
		t.Errorf("session %+v", s)
	}
	if s := f.state; !s.Found || s.Read != s.Size || s.Modified == 0 || s.Note != "" {
		t.Errorf("state %+v", s)
	}
	write(t, filepath.Join(folder, "part/msg_1/prt_2.json"), textData("where")) // as long, perhaps at the same time
	f.mustLook("first", "hello\nwhere")
	write(t, filepath.Join(folder, "message/ses_1/msg_3.json"), `{"role":"assistant","time":{"created":7}}`)
	f.mustLook("first", "hello\nwhere", "")
	write(t, filepath.Join(folder, "session/p/ses_1.json"), strings.Replace(sessionFile, `"title"`, `"revert":{"messageID":"msg_1","partID":"prt_2"},"title"`, 1))
	f.mustLook("first", "hello")
	for _, name := range []string{"part/msg_2", "message/ses_1/msg_2.json"} {
		if err := os.RemoveAll(filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
	}
	f.mustLook("hello")
	if err := os.Remove(filepath.Join(folder, "session/p/ses_1.json")); err != nil {
		t.Fatal(err)
	}
	if err := f.look(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}

func TestAHalfWrittenFileIsWaitedFor(t *testing.T) {
	folder := plant(t, map[string]string{
		"session/p/ses_1.json":     sessionFile,
		"message/ses_1/msg_1.json": `{"role":"user"}`,
		"message/ses_1/msg_2.json": `{"role":"user"}`,
		"part/msg_1/prt_1.json":    textData("one"),
	})
	f := followTree(t, filepath.Join(folder, "session/p/ses_1.json"))
	f.mustLook("one", "")
	part := filepath.Join(folder, "part/msg_1/prt_1.json")
	write(t, part, `{"type":"text","te`)
	if err := f.look(); err != nil || len(f.log()) != 2 || f.log()[0].Chars != 3 {
		t.Errorf("%+v, error %v", f.log(), err)
	}
	if f.state.Note != "a message is just being written" {
		t.Errorf("state %+v", f.state)
	}
	write(t, part, textData("one more"))
	f.mustLook("one more", "")
	if f.state.Note != "" {
		t.Errorf("state %+v", f.state)
	}
	write(t, part, `{"type":`)
	for range patience {
		if err := f.look(); err != nil || f.log()[0].Chars != 8 {
			t.Fatalf("%+v, error %v", f.log(), err)
		}
	}
	f.mustLook("", "")
	if p := f.decoder.Session().Problems; len(p) != 1 || p[0].Where() != "message msg_1" || p[0].Reason != "one of its parts is no record" {
		t.Errorf("problems %+v", p)
	}
}

func TestTheStillOlderFolders(t *testing.T) {
	folder := plant(t, map[string]string{
		"session/info/ses_1.json":             sessionFile,
		"session/message/ses_1/msg_1.json":    `{"role":"user"}`,
		"session/part/ses_1/msg_1/prt_1.json": textData("old"),
	})
	followTree(t, filepath.Join(folder, "session/info/ses_1.json")).mustLook("old")
	folder = plant(t, map[string]string{
		"session/p/ses_1.json":        sessionFile,
		"message/ses_1/msg_1.json":    `{"role":"user"}`,
		"part/ses_1/msg_1/prt_1.json": textData("by session"),
	})
	followTree(t, filepath.Join(folder, "session/p/ses_1.json")).mustLook("by session")
}

func TestOldFilesAreReadOnce(t *testing.T) {
	files := map[string]string{"session/p/ses_1.json": sessionFile}
	for i := range 20 {
		files[fmt.Sprintf("message/ses_1/msg_%02d.json", i)] = `{"role":"user"}`
	}
	folder := plant(t, files)
	old := time.Now().Add(-time.Hour)
	for name := range files {
		if err := os.Chtimes(filepath.Join(folder, name), old, old); err != nil {
			t.Fatal(err)
		}
	}
	write(t, filepath.Join(folder, "message/ses_1/msg_99.json"), `{"role":"user"}`)
	f := followTree(t, filepath.Join(folder, "session/p/ses_1.json"))
	f.mustLook(slices.Repeat([]string{""}, 21)...)
	tree := f.store.(*Tree)
	for id := range tree.times { // reading a message sets its time
		tree.times[id] = -1
	}
	if err := f.look(); err != nil {
		t.Fatal(err)
	}
	again := 0
	for _, time := range tree.times {
		if time != -1 {
			again++
		}
	}
	if again != 1 {
		t.Errorf("%d messages were read again", again)
	}
}

// What stands in the place of a file of a message is not waited for, not
// followed out of the folder, and named.
func TestWhatIsNoFileOfAMessageIsNamed(t *testing.T) {
	elsewhere := t.TempDir()
	write(t, filepath.Join(elsewhere, "secret.json"), textData("secret"))
	folder := plant(t, map[string]string{
		"session/p/ses_1.json":     sessionFile,
		"message/ses_1/msg_1.json": `{"role":"user"}`,
		"message/ses_1/msg_3.json": `{"role":"user"}`,
		"part/msg_1/prt_1.json":    "",
		"part/msg_1/prt_4.json":    textData("good"),
		"part/msg_3/prt_6.json":    textData("linked"),
	})
	at := func(name string) string { return filepath.Join(folder, filepath.FromSlash(name)) }
	for _, err := range []error{
		os.Truncate(at("part/msg_1/prt_1.json"), 64<<30),
		os.Symlink(filepath.Join(elsewhere, "secret.json"), at("part/msg_1/prt_2.json")),
		os.Symlink("/dev/zero", at("part/msg_1/prt_3.json")),
		os.Symlink("nowhere", at("part/msg_1/prt_5.json")),
		os.Symlink("prt_6.json", at("part/msg_3/prt_7.json")),
		os.Symlink(filepath.Join(elsewhere, "secret.json"), at("message/ses_1/msg_2.json")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	f := followTree(t, at("session/p/ses_1.json"))
	f.mustLook("good", "linked\nlinked")
	got := map[string]string{}
	for _, p := range f.decoder.Session().Problems {
		got[p.Where()] = p.Reason
	}
	want := map[string]string{
		"message msg_1": "its part prt_1 is not read: it has 68719476736 bytes, more than any record. " +
			"its part prt_2 is not read: it is a symbolic link: it leads out of the folder of the sessions, to " + filepath.Join(elsewhere, "secret.json") + ". " +
			"its part prt_3 is not read: it is a symbolic link: it leads out of the folder of the sessions, to /dev/zero. its part prt_5 is not read: it is a symbolic link: no such file or directory",
		"message msg_2": "it is a symbolic link: it leads out of the folder of the sessions, to " + filepath.Join(elsewhere, "secret.json"),
	}
	if !reflect.DeepEqual(got, want) || f.state.Note != "" {
		t.Errorf("problems %q, note %q", got, f.state.Note)
	}
}

func TestAFolderOfFilesThatLeadsOutIsRefused(t *testing.T) {
	elsewhere := plant(t, map[string]string{"msg_1.json": `{"role":"user"}`, "ses_1/msg_1.json": `{"role":"user"}`, "prt_1.json": textData("secret")})
	for _, name := range []string{"message/ses_1", "message", "part", "part/msg_1"} {
		folder := plant(t, map[string]string{"session/p/ses_1.json": sessionFile})
		if name == "part/msg_1" {
			write(t, filepath.Join(folder, "message/ses_1/msg_1.json"), `{"role":"user"}`)
		}
		link := filepath.Join(folder, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(link), 0o700), os.Symlink(elsewhere, link)); err != nil {
			t.Fatal(err)
		}
		f := followTree(t, filepath.Join(folder, "session/p/ses_1.json"))
		if err := f.look(); err == nil || !strings.HasSuffix(err.Error(), "it leads out of the folder of the sessions, to "+elsewhere) {
			t.Errorf("%s: error %v, log %+v", name, err, f.log())
		}
	}
}

func TestWhatIsNoFileOfASession(t *testing.T) {
	for name, text := range map[string]string{
		"an export":            `{"info":{"id":"ses_1"},"id":"ses_1","version":"1","time":{"created":1}}`,
		"a message":            `{"id":"msg_1","version":"1","time":{"created":1}}`,
		"a name that leads up": `{"id":"ses_/../../x","version":"1","time":{"created":1}}`,
		"no time":              `{"id":"ses_1","version":"1"}`,
		"not JSON":             `{"id":"ses_1"`,
	} {
		path := filepath.Join(t.TempDir(), "ses_1.json")
		write(t, path, text)
		if _, err := OpenTree(path); !errors.Is(err, ErrNoSession) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	folder := plant(t, map[string]string{"session/p/ses_1.json": sessionFile, "message/ses_1/msg_1.json": `{"role":"user"}`})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	f := followTree(t, filepath.Join(folder, "session/p/ses_1.json"))
	if _, err := f.store.Read(ctx, f.decoder, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
