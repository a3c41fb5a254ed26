package headless

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"ctxscope/kernel"
	"ctxscope/kernel/doctor"
	"ctxscope/watch/settings"
)

var rewrite = flag.Bool("rewrite", false, "write the transcripts of testdata/doctor from their stories")

const doctorData = "../../testdata/doctor"

// written is a story as its scribe wrote it.
func (st story) written(t *testing.T) *scribe {
	t.Helper()
	config := kernel.Default(200_000)
	if st.config != "" {
		var problems []kernel.ConfigProblem
		if config, problems = kernel.ParseConfig([]byte(st.config), kernel.Default(0)); len(problems) > 0 {
			t.Fatal(problems)
		}
	}
	s := newScribe(t, st.format, config)
	st.tell(s)
	return s
}

// hold keeps a file of a story equal to what the story gives.
func hold(t *testing.T, name string, want []byte) {
	t.Helper()
	got, err := os.ReadFile(name)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		t.Fatal(err)
	case bytes.Equal(got, want) && err == nil:
	case *rewrite:
		if err := os.WriteFile(name, want, 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s is not what its story gives; run go test ./watch/headless -rewrite and read the difference", name)
	}
}

// diagnose runs the doctor over a file of a story with its settings.
func (st story) diagnose(t *testing.T, folder string) Diagnosis {
	t.Helper()
	base := filepath.Join(doctorData, folder, st.name)
	var choice settings.Choice
	if st.config != "" {
		hold(t, base+".config.json", []byte(st.config))
		var err error
		if choice, err = settings.Read(0, base+".config.json"); err != nil {
			t.Fatal(err)
		}
	}
	return diagnoseFile(t, Options{File: base + ".jsonl", Choice: choice})
}

func diagnoseFile(t *testing.T, o Options) Diagnosis {
	t.Helper()
	var out, errs bytes.Buffer
	o.Out, o.Err = &out, &errs
	healthy, err := Doctor(context.Background(), o, Request{JSON: true})
	if err != nil {
		t.Fatal(err)
	}
	var d Diagnosis
	if err := json.Unmarshal(out.Bytes(), &d); err != nil {
		t.Fatal(err)
	}
	if healthy != (len(d.Findings) == 0) {
		t.Errorf("healthy is %v with %d findings", healthy, len(d.Findings))
	}
	return d
}

// TestSickSessionsAreDiagnosed holds each sick session to its story: its
// findings, all of them, at the turns that the story says, and no others.
func TestSickSessionsAreDiagnosed(t *testing.T) {
	for _, st := range sickStories {
		t.Run(st.name, func(t *testing.T) {
			s := st.written(t)
			hold(t, filepath.Join(doctorData, "sick", st.name+".jsonl"), s.out.Bytes())
			d := st.diagnose(t, "sick")
			got := map[string][]int{}
			for _, f := range d.Findings {
				got[f.Code] = f.Turns
				if f.What == "" || f.Advice == "" || len(f.Turns)+len(f.Calls)+len(f.Refs)+len(f.Details) == 0 && f.Code != "gate-never" {
					t.Errorf("a finding without evidence: %+v", f)
				}
			}
			if len(s.want) == 0 {
				t.Error("the story names no finding")
			}
			for code, turns := range s.want {
				slices.Sort(turns)
				if _, found := got[code]; !found || !reflect.DeepEqual(got[code], turns) {
					t.Errorf("%s at turns %v, want %v", code, got[code], turns)
				}
			}
			for _, code := range slices.Sorted(maps.Keys(got)) {
				if _, wanted := s.want[code]; !wanted {
					t.Errorf("%s was found too, at turns %v", code, got[code])
				}
			}
			if t.Failed() {
				t.Logf("%s", d.text())
			}
		})
	}
}

func TestHealthySessionsAreSilent(t *testing.T) {
	for _, st := range healthyStories {
		t.Run(st.name, func(t *testing.T) {
			hold(t, filepath.Join(doctorData, "healthy", st.name+".jsonl"), st.written(t).out.Bytes())
			if d := st.diagnose(t, "healthy"); len(d.Findings) > 0 {
				t.Errorf("something was found:\n%s", d.text())
			}
		})
	}
}

// knownSick are the findings in transcripts of the formats' own tests that are
// meant to hold what is found. All others are healthy.
var knownSick = map[string][]string{
	"broken/orphans.jsonl":      {"orphans"},
	"pi/compress-calls.jsonl":   {"parity", "nudge-nothing", "refusals"}, // small ranges that a host with another gate folded
	"pi/omp-compress.jsonl":     {"parity"},
	"claude/mcp-compress.jsonl": {"parity"},
}

func TestTranscriptsOfTheFormatsAreSilent(t *testing.T) {
	const root = "../../testdata/transcripts"
	ran, met := 0, 0
	for _, format := range []string{"pi", "claude", "broken", "acp"} {
		err := filepath.WalkDir(filepath.Join(root, format), func(file string, entry fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(file) != ".jsonl" || entry.Name() == "pretty-printed.jsonl" { // which is refused
				return err
			}
			ran++
			name, err := filepath.Rel(root, file)
			if err != nil {
				return err
			}
			var got []string
			d := diagnoseFile(t, Options{File: file})
			for _, f := range d.Findings {
				got = append(got, f.Code)
			}
			want := knownSick[filepath.ToSlash(name)]
			if len(want) > 0 {
				met++
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s: found %v, want %v\n%s", name, got, want, d.text())
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if ran == 0 || met != len(knownSick) {
		t.Errorf("%d transcripts ran, %d of %d known ones among them", ran, met, len(knownSick))
	}
	t.Logf("doctor: %d transcripts ran", ran)
}

// TestEveryDiseaseIsToldOnce makes sure that the stories and the files are the
// same, that there are enough of both, and that every finding about a session
// has its story.
func TestEveryDiseaseIsToldOnce(t *testing.T) {
	for folder, stories := range map[string][]story{"sick": sickStories, "healthy": healthyStories} {
		if least := map[string]int{"sick": 10, "healthy": 5}[folder]; len(stories) < least {
			t.Errorf("%d %s stories, want %d", len(stories), folder, least)
		}
		var want, got []string
		for _, st := range stories {
			if want = append(want, st.name+".jsonl"); st.config != "" {
				want = append(want, st.name+".config.json")
			}
		}
		entries, err := os.ReadDir(filepath.Join(doctorData, folder))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			got = append(got, e.Name())
		}
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s holds %v, its stories are %v", folder, got, want)
		}
	}
	told := map[string]bool{}
	for _, st := range sickStories {
		for code := range st.written(t).want {
			told[code] = true
		}
	}
	for _, code := range doctor.Codes() {
		if ofSettings := strings.HasPrefix(code, "setting-") || code == doctor.ConfigInvalid; !told[code] && !ofSettings {
			t.Errorf("no story shows %s", code)
		}
	}
}
