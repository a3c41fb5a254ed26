package tui

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"testing"
)

// writers are the functions of package os that change files.
var writers = []string{
	"Create", "CreateTemp", "WriteFile", "Mkdir", "MkdirAll", "MkdirTemp", "Remove", "RemoveAll", "Rename", "Truncate",
	"Chmod", "Chown", "Lchown", "Chtimes", "Link", "Symlink", "CopyFS", "NewFile", "OpenRoot", "StartProcess",
}

// writing are the flags of an open file that can be changed.
var writing = []string{"O_WRONLY", "O_RDWR", "O_CREATE", "O_TRUNC", "O_APPEND", "O_EXCL", "O_SYNC"}

// reaching are the packages of the standard library that reach out of the
// machine or start other programs.
var reaching = []string{"net", "net/http", "net/rpc", "net/smtp", "crypto/tls", "os/exec", "plugin", "log/syslog"}

// harmless is what may be used of package syscall, which could do anything.
var harmless = []string{"O_NONBLOCK", "Signal", "SIGINT", "SIGTERM", "SIGHUP", "SIGCONT", "SIGTSTP", "Kill"}

// copier is the one file that writes: a database whose log nobody keeps an
// index of is read from a copy in a folder of its own among the temporary
// files, and removed.
const copier = "watch/opencode/connect.go"

func TestNothingIsWrittenAndNobodyIsCalled(t *testing.T) {
	for _, s := range parseSources(t) {
		if s.file == copier {
			continue
		}
		for _, what := range touches(s.tree) {
			t.Errorf("%s uses %s: ctxscope only reads files", s.file, what)
		}
	}
}

// touches names what a file uses that could change files, start programs or
// reach out of the machine.
func touches(tree *ast.File) []string {
	var out []string
	for _, spec := range tree.Imports {
		if name, _ := strconv.Unquote(spec.Path.Value); slices.Contains(reaching, name) {
			out = append(out, name)
		}
	}
	for _, name := range callsOf(tree, "os", slices.Concat(writers, writing)) {
		out = append(out, "os."+name)
	}
	var known []string
	ast.Inspect(tree, func(n ast.Node) bool {
		if x, ok := n.(*ast.SelectorExpr); ok && !slices.Contains(harmless, x.Sel.Name) {
			known = append(known, x.Sel.Name)
		}
		return true
	})
	for _, name := range callsOf(tree, "syscall", known) {
		out = append(out, "syscall."+name)
	}
	return out
}

func TestWhatTouchesFilesIsFound(t *testing.T) {
	const text = `package p
import (
	"net/http"
	"net/url"
	"os"
	system "syscall"
)
func f() {
	os.Open("a"); os.OpenFile("a", os.O_RDONLY|system.O_NONBLOCK, 0); os.OpenFile("a", os.O_RDWR, 0); os.Remove("a")
	system.Kill(0, system.SIGTSTP); system.Unlink("a"); http.Get(url.QueryEscape("a"))
}`
	tree, err := parser.ParseFile(token.NewFileSet(), "p.go", text, 0)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"net/http", "os.O_RDWR", "os.Remove", "syscall.Unlink"}
	if got := touches(tree); !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
}
