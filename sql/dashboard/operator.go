package dashboard

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/pingmill/pingmill/sql/saved/document"
)

// All returns the dashboards that people have made, without regard to grants, for the operator.
func (s *Store) All(ctx context.Context) (all []Dashboard, err error) {
	rows, err := s.db.QueryContext(ctx, "SELECT "+kind.Columns()+" FROM dashboards WHERE builtin = 0 ORDER BY id")
	if err != nil {
		return nil, fmt.Errorf("dashboards: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var d Dashboard
		doc, err := d.Scan(rows)
		if err == nil {
			err = json.Unmarshal(doc, &d.Doc)
		}
		if err != nil {
			return nil, fmt.Errorf("dashboards: %w", err)
		}
		all = append(all, d)
	}
	return all, rows.Err()
}

// Put stores a dashboard under its id for the operator: a new one with this owner, or the next revision of one that exists.
// Built-in dashboards cannot be changed.
func (s *Store) Put(ctx context.Context, id, owner string, doc Doc) (*Dashboard, error) {
	if err := doc.Clean(); err != nil {
		return nil, err
	}
	d := &Dashboard{}
	err := s.change(ctx, func(tx *sql.Tx) error {
		h, _, err := kind.Read(ctx, tx, id)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			h = document.Head{ID: id, Owner: owner, Created: s.time()}
		case err != nil:
			return err
		case h.Builtin:
			return document.ErrBuiltin
		}
		d.Head, d.Doc = h, doc
		d.Updated = s.time()
		return kind.Put(ctx, tx, &d.Head, doc, d.words(), "")
	})
	return d, err
}

// FileState is what was stored and what its file was when they were last equal.
type FileState struct {
	Revision int    // of the dashboard or saved query
	Hash     string // of the file
}

// FileStates returns the states of all files, by their paths.
func (s *Store) FileStates(ctx context.Context) (map[string]FileState, error) {
	rows, err := s.db.QueryContext(ctx, "SELECT path, revision, hash FROM files")
	if err != nil {
		return nil, fmt.Errorf("dashboards: %w", err)
	}
	defer rows.Close()
	all := map[string]FileState{}
	for rows.Next() {
		var path string
		var f FileState
		if err := rows.Scan(&path, &f.Revision, &f.Hash); err != nil {
			return nil, fmt.Errorf("dashboards: %w", err)
		}
		all[path] = f
	}
	return all, rows.Err()
}

// SetFileState stores the state of a file, or deletes it if f is nil.
func (s *Store) SetFileState(ctx context.Context, path string, f *FileState) error {
	return s.change(ctx, func(tx *sql.Tx) error {
		var err error
		if f == nil {
			_, err = tx.ExecContext(ctx, "DELETE FROM files WHERE path = ?", path)
		} else {
			_, err = tx.ExecContext(ctx, "INSERT INTO files VALUES (?, ?, ?) "+
				"ON CONFLICT (path) DO UPDATE SET revision = excluded.revision, hash = excluded.hash", path, f.Revision, f.Hash)
		}
		return err
	})
}
