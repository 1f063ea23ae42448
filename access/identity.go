package access

import (
	"context"
	"database/sql"
	"errors"
	"strings"
)

// Identity describes a person as authenticated by an OpenID Connect provider.
type Identity struct {
	Issuer, Subject string
	Name            string
	Email           string // verified by the provider, or ""
	Groups          Groups // rights and grants of the person's groups
}

// ErrNameTaken means that another account already has the name of a new person.
var ErrNameTaken = errors.New("an account that signs in in another way has this name")

// Enter returns the person of an identity. A new identity is linked to an account with its verified address if that
// has neither password nor provider. Otherwise Enter adds an account with grants.
func (s *Store) Enter(ctx context.Context, i Identity, grants []Grant) (*Person, error) {
	var id string
	err := s.change(ctx, func(tx *sql.Tx) (err error) {
		if id, err = s.enter(ctx, tx, i, grants); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, "UPDATE people SET groups = ?, email = CASE ?2 WHEN '' THEN email ELSE ?2 END WHERE id = ?3", text(i.Groups),
			i.Email, id)
		return err
	})
	if err != nil {
		return nil, err
	}
	p, err := s.Person(ctx, id)
	if errors.Is(err, ErrNotFound) {
		return nil, ErrSignIn // disabled
	}
	return p, err
}

func (s *Store) enter(ctx context.Context, tx *sql.Tx, i Identity, grants []Grant) (id string, err error) {
	err = tx.QueryRowContext(ctx, "SELECT id FROM people WHERE issuer = ? AND subject = ?", i.Issuer, i.Subject).Scan(&id)
	if !errors.Is(err, sql.ErrNoRows) {
		return id, err
	}
	if i.Email != "" {
		err = tx.QueryRowContext(ctx, "UPDATE people SET issuer = ?, subject = ? WHERE lower(email) = lower(?) AND subject = '' AND "+
			"password = '' AND kind = ? AND disabled = 0 RETURNING id",
			i.Issuer, i.Subject, i.Email, Human).Scan(&id)
		if !errors.Is(err, sql.ErrNoRows) {
			return id, err
		}
	}
	a, err := s.add(ctx, tx, Person{Name: strings.TrimSpace(i.Name), Email: i.Email, Kind: Human, Grants: grants}, i.Issuer, i.Subject)
	if errors.Is(err, ErrTaken) {
		return "", ErrNameTaken
	}
	if err != nil {
		return "", err
	}
	return a.ID, nil
}
