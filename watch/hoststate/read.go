package hoststate

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// maxState is the most bytes of a state file.
const maxState = 64 << 20

var errLeaves = errors.New("it is a link out of its folder, which is not followed")

// Read reads the state in one file, whatever its kind.
func Read(path string) (State, error) {
	data, info, err := readFile(path)
	if err != nil {
		return State{}, fmt.Errorf("read state %s: %w", path, err)
	}
	s, err := Parse(data)
	if err != nil {
		return State{}, fmt.Errorf("read state %s: %w", path, err)
	}
	s.Path, s.Modified = path, info.ModTime().UnixMilli()
	return s, nil
}

// readFile reads a regular file of bounded size. It never waits.
func readFile(path string) ([]byte, os.FileInfo, error) {
	f, info, err := openFile(path)
	if err != nil {
		return nil, nil, err
	}
	if info.Size() > maxState {
		return nil, nil, errors.Join(errors.New("it is larger than 64 MiB, so it is no state"), f.Close())
	}
	data, err := io.ReadAll(io.LimitReader(f, maxState))
	return data, info, errors.Join(err, f.Close())
}

func openFile(path string) (*os.File, os.FileInfo, error) {
	if err := stays(path); err != nil {
		return nil, nil, err
	}
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("it is not a regular file")
	}
	if err != nil {
		return nil, nil, cause(err)
	}
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, cause(err)
	}
	// It may be another one than it was a moment ago.
	if info, err = f.Stat(); err == nil && !info.Mode().IsRegular() {
		err = errors.New("it is not a regular file")
	}
	if err != nil {
		return nil, nil, errors.Join(cause(err), f.Close())
	}
	return f, info, nil
}

// stays refuses a symbolic link to another folder: what a session names is not
// to be trusted with files elsewhere.
func stays(path string) error {
	info, err := os.Lstat(path)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return cause(err)
	}
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return cause(err)
	}
	folder, err := filepath.EvalSymlinks(filepath.Dir(path))
	if err != nil {
		return cause(err)
	}
	if filepath.Dir(target) != folder {
		return errLeaves
	}
	return nil
}

// cause is err without the name of the file.
func cause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

func missing(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// storeName is the name of the file in which the kernel's store keeps the
// session of that id.
func storeName(id string) string {
	sum := sha256.Sum256([]byte(id))
	return hex.EncodeToString(sum[:])[:24] + ".json"
}

// spillOf is where the store writes when the file itself cannot be replaced.
func spillOf(path string) string { return strings.TrimSuffix(path, ".json") + ".fb.json" }

// readStore reads the store's file for a session, or what was spilled beside
// it: the one that was saved later, and what was spilled when both were saved
// at once. The state of another session is refused.
func readStore(folder, id string) (State, error) {
	path := filepath.Join(folder, storeName(id))
	main, mainErr := readOwn(path, id)
	spill, spillErr := readOwn(spillOf(path), id)
	switch {
	case mainErr != nil && spillErr != nil:
		if missing(mainErr) && !missing(spillErr) {
			return State{}, spillErr
		}
		return State{}, mainErr
	case spillErr == nil && (mainErr != nil || later(spill, main)):
		if mainErr != nil && !missing(mainErr) {
			spill.Notes = append(spill.Notes, mainErr.Error())
		}
		return spill, nil
	}
	if spillErr != nil && !missing(spillErr) {
		main.Notes = append(main.Notes, spillErr.Error())
	}
	return main, nil
}

// later reports whether a was not saved before b, by what they say or else by
// their files.
func later(a, b State) bool {
	if a.Saved > 0 && b.Saved > 0 {
		return a.Saved >= b.Saved
	}
	return a.Modified >= b.Modified
}

// readOwn reads the state of one session.
func readOwn(path, id string) (State, error) {
	s, err := Read(path)
	if err == nil && s.Session != id {
		err = fmt.Errorf("read state %s: it is that of session %q", path, s.Session)
	}
	return s, err
}
