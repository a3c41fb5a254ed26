package tui

import (
	"context"
	"errors"
	"io"
	"reflect"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"ctxscope/kernel"
	"ctxscope/watch"
	"ctxscope/watch/decode"
	"ctxscope/watch/hoststate"
	"ctxscope/watch/settings"
)

// track is one source followed through the kernel. Its jobs run in one lane:
// at most one is out, and what arrives meanwhile waits for the next.
type track struct {
	feed    int // tells its events from those of other sources
	gen     int // of its runs: a result of an older one is dropped
	source  watch.Source
	counter string // the name of its token counter
	count   kernel.Counter
	kernel  *kernel.Kernel
	session decode.Session
	status  watch.Status
	failure error // why the source ended, or nil
	peak    settings.Peak
	spent   spending
	setting settings.Settings

	base      kernel.Run      // the run that the next job starts from
	waiting   []kernel.Change // what no job has taken yet, oldest first
	length    int             // of the journal with waiting applied
	ended     bool            // nothing more will come
	call      *submission     // a call that waits to be applied
	submitted int             // calls so far
	ahead     *outlook        // a call whose outcome is to be shown
	hosted    int             // number of the view of the host's state that the newest job was given
	begun     bool            // a job was made for the runs of gen
	busy      bool            // a job is out
	loaded    bool            // the first read was seen to its end
	asked     patron          // whose settings are being read
	informed  patron          // whose settings are known
	layers    []settings.Layer
	title     title // what is asked for first, for a session without a title
	outdated  bool  // the runs were made with another configuration, and cannot be made again
	live      scene
	what      []branch // what-if branches, each made from the one before it
}

// branch is a what-if run: the one before it with one more call applied.
type branch struct {
	id     int
	made   []string // ids of the blocks that the calls up to it made
	scene  scene
	ranges []drafted // what the form held
	json   string    // the call, ready to copy
}

// submission is a call on its way into a new branch.
type submission struct {
	id     int
	call   kernel.Call
	ranges []drafted
}

// outlook is a call whose outcome is worked out without keeping it.
type outlook struct {
	number int // of the form's call
	call   kernel.Call
}

// take adds an event to what waits. A reset makes gen the generation of the
// runs to come.
func (t track) take(event watch.Event, gen int) track {
	if event.Reset {
		t = track{
			feed: t.feed, gen: gen, source: t.source, counter: t.counter, count: t.count,
			kernel: t.kernel, setting: t.setting, live: t.live, asked: t.asked, informed: t.informed, layers: t.layers,
		}
	}
	t.session, t.status, t.failure = event.Session, event.Status, nil
	if event.Change.Keep < t.length || len(event.Change.Entries) > 0 {
		t.waiting = append(slices.Clip(t.waiting), event.Change)
		t.length = event.Change.Keep + len(event.Change.Entries)
		t.peak = t.peak.After(event.Change)
		t.spent = t.spent.after(event.Change)
	}
	t.loaded = t.loaded || !event.Status.Loading()
	return t
}

// end notes that nothing more will come, and why if that is an error.
func (t track) end(err error) track {
	t.loaded, t.ended = true, true
	if !errors.Is(err, io.EOF) {
		t.failure = err
	}
	return t
}

// merge gives the change that does what changes do one after the other. It
// leaves them as they were. No changes at all are the change of an empty
// journal that stays empty.
func merge(changes []kernel.Change) kernel.Change {
	if len(changes) == 1 {
		return changes[0]
	}
	var out kernel.Change
	for i, c := range changes {
		if i == 0 || c.Keep <= out.Keep {
			out = kernel.Change{Keep: c.Keep, Entries: slices.Clone(c.Entries)}
			continue
		}
		out.Entries = append(out.Entries[:c.Keep-out.Keep], c.Entries...)
	}
	return out
}

// settle makes the kernel from what is known of the session. It reports
// whether runs were already made with another configuration: they must be
// made again from the start.
func (t track) settle(choice settings.Choice) (track, bool) {
	choice.Host = t.layers
	now := settings.Resolve(choice, t.session, t.peak.Tokens())
	if t.begun && !reflect.DeepEqual(now.Config, t.setting.Config) {
		return t, true
	}
	if t.kernel == nil || !t.begun {
		t.kernel = kernel.New(now.Config, t.count)
	}
	t.setting = now
	return t, false
}

// job starts the next kernel job, unless one is out or there is nothing to
// do. A submitted call goes first, since it is meant for the run on the
// screen; the outcome of a call that is still being put together goes last.
func (t track) job(h *host) (track, tea.Cmd) {
	view, number := h.viewOf(&t)
	switch {
	case t.busy || !t.loaded || t.kernel == nil:
		return t, nil
	case t.call != nil:
		return t.apply()
	case len(t.waiting) > 0 || !t.begun || t.hosted != number:
		return t.advance(view, number)
	case t.ahead != nil:
		return t.foresee()
	}
	return t, nil
}

// advance takes the session further, and judges it by what the host keeps.
func (t track) advance(view hoststate.View, number int) (track, tea.Cmd) {
	k, base, what, changes, feed, gen := t.kernel, t.base, t.what, t.waiting, t.feed, t.gen
	if !t.begun {
		base = k.Start()
	}
	anew := t.hosted != number
	t.busy, t.begun, t.waiting, t.hosted = true, true, nil, number
	title, source, named := t.title, t.source, t.session.Title != ""
	return t, guard(func() tea.Msg {
		run, hosting := judgedBy(k, advanced(k, base, changes), view, anew)
		anew := anew || run.Hosted() && view.State.Hashed || run.Hosted() != base.Hosted()
		msg := advancedMsg{feed: feed, gen: gen, live: sceneOf(k, run)}
		msg.live.host, msg.anew = hosting, anew
		if msg.title = title; !named {
			msg.title = title.find(source, run)
		}
		for _, b := range what {
			b.scene = sceneOf(k, branchOn(k, b.scene.run, run, changes, anew))
			msg.branches = append(msg.branches, b)
		}
		return msg
	})
}

func (t track) apply() (track, tea.Cmd) {
	k, run, s, feed, gen := t.kernel, t.shown().run, *t.call, t.feed, t.gen
	t.busy, t.call = true, nil
	return t, guard(func() tea.Msg {
		after, verdict := k.Apply(run, s.call)
		return appliedMsg{feed: feed, gen: gen, submission: s, verdict: verdict, scene: sceneOf(k, after)}
	})
}

// foresee works out what would hold after a call. It runs in the lane because
// Apply, unlike Check, must not run beside another job on the same run.
func (t track) foresee() (track, tea.Cmd) {
	k, run, ahead, feed, gen := t.kernel, t.shown().run, *t.ahead, t.feed, t.gen
	t.busy, t.ahead = true, nil
	return t, guard(func() tea.Msg {
		after, _ := k.Apply(run, ahead.call)
		report := after.Now()
		return foreseenMsg{feed: feed, gen: gen, number: ahead.number, report: &report}
	})
}

// advanced takes the outcome of a job. A branch that was undone meanwhile
// stays away; one whose place in the session was taken back goes, and lost
// says so.
func (t track) advanced(msg advancedMsg) (next track, lost bool) {
	t.busy, t.base, t.live, t.title = false, msg.live.run, msg.live, msg.title
	what := make([]branch, 0, len(t.what))
	for _, b := range t.what {
		for _, after := range msg.branches {
			if after.id == b.id {
				b.scene = after.scene
			}
		}
		if b.scene.run.WhatIf() == len(what)+1 {
			what = append(what, b)
		}
	}
	lost = len(what) < len(t.what)
	t.what = what
	return t, lost
}

// shown is the scene on the screen: the newest what-if branch, else the live
// one.
func (t *track) shown() *scene {
	if n := len(t.what); n > 0 {
		return &t.what[n-1].scene
	}
	return &t.live
}

// listen asks the source for what is new. It gives no message when the
// program has ended.
func (t track) listen(ctx context.Context) tea.Cmd {
	source, feed := t.source, t.feed
	return guard(func() tea.Msg {
		event, err := source.Next(ctx)
		if ctx.Err() != nil || errors.Is(err, context.Canceled) {
			return nil
		}
		return eventMsg{feed: feed, event: event, err: err}
	})
}
