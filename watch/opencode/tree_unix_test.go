//go:build unix

package opencode

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestAPipeAmongTheFilesHangsNothing(t *testing.T) {
	folder := plant(t, map[string]string{
		"session/p/ses_1.json":     sessionFile,
		"message/ses_1/msg_1.json": `{"role":"user"}`,
		"part/msg_1/prt_2.json":    textData("good"),
	})
	for _, name := range []string{"message/ses_1/msg_2.json", "part/msg_1/prt_1.json"} {
		if err := syscall.Mkfifo(filepath.Join(folder, filepath.FromSlash(name)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	f := followTree(t, filepath.Join(folder, "session/p/ses_1.json"))
	f.mustLook("good")
	if p := f.decoder.Session().Problems; len(p) != 2 || !strings.Contains(p[0].Reason+p[1].Reason, "its part prt_1 is not read: it is a pipe") {
		t.Errorf("problems %+v", p)
	}
}
