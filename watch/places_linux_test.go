package watch

import (
	"os"
	"path/filepath"
	"testing"
)

// The folder may be that of the sessions or one above it. It is named once,
// whatever would be looked for in it.
func TestAClosedFolderOfAnAgentIsSaid(t *testing.T) {
	for _, folder := range []string{
		".claude/projects", ".codex/sessions", ".gemini/tmp", ".pi/agent/sessions", ".local/share/opencode", ".local/share/billion-context/sessions",
		".claude", ".codex", ".gemini", ".pi", ".omp/agent", ".local/share/opencode/storage", ".local/share/billion-context", ".local/share", ".local",
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

// A link to a folder that cannot be reached is named itself.
func TestALinkToAClosedFolderIsSaid(t *testing.T) {
	h := newHome(t)
	closed := h.path("disk")
	h.must(os.MkdirAll(filepath.Join(closed, "projects"), 0o755))
	h.must(os.Mkdir(h.path(".claude"), 0o755))
	h.must(os.Symlink(filepath.Join(closed, "projects"), h.path(".claude/projects")))
	for up := h.folder; up != filepath.Dir(filepath.Dir(h.folder)); up = filepath.Dir(up) {
		h.must(os.Chmod(up, 0o755))
	}
	h.must(os.Chmod(closed, 0))
	t.Cleanup(func() { h.must(os.Chmod(closed, 0o700)) })
	nobody(t)
	if got := refusals(h.machine("/p")); len(got) != 1 || got["projects"] != "the folder cannot be read: permission denied" {
		t.Errorf("refused %v", got)
	}
}
