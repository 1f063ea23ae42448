package access

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/alexedwards/argon2id"
)

// Limits on a password's length. Longer passwords would only cost more to hash.
const (
	minPassword = 12  // characters
	maxPassword = 256 // bytes
)

// params follows OWASP's recommendation for argon2id: about 30 ms on one core.
var params = &argon2id.Params{Memory: 19 << 10, Iterations: 2, Parallelism: 1, SaltLength: 16, KeyLength: 32}

// hashesAtOnce is the number of passwords hashed concurrently, and hashWait the maximum wait for a free slot.
var hashesAtOnce = runtime.GOMAXPROCS(0)

const hashWait = 5 * time.Second

// nobody is the hash of a random password. Names without a password are checked against it, so that refusing them
// takes as long.
var nobody = sync.OnceValues(func() (string, error) { return argon2id.CreateHash(random(), params) })

// hashed runs a function that hashes a password when a slot is free, or returns ErrBusy.
func (s *Store) hashed(ctx context.Context, do func() error) error {
	ctx, cancel := context.WithTimeout(ctx, hashWait)
	defer cancel()
	select {
	case s.hashing <- struct{}{}:
		defer func() { <-s.hashing }()
		return do()
	case <-ctx.Done():
		return ErrBusy
	}
}

// SignIn returns the person with a name and a password. It returns ErrSignIn if either is wrong.
func (s *Store) SignIn(ctx context.Context, name, password string) (*Person, error) {
	if len(password) > maxPassword || len(name) > maxName {
		return nil, ErrSignIn
	}
	var id, stored string
	err := s.db.QueryRowContext(ctx, "SELECT id, password FROM people WHERE lower(name) = lower(?) AND disabled = 0 AND password <> ''",
		strings.TrimSpace(name)).Scan(&id, &stored)
	if errors.Is(err, sql.ErrNoRows) {
		stored, err = nobody()
	}
	if err != nil {
		return nil, fmt.Errorf("sign in: %w", err)
	}
	var same bool
	err = s.hashed(ctx, func() (err error) {
		same, err = argon2id.ComparePasswordAndHash(password, stored)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("sign in: %w", err)
	}
	if !same || id == "" {
		return nil, ErrSignIn
	}
	return s.Person(ctx, id)
}

// SetPassword sets a password and ends the person's sessions and link. "" removes the password, unless it is the only
// way to sign in.
func (s *Store) SetPassword(ctx context.Context, id, password string) (err error) {
	p, err := s.Person(ctx, id)
	if err != nil {
		return err
	}
	stored := ""
	if password != "" {
		if err := checkPassword(p, password); err != nil {
			return err
		}
		err := s.hashed(ctx, func() (err error) {
			stored, err = argon2id.CreateHash(password, params)
			return err
		})
		if err != nil {
			return err
		}
	}
	return s.change(ctx, func(tx *sql.Tx) error {
		before, err := s.administrators(ctx, tx)
		if err != nil {
			return err
		}
		var in bool
		err = tx.QueryRowContext(ctx, "UPDATE people SET password = ? WHERE id = ? RETURNING "+signsIn, stored, id, s.issuer).Scan(&in)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			return ErrNotFound
		case err != nil:
			return err
		case !in:
			return ErrOnlyWayIn
		}
		if err := signOut(ctx, tx, id); err != nil {
			return err
		}
		return s.administered(ctx, tx, before)
	})
}

// checkPassword returns an error if a person may not have a password.
func checkPassword(p *Person, password string) error {
	switch {
	case p.Kind == Service:
		return invalid("a service account has tokens, no password")
	case !utf8.ValidString(password) || utf8.RuneCountInString(password) < minPassword:
		return invalid(fmt.Sprintf("a password has %d characters or more", minPassword))
	case len(password) > maxPassword:
		return invalid(fmt.Sprintf("a password has at most %d bytes", maxPassword))
	case strings.EqualFold(password, p.Name) || strings.EqualFold(password, p.Email):
		return invalid("the password is the name")
	}
	return nil
}
