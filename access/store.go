package access

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"errors"
	"path/filepath"
	"time"

	"github.com/pingmill/pingmill/store/database"
)

// File is the name of the database in the folder of the query tool.
const File = "access.db"

// Store keeps accounts, sessions, tokens and the audit. It is safe for concurrent use, also by several processes: nothing is
// remembered between calls, so what changes counts from the next one on.
type Store struct {
	db     *sql.DB
	now    func() time.Time
	issuer string // of the provider by which people sign in
	// hashing has a place for each password that may be hashed at once, since each takes memory and time.
	hashing chan struct{}
}

// Open opens the database in the folder of the query tool, and makes it if it is missing.
func Open(ctx context.Context, dir string, now func() time.Time) (*Store, error) {
	db, err := database.Open(ctx, filepath.Join(dir, File), migrations...)
	if err != nil {
		return nil, err
	}
	return &Store{db: db, now: now, issuer: anyIssuer, hashing: make(chan struct{}, hashesAtOnce)}, nil
}

// Close closes the database.
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

// InvalidError is the error of something that cannot be kept as it was given.
type InvalidError struct{ What string }

func (e *InvalidError) Error() string { return e.What }

func invalid(what string) error { return &InvalidError{what} }

// change runs a transaction that writes.
func (s *Store) change(ctx context.Context, do func(*sql.Tx) error) error {
	return database.Change(ctx, s.db, "accounts", do)
}

// secret makes 256 random bits as text, and what is kept of them. A plain hash is enough for something that nobody chose.
func secret(prefix string) (text string, kept []byte) {
	text = prefix + random()
	return text, hash(text)
}

// random is 256 random bits as text for addresses.
func random() string {
	b := make([]byte, 32)
	_, _ = rand.Read(b) // it cannot fail
	return base64.RawURLEncoding.EncodeToString(b)
}

func hash(text string) []byte {
	h := sha256.Sum256([]byte(text))
	return h[:]
}

// maxSecret is longer than any secret that was given out.
const maxSecret = 100
