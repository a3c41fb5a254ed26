package opencode

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// longestFile is more bytes than the file of a message or a part has: a longer
// one is none, and would fill the memory.
const longestFile = 256 << 20

// readFile reads a regular file. Of one that is too long it reads nothing.
func readFile(path string) ([]byte, error) {
	file, err := entryAt(path)
	if err != nil || file.size > longestFile {
		return nil, err
	}
	return os.ReadFile(path)
}

// namesIn lists the JSON files of a folder by name, without their ends, and
// what is not read there with a sentence that says why. A folder that is not
// there holds none.
func (t *Tree) namesIn(folder string) (names []string, refused map[string]string, err error) {
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err == nil {
		err = t.holds(folder)
	}
	if err != nil {
		return nil, nil, err
	}
	refused = map[string]string{}
	for _, entry := range entries {
		name, ok := strings.CutSuffix(entry.Name(), ".json")
		if !ok || entry.IsDir() {
			continue
		}
		if why := t.refuse(filepath.Join(folder, entry.Name()), entry); why != "" {
			refused[name] = why
			continue
		}
		names = append(names, name)
	}
	return names, refused, nil
}

// refuse says why what is at path is not read as a file of a message; empty
// when it is.
func (t *Tree) refuse(path string, entry fs.DirEntry) string {
	kind := entry.Type()
	if kind&fs.ModeSymlink != 0 {
		info, err := os.Stat(path)
		if err == nil {
			err = t.holds(path)
		}
		if err != nil {
			return "it is a symbolic link: " + reason(err).Error()
		}
		kind = info.Mode().Type()
	}
	switch {
	case kind.IsRegular():
		info, err := entry.Info()
		if err == nil && info.Size() > longestFile {
			return fmt.Sprintf("it has %d bytes, more than any record", info.Size())
		}
		return ""
	case kind&fs.ModeNamedPipe != 0:
		return "it is a pipe"
	case kind&fs.ModeDevice != 0:
		return "it is a device"
	}
	return "it is no file"
}

// holds fails when what is at path is a symbolic link that leads out of the
// folder of the sessions.
func (t *Tree) holds(path string) error {
	info, err := os.Lstat(path)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return err
	}
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	root, err := filepath.EvalSymlinks(t.storage)
	if err != nil {
		return err
	}
	below, err := filepath.Rel(root, target)
	if err != nil || below == ".." || strings.HasPrefix(below, ".."+string(filepath.Separator)) {
		return fmt.Errorf("it leads out of the folder of the sessions, to %s", target)
	}
	return nil
}

// reason is err without the name of the file.
func reason(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
