package headless

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"ctxscope/kernel"
	"ctxscope/watch/settings"
)

func TestParseTakesOptionsAnywhere(t *testing.T) {
	a, err := Parse([]string{"--window", "64k", "check", "--range", "m1..m2", "session.jsonl", "--range", "b1..b2", "--json"})
	if err != nil {
		t.Fatal(err)
	}
	want := Arguments{
		Verb:    VerbCheck,
		Options: Options{File: "session.jsonl", Tokens: Estimate, Choice: settings.Choice{Window: 64_000}},
		Request: Request{Ranges: []string{"m1..m2", "b1..b2"}, JSON: true},
	}
	if !reflect.DeepEqual(a, want) {
		t.Errorf("got %+v\nwant %+v", a, want)
	}
	if a, err := Parse([]string{"./report"}); err != nil || a.Verb != "" || a.Options.File != "./report" {
		t.Errorf("a file that is named like a verb: %+v, %v", a, err)
	}
	if _, err := Parse([]string{"report", "-h"}); !errors.Is(err, flag.ErrHelp) {
		t.Errorf("-h gives %v", err)
	}
}

func TestNumber(t *testing.T) {
	for n, want := range map[float64]string{
		0: "0", 999: "999", 1000: "1,000", 118290: "118,290", 1234567: "1,234,567",
		-999: "-999", -1563: "-1,563", -118290: "-118,290", 2700.46: "2,700.5", 0.25: "0.2",
	} {
		if got := number(n); got != want {
			t.Errorf("%v is written %q, want %q", n, got, want)
		}
	}
}

func TestPrintableWritesOutWhatDrivesATerminal(t *testing.T) {
	got := printable("red \x1b[31m\a\u202e日本語\u0085\xff\nnext")
	if want := "red \\x1b[31m\\a\\u202e日本語\\u0085\ufffd\nnext"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

const conversation = `{"id":"u1","role":"user","contentType":"text","text":"Rename the package, please."}
{"id":"a1","role":"assistant","contentType":"text","text":"It is renamed."}
`

func reportOf(t *testing.T, o Options, asJSON bool) string {
	t.Helper()
	var out bytes.Buffer
	o.File, o.Out, o.Err = "-", &out, &out
	if err := Report(context.Background(), o, asJSON); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestFactsSurviveJSON(t *testing.T) {
	session, err := os.Open("../../testdata/transcripts/acp/session.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	text := reportOf(t, Options{In: session}, true)
	var facts Facts
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&facts); err != nil {
		t.Fatal(err)
	}
	var again bytes.Buffer
	if err := writeJSON(&again, facts); err != nil {
		t.Fatal(err)
	}
	if again.String() != text {
		t.Errorf("it comes back as %s", again.String())
	}
	if facts.Turns != 3 || len(facts.Blocks) != 1 || len(facts.CompressCalls) != 1 || facts.CompressCalls[0].Host != kernel.Succeeded {
		t.Errorf("facts: %+v", facts)
	}
}

func TestAnotherCounterIsMarked(t *testing.T) {
	text := reportOf(t, Options{In: strings.NewReader(conversation), Tokens: "o200k"}, false)
	if !strings.Contains(text, "o200k, which is not the host's count") {
		t.Errorf("the counter is not marked:\n%s", text)
	}
	if _, err := Counter("words"); err == nil || !strings.Contains(err.Error(), "words") {
		t.Errorf("an unknown counter: %v", err)
	}
}

func TestWhatIsNoSessionIsRefused(t *testing.T) {
	var out bytes.Buffer
	o := Options{File: "-", In: strings.NewReader(strings.Repeat("no record\n", 300)), Out: &out, Err: &out}
	err := Report(context.Background(), o, false)
	if err == nil || !strings.Contains(err.Error(), "-: none of the first 200 lines") || out.Len() > 0 {
		t.Errorf("err %v, output %q", err, out.String())
	}
}

func TestInterruptedReportWritesNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out bytes.Buffer
	err := Report(ctx, Options{File: "-", In: strings.NewReader(conversation), Out: &out, Err: &out}, false)
	if !errors.Is(err, context.Canceled) || out.Len() > 0 {
		t.Errorf("err %v, output %q", err, out.String())
	}
}

// outlooks are the sentences that stand first in a report.
func TestOutlookSaysWhetherAndWhy(t *testing.T) {
	batch := kernel.ListOf(kernel.Range{Tokens: 71_100})
	small := kernel.Default(8_000)
	for _, c := range []struct {
		name   string
		nudge  kernel.Decision
		config kernel.Config
		want   string
	}{
		{"growth is missing", kernel.Decision{Band: kernel.BandNormal, TokensToNudge: 4209.5, Batches: batch}, kernel.Default(200_000), "No nudge: 4,210 more tokens of growth until one can be due. 1 batch (71,100 tokens) could be folded now."},
		{"growth can bring none", kernel.Decision{Band: kernel.BandNormal, TokensToNudge: 22_500}, small, "No nudge, and growth can bring none in a window this small; pressure can. Nothing could be folded by itself now."},
		{"too little is ready", kernel.Decision{Band: kernel.BandNormal, Reason: "max compressible 0 < threshold 50000"}, kernel.Default(200_000), "No nudge, although growth is due: max compressible 0 < threshold 50000. Nothing could be folded by itself now."},
		{"pressure without benefit", kernel.Decision{Band: kernel.BandEmergency, Reason: "EMERGENCY: usage 98%"}, kernel.Default(200_000), "No nudge, although the context is in the emergency band: EMERGENCY: usage 98%. Nothing could be folded by itself now."},
		{"a nudge", kernel.Decision{Band: kernel.BandOverLimit, ShouldInject: true, Tier: 1, Batches: batch}, kernel.Default(200_000), "The agent is nudged now to compress (tier 1, over-limit band). 1 batch (71,100 tokens) could be folded now."},
	} {
		if got := outlook(&kernel.Report{Messages: 9, Nudge: c.nudge}, c.config); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestTheReportSaysThatWhatWasReportedIsStale(t *testing.T) {
	for file, want := range map[string]string{
		"claude/compact-no-reply.jsonl": "  reported    154,310 tokens, from before a compaction or an edit by the host: stale until the next reply\n",
		"claude/compact-boundary.jsonl": "",
	} {
		var out, errs bytes.Buffer
		if err := Report(t.Context(), Options{File: "../../testdata/transcripts/" + file, Out: &out, Err: &errs}, false); err != nil {
			t.Fatal(err)
		}
		if text := out.String(); want != "" && !strings.Contains(text, want) || want == "" && strings.Contains(text, "stale") {
			t.Errorf("%s: want %q:\n%s", file, want, text)
		}
	}
}

func TestTheReportCountsWhatItDoesNotKnow(t *testing.T) {
	data, err := os.ReadFile("../../testdata/transcripts/pi/basic.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "s.jsonl")
	writeFile(t, file, string(data)+`{"type":"from_the_future"}`+"\n"+`{"type":"from_the_future","id":"x","parentId":null}`+"\n")
	f, text := hostFacts(t, Options{File: file})
	if f.Session.Unknown != 2 || !strings.Contains(text, "Records of types that are not known here, passed over: 2.\n") {
		t.Errorf("%d records, %s", f.Session.Unknown, text)
	}
}
