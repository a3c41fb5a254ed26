package headless

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ctxscope/kernel"
	"ctxscope/watch/hoststate"
)

// hostFolder is a copy of the sessions with a plugin's state beside them.
func hostFolder(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	from := "../../testdata/transcripts/acp"
	entries, err := os.ReadDir(from)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(from, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		writeFile(t, filepath.Join(folder, e.Name()), string(data))
	}
	return folder
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// hostOptions look for states beside a session and in an empty home.
func hostOptions(t *testing.T, file string) Options {
	home := t.TempDir()
	return Options{File: file, Hosts: &hoststate.Machine{Home: home, Getenv: func(string) string { return "" }}}
}

func hostFacts(t *testing.T, o Options) (Facts, string) {
	t.Helper()
	var asJSON, asText, errs bytes.Buffer
	o.Out, o.Err = &asJSON, &errs
	if err := Report(t.Context(), o, true); err != nil {
		t.Fatal(err)
	}
	var f Facts
	if err := json.Unmarshal(asJSON.Bytes(), &f); err != nil {
		t.Fatal(err)
	}
	o.Out = &asText
	if err := Report(t.Context(), o, false); err != nil {
		t.Fatal(err)
	}
	return f, asText.String()
}

func TestAReportTakesTheHostsOwnState(t *testing.T) {
	folder := hostFolder(t)
	file := filepath.Join(folder, "session.jsonl")
	saved := time.Date(2026, 1, 5, 10, 0, 5, 0, time.Local)
	if err := os.Chtimes(file+".acp.json", saved, saved); err != nil {
		t.Fatal(err)
	}
	f, text := hostFacts(t, hostOptions(t, file))
	h := f.Host
	if h == nil || !h.Used || h.Kind != hoststate.PiSidecar || h.Saved != saved.UnixMilli() || h.Unseen != 0 || h.Forks != 0 {
		t.Fatalf("%+v", h)
	}
	if f.Stamps.Baseline != 0 || f.Now.Nudge.GrowthSourceStamp != "now" || len(f.Blocks) != 1 || !f.Blocks[0].Active {
		t.Errorf("stamps %+v, growth from %s, blocks %+v", f.Stamps, f.Now.Nudge.GrowthSourceStamp, f.Blocks)
	}
	if len(h.Drift) != 1 || h.Drift[0].Name != "baseline" || h.Drift[0].Host != "0" || h.Drift[0].Replay != "3474" || h.Drift[0].Cause == "" {
		t.Errorf("drift %+v", h.Drift)
	}
	for _, want := range []string{
		"come from the host's own state (Pi sidecar session.jsonl.acp.json, saved 2026-01-05 10:00:05).",
		"Host state against replay: 1 difference\n  stamp baseline\n      host: 0; replay: 3474\n      likely: ",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the report does not say %q:\n%s", want, text)
		}
	}
}

func TestAForkIsReportedByItsParentsState(t *testing.T) {
	f, text := hostFacts(t, hostOptions(t, filepath.Join(hostFolder(t), "fork.jsonl")))
	if h := f.Host; h == nil || !h.Used || h.Forks != 1 || h.Unseen != 2 || !strings.HasSuffix(h.File, "session.jsonl.acp.json") {
		t.Errorf("%+v", h)
	}
	for _, want := range []string{"that this one was forked from", "has not seen the newest 2 messages"} {
		if !strings.Contains(text, want) {
			t.Errorf("the report does not say %q:\n%s", want, text)
		}
	}
}

func TestWithoutAUsableStateTheReplayIsReported(t *testing.T) {
	file := filepath.Join(hostFolder(t), "session.jsonl")
	o := hostOptions(t, file)
	alone := o
	alone.Hosts = nil
	plain, text := hostFacts(t, alone)
	if plain.Host != nil || plain.Stamps.Baseline != 3474 || !strings.Contains(text, "come from a replay of the transcript.") {
		t.Errorf("not looked for: %+v, stamps %+v", plain.Host, plain.Stamps)
	}
	whole, err := os.ReadFile(file + ".acp.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, state, note string }{
		{"half written", string(whole[:len(whole)/2]), "unreadable: the state file is half written or damaged"},
		{"encrypted", "BILIENC1\x01\x00secret", "the state is encrypted; only the host has its key"},
		{"compressed", "BILIZSTD1\x01\x01secret", "compressed with zstd, which is not read here"},
		{"of another list", `{"blocks":[],"messageRefs":{"byRaw":{"other":"m00001"},"byRef":{"m00001":"other"}}}`, "that this list does not hold"},
	} {
		writeFile(t, file+".acp.json", c.state)
		f, text := hostFacts(t, o)
		if f.Host == nil || f.Host.Used || len(f.Host.Notes) != 1 || !strings.Contains(f.Host.Notes[0], c.note) || f.Stamps.Baseline != 3474 {
			t.Errorf("%s: %+v, stamps %+v", c.name, f.Host, f.Stamps)
		}
		if !strings.Contains(text, c.note) || !strings.Contains(text, "come from a replay of the transcript.") {
			t.Errorf("%s: the report does not say so:\n%s", c.name, text)
		}
	}
	if err := os.Remove(file + ".acp.json"); err != nil {
		t.Fatal(err)
	}
	if f, _ := hostFacts(t, o); f.Host != nil {
		t.Errorf("no state: %+v", f.Host)
	}
}

func TestAStateThatIsOlderOrNewerThanItsTranscript(t *testing.T) {
	file := filepath.Join(hostFolder(t), "session.jsonl")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(bytes.TrimSuffix(data, []byte("\n")), []byte("\n"))
	writeFile(t, file, string(bytes.Join(lines[:4], nil))) // up to the first result: the host has folded since
	f, _ := hostFacts(t, hostOptions(t, file))
	if h := f.Host; !h.Used || h.Unseen != 0 || len(f.Blocks) != 1 || len(f.CompressCalls) != 0 || h.Drift[0].Kind != "block" || !strings.Contains(h.Drift[0].Cause, "c2 is not in this transcript") {
		t.Errorf("newer: %+v, %d blocks", h, len(f.Blocks))
	}
	more := `{"type":"message","id":"f0000008","parentId":"f0000007","timestamp":"2026-01-05T10:00:09.000Z","message":{"role":"user","content":[{"type":"text","text":"Go on."}],"timestamp":1767607208000}}` + "\n"
	writeFile(t, file, strings.TrimSuffix(string(data), "\n")+"\n"+more)
	f, _ = hostFacts(t, hostOptions(t, file))
	if h := f.Host; !h.Used || h.Unseen != 1 || f.Now.Messages != 8 {
		t.Errorf("older: %+v, %d messages", h, f.Now.Messages)
	}
}

func TestACheckIsMadeOnTheHostsState(t *testing.T) {
	o := hostOptions(t, filepath.Join(hostFolder(t), "session.jsonl"))
	var out, errs bytes.Buffer
	o.Out, o.Err = &out, &errs
	request := Request{Ranges: []string{"b1..b1"}}
	if ok, err := Check(t.Context(), o, request); !ok || err != nil {
		t.Fatalf("%v, %v", ok, err)
	}
	for _, want := range []string{"come from the host's own state (Pi sidecar", "Host and replay differ in 1 place; report lists them."} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the answer does not say %q:\n%s", want, out.String())
		}
	}
	out.Reset()
	request.JSON = true
	if ok, err := Check(t.Context(), o, request); !ok || err != nil {
		t.Fatalf("%v, %v", ok, err)
	}
	var a Answer
	if err := json.Unmarshal(out.Bytes(), &a); err != nil {
		t.Fatal(err)
	}
	if a.Host == nil || !a.Host.Used || a.BlocksCreated != 1 || a.Ranges[0].Kind != kernel.Folds {
		t.Errorf("%+v", a)
	}
}
