package headless

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"ctxscope/watch/hoststate"
)

func TestAReportNamesTheHostsSettings(t *testing.T) {
	m := machineOf(t, [2]string{"s.jsonl", claudeFile("/code/api", "Hello", 1_000)}, [2]string{".config/billion-context/acp.jsonc", `{"preserveRecentMessages": 2} // few`})
	report := func(o Options) string {
		var out bytes.Buffer
		o.File, o.Out, o.Err = filepath.Join(m.Home, "s.jsonl"), &out, &out
		if err := Report(t.Context(), o, true); err != nil {
			t.Fatal(err)
		}
		var f struct{ Configuration string }
		if err := json.Unmarshal(out.Bytes(), &f); err != nil {
			t.Fatal(err)
		}
		return f.Configuration
	}
	hosts := &hoststate.Machine{Home: m.Home, Getenv: m.Getenv}
	if got := report(Options{Hosts: hosts}); got != "kernel defaults, ~/.config/billion-context/acp.jsonc laid over them" {
		t.Errorf("configuration %q", got)
	}
	if got := report(Options{}); got != "kernel defaults" {
		t.Errorf("without looking for hosts: %q", got)
	}
	if err := os.Remove(filepath.Join(m.Home, ".config/billion-context/acp.jsonc")); err != nil {
		t.Fatal(err)
	}
	if got := report(Options{Hosts: hosts}); got != "kernel defaults" {
		t.Errorf("without settings: %q", got)
	}
}
