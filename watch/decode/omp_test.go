package decode

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"ctxscope/kernel"
)

const ompTitle = `{"type":"title","v":1,"title":"Work","pad":"   "}`

func ompLines(lines ...string) *reading {
	return readLines(append([]string{ompTitle, piHeader}, lines...)...)
}

func TestOmpJournal(t *testing.T) {
	remote := func(items string) string {
		return `"type":"compaction","summary":"all","firstKeptEntryId":"a","preserveData":{"openaiRemoteCompaction":{"replacementHistory":[` + items + `]}}`
	}
	cases := []struct {
		name  string
		lines []string
		want  string
	}{
		{"a call without a result is sent while it runs", []string{piUser("a", "", "x"), piAnswer("b", "a", piText("t")+","+piCall("1", "ls", "{}"), "")}, "a reply(b) b"},
		{"a call that got no result before the next request leaves its text", []string{
			piUser("a", "", "x"), piAnswer("b", "a", piText("t")+","+piCall("1", "ls", "{}"), ""), piUser("c", "b", "y"), piAnswer("d", "c", piText("z"), ""),
		}, "a reply(b) b c reply(d) d"},
		{"a call that got no result leaves nothing without a text", []string{
			piUser("a", "", "x"), piAnswer("b", "a", piCall("1", "ls", "{}"), ""), piUser("c", "b", "y"), piAnswer("d", "c", piText("z"), ""),
		}, "a reply(b) c reply(d) d"},
		{"of several calls those without a result go", []string{
			piUser("a", "", "x"), piAnswer("b", "a", piCall("1", "ls", "{}")+","+piCall("2", "ls", "{}"), ""), piResult("c", "b", "2", "ls", "r"), piAnswer("d", "c", piText("z"), ""),
		}, "a reply(b) b#2 c reply(d) d"},
		{"a result that comes late brings its call back", []string{
			piUser("a", "", "x"), piAnswer("b", "a", piCall("1", "ls", "{}"), ""), piUser("c", "b", "y"), piAnswer("d", "c", piText("z"), ""), piResult("e", "d", "1", "ls", "r"),
		}, "a reply(b) b c reply(d) d e"},
		{"a provider's own history is sent instead of summary and kept entries", []string{
			piUser("a", "", "x"), piAnswer("b", "a", piText("t"), ""),
			piLine("k", "b", remote(codexSays("user", "", "short")+`,{"type":"compaction","encrypted_content":"ab"}`)), piUser("c", "k", "y"),
		}, "a reply(b) b replace(k-0 k-1) c"},
		{"an empty history of a provider leaves nothing", []string{piUser("a", "", "x"), piLine("k", "a", remote("")), piUser("c", "k", "y")}, "a replace() c"},
	}
	for _, c := range cases {
		r := ompLines(c.lines...)
		if got := short(r.journal); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, got, c.want)
		}
		for _, err := range checkLaws(r, r.data) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestOmpCallsWithoutResultLeaveTheParts(t *testing.T) {
	r := ompLines(piUser("a", "", "x"), piAnswer("b", "a", piText("<acp>m00002</acp> t")+","+piCall("1", "ls", "{}"), ""), piAnswer("c", "b", piText("z"), ""))
	var parts []string
	for _, m := range r.parts {
		parts = append(parts, fmt.Sprint(m.ID, " ", m.Type))
	}
	if want := []string{"a text", "b#0 text", "c text"}; !reflect.DeepEqual(parts, want) {
		t.Errorf("parts %v, want %v", parts, want)
	}
	if m := r.log[1]; m.ID != "b" || m.Type != kernel.Text {
		t.Errorf("the reply is %+v", m)
	} else if text, err := r.text(m); text != "t" || err != nil {
		t.Errorf("it says %q, %v", text, err)
	}
}

func TestOmpModels(t *testing.T) {
	change := func(id, parent, model, role string) string {
		return piLine(id, parent, fmt.Sprintf(`"type":"model_change","model":%q,"role":%q`, model, role))
	}
	r := ompLines(change("m", "", "a/main", "default"), change("n", "m", "a/small", "smol"))
	if r.session.Model != "main" {
		t.Errorf("the model is %q, want the one of the conversation", r.session.Model)
	}
	r = ompLines(change("m", "", "a/main", "default"), change("n", "m", "a/other", "temporary"))
	if r.session.Model != "other" {
		t.Errorf("the model is %q, want the temporary one", r.session.Model)
	}
}

func TestOmpRandomSessionsArePieceByPieceTheSame(t *testing.T) {
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 5))
		lines := randomPiSession(r)
		lines = append([]string{ompTitle}, lines...)
		reading := readLines(lines...)
		if errs := checkLaws(reading, reading.data); len(errs) > 0 {
			t.Fatalf("session %d: %v\n%s", seed, errs[0], strings.Join(lines, "\n"))
		}
	}
}
