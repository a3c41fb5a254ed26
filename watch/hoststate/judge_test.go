package hoststate

import (
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"ctxscope/kernel"
)

func judgeKernel() *kernel.Kernel { return kernel.New(kernel.Default(200_000), nil) }

func TestASessionIsJudgedByItsSidecar(t *testing.T) {
	run := replay(t, "acp/session.jsonl")
	host, err := Read(filepath.Join(transcripts, "acp", "session.jsonl.acp.json"))
	if err != nil {
		t.Fatal(err)
	}
	k := judgeKernel()
	judged, c := host.Judge(k, run)
	if !judged.Hosted() || c.Foreign || !reflect.DeepEqual(judged.Stamps(), host.Kernel.Stamps()) || len(judged.Blocks()) != 1 {
		t.Fatalf("hosted %v, stamps %+v, blocks %v, %+v", judged.Hosted(), judged.Stamps(), judged.Blocks(), c)
	}
	for id, ref := range host.Kernel.Refs() {
		if i, ok := judged.Index(ref); !ok || judged.Log().At(i).ID != id {
			t.Errorf("%s is not the message %s", ref, id)
		}
	}
	same, again := host.Keep(k, judged)
	if !same.Hosted() || len(again.Differences) != len(c.Differences) {
		t.Errorf("judged again: hosted %v, %+v", same.Hosted(), again)
	}
}

func TestAStateOfAnotherListJudgesNothing(t *testing.T) {
	host, err := Read(filepath.Join(transcripts, "acp", "opencode-acp.json"))
	if err != nil {
		t.Fatal(err)
	}
	k, run := judgeKernel(), replay(t, "claude/basic.jsonl")
	judged, c := host.Judge(k, run)
	if judged.Hosted() || !c.Foreign || !strings.Contains(c.Note, "whole opencode messages") {
		t.Errorf("hosted %v, %+v", judged.Hosted(), c)
	}
	// A list that goes on without what the host knew is judged by it no longer.
	own := parsed(t, hostOf(t, run))
	judged, _ = own.Judge(k, run)
	gone := k.Advance(judged, kernel.Change{Keep: judged.Entries(), Entries: []kernel.Entry{{Op: kernel.Replace, List: []kernel.Message{{ID: "new"}}}}})
	if kept, c := own.Keep(k, gone); !judged.Hosted() || kept.Hosted() || !c.Foreign {
		t.Errorf("hosted %v, then %v, %+v", judged.Hosted(), kept.Hosted(), c)
	}
}

func TestHashedIDsAreMatchedAnewAsTheListGrows(t *testing.T) {
	whole := replay(t, "pi/omp-compress.jsonl")
	host, err := Read(filepath.Join(transcripts, "acp", "omp-fold.json"))
	if err != nil {
		t.Fatal(err)
	}
	k := judgeKernel()
	log := whole.Log().All()
	first := k.Advance(k.Start(), kernel.Change{Entries: []kernel.Entry{{Op: kernel.Append, Message: log[1]}}})
	judged, _ := host.Judge(k, first)
	var rest []kernel.Entry
	for _, m := range log[2:] {
		rest = append(rest, kernel.Entry{Op: kernel.Append, Message: m})
	}
	on, _ := host.Keep(k, k.Advance(judged, kernel.Change{Keep: judged.Entries(), Entries: rest}))
	if i, ok := on.Index("m00003"); !ok || on.Log().At(i).ID != "d0000004" {
		t.Errorf("m00003 is not d0000004: hosted %v", on.Hosted())
	}
}

func TestOnceWaitsForAFileThatIsBeingWritten(t *testing.T) {
	d := newDisk(t)
	q := piQuery(d.write("s/a.jsonl", piHeader("ida", "")), "ida", "")
	if v := d.machine().Once(t.Context(), q); v.Found || v.Note != "" {
		t.Errorf("nothing there: %+v", v)
	}
	d.write("s/a.jsonl.acp.json", stateText(1)[:50])
	if v := d.machine().Once(t.Context(), q); v.Found || !strings.Contains(v.Note, "unreadable") {
		t.Errorf("half of a file: %+v", v)
	}
	d.write("s/a.jsonl.acp.json", stateText(1))
	if v := d.machine().Once(t.Context(), q); !v.Found || v.Note != "" {
		t.Errorf("a file: %+v", v)
	}
}

func TestAStateHasANameAndATime(t *testing.T) {
	met := map[string]bool{}
	for _, kind := range []Kind{PiSidecar, KernelStore, OmpFold, ProxySession, OpencodeACP, OpencodeDCP} {
		name := State{Kind: kind}.Named()
		if name == "" || met[name] {
			t.Errorf("%s is called %q", kind, name)
		}
		met[name] = true
	}
	if at := (State{Saved: 5, Modified: 9}).When(); at != 5 {
		t.Errorf("saved at 5, changed at 9: %d", at)
	}
	if at := (State{Modified: 9}).When(); at != 9 {
		t.Errorf("changed at 9: %d", at)
	}
}
