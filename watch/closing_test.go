package watch

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"ctxscope/kernel"
	"ctxscope/watch/decode"
	"ctxscope/watch/opencode"
)

// stopping is a decoder that stops at its first line until it may go on.
type stopping struct {
	decode.Decoder
	met  chan<- struct{}
	goOn <-chan struct{}
}

func (s stopping) Line(line []byte, at decode.Place) {
	s.met <- struct{}{}
	<-s.goOn
	s.Decoder.Line(line, at)
}

// bell is an alarm that says when it is closed.
type bell struct {
	alarm
	closed chan struct{}
}

func (b bell) close() error {
	close(b.closed)
	return b.alarm.close()
}

func TestWhatNextUsesIsClosedBehindIt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	writeBigFile(t, path, 2*blockSize, 300)
	h, met, goOn, closed := realHooks(), make(chan struct{}), make(chan struct{}), make(chan struct{})
	h.newDecoder = func(count kernel.Counter) decode.Decoder { return stopping{decode.New("", count), met, goOn} }
	h.newAlarm = func() (alarm, error) {
		a, err := newFolderAlarm()
		return bell{a, closed}, err
	}
	source, err := Open(path, Options{hooks: &h})
	if err != nil {
		t.Fatal(err)
	}
	next := make(chan error)
	go func() {
		_, err := source.Next(t.Context())
		next <- err
	}()
	<-met
	if err := source.Close(); err != nil { // while a line is taken
		t.Error(err)
	}
	close(goOn)
	for out := true; out; {
		select {
		case <-met:
		case err = <-next:
			out = false
		}
	}
	if !errors.Is(err, io.EOF) {
		t.Errorf("next ends with %v", err)
	}
	if _, err := source.(*tail).current.file.ReadAt(make([]byte, 1), 0); !errors.Is(err, os.ErrClosed) {
		t.Errorf("the file is not closed: %v", err)
	}
	select {
	case <-closed:
	default:
		t.Error("the alarm is not closed")
	}
	if _, err := source.Next(t.Context()); !errors.Is(err, io.EOF) || source.Close() != nil {
		t.Errorf("after it was closed: %v", err)
	}
}

func TestClosingEndsANextThatWaits(t *testing.T) {
	h, waits := realHooks(), make(chan struct{}, 1)
	h.timer = func(time.Duration) (<-chan time.Time, func() bool) { // it never fires
		waits <- struct{}{}
		return nil, func() bool { return true }
	}
	for name, source := range map[string]Source{
		"a file":     newTail(filepath.Join(t.TempDir(), "s.jsonl"), Options{hooks: &h}),
		"a database": newRows("/x/opencode.db", &fixedStore{[]error{nil}, []opencode.State{{Found: true}}}, Options{hooks: &h}),
	} {
		t.Run(name, func(t *testing.T) {
			next := make(chan error)
			go func() {
				var err error
				for err == nil {
					_, err = source.Next(t.Context())
				}
				next <- err
			}()
			<-waits
			if err := source.Close(); err != nil {
				t.Error(err)
			}
			select {
			case err := <-next:
				if !errors.Is(err, io.EOF) {
					t.Error(err)
				}
			case <-time.After(10 * time.Second):
				t.Error("next still waits")
			}
		})
	}
}
