package saved

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/pingmill/pingmill/sql/saved/document"
)

// Read returns a query without regard to grants, for the operator. The error is ErrNotFound if it does not exist.
func (s *Store) Read(ctx context.Context, id string) (*Query, error) {
	q, err := read(ctx, s.db, id)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, ErrNotFound
	}
	if err != nil {
		return nil, fmt.Errorf("saved queries: %w", err)
	}
	return q, nil
}

// Put stores a query under its id for the operator: a new one with this owner, or the next revision of one that exists. Built-in
// queries cannot be changed. It pauses a schedule, which would run the changed SQL as its owner.
func (s *Store) Put(ctx context.Context, id, owner string, d Doc) (*Query, error) {
	if err := d.Clean(); err != nil {
		return nil, err
	}
	q := &Query{}
	err := s.change(ctx, func(tx *sql.Tx) error {
		have, err := read(ctx, tx, id)
		now := s.now().UTC().Truncate(time.Millisecond)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			q.Head = document.Head{ID: id, Owner: owner, Created: now}
		case err != nil:
			return err
		case have.Builtin:
			return ErrBuiltin
		default:
			q.Head = have.Head
			if _, err := tx.ExecContext(ctx, "UPDATE schedules SET paused = ? WHERE query = ?", changedByOther, id); err != nil {
				return err
			}
		}
		q.Doc, q.Updated = d, now
		return kind.Put(ctx, tx, &q.Head, d, q.words(), "")
	})
	return q, err
}
