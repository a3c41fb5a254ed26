package tui

import (
	"strings"
	"testing"

	"ctxscope/kernel"
	"ctxscope/views"
	"ctxscope/watch"
	"ctxscope/watch/settings"
)

func TestASessionWithoutATitleIsNamedByItsFirstRequest(t *testing.T) {
	s := newSession()
	s.user("<environment>linux</environment>")
	s.user("Find out why\nevery second order is lost.")
	s.reply(0, 900)
	open := func(change func(*watch.Event), text bool) views.Session {
		s.given = 0
		e := s.event()
		e.Session.Title = ""
		change(&e)
		source := &script{events: []watch.Event{e}}
		if text {
			source.texts = s.texts
		}
		m := begin(t, Options{Source: source}, 120, 40)
		return m.sessionView()
	}
	tests := []struct {
		name   string
		change func(*watch.Event)
		text   bool
		want   string
	}{
		{"the request on one line", func(*watch.Event) {}, true, "Find out why every second order is lost."},
		{"a title goes first", func(e *watch.Event) { e.Session.Title = "orders" }, true, "orders"},
		{"a recording keeps its file's name", func(e *watch.Event) { e.Session.Recording = true }, true, "orders.jsonl"},
		{"a text that is gone names nothing", func(*watch.Event) {}, false, "orders.jsonl"},
	}
	for _, test := range tests {
		if got := open(test.change, test.text).Name; got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

func TestATextThatCannotBeReadNowMayNameTheSessionLater(t *testing.T) {
	s := newSession()
	s.user("<environment>linux</environment>")
	s.user("Find out why every second order is lost.")
	s.user("<reminder>")
	k := kernel.New(kernel.Default(0), nil)
	run := k.Advance(k.Start(), s.event().Change)
	got := title{}.find(&script{}, run) // the file is just being written anew
	if got.text != "" {
		t.Errorf("%+v", got)
	}
	if got = got.find(&script{texts: s.texts}, run); got.text != "Find out why every second order is lost." {
		t.Errorf("%+v", got)
	}
}

func TestTheNameIsLookedForAtTheStartAlone(t *testing.T) {
	s := newSession()
	for range titleReach {
		s.user("<reminder>")
	}
	s.user("Too late for a title.")
	run := kernel.New(kernel.Default(0), nil)
	got := title{}.find(&script{texts: s.texts}, run.Advance(run.Start(), s.event().Change))
	if got.text != "" || got.looked != titleReach {
		t.Errorf("%+v", got)
	}
}

func TestTheFootOffersWhatActs(t *testing.T) {
	m, _, _ := openWorking(t, 120, 40)
	for _, open := range []string{"?", "p"} {
		m := drive(t, m, keys(open)...)
		for _, b := range m.foot().Keys {
			if h := b.Help(); h == m.keys.NextText.Help() || h == m.keys.PrevText.Help() {
				t.Errorf("%s: %s does nothing there", open, h.Key)
			}
		}
	}
	m = drive(t, m, keys("6", "enter")...)
	if text := m.View(); !strings.Contains(text[strings.LastIndex(text, "\n"):], m.keys.NextText.Help().Key) {
		t.Error("an open text has a next one")
	}
}

func TestARecordedWindowStandsOnlyBesideAnother(t *testing.T) {
	for text, w := range map[string]settings.Window{
		"window 258,400 (recorded) ":                    {Tokens: 258_400, Source: settings.Recorded, Recorded: 258_400},
		"window 200,000 (set by you, recorded 258,400)": {Tokens: 200_000, Source: settings.SetByYou, Recorded: 258_400},
		"window 258,400 (set by you) ":                  {Tokens: 258_400, Source: settings.SetByYou, Recorded: 258_400},
	} {
		m, _, _ := openWorking(t, 200, 60)
		m.live.setting.Window = w
		if header, _, _ := strings.Cut(m.View(), "\n"); !strings.Contains(header, text) {
			t.Errorf("%q is not in %s", text, header)
		}
	}
}

func TestWrongSettingsAreCounted(t *testing.T) {
	m, _, _ := openWorking(t, 120, 40)
	m.live.setting.Problems = []settings.Problem{{Where: "a.json line 2", Reason: "unknown key"}, {Where: "configuration", Reason: "no effect", Advice: true}}
	if got := m.sessionView().Settings; got != 1 {
		t.Errorf("%d, want the one that is wrong", got)
	}
	if text := m.View(); !strings.Contains(text, "p 1 wrong setting") {
		t.Errorf("the foot does not say so:\n%s", text)
	}
}
