package watch

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
)

// place is a folder in which an agent keeps its sessions: directly, or below it
// in one folder for each project. Paths below it are named by their elements.
type place struct {
	folder string
	agent  string
	enters func(below []string) bool                                           // whether a folder may hold sessions
	takes  func(below []string) bool                                           // whether a name is that of a session
	here   func(project string) bool                                           // whether a project's folder is the current one's; nil: no folder tells
	parent func(folder string, below []string) (session string, subagent bool) // whose subagent's a file is; nil: nobody's
	list   func() []Found                                                      // a place that is no folder of files lists itself; else nil
}

// agent is an agent whose sessions are found.
type agent struct {
	name   string   // for people
	called []string // what it may be called on the command line, the usual name first
	places func(Machine) []place
}

var agents = []agent{
	{"pi", []string{"pi"}, Machine.piPlaces},
	{"oh-my-pi", []string{"omp", "ohmypi"}, Machine.ompPlaces},
	{"Claude Code", []string{"claude", "claudecode"}, Machine.claudePlaces},
	{"Codex CLI", []string{"codex", "codexcli"}, Machine.codexPlaces},
	{"opencode", []string{"opencode"}, Machine.opencodePlaces},
	{"Gemini CLI", []string{"gemini", "geminicli"}, Machine.geminiPlaces},
	{"billion-context proxy", []string{"proxy", "billioncontext", "bili"}, Machine.proxyPlaces},
}

// AgentNames are the usual names of the agents on the command line.
func AgentNames() []string {
	var names []string
	for _, a := range agents {
		names = append(names, a.called[0])
	}
	return names
}

// AgentNamed gives the name of an agent as Found has it, from what a person
// called it: case, blanks and dashes do not matter.
func AgentNamed(called string) (name string, ok bool) {
	called = strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToLower(called))
	for _, a := range agents {
		if slices.Contains(a.called, called) {
			return a.name, true
		}
	}
	return "", false
}

// places lists where agents keep their sessions, by their own rules.
func (m Machine) places() []place {
	var places []place
	for _, a := range agents {
		if m.Agent == "" || m.Agent == a.name {
			places = append(places, a.places(m)...)
		}
	}
	return places
}

// folders are the names of the current folder: agents write down the one
// without symbolic links.
func (m Machine) folders() []string {
	if m.Folder == "" {
		return nil
	}
	folders := []string{filepath.Clean(m.Folder)}
	if real, err := filepath.EvalSymlinks(m.Folder); err == nil && real != folders[0] {
		folders = append(folders, real)
	}
	return folders
}

func (m Machine) piPlaces() []place {
	here := m.named(piProject)
	root := m.env("PI_CODING_AGENT_DIR", filepath.Join(m.Home, ".pi", "agent"))
	places := []place{piLike("pi", filepath.Join(root, "sessions"), here)}
	if folder := m.env("PI_CODING_AGENT_SESSION_DIR", ""); folder != "" {
		places = append(places, piLike("pi", folder, here))
	}
	return places
}

func (m Machine) ompPlaces() []place {
	here := m.named(m.ompProject, piProject)
	var roots []string
	if m.Getenv("PI_CODING_AGENT_DIR") == "" {
		base := filepath.Join(m.Home, cmp.Or(m.Getenv("PI_CONFIG_DIR"), ".omp"))
		roots = append(roots, filepath.Join(base, "agent"))
		if profile := cmp.Or(m.Getenv("OMP_PROFILE"), m.Getenv("PI_PROFILE")); profile != "" {
			roots = append(roots, filepath.Join(base, "profiles", profile, "agent"), filepath.Join(base, "agent", "profiles", profile))
		}
	}
	data := m.env("XDG_DATA_HOME", filepath.Join(m.Home, ".local", "share"))
	roots = append(roots, filepath.Join(data, "omp"))
	var places []place
	for _, root := range roots {
		places = append(places, piLike("oh-my-pi", filepath.Join(root, "sessions"), here))
	}
	return places
}

// piLike is a folder with sessions in it and in one folder for each project.
func piLike(agent, folder string, here func(string) bool) place {
	return place{
		folder: folder, agent: agent, here: here,
		enters: func(below []string) bool { return len(below) == 1 && below[0] != subagentFolder },
		takes:  func(below []string) bool { return isLog(below) && !isSubagent(below[len(below)-1]) },
	}
}

// isLog reports whether the name is that of a log that is no state file and
// not hidden.
func isLog(below []string) bool {
	name := below[len(below)-1]
	return filepath.Ext(name) == ".jsonl" && !strings.HasPrefix(name, ".")
}

func (m Machine) claudePlaces() []place {
	named := m.named(claudeProject)
	roots := []string{filepath.Join(m.Home, ".claude"), filepath.Join(m.env("XDG_CONFIG_HOME", filepath.Join(m.Home, ".config")), "claude")}
	here := named
	if set := m.env("CLAUDE_CONFIG_DIR", ""); set != "" {
		roots = []string{set}
		if project := m.Getenv("CLAUDE_CODE_PROJECT_DIR_NAME"); project != "" {
			here = func(name string) bool { return name == project || named(name) }
		}
	}
	var places []place
	for _, root := range roots {
		places = append(places, place{
			folder: filepath.Join(root, "projects"), agent: "Claude Code", here: here,
			enters: claudeEnters, takes: isLog, parent: claudeParent,
		})
	}
	return places
}

// claudeEnters: a project's folder, a session's folder in it, and there what
// belongs to its subagents.
func claudeEnters(below []string) bool {
	const deepest = 6
	switch len(below) {
	case 1:
		return below[0] != subagentFolder
	case 2:
		return true
	}
	return below[2] == subagentFolder && len(below) <= deepest
}

// claudeParent: a subagent's file lies in the folder of its session; older ones
// lie beside the sessions.
func claudeParent(folder string, below []string) (session string, subagent bool) {
	if len(below) == 0 { // the folder of all projects itself
		return "", false
	}
	if !isSubagent(below[len(below)-1]) {
		return "", len(below) > 2
	}
	if len(below) < 4 {
		return "", true
	}
	return filepath.Join(folder, below[0], below[1]+".jsonl"), true
}

// env is the folder that the variable key names, else the other one.
func (m Machine) env(key, other string) string {
	folder := cmp.Or(m.Getenv(key), other)
	if rest, ok := strings.CutPrefix(folder, "~"); ok && (rest == "" || rest[0] == '/' || rest[0] == '\\') {
		return filepath.Join(m.Home, rest)
	}
	return folder
}

// named tells the project folders of the current folder by the names that rules
// give to it. A name that ends in * is the start of one.
func (m Machine) named(rules ...func(folder string) string) func(string) bool {
	var names []string
	for _, folder := range m.folders() {
		for _, rule := range rules {
			names = append(names, rule(folder))
		}
	}
	return func(project string) bool {
		return slices.ContainsFunc(names, func(name string) bool {
			if start, ok := strings.CutSuffix(name, "*"); ok {
				return strings.HasPrefix(project, start)
			}
			return project == name
		})
	}
}

var separators = strings.NewReplacer("/", "-", `\`, "-", ":", "-")

func piProject(folder string) string {
	return "--" + separators.Replace(strings.TrimLeft(folder, `/\`)) + "--"
}

// ompProject names a folder by its path below the home folder or below /tmp.
func (m Machine) ompProject(folder string) string {
	if below, ok := under(folder, m.Home); ok {
		return "-" + separators.Replace(below)
	}
	if below, ok := under(folder, "/tmp"); ok {
		return "-tmp-" + separators.Replace(below)
	}
	return piProject(folder)
}

// under is the path of folder below root.
func under(folder, root string) (string, bool) {
	below, err := filepath.Rel(root, folder)
	if err != nil || below == ".." || strings.HasPrefix(below, ".."+string(filepath.Separator)) {
		return "", false
	}
	if below == "." {
		below = ""
	}
	return below, true
}

// claudeProject names a folder by its letters and digits; a long name is cut
// and goes on with a number that is not known here.
func claudeProject(folder string) string {
	const longest = 200
	name := []byte{}
	for _, r := range folder {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
			name = append(name, byte(r))
		case r > 0xffff:
			name = append(name, '-', '-') // counted in UTF-16
		default:
			name = append(name, '-')
		}
	}
	if len(name) > longest {
		return string(name[:longest]) + "-*"
	}
	return string(name)
}
