package access

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/pingmill/pingmill/store/database"
)

// TokenPrefix begins every API token, so that secret scanners recognise published tokens.
const TokenPrefix = "pm_"

const (
	// MaxTokenTime is the maximum validity of a token, and TokenTime the default.
	MaxTokenTime = 366 * 24 * time.Hour
	TokenTime    = 90 * 24 * time.Hour
	maxTokens    = 50 // of one person
)

// Token describes an API token without its secret.
type Token struct {
	ID      string    `json:"id"`
	Name    string    `json:"name"`
	Scopes  []Scope   `json:"scopes"`
	Created time.Time `json:"created"`
	Expires time.Time `json:"expires"`
	Used    time.Time `json:"used,omitzero" doc:"when it was used last, to the minute"`
}

// NewToken creates a token for a person and returns its secret, which is not stored.
func (s *Store) NewToken(ctx context.Context, person string, t Token) (made Token, secretText string, err error) {
	now := s.now()
	// The id has letters and digits only: a command line would take a leading hyphen for a flag.
	t.ID = strings.ToLower(rand.Text()[:16])
	t.Name, t.Created, t.Used = strings.TrimSpace(t.Name), now.UTC().Truncate(time.Millisecond), time.Time{}
	if t.Expires.IsZero() {
		t.Expires = now.Add(TokenTime)
	}
	t.Expires = t.Expires.UTC().Truncate(time.Millisecond)
	if err := checkText("name of a token", t.Name); err != nil {
		return Token{}, "", err
	}
	if err := checkScopes(t.Scopes); err != nil {
		return Token{}, "", err
	}
	if !t.Expires.After(now) || t.Expires.After(now.Add(MaxTokenTime)) {
		return Token{}, "", invalid("a token expires within a year from now")
	}
	scopes, err := json.Marshal(t.Scopes)
	if err != nil {
		return Token{}, "", err
	}
	text, digest := secret(TokenPrefix)
	err = s.change(ctx, func(tx *sql.Tx) error {
		var n int
		if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM tokens WHERE person = ?", person).Scan(&n); err != nil {
			return err
		}
		if n >= maxTokens {
			return invalid(fmt.Sprintf("a person has at most %d tokens: delete some", maxTokens))
		}
		if err := mustExist(ctx, tx, person); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, "INSERT INTO tokens VALUES (?, ?, ?, ?, ?, ?, ?, 0)", t.ID, person, t.Name, digest, string(scopes),
			database.Milliseconds(t.Created), database.Milliseconds(t.Expires))
		return err
	})
	return t, text, err
}

// Authenticate returns the person of a token, with the rights within its scopes, and records the use. It returns
// ErrUnknown if the token is not valid.
func (s *Store) Authenticate(ctx context.Context, token string) (*Person, error) {
	p, used, err := s.bearer(ctx, token)
	if now := s.now(); err == nil && now.Sub(database.Time(used)) >= usedInterval {
		if _, err := s.db.ExecContext(ctx, "UPDATE tokens SET used = ? WHERE hash = ?", database.Milliseconds(now), hash(token)); err != nil {
			return nil, fmt.Errorf("token: %w", err)
		}
	}
	return p, err
}

// Check is Authenticate without recording the use.
func (s *Store) Check(ctx context.Context, token string) (*Person, error) {
	p, _, err := s.bearer(ctx, token)
	return p, err
}

// bearer returns the person of a token and the time of its last use.
func (s *Store) bearer(ctx context.Context, token string) (_ *Person, used int64, _ error) {
	if !strings.HasPrefix(token, TokenPrefix) || len(token) > maxSecret {
		return nil, 0, ErrUnknown
	}
	var scopes []byte
	p, err := s.person(ctx, "tokens.scopes, tokens.used",
		"JOIN tokens ON tokens.person = people.id WHERE disabled = 0 AND hash = ? AND expires > ?",
		[]any{hash(token), database.Milliseconds(s.now())}, &scopes, &used)
	if errors.Is(err, ErrNotFound) {
		return nil, 0, ErrUnknown
	}
	if err != nil {
		return nil, 0, err
	}
	allowed := []Scope{}
	if err := json.Unmarshal(scopes, &allowed); err != nil {
		return nil, 0, fmt.Errorf("token: %w", err)
	}
	p.narrow(allowed)
	return p, used, nil
}

// Tokens lists the tokens of a person, newest first.
func (s *Store) Tokens(ctx context.Context, person string) (tokens []Token, err error) {
	rows, err := s.db.QueryContext(ctx,
		"SELECT id, name, scopes, created, expires, used FROM tokens WHERE person = ? ORDER BY created DESC, id", person)
	if err != nil {
		return nil, fmt.Errorf("tokens: %w", err)
	}
	defer rows.Close()
	for tokens = []Token{}; rows.Next(); {
		var t Token
		var scopes []byte
		var created, expires, used int64
		if err := rows.Scan(&t.ID, &t.Name, &scopes, &created, &expires, &used); err != nil {
			return nil, fmt.Errorf("tokens: %w", err)
		}
		if err := json.Unmarshal(scopes, &t.Scopes); err != nil {
			return nil, fmt.Errorf("tokens: %w", err)
		}
		t.Created, t.Expires, t.Used = database.Time(created), database.Time(expires), database.Time(used)
		tokens = append(tokens, t)
	}
	return tokens, rows.Err()
}

// DeleteToken deletes a token of a person.
func (s *Store) DeleteToken(ctx context.Context, person, id string) error {
	r, err := s.db.ExecContext(ctx, "DELETE FROM tokens WHERE person = ? AND id = ?", person, id)
	return one(r, err)
}

// one returns ErrNotFound if a statement changed no row.
func one(r sql.Result, err error) error {
	if err != nil {
		return fmt.Errorf("accounts: %w", err)
	}
	n, err := r.RowsAffected()
	if err == nil && n == 0 {
		return ErrNotFound
	}
	return err
}
