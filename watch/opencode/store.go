package opencode

import (
	"errors"
	"fmt"
	"sync"

	"ctxscope/kernel"
)

// ErrNoSession: what was opened is no store of opencode's sessions, or does
// not have the session that was asked for.
var ErrNoSession = errors.New("no opencode session")

// ErrBusy: the store cannot be read at this moment, but soon may be.
var ErrBusy = errors.New("the database is busy")

// State says how far a session was read.
type State struct {
	More     bool   // there is more to read at once
	Found    bool   // the session is there
	Read     int64  // bytes of the records that were read
	Size     int64  // bytes of all records
	Modified int64  // epoch milliseconds of the session's last change
	Note     string // what a person should know, or empty
}

// settleTime is how many milliseconds before the newest change a record may
// have been changed twice without a trace: clocks are coarse, so such records
// are read again.
const settleTime = 2000

// mark is what a message and its parts were like when they were read.
type mark struct {
	parts  int64 // how many
	bytes  int64
	newest int64 // change, epoch milliseconds
	sum    int64 // of all times of change
}

// changed reports whether a message may have changed since it was read. before
// is the newest change that the listing knew from which it was read.
func (m mark) changed(read mark, known bool, before int64) bool {
	return !known || m != read || m.newest >= before-settleTime
}

// numbers gives each message id a number, which kernel.Source can hold.
type numbers struct {
	mu  sync.Mutex
	ids []string
	of  map[string]int64
}

// source is where the record of a message stands, length bytes of it.
func (n *numbers) source(id string, length int) kernel.Source {
	n.mu.Lock()
	defer n.mu.Unlock()
	at, known := n.of[id]
	if !known {
		if n.of == nil {
			n.of = map[string]int64{}
		}
		at = int64(len(n.ids))
		n.ids, n.of[id] = append(n.ids, id), at
	}
	return kernel.Source{Offset: at, Length: int64(length)}
}

// id is the message of that number.
func (n *numbers) id(number int64) (string, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if number < 0 || number >= int64(len(n.ids)) {
		return "", fmt.Errorf("record %d is none of this session", number)
	}
	return n.ids[number], nil
}
