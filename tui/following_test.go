//go:build unix

package tui

import (
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	_ "modernc.org/sqlite"
)

// databaseVariable names the database that this test binary writes when a test
// has started it as an agent.
const databaseVariable = "CTXSCOPE_TEST_DATABASE"

// writtenTurns is how many turns each agent writes.
const writtenTurns = 120

// writeReplies writes turns into a database as opencode does, each reply
// growing in place, and waits for no lock. It keeps the database open to the
// end of standard input.
func writeReplies(path string) error {
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=busy_timeout(0)&_pragma=journal_mode(WAL)&_txlock=immediate")
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	for turn := range writtenTurns {
		for n := range 10 {
			now := time.Now().UnixMilli()
			_, err := db.Exec(`INSERT INTO message VALUES(?,'s',?,?,'{"role":"assistant","modelID":"claude-sonnet-4-5","finish":"stop","tokens":{"input":100,"output":5}}') ON CONFLICT(id) DO UPDATE SET time_updated=excluded.time_updated`,
				fmt.Sprintf("m%03d", turn), turn+1, now)
			if err == nil {
				_, err = db.Exec(`INSERT INTO part VALUES(?,?,'s',1,?,?) ON CONFLICT(id) DO UPDATE SET data=excluded.data, time_updated=excluded.time_updated`,
					fmt.Sprintf("p%03d", turn), fmt.Sprintf("m%03d", turn), now, fmt.Sprintf(`{"type":"text","text":%q}`, strings.Repeat("say ", n)))
			}
			if err != nil {
				return fmt.Errorf("turn %d: %w", turn, err)
			}
		}
	}
	if _, err := os.Stdin.Read(make([]byte, 1)); err == nil {
		return fmt.Errorf("the end was not waited for")
	}
	return db.Close()
}

// The scripts of agents. Each gets the session's file as its first argument.
const (
	codexScript = `i=1; while [ $i -le 120 ]; do
		printf '{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"ask %d"}]}}\n' $i >>"$1"
		printf '{"type":"response_item","payload":{"type":"message","role":"assistant",' >>"$1"
		printf '"content":[{"type":"output_text","text":"say"}]}}\n' >>"$1"
		i=$((i+1)); done`
	piScript = `turn() {
		printf '{"type":"message","id":"u%d","parentId":"a%d","message":{"role":"user","content":"ask %d"}}\n' $1 $(($1-1)) $1
		printf '{"type":"message","id":"a%d","parentId":"u%d","message":{"role":"assistant","content":[{"type":"text","text":"say"}],"model":"m","stopReason":"stop"}}\n' $1 $1; }
		i=1; while [ $i -le 120 ]; do turn $i >>"$1"
		if [ $((i%30)) = 0 ]; then sleep 0.1
			printf '{"type":"session","version":3,"id":"s","timestamp":"2026-01-05T10:00:%02d.000Z","cwd":"/p"}\n' $((i/30)) >"$1"
			j=1; while [ $j -le $i ]; do turn $j; j=$((j+1)); done >>"$1"
		sleep 0.1; fi
		i=$((i+1)); done`
	claudeScript = `turn() {
		printf '{"type":"user","uuid":"u%d","parentUuid":null,"sessionId":"s","cwd":"/p","message":{"role":"user","content":"ask %d"}}\n' $1 $1
		printf '{"type":"assistant","uuid":"a%d","parentUuid":"u%d","sessionId":"s","cwd":"/p","message":{"id":"m%d","role":"assistant","content":[{"type":"text","text":"say"}]}}\n' $1 $1 $1; }
		turn 7 >>"$1"; next="$(dirname "$1")/next.jsonl"
		i=1; while [ $i -le 120 ]; do turn $i | sed "s/\"parentUuid\":null/\"parentUuid\":\"a$((i-1))\"/" >>"$next"; i=$((i+1)); done`
)

// TestTheProgramFollowsWhatAnotherProcessWrites starts the program once for
// each agent, before the agent writes.
func TestTheProgramFollowsWhatAnotherProcessWrites(t *testing.T) {
	for _, c := range []struct {
		name, file, begins string
		script             string // empty: the database
		args               []string
	}{
		{"a Codex file is appended to", ".codex/sessions/2026/01/05/rollout-1.jsonl", `{"type":"session_meta","payload":{"id":"s","cwd":"/p"}}`, codexScript, nil},
		{"a Pi file is written anew in place", ".pi/agent/sessions/--p--/s.jsonl", `{"type":"session","version":3,"id":"s","timestamp":"2026-01-05T10:00:00.000Z","cwd":"/p"}`, piScript, nil},
		{"Claude Code goes on in a new file", ".claude/projects/-p/s.jsonl", `{"type":"user","uuid":"u0","parentUuid":null,"sessionId":"s","cwd":"/p","message":{"role":"user","content":"ask 0"}}`, claudeScript, []string{"--follow-latest"}},
		{"opencode writes its database", ".local/share/opencode/opencode.db", "", "", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			home := t.TempDir()
			path := filepath.Join(home, filepath.FromSlash(c.file))
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			agent := exec.CommandContext(t.Context(), "sh", "-c", c.script, "sh", path)
			if c.script == "" {
				emptyDatabase(t, path)
				agent = exec.CommandContext(t.Context(), os.Args[0])
				agent.Env = append(os.Environ(), databaseVariable+"="+path)
			} else if err := os.WriteFile(path, []byte(c.begins+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			var errs strings.Builder
			agent.Stderr = &errs
			rests, err := agent.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			x := start(t, 120, 40, "env", append([]string{"HOME=" + home, program(t), path}, c.args...)...)
			x.await("6 Messages")
			if err := agent.Start(); err != nil {
				t.Fatal(err)
			}
			x.await(fmt.Sprintf("turn %d ", writtenTurns))
			if err := rests.Close(); err != nil {
				t.Error(err)
			}
			if err := agent.Wait(); err != nil {
				t.Errorf("the agent: %v: %s", err, errs.String())
			}
			x.send("p")
			x.await("No problems")
			x.send("q")
			if code := x.ends(patient); code != 0 {
				t.Errorf("exit code %d", code)
			}
		})
	}
}

func emptyDatabase(t *testing.T, path string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=journal_mode(WAL)")
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.Exec(`
		CREATE TABLE session(id text PRIMARY KEY, parent_id text, directory text, title text, time_updated integer);
		CREATE TABLE message(id text PRIMARY KEY, session_id text, time_created integer, time_updated integer, data text);
		CREATE TABLE part(id text PRIMARY KEY, message_id text, session_id text, time_created integer, time_updated integer, data text);
		INSERT INTO session VALUES('s', NULL, '/p', 'title', 1);`)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}
