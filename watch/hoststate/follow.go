package hoststate

import (
	"errors"
	"fmt"
	"os"
	"time"
)

// patience is how many looks in a row may fail before a file that seems to be
// half written is called unreadable, and left alone until it changes.
const patience = 3

// Follower keeps the state of one session up to date. It belongs to one
// goroutine.
type Follower struct {
	machine Machine
	query   Query  // what the looks are for, its session told by the members that they depend on
	looks   []look // the places to look in
	view    View
	print   string // what the files were like when they were read
	failed  int    // looks in a row that could not read them
}

// View is what a look found. Once there was a state, the last good one stands
// until there is a newer one or another session.
type View struct {
	State State
	Found bool
	Note  string // one sentence for people, or empty: why State is not what is there now, or why there is none
}

// Follow makes a follower.
func Follow(m Machine) *Follower { return &Follower{machine: m} }

// Look looks whether the files have changed, and reads them again if so: it
// costs little when they have not. changed says that the view is another one
// than that of the look before.
func (f *Follower) Look(q Query) (view View, changed bool) {
	if !f.query.same(q) {
		changed = f.view.Found || f.view.Note != ""
		*f = Follower{machine: f.machine, query: q, looks: f.machine.looks(q)}
	}
	print := imprint(f.looks)
	if print == f.print && (f.failed == 0 || f.failed > patience) {
		return f.view, changed
	}
	f.looks = f.machine.looks(q)
	print = imprint(f.looks)
	before := f.view.Note
	f.print = print
	state, err := f.machine.Find(q)
	switch {
	case err == nil:
		f.view, f.failed = View{State: state, Found: true}, 0
		return f.view, true
	case errors.Is(err, ErrNone):
		f.failed = 0
		if f.view.Note = ""; f.view.Found {
			f.view.Note = "the host's state file is gone" + f.standing()
		}
	default:
		f.failed++
		f.view.Note = f.failure(err)
	}
	return f.view, changed || f.view.Note != before
}

// same reports whether the state of both sessions is at the same places.
func (q Query) same(o Query) bool {
	a, b := q.Session, o.Session
	return q.Path == o.Path && a.ID == b.ID && a.Format == b.Format && a.Agent == b.Agent && a.Folder == b.Folder
}

// failure is the sentence for a state that cannot be read now.
func (f *Follower) failure(err error) string {
	switch {
	case errors.Is(err, ErrHalf) && f.failed <= patience:
		return "the host's state file is being written" + f.standing()
	case errors.Is(err, ErrEncrypted):
		f.failed = patience + 1
		return ErrEncrypted.Error() + f.standing()
	}
	f.failed = patience + 1
	if inner := errors.Unwrap(err); inner != nil { // without the path, which is long
		err = inner
	}
	return fmt.Sprintf("the host's state is unreadable: %v%s", err, f.standing())
}

// standing says which state stands instead.
func (f *Follower) standing() string {
	if !f.view.Found {
		return ""
	}
	return "; the one of " + time.UnixMilli(f.view.State.Modified).Format("15:04:05") + " stands"
}

// imprint is what the files and folders that a state depends on are like.
func imprint(looks []look) string {
	print := ""
	for _, l := range looks {
		for _, path := range l.paths {
			if info, err := os.Lstat(path); err == nil {
				print += fmt.Sprintf("%s %d %d\n", path, info.Size(), info.ModTime().UnixNano())
			}
		}
	}
	return print
}
