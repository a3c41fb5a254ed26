package watch

import (
	"strings"
	"testing"
)

// The header holds the instructions of the agent and may be longer than what is
// read.
func TestALongHeaderTellsWhatItBeginsWith(t *testing.T) {
	d := newDisk(t)
	long := `,"base_instructions":{"text":"` + strings.Repeat(`Be \"kind\", {brief}, [sure]. `, 10_000) + `"}`
	data := codexThread("s", `,"source":{"subagent":{"thread_spawn":{"parent_thread_id":"p"}}}`+long, "Hello") +
		`{"type":"event_msg","payload":{"type":"token_count","info":{"last_token_usage":{"input_tokens":7,"output_tokens":2,"total_tokens":9}}}}` + "\n"
	l := Found{Path: d.write("s.jsonl", data)}.Look()
	s := l.Session
	if s.Format != "codex" || s.ID != "s" || s.Folder != "/p" || !s.Subagent || s.Parent != "p" || s.Usage.Tokens != 9 || l.Refused != "" || l.Read > 64<<10 {
		t.Errorf("%+v", l)
	}
}

func TestHeadersOfOtherThreadsInTheTailTellNothing(t *testing.T) {
	d := newDisk(t)
	much := repeat(40, func(i int) string {
		return `{"type":"world_state","payload":"` + strings.Repeat("x", 2_000) + `"}` + "\n"
	})
	l := Found{Path: d.write("s.jsonl", codexThread("s", "", "Hello")+much+codexSubagent("t", "p", "Read"))}.Look()
	if s := l.Session; l.Whole || s.ID != "s" || s.Subagent || s.Title != "" || l.Prompt != "Hello" {
		t.Errorf("%+v", l)
	}
}

func TestOnlyWholeMembersOfACutRecordAreRead(t *testing.T) {
	for head, want := range map[string]string{
		`{"a":1,"b":{"c":[2,{"d":"e,}\\\"]`: `{"a":1,"b":{"c":[2]}}`,
		`{"a":1,"b":{"c":[2,{"d":"e`:        `{"a":1,"b":{"c":[2]}}`,
		`{"a":[1,2],"b":{},"c":`:            `{"a":[1,2],"b":{}}`,
		`{"a":"one, two`:                    ``,
		`}]},`:                              `}]}`,
		``:                                  ``,
	} {
		if got := string(closed([]byte(head))); got != want {
			t.Errorf("%s gives %s, want %s", head, got, want)
		}
	}
}
