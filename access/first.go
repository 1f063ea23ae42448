package access

import (
	"context"
	"database/sql"
	"errors"
)

// FirstName is the name of the administrator that a new installation has.
const FirstName = "admin"

// First makes an administrator where nobody administers, and gives their one-time link; "" where somebody does, or the name is
// another account's.
func (s *Store) First(ctx context.Context) (token string, err error) {
	err = s.change(ctx, func(tx *sql.Tx) error {
		n, err := administrators(ctx, tx)
		if err != nil || n > 0 {
			return err
		}
		a, err := s.add(ctx, tx, Person{Name: FirstName, Kind: Human, Rights: []Right{Operate, Administer}, Grants: []Grant{{Table: AllTables}}}, "", "")
		if errors.Is(err, ErrTaken) {
			return nil
		}
		if err != nil {
			return err
		}
		token, err = s.link(ctx, tx, a.ID)
		return err
	})
	return token, err
}

// Unused says whether nobody has signed in yet: only the link of First leads in.
func (s *Store) Unused(ctx context.Context) (unused bool, err error) {
	err = s.db.QueryRowContext(ctx, "SELECT NOT EXISTS (SELECT 1 FROM people WHERE seen > 0)").Scan(&unused)
	return unused, err
}
