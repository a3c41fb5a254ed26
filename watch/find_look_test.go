package watch

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ctxscope/kernel"
)

// claudeReply is a reply of a Claude Code session with its usage.
func claudeReply(n int, tokens int, text string) string {
	return fmt.Sprintf(`{"parentUuid":"u%d","type":"assistant","uuid":"u%d","sessionId":"s","cwd":"/p","timestamp":"2026-01-05T10:00:00.000Z","message":{"id":"m%d","role":"assistant","model":"claude-sonnet-4-5","content":[{"type":"text","text":%q}],"usage":{"input_tokens":%d,"output_tokens":0}}}`+"\n", n-1, n, n, text, tokens)
}

func claudePrompt(n int, text string) string {
	return fmt.Sprintf(`{"parentUuid":"u%d","type":"user","uuid":"u%d","sessionId":"s","cwd":"/p","timestamp":"2026-01-05T10:00:00.000Z","message":{"role":"user","content":%q}}`+"\n", n-1, n, text)
}

// codexThread is the start of a Codex session: its header, with more members in
// it, and a prompt.
func codexThread(id, more, prompt string) string {
	return fmt.Sprintf(`{"type":"session_meta","payload":{"id":%q,"cwd":"/p"%s}}`+"\n"+
		`{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":%q}]}}`+"\n", id, more, prompt)
}

// codexSubagent is the session of a subagent that a thread started.
func codexSubagent(id, parent, prompt string) string {
	return codexThread(id, `,"source":{"subagent":{"thread_spawn":{"parent_thread_id":"`+parent+`","agent_path":"/root/`+id+`"}}}`, prompt)
}

func TestALookReadsTheTwoEnds(t *testing.T) {
	d := newDisk(t)
	long := strings.Repeat("word ", 2000)
	begin := claudePrompt(1, "<command-name>/model</command-name>") + claudePrompt(2, "Fix the\n login page.") + claudeReply(3, 1_000, "On it.")
	middle := repeat(20, func(i int) string { return claudeReply(10+i, 50_000, long) })
	for _, c := range []struct {
		name, data string
		whole      bool
		known      bool
		tokens     kernel.Tokens
		peak       kernel.Tokens
	}{
		{"a small file is read whole", begin, true, true, 1_000, 1_000},
		{"the newest usage counts", begin + middle + claudeReply(99, 70_000, "Done."), false, true, 70_000, 70_000},
		{"an unfinished last line is passed over", begin + middle + claudeReply(99, 70_000, "Done.") + `{"type":"assis`, false, true, 70_000, 70_000},
		{"a last record without LF counts", begin + middle + strings.TrimSpace(claudeReply(99, 70_000, "Done.")), false, true, 70_000, 70_000},
		{"an old usage is not shown as the newest", begin + middle + claudePrompt(99, strings.Repeat(long, 10)), false, false, 0, 50_000},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := d.write("s.jsonl", c.data)
			l := Found{Path: path}.Look()
			if l.Refused != "" || l.Whole != c.whole || l.Read > 64<<10 {
				t.Errorf("refused %q, whole %v, %d bytes read", l.Refused, l.Whole, l.Read)
			}
			s := l.Session
			if s.Format != "claude" || s.Folder != "/p" || s.Model != "claude-sonnet-4-5" || l.Prompt != "Fix the login page." {
				t.Errorf("session %+v, prompt %q", s, l.Prompt)
			}
			if s.Usage.Known != c.known || s.Usage.Tokens != c.tokens || l.Peak != c.peak {
				t.Errorf("usage %+v, peak %v", s.Usage, l.Peak)
			}
		})
	}
}

func TestWhatALookCannotTellStaysOpen(t *testing.T) {
	d := newDisk(t)
	for name, data := range map[string]string{
		"one record too long to end in the head": `{"type":"user","text":"` + strings.Repeat("x", 200<<10) + `"}` + "\n",
		"nothing but records of another kind":    repeat(10, func(i int) string { return `{"a":1}` + "\n" }),
	} {
		if l := (Found{Path: d.write("s.jsonl", data)}).Look(); l.Refused != "" || l.Session.Format != "" {
			t.Errorf("%s: %+v", name, l)
		}
	}
	if l := (Found{Path: d.write("s.jsonl", strings.Repeat("\x7fELF", 100<<10))}).Look(); l.Refused == "" {
		t.Error("a program is not refused")
	}
}

// A list of thousands of sessions is made from the names and 64 KiB of each.
func TestFiveThousandSessionsAreListedFromTheirEnds(t *testing.T) {
	const count = 5_000
	h := newHome(t)
	whole := claudePrompt(1, "Hello") + repeat(40, func(i int) string { return claudeReply(i+2, 1_000+i, strings.Repeat("word ", 800)) })
	first := h.add(".claude/projects/-p/first.jsonl", whole)
	folders := make([]string, 50)
	for i := range folders {
		folders[i] = filepath.Join(h.folder, ".claude", "projects", fmt.Sprint("-p", i))
		h.must(os.MkdirAll(folders[i], 0o700))
	}
	for i := 1; i < count; i++ { // the same bytes under many names
		h.must(os.Link(first, filepath.Join(folders[i%len(folders)], fmt.Sprintf("%d.jsonl", i))))
	}
	sessions, read := h.machine("/p").All(), int64(0)
	for _, f := range sessions {
		l := f.Seen().Look
		read += l.Read
		if l.Session.Usage.Tokens != 1_039 || l.Prompt != "Hello" {
			t.Fatalf("%s: %+v", f.Path, l)
		}
	}
	if len(sessions) != count || read > count*64<<10 || read < count*10<<10 {
		t.Errorf("%d sessions, %d bytes read", len(sessions), read)
	}
}

func TestAgentsGoByManyNames(t *testing.T) {
	for called, want := range map[string]string{
		"claude": "Claude Code", "Claude Code": "Claude Code", "claude-code": "Claude Code", "PI": "pi",
		"omp": "oh-my-pi", "oh-my-pi": "oh-my-pi", "codex": "Codex CLI", "gemini-cli": "Gemini CLI", "vim": "", "": "",
	} {
		if got, ok := AgentNamed(called); got != want || ok != (want != "") {
			t.Errorf("%q is %q, %v; want %q", called, got, ok, want)
		}
	}
	for _, name := range AgentNames() {
		if _, ok := AgentNamed(name); !ok {
			t.Errorf("%q is no agent", name)
		}
	}
}

func TestOneAgentAloneIsLookedFor(t *testing.T) {
	h := newHome(t)
	pi := h.add(".pi/agent/sessions/--p--/a.jsonl", piHeader)
	h.add(".claude/projects/-p/b.jsonl", claudePrompt(1, "Hello"))
	m := h.machine("/p")
	m.Agent = "pi"
	if path, err := m.Newest(); err != nil || path.Path != pi {
		t.Errorf("newest is %s, error %v", path.Path, err)
	}
	m.Agent = "Codex CLI"
	if _, err := m.Newest(); err != ErrNoSession {
		t.Errorf("error %v", err)
	}
}

func TestTheLatestSessionMayLieAnywhere(t *testing.T) {
	h := newHome(t)
	h.add(".claude/projects/-p/a.jsonl", claudePrompt(1, "Hello"))
	other := h.add(".claude/projects/-q/b.jsonl", claudePrompt(1, "Hello"))
	if path, err := h.machine("/p").Latest(); err != nil || path.Path != other {
		t.Errorf("latest is %s, error %v", path.Path, err)
	}
}

func TestEveryAgentsFoldersAreKnown(t *testing.T) {
	for name, c := range map[string]struct {
		env    map[string]string
		path   string
		agent  string
		parent string // of a subagent, below the home folder; "?": only the content tells
	}{
		"Codex CLI":                {nil, ".codex/sessions/2026/01/05/rollout-2026-01-05T10-00-00-x.jsonl", "Codex CLI", ""},
		"Codex archived":           {nil, ".codex/archived_sessions/rollout-2026-01-05T10-00-00-x.jsonl", "Codex CLI", ""},
		"CODEX_HOME":               {map[string]string{"CODEX_HOME": "~/cx"}, "cx/sessions/2026/01/05/rollout-x.jsonl", "Codex CLI", ""},
		"Gemini":                   {nil, ".gemini/tmp/p/chats/session-2026-01-05-x.jsonl", "Gemini CLI", ""},
		"Gemini legacy":            {nil, ".gemini/tmp/" + geminiHash("/p") + "/chats/session-2026-01-05-x.json", "Gemini CLI", ""},
		"Gemini subagent":          {nil, ".gemini/tmp/p/chats/parent/session-x.jsonl", "Gemini CLI", "Gemini CLI parent"},
		"GEMINI_CLI_HOME":          {map[string]string{"GEMINI_CLI_HOME": "~/gm"}, "gm/.gemini/tmp/p/chats/session-x.jsonl", "Gemini CLI", ""},
		"opencode files":           {nil, ".local/share/opencode/storage/session/pp/ses_x.json", "opencode", ""},
		"proxy":                    {nil, ".local/share/billion-context/sessions/anthropic/host_0123.json", "billion-context proxy", ""},
		"BILI_SESSIONS_DIR":        {map[string]string{"BILI_SESSIONS_DIR": "~/bili"}, "bili/openai/x.json", "billion-context proxy", ""},
		"Claude subagent":          {nil, ".claude/projects/-p/s1/subagents/agent-a.jsonl", "Claude Code", ".claude/projects/-p/s1.jsonl"},
		"Claude subagent of a run": {nil, ".claude/projects/-p/s1/subagents/workflows/w/agent-a.jsonl", "Claude Code", ".claude/projects/-p/s1.jsonl"},
		"Claude subagent of old":   {nil, ".claude/projects/-p/agent-a.jsonl", "Claude Code", "?"},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHome(t)
			h.env = c.env
			path := h.add(c.path, "{}\n")
			h.add(filepath.Join(filepath.Dir(c.path), ".hidden.jsonl"), "{}\n")
			h.add(filepath.Join(filepath.Dir(c.path), "notes.txt"), "{}\n")
			all := h.machine("/p").All()
			if len(all) != 1 || all[0].Path != path || all[0].Agent != c.agent || all[0].Size != 3 {
				t.Fatalf("found %+v", all)
			}
			parent := strings.TrimPrefix(c.parent, "?")
			if strings.HasPrefix(parent, ".") {
				parent = h.path(parent)
			}
			if all[0].Subagent != (c.parent != "") || all[0].Parent != parent {
				t.Errorf("subagent %v of %q", all[0].Subagent, all[0].Parent)
			}
		})
	}
}
