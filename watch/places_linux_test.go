package watch

import (
	"os"
	"path/filepath"
	"testing"
)

func TestAClosedFolderOfAnAgentIsSaid(t *testing.T) {
	for _, folder := range []string{
		".claude/projects", ".codex/sessions", ".gemini/tmp", ".pi/agent/sessions", ".local/share/opencode", ".local/share/billion-context/sessions",
	} {
		t.Run(folder, func(t *testing.T) {
			h := newHome(t)
			closed := h.path(folder)
			h.must(os.MkdirAll(closed, 0o755))
			for up := filepath.Dir(closed); up != filepath.Dir(filepath.Dir(h.folder)); up = filepath.Dir(up) {
				h.must(os.Chmod(up, 0o755))
			}
			h.must(os.Chmod(closed, 0))
			t.Cleanup(func() { h.must(os.Chmod(closed, 0o700)) })
			nobody(t)
			if got := refusals(h.machine("/p")); len(got) != 1 || got[filepath.Base(closed)] != "the folder cannot be read: permission denied" {
				t.Errorf("refused %v", got)
			}
		})
	}
}
