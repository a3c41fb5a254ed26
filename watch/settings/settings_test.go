package settings

import (
	"flag"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"ctxscope/kernel"
	"ctxscope/watch/decode"
)

func write(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "rules.json")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestConfigurationIsLaidOverTheDefaults(t *testing.T) {
	file := write(t, `{
  // my host asks later
  "nudge": { "growthCap": 100000, "growthFloor": 100000, },
  "preserveRecentMessages": 9,
  "preserveRecentMesages": 2, /* a slip */
  "compress": { "minCompressRange": "many" },
}`)
	choice, err := Read(0, file)
	if err != nil {
		t.Fatal(err)
	}
	got := Resolve(choice, decode.Session{Model: "claude-sonnet-4-5"}, 0)
	want := kernel.Default(200_000)
	want.Nudge.GrowthCap, want.Nudge.GrowthFloor, want.PreserveRecentMessages = 100_000, 100_000, 9
	if !reflect.DeepEqual(got.Config, want) {
		t.Errorf("got %+v\nwant %+v", got.Config, want)
	}
	if want := "kernel defaults, rules.json laid over them"; got.From != want || !reflect.DeepEqual(got.Over, []string{"rules.json"}) {
		t.Errorf("from %q, want %q; over %q", got.From, want, got.Over)
	}
	if len(got.Problems) != 2 || got.Problems[0].Where != "rules.json line 5" || got.Problems[1].Where != "rules.json line 6" {
		t.Errorf("problems %+v, want those of lines 5 and 6", got.Problems)
	}
}

func TestResolveAsksInOrder(t *testing.T) {
	recording := decode.Session{Config: []byte(`{"op":"config","modelContextLimit":164000,"preserveRecentMessages":2}`)}
	file, err := Read(0, write(t, `{"modelContextLimit": 190000, "preserveRecentMessages": 3}`))
	if err != nil {
		t.Fatal(err)
	}
	both := file
	both.Window = 170_000
	for _, c := range []struct {
		name   string
		choice Choice
		want   Window
		recent int
	}{
		{"a recording's settings are laid over the defaults", Choice{}, Window{164_000, Recorded, 164_000}, 2},
		{"the configuration file is laid over the recording", file, Window{190_000, SetInFile, 164_000}, 3},
		{"the window of the command line wins", both, Window{170_000, SetByYou, 164_000}, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Resolve(c.choice, recording, 0)
			if got.Window != c.want || got.Config.ModelContextLimit != c.want.Tokens || got.Config.PreserveRecentMessages != c.recent {
				t.Errorf("window %+v, limit %v, recent %d; want %+v and %d", got.Window, got.Config.ModelContextLimit, got.Config.PreserveRecentMessages, c.want, c.recent)
			}
			if len(got.Problems) > 0 {
				t.Errorf("problems %+v", got.Problems)
			}
		})
	}
}

func TestSettingsThatMakeNoSenseAreNamed(t *testing.T) {
	choice, err := Read(0, write(t, `{"promotionThreshold": 0}`))
	if err != nil {
		t.Fatal(err)
	}
	got := Resolve(choice, decode.Session{}, 0)
	want := []Problem{{Where: "configuration", Reason: "promotionThreshold must be >= 1"}}
	if !reflect.DeepEqual(got.Problems, want) {
		t.Errorf("problems %+v, want %+v", got.Problems, want)
	}
}

func TestSettingsThatDoNotFitTheWindowAreNamed(t *testing.T) {
	choice, err := Read(60_000, write(t, `{"tiers": {"enabled": false}}`))
	if err != nil {
		t.Fatal(err)
	}
	got := Resolve(choice, decode.Session{}, 0)
	if len(got.Problems) != 1 || got.Problems[0].Where != "configuration" || !got.Problems[0].Advice || !strings.HasPrefix(got.Problems[0].Reason, "Growth can bring no nudge: T1 asks for 50,000 tokens") {
		t.Errorf("problems %+v", got.Problems)
	}
	if got := Resolve(Choice{}, decode.Session{}, 0); len(got.Problems) > 0 {
		t.Errorf("the usual settings: %+v", got.Problems)
	}
}

func TestReadNamesWhatItCannotRead(t *testing.T) {
	if _, err := Read(0, filepath.Join(t.TempDir(), "none.json")); err == nil || !strings.Contains(err.Error(), "none.json") {
		t.Errorf("a missing file: %v", err)
	}
	if _, err := Read(0, write(t, "{\n \"nudge\": {,}\n}")); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("a file that is no JSON: %v", err)
	}
}

func TestFlags(t *testing.T) {
	for text, want := range map[string]kernel.Tokens{
		"200000": 200_000, "200,000": 200_000, "200k": 200_000, "1M": 1_000_000,
		"": 0, "0": 0, "-5": 0, "many": 0, "k": 0, "1.5m": 0, "9999999999999999999k": 0, "2000m": 0,
	} {
		var c Choice
		f := flag.NewFlagSet("", flag.ContinueOnError)
		f.SetOutput(io.Discard)
		c.Flags(f)
		if err := f.Parse([]string{"--window", text}); c.Window != want || (err != nil) != (want == 0) {
			t.Errorf("--window %q: %v, %v; want %v", text, c.Window, err, want)
		}
	}
	var c Choice
	f := flag.NewFlagSet("", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	c.Flags(f)
	if err := f.Parse([]string{"--config", write(t, "{}"), "--window", "64k"}); err != nil || c.Window != 64_000 || c.File != "rules.json" {
		t.Errorf("--config and --window: %+v, %v", c, err)
	}
}

func TestReadBoundsWhatItTakes(t *testing.T) {
	for name, text := range map[string]string{
		"deeper than": "[" + strings.Repeat(`{"nudge":[`, 500_000/10),
		"longer than": strings.Repeat(" ", maxFile+1),
	} {
		if _, err := Read(0, write(t, text)); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("want an error that says %q, got %v", name, err)
		}
	}
	if _, err := Read(0, "/dev/zero"); err == nil {
		t.Error("a device without end was read")
	}
	if _, err := Read(0, write(t, strings.Repeat(" ", maxFile-2)+"{}")); err != nil {
		t.Errorf("the longest file: %v", err)
	}
}
