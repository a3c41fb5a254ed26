package keymap

import (
	"reflect"
	"strings"
	"testing"

	"github.com/charmbracelet/bubbles/help"
	"github.com/charmbracelet/bubbles/key"
)

var _ help.KeyMap = Keys{}

var maps = map[string]Map{"default": Default(), "demo": Demo()}

// bindings are all fields of m by name.
func bindings(m Map) map[string]key.Binding {
	out := map[string]key.Binding{}
	v := reflect.ValueOf(m)
	for i := range v.NumField() {
		out[v.Type().Field(i).Name] = v.Field(i).Interface().(key.Binding)
	}
	return out
}

func TestNoKeyTwiceInAContext(t *testing.T) {
	for name, m := range maps {
		for c := Global; c < contexts; c++ {
			taken := map[string]string{}
			for _, b := range m.For(c) {
				for _, k := range b.Keys() {
					if other, ok := taken[k]; ok {
						t.Errorf("%s map, context %d: %q is both %q and %q", name, c, k, other, b.Help().Desc)
					}
					taken[k] = b.Help().Desc
				}
			}
			if len(taken) == 0 {
				t.Errorf("%s map, context %d has no keys", name, c)
			}
		}
	}
}

func TestEveryBindingHasHelp(t *testing.T) {
	for name, m := range maps {
		for field, b := range bindings(m) {
			if len(b.Keys()) == 0 {
				if field != "Pause" && field != "Faster" && field != "Slower" || name == "demo" {
					t.Errorf("%s map: %s has no key", name, field)
				}
				continue
			}
			if b.Help().Key == "" || b.Help().Desc == "" {
				t.Errorf("%s map: %s has no help", name, field)
			}
			if !b.Enabled() {
				t.Errorf("%s map: %s is disabled", name, field)
			}
		}
	}
}

func TestEveryBindingWorksSomewhereAndStandsInTheHelp(t *testing.T) {
	for name, m := range maps {
		used, shown := map[string]bool{}, map[string]bool{}
		for c := Global; c < contexts; c++ {
			for _, b := range m.For(c) {
				used[b.Help().Key+b.Help().Desc] = true
			}
		}
		for _, g := range m.groups() {
			for _, b := range g.Keys {
				shown[b.Help().Key+b.Help().Desc] = true
			}
		}
		for field, b := range bindings(m) {
			id := b.Help().Key + b.Help().Desc
			if len(b.Keys()) > 0 && (!used[id] || !shown[id]) {
				t.Errorf("%s map: %s works %v, stands in the help %v", name, field, used[id], shown[id])
			}
		}
	}
}

func TestEveryBindingHasASentence(t *testing.T) {
	taken := map[string]bool{"": true}
	for name, m := range maps {
		for i, g := range m.Groups() {
			for k, b := range g.Keys {
				short := m.groups()[i].Keys[k].Help()
				if m.says(g.Title, short.Desc) == "" || b.Help().Desc == "" || b.Help().Key != short.Key {
					t.Errorf("%s map: %s %q has no sentence", name, g.Title, short.Desc)
				}
				taken[short.Desc] = true
			}
		}
	}
	for short := range sentences {
		if !taken[short] {
			t.Errorf("the sentence for %q belongs to no binding", short)
		}
	}
	if m := Default(); m.Help.Help().Desc != "help" {
		t.Error("the help changed the map itself")
	}
}

func TestTheFootNamesOnlyKeysThatWorkThere(t *testing.T) {
	for name, m := range maps {
		for c := Global; c < contexts; c++ {
			works := map[string]bool{}
			for _, b := range m.For(c) {
				works[b.Help().Key+b.Help().Desc] = true
			}
			if len(m.Foot(c)) == 0 {
				t.Errorf("%s map: the foot of context %d is empty", name, c)
			}
			for _, b := range m.Foot(c) {
				if !works[b.Help().Key+b.Help().Desc] {
					t.Errorf("%s map, context %d: the foot names %q, which does not work there", name, c, b.Help().Key)
				}
			}
		}
	}
}

func TestWhileTypingOnlyControlKeysAct(t *testing.T) {
	for _, m := range maps {
		for _, c := range []Context{Writing, Filter} {
			for _, b := range m.For(c) {
				for _, k := range b.Keys() {
					if len([]rune(k)) == 1 {
						t.Errorf("context %d takes %q away from the text", c, k)
					}
				}
			}
		}
	}
}

func TestInterruptAndSuspendWorkEverywhere(t *testing.T) {
	for _, m := range maps {
		for c := Global; c < contexts; c++ {
			for _, pressed := range []string{"ctrl+c", "ctrl+z"} {
				if _, ok := find(m.For(c), pressed); !ok {
					t.Errorf("%s does nothing in context %d", pressed, c)
				}
			}
		}
	}
}

func TestWhySaysWhereAKeyWorks(t *testing.T) {
	m := Default()
	tests := []struct {
		name    string
		context Context
		pressed string
		want    string
	}{
		{"a list key in a panel without a list", Global, "v", "v (select) works in a list of batches, candidates, ranges, messages or blocks."},
		{"a form key in a list", List, "x", "x (drop range) works in the Compress panel."},
		{"a text key in a list", List, "right", "l/→ (next) works in an open text."},
		{"a key that works", List, "v", ""},
		{"a key that nothing knows", List, "ctrl+f12", ""},
	}
	for _, test := range tests {
		if got := m.Why(test.context, test.pressed); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

func TestMarkdownNamesEveryBinding(t *testing.T) {
	table := Markdown()
	for name, m := range maps {
		for field, b := range bindings(m) {
			if len(b.Keys()) > 0 && !strings.Contains(table, "`"+b.Help().Key+"` "+b.Help().Desc) {
				t.Errorf("%s of the %s map is missing:\n%s", field, name, table)
			}
		}
	}
	for _, line := range strings.Split(strings.TrimSpace(table), "\n") {
		if strings.Count(line, "|") != 3 {
			t.Errorf("row %q does not have two cells", line)
		}
	}
}
