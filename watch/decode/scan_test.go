package decode

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

// plainValue is v as encoding/json would give it with UseNumber.
func plainValue(v value) any {
	switch {
	case v.isObject():
		m := map[string]any{}
		for k, x := range v.members() {
			m[string(k)] = plainValue(x)
		}
		return m
	case v.isArray():
		list := []any{}
		for x := range v.items() {
			list = append(list, plainValue(x))
		}
		return list
	case v.isString():
		return v.str()
	case v.isNumber():
		return json.Number(v.raw())
	case v.isNull():
		return nil
	}
	return v.truthy()
}

// repair makes strict JSON of what the scanner accepts besides: raw control
// characters and unknown escapes in strings.
func repair(data []byte) []byte {
	var out []byte
	for i := 0; i < len(data); {
		if data[i] != '"' {
			out = append(out, data[i])
			i++
			continue
		}
		end := stringEnd(data, i)
		if end < 0 {
			return append(out, data[i:]...)
		}
		quoted, _ := json.Marshal(string(appendDecoded(nil, data[i+1:end-1])))
		out = append(out, quoted...)
		i = end
	}
	return out
}

func readStrict(data []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var v any
	err := d.Decode(&v)
	return v, err
}

func checkAgainstOracle(t *testing.T, data []byte) {
	t.Helper()
	var s scanner
	v, end, ok := s.scan(data, 0)
	whole := ok && skipSpace(data, end) == len(data)
	if json.Valid(data) && !whole {
		t.Fatalf("encoding/json accepts %.200q, the scanner does not", data)
	}
	if !whole {
		return
	}
	strict := data
	if !json.Valid(data) {
		if strict = repair(data); !json.Valid(strict) {
			t.Fatalf("the scanner accepts %.200q, encoding/json not even %.200q", data, strict)
		}
	}
	want, err := readStrict(strict)
	if err != nil {
		t.Fatalf("read %.200q: %v", strict, err)
	}
	if got := plainValue(v); fmt.Sprintf("%#v", got) != fmt.Sprintf("%#v", want) {
		t.Fatalf("%.200q reads as\n%.300v, want\n%.300v", data, got, want)
	}
	compact := v.appendCompact(nil)
	var again scanner
	c, end, ok := again.scan(compact, 0)
	if !ok || end != len(compact) || !utf8.Valid(compact) {
		t.Fatalf("%.200q is made compact as %.200q, which is no JSON", data, compact)
	}
	if twice := c.appendCompact(nil); !bytes.Equal(twice, compact) {
		t.Fatalf("compact form %.200q of %.200q is not stable: %.200q", compact, data, twice)
	}
}

var jsonSeeds = []string{
	`{}`, `[]`, `null`, `true`, ` false `, `-0`, `0`, `01`, `1.`, `.5`, `1e`, `1e+5`, `-12.50E-3`, `1e999`,
	`""`, `"a\"b\\"`, `"\\\\"`, `"\u00e9\ud83d\ude42"`, `"\ud83d"`, `"\ude42\ud83d"`, `"\ud83d\n"`, `"\u12"`, `"\q"`,
	"\"a\x01b\tc\"", "\"\xff\xfe\"", "\"\u2028\u2029\"",
	`{"a":1,"b":[1,2,{"c":null}],"a":{"x":"y"}}`, `{"a":1,}`, `[1,]`, `[,1]`, `{,}`, `{"a"}`, `{"a":}`, `{"a" : 1 , "b" : [ ] }`,
	`{"a":[}`, `[{]`, `[1 2]`, `{"a":1 "b":2}`, `"unfinished`, `{"a":"b`, `{"\u0061":1}`, `tru`, `nulls`, `[[[[]]]]`,
	`{"type":"message","message":{"role":"user","content":[{"type":"text","text":"x\ny"}]}}`,
}

func TestScannerAgreesWithEncodingJSON(t *testing.T) {
	for _, seed := range jsonSeeds {
		checkAgainstOracle(t, []byte(seed))
	}
	deep := strings.Repeat("[", maxDepth) + strings.Repeat("]", maxDepth)
	checkAgainstOracle(t, []byte(deep))
	checkAgainstOracle(t, []byte("["+deep+"]"))
	checkAgainstOracle(t, []byte(strings.Repeat(`{"a":`, 1_000_000)))
}

func FuzzScanner(f *testing.F) {
	for _, seed := range jsonSeeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) { checkAgainstOracle(t, data) })
}

// TestStringsEndAtTheFirstQuoteThatIsNotEscaped is over strings in which quotes
// and backslashes stand as close as they can and as far as they do.
func TestStringsEndAtTheFirstQuoteThatIsNotEscaped(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	pieces := []string{`\"`, `\"`, `\"x`, `\\`, `\n`, "a", "longer", strings.Repeat("far ", 10), "é"}
	for range 20_000 {
		var text strings.Builder
		for range r.IntN(30) {
			text.WriteString(pieces[r.IntN(len(pieces))])
		}
		data := []byte(strings.Repeat(" ", r.IntN(9)) + `"` + text.String())
		start := bytes.IndexByte(data, '"')
		if got := stringEnd(data, start); got != -1 {
			t.Fatalf("%q, which is not finished, ends at %d", data, got)
		}
		end := len(data) + 1
		data = append(data, `","more":"`...)
		if got := stringEnd(data, start); got != end {
			t.Fatalf("%q ends at %d, want %d", data, got, end)
		}
	}
}

func TestCompactIsWhatJavaScriptWrites(t *testing.T) {
	cases := []struct{ in, want string }{
		{`{ "b" : 1 , "a" : [ true , null ] }`, `{"b":1,"a":[true,null]}`},
		{`"\u7b14\u8bb0 \u00e9 \/ <>&"`, `"笔记 é / <>&"`},
		{`"\ud83d\udc69\u200d\ud83d\udc67"`, `"👩‍👧"`},
		{`"\ud83d alone"`, `"\ud83d alone"`},
		{"\"a\x01\x7f\u2028\\u001f\"", "\"a\\u0001\x7f\u2028\\u001f\""},
		{`"\"\\\b\f\n\r\t"`, `"\"\\\b\f\n\r\t"`},
		{`[1.0,-0,1e3,1.50,1E400,-1e-7,0.000001,1e21,123456789012345678]`, `[1,0,1000,1.5,null,-1e-7,0.000001,1e+21,123456789012345680]`},
	}
	for _, c := range cases {
		var s scanner
		v, _, ok := s.scan([]byte(c.in), 0)
		if !ok {
			t.Fatalf("%s is no JSON", c.in)
		}
		if got := string(v.appendCompact(nil)); got != c.want {
			t.Errorf("%s is written %s, want %s", c.in, got, c.want)
		}
	}
}

func TestValueNumbersAndTimes(t *testing.T) {
	cases := []struct {
		in   string
		want int64
	}{
		{`12`, 12}, {`12.9`, 12}, {`-3e2`, -300}, {`1e30`, 0}, {`"12"`, 0}, {`null`, 0}, {`9223372036854775807`, math.MaxInt64},
	}
	for _, c := range cases {
		var s scanner
		v, _, _ := s.scan([]byte(c.in), 0)
		if got := v.number(); got != c.want {
			t.Errorf("number %s is %d, want %d", c.in, got, c.want)
		}
	}
	var s scanner
	v, _, _ := s.scan([]byte(`["2026-01-05T10:00:00.250Z",1767607200250,"yesterday",null]`), 0)
	var got []int64
	for x := range v.items() {
		got = append(got, x.when())
	}
	if want := "[1767607200250 1767607200250 0 0]"; fmt.Sprint(got) != want {
		t.Errorf("times are %v, want %s", got, want)
	}
}
