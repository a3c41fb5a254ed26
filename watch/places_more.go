package watch

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"strings"
)

// codexPlaces: sessions lie by date, archived ones flat. No folder tells whose
// they are.
func (m Machine) codexPlaces() []place {
	root := m.env("CODEX_HOME", filepath.Join(m.Home, ".codex"))
	takes := func(below []string) bool {
		return isLog(below) && strings.HasPrefix(below[len(below)-1], "rollout-")
	}
	return []place{
		{
			folder: filepath.Join(root, "sessions"), agent: "Codex CLI", takes: takes,
			enters: func(below []string) bool { return len(below) <= 3 && isNumber(below[len(below)-1]) },
		},
		{
			folder: filepath.Join(root, "archived_sessions"), agent: "Codex CLI", takes: takes,
			enters: func([]string) bool { return false },
		},
	}
}

func isNumber(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// geminiPlaces: sessions lie in the chats folder of a project, which is called
// by the project's name or by a hash of its folder; those of subagents lie in a
// folder that is called like the session that they belong to.
func (m Machine) geminiPlaces() []place {
	home := m.env("GEMINI_CLI_HOME", m.Home)
	return []place{{
		folder: filepath.Join(home, ".gemini", "tmp"), agent: "Gemini CLI",
		here: m.named(geminiHash, filepath.Base),
		enters: func(below []string) bool {
			return len(below) == 1 || below[1] == "chats" && len(below) <= 3
		},
		takes: func(below []string) bool {
			name := below[len(below)-1]
			ext := filepath.Ext(name)
			return len(below) >= 3 && below[1] == "chats" && !strings.HasPrefix(name, ".") && (ext == ".jsonl" || ext == ".json")
		},
		parent: geminiParent,
	}}
}

func geminiHash(folder string) string {
	sum := sha256.Sum256([]byte(folder))
	return hex.EncodeToString(sum[:])
}

func geminiParent(_ string, below []string) (session string, subagent bool) {
	if len(below) <= 3 {
		return "", false
	}
	return "Gemini CLI " + below[2], true
}

// proxyPlaces: the proxy keeps one record for each session, in a folder for
// each protocol.
func (m Machine) proxyPlaces() []place {
	data := m.env("XDG_DATA_HOME", filepath.Join(m.Home, ".local", "share"))
	folder := m.env("BILI_SESSIONS_DIR", filepath.Join(data, "billion-context", "sessions"))
	return []place{{
		folder: folder, agent: "billion-context proxy",
		enters: func(below []string) bool { return len(below) == 1 },
		takes: func(below []string) bool {
			name := below[len(below)-1]
			return filepath.Ext(name) == ".json" && !strings.HasPrefix(name, ".") && !strings.HasSuffix(name, ".fb.json")
		},
	}}
}
