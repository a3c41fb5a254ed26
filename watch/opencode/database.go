package opencode

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"ctxscope/watch/decode"
)

// Database is one session of a database. Its methods are called by one
// goroutine at a time, except Record, which may be called beside Read.
type Database struct {
	path    string
	session string // empty until the newest one was chosen
	numbers numbers
	now     func() time.Time

	files   files // as they were before the newest listing
	listed  bool
	info    string          // the session's own record
	order   []string        // message ids, as listed
	marks   map[string]mark // of the messages that were read
	listing map[string]mark // of those listed
	waiting []string        // messages that must be read, in order
	newest  int64           // change in the newest listing
	state   State
}

// files are what the system says about the database's files.
type files struct {
	database, wal entry
}

type entry struct {
	there    bool
	size     int64
	modified time.Time
}

// NewDatabase is the session of that id, or, when the id is empty, the one that
// changed last of those that no other session started. Nothing is read yet.
func NewDatabase(path, session string) *Database {
	return &Database{path: path, session: session, now: time.Now, marks: map[string]mark{}}
}

// Read takes up what has changed since the last call and gives it to the
// decoder, about piece bytes at most. It opens the database for the time of
// the call alone, and not at all when its files are as they were.
//
// It fails with ErrNoSession when the file is no database of opencode's, with
// ErrBusy when somebody holds it locked or just writes to it, and with
// fs.ErrNotExist when it is not there. What was read before stands.
func (d *Database) Read(ctx context.Context, into *decode.Opencode, piece int64) (State, error) {
	now, err := lookAt(d.path)
	if err != nil {
		return d.state, err
	}
	if len(d.waiting) == 0 && d.listed && now == d.files && !now.fresh(d.now()) {
		return d.state, nil
	}
	err = d.inside(ctx, func(tx *sql.Tx) error {
		if len(d.waiting) == 0 {
			if err := d.list(ctx, tx, into); err != nil {
				return err
			}
			d.files, d.listed = now, true
		}
		return d.take(ctx, tx, into, piece)
	})
	if errors.Is(err, errChanged) {
		clear(d.marks)
		d.listed, d.waiting = false, nil
	}
	d.state.More = err == nil && len(d.waiting) > 0
	return d.state, err
}

// lookAt asks the system about the files of a database. What is no regular
// file could be waited for without end, so it is refused.
func lookAt(path string) (f files, err error) {
	if f.database, err = entryAt(path); err != nil {
		return files{}, err
	}
	f.wal, err = entryAt(path + "-wal")
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return f, err
}

func entryAt(path string) (entry, error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a regular file", filepath.Base(path))
	}
	if err != nil {
		return entry{}, err
	}
	return entry{true, info.Size(), info.ModTime()}, nil
}

// fresh reports whether the files changed so lately that another change may
// bear the same time.
func (f files) fresh(now time.Time) bool {
	edge := now.Add(-settleTime * time.Millisecond)
	return f.database.modified.After(edge) || f.wal.modified.After(edge)
}

// list finds the session and its messages, and which of them must be read.
func (d *Database) list(ctx context.Context, tx *sql.Tx, into *decode.Opencode) error {
	if err := d.choose(ctx, tx); err != nil || d.session == "" {
		return err
	}
	again, found, err := d.readInfo(ctx, tx, into)
	if err != nil {
		return err
	}
	if !found {
		if !d.state.Found {
			return fmt.Errorf("%w: the database has no session %s", ErrNoSession, d.session)
		}
		d.state.Note = "the session was deleted; the last state stands"
		return nil
	}
	d.state.Found, d.state.Note = true, ""
	for _, id := range again {
		delete(d.marks, id)
	}
	return d.listMessages(ctx, tx, into)
}

const listMessages = `
	SELECT m.id, CAST(total(octet_length(p.data)) + coalesce(octet_length(m.data), 0) AS INTEGER), count(p.id),
		CAST(max(coalesce(m.time_updated, 0), coalesce(max(p.time_updated), 0)) AS INTEGER),
		CAST(coalesce(m.time_updated, 0) + total(p.time_updated) AS INTEGER)
	FROM message m LEFT JOIN part p ON p.message_id = m.id
	WHERE m.session_id = ?
	GROUP BY m.id
	ORDER BY m.time_created, m.id`

func (d *Database) listMessages(ctx context.Context, tx *sql.Tx, into *decode.Opencode) error {
	rows, err := tx.QueryContext(ctx, listMessages, d.session)
	if err != nil {
		return err
	}
	defer rows.Close()
	before, listing := d.newest, map[string]mark{}
	var order []string
	d.waiting, d.newest = nil, 0
	d.state.Read, d.state.Size = 0, int64(len(d.info))
	for rows.Next() {
		var id string
		var m mark
		if err := rows.Scan(&id, &m.bytes, &m.parts, &m.newest, &m.sum); err != nil {
			return err
		}
		order, listing[id] = append(order, id), m
		d.newest = max(d.newest, m.newest)
		d.state.Size += m.bytes
		if read, known := d.marks[id]; m.changed(read, known, before) {
			d.waiting = append(d.waiting, id)
		} else {
			d.state.Read += m.bytes
		}
	}
	if err := rows.Err(); err != nil {
		d.waiting = nil
		return err
	}
	d.state.Read += int64(len(d.info))
	d.state.Modified = max(d.state.Modified, d.newest)
	d.arrange(into, order, listing)
	return nil
}

// arrange tells the decoder which messages there are.
func (d *Database) arrange(into *decode.Opencode, order []string, listing map[string]mark) {
	into.Arrange(order)
	for _, id := range d.order {
		if _, there := listing[id]; !there {
			into.Forget(id)
			delete(d.marks, id)
		}
	}
	d.order, d.listing = order, listing
}

// take reads messages that wait, about piece bytes of them.
func (d *Database) take(ctx context.Context, tx *sql.Tx, into *decode.Opencode, piece int64) error {
	if len(d.waiting) == 0 {
		return nil
	}
	query, err := prepare(ctx, tx)
	if err != nil {
		return err
	}
	defer query.close()
	for len(d.waiting) > 0 && piece > 0 && ctx.Err() == nil {
		id := d.waiting[0]
		data, err := query.record(ctx, id)
		if err != nil && !errors.Is(err, sql.ErrNoRows) { // else it was deleted since the listing
			return err
		}
		if err == nil {
			into.Put(id, data, d.numbers.source(id, len(data)))
			d.marks[id] = d.listing[id]
		}
		d.waiting = d.waiting[1:]
		d.state.Read += d.listing[id].bytes
		piece -= int64(len(data)) + 1
	}
	into.Arrange(d.order)
	return ctx.Err()
}

// choose picks the newest session where none was named.
func (d *Database) choose(ctx context.Context, tx *sql.Tx) error {
	ok, unfinished, err := isOpencode(ctx, tx)
	switch {
	case err != nil:
		return err
	case unfinished:
		d.state.Note = "waiting for the first session"
		return nil
	case !ok:
		return fmt.Errorf("%w: this SQLite database is not opencode's, it has no tables session, message and part", ErrNoSession)
	case d.session != "":
		return nil
	}
	const newest = `SELECT id FROM session WHERE parent_id IS NULL ORDER BY time_updated DESC, id DESC LIMIT 1`
	if err := tx.QueryRowContext(ctx, newest).Scan(&d.session); !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	d.state.Note = "waiting for the first session"
	return nil
}

// readInfo gives the decoder the session's own record when it has changed.
func (d *Database) readInfo(ctx context.Context, tx *sql.Tx, into *decode.Opencode) (again []string, found bool, err error) {
	s, found, err := readSession(ctx, tx, d.session)
	if err != nil || !found {
		return nil, found, err
	}
	d.state.Modified = max(d.state.Modified, s.updated)
	info := map[string]any{"id": s.ID, "title": s.Title, "directory": s.Folder}
	for name, text := range map[string]string{"revert": s.revert, "model": s.model} {
		if json.Valid([]byte(text)) {
			info[name] = json.RawMessage(text)
		}
	}
	data, err := json.Marshal(info)
	if err != nil || string(data) == d.info {
		return nil, true, err
	}
	d.info = string(data)
	return into.Info(data), true, nil
}

// Session is the id of the session, empty while none was found.
func (d *Database) Session() string { return d.session }

// Record reads the record of the message at that place again.
func (d *Database) Record(ctx context.Context, number int64) ([]byte, error) {
	id, err := d.numbers.id(number)
	if err != nil {
		return nil, err
	}
	var data []byte
	err = d.inside(ctx, func(tx *sql.Tx) error {
		query, err := prepare(ctx, tx)
		if err != nil {
			return err
		}
		data, err = query.record(ctx, id)
		return cmp.Or(err, query.close())
	})
	return data, err
}
