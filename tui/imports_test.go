package tui

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// rule says what the sources of one package may import besides the standard
// library, tests excluded.
type rule struct {
	ours   []string // packages of this module, without its name
	others []string // prefixes of packages of other modules
	pure   bool     // no clock, randomness, logging, lock or I/O
	noSync bool
}

// rules is the table of who may know whom. A new package needs a line here.
var rules = map[string]rule{
	"kernel":        {pure: true, noSync: true},
	"kernel/doctor": {ours: []string{"kernel"}, pure: true, noSync: true},
	"watch/decode":  {ours: []string{"kernel"}},
	"watch/tokens": {
		ours:   []string{"kernel"},
		others: []string{"github.com/pkoukk/tiktoken-go", "github.com/pkoukk/tiktoken-go-loader"},
	},
	"watch/hoststate": {ours: []string{"kernel", "watch/decode"}},
	"watch/opencode": {
		ours:   []string{"kernel", "watch/decode"},
		others: []string{"modernc.org/sqlite"},
	},
	"watch": {
		ours:   []string{"kernel", "watch/decode", "watch/opencode"},
		others: []string{"github.com/fsnotify/fsnotify"},
	},
	"watch/settings": {
		ours:   []string{"kernel", "kernel/doctor", "watch/decode"},
		others: []string{"github.com/tailscale/hujson"},
	},
	"watch/headless": {ours: []string{"kernel", "kernel/doctor", "watch", "watch/decode", "watch/hoststate", "watch/settings", "watch/tokens"}},
	"watch/demo":     {ours: []string{"kernel", "watch", "watch/decode"}},
	"keymap": {
		others: []string{"github.com/charmbracelet/bubbles/key"},
		noSync: true,
	},
	"views": {
		ours: []string{"kernel", "kernel/doctor"},
		others: []string{
			"github.com/charmbracelet/lipgloss", "github.com/charmbracelet/x/ansi",
			"github.com/charmbracelet/bubbles/help", "github.com/charmbracelet/bubbles/key",
			"github.com/guptarohit/asciigraph",
		},
		noSync: true,
	},
	"tui": {
		ours: []string{"kernel", "kernel/doctor", "watch", "watch/decode", "watch/hoststate", "watch/settings", "views", "keymap"},
		others: []string{
			"github.com/charmbracelet/bubbletea", "github.com/charmbracelet/bubbles",
			"github.com/charmbracelet/lipgloss", "github.com/aymanbagabas/go-osc52/v2",
			"github.com/charmbracelet/x/ansi", "github.com/sahilm/fuzzy",
		},
		noSync: true,
	},
	"tui/launch": {ours: []string{"tui", "watch", "watch/demo", "watch/headless", "watch/settings"}},
	"": {
		ours:   []string{"watch", "watch/headless", "tui", "tui/launch"},
		others: []string{"github.com/charmbracelet/x/term"},
	},
}

// impure are the packages of the standard library that a pure package does
// without.
var impure = []string{
	"bufio", "io", "io/fs", "log", "log/slog", "math/rand", "math/rand/v2", "crypto/rand", "net",
	"os", "path/filepath", "runtime", "sync", "sync/atomic", "syscall", "testing", "time",
}

// source is one parsed file that is no test.
type source struct {
	pkg  string // folder, "" is the top
	file string
	tree *ast.File
}

func parseSources(t *testing.T) []source {
	t.Helper()
	root := ".."
	var out []source
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := d.Name()
		if d.IsDir() {
			if name != root && (strings.HasPrefix(base, ".") || base == "testdata") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(base, ".go") || strings.HasSuffix(base, "_test.go") {
			return nil
		}
		tree, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		pkg := path.Dir(filepath.ToSlash(rel))
		if pkg == "." {
			pkg = ""
		}
		out = append(out, source{pkg: pkg, file: filepath.ToSlash(rel), tree: tree})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(out) == 0 {
		t.Fatal("no sources found")
	}
	return out
}

func TestImportsFollowTheTable(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range parseSources(t) {
		r, known := rules[s.pkg]
		if !known {
			t.Errorf("%s: package %q has no line in the table of imports", s.file, s.pkg)
			continue
		}
		seen[s.pkg] = true
		for _, spec := range s.tree.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if why := r.forbids(name); why != "" {
				t.Errorf("%s imports %s: %s", s.file, name, why)
			}
		}
	}
	for pkg := range rules {
		if !seen[pkg] {
			t.Errorf("the table of imports names %q, which does not exist", pkg)
		}
	}
}

// forbids says why a package under r must not import name, or is empty.
func (r rule) forbids(name string) string {
	if own, ok := strings.CutPrefix(name, "ctxscope/"); ok {
		if !slices.Contains(r.ours, own) {
			return "this package may not know that one"
		}
		return ""
	}
	if first, _, _ := strings.Cut(name, "/"); strings.Contains(first, ".") {
		for _, prefix := range r.others {
			if name == prefix || strings.HasPrefix(name, prefix+"/") {
				return ""
			}
		}
		return "not among its dependencies"
	}
	if r.noSync && (name == "sync" || name == "sync/atomic") {
		return "state here has one owner, so nothing is locked"
	}
	if r.pure && slices.Contains(impure, name) {
		return "the package is pure"
	}
	return ""
}

// calls that only some packages may make, by import path and name.
var printers = []string{"Print", "Printf", "Println"}

func TestOnlyMainPrints(t *testing.T) {
	for _, s := range parseSources(t) {
		if s.pkg == "" {
			continue
		}
		for _, name := range callsOf(s.tree, "fmt", printers) {
			t.Errorf("%s calls fmt.%s: only main prints", s.file, name)
		}
		ast.Inspect(s.tree, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			if id, ok := call.Fun.(*ast.Ident); ok && (id.Name == "print" || id.Name == "println") {
				t.Errorf("%s calls %s: only main prints", s.file, id.Name)
			}
			return true
		})
		for _, name := range callsOf(s.tree, "os", []string{"Exit"}) {
			t.Errorf("%s calls os.%s: only main exits", s.file, name)
		}
	}
}

func TestDecisionsHaveNoClock(t *testing.T) {
	for _, s := range parseSources(t) {
		switch s.pkg {
		case "kernel", "views", "keymap", "watch/decode":
			for _, name := range callsOf(s.tree, "time", []string{"Now", "Since", "Until", "After", "Tick", "NewTimer", "NewTicker", "Sleep"}) {
				t.Errorf("%s calls time.%s: time is data here", s.file, name)
			}
		}
	}
}

// callsOf gives the names among wanted that the file selects from the package
// imported as pkg.
func callsOf(tree *ast.File, pkg string, wanted []string) []string {
	local := ""
	for _, spec := range tree.Imports {
		if name, _ := strconv.Unquote(spec.Path.Value); name == pkg {
			local = path.Base(pkg)
			if spec.Name != nil {
				local = spec.Name.Name
			}
		}
	}
	if local == "" {
		return nil
	}
	var out []string
	ast.Inspect(tree, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if id, ok := sel.X.(*ast.Ident); ok && id.Name == local && slices.Contains(wanted, sel.Sel.Name) {
			out = append(out, sel.Sel.Name)
		}
		return true
	})
	return out
}

func TestTheTableCatches(t *testing.T) {
	cases := []struct {
		pkg, name string
		bad       bool
	}{
		{"kernel", "strings", false},
		{"kernel", "time", true},
		{"kernel", "sync", true},
		{"kernel", "os", true},
		{"kernel", "ctxscope/watch", true},
		{"kernel", "ctxscope/kernel/doctor", true},
		{"kernel/doctor", "ctxscope/kernel", false},
		{"kernel/doctor", "time", true},
		{"views", "sync/atomic", true},
		{"views", "ctxscope/tui", true},
		{"views", "github.com/charmbracelet/bubbletea", true},
		{"watch/headless", "github.com/charmbracelet/bubbletea", true},
		{"tui", "github.com/charmbracelet/bubbles/textarea", false},
		{"watch", "github.com/fsnotify/fsnotify", false},
	}
	for _, c := range cases {
		if got := rules[c.pkg].forbids(c.name) != ""; got != c.bad {
			t.Errorf("%s importing %s: forbidden is %v, want %v", c.pkg, c.name, got, c.bad)
		}
	}
}
