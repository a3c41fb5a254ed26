package kernel

import (
	"strings"
	"testing"
)

func TestRewriteCall(t *testing.T) {
	s := func(n int) string { return strings.Repeat("s", n) }
	entry := func(start, end, summary string) string {
		return `{"startId":"` + start + `","endId":"` + end + `","summary":"` + summary + `"}`
	}
	one, two := entry("m1", "m2", "a"), entry("m3", "m4", "b")
	keys := func(live ...string) func(string) bool {
		return func(key string) bool {
			for _, l := range live {
				if l == key {
					return true
				}
			}
			return false
		}
	}
	tests := []struct {
		name, text string
		live       func(string) bool
		want       string // empty: unchanged
	}{
		{"live entries are kept", `{"content":[` + one + `,` + two + `]}`, keys("m3::m4"), `{"content":[` + two + `]}`},
		{"all of them, already compact", `{"content":[` + one + `]}`, keys("m1::m2"), ""},
		{"all of them, written anew", `{ "content": [` + one + `], "topic": "é<>&` + "\u2028" + `" }`, keys("m1::m2"), `{"content":[` + one + `],"topic":"é<>&` + "\u2028" + `"}`},
		{"none of them", `{ "content": [` + one + `] }`, keys("m9::m9"), ""},
		{"no live block", `{ "content": [` + one + `] }`, nil, ""},
		{"messageId twice", `{"content":[{"messageId":"m7"},` + one + `]}`, keys("m7::m7"), `{"content":[{"messageId":"m7"}]}`},
		{"startId goes before messageId", `{"content":[{"messageId":"m7","startId":"m8"},` + one + `]}`, keys("m7::m7"), ""},
		{"200 chars stay", `{"content":[` + entry("m1", "m2", s(200)) + `]}`, nil, ""},
		{"201 do not", `{"content":[` + entry("m1", "m2", s(201)) + `]}`, nil, `{"content":[` + entry("m1", "m2", s(199)+"…") + `]}`},
		{"no half pair", `{"content":[` + entry("m1", "m2", s(198)+"😀x") + `]}`, nil, `{"content":[` + entry("m1", "m2", s(198)+"…") + `]}`},
		{"a whole pair", `{"content":[` + entry("m1", "m2", s(197)+"😀xx") + `]}`, nil, `{"content":[` + entry("m1", "m2", s(197)+"😀…") + `]}`},
		{"a summary of the call stays", `{"summary":"` + s(300) + `","content":[` + one + `]}`, nil, ""},
		{"content in text stays text", `{"content":"[` + strings.ReplaceAll(one+","+two, `"`, `\"`) + `]"}`, keys("m1::m2"), `{"content":"[` + strings.ReplaceAll(one, `"`, `\"`) + `]"}`},
		{"what stands before it is kept", `compress  {"content":[` + one + `,` + two + `]} `, keys("m1::m2"), `compress  {"content":[` + one + `]}`},
		{"numbers as scripts print them", `{"n":1.0,"e":1E3,"content":[` + one + `,7]}`, keys("m1::m2"), `{"n":1,"e":1000,"content":[` + one + `]}`},
		{"no JSON", `{"content":[` + one + `,` + two + `],}`, keys("m1::m2"), ""},
		{"no object", `compress m1 m2`, keys("m1::m2"), ""},
		{"no array", `{"content":"prose"}`, keys("m1::m2"), ""},
		{"no content", `{"startId":"m1","endId":"m2","summary":"` + s(300) + `"}`, keys("m1::m2"), ""},
	}
	for _, test := range tests {
		got, changed := rewriteCall(test.text, test.live)
		want := test.want
		if want == "" {
			want = test.text
		}
		if got != want || changed != (test.want != "") {
			t.Errorf("%s (changed %v):\n got %s\nwant %s", test.name, changed, got, want)
		}
	}
}
