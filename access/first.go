package access

import (
	"context"
	"database/sql"
	"errors"

	"github.com/pingmill/pingmill/store/database"
)

// FirstName is the name of a new installation's administrator.
const FirstName = "admin"

// First returns a one-time link if no administrator can sign in, for example after the provider was removed. The link
// is for the oldest administrator, or for a new one if there is none. It returns "" if an administrator can sign in or
// has a link, or if FirstName is taken.
func (s *Store) First(ctx context.Context) (token string, err error) {
	err = s.change(ctx, func(tx *sql.Tx) error {
		have, err := s.administrators(ctx, tx)
		if err != nil || have.able > 0 {
			return err
		}
		id, err := s.unlinked(ctx, tx, have)
		if err == nil && id != "" {
			token, err = s.link(ctx, tx, id)
		}
		return err
	})
	return token, err
}

// unlinked returns the account for which First creates a link, "" for none.
func (s *Store) unlinked(ctx context.Context, tx *sql.Tx, have administration) (id string, err error) {
	if have.all > 0 {
		err = tx.QueryRowContext(ctx, "SELECT id FROM people WHERE "+administers+`
			AND NOT EXISTS (SELECT 1 FROM links JOIN people ON person = people.id WHERE expires > ? AND `+administers+`)
			ORDER BY created, id LIMIT 1`, database.Milliseconds(s.now())).Scan(&id)
		if errors.Is(err, sql.ErrNoRows) {
			err = nil
		}
		return id, err
	}
	if _, err := account(ctx, tx, FirstName); !errors.Is(err, ErrNotFound) {
		return "", err
	}
	a, err := s.add(ctx, tx, Person{Name: FirstName, Kind: Human, Rights: []Right{Operate, Administer}, Grants: []Grant{{Table: AllTables}}},
		"", "")
	if err != nil {
		return "", err
	}
	return a.ID, nil
}

// Unused reports whether nobody has signed in yet, so only the link of First works.
func (s *Store) Unused(ctx context.Context) (unused bool, err error) {
	err = s.db.QueryRowContext(ctx, "SELECT NOT EXISTS (SELECT 1 FROM people WHERE seen > 0)").Scan(&unused)
	return unused, err
}
