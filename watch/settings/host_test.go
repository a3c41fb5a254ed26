package settings

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"ctxscope/kernel"
	"ctxscope/watch/decode"
)

// homeOf makes a home folder with the named files.
func homeOf(t *testing.T, files map[string]string) Hosts {
	t.Helper()
	h := Hosts{Home: t.TempDir(), Getenv: func(string) string { return "" }}
	for name, text := range files {
		path := filepath.Join(h.Home, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return h
}

func filesOf(layers []Layer) []string {
	names := []string{}
	for _, l := range layers {
		names = append(names, l.File)
	}
	return names
}

func TestTheHostsOwnSettingsAreFound(t *testing.T) {
	h := homeOf(t, map[string]string{
		".pi/agent/acp.jsonc":               `{ /* mine */ "preserveRecentMessages": 7, }`,
		".pi/agent/settings.json":           "{\n \"theme\": \"dark\",\n \"acp\": {\n  \"promotionThreshold\": 6\n }\n}",
		"code/.pi/acp.json":                 `{"preserveRecentMessages": 8}`,
		"code/.pi/settings.json":            `{"theme": "light"}`,
		".omp/agent/acp.json":               `{}`,
		".config/opencode/acp.jsonc":        `{}`,
		"code/.opencode/acp.jsonc":          `{}`,
		".config/billion-context/acp.jsonc": `{}`,
		"elsewhere/acp.json":                `{}`,
	})
	work := filepath.Join(h.Home, "code")
	for _, c := range []struct {
		agent, key, value string
		want              []string
	}{
		{"pi", "", "", []string{"~/.pi/agent/acp.jsonc", "~/.pi/agent/settings.json", "~/code/.pi/acp.json"}},
		{"pi", "PI_CODING_AGENT_DIR", "~/elsewhere", []string{"~/elsewhere/acp.json", "~/code/.pi/acp.json"}},
		{"oh-my-pi", "", "", []string{"~/.omp/agent/acp.json"}},
		{"opencode", "", "", []string{"~/.config/opencode/acp.jsonc", "~/code/.opencode/acp.jsonc"}},
		{"opencode", "OPENCODE_CONFIG_DIR", "~/elsewhere", []string{"~/.config/opencode/acp.jsonc", "~/elsewhere/acp.json", "~/code/.opencode/acp.jsonc"}},
		{"Codex CLI", "", "", []string{"~/.config/billion-context/acp.jsonc"}},
		{"recording", "", "", []string{}},
		{"", "", "", []string{}},
	} {
		h.Getenv = func(key string) string {
			if key == c.key {
				return c.value
			}
			return ""
		}
		if got := filesOf(h.Layers(decode.Session{Agent: c.agent, Folder: work})); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s with %s: %v, want %v", c.agent, c.key, got, c.want)
		}
	}
}

func TestTheHostsSettingsAreLaidUnderThePersons(t *testing.T) {
	h := homeOf(t, map[string]string{
		".pi/agent/settings.json": "{\n \"theme\": \"dark\",\n \"acp\": {\n  \"promotionThreshold\": 6,\n  \"wrong\": 1\n }\n}",
		"code/.pi/acp.jsonc":      "{ \"$schema\": \"x\", // for editors\n \"preserveRecentMessages\": 8, \"preserveRecentTokens\": 9 }",
	})
	session := decode.Session{Agent: "pi", Folder: filepath.Join(h.Home, "code"), Model: "claude-sonnet-4-5"}
	choice := Choice{Host: h.Layers(session), File: "rules.json", Config: []byte(`{"preserveRecentTokens": 10}`)}
	got := Resolve(choice, session, 0)
	want := kernel.Default(200_000)
	want.PromotionThreshold, want.PreserveRecentMessages, want.PreserveRecentTokens = 6, 8, 10
	want.Nudge.GrowthFloor, want.Nudge.GrowthCap = 100_000, 100_000
	if !reflect.DeepEqual(got.Config, want) {
		t.Errorf("got %+v\nwant %+v", got.Config, want)
	}
	if want := "kernel defaults, ~/.pi/agent/settings.json laid over them, ~/code/.pi/acp.jsonc laid over them, the plugin's own growth step of 100,000, rules.json laid over them"; got.From != want {
		t.Errorf("from %q, want %q", got.From, want)
	}
	if want := []string{"~/.pi/agent/settings.json", "~/code/.pi/acp.jsonc", "rules.json"}; !reflect.DeepEqual(got.Over, want) {
		t.Errorf("over %q, want %q", got.Over, want)
	}
	if len(got.Problems) == 0 || got.Problems[0].Where != "~/.pi/agent/settings.json line 5" {
		t.Errorf("problems %+v", got.Problems)
	}
}

func TestAGrowthStepThatTheHostSetsStands(t *testing.T) {
	for text, want := range map[string]float64{`{"nudge": {"growthCap": 60000, "growthFloor": 60000}}`: 60_000, `{}`: 100_000} {
		h := homeOf(t, map[string]string{".pi/agent/acp.json": text})
		session := decode.Session{Agent: "pi"}
		if got := Resolve(Choice{Host: h.Layers(session)}, session, 0); got.Config.Nudge.GrowthCap != want {
			t.Errorf("%s: growth cap %v, want %v", text, got.Config.Nudge.GrowthCap, want)
		}
	}
	if got := Resolve(Choice{}, decode.Session{Agent: "pi"}, 0); got.Config.Nudge.GrowthCap != 50_000 || got.From != "kernel defaults" {
		t.Errorf("without settings: %v, from %q", got.Config.Nudge.GrowthCap, got.From)
	}
}

func TestTheWindowMayStandInTheHostsSettings(t *testing.T) {
	h := homeOf(t, map[string]string{".config/opencode/acp.json": `{"modelContextLimit": 150000}`})
	session := decode.Session{Agent: "opencode", Model: "gpt-5"}
	if got := Resolve(Choice{Host: h.Layers(session)}, session, 0).Window; got.Tokens != 150_000 || got.Source != SetInFile {
		t.Errorf("window %+v", got)
	}
}

func TestSettingsThatCannotBeReadAreSaid(t *testing.T) {
	h := homeOf(t, map[string]string{
		".pi/agent/acp.jsonc":     "{",
		".pi/agent/settings.json": "{",
		"code/.pi/settings.json":  `{"acp": 3}`,
	})
	if err := os.MkdirAll(filepath.Join(h.Home, "code/.pi/acp.json"), 0o700); err != nil {
		t.Fatal(err)
	}
	session := decode.Session{Agent: "pi", Folder: filepath.Join(h.Home, "code")}
	layers := h.Layers(session)
	if len(layers) != 1 || !strings.HasPrefix(layers[0].Wrong, "the host's settings cannot be read: ") {
		t.Fatalf("layers %+v", layers)
	}
	got := Resolve(Choice{Host: layers}, session, 0)
	if got.From != "kernel defaults" || len(got.Problems) == 0 || got.Problems[0].Where != "~/.pi/agent/acp.jsonc" {
		t.Errorf("from %q, problems %+v", got.From, got.Problems)
	}
}
