package access

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/pingmill/pingmill/store/database"
)

// LinkTime is the validity of a one-time link.
const LinkTime = 24 * time.Hour

// LinkPath returns the path of a link. The token follows a #, so browsers do not send it and no proxy logs it.
func LinkPath(token string) string { return "/link#" + token }

// Link creates a one-time link that signs a person in. It replaces an earlier link.
func (s *Store) Link(ctx context.Context, id string) (token string, err error) {
	err = s.change(ctx, func(tx *sql.Tx) error {
		var kind Kind
		var disabled bool
		err := tx.QueryRowContext(ctx, "SELECT kind, disabled FROM people WHERE id = ?", id).Scan(&kind, &disabled)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			return ErrNotFound
		case err != nil:
			return err
		case kind == Service:
			return invalid("a service account has tokens, and does not sign in")
		case disabled:
			return invalid("the account is disabled")
		}
		token, err = s.link(ctx, tx, id)
		return err
	})
	return token, err
}

func (s *Store) link(ctx context.Context, tx *sql.Tx, id string) (string, error) {
	token, digest := secret("")
	_, err := tx.ExecContext(ctx, "INSERT INTO links VALUES (?, ?, ?) ON CONFLICT (person) DO UPDATE SET hash = excluded.hash, "+
		"expires = excluded.expires", digest, id, database.Milliseconds(s.now().Add(LinkTime)))
	return token, err
}

// UseLink returns the person of a link and deletes the link. Of concurrent calls only one succeeds.
func (s *Store) UseLink(ctx context.Context, token string) (*Person, error) {
	if token == "" || len(token) > maxSecret {
		return nil, ErrUnknown
	}
	var id string
	err := s.db.QueryRowContext(ctx,
		"DELETE FROM links WHERE hash = ? AND expires > ? AND person IN (SELECT id FROM people WHERE disabled = 0) RETURNING person",
		hash(token), database.Milliseconds(s.now())).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, ErrUnknown
	}
	if err != nil {
		return nil, fmt.Errorf("use link: %w", err)
	}
	return s.Person(ctx, id)
}
