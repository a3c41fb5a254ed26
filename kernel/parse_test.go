package kernel

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// show prints ranges as start..end[topic|max]=summary.
func showRanges(call Call) string {
	var out []string
	for _, r := range call.Ranges {
		extra := ""
		if r.Topic != nil {
			extra = "[" + *r.Topic + "]"
		}
		if r.SummaryMaxChars != nil {
			extra += fmt.Sprintf("(%d)", *r.SummaryMaxChars)
		}
		out = append(out, r.StartRef+".."+r.EndRef+extra+"="+r.Summary)
	}
	return strings.Join(out, " ")
}

func TestParseCallTakesEveryShape(t *testing.T) {
	const array = `[{"startId":"m00001","endId":"m00002","summary":"s"}]`
	asText := func(s string) string { return formatJSON(s) }
	tests := []struct{ name, arguments, kind, ranges string }{
		{"nothing", "", "empty-input", ""},
		{"blanks", " \n\ufeff", "empty-input", ""},
		{"an array", array, "not-object", ""},
		{"a number", "7", "not-object", ""},
		{"null", "null", "not-object", ""},
		{"an array in text", asText(array), "not-object", ""},
		{"no JSON", "compress it", "malformed-json", ""},
		{"an object without anything", "{}", "missing-content", ""},
		{"flat", `{"startId":"m1","endId":"m2","summary":"s","topic":"t","summaryMaxChars":9}`, "ok", "m1..m2[t](9)=s"},
		{"an array of entries", `{"content":` + array + `}`, "ok", "m00001..m00002=s"},
		{"an empty array", `{"content":[]}`, "no-valid-ranges", ""},
		{"null content", `{"content":null}`, "content-not-array", ""},
		{"a number as content", `{"content":3}`, "content-not-array", ""},
		{"startRef goes first", `{"content":[{"messageId":"m3","startId":"m2","startRef":"m1","endRef":"","endId":"m5","summary":"s"}]}`, "ok", "m1..m5=s"},
		{"messageId is both ends", `{"content":[{"messageId":"m3","summary":"s"}]}`, "ok", "m3..m3=s"},
		{"what the call says fills in", `{"topic":"all","summaryMaxChars":70.9,"content":[{"messageId":"m3","summary":"s"},{"messageId":"m4","summary":"s","topic":"own","summaryMaxChars":5}]}`, "ok", "m3..m3[all](70)=s m4..m4[own](5)=s"},
		{"an empty topic is none", `{"topic":"","content":[{"messageId":"m3","summary":"s","topic":""}]}`, "ok", "m3..m3=s"},
		{"a limit that is no number", `{"content":[{"messageId":"m3","summary":"s","summaryMaxChars":"70"}]}`, "ok", "m3..m3=s"},
		{"a limit beyond every double", `{"content":[{"messageId":"m3","summary":"s","summaryMaxChars":1e999}]}`, "ok", "m3..m3=s"},
		{"content in text", `{"content":` + asText(array) + `}`, "ok", "m00001..m00002=s"},
		{"content in text, fenced", `{"content":` + asText("```json\n"+array+"\n```") + `}`, "ok", "m00001..m00002=s"},
		{"content in text in text", `{"content":` + asText(asText(array)) + `}`, "ok", "m00001..m00002=s"},
		{"content in text with single quotes", `{"content":` + asText(`[{'messageId':'m1','summary':'it\'s "so"'}]`) + `}`, "ok", `m1..m1=it's "so"`},
		{"content in text that was cut", `{"content":` + asText(array[:len(array)-1]+`,{"startId":"m3","su`) + `}`, "truncated", "m00001..m00002=s"},
		{"content in text, single quotes and cut", `{"content":` + asText(`[{'messageId':'m1','summary':'s'},{'mess`) + `}`, "truncated", "m1..m1=s"},
		{"content that is prose", `{"content":"all of it"}`, "content-not-array", ""},
		{"an object as content", `{"content":{"messageId":"m1","summary":"s"}}`, "ok", "m1..m1=s"},
		{"ranges in content", `{"content":{"ranges":` + array + `}}`, "ok", "m00001..m00002=s"},
		{"content in content", `{"content":{"content":` + array + `}}`, "ok", "m00001..m00002=s"},
		{"an empty object as content", `{"content":{}}`, "content-not-array", ""},
		{"a fence around it", "```json\n{\"content\":" + array + "}\n```", "ok", "m00001..m00002=s"},
		{"a fence without an end", "```\n{\"content\":" + array + "}", "ok", "m00001..m00002=s"},
		{"all in text", asText(`{"content":` + array + `}`), "ok", "m00001..m00002=s"},
		{"commas before brackets", `{"content":[{"messageId":"m1","summary":"s",},],}`, "ok", "m1..m1=s"},
		{"raw line ends", "{\"content\":[{\"messageId\":\"m1\",\"summary\":\"a\nb\tc\rd\"}]}", "ok", "m1..m1=a\nb\tc\rd"},
		{"control characters and bad escapes", "{\"content\":[{\"messageId\":\"m1\",\"summary\":\"a\x01\\d\\u12\"}]}", "ok", "m1..m1=a\x01\\d\\u12"},
		{"single quotes", `{'content':[{'messageId':'m1','summary':'say "it"'}]}`, "ok", `m1..m1=say "it"`},
		{"apostrophes are data", `{"content":[{"messageId":"m1","summary":"it's"}]}`, "ok", "m1..m1=it's"},
		{"cut in the second entry", `{"content" : [{"messageId":"m1","summary":"s}]"},{"messageId":"m2","summ`, "truncated", "m1..m1=s}]"},
		{"cut in the first entry", `{"content":[{"messageId":"m1","summ`, "truncated", ""},
		{"a lone opening brace", `{`, "truncated", ""},
		{"text before the object", `compress {"content":[{"messageId":"m1","summary":"s"}]}`, "truncated", "m1..m1=s"},
	}
	for _, test := range tests {
		call, notes := ParseCall(test.arguments, "c7")
		if got := showRanges(call); got != test.ranges || notes.Kind != test.kind {
			t.Errorf("%s: %s %q, want %s %q (%v)", test.name, notes.Kind, got, test.kind, test.ranges, notes.InvalidReasons)
		}
		if notes.Ok != (len(call.Ranges) > 0) {
			t.Errorf("%s: ok is %v with %d ranges", test.name, notes.Ok, len(call.Ranges))
		}
		for _, r := range call.Ranges {
			if r.CompressCallID != "c7" {
				t.Errorf("%s: call id %q", test.name, r.CompressCallID)
			}
		}
	}
}

func TestParseCallExplainsWhatItDropped(t *testing.T) {
	tests := []struct {
		name, arguments string
		want            ParseNotes
	}{
		{
			"one entry of each sort",
			`{"topic":"t","content":[{"messageId":"m1","summary":"s"},7,{"summary":"s"},{"startId":"m1","summary":"s"},{"messageId":"m1"},"prose"]}`,
			ParseNotes{Ok: true, Kind: "ok", Keys: []string{"topic", "content"}, InvalidItems: 5, InvalidReasons: []string{
				"entry 1: not an object",
				"entry 2: missing range bounds (need startRef/startId and endRef/endId)",
				"entry 3: missing range bounds (need startRef/startId and endRef/endId)",
				"entry 4: missing summary",
				"entry 5: missing range bounds (need startRef/startId and endRef/endId)",
			}},
		},
		{
			"blocks by list",
			`{"content":[{"blockIds":["b4","B02"],"startId":"m1","endId":"m2","summary":"s"}]}`,
			ParseNotes{Kind: "no-valid-ranges", Keys: []string{"content"}, InvalidItems: 1, InvalidReasons: []string{
				`entry 0: blockIds is not supported: name the first and the last block instead, startId="b2" and endId="b4"`,
			}},
		},
		{
			"blocks by list, one of them none",
			`{"content":[{"blockIds":["b4","m2"],"summary":"s"}]}`,
			ParseNotes{Kind: "no-valid-ranges", Keys: []string{"content"}, InvalidItems: 1, InvalidReasons: []string{
				`entry 0: blockIds holds "m2", not a valid block id`,
			}},
		},
		{
			"an empty list of blocks is none",
			`{"content":[{"blockIds":[],"messageId":"m2","summary":"s"}]}`,
			ParseNotes{Ok: true, Kind: "ok", Keys: []string{"content"}},
		},
		{
			"single quotes that helped",
			`{'content':[{'messageId':'m1','summary':'s'}]}`,
			ParseNotes{Ok: true, Kind: "ok", Keys: []string{"content"}, QuoteSalvage: true},
		},
		{
			"single quotes that did not",
			`{'content':[]}`,
			ParseNotes{Kind: "malformed-json"},
		},
		{
			"an object as content",
			`{"content":{"messageId":"m1","summary":"s"}}`,
			ParseNotes{Ok: true, Kind: "ok", Keys: []string{"content"}, ContentSalvage: true},
		},
	}
	for _, test := range tests {
		if test.want.Kind != "ok" || test.want.InvalidItems > 0 {
			test.want.RawPrefix, test.want.Length = test.arguments, Len16(test.arguments)
		}
		if _, got := ParseCall(test.arguments, ""); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s:\n got %+v\nwant %+v", test.name, got, test.want)
		}
	}
	if _, notes := ParseCall(strings.Repeat("世", 900), ""); Len16(notes.RawPrefix) != 800 || notes.Length != 900 {
		t.Errorf("a prefix of %d of %d chars", Len16(notes.RawPrefix), notes.Length)
	}
}

func TestParseCallReadsLines(t *testing.T) {
	tests := []struct{ name, content, kind, ranges string }{
		{"two refs and a topic", `"m12–m00030 the parser\nIt was read."`, "ok", "m00012..m00030[the parser]=It was read."},
		{"every separator", `"m1-m2 t\na\nM1 - m2 t\nb\nm1—m2: t\nc\nm1~m2 t\nd\nm1..m2 t\ne\nm1...m2 t\nf\nm1…m2 t\ng"`, "ok", "m00001..m00002[t]=a m00001..m00002[t]=b m00001..m00002[t]=c m00001..m00002[t]=d m00001..m00002[t]=e m00001..m00002[t]=f m00001..m00002[t]=g"},
		{"blocks stay as they are", `"B1–b007\nsum"`, "ok", "b1..b007[sum]=sum"},
		{"one ref", `"m1234567 - all\nsum"`, "ok", "m1234567..m1234567[all]=sum"},
		{"eight digits are none", `"m12345678 t\nsum"`, "content-not-array", ""},
		{"a word is no ref", `"m1x t\nsum"`, "content-not-array", ""},
		{"a file name is no ref", `"m1.txt holds it\nsum"`, "content-not-array", ""},
		{"the topic from a heading", `"m1–m2\nfirst\n## The point\nmore"`, "ok", "m00001..m00002[The point]=first\n## The point\nmore"},
		{"the topic from the first line, 60 units", `"m1–m2\n` + strings.Repeat("x", 70) + `\nmore"`, "ok", "m00001..m00002[" + strings.Repeat("x", 60) + "]=" + strings.Repeat("x", 70) + "\nmore"},
		{"text before the first refs is dropped", `"Here:\nm1–m2 t\nsum"`, "ok", "m00001..m00002[t]=sum"},
		{"no summary", `"m1–m2 t"`, "content-not-array", ""},
		{"an entry that is text", `["m1–m2 t\nsum"]`, "ok", "m00001..m00002[t]=sum"},
		{"refs and summary in entries of their own", `["m1–m2 t","one","two","m3\nsum"]`, "ok", "m00001..m00002[t]=one\ntwo m00003..m00003[sum]=sum"},
		{"refs without any summary", `["m1–m2 t",{"messageId":"m9","summary":"s"}]`, "ok", "m9..m9=s"},
	}
	for _, test := range tests {
		call, notes := ParseCall(`{"content":`+test.content+`}`, "")
		if got := showRanges(call); got != test.ranges || notes.Kind != test.kind {
			t.Errorf("%s: %s %q, want %s %q (%v)", test.name, notes.Kind, got, test.kind, test.ranges, notes.InvalidReasons)
		}
	}
}

func TestParseDecompress(t *testing.T) {
	tests := []struct {
		arguments, id string
		inline, ok    bool
	}{
		{`{"blockId":"b3"}`, "b3", false, true},
		{`{"blockId":" B07 ","inline":true}`, "b7", true, true},
		{`{"blockId":"7","inline":"true"}`, "b7", false, true},
		{`{"blockId":7}`, "b7", false, true},
		{`{"blockId":"m7"}`, "", false, false},
		{`{"blockId":"b0"}`, "", false, false},
		{`{"inline":true}`, "", false, false},
		{`b3`, "", false, false},
		{``, "", false, false},
	}
	for _, test := range tests {
		id, inline, ok := parseDecompress(test.arguments)
		if id != test.id || inline != test.inline || ok != test.ok {
			t.Errorf("%s: %q %v %v", test.arguments, id, inline, ok)
		}
	}
}

func FuzzParseCall(f *testing.F) {
	for _, seed := range []string{
		"", "{", `"{\"content\":[]}"`, `{"content":[{"startId":"m00001","endId":"m00002","summary":"s"}],"topic":"t"}`,
		"```json\n{'content':[{'messageId':'m1','summary':'it\\'s'}]}\n```", `{"content":"m1–m2 t\nsum\nb1..b2\nmore"}`,
		`{"content":["m1","x",{"blockIds":["b1"]}]}`, `{"content":"[{\"messageId\":\"m1\",\"summary\":\"s\"},{\"m"}`,
		`{"content":{"ranges":[]}}`, `{"summaryMaxChars":-1e300,"messageId":"m1","summary":"\ud800"}`, strings.Repeat("[", 20000),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, arguments string) {
		call, notes := ParseCall(arguments, "id")
		if notes.Ok != (len(call.Ranges) > 0) || notes.InvalidItems != len(notes.InvalidReasons) || notes.Kind == "" {
			t.Fatalf("%d ranges with %+v", len(call.Ranges), notes)
		}
		for _, r := range call.Ranges {
			if r.StartRef == "" || r.EndRef == "" || r.Summary == "" || r.Topic != nil && *r.Topic == "" {
				t.Fatalf("incomplete range %+v", r)
			}
		}
		again, err := json.Marshal(map[string]any{"content": call.Ranges})
		if err != nil {
			t.Fatal(err)
		}
		if len(call.Ranges) > 0 && json.Valid([]byte(arguments)) {
			if second, _ := ParseCall(string(again), "id"); len(second.Ranges) != len(call.Ranges) {
				t.Fatalf("%s gives %d ranges, its own form %d", arguments, len(call.Ranges), len(second.Ranges))
			}
		}
		parseDecompress(arguments)
		if text, changed := rewriteCall(arguments, nil); changed == (text == arguments) {
			t.Fatalf("rewriting says changed=%v for %q", changed, text)
		}
	})
}
