package opencode

import (
	"context"
	"database/sql"
	"errors"
)

// The rows of a session are found by the indexes, and the length of a text is
// told by the row's head: the texts themselves are not read.
const sizeOf = `
	SELECT coalesce(sum(octet_length(m.data)), 0) + coalesce(sum((SELECT sum(octet_length(data)) FROM part WHERE message_id = m.id)), 0)
	FROM message m WHERE m.session_id = ?`

// Sizes are the bytes of the records of sessions of a database, by their ids.
// It takes the sessions in their order until ctx is done; those that are left
// have no size, nor has any where only a copy of the database could be read.
func Sizes(ctx context.Context, path string, sessions []string) map[string]int64 {
	sizes := map[string]int64{}
	f, err := lookAt(path)
	if err != nil || f.indexMissing(path) {
		return sizes
	}
	err = f.transact(ctx, path, func(tx *sql.Tx) error {
		query, err := tx.PrepareContext(ctx, sizeOf)
		if err != nil {
			return err
		}
		defer query.Close()
		for _, id := range sessions {
			var size int64
			if err := query.QueryRowContext(ctx, id).Scan(&size); err != nil {
				return err
			}
			sizes[id] = size
		}
		return nil
	})
	if errors.Is(err, errChanged) {
		clear(sizes)
	}
	return sizes // what cannot be read now has no size
}

// TreeSizes are the bytes of the files of sessions, by the paths of their own
// files. It takes them in their order until ctx is done; those that are left,
// and those that cannot be read, have no size.
func TreeSizes(ctx context.Context, paths []string) map[string]int64 {
	sizes := map[string]int64{}
	for _, path := range paths {
		if size, ok := treeSize(ctx, path); ok {
			sizes[path] = size
		}
	}
	return sizes
}

func treeSize(ctx context.Context, path string) (size int64, ok bool) {
	if ctx.Err() != nil {
		return 0, false
	}
	file, err := entryAt(path)
	if err != nil || file.size > longestInfo {
		return 0, false
	}
	t, err := OpenTree(path)
	if err != nil {
		return 0, false
	}
	ids, _, err := t.ids()
	size = file.size
	for _, id := range ids {
		_, _, m, failed := t.look(id)
		if failed != nil || ctx.Err() != nil {
			return 0, false
		}
		size += m.bytes
	}
	return size, err == nil
}
