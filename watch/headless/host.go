package headless

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"ctxscope/kernel"
	"ctxscope/watch"
	"ctxscope/watch/hoststate"
)

// Host is the state that a compression plugin keeps of the session, beside
// what a replay of the transcript makes of it.
type Host struct {
	Kind   hoststate.Kind         `json:"kind,omitempty"` // empty: no state could be read
	File   string                 `json:"file,omitempty"`
	Used   bool                   `json:"used"`            // blocks, refs, stamps and verdicts are the host's; false: a replay's
	Saved  int64                  `json:"saved,omitempty"` // epoch milliseconds
	Forks  int                    `json:"forks,omitempty"` // its blocks are those of the session that this one was forked from so many forks ago
	Unseen int                    `json:"unseen"`          // newest messages that the host had not numbered
	Drift  []hoststate.Difference `json:"drift"`           // between host and replay: blocks, then refs, then stamps
	Notes  []string               `json:"notes"`           // sentences: why it is not used or compared, what is odd in the file

	name string
}

// judge runs the transcript and judges what stands at its end: by the host's
// own state, where one is found, else by the replay. host is nil when none was
// found and nothing stands where one would be.
func (l loaded) judge() (run kernel.Run, host *Host) {
	run = l.kernel.Advance(l.kernel.Start(), l.change)
	if !l.host.Found && l.host.Note == "" {
		return run, nil
	}
	host = &Host{Drift: []hoststate.Difference{}, Notes: []string{}}
	if l.host.Note != "" {
		host.Notes = append(host.Notes, l.host.Note)
	}
	if !l.host.Found {
		return run, host
	}
	state := l.host.State
	run, c := state.Judge(l.kernel, run)
	host.Kind, host.File, host.Saved, host.Forks, host.name = state.Kind, state.Path, state.When(), state.Parents, state.Named()
	host.Used, host.Unseen = run.Hosted(), c.Unseen
	host.Drift = append(host.Drift, c.Differences...)
	if c.Note != "" {
		host.Notes = append(host.Notes, c.Note)
	}
	host.Notes = append(host.Notes, state.Notes...)
	return run, host
}

// Hosts is where states of hosts are looked for on m; nil: nowhere.
func (a *Arguments) Hosts(m watch.Machine) *hoststate.Machine {
	if a.NoHost {
		return nil
	}
	return &hoststate.Machine{Home: m.Home, Getenv: m.Getenv}
}

// lookForHost looks for a host's state of the session that was read.
func (o Options) lookForHost(ctx context.Context, l *loaded) {
	if o.Hosts == nil || o.File == "-" || l.session.Recording {
		return
	}
	l.host = o.Hosts.Once(ctx, hoststate.Query{Path: o.File, Session: l.session})
}

// source says in a sentence whose blocks, refs and stamps are shown.
func (h *Host) source() string {
	switch {
	case h == nil || h.Kind == "" || !h.Used:
		return "Blocks, refs and stamps come from a replay of the transcript."
	case h.Forks > 0:
		return fmt.Sprintf("Blocks, refs and stamps come from the host's state of the session that this one was forked from (%s).", h.called())
	}
	return fmt.Sprintf("Blocks, refs and stamps come from the host's own state (%s).", h.called())
}

func (h *Host) called() string {
	text := h.name + " " + filepath.Base(h.File)
	if h.Saved > 0 {
		text += ", saved " + time.UnixMilli(h.Saved).Format("2006-01-02 15:04:05")
	}
	return text
}

// driftShown is how many differences are written for people; JSON has all.
const driftShown = 20

// host writes what there is to say of a host's state beside its use.
func (p *page) host(h *Host) {
	if h == nil {
		return
	}
	if h.Kind == "" {
		p.title("Host state")
	} else {
		p.title("Host state against replay: %s", count(len(h.Drift), "difference"))
	}
	for _, note := range h.Notes {
		p.line("  %s", oneLine(note))
	}
	if h.Unseen > 0 {
		p.line("  the host has not seen the newest %s; their refs are those that it would give next", count(h.Unseen, "message"))
	}
	for _, d := range h.Drift[:min(len(h.Drift), driftShown)] {
		p.line("  %s %s", d.Kind, oneLine(d.Name))
		p.line("      %s", oneLine(d.Said()))
		p.line("      likely: %s", oneLine(d.Cause))
	}
	if more := len(h.Drift) - driftShown; more > 0 {
		p.line("  and %s more; --json has all", number(more))
	}
}
