package watch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"

	"ctxscope/kernel"
	"ctxscope/watch/decode"
)

const (
	shortestWait = 250 * time.Millisecond
	longestWait  = time.Second
)

// hooks are what a tail needs of the world beside the file itself.
type hooks struct {
	now        func() time.Time
	timer      func(time.Duration) (fired <-chan time.Time, stop func() bool)
	newAlarm   func() (alarm, error)
	newDecoder func(kernel.Counter) decode.Decoder
}

func realHooks() hooks {
	return hooks{
		now: time.Now,
		timer: func(d time.Duration) (<-chan time.Time, func() bool) {
			t := time.NewTimer(d)
			return t.C, t.Stop
		},
		newAlarm:   newFolderAlarm,
		newDecoder: func(count kernel.Counter) decode.Decoder { return decode.New("", count) },
	}
}

// alarm rings when something happens to a file. It is a hint: it may ring for
// nothing, once for many changes, or not at all.
type alarm interface {
	// set watches the file name in folder, and no other file any more.
	set(folder, name string) error
	rings() <-chan struct{}
	// broken reports whether the folder is not watched any more: it was
	// removed or events fail.
	broken() bool
	// failed says why it will never ring again, nil while it may.
	failed() error
	close() error
}

// folderAlarm watches folders, since a file that is replaced takes a watch of
// its own with it.
type folderAlarm struct {
	watcher *fsnotify.Watcher
	ring    chan struct{}

	mu     sync.Mutex
	folder string
	name   string
	lost   bool
	fault  error // why nobody listens any more
}

func newFolderAlarm() (alarm, error) {
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("watch for file events: %w", err)
	}
	a := &folderAlarm{watcher: watcher, ring: make(chan struct{}, 1), lost: true}
	go a.listen()
	return a, nil
}

func (a *folderAlarm) set(folder, name string) error {
	a.mu.Lock()
	old := a.folder
	a.folder, a.name, a.lost = folder, name, false
	a.mu.Unlock()
	if old != "" {
		// It fails when the old folder is gone, and with it its watch.
		_ = a.watcher.Remove(old)
	}
	if err := a.watcher.Add(folder); err != nil {
		a.lose()
		return fmt.Errorf("watch folder %s: %w", folder, err)
	}
	return nil
}

func (a *folderAlarm) rings() <-chan struct{} { return a.ring }

func (a *folderAlarm) broken() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.lost
}

func (a *folderAlarm) failed() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.fault
}

func (a *folderAlarm) close() error { return a.watcher.Close() }

func (a *folderAlarm) lose() {
	a.mu.Lock()
	a.lost = true
	a.mu.Unlock()
}

// listen ends when the watcher is closed. A panic ends the listening, not the
// program: the file is looked at without events too.
func (a *folderAlarm) listen() {
	defer func() {
		if v := recover(); v != nil {
			a.mu.Lock()
			a.fault = fmt.Errorf("internal error: %v", v)
			a.mu.Unlock()
			a.sound()
		}
	}()
	events, failures := a.watcher.Events, a.watcher.Errors
	for events != nil || failures != nil {
		select {
		case event, ok := <-events:
			if !ok {
				events = nil
			} else if a.concerns(event) {
				a.sound()
			}
		case err, ok := <-failures:
			if !ok {
				failures = nil
				continue
			}
			if !errors.Is(err, fsnotify.ErrEventOverflow) {
				a.lose()
			}
			a.sound()
		}
	}
}

// concerns reports whether the event is about the file or its folder.
func (a *folderAlarm) concerns(event fsnotify.Event) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if filepath.Clean(event.Name) == a.folder {
		a.lost = a.lost || event.Has(fsnotify.Remove|fsnotify.Rename)
		return true
	}
	return filepath.Base(event.Name) == a.name
}

func (a *folderAlarm) sound() {
	select {
	case a.ring <- struct{}{}:
	default:
	}
}

// arm sets the alarm on the folder that the file lies in now.
func (t *tail) arm() {
	if t.options.Once || t.deaf {
		return
	}
	if t.alarm == nil {
		a, err := t.newAlarm()
		if err != nil {
			t.deaf = true
			return
		}
		t.alarm = a
	}
	if err := t.alarm.failed(); err != nil {
		t.note, t.noted = fmt.Sprintf("file events failed (%v); the file is looked at once a second", err), t.now()
		// What failed once may fail again here; nothing depends on it.
		_ = t.alarm.close()
		t.alarm, t.watching, t.deaf = nil, false, true
		return
	}
	target, err := filepath.EvalSymlinks(t.path)
	if err != nil {
		target = t.path
	}
	folder, err := os.Stat(filepath.Dir(target))
	if err != nil {
		t.watching, t.watched = false, nil
		return
	}
	if t.watched != nil && !t.alarm.broken() && t.target == target && os.SameFile(t.watched, folder) {
		return
	}
	t.target, t.watched = target, folder
	t.watching = t.alarm.set(filepath.Dir(target), filepath.Base(target)) == nil
}

// pause waits until it is time for another look.
func (t *tail) pause(ctx context.Context) {
	fired, stop := t.timer(t.wait)
	defer stop()
	var rings <-chan struct{}
	if t.alarm != nil {
		rings = t.alarm.rings()
	}
	select {
	case <-ctx.Done():
	case <-rings:
	case <-fired:
		t.wait = min(2*t.wait, longestWait)
	}
}
