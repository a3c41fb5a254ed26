package hoststate

import (
	"context"
	"time"

	"ctxscope/kernel"
)

// Judge judges the list of a run by the state, and compares the state with the
// run's replay. The run is the replay itself where the state names nothing of
// its list.
func (s State) Judge(k *kernel.Kernel, r kernel.Run) (kernel.Run, Comparison) {
	d := s.compare(r.Replay())
	if d.out.Foreign {
		return r.Replay(), d.out
	}
	return k.FromHost(r.Replay(), d.state), d.out
}

// Keep is Judge for a run that the same state has judged before its list went
// on, which costs less.
func (s State) Keep(k *kernel.Kernel, r kernel.Run) (kernel.Run, Comparison) {
	if s.Hashed || !r.Hosted() { // more of the list may have a name now
		return s.Judge(k, r)
	}
	c := Drift(s, r.Replay())
	if c.Foreign {
		r = r.Replay()
	}
	return r, c
}

// Named is what people call the host's file.
func (s State) Named() string {
	switch s.Kind {
	case PiSidecar:
		return "Pi sidecar"
	case KernelStore:
		return "kernel store"
	case OmpFold:
		return "oh-my-pi plugin"
	case ProxySession:
		return "billion-context proxy"
	case OpencodeACP:
		return "opencode-acp"
	}
	return "opencode DCP"
}

// When is when the host saved the state, in epoch milliseconds: as the file
// says, else when it was changed last.
func (s State) When() int64 {
	if s.Saved > 0 {
		return s.Saved
	}
	return s.Modified
}

// again is how long a file that seems to be half written is left alone before
// it is looked at once more.
const again = 100 * time.Millisecond

// Once looks for the state of a session, some times more where it seems to be
// half written just now. It takes less than a second.
func (m Machine) Once(ctx context.Context, q Query) View {
	f := Follow(m)
	view, _ := f.Look(q)
	for f.failed > 0 && f.failed <= patience && ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-time.After(again):
		}
		view, _ = f.Look(q)
	}
	return view
}
