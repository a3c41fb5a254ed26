package tui

import (
	"reflect"
	"strings"
	"testing"

	"github.com/charmbracelet/bubbles/key"

	"ctxscope/views"
	"ctxscope/watch"
	"ctxscope/watch/decode"
)

// reading is an event of a first reading that has come so far, of 300 MB.
func reading(read int64) watch.Event {
	return watch.Event{
		Session: decode.Session{Format: "claude", Agent: "Claude Code"},
		Status:  watch.Status{Name: "big.jsonl", Path: "/p/big.jsonl", Mode: watch.ModeWatching, Read: read, Size: 300_000_000, Live: true},
	}
}

// allKeys are the keys of every binding.
func allKeys(m Model) []string {
	var out []string
	v := reflect.ValueOf(m.keys)
	for i := range v.NumField() {
		out = append(out, v.Field(i).Interface().(key.Binding).Keys()...)
	}
	return out
}

func TestProgressIsShownAndEveryKeyWorksWhileASessionIsRead(t *testing.T) {
	at := newMachine(t)
	s := &script{events: []watch.Event{reading(0)}}
	m := begin(t, Options{
		Source: s, Counter: hostCounter, Counters: []string{hostCounter, "words"}, Machine: &at.Machine, OpenFile: openOnce,
		Open: func(counter string) (Opened, error) { return openOnce(at.main, "", counter) },
	}, 100, 30)
	before := ""
	for _, read := range []int64{0, 90_000_000, 210_000_000} {
		m = push(t, m, reading(read))
		if now := m.View(); now == before || !strings.Contains(now, "300.0 MB") || strings.Contains(now, "unknown") || m.live.live.ready {
			t.Fatalf("%d bytes read:\n%s", read, now)
		} else {
			before = now
		}
		for _, k := range allKeys(m) {
			if k == "q" || k == "ctrl+c" || k == "ctrl+z" {
				continue
			}
			after := drive(t, m, press(k))
			if after.focus == m.focus && after.note == "" && after.zoom == m.zoom && after.next == nil && !after.lists[after.focus].editing && !moves(k) {
				t.Errorf("%d bytes read: %q does nothing and says nothing", read, k)
			}
			if frame := after.View(); strings.Count(frame, "\n") != 29 {
				t.Errorf("%q: a frame of %d lines", k, strings.Count(frame, "\n")+1)
			}
		}
	}
	// Another session is not waited for.
	m = drive(t, m, append(keys("s"), keys("G", "enter")...)...)
	if !m.live.live.ready || m.focus != views.PanelBatches {
		t.Errorf("%s is on the screen, ready %v", m.live.status.Path, m.live.live.ready)
	}
}

// moves reports whether a key moves the cursor or leads to where the focus is:
// in an empty list there is nowhere to go.
func moves(k string) bool {
	return strings.Contains(" 1 k up j down pgup ctrl+u pgdown ctrl+d g home G end ", " "+k+" ")
}
