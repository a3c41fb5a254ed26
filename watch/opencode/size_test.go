package opencode

import (
	"context"
	"errors"
	"maps"
	"path/filepath"
	"testing"
)

func TestTheSizeOfASessionIsThatOfItsRecords(t *testing.T) {
	path, writer := newDatabase(t, tables)
	for _, session := range []string{"s", "other", "empty"} {
		putSession(t, writer, session, "", 10)
	}
	putMessage(t, writer, "s", "m1", 1, userData)
	putPart(t, writer, "m1", "p1", 1, textData("héllo 世界")) // bytes, not characters
	putMessage(t, writer, "s", "m2", 2, replyData)
	putPart(t, writer, "m2", "p2", 1, textData(string(make([]byte, 20_000))))
	putPart(t, writer, "m2", "p3", 1, textData("on"))
	putMessage(t, writer, "other", "m3", 3, userData)
	got := Sizes(context.Background(), path, []string{"s", "other", "empty", "none"})
	want := map[string]int64{
		"s":     int64(len(userData) + len(replyData) + len(textData("héllo 世界")) + len(textData(string(make([]byte, 20_000)))) + len(textData("on"))),
		"other": int64(len(userData)), "empty": 0, "none": 0,
	}
	if !maps.Equal(got, want) {
		t.Errorf("sizes %v, want %v", got, want)
	}
	f := follow(t, path, "s")
	if err := f.look(); err != nil || f.state.Size != got["s"]+int64(len(f.store.(*Database).info)) {
		t.Errorf("followed it has %d bytes, error %v", f.state.Size, err)
	}
}

func TestTheSizeOfASessionOfFilesIsThatOfItsFiles(t *testing.T) {
	folder := plant(t, map[string]string{
		"session/p/ses_1.json":     sessionFile,
		"message/ses_1/msg_1.json": userData,
		"message/ses_1/msg_2.json": replyData,
		"message/ses_2/msg_3.json": userData,
		"part/msg_1/prt_1.json":    textData("héllo"),
		"part/msg_2/prt_2.json":    textData("yes"),
		"part/msg_3/prt_3.json":    textData("of another"),
	})
	path := filepath.Join(folder, "session/p/ses_1.json")
	want := int64(len(sessionFile) + len(userData) + len(replyData) + len(textData("héllo")) + len(textData("yes")))
	got := TreeSizes(context.Background(), []string{path, filepath.Join(folder, "session/p/none.json")})
	if !maps.Equal(got, map[string]int64{path: want}) {
		t.Errorf("sizes %v, want %d", got, want)
	}
	f := followTree(t, path)
	if err := f.look(); err != nil || f.state.Size != want {
		t.Errorf("followed it has %d bytes, error %v", f.state.Size, err)
	}
}

// What would take long stays unknown: there is no size that is a part of one.
func TestSizesThatTakeLongStayUnknown(t *testing.T) {
	over, cancel := context.WithCancel(context.Background())
	cancel()
	path, writer := newDatabase(t, tables)
	putSession(t, writer, "s", "", 10)
	putMessage(t, writer, "s", "m1", 1, userData)
	if got := Sizes(over, path, []string{"s"}); len(got) > 0 {
		t.Errorf("without time %v", got)
	}
	folder := plant(t, map[string]string{"session/p/ses_1.json": sessionFile, "message/ses_1/msg_1.json": userData})
	if got := TreeSizes(over, []string{filepath.Join(folder, "session/p/ses_1.json")}); len(got) > 0 {
		t.Errorf("without time %v", got)
	}
}

// A database that could be read from a copy only is not copied for a size.
func TestADatabaseIsNotCopiedForItsSizes(t *testing.T) {
	path, writer := newDatabase(t, tables)
	putSession(t, writer, "s", "", 10)
	putMessage(t, writer, "s", "m1", 1, userData)
	left := filepath.Join(t.TempDir(), "opencode.db")
	if err := errors.Join(copyFile(path, left), copyFile(path+"-wal", left+"-wal")); err != nil {
		t.Fatal(err)
	}
	before := listing(t, filepath.Dir(left))
	if got := Sizes(context.Background(), left, []string{"s"}); len(got) > 0 {
		t.Errorf("sizes %v", got)
	}
	if after := listing(t, filepath.Dir(left)); after != before {
		t.Errorf("asking changed the folder:\n%s\nwas\n%s", after, before)
	}
}
