package access

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"errors"
	"time"

	"github.com/pingmill/pingmill/store/database"
)

// Place is where the databases of the query tool are.
type Place = database.Place

// Store stores accounts, sessions, tokens and the audit log. It is safe for concurrent use, also by several processes:
// it caches nothing, so the next call sees every change.
type Store struct {
	db     *sql.DB
	dir    string
	now    func() time.Time
	issuer string // the provider by which people sign in
	// hashing limits concurrent password hashes, because each needs memory and CPU time.
	hashing chan struct{}
}

// Open opens the database and creates it if it is missing.
func Open(ctx context.Context, p database.Place, now func() time.Time) (*Store, error) {
	db, err := database.Open(ctx, p, "access", migrations...)
	if err != nil {
		return nil, err
	}
	return &Store{db: db, dir: p.Dir, now: now, issuer: anyIssuer, hashing: make(chan struct{}, hashesAtOnce)}, nil
}

func (s *Store) Close() error { return s.db.Close() }

// The errors of a Store.
var (
	ErrSignIn            = errors.New("name or password is wrong")        // also of a disabled account
	ErrUnknown           = errors.New("the token or link is not valid")   // also expired or used, or its account disabled
	ErrNotFound          = errors.New("there is no such person or token") //
	ErrTaken             = errors.New("the name is taken")                //
	ErrLastAdministrator = errors.New("somebody has to stay who administers: this is the last one who can")
	ErrOnlyWayIn         = errors.New("without a password the account could not sign in any more")
	ErrBusy              = errors.New("too many are signing in: try again in a moment")
)

// InvalidError means that a value cannot be stored.
type InvalidError struct{ What string }

func (e *InvalidError) Error() string { return e.What }

func invalid(what string) error { return &InvalidError{what} }

// change runs a transaction that writes.
func (s *Store) change(ctx context.Context, do func(*sql.Tx) error) error {
	return database.Change(ctx, s.db, "accounts", do)
}

// secret returns a new secret of 256 random bits as text, and its hash. A fast hash is enough, because the input is
// random.
func secret(prefix string) (text string, digest []byte) {
	text = prefix + random()
	return text, hash(text)
}

// random returns 256 random bits as text that is safe in URLs.
func random() string {
	b := make([]byte, 32)
	_, _ = rand.Read(b) // it cannot fail
	return base64.RawURLEncoding.EncodeToString(b)
}

func hash(text string) []byte {
	h := sha256.Sum256([]byte(text))
	return h[:]
}

// maxSecret is the maximum length of a secret in bytes; generated secrets are shorter.
const maxSecret = 100
