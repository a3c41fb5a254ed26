package kernel

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestParseJSONKeepsKeyOrder(t *testing.T) {
	const text = ` {"b": 1, "a": [true, false, null, -0.5e1, "\u00e9\ud83d\ude00\ud83d"], "b": {"": "x"}} `
	value, err := parseJSON(text)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := formatJSON(value), `{"b":{"":"x"},"a":[true,false,null,-5,"é😀`+"\ufffd"+`"]}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestStrictJSONForgivesNothing(t *testing.T) {
	for _, text := range []string{
		"", " ", "{", "[1,]", "[,]", `{"a":1,}`, `{a:1}`, `{"a"}`, "01", "-", "1.", ".5", "1e", "+1", "nul", "tru", `"a`, `"\x"`,
		`"\u12g4"`, "\"a\nb\"", "[1] 2", "{} }", "\ufeff{}", "NaN", "'a'", strings.Repeat("[", 20000) + strings.Repeat("]", 20000),
	} {
		if value, err := parseJSON(text); err == nil {
			t.Errorf("%.40q gives %v", text, value)
		}
	}
}

func TestLenientJSONForgivesWhatModelsGetWrong(t *testing.T) {
	for text, want := range map[string]string{
		"[1 , ]":                 "[1]",
		`{"a":1,` + "\n}":        `{"a":1}`,
		"[,]":                    "[]",
		"{ , }":                  "{}",
		`[",]"]`:                 `[",]"]`,
		"\"a\nb\tc\r\"":          `"a\nb\tc\r"`,
		"\"\x00\x1f\"":           `"\u0000\u001f"`,
		`"C:\dir\new\u00zz"`:     `"C:\\dir\new\\u00zz"`,
		`"` + repeat(`\q`, 500):  `"` + repeat(`\\q`, 500),
		"\"" + repeat("\n", 900): `"` + repeat(`\n`, 900),
	} {
		value, err := parseLenient(text)
		if err != nil || formatJSON(value) != want {
			t.Errorf("%.40q: %v, %v", text, value, err)
		}
	}
	for _, text := range []string{"[1,,]", "{,,}", "[1,,2]", `{"a":}`, `"` + repeat(`\q`, 501), "[1", `"a\`} {
		if value, err := parseLenient(text); err == nil {
			t.Errorf("%.40q gives %v", text, value)
		}
	}
}

// repeat is text n times and a closing quote.
func repeat(text string, n int) string { return strings.Repeat(text, n) + `"` }

func FuzzParseJSON(f *testing.F) {
	for _, seed := range []string{
		`{"a":[1,-2.5e-7,true,null,"x\n\u00e9\ud83d\ude00"],"a":{}}`, "[1,]", `"\ud800\u0041"`, "1e999", "-0", `{"k":"C:\\d"}`, "\"\t\"",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		value, err := parseJSON(text)
		if err != nil {
			var number json.Number
			if json.Unmarshal([]byte(text), &number) != nil && json.Valid([]byte(text)) {
				t.Fatalf("%q is JSON, but %v", text, err)
			}
			return
		}
		if !json.Valid([]byte(text)) {
			t.Fatalf("%q is no JSON, but gives %v", text, value)
		}
		lenient, err := parseLenient(text)
		if err != nil || !reflect.DeepEqual(lenient, value) {
			t.Fatalf("%q read leniently is %v, %v", text, lenient, err)
		}
		written := formatJSON(value)
		var want, got any
		if json.Unmarshal([]byte(text), &want) != nil || !utf8.ValidString(text) {
			return // a number that is out of bounds, or bytes that encoding/json replaces
		}
		if err := json.Unmarshal([]byte(written), &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%q was written as %q: %v", text, written, err)
		}
	})
}
