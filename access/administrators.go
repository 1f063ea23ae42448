package access

import (
	"context"
	"database/sql"
)

// signsIn is the condition that an account has a way to sign in that stays: a password, or the provider of accounts. A link ends.
const signsIn = "(password <> '' OR subject <> '' AND ? IN ('*', issuer))"

// administers is the condition that somebody administers. Groups do not count: a provider can take them away.
const administers = "NOT disabled AND kind = 'person' AND EXISTS (SELECT 1 FROM json_each(rights) WHERE value = 'administer')"

// anyIssuer stands for every provider, where it is not known which one there is.
const anyIssuer = "*"

// SignsInBy says by which provider of OpenID Connect people sign in here, "" for none. Before that each account that a provider has
// signed in counts as one that can sign in.
func (s *Store) SignsInBy(issuer string) { s.issuer = issuer }

// administration counts who administers, and who of them can sign in.
type administration struct{ all, able int }

func (s *Store) administrators(ctx context.Context, tx *sql.Tx) (a administration, err error) {
	err = tx.QueryRowContext(ctx, "SELECT count(*), count(*) FILTER (WHERE "+signsIn+") FROM people WHERE "+administers, s.issuer).Scan(&a.all, &a.able)
	return a, err
}

// administered is an error if nobody is left of those who administered before, or nobody who can sign in.
func (s *Store) administered(ctx context.Context, tx *sql.Tx, before administration) error {
	now, err := s.administrators(ctx, tx)
	if err == nil && (now.all == 0 && before.all > 0 || now.able == 0 && before.able > 0) {
		err = ErrLastAdministrator
	}
	return err
}
