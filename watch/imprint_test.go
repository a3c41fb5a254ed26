package watch

import (
	"strings"
	"testing"

	"ctxscope/watch/decode"
)

// imprintOf is the imprint of a whole file.
func imprintOf(t *testing.T, text string) *imprint {
	t.Helper()
	var p imprint
	var lines Lines
	p.block([]byte(text))
	if err := lines.Feed([]byte(text), p.line); err != nil {
		t.Fatal(err)
	}
	lines.Early(p.line)
	return &p
}

func TestShortLinesShareTheirSums(t *testing.T) {
	text := strings.Repeat("x\n\n \r\n", 2000)
	p := imprintOf(t, text)
	if most := len(text)/groupSize + 1; len(p.sums) > most {
		t.Errorf("%d bytes of short lines have %d sums, want at most %d", len(text), len(p.sums), most)
	}
	for at := range 2000 {
		if text[at] != 'x' {
			continue
		}
		other := text[:at] + "y" + text[at+1:]
		if same, err := p.matchesWhole(strings.NewReader(other), make([]byte, 777)); same || err != nil {
			t.Fatalf("byte %d is another one, but the file counts as the same: %v, %v", at, same, err)
		}
	}
	if same, err := p.matchesWhole(strings.NewReader(text), make([]byte, 777)); !same || err != nil {
		t.Errorf("the same bytes count as others: %v, %v", same, err)
	}
	for _, moved := range []string{"\n" + text[:len(text)-1], strings.Replace(text, "x\n\n", "\nx\n", 400)} {
		if same, _ := p.matchesWhole(strings.NewReader(moved), make([]byte, 777)); same {
			t.Error("lines that stand elsewhere count as the same")
		}
	}
}

func TestALineIsFoundAmongThoseOfItsGroup(t *testing.T) {
	var text strings.Builder
	var places []int
	for i := range 300 {
		places = append(places, text.Len())
		text.WriteString(`{"n":` + strings.Repeat("7", 1+i*7%90) + "}\n")
	}
	p, data := imprintOf(t, text.String()), text.String()
	for i, from := range places {
		to := from + strings.IndexByte(data[from:], '\n')
		held, ok := p.linesAt(int64(from), int64(to), int64(len(data))-1)
		if !ok || len(held) != 1 {
			t.Fatalf("line %d is in %d groups, %v", i+1, len(held), ok)
		}
		group := []byte(data[held[0].from:held[0].to])
		if sumOf(group) != held[0].sum {
			t.Fatalf("the sum of the group of line %d is another one", i+1)
		}
		group[int64(from)-held[0].from]++
		if sumOf(group) == held[0].sum {
			t.Fatalf("a changed line %d has the same sum", i+1)
		}
	}
}

func TestSumOfLinesDoesNotDependOnHowTheyEnd(t *testing.T) {
	var p imprint
	for i, line := range []string{"a", "", "b "} {
		p.line([]byte(line), decode.Place{Number: i + 1})
	}
	for _, text := range []string{"a\n\nb", "a\r\n\r\nb\r", "a  \nb\n\n"} {
		if sumOf([]byte(text)) != p.sums[0] {
			t.Errorf("%q has another sum", text)
		}
	}
	if sumOf([]byte("a\nb")) == sumOf([]byte("ab")) {
		t.Error("where a line ends does not count")
	}
}
