package tui

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"ctxscope/kernel"
	"ctxscope/views"
	"ctxscope/watch"
)

func TestNumbersAndTabGoFromPanelToPanel(t *testing.T) {
	m, _, _ := openWorking(t, 120, 40)
	for p := views.PanelBatches; p <= views.LastNumbered; p++ {
		m = drive(t, m, press(string(rune('0'+p))))
		if m.focus != p {
			t.Errorf("%d leads to %s", p, m.focus)
		}
	}
	m = drive(t, m, keys("tab")...)
	if m.focus != views.PanelBatches {
		t.Errorf("tab after the last panel leads to %s", m.focus)
	}
	m = drive(t, m, keys("shift+tab")...)
	if m.focus != views.LastNumbered {
		t.Errorf("shift+tab before the first panel leads to %s", m.focus)
	}
}

func TestEscLeavesInOrder(t *testing.T) {
	m, _, _ := openWorking(t, 120, 40)
	m = drive(t, m, keys("6", "/", "b", "a", "s", "h", "enter", "z", "v", "c", "enter")...)
	if !m.form.writing || !m.zoom || m.lists[views.PanelMessages].filter != "bash" {
		t.Fatalf("writing %v, zoom %v, filter %q", m.form.writing, m.zoom, m.lists[views.PanelMessages].filter)
	}
	left := []func() bool{
		func() bool { return !m.form.writing },
		func() bool { return !m.zoom },
		func() bool { return m.focus == views.PanelMessages },
		func() bool { return m.lists[views.PanelMessages].filter == "" },
		func() bool { return len(m.form.picks()) == 0 },
		func() bool { return strings.Contains(m.note, "nothing to go back from") },
	}
	for i, done := range left {
		if done() {
			t.Fatalf("step %d was left too early", i+1)
		}
		if m = drive(t, m, press("esc")); !done() {
			t.Fatalf("esc number %d did not leave step %d: %q", i+1, i+1, m.note)
		}
	}
}

func TestAKeyThatCannotActSaysWhy(t *testing.T) {
	m, _, _ := openWorking(t, 120, 40)
	for _, c := range []struct {
		keys []string
		want string
	}{
		{[]string{"u"}, "no what-if to undo"},
		{[]string{"r"}, "no what-if to reset"},
		{[]string{"y"}, "no call to copy"},
		{[]string{"t"}, "counted by estimate only"},
		{[]string{"5", "enter"}, "no range to summarise"},
		{[]string{"5", "x"}, "no range to drop"},
		{[]string{"4", "c"}, "Pick a range first"},
		{[]string{"4", "v"}, "works in a list"},
		{[]string{"7", "enter"}, "no row here"},
		{[]string{"b"}, "? lists the keys"},
		{[]string{"s"}, "No other session can be opened"},
		{[]string{"f"}, "not gone on in another session"},
		{[]string{"p", "z"}, "whole screen"},
	} {
		got := drive(t, m, keys(c.keys...)...)
		if !strings.Contains(got.note, c.want) {
			t.Errorf("%v: %q does not say %q", c.keys, got.note, c.want)
		}
		if !strings.Contains(got.View(), c.want) {
			t.Errorf("%v: the reason is not on the screen", c.keys)
		}
		if after := drive(t, got, press("1")); after.note != "" {
			t.Errorf("%v: the reason stays after the next key", c.keys)
		}
	}
}

func TestCharactersThatArriveTogetherAreTakenOneByOne(t *testing.T) {
	m, _, _ := openWorking(t, 120, 40)
	m = drive(t, m, typed("6gjjz"))
	if m.focus != views.PanelMessages || m.lists[views.PanelMessages].cursor != 2 || !m.zoom {
		t.Errorf("focus %s, cursor %d, zoom %v", m.focus, m.lists[views.PanelMessages].cursor, m.zoom)
	}
	m = drive(t, m, typed("gvjj"))
	if g := m.form.growing; g == nil || g.start != "m00001" || g.end != "m00003" {
		t.Errorf("the pick is %+v", g)
	}
	m = drive(t, m, typed("/ba"), typed("sh"))
	if got := m.lists[views.PanelMessages].filter; got != "bash" {
		t.Errorf("filter %q", got)
	}
}

func TestAPastedTextIsNoCommand(t *testing.T) {
	m, _, _ := openWorking(t, 120, 40)
	pasted := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("quick"), Paste: true}
	next, cmd := m.Update(pasted)
	if m = settle(t, next.(Model), cmd); m.note == "" || m.focus != views.PanelBatches {
		t.Errorf("note %q, focus %s", m.note, m.focus)
	}
	m = drive(t, m, keys("1", "c", "enter")...)
	pasted.Runes = []rune("line one\nline two\tqq")
	m = drive(t, m, pasted)
	if got := m.form.ranges[0].summary; !strings.Contains(got, "line two") || !m.form.writing {
		t.Errorf("the summary is %q", got)
	}
}

func TestQuitAsksNothing(t *testing.T) {
	m, _, _ := openWorking(t, 120, 40)
	for _, name := range []string{"q", "ctrl+c"} {
		next, cmd := m.Update(press(name))
		if !quits(cmd) {
			t.Errorf("%s does not quit", name)
		}
		if got := next.(Model).interrupted; got != (name == "ctrl+c") {
			t.Errorf("%s: interrupted is %v", name, got)
		}
	}
	writing := drive(t, m, keys("1", "c", "enter")...)
	if _, cmd := writing.Update(press("ctrl+c")); !quits(cmd) {
		t.Error("ctrl+c does not quit while a summary is written")
	}
	if q := drive(t, writing, press("q")); q.form.ranges[0].summary != "q" {
		t.Error("q does not type while a summary is written")
	}
}

// quits reports whether one of the commands that cmd stands for ends the
// program.
func quits(cmd tea.Cmd) bool {
	if cmd == nil {
		return false
	}
	switch msg := cmd().(type) {
	case tea.QuitMsg:
		return true
	case tea.BatchMsg:
		for _, c := range msg {
			if quits(c) {
				return true
			}
		}
	}
	return false
}

func TestAFilterLeavesTheRowsThatHoldItsWords(t *testing.T) {
	m, s, _ := openWorking(t, 120, 40)
	m = drive(t, m, keys("6", "/", "b", "a", "s", "h", " ", "r", "e", "s", "u", "l", "t", "enter")...)
	l := m.lists[views.PanelMessages]
	if l.len() != 8 || l.editing {
		t.Fatalf("%d rows, want the 8 results of bash", l.len())
	}
	s.reply(5000, 62_000)
	m = push(t, m, s.event())
	if got := m.lists[views.PanelMessages].len(); got != 9 {
		t.Errorf("%d rows after one more result, want 9", got)
	}
	same(t, m)
}

func TestMarkedRangesAreOneCall(t *testing.T) {
	m, _, _ := openWorking(t, 120, 40)
	m = drive(t, m, keys("6", "g", "j", "j", "j", " ", "j", "j", "j", " ")...)
	if got := len(m.form.call().Ranges); got != 2 {
		t.Fatalf("%d ranges are marked, want 2", got)
	}
	m = drive(t, m, keys(" ")...)
	if got := len(m.form.call().Ranges); got != 1 {
		t.Fatalf("%d ranges after a mark was taken back, want 1", got)
	}
	m = drive(t, m, keys(" ", "c")...)
	if m.form.verdict == nil || len(m.form.verdict.Ranges) != 2 {
		t.Errorf("the verdict is %+v", m.form.verdict)
	}
	m = drive(t, m, keys("enter")...)
	m = drive(t, m, typed(summary), press("ctrl+s"))
	if m.form.selected != 1 || !strings.Contains(m.note, "no summary yet") {
		t.Errorf("at range %d, note %q: want to be led to the second summary", m.form.selected, m.note)
	}
}

func TestTakingAnotherRowStartsAnotherCall(t *testing.T) {
	m, _, _ := openWorking(t, 120, 40)
	m = drive(t, m, keys("6", "g", "j", "j", "c", "enter")...)
	m = drive(t, m, typed("a draft"))
	first := m.form.ranges[0].span
	m = drive(t, m, keys("esc", "esc", "j", "c")...)
	if len(m.form.ranges) != 1 || m.form.ranges[0].span == first {
		t.Fatalf("ranges %v, want the new row alone", m.form.ranges)
	}
	m = drive(t, m, keys("esc", "k", "c")...)
	if got := m.form.ranges[0]; got.span != first || got.summary != "a draft" {
		t.Errorf("the draft of %v came back as %q", first, got.summary)
	}
}

func TestAMessageIsReadWhenItIsOpened(t *testing.T) {
	m, _, source := openWorking(t, 80, 24)
	m = drive(t, m, keys("6", "g", "enter")...)
	shows(t, m, "The orders service loses every second order.")
	m = drive(t, m, keys("l")...)
	shows(t, m, "Step 1: looking")
	source.texts = nil
	m = drive(t, m, keys("l")...)
	shows(t, m, "the text is gone")
	if m = drive(t, m, keys("esc")...); m.reader.open {
		t.Error("esc does not close the text")
	}
}

func TestALongTextIsCutAndSaysSo(t *testing.T) {
	text := strings.Repeat("ä", readable)
	got := shortened(text)
	if !strings.HasSuffix(got, "more bytes are not shown.") || len(got) > readable+64 {
		t.Errorf("%d bytes are left, ending %q", len(got), got[len(got)-40:])
	}
	if short := shortened("short"); short != "short" {
		t.Errorf("a short text became %q", short)
	}
}

func TestTheTextIsBrokenAgainAfterAResize(t *testing.T) {
	m, _, _ := openWorking(t, 120, 40)
	m = drive(t, m, keys("6", "g", "j", "j", "j", "enter")...)
	wide := len(m.reader.lines)
	m = drive(t, m, size(60, 20))
	if len(m.reader.lines) <= wide {
		t.Errorf("%d lines at 60 cells, %d at 120", len(m.reader.lines), wide)
	}
	m = drive(t, m, size(120, 40))
	if len(m.reader.lines) != wide {
		t.Errorf("%d lines at 120 cells again, want %d", len(m.reader.lines), wide)
	}
}

func TestResizeKeepsTheSelectedRow(t *testing.T) {
	m, _, _ := openWorking(t, 120, 40)
	m = drive(t, m, keys("6", "g", "j", "j", "j", "j", "j")...)
	key := m.lists[views.PanelMessages].key
	for _, s := range [][2]int{{80, 24}, {40, 12}, {10, 3}, {1, 1}, {200, 60}, {120, 40}} {
		m = drive(t, m, size(s[0], s[1]))
		if got := len(strings.Split(m.View(), "\n")); got != s[1] {
			t.Errorf("%d lines at %v", got, s)
		}
	}
	if got := m.lists[views.PanelMessages].key; got != key {
		t.Errorf("selected %s, want %s", got, key)
	}
}

func TestAnotherCounterTakesOverWhenItIsComplete(t *testing.T) {
	s := working()
	first := &script{events: []watch.Event{s.event()}, texts: s.texts}
	again := *s
	again.given = 0
	half := again.event()
	half.Status.Size *= 2
	second := &script{events: []watch.Event{half}, texts: s.texts}
	opens := []string{}
	opts := Options{
		Source: first, Counters: []string{hostCounter, "o200k", "cl100k"},
		Open: func(counter string) (Opened, error) {
			opens = append(opens, counter)
			return Opened{Source: second, Count: func(text string) kernel.Tokens { return 1 }}, nil
		},
	}
	m := begin(t, opts, 120, 40)
	m = drive(t, m, press("t"))
	if m.live.counter != hostCounter || m.next == nil || len(opens) != 1 || opens[0] != "o200k" {
		t.Fatalf("counter %s, opened %v", m.live.counter, opens)
	}
	shows(t, m, "o200k")
	done := again.event()
	m = drive(t, m, eventMsg{feed: m.next.feed, event: done})
	if m.live.counter != "o200k" || m.next != nil || !first.closed {
		t.Fatalf("counter %s, first source closed: %v", m.live.counter, first.closed)
	}
	shows(t, m, "not the host's count")
	if m.lists[views.PanelMessages].selected() != m.shown().run.Log().Len()-1 {
		t.Error("the list does not follow the session that took over")
	}
}

func TestTheCounterKeyCanBeTakenBack(t *testing.T) {
	s := working()
	second := &script{}
	m := begin(t, Options{
		Source: &script{events: []watch.Event{s.event()}}, Counters: []string{hostCounter, "o200k"},
		Open: func(string) (Opened, error) { return Opened{Source: second}, nil },
	}, 120, 40)
	m = drive(t, m, keys("t", "t")...)
	if m.next != nil || !second.closed || m.live.counter != hostCounter {
		t.Errorf("next %v, second source closed: %v", m.next, second.closed)
	}
}

// player is a script that plays.
type player struct {
	script
	paused bool
	speed  float64
}

func (p *player) Pause(paused bool)      { p.paused = paused }
func (p *player) SetSpeed(speed float64) { p.speed = speed }

func TestTheDemoPausesAndChangesItsSpeed(t *testing.T) {
	s := working()
	p := &player{script: script{events: []watch.Event{s.event()}}}
	m := begin(t, Options{Source: p}, 120, 40)
	if m.follow() != views.Playing {
		t.Errorf("the demo is %v at its start", m.follow())
	}
	m = drive(t, m, keys(" ", "+", "+")...)
	if !p.paused || p.speed != 4 || m.follow() != views.Paused {
		t.Errorf("paused %v, speed %v", p.paused, p.speed)
	}
	m = drive(t, m, keys(" ", "-")...)
	if p.paused || p.speed != 2 {
		t.Errorf("paused %v, speed %v", p.paused, p.speed)
	}
	m = drive(t, m, keys("-", "-", "-")...)
	if p.speed != 0.25 || m.note != "" {
		t.Errorf("speed %v, note %q", p.speed, m.note)
	}
	if m = drive(t, m, keys("-")...); p.speed != 0.25 || !strings.Contains(m.note, "cannot play slower") {
		t.Errorf("speed %v, note %q", p.speed, m.note)
	}
	if m = drive(t, m, keys("+", "+", "+", "+", "+", "+", "+")...); p.speed != 16 || !strings.Contains(m.note, "cannot play faster") {
		t.Errorf("speed %v, note %q", p.speed, m.note)
	}
	m = drive(t, m, keys("6", "m")...)
	if len(m.form.picks()) != 1 {
		t.Error("m does not mark in the demo")
	}
}
