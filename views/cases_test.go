package views

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// drawnCases are the screen cases that are about drawing texts; the program's
// other cases are run where the program runs.
var drawnCases = []string{"screen-cell-widths.json", "screen-control-bytes-in-text.json", "screen-cut-to-a-column.json"}

type screenCase struct {
	Texts []string `json:"texts"`
	Fit   []struct {
		Text  string `json:"text"`
		Cells int    `json:"cells"`
	} `json:"fit"`
}

type screenExpect struct {
	Cells              []int             `json:"cells"`
	CellsBeforePadding []int             `json:"cellsBeforePadding"`
	Drawn              []json.RawMessage `json:"drawn"`
	Forbidden          []string          `json:"forbiddenInOutput"`
}

func TestScreenCases(t *testing.T) {
	folders := []string{"../testdata/cases"}
	if own := os.Getenv("CTXSCOPE_CASES"); own != "" {
		if !filepath.IsAbs(own) {
			own = filepath.Join("..", own)
		}
		folders = append(folders, own)
	}
	for i, folder := range folders {
		runScreenCases(t, folder, i == 0)
	}
}

// runScreenCases runs the cases of one folder that are about drawing; the
// project's own folder must hold all of them.
func runScreenCases(t *testing.T, folder string, all bool) {
	var expected map[string]struct {
		Expect json.RawMessage `json:"expect"`
	}
	readJSON(t, filepath.Join(folder, "expected.json"), &expected)
	ran := 0
	for name, entry := range expected {
		if !slices.Contains(drawnCases, name) && !drawsTexts(t, folder, name) {
			continue
		}
		ran++
		t.Run(name, func(t *testing.T) {
			var c screenCase
			var want screenExpect
			readJSON(t, filepath.Join(folder, name), &c)
			if err := json.Unmarshal(entry.Expect, &want); err != nil {
				t.Fatal(err)
			}
			runScreenCase(t, c, want)
		})
	}
	if all && ran < len(drawnCases) {
		t.Errorf("%s holds %d of the %d cases about drawing", folder, ran, len(drawnCases))
	}
	t.Logf("%s: %d cases ran", folder, ran)
}

// drawsTexts reports whether a screen case of a further folder is about
// drawing texts.
func drawsTexts(t *testing.T, folder, name string) bool {
	if !strings.HasPrefix(name, "screen-") {
		return false
	}
	var c screenCase
	readJSON(t, filepath.Join(folder, name), &c)
	return len(c.Texts)+len(c.Fit) > 0
}

func runScreenCase(t *testing.T, c screenCase, want screenExpect) {
	compared := 0
	for i, text := range c.Texts {
		clean := Clean(text)
		if i < len(want.Drawn) {
			compared++
			oneOf(t, text, clean, want.Drawn[i])
		}
		if i < len(want.Cells) {
			compared++
			if w := Width(clean); w != want.Cells[i] {
				t.Errorf("%q takes %d cells, want %d", text, w, want.Cells[i])
			}
			if w := ansi.StringWidth(Fit(text, 40) + "|"); w != 41 {
				t.Errorf("the column behind %q starts at %d", text, w-1)
			}
		}
		for _, r := range clean + Fit(text, 10) {
			if forbiddenRune(t, want.Forbidden, r) {
				t.Errorf("%U comes out of %q", r, text)
			}
		}
	}
	for i, f := range c.Fit {
		fitted := Fit(f.Text, f.Cells)
		if w := ansi.StringWidth(fitted); w != f.Cells {
			t.Errorf("%q in %d cells takes %d", f.Text, f.Cells, w)
		}
		bare := strings.TrimRight(fitted, " ")
		if i < len(want.Drawn) {
			compared++
			oneOf(t, f.Text, bare, want.Drawn[i])
		}
		if i < len(want.CellsBeforePadding) {
			compared++
			if w := Width(bare); w != want.CellsBeforePadding[i] {
				t.Errorf("%q is cut to %d cells, want %d", f.Text, w, want.CellsBeforePadding[i])
			}
		}
	}
	if compared == 0 {
		t.Error("nothing was compared")
	}
}

// oneOf compares with a string, or with {"oneOf": [...]}.
func oneOf(t *testing.T, text, got string, want json.RawMessage) {
	t.Helper()
	var single string
	if json.Unmarshal(want, &single) == nil {
		if got != single {
			t.Errorf("%q is drawn as %q, want %q", text, got, single)
		}
		return
	}
	var choice struct {
		OneOf []string `json:"oneOf"`
	}
	if err := json.Unmarshal(want, &choice); err != nil || len(choice.OneOf) == 0 {
		t.Fatalf("neither a text nor a choice: %s", want)
	}
	if !slices.Contains(choice.OneOf, got) {
		t.Errorf("%q is drawn as %q, want one of %q", text, got, choice.OneOf)
	}
}

// forbiddenRune reports whether r lies in one of the ranges, written as U+0080
// or U+0080..U+009F.
func forbiddenRune(t *testing.T, ranges []string, r rune) bool {
	t.Helper()
	for _, text := range ranges {
		from, to, ok := strings.Cut(text, "..")
		if !ok {
			to = from
		}
		if r >= codePoint(t, from) && r <= codePoint(t, to) {
			return true
		}
	}
	return false
}

func codePoint(t *testing.T, text string) rune {
	t.Helper()
	n, err := strconv.ParseInt(strings.TrimPrefix(text, "U+"), 16, 32)
	if err != nil {
		t.Fatal(err)
	}
	return rune(n)
}

func readJSON(t *testing.T, file string, into any) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}
