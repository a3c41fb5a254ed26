package kernel

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestMeasureSetsSizeAndFacts(t *testing.T) {
	tests := []struct {
		name string
		m    Message
		text string
		want Message
	}{
		{"a plain text keeps nothing of it", Message{Text: "old", ToolPath: "old", CutChars: 1, CutTokens: 1}, "hello world", Message{Tokens: 3, Chars: 11}},
		{"an empty text", Message{}, "", Message{}},
		{
			"media stays, other facts are decided anew",
			Message{Facts: HasMedia | HasCodeFence},
			"x",
			Message{Tokens: 1, Chars: 1, Facts: HasMedia},
		},
		{"a header only at the start", Message{}, SummaryHeader + " x", Message{Tokens: 9, Chars: 35, Facts: HasSummaryHeader}},
		{"a header later is text", Message{}, "x" + SummaryHeader, Message{Tokens: 9, Chars: 34}},
		{"a code fence", Message{}, "a\n```go\n```", Message{Tokens: 3, Chars: 11, Facts: HasCodeFence}},
		{"a truncation mark", Message{}, "a [truncated for context space]", Message{Tokens: 8, Chars: 31, Facts: HasTruncationMark}},
		{
			"a compress call keeps its arguments",
			Message{Type: ToolCall, ToolName: "compress"},
			`{"content":[]}`,
			Message{Type: ToolCall, ToolName: "compress", Text: `{"content":[]}`, Tokens: 4, Chars: 14},
		},
		{
			"the result of a compress call does not",
			Message{Type: ToolResult, ToolName: "compress"},
			"done",
			Message{Type: ToolResult, ToolName: "compress", Tokens: 1, Chars: 4},
		},
		{
			"a decompress call keeps its arguments",
			Message{Type: ToolCall, ToolName: "decompress"},
			`{"blockId":"b3"}`,
			Message{Type: ToolCall, ToolName: "decompress", Text: `{"blockId":"b3"}`, Tokens: 4, Chars: 16},
		},
		{
			"another call keeps the path of its skill",
			Message{Type: ToolCall, ToolName: "Skill"},
			`{"skill":"pdf"}`,
			Message{Type: ToolCall, ToolName: "Skill", ToolPath: "skill/pdf", Tokens: 4, Chars: 15},
		},
	}
	for _, test := range tests {
		m := test.m
		m.Measure(test.text, nil)
		if m != test.want {
			t.Errorf("%s:\n got %+v\nwant %+v", test.name, m, test.want)
		}
	}
}

func TestMeasureUsesTheCounterForTheCutToo(t *testing.T) {
	m := Message{Type: ToolResult}
	m.Measure(strings.Repeat("x", 8000), func(s string) Tokens { return Tokens(len(s)) })
	if m.Tokens != 8000 || m.CutTokens != 4066 || m.CutChars != 4064 {
		t.Errorf("got %v tokens, cut to %v tokens and %v chars", m.Tokens, m.CutTokens, m.CutChars)
	}
}

func TestOnlyLongResultsAndTextsCanBeCut(t *testing.T) {
	tests := []struct {
		name   string
		m      Message
		text   string
		tokens Tokens
		chars  Chars
	}{
		{"a result of 40,000 chars", Message{Type: ToolResult}, strings.Repeat("a", 40000), 1017, 4065},
		{"a text of 8,000 chars", Message{}, strings.Repeat("a", 8000), 1016, 4064},
		{"4,000 chars are short enough", Message{}, strings.Repeat("世", 4000), 0, 0},
		{"4,001 chars are not", Message{}, strings.Repeat("a", 4001), 1016, 4064},
		{"a call is never cut", Message{Type: ToolCall}, strings.Repeat("a", 8000), 0, 0},
		{"reasoning is never cut", Message{Type: Reasoning}, strings.Repeat("a", 8000), 0, 0},
		{"what was cut is not cut again", Message{}, strings.Repeat("a", 8000) + cutMark, 0, 0},
	}
	for _, test := range tests {
		m := test.m
		m.Measure(test.text, nil)
		if m.CutTokens != test.tokens || m.CutChars != test.chars {
			t.Errorf("%s: cut to %v tokens and %v chars, want %v and %v", test.name, m.CutTokens, m.CutChars, test.tokens, test.chars)
		}
	}
	few := Message{Type: ToolResult}
	few.Measure(strings.Repeat("a", 8000), func(string) Tokens { return 999 })
	if few.CutChars != 0 {
		t.Errorf("a text of 999 tokens is cut to %d chars", few.CutChars)
	}
}

func TestCutTextSplitsNoPair(t *testing.T) {
	text := "x" + strings.Repeat("😀", 4000) + "y"
	want := "x" + strings.Repeat("😀", 999) + "\n\n...[truncated for context space] — original ~2001 tokens]...\n\n" +
		strings.Repeat("😀", 999) + "y"
	if got := cutText(text, 2001); got != want || !utf8.ValidString(got) {
		t.Errorf("got %q", got)
	}
}

func TestToolPathNamesTheSkill(t *testing.T) {
	tests := []struct{ name, tool, arguments, want string }{
		{"no arguments", "skill", "", ""},
		{"skill", "skill", `{"skill":"pdf"}`, "skill/pdf"},
		{"any case of the tool", "SKILL", `{"name":"a.b_c-1"}`, "skill/a.b_c-1"},
		{"command", "skill", `{"command":"xlsx"}`, "skill/xlsx"},
		{"the first valid one of them", "skill", `{"command":"c","name":"b","skill":" no "}`, "skill/b"},
		{"not a string", "skill", `{"skill":7,"name":["x"],"command":"y"}`, "skill/y"},
		{"128 chars are allowed", "skill", `{"name":"` + strings.Repeat("a", 128) + `"}`, "skill/" + strings.Repeat("a", 128)},
		{"129 are not", "skill", `{"name":"` + strings.Repeat("a", 129) + `"}`, ""},
		{"a name starts with a letter or digit", "skill", `{"name":".x"}`, ""},
		{"another tool's arguments are not looked at", "run", `{"skill":"pdf"}`, ""},
		{"the path of its file", "read", `{"path":"/home/me/skills/pdf/SKILL.md"}`, "skill/pdf"},
		{"in any case", "read", `{"path":"skills/Pdf/skill.MD"}`, "skill/Pdf"},
		{"with an escaped backslash", "read", `{"path":"C:\\skills\\docx\\SKILL.md"}`, "skill/docx"},
		{"with a backslash", "read", `C:\skills\docx\SKILL.md`, "skill/docx"},
		{"without a folder", "read", `{"path":"/SKILL.md"}`, ""},
		{"the next one when the first has no name", "bash", `cat /SKILL.md a/SKILL.md b/SKILL.md`, "skill/a"},
		{"another file", "read", `{"path":"pdf/SKILLS.md"}`, ""},
		{"cut off", "read", `{"path":"pdf/SKILL.m`, ""},
		{"arguments go before the path", "skill", `{"name":"one","path":"two/SKILL.md"}`, "skill/one"},
		{"the path when no argument is valid", "skill", `{"name":"one two","path":"two/SKILL.md"}`, "skill/two"},
	}
	for _, test := range tests {
		if got := toolPath(test.tool, test.arguments); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}
