package demo

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"ctxscope/kernel"
	"ctxscope/watch"
)

// world is time that only passes when somebody waits for it.
type world struct{ now time.Time }

func (w *world) clock() clock {
	return clock{
		now: func() time.Time { return w.now },
		after: func(d time.Duration) <-chan time.Time {
			w.now = w.now.Add(d)
			c := make(chan time.Time, 1)
			c <- w.now
			return c
		},
	}
}

func play(t *testing.T) (*Player, *world) {
	t.Helper()
	w := &world{now: time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)}
	p, err := open(nil, w.clock())
	if err != nil {
		t.Fatal(err)
	}
	return p, w
}

func next(t *testing.T, p *Player) watch.Event {
	t.Helper()
	event, err := p.Next(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return event
}

// TestDemoKeepsItsPromises plays the whole session through the kernel.
func TestDemoKeepsItsPromises(t *testing.T) {
	p, w := play(t)
	start := w.now
	k := kernel.New(kernel.Default(200_000), nil)
	run := k.Start()
	firstNudge, bands := time.Duration(0), map[kernel.Band]time.Duration{}
	var event watch.Event
	for event = next(t, p); !event.Reset; event = next(t, p) {
		if len(event.Session.Problems) > 0 {
			t.Fatalf("problems: %+v", event.Session.Problems)
		}
		run = k.Advance(run, event.Change)
		now, at := run.Now(), w.now.Sub(start)
		if now.Nudge.ShouldInject && firstNudge == 0 {
			firstNudge = at
		}
		if _, seen := bands[now.Nudge.Band]; !seen {
			bands[now.Nudge.Band] = at
		}
	}
	if firstNudge == 0 || firstNudge > 20*time.Second {
		t.Errorf("the first nudge comes at %s, want it within 20 s", firstNudge)
	}
	for _, band := range []kernel.Band{kernel.BandNormal, kernel.BandOverLimit, kernel.BandEmergency} {
		if at, seen := bands[band]; !seen || at > 90*time.Second {
			t.Errorf("band %s: reached %v at %s, want it within 90 s", band, seen, at)
		}
	}
	t.Logf("first nudge at %s, bands %v, starts over at %s", firstNudge, bands, w.now.Sub(start))
	outcomes := map[kernel.Outcome]int{}
	for _, f := range run.Folds().All() {
		outcomes[f.Host]++
		if f.Applied != (f.Host == kernel.Succeeded) {
			t.Errorf("call %s: applied %v although the host says %s", f.CallID, f.Applied, f.Host)
		}
	}
	if outcomes[kernel.Succeeded] != 2 || outcomes[kernel.Failed] != 1 {
		t.Errorf("compress calls %v, want two folds and one refused", outcomes)
	}
	if run.Diverged() != "" {
		t.Errorf("the replay left the host: %s", run.Diverged())
	}
	if last := run.Now(); last.Nudge.Band != kernel.BandEmergency {
		t.Errorf("the session ends in band %s", last.Nudge.Band)
	}
	if event.Status.Note == "" {
		t.Error("that it starts over is not said")
	}
	for range 20 {
		event = next(t, p)
	}
	if event.Status.Note != "" {
		t.Errorf("some seconds later it still says %q", event.Status.Note)
	}
}

func TestStartingOverForgetsTheSession(t *testing.T) {
	p, _ := play(t)
	event := next(t, p)
	for !event.Reset {
		event = next(t, p)
	}
	if event.Change.Keep != 0 || event.Session.Meter.Replies != 0 {
		t.Errorf("the session starts over with %d entries kept and %d replies", event.Change.Keep, event.Session.Meter.Replies)
	}
}

func TestSessionHasWhatSessionsHave(t *testing.T) {
	data, err := session()
	if err != nil {
		t.Fatal(err)
	}
	for what, sign := range map[string]string{
		"reasoning": `"type":"thinking"`, "a failed tool": `"isError":true`, "Chinese": "发票", "Japanese": "請求書",
		"several calls in a reply": `_2","name"`, "usage": `"totalTokens"`,
	} {
		if !strings.Contains(string(data), sign) {
			t.Errorf("the session has no %s (%s)", what, sign)
		}
	}
}

func TestPauseStopsAndGoesOn(t *testing.T) {
	p, w := play(t)
	next(t, p)
	read := next(t, p).Status.Read
	p.Pause(true)
	if e := next(t, p); e.Status.Live || e.Status.Read != read || len(e.Change.Entries) != 0 {
		t.Errorf("paused: %+v", e.Status)
	}
	w.now = w.now.Add(time.Hour)
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(time.Millisecond, cancel)
	if _, err := p.Next(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("a paused demo gave something: %v", err)
	}
	p.Pause(false)
	if e := next(t, p); !e.Status.Live || e.Status.Read != read {
		t.Errorf("going on skipped the time of the pause: %+v", e.Status)
	}
	if e := next(t, p); e.Status.Read <= read {
		t.Error("the demo does not go on")
	}
}

func TestSpeed(t *testing.T) {
	took := func(speed float64) time.Duration {
		p, w := play(t)
		if speed != 1 {
			p.SetSpeed(speed)
		}
		start := w.now
		for !next(t, p).Reset {
		}
		return w.now.Sub(start)
	}
	normal, double, limit := took(1), took(2), took(1000)
	if ratio := float64(normal) / float64(double); ratio < 1.99 || ratio > 2.01 {
		t.Errorf("speed 2 takes %s, normal %s", double, normal)
	}
	if ratio := float64(normal) / float64(limit); ratio < MaxSpeed-0.1 || ratio > MaxSpeed+0.1 {
		t.Errorf("a speed above the highest takes %s, normal %s", limit, normal)
	}
}

func TestTextIsReadFromTheRecord(t *testing.T) {
	p, _ := play(t)
	var messages []kernel.Message
	for len(messages) < 12 {
		for _, entry := range next(t, p).Change.Entries {
			if entry.Op == kernel.Append {
				messages = append(messages, entry.Message)
			}
		}
	}
	for _, m := range messages {
		text, err := p.Text(m)
		if err != nil || kernel.Len16(text) != m.Chars {
			t.Errorf("%s: %d chars, want %d; %v", m.ID, kernel.Len16(text), m.Chars, err)
		}
	}
	for !next(t, p).Reset {
	}
	if _, err := p.Text(messages[11]); err == nil || !strings.Contains(err.Error(), "started over") {
		t.Errorf("a text of the session before: %v", err)
	}
}

func TestAgainStandsAtTheSameMoment(t *testing.T) {
	p, _ := play(t)
	var read int64
	for range 40 {
		read = next(t, p).Status.Read
	}
	e := next(t, p.Again(func(text string) kernel.Tokens { return kernel.Tokens(len(text)) }))
	if e.Status.Read != read || len(e.Change.Entries) < 20 {
		t.Errorf("read %d bytes, want %d; %d entries", e.Status.Read, read, len(e.Change.Entries))
	}
}
