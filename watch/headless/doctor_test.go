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
	"testing"

	"ctxscope/kernel"
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
