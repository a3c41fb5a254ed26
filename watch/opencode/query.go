package opencode

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"
	"time"

	"ctxscope/watch/decode"
)

// Session is one session of a database, for lists.
type Session struct {
	ID      string
	Title   string
	Folder  string // working folder of the agent
	Parent  string // the session that started it, a subagent's; empty at the top level
	Updated time.Time
	Usage   decode.Usage // of the newest reply that tells; unknown after a compaction
	Model   string       // of that reply
	Prompt  string       // what was asked for first; empty where the title tells enough, or nothing does

	updated       int64
	revert, model string // JSON
}

// isOpencode reports whether the tables of sessions are there, and whether the
// database is just being made: it has no table yet, or some of ours.
func isOpencode(ctx context.Context, tx *sql.Tx) (ok, unfinished bool, err error) {
	const tables = `SELECT count(*), coalesce(sum(name IN ('session', 'message', 'part')), 0) FROM sqlite_master WHERE type = 'table'`
	var all, ours int
	err = tx.QueryRowContext(ctx, tables).Scan(&all, &ours)
	return ours == 3, all == 0 || ours == 1 || ours == 2, err
}

func readSession(ctx context.Context, tx *sql.Tx, id string) (s Session, found bool, err error) {
	all, err := sessionsWhere(ctx, tx, "WHERE id = ?", id)
	if err != nil || len(all) == 0 {
		return Session{}, false, err
	}
	return all[0], true, nil
}

// sessionsWhere reads sessions. Columns that an older version of opencode does
// not have count as empty.
func sessionsWhere(ctx context.Context, tx *sql.Tx, which string, args ...any) ([]Session, error) {
	have, err := texts(ctx, tx, `SELECT name FROM pragma_table_info('session')`)
	if err != nil {
		return nil, err
	}
	columns := []string{"id", "title", "directory", "parent_id", "revert", "model"}
	for i, name := range columns {
		if !slices.Contains(have, name) {
			columns[i] = "''"
			continue
		}
		columns[i] = "coalesce(CAST(" + name + " AS TEXT), '')"
	}
	rows, err := tx.QueryContext(ctx, "SELECT "+strings.Join(columns, ", ")+", CAST(time_updated AS INTEGER) FROM session "+which, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []Session
	for rows.Next() {
		var s Session
		if err := rows.Scan(&s.ID, &s.Title, &s.Folder, &s.Parent, &s.revert, &s.model, &s.updated); err != nil {
			return nil, err
		}
		s.Updated = time.UnixMilli(s.updated)
		all = append(all, s)
	}
	return all, rows.Err()
}

func texts(ctx context.Context, tx *sql.Tx, query string, args ...any) ([]string, error) {
	rows, err := tx.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []string
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		all = append(all, text)
	}
	return all, rows.Err()
}

// records reads messages one by one.
type records struct {
	message, parts *sql.Stmt
}

func prepare(ctx context.Context, tx *sql.Tx) (records, error) {
	message, err := tx.PrepareContext(ctx, `SELECT data FROM message WHERE id = ?`)
	if err != nil {
		return records{}, err
	}
	parts, err := tx.PrepareContext(ctx, `SELECT id, data FROM part WHERE message_id = ? ORDER BY id`)
	if err != nil {
		return records{}, errors.Join(err, message.Close())
	}
	return records{message, parts}, nil
}

func (r records) close() error { return errors.Join(r.message.Close(), r.parts.Close()) }

// record makes the record of a message, as it would stand in an export. It is
// sql.ErrNoRows when the message is not there.
func (r records) record(ctx context.Context, id string) ([]byte, error) {
	var info sql.RawBytes
	head, err := r.message.QueryContext(ctx, id)
	if err != nil {
		return nil, err
	}
	defer head.Close()
	if !head.Next() {
		return nil, errors.Join(head.Err(), sql.ErrNoRows)
	}
	if err := head.Scan(&info); err != nil {
		return nil, err
	}
	out := newRecord(id, info)
	if err := head.Close(); err != nil {
		return nil, err
	}
	parts, err := r.parts.QueryContext(ctx, id)
	if err != nil {
		return nil, err
	}
	defer parts.Close()
	for parts.Next() {
		var part, data sql.RawBytes
		if err := parts.Scan(&part, &data); err != nil {
			return nil, err
		}
		out.part(string(part), data)
	}
	return out.whole(), parts.Err()
}
