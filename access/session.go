package access

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"errors"
	"fmt"
	"time"

	"github.com/pingmill/pingmill/store/database"
)

// How is the way in which somebody signed in.
type How string

// The ways to sign in.
const (
	ByPassword How = "password"
	ByLink     How = "link"
	ByOIDC     How = "oidc"
)

// Ways lists all ways to sign in.
var Ways = []How{ByPassword, ByLink, ByOIDC}

// A session ends if it is not used for idleTime, and at the latest after wholeTime.
const (
	idleTime  = 24 * time.Hour
	wholeTime = 7 * 24 * time.Hour
	// freshTime is the time in which a person who signed in by a link may set a password without the old one.
	freshTime = time.Hour
	// usedInterval is the precision with which the last use of a session or token is recorded.
	usedInterval = time.Minute
	// refusedTime is the retention of failed sign-ins in the audit log. It bounds the log, because strangers cause
	// these entries.
	refusedTime = 90 * 24 * time.Hour
)

// Visit is the origin of a request.
type Visit struct{ Address, Agent string }

// Session is the session of a signed-in person.
type Session struct {
	Person *Person
	CSRF   string // the token that a request that changes something must send besides the cookie
	How    How
	Fresh  bool // may set a password without the old one
}

// Begin creates a session and returns the value of its cookie. The store keeps only a hash of it.
func (s *Store) Begin(ctx context.Context, id string, how How, v Visit) (cookie string, err error) {
	cookie, digest := secret("")
	now := s.now()
	err = s.change(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "DELETE FROM sessions WHERE created <= ? OR used <= ?", database.Milliseconds(now.Add(-wholeTime)),
			database.Milliseconds(now.Add(-idleTime)))
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, "DELETE FROM audit WHERE event = 'sign-in' AND outcome <> 'done' AND at < ?",
			database.Milliseconds(now.Add(-refusedTime))); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, "UPDATE people SET seen = ? WHERE id = ?", database.Milliseconds(now), id); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, "INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?)", digest, id, how, cut(v.Address, 100), cut(v.Agent, 300),
			database.Milliseconds(now), database.Milliseconds(now))
		return err
	})
	if err != nil {
		return "", fmt.Errorf("begin session: %w", err)
	}
	return cookie, nil
}

// Session returns the session of a cookie. It returns ErrUnknown if there is none or it has ended.
func (s *Store) Session(ctx context.Context, cookie string) (*Session, error) {
	if cookie == "" || len(cookie) > maxSecret {
		return nil, ErrUnknown
	}
	now, digest := s.now(), hash(cookie)
	var how How
	var created, used int64
	p, err := s.person(ctx, "sessions.how, sessions.created, sessions.used",
		"JOIN sessions ON sessions.person = people.id WHERE disabled = 0 AND hash = ? AND sessions.created > ? AND used > ?",
		[]any{digest, database.Milliseconds(now.Add(-wholeTime)), database.Milliseconds(now.Add(-idleTime))}, &how, &created, &used)
	if errors.Is(err, ErrNotFound) {
		return nil, ErrUnknown
	}
	if err != nil {
		return nil, err
	}
	if now.Sub(database.Time(used)) >= usedInterval {
		if _, err := s.db.ExecContext(ctx, "UPDATE sessions SET used = ? WHERE hash = ?", database.Milliseconds(now), digest); err != nil {
			return nil, fmt.Errorf("session: %w", err)
		}
	}
	return &Session{Person: p, CSRF: csrf(cookie), How: how, Fresh: how == ByLink && now.Sub(database.Time(created)) < freshTime}, nil
}

// csrf derives the CSRF token from the cookie. Pages cannot read the cookie, and it cannot be computed from the token.
func csrf(cookie string) string {
	m := hmac.New(sha256.New, []byte(cookie))
	m.Write([]byte("csrf"))
	return base64.RawURLEncoding.EncodeToString(m.Sum(nil))
}

// End deletes the session of a cookie, if any.
func (s *Store) End(ctx context.Context, cookie string) error {
	_, err := s.db.ExecContext(ctx, "DELETE FROM sessions WHERE hash = ?", hash(cookie))
	return err
}

// signOut deletes the sessions and the link of a person.
func signOut(ctx context.Context, tx *sql.Tx, id string) error {
	_, err := tx.ExecContext(ctx, "DELETE FROM sessions WHERE person = ?", id)
	if err == nil {
		_, err = tx.ExecContext(ctx, "DELETE FROM links WHERE person = ?", id)
	}
	return err
}

// cut truncates a text from outside to n bytes.
func cut(s string, n int) string {
	if len(s) > n {
		return s[:n]
	}
	return s
}
