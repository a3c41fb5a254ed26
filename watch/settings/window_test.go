package settings

import (
	"testing"

	"ctxscope/kernel"
	"ctxscope/watch/decode"
)

func TestWindow(t *testing.T) {
	for _, c := range []struct {
		name                  string
		set, inFile, recorded kernel.Tokens
		model                 string
		peak                  kernel.Tokens
		want                  Window
	}{
		{"the person wins and the recorded value is kept", 150_000, 180_000, 258_400, "gpt-5", 0, Window{150_000, SetByYou, 258_400}},
		{"the configuration file comes before the transcript", 0, 180_000, 258_400, "gpt-5", 0, Window{180_000, SetInFile, 258_400}},
		{"the transcript comes before the table", 0, 0, 258_400, "gpt-5.5", 0, Window{258_400, Recorded, 258_400}},
		{"a recorded window stands whatever was reported", 0, 0, 258_400, "gpt-5.5", 300_000, Window{258_400, Recorded, 258_400}},
		{"the table knows the model", 0, 0, 0, "claude-sonnet-4-5-20250929", 199_000, Window{200_000, ModelTable, 0}},
		{"a context as large as the window proves nothing", 0, 0, 0, "claude-sonnet-4-5", 200_000, Window{200_000, ModelTable, 0}},
		{"a larger context proves the next window of the family", 0, 0, 0, "claude-sonnet-4-5", 200_001, Window{1_000_000, Inferred, 0}},
		{"an unknown model is assumed", 0, 0, 0, "house-model-7", 0, Window{200_000, Assumed, 0}},
		{"no model is assumed", 0, 0, 0, "", 0, Window{200_000, Assumed, 0}},
		{"a larger context disproves the assumption", 0, 0, 0, "house-model-7", 260_000, Window{262_144, Inferred, 0}},
		{"beyond the family nothing is known", 0, 0, 0, "claude-opus-4-8", 1_200_000, Window{0, UnknownSize, 0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := window(c.set, c.inFile, c.recorded, decode.Session{Model: c.model}, c.peak)
			if got != c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}

func TestLookup(t *testing.T) {
	for model, want := range map[string]kernel.Tokens{
		"claude-3-5-sonnet-20241022":             200_000,
		"claude-sonnet-4-20250514":               200_000,
		"claude-opus-4.5":                        200_000,
		"anthropic/claude-opus-4.6":              1_000_000,
		"openrouter/anthropic/claude-sonnet-4.6": 1_000_000,
		"claude-sonnet-4-5:thinking":             200_000,
		"claude-fable-5-1":                       1_000_000,
		"gpt-5-2025-08-07":                       400_000,
		"gpt-5.1-codex-max":                      272_000,
		"gpt-5.3-codex-spark":                    128_000,
		"gpt-5.4":                                1_050_000,
		"gpt-5.4-nano":                           400_000,
		"o4-mini":                                200_000,
		"gemini-3.7-pro":                         1_048_576,
		"glm-4.6v":                               128_000,
		"glm-5.1":                                200_000,
		"kimi-k3-256k":                           262_144,
		"MiniMax-M2.5":                           204_800,
		"z-ai/glm-4.6:free":                      204_800,
		"gpt-50":                                 0,
		"o10":                                    0,
		"":                                       0,
	} {
		if r, _ := lookup(model); r.tokens != want {
			t.Errorf("%q: got %v, want %v", model, r.tokens, want)
		}
	}
}

func TestPeakIsOfTheJournalAsItStands(t *testing.T) {
	usage := func(n kernel.Tokens) kernel.Entry { return kernel.Entry{Op: kernel.Usage, Used: n} }
	whole := Peak{}.After(kernel.Change{Entries: []kernel.Entry{usage(10), {Op: kernel.Append}, usage(90), usage(40)}})
	if got := whole.Tokens(); got != 90 {
		t.Errorf("got %v, want the largest of all, 90", got)
	}
	branch := whole.After(kernel.Change{Keep: 2, Entries: []kernel.Entry{usage(20)}})
	if got := branch.Tokens(); got != 20 {
		t.Errorf("after a branch move: got %v, want 20: the left branch does not count", got)
	}
	if got := whole.Tokens(); got != 90 {
		t.Errorf("following a change altered the value before it: %v", got)
	}
	if got := branch.After(kernel.Change{Keep: 0}).Tokens(); got != 0 {
		t.Errorf("an empty journal reports %v", got)
	}
}
