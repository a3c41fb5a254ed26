//go:build unix

package tui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"ctxscope/kernel"
	"ctxscope/watch"
)

// panicPlace names, in the environment of this test binary, where the program
// that it then is has to panic.
const panicPlace = "CTXSCOPE_TEST_PANIC"

func TestMain(m *testing.M) {
	if place := os.Getenv(panicPlace); place != "" {
		os.Exit(panicky(place))
	}
	if path := os.Getenv(databaseVariable); path != "" {
		if err := writeReplies(path); err != nil {
			fmt.Fprintln(os.Stderr, "writer:", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// panicky runs the screen on a source that panics at a place, and ends as the
// command does.
func panicky(place string) int {
	err := Run(context.Background(), Options{Source: &trap{place: place}, Counter: hostCounter})
	if fault := (*PanicError)(nil); errors.As(err, &fault) {
		fmt.Fprintf(os.Stderr, "ctxscope: error: %v\n%s", fault, fault.Stack)
		return 2
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "ctxscope: error:", err)
		return 2
	}
	return 0
}

// trap is a session of one message that panics at its place.
type trap struct {
	place string
	given bool
}

func (p *trap) Next(ctx context.Context) (watch.Event, error) {
	if p.given {
		if p.place == "next" {
			panic("kernel: internal error: made up in a command")
		}
		<-ctx.Done()
		return watch.Event{}, ctx.Err()
	}
	p.given = true
	s := newSession()
	s.user("The only message.")
	if p.place == "view" {
		s.entries[0].Message.Role = 77 // no such role: it cannot be drawn
	}
	return s.event(), nil
}

func (p *trap) Text(kernel.Message) (string, error) {
	panic("kernel: internal error: made up in a text")
}

func (p *trap) Close() error { return nil }

// Pause is called by Update itself.
func (p *trap) Pause(bool) { panic("kernel: internal error: made up in Update") }

func (p *trap) SetSpeed(float64) {}

func TestAPanicRestoresTheTerminalFirst(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ place, keys, says string }{
		{"next", "", "kernel: internal error: made up in a command"},
		{"text", "6\r", "kernel: internal error: made up in a text"},
		{"update", " ", "kernel: internal error: made up in Update"},
		{"view", "6", "index out of range [77]"},
	} {
		t.Run(c.place, func(t *testing.T) {
			t.Setenv(panicPlace, c.place)
			x := start(t, 80, 24, self)
			if c.keys != "" {
				x.await("orders-service")
				x.send(c.keys)
			}
			if code := x.ends(5 * time.Second); code != 2 {
				t.Errorf("exit code %d, want 2", code)
			}
			x.restored(1000, 1002, 1003, 1006)
			out := x.all()
			said := strings.LastIndex(out, c.says)
			if said < strings.LastIndex(out, "\x1b[?1049l") {
				t.Errorf("the panic is not told after the screen was left:\n%s", ansi.Strip(out))
			}
			if !strings.Contains(out[max(0, said):], "goroutine ") {
				t.Error("the stack is not told")
			}
		})
	}
}
