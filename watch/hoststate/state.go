// Package hoststate reads what a compression plugin keeps beside a session:
// its blocks, refs and stamps. It only ever reads, and never where a program
// may be waiting.
package hoststate

import (
	"errors"

	"ctxscope/kernel"
)

// Kind says who wrote a state and how.
type Kind string

// The kinds of state that can be read.
const (
	PiSidecar    Kind = "pi-sidecar"    // beside a Pi session
	KernelStore  Kind = "kernel-store"  // a kernel state in an envelope
	OmpFold      Kind = "omp-fold"      // the store of the oh-my-pi plugin
	ProxySession Kind = "proxy-session" // a session of the billion-context proxy
	OpencodeACP  Kind = "opencode-acp"  // the opencode plugin
	OpencodeDCP  Kind = "opencode-dcp"  // the plugin that it comes from
)

// State is what a host keeps of one session.
type State struct {
	Kind     Kind
	Path     string // the file that it was read from
	Session  string // the session's id as the file names it; empty: it does not
	Saved    int64  // epoch milliseconds, as the file says; 0: it does not
	Modified int64  // epoch milliseconds of the file's last change
	// Parents is 0 for a session's own state, and n for blocks that it takes
	// over from the session that it was forked from n forks ago.
	Parents int

	Kernel   kernel.State
	Counting string // what its refs number, as in decode.Session
	Hashed   bool   // ids are hashes of what was sent, not the transcript's
	// Messages are the messages that the file holds itself, measured by the
	// kernel's estimate.
	Messages []kernel.Message

	Title   string
	Model   string
	Window  kernel.Tokens // 0: not recorded
	Context kernel.Tokens // the newest request's size as the provider reported it, its reply not counted; 0: not recorded
	Pruned  kernel.Tokens // all that was ever taken out, where the host counts it so

	Notes []string // sentences about what was odd in the file

	fields fields // of the kernel's state, as far as they are sound
}

// Reasons why there is no state.
var (
	// ErrNone: no host has left a state beside the session.
	ErrNone = errors.New("no state of a compression plugin was found beside this session")
	// ErrEncrypted: only the host, which has the key, can read it.
	ErrEncrypted = errors.New("the state is encrypted; only the host has its key")
	// ErrCompressed: it is written in a form that is not read here.
	ErrCompressed = errors.New("the state is compressed with zstd, which is not read here")
	// ErrHalf: the file is no whole JSON text. It may be just being written.
	ErrHalf = errors.New("the state file is half written or damaged")
	// ErrNotState: it is JSON, but of nobody who is known.
	ErrNotState = errors.New("the file holds no state of a compression plugin")
)

// Folded lists the ids of the messages that active blocks stand for, each
// once, in the order of the blocks.
func (s State) Folded() []string {
	var ids []string
	met := map[string]bool{}
	for _, b := range s.Kernel.Blocks() {
		for _, id := range b.EffectiveMessageIDs {
			if b.Active && !met[id] {
				met[id] = true
				ids = append(ids, id)
			}
		}
	}
	return ids
}

// writes reports whether the file has a field of the nudge's stamps.
func (s State) writes(stamp string) bool { return s.fields.nudge()[stamp] != nil }
