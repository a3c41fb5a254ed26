package watch

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// home is a made-up home folder.
type home struct {
	disk
	env map[string]string
	at  time.Time
}

func newHome(t *testing.T) *home {
	return &home{disk: newDisk(t), env: map[string]string{}, at: time.Now().Add(-time.Hour)}
}

const piHeader = `{"type":"session","version":3,"id":"s","timestamp":"2026-01-05T10:00:00.000Z","cwd":"/elsewhere"}` + "\n"

// add makes a file below the home folder that is newer than those before.
func (h *home) add(path, data string) string {
	h.t.Helper()
	h.must(os.MkdirAll(filepath.Dir(h.path(path)), 0o700))
	h.write(path, data)
	h.at = h.at.Add(time.Second)
	h.must(os.Chtimes(h.path(path), h.at, h.at))
	return h.path(path)
}

func (h *home) machine(folder string) Machine {
	return Machine{Home: h.folder, Folder: folder, Getenv: func(key string) string { return h.env[key] }}
}

func (h *home) wantNewest(folder, want string) {
	h.t.Helper()
	got, err := h.machine(folder).Newest()
	if err != nil {
		h.t.Fatal(err)
	}
	if got.Path != h.path(want) {
		h.t.Errorf("newest for %s is %s, want %s", folder, got.Path, want)
	}
}

func TestTheCurrentFoldersSessionComesBeforeANewerOne(t *testing.T) {
	h := newHome(t)
	h.add(".pi/agent/sessions/--code-api--/2026-01-05T10-00-00-000Z_a.jsonl", piHeader)
	h.add(".omp/agent/sessions/-code-tool/2026-01-05T10-00-00-000Z_b.jsonl", piHeader)
	h.add(".claude/projects/-code-web-app/11111111-0000-4000-8000-000000000000.jsonl", record("a", "one"))
	h.add(".claude/projects/-code-other/22222222-0000-4000-8000-000000000000.jsonl", record("a", "one"))
	h.wantNewest("/code/api", ".pi/agent/sessions/--code-api--/2026-01-05T10-00-00-000Z_a.jsonl")
	h.wantNewest(h.path("code/tool"), ".omp/agent/sessions/-code-tool/2026-01-05T10-00-00-000Z_b.jsonl")
	h.wantNewest("/code/web.app", ".claude/projects/-code-web-app/11111111-0000-4000-8000-000000000000.jsonl")
	h.wantNewest("/nowhere", ".claude/projects/-code-other/22222222-0000-4000-8000-000000000000.jsonl")
}

func TestSessionsAreListedNewestFirst(t *testing.T) {
	h := newHome(t)
	h.add(".claude/projects/-p/1.jsonl", "x\n")
	h.add(".claude/projects/-q/2.jsonl", "x\n")
	h.add(".claude/projects/-p/3.jsonl", "x\n")
	h.add(".pi/agent/sessions/--q--/4.jsonl", "x\n")
	var got []string
	for _, s := range h.machine("/p").Sessions() {
		got = append(got, s.Agent+" "+filepath.Base(s.Path))
		if s.Here != strings.HasSuffix(filepath.Dir(s.Path), "-p") || s.Size != 2 || s.Modified.IsZero() {
			t.Errorf("%+v", s)
		}
	}
	if want := []string{"Claude Code 3.jsonl", "Claude Code 1.jsonl", "pi 4.jsonl", "Claude Code 2.jsonl"}; !reflect.DeepEqual(got, want) {
		t.Errorf("sessions %v, want %v", got, want)
	}
}

func TestSubagentsAndStateFilesAreNoSessions(t *testing.T) {
	h := newHome(t)
	session := h.add(".claude/projects/-p/11111111-0000-4000-8000-000000000000.jsonl", "x\n")
	h.add(".claude/projects/-p/agent-a9f8e7d.jsonl", "x\n")
	agent := h.add(".claude/projects/-p/11111111-0000-4000-8000-000000000000/subagents/agent-b.jsonl", "x\n")
	flow := h.add(".claude/projects/-p/11111111-0000-4000-8000-000000000000/subagents/workflows/w1/agent-c.jsonl", "x\n")
	h.add(".claude/projects/-p/11111111-0000-4000-8000-000000000000/subagents/agent-b.meta.json", "{}")
	h.add(".claude/projects/-p/subagents/agent-d.jsonl", "x\n")
	h.add(".claude/projects/subagents/e.jsonl", "x\n")
	h.add(".pi/agent/sessions/--p--/s.jsonl.acp.json", "{}")
	h.add(".pi/agent/sessions/--p--/.acp-s.acp.json", "{}")
	h.add(".pi/agent/sessions/--p--/.hidden.jsonl", "x\n")
	h.add(".pi/agent/sessions/--p--/empty.jsonl", "")
	h.must(os.MkdirAll(h.path(".pi/agent/sessions/--p--/folder.jsonl"), 0o700))
	found := h.machine("/p").Sessions()
	if len(found) != 1 || found[0].Path != session {
		t.Errorf("sessions %+v", found)
	}
	var got []string
	for _, f := range h.machine("/p").All() {
		if f.Parent == session {
			got = append(got, f.Path)
		}
	}
	slices.Sort(got)
	if want := []string{agent, flow}; !reflect.DeepEqual(got, want) {
		t.Errorf("subagents %v, want %v", got, want)
	}
}

func TestTheContentDecidesWhatIsASession(t *testing.T) {
	h := newHome(t)
	h.add(".pi/agent/sessions/--p--/a.jsonl", piHeader)
	h.add(".pi/agent/sessions/--p--/b.jsonl", strings.Repeat("\x00\x01", 50<<10))
	h.wantNewest("/p", ".pi/agent/sessions/--p--/a.jsonl")
}

func TestNoSessionAtAll(t *testing.T) {
	h := newHome(t)
	if path, err := h.machine("/p").Newest(); !errors.Is(err, ErrNoSession) {
		t.Errorf("newest is %q, error %v", path.Path, err)
	}
}

func TestTheEnvironmentMovesTheFolders(t *testing.T) {
	for name, c := range map[string]struct {
		env  map[string]string // values below the home folder where they start with ~
		path string
	}{
		"PI_CODING_AGENT_DIR":          {map[string]string{"PI_CODING_AGENT_DIR": "~/elsewhere"}, "elsewhere/sessions/--p--/a.jsonl"},
		"PI_CODING_AGENT_SESSION_DIR":  {map[string]string{"PI_CODING_AGENT_SESSION_DIR": "~/flat"}, "flat/a.jsonl"},
		"PI_CONFIG_DIR":                {map[string]string{"PI_CONFIG_DIR": ".other"}, ".other/agent/sessions/--p--/a.jsonl"},
		"OMP_PROFILE":                  {map[string]string{"OMP_PROFILE": "job"}, ".omp/profiles/job/agent/sessions/--p--/a.jsonl"},
		"XDG_DATA_HOME":                {map[string]string{"XDG_DATA_HOME": "~/data"}, "data/omp/sessions/--p--/a.jsonl"},
		"CLAUDE_CONFIG_DIR":            {map[string]string{"CLAUDE_CONFIG_DIR": "~/cc"}, "cc/projects/-p/a.jsonl"},
		"XDG_CONFIG_HOME":              {map[string]string{"XDG_CONFIG_HOME": "~/conf"}, "conf/claude/projects/-p/a.jsonl"},
		"CLAUDE_CODE_PROJECT_DIR_NAME": {map[string]string{"CLAUDE_CONFIG_DIR": "~/cc", "CLAUDE_CODE_PROJECT_DIR_NAME": "mine"}, "cc/projects/mine/a.jsonl"},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHome(t)
			h.add(c.path, strings.Replace(piHeader, "/elsewhere", "/p", 1))
			h.add("cc/projects/-newer/b.jsonl", piHeader)
			h.add(".pi/agent/sessions/--newer--/b.jsonl", piHeader)
			h.env = c.env
			h.wantNewest("/p", c.path)
			h.env = nil
			for _, s := range h.machine("/p").Sessions() {
				if s.Path == h.path(c.path) {
					t.Error("it is found without the variable too")
				}
			}
		})
	}
}

func TestInAFolderForAllProjectsTheHeaderSaysWhose(t *testing.T) {
	h := newHome(t)
	h.env["PI_CODING_AGENT_SESSION_DIR"] = h.path("flat")
	h.add("flat/a.jsonl", strings.Replace(piHeader, "/elsewhere", "/p", 1))
	h.add("flat/b.jsonl", piHeader)
	h.add("flat/c.jsonl", "no record\n")
	h.wantNewest("/p", "flat/a.jsonl")
}

func TestALongFolderNameIsCut(t *testing.T) {
	h := newHome(t)
	folder := "/" + strings.Repeat("long-name/", 30) + "end"
	slug := strings.NewReplacer("/", "-").Replace(folder)[:200]
	h.add(".claude/projects/"+slug+"-1x2y3z/a.jsonl", "x\n")
	h.add(".claude/projects/-newer/b.jsonl", "x\n")
	h.wantNewest(folder, ".claude/projects/"+slug+"-1x2y3z/a.jsonl")
}

func TestALinkedFolderIsTheFolderThatItLeadsTo(t *testing.T) {
	h := newHome(t)
	h.must(os.MkdirAll(h.path("real"), 0o700))
	h.must(os.Symlink(h.path("real"), h.path("link")))
	real, err := filepath.EvalSymlinks(h.path("real"))
	h.must(err)
	path := ".claude/projects/" + claudeProject(real) + "/a.jsonl"
	h.add(path, "x\n")
	h.add(".claude/projects/-newer/b.jsonl", "x\n")
	h.wantNewest(h.path("link"), path)
}

func TestThisMachineHasAHome(t *testing.T) {
	t.Setenv("HOME", "/home/someone")
	m := ThisMachine()
	if m.Home != "/home/someone" || m.Folder == "" || m.Getenv("HOME") != "/home/someone" {
		t.Errorf("machine %+v", m)
	}
}

func TestWithoutAHomeNothingIsFoundInTheCurrentFolder(t *testing.T) {
	t.Setenv("HOME", "")
	if home := ThisMachine().Home; !filepath.IsAbs(home) {
		t.Errorf("the home folder is %q: sessions would be looked for in the current folder", home)
	}
	if here := (Machine{Home: "/"}).folders(); here != nil {
		t.Errorf("without a current folder it is called %q", here)
	}
}
