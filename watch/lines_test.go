package watch

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"ctxscope/watch/decode"
)

type givenLine struct {
	Text string
	At   decode.Place
}

// linesOf is what must come out, found in a way of its own.
func linesOf(data []byte) []givenLine {
	var lines []givenLine
	for offset := 0; offset < len(data); {
		text, rest, ended := bytes.Cut(data[offset:], []byte("\n"))
		object := json.Valid(text) && bytes.HasPrefix(bytes.Trim(text, " \t\r"), []byte("{"))
		closing := bytes.HasPrefix(text, []byte("}")) && len(bytes.Trim(text, blanks)) == 1
		if !ended && !object && !closing {
			break
		}
		lines = append(lines, givenLine{string(text), decode.Place{Number: len(lines) + 1, Offset: int64(offset)}})
		offset = len(data) - len(rest)
	}
	return lines
}

// feed gives data in pieces that end at the cuts (shares of 256) and starts
// again when it is told to.
func feed(data, cuts []byte) []givenLine {
	for {
		var l Lines
		var given []givenLine
		keep := func(line []byte, at decode.Place) { given = append(given, givenLine{string(line), at}) }
		at := 0
		again := false
		for _, cut := range append(cuts, 255) {
			end := max(at, len(data)*(int(cut)+1)/256)
			if err := l.Feed(data[at:end], keep); err != nil {
				cuts, again = nil, true
				break
			}
			l.Early(keep)
			at = end
		}
		if again {
			continue
		}
		return given
	}
}

// trimmed drops the blanks behind lines: a record may be given before they
// came, and no decoder heeds them.
func trimmed(lines []givenLine) []givenLine {
	var out []givenLine
	for _, line := range lines {
		out = append(out, givenLine{strings.TrimRight(line.Text, " \t\r"), line.At})
	}
	return out
}

func TestLinesEndAtLFOnly(t *testing.T) {
	for name, c := range map[string]struct {
		data string
		want []string
	}{
		"nothing":                         {"", nil},
		"a half line waits":               {"{\"a\":1}\n{\"b\":", []string{`{"a":1}`}},
		"an empty line is a line":         {"a\n\nb\n", []string{"a", "", "b"}},
		"CR stays":                        {"a\r\nb\r\n", []string{"a\r", "b\r"}},
		"CR alone ends nothing":           {"a\rb\n", []string{"a\rb"}},
		"U+2028, U+0085 and VT are text":  {"a\u2028b\u0085c\vd\n", []string{"a\u2028b\u0085c\vd"}},
		"NUL is text":                     {"\x00\x00a\x00\n", []string{"\x00\x00a\x00"}},
		"the last record needs no LF":     {"{\"a\":1}\n{\"b\":2}", []string{`{"a":1}`, `{"b":2}`}},
		"a number is no record":           {"{\"a\":1}\n12", []string{`{"a":1}`}},
		"an object with more is no whole": {"{\"a\":1}{", nil},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, line := range feed([]byte(c.data), nil) {
				got = append(got, line.Text)
			}
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("lines %q, want %q", got, c.want)
			}
		})
	}
}

func TestARecordGivenEarlyIsNotGivenAgain(t *testing.T) {
	var l Lines
	var given []string
	keep := func(line []byte, _ decode.Place) { given = append(given, string(line)) }
	for _, piece := range []string{`{"a":`, `1}`, "\r", "\n", `{"b":2}`, "\n"} {
		if err := l.Feed([]byte(piece), keep); err != nil {
			t.Fatal(err)
		}
		l.Early(keep)
		l.Early(keep)
	}
	if want := []string{`{"a":1}`, `{"b":2}`}; !reflect.DeepEqual(given, want) {
		t.Errorf("lines %q, want %q", given, want)
	}
	if l.Pending() != 0 || l.Read() != 17 {
		t.Errorf("pending %d, read %d", l.Pending(), l.Read())
	}
}

func TestALineThatGoesOnAfterItWasGivenIsAnError(t *testing.T) {
	for _, rest := range []string{`{"b":2}`, "\n"} {
		var l Lines
		ignore := func([]byte, decode.Place) {}
		if err := l.Feed([]byte(`{"a":1}`), ignore); err != nil {
			t.Fatal(err)
		}
		l.Early(ignore)
		err := l.Feed([]byte(rest), ignore)
		if goesOn := rest != "\n"; goesOn != (err != nil) {
			t.Errorf("then %q: error %v", rest, err)
		}
	}
}

func TestGiantLinesComeWholeAndLeaveNoBufferBehind(t *testing.T) {
	giant := strings.Repeat("x", 24<<20)
	data := []byte("small\n" + giant + "\nsmall again\n")
	var l Lines
	var sizes []int
	for at := 0; at < len(data); at += blockSize {
		err := l.Feed(data[at:min(at+blockSize, len(data))], func(line []byte, _ decode.Place) { sizes = append(sizes, len(line)) })
		if err != nil {
			t.Fatal(err)
		}
	}
	if want := []int{5, len(giant), 11}; !reflect.DeepEqual(sizes, want) {
		t.Errorf("sizes %v, want %v", sizes, want)
	}
	if cap(l.rest) > keptBuffer {
		t.Errorf("%d bytes are still held", cap(l.rest))
	}
}

func FuzzAnyCuttingGivesTheSameLines(f *testing.F) {
	f.Add([]byte("{\"a\":1}\n{\"b\":2}\r\n\n{\"c\":3}"), []byte{10, 20, 200})
	f.Add([]byte("{\"a\":1}{\"b\":2}\n{}{}{}"), []byte{80, 200, 230})
	f.Add([]byte("\xef\xbb\xbf{}\n\xe6\xb1\x89 \n \n"), []byte{1, 2, 3, 4, 100})
	f.Fuzz(func(t *testing.T, data, cuts []byte) {
		got, want := trimmed(feed(data, cuts)), trimmed(linesOf(data))
		if !reflect.DeepEqual(got, want) {
			t.Errorf("cut at %v: lines %+v, want %+v", cuts, got, want)
		}
	})
}
