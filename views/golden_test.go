package views

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
)

var update = flag.Bool("update", false, "write the goldens anew")

func TestFramesLookAsKept(t *testing.T) {
	kept := map[string]bool{}
	for _, state := range states {
		for _, size := range state.sizes {
			name := fmt.Sprintf("%s-%dx%d", state.name, size[0], size[1])
			kept[name+".golden"] = true
			frame := Frame(state.make(size[0], size[1]), plainStyles())
			sized(t, name, frame, size[0], size[1])
			golden(t, name, frame)
		}
	}
	kept["color-120x40.golden"] = true
	files, err := filepath.Glob("testdata/*.golden")
	if err != nil || len(files) == 0 {
		t.Fatalf("no goldens: %v", err)
	}
	for _, file := range files {
		if !kept[filepath.Base(file)] {
			t.Errorf("%s belongs to no test", file)
		}
	}
}

func TestTheColouredFrameLooksAsKept(t *testing.T) {
	frame := Frame(overLimit(120, 40), styles(termenv.ANSI256, true))
	golden(t, "color-120x40", frame)
	if plain := Frame(overLimit(120, 40), plainStyles()); ansi.Strip(frame) != plain {
		t.Error("colours change more than colours")
	}
}

func TestLightAndDarkDiffer(t *testing.T) {
	light, dark := Frame(overLimit(80, 24), styles(termenv.ANSI256, false)), Frame(overLimit(80, 24), styles(termenv.ANSI256, true))
	if light == dark {
		t.Error("the same colours on light and on dark")
	}
	if ansi.Strip(light) != ansi.Strip(dark) {
		t.Error("the words differ on light and on dark")
	}
}

// golden compares a frame with the one that was kept.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Errorf("%v (-update writes it)", err)
		return
	}
	if got+"\n" != string(want) {
		t.Errorf("%s differs:\n%s\nwant:\n%s", name, got, want)
	}
}

// sized checks that a frame without colours is h lines of w cells and holds
// nothing that may not reach a terminal.
func sized(t *testing.T, name, frame string, w, h int) {
	t.Helper()
	lines := strings.Split(frame, "\n")
	if len(lines) != h {
		t.Errorf("%s: %d lines, want %d", name, len(lines), h)
	}
	for i, text := range lines {
		if got := ansi.StringWidth(text); got != w {
			t.Errorf("%s: line %d takes %d cells, want %d: %q", name, i+1, got, w, text)
		}
		if r := forbidden(text); r >= 0 {
			t.Errorf("%s: line %d holds %U", name, i+1, r)
		}
	}
}
