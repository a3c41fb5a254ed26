package opencode

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"

	"modernc.org/sqlite"
)

// Result codes of SQLite, without what their upper bits add.
const (
	codeBusy        = 5
	codeLocked      = 6
	codeReadOnly    = 8
	codeCannotOpen  = 14
	codeNoDatabase  = 26
	codePrimaryMask = 0xff
)

// inside runs do in a transaction that reads. It opens the database for that
// time alone: the host may check its log in and cut it whenever it likes.
func (d *Database) inside(ctx context.Context, do func(tx *sql.Tx) error) error {
	f, err := lookAt(d.path)
	if err != nil {
		return err
	}
	onCopyOf := func() error {
		return onCopy(d.path, func(path string) error { return transact(ctx, address(path, true), do) })
	}
	if f.indexMissing(d.path) {
		return onCopyOf()
	}
	err = f.transact(ctx, d.path, do)
	if code := codeOf(err); f.wal.there && (code == codeCannotOpen || code == codeReadOnly) {
		err = onCopyOf()
	}
	switch codeOf(err) {
	case codeBusy, codeLocked:
		return fmt.Errorf("%w: %w", ErrBusy, err)
	case codeNoDatabase:
		return fmt.Errorf("%w: %w", ErrNoSession, err)
	}
	return err
}

// transact runs do on the database where it lies. Without a write-ahead log it
// takes no lock, which would keep the writer from writing, and from setting up
// the log of a new database.
func (f files) transact(ctx context.Context, path string, do func(tx *sql.Tx) error) error {
	if f.wal.there {
		return transact(ctx, address(path, true), do)
	}
	if hot(path) {
		return fmt.Errorf("%w: a transaction is under way", ErrBusy)
	}
	err := transact(ctx, address(path, false), do)
	if after, failed := lookAt(path); failed != nil || after != f || hot(path) {
		return errChanged
	}
	return err
}

// errChanged is an ErrBusy: the database was written to while do read it, so
// what do was given may be torn.
var errChanged = fmt.Errorf("%w: it was written to while it was read", ErrBusy)

// indexMissing reports whether the log of a database has no index: no writer
// lives, and opening the database would make one beside it.
func (f files) indexMissing(path string) bool {
	_, err := os.Stat(path + "-shm")
	return f.wal.there && errors.Is(err, fs.ErrNotExist)
}

// address says how to open a database to read it. With a write-ahead log
// beside it, SQLite looks into it and keeps its index up to date; without one,
// nothing else needs to be there and nothing is made.
func address(path string, log bool) string {
	path = filepath.ToSlash(path)
	if filepath.VolumeName(path) != "" {
		path = "/" + path
	}
	query := "mode=ro&_pragma=busy_timeout(200)&_pragma=query_only(1)"
	if !log {
		query += "&immutable=1"
	}
	return (&url.URL{Scheme: "file", Path: path, RawQuery: query}).String()
}

// hot reports whether a database without a write-ahead log is in the middle of
// a transaction, or was left in one: its journal says so.
func hot(path string) bool {
	f, err := os.Open(path + "-journal")
	if err != nil {
		return false
	}
	defer f.Close()
	var first [1]byte
	_, err = f.ReadAt(first[:], 0)
	return err == nil && first[0] != 0
}

func transact(ctx context.Context, address string, do func(tx *sql.Tx) error) (err error) {
	db, err := sql.Open("sqlite", address)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	db.SetMaxOpenConns(1)
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	// There is nothing to keep.
	defer func() { _ = tx.Rollback() }()
	return do(tx)
}

// codeOf is the result code in an error of SQLite's, 0 in any other.
func codeOf(err error) int {
	var e *sqlite.Error
	if errors.As(err, &e) {
		return e.Code() & codePrimaryMask
	}
	return 0
}

// onCopy runs do on a copy of a database and its write-ahead log. It is for
// the case that the index of the log is missing and cannot be made, since
// nothing may be written beside the database.
func onCopy(path string, do func(path string) error) (err error) {
	folder, err := os.MkdirTemp("", "ctxscope-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	to := filepath.Join(folder, "copy.db")
	const tries = 5
	for range tries {
		before, err := lookAt(path)
		if err != nil {
			return err
		}
		if err := errors.Join(copyFile(path, to), copyFile(path+"-wal", to+"-wal")); err != nil {
			return err
		}
		if after, err := lookAt(path); err == nil && after == before {
			return do(to)
		}
	}
	return fmt.Errorf("%w: it changes faster than it can be copied", ErrBusy)
}

// longestCopy is how many bytes of a file are copied: the temporary folder may
// lie in memory.
const longestCopy = 2 << 30

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	if info, err := in.Stat(); err != nil {
		return err
	} else if info.Size() > longestCopy {
		return fmt.Errorf("%s has %d bytes: it could be read from a copy only, and is too large to copy; start opencode once, so that it takes its log into the database", filepath.Base(from), info.Size())
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
