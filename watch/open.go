package watch

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"ctxscope/kernel"
)

// Options say how a source is read.
type Options struct {
	// Counter measures the messages; nil is the kernel's estimate.
	Counter kernel.Counter
	// Once reads what is there, in one event, and then Next gives io.EOF.
	Once bool
	// Session is the id of the session of a database that is read; empty is
	// the one that changed last and that no other session started.
	Session string

	hooks *hooks // nil: the real ones
}

// Open follows the transcript at path. It only ever reads. A file that is not
// there yet is waited for, unless Options.Once is set; what is there and is no
// regular file, or cannot be read, is refused.
//
// The file is looked at whenever the system tells of a change in its folder,
// and at least once a second. A file that was cut, replaced or rewritten is
// read again from its start (Event.Reset); one that is removed is waited for.
// The first reading of a large file comes in several events.
//
// A database of opencode's, and the file of a session in a folder of such
// files, are looked at once a second at least; their records change in place.
func Open(path string, options Options) (Source, error) {
	full, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("open transcript %s: %w", path, err)
	}
	f, _, err := openRegular(full)
	switch {
	case err == nil:
		// The first look opens it again, so that each look does the same.
		if err := f.Close(); err != nil {
			return nil, fmt.Errorf("open transcript %s: %w", path, err)
		}
	case !missing(err) || options.Once:
		return nil, fmt.Errorf("open transcript %s: %w", path, err)
	}
	s, err := openStore(full, options.Session)
	if err != nil {
		return nil, fmt.Errorf("open session %s: %w", path, err)
	}
	if s != nil {
		return newRows(full, s, options), nil
	}
	return newTail(full, options), nil
}

// longestInput is how many bytes are kept of what is no file.
const longestInput = 2 << 30

// readAll reads r to its end, which must come after most bytes at the latest.
func readAll(r io.Reader, most int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, most+1))
	if err == nil && int64(len(data)) > most {
		err = fmt.Errorf("it is longer than %d bytes; name a file instead", most)
	}
	return data, err
}

// OpenReader reads r to its end and gives what it holds as a source that has
// ended. The bytes stay in memory, so that texts can be shown.
func OpenReader(name string, r io.Reader, options Options) (Source, error) {
	data, err := readAll(r, longestInput)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	h := options.hooked()
	return &still{
		name:    name,
		size:    int64(len(data)),
		reading: &reading{file: memory{bytes.NewReader(data)}, decoder: h.newDecoder(options.Counter)},
	}, nil
}

func (o Options) hooked() hooks {
	if o.hooks != nil {
		return *o.hooks
	}
	return realHooks()
}

// memory is a file that lies in memory.
type memory struct{ *bytes.Reader }

func (memory) Close() error { return nil }

// openRegular opens the regular file at path for reading. It never waits: a
// pipe without a writer is refused like every other thing that is not a file.
func openRegular(path string) (*os.File, os.FileInfo, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, nil, reason(err)
	}
	if err := refuse(info.Mode()); err != nil {
		return nil, nil, err
	}
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, reason(err)
	}
	// It may be another one than it was a moment ago.
	info, err = f.Stat()
	if err == nil {
		err = refuse(info.Mode())
	}
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return f, info, nil
}

// reason is err without the name of the file.
func reason(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

func refuse(mode fs.FileMode) error {
	switch {
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		return notRegular("it is a folder; name a session file in it")
	case mode&fs.ModeNamedPipe != 0:
		return notRegular("it is a pipe, which cannot be followed; name a file")
	case mode&fs.ModeSocket != 0:
		return notRegular("it is a socket; name a file")
	case mode&fs.ModeDevice != 0:
		return notRegular("it is a device; name a file")
	default:
		return notRegular("it is not a regular file")
	}
}

// notRegular says what stands where a file should be.
type notRegular string

func (e notRegular) Error() string { return string(e) }
