package access

import (
	"context"
	"database/sql"
)

// signsIn is the SQL condition for a permanent way to sign in: a password or the OpenID provider. A link expires, so
// it does not count.
const signsIn = "(password <> '' OR subject <> '' AND ? IN ('*', issuer))"

// administers is the SQL condition for an administrator. Rights from groups do not count, because the provider can
// revoke them.
const administers = `disabled = 0 AND kind = 'person' AND rights LIKE '%"administer"%'`

// anyIssuer matches every provider. The store uses it until SignsInBy is called.
const anyIssuer = "*"

// SignsInBy sets the OpenID Connect provider of the installation, "" for none. Before the call, an account of any
// provider counts as able to sign in.
func (s *Store) SignsInBy(issuer string) { s.issuer = issuer }

// administration counts the administrators, and those among them who can sign in.
type administration struct{ all, able int }

func (s *Store) administrators(ctx context.Context, tx *sql.Tx) (a administration, err error) {
	err = tx.QueryRowContext(ctx, "SELECT count(*), count(*) FILTER (WHERE "+signsIn+") FROM people WHERE "+administers, s.issuer).Scan(&a.all,
		&a.able)
	return a, err
}

// administered returns ErrLastAdministrator if a change removes the last administrator, or the last one who can sign
// in.
func (s *Store) administered(ctx context.Context, tx *sql.Tx, before administration) error {
	now, err := s.administrators(ctx, tx)
	if err == nil && (now.all == 0 && before.all > 0 || now.able == 0 && before.able > 0) {
		err = ErrLastAdministrator
	}
	return err
}
