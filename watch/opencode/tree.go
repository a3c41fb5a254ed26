package opencode

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ctxscope/watch/decode"
)

// Tree is one session of a folder of JSON files: one file for the session, one
// for each message and one for each part. Its methods are called by one
// goroutine at a time, except Record, which may be called beside Read.
type Tree struct {
	path     string // of the session's file
	session  string
	storage  string   // the folder that all files lie in
	messages string   // folder of the session's messages
	parts    []string // folders that may hold a folder of a message's parts
	numbers  numbers

	info   string
	times  map[string]float64 // when messages were made, epoch milliseconds
	order  []string
	marks  map[string]mark // of the messages that were read
	tried  map[string]attempt
	newest int64
	state  State
}

// attempt counts how often a message was met half written.
type attempt struct {
	mark  mark
	times int
}

// patience is how often a half-written file is met, unchanged, until it counts
// as damaged.
const patience = 5

// OpenTree opens the session whose own file is at path. It fails with
// ErrNoSession when the file is not such a file.
func OpenTree(path string) (*Tree, error) {
	data, err := readFile(path)
	if err != nil {
		return nil, err
	}
	id, ok := isSessionFile(data)
	if !ok {
		return nil, fmt.Errorf("%w: the file is not the file of one", ErrNoSession)
	}
	sessions := filepath.Dir(filepath.Dir(path))
	storage := filepath.Dir(sessions)
	t := &Tree{
		path: path, session: id, storage: storage, messages: filepath.Join(storage, "message", id),
		parts: []string{filepath.Join(storage, "part"), filepath.Join(storage, "part", id), filepath.Join(sessions, "part", id)},
		times: map[string]float64{}, marks: map[string]mark{}, tried: map[string]attempt{},
	}
	if old := filepath.Join(sessions, "message", id); !isFolder(t.messages) && isFolder(old) {
		t.messages = old
	}
	return t, nil
}

// isSessionFile reports whether data is a session's own file, and gives the
// session's id.
func isSessionFile(data []byte) (id string, ok bool) {
	var s struct {
		ID      string
		Version *string
		Time    *struct{ Created float64 }
		Info    json.RawMessage // an export has it
	}
	if json.Unmarshal(data, &s) != nil || s.Time == nil || s.Version == nil || s.Info != nil {
		return "", false
	}
	return s.ID, strings.HasPrefix(s.ID, "ses_") && s.ID == filepath.Base(s.ID)
}

// Read takes up what has changed since the last call and gives it to the
// decoder, all of it whatever piece says. A file that is just being written is
// left as it was read before.
//
// What stands where a file of a message should and is none, or leads out of the
// storage folder, is not read; the decoder is told why.
//
// It fails with fs.ErrNotExist when the session's file is not there. What was
// read before stands.
func (t *Tree) Read(ctx context.Context, into *decode.Opencode, _ int64) (State, error) {
	again, err := t.readInfo(into)
	if err != nil {
		return t.state, err
	}
	for _, id := range again {
		delete(t.marks, id)
	}
	ids, refused, err := t.ids()
	if err != nil {
		return t.state, err
	}
	for name, why := range refused {
		into.Miss("message "+name, why)
	}
	before := t.newest
	t.state.Read, t.state.Size, t.state.Note = int64(len(t.info)), int64(len(t.info)), ""
	there := map[string]bool{}
	for _, id := range ids {
		if err := ctx.Err(); err != nil {
			return t.state, err
		}
		there[id] = true
		if err := t.readMessage(into, id, before); err != nil {
			return t.state, err
		}
	}
	t.arrange(into, ids, there)
	t.state.Found = true
	return t.state, nil
}

// ids lists the messages by their files. It fails when one of the folders that
// files are looked for in leads out of that of the sessions.
func (t *Tree) ids() (ids []string, refused map[string]string, err error) {
	for _, folder := range append([]string{t.messages, filepath.Dir(t.messages)}, t.parts...) {
		if err := t.holds(folder); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, nil, fmt.Errorf("%s: %w", folder, reason(err))
		}
	}
	return t.namesIn(t.messages)
}

// readInfo reads the session's own file.
func (t *Tree) readInfo(into *decode.Opencode) (again []string, err error) {
	data, err := readFile(t.path)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(t.path)
	if err != nil {
		return nil, err
	}
	t.state.Modified = max(t.state.Modified, info.ModTime().UnixMilli())
	if _, ok := isSessionFile(data); !ok || string(data) == t.info {
		return nil, nil // it is just being written, or as it was
	}
	t.info = string(data)
	return into.Info(data), nil
}

// readMessage reads a message again if it may have changed.
func (t *Tree) readMessage(into *decode.Opencode, id string, before int64) error {
	paths, refused, m, err := t.look(id)
	if errors.Is(err, fs.ErrNotExist) { // it went away just now
		return nil
	}
	if err != nil {
		return err
	}
	if refused != "" {
		into.Miss("message "+id, refused)
	}
	t.newest = max(t.newest, m.newest)
	t.state.Modified = max(t.state.Modified, m.newest)
	t.state.Size += m.bytes
	t.state.Read += m.bytes
	if read, known := t.marks[id]; !m.changed(read, known, before) {
		return nil
	}
	data, info, whole, err := readRecord(id, paths)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if !whole {
		a := t.tried[id]
		if a.mark != m {
			a = attempt{mark: m}
		}
		if a.times++; a.times <= patience {
			t.tried[id] = a
			t.state.Note = "a message is just being written"
			return nil
		}
	}
	delete(t.tried, id)
	var head struct{ Time struct{ Created float64 } }
	// What is no time counts as 0.
	_ = json.Unmarshal(info, &head)
	t.times[id], t.marks[id] = head.Time.Created, m
	into.Put(id, data, t.numbers.source(id, len(data)))
	return nil
}

// look finds the files of a message, its own first, and what they are like.
// refused says why some of its parts are not read.
func (t *Tree) look(id string) (paths []string, refused string, m mark, err error) {
	paths = []string{filepath.Join(t.messages, id+".json")}
	for _, folder := range t.parts {
		names, others, err := t.namesIn(filepath.Join(folder, id))
		if err != nil {
			return nil, "", mark{}, err
		}
		for _, name := range names {
			paths = append(paths, filepath.Join(folder, id, name+".json"))
		}
		for _, name := range slices.Sorted(maps.Keys(others)) {
			refused += "its part " + name + " is not read: " + others[name] + ". "
		}
		if len(names) > 0 {
			break
		}
	}
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, "", mark{}, err
		}
		at := info.ModTime().UnixMilli()
		m.parts++
		m.bytes += info.Size()
		m.sum += at
		m.newest = max(m.newest, at)
	}
	return paths, strings.TrimSuffix(refused, ". "), m, nil
}

// readRecord reads a message and its parts. whole is false when one of the
// files is no whole JSON object.
func readRecord(id string, paths []string) (data, info []byte, whole bool, err error) {
	var out *record
	whole = true
	for i, path := range paths {
		file, err := readFile(path)
		if err != nil {
			return nil, nil, false, err
		}
		whole = whole && json.Valid(file)
		if i == 0 {
			info, out = file, newRecord(id, file)
			continue
		}
		out.part(strings.TrimSuffix(filepath.Base(path), ".json"), file)
	}
	return out.whole(), info, whole, nil
}

// arrange tells the decoder which messages there are: those that were read, by
// their times.
func (t *Tree) arrange(into *decode.Opencode, ids []string, there map[string]bool) {
	order := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { _, read := t.marks[id]; return !read })
	slices.SortFunc(order, func(a, b string) int { return cmp.Or(cmp.Compare(t.times[a], t.times[b]), strings.Compare(a, b)) })
	into.Arrange(order)
	for _, id := range t.order {
		if !there[id] {
			into.Forget(id)
			delete(t.marks, id)
		}
	}
	t.order = order
}

// Session is the id of the session.
func (t *Tree) Session() string { return t.session }

// Record reads the record of the message at that place again.
func (t *Tree) Record(_ context.Context, number int64) ([]byte, error) {
	id, err := t.numbers.id(number)
	if err != nil {
		return nil, err
	}
	paths, _, _, err := t.look(id)
	if err != nil {
		return nil, err
	}
	data, _, _, err := readRecord(id, paths)
	return data, err
}
