package watch

import (
	"context"
	"io"
	"sync"
)

// closing lets a source be closed while its Next is out: Next then ends, and
// what it uses is closed behind it. Close waits for nothing, since a file may
// lie where reading takes long.
type closing struct {
	end  context.CancelFunc
	over context.Context // done from Close on
	shut func() error    // closes what the source uses

	mu     sync.Mutex // held by Next, and by shut
	closed bool       // guarded by mu
}

func newClosing(shut func() error) *closing {
	over, end := context.WithCancel(context.Background())
	return &closing{over: over, end: end, shut: shut}
}

// next is a Next that ends with io.EOF when the source is closed.
func (c *closing) next(ctx context.Context, next func(context.Context) (Event, error)) (Event, error) {
	if c.over.Err() == nil {
		event, err := c.turn(ctx, next)
		if c.over.Err() == nil {
			return event, err
		}
	}
	// What is closed late was only read, and nobody waits for it any more.
	_ = c.shutOnce()
	return Event{}, io.EOF
}

func (c *closing) turn(ctx context.Context, next func(context.Context) (Event, error)) (Event, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(c.over, cancel)()
	return next(ctx)
}

// Close ends the watch.
func (c *closing) Close() error {
	c.end()
	return c.shutOnce()
}

// shutOnce leaves it to Next where that is out.
func (c *closing) shutOnce() error {
	if !c.mu.TryLock() {
		return nil
	}
	defer c.mu.Unlock()
	if c.closed {
		return nil
	}
	c.closed = true
	return c.shut()
}
