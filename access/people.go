package access

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/pingmill/pingmill/store/database"
)

// Account is a person as administrators see them.
type Account struct {
	Person
	Disabled bool      `json:"disabled"`
	Password bool      `json:"password" doc:"has a password"`
	OIDC     bool      `json:"oidc" doc:"has signed in by OpenID Connect"`
	Groups   Groups    `json:"groups,omitzero"`
	Created  time.Time `json:"created"`
	Seen     time.Time `json:"seen,omitzero" doc:"when they signed in last"`
}

// Groups holds the rights and grants that the provider's groups add to those of the account.
type Groups struct {
	Rights []Right `json:"rights,omitempty"`
	Grants []Grant `json:"grants,omitempty"`
}

const personColumns = "people.id, people.name, people.email, people.kind, people.rights, people.grants, people.limits, people.groups"

// scan reads a person and the additional columns of a row.
func scan(row interface{ Scan(...any) error }, p *Person, groups *Groups, more ...any) error {
	var rights, grants, limits, given []byte
	if err := row.Scan(append([]any{&p.ID, &p.Name, &p.Email, &p.Kind, &rights, &grants, &limits, &given}, more...)...); err != nil {
		return err
	}
	for _, j := range []struct {
		text []byte
		to   any
	}{{rights, &p.Rights}, {grants, &p.Grants}, {limits, &p.Limits}, {given, groups}} {
		if err := json.Unmarshal(j.text, j.to); err != nil {
			return err
		}
	}
	return nil
}

// person reads one person including the rights of their groups. Additional columns are read into more.
func (s *Store) person(ctx context.Context, columns, where string, args []any, more ...any) (*Person, error) {
	if columns != "" {
		columns = ", " + columns
	}
	var p Person
	var g Groups
	err := scan(s.db.QueryRowContext(ctx, "SELECT "+personColumns+columns+" FROM people "+where, args...), &p, &g, more...)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, ErrNotFound
	}
	if err != nil {
		return nil, fmt.Errorf("accounts: %w", err)
	}
	p.Rights, p.Grants = append(p.Rights, g.Rights...), append(p.Grants, g.Grants...)
	return &p, nil
}

// Person returns a person who is not disabled, including the rights of their groups.
func (s *Store) Person(ctx context.Context, id string) (*Person, error) {
	return s.person(ctx, "", "WHERE disabled = 0 AND id = ?", []any{id})
}

const accountColumns = ", disabled, password <> '', subject <> '', created, seen"

func scanAccount(row interface{ Scan(...any) error }, a *Account) error {
	var created, seen int64
	err := scan(row, &a.Person, &a.Groups, &a.Disabled, &a.Password, &a.OIDC, &created, &seen)
	a.Created, a.Seen = database.Time(created), database.Time(seen)
	return err
}

// Account returns an account by id or name.
func (s *Store) Account(ctx context.Context, idOrName string) (*Account, error) {
	return account(ctx, s.db, idOrName)
}

type querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

func account(ctx context.Context, q querier, idOrName string) (*Account, error) {
	var a Account
	err := scanAccount(q.QueryRowContext(ctx,
		"SELECT "+personColumns+accountColumns+" FROM people WHERE id = ?1 OR lower(name) = lower(?1) ORDER BY id <> ?1", idOrName), &a)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, ErrNotFound
	}
	if err != nil {
		return nil, fmt.Errorf("accounts: %w", err)
	}
	return &a, nil
}

// Accounts lists all accounts by name.
func (s *Store) Accounts(ctx context.Context) (accounts []Account, err error) {
	rows, err := s.db.QueryContext(ctx, "SELECT "+personColumns+accountColumns+" FROM people ORDER BY lower(name), name")
	if err != nil {
		return nil, fmt.Errorf("accounts: %w", err)
	}
	defer rows.Close()
	for accounts = []Account{}; rows.Next(); {
		var a Account
		if err := scanAccount(rows, &a); err != nil {
			return nil, fmt.Errorf("accounts: %w", err)
		}
		accounts = append(accounts, a)
	}
	return accounts, rows.Err()
}

// Add creates an account with a new id.
func (s *Store) Add(ctx context.Context, p Person) (made *Account, err error) {
	err = s.change(ctx, func(tx *sql.Tx) error {
		made, err = s.add(ctx, tx, p, "", "")
		return err
	})
	return made, err
}

func (s *Store) add(ctx context.Context, tx *sql.Tx, p Person, issuer, subject string) (*Account, error) {
	p.ID, p.Name, p.Email = uuid.NewString(), strings.TrimSpace(p.Name), strings.TrimSpace(p.Email)
	if err := p.check(); err != nil {
		return nil, err
	}
	_, err := tx.ExecContext(ctx, "INSERT INTO people VALUES (?, ?, ?, ?, ?, ?, ?, '{}', 0, '', ?, ?, ?, 0)",
		p.ID, p.Name, p.Email, p.Kind, list(p.Rights), list(p.Grants), text(p.Limits), issuer, subject, database.Milliseconds(s.now()))
	if database.IsTaken(err) {
		return nil, ErrTaken
	}
	if err != nil {
		return nil, fmt.Errorf("add person: %w", err)
	}
	return account(ctx, tx, p.ID)
}

// Edit changes an account and checks the result. Disabling an account ends its sessions. Edit refuses to remove the
// last administrator who can sign in.
func (s *Store) Edit(ctx context.Context, id string, change func(*Account) error) (made *Account, err error) {
	err = s.change(ctx, func(tx *sql.Tx) error {
		a, err := account(ctx, tx, id)
		if err != nil {
			return err
		}
		before, err := s.administrators(ctx, tx)
		if err != nil {
			return err
		}
		if err := change(a); err != nil {
			return err
		}
		a.Name, a.Email = strings.TrimSpace(a.Name), strings.TrimSpace(a.Email)
		if err := a.check(); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, "UPDATE people SET name = ?, email = ?, rights = ?, grants = ?, limits = ?, groups = ?, disabled = ? "+
			"WHERE id = ?",
			a.Name, a.Email, list(a.Rights), list(a.Grants), text(a.Limits), text(a.Groups), a.Disabled, a.ID)
		if database.IsTaken(err) {
			return ErrTaken
		}
		if err == nil && a.Disabled {
			err = signOut(ctx, tx, a.ID)
		}
		if err == nil {
			err = s.administered(ctx, tx, before)
		}
		made = a
		return err
	})
	if err != nil {
		return nil, err
	}
	return made, nil
}

// Remove removes an account with its sessions and tokens. Its entries remain in the audit log.
func (s *Store) Remove(ctx context.Context, id string) error {
	return s.change(ctx, func(tx *sql.Tx) error {
		before, err := s.administrators(ctx, tx)
		if err != nil {
			return err
		}
		if err := one(tx.ExecContext(ctx, "DELETE FROM people WHERE id = ?", id)); err != nil {
			return err
		}
		return s.administered(ctx, tx, before)
	})
}

func mustExist(ctx context.Context, tx *sql.Tx, id string) error {
	_, err := account(ctx, tx, id)
	return err
}

// maxName is the maximum length of a name in bytes.
const maxName = 100

// check returns an error if a person cannot be stored.
func (p *Person) check() error {
	if err := checkText("name", p.Name); err != nil {
		return err
	}
	if len(p.Email) > 254 || p.Email != "" && !strings.Contains(p.Email, "@") {
		return invalid("that is no e-mail address")
	}
	if p.Kind != Human && p.Kind != Service {
		return invalid(fmt.Sprintf("want the kind %s or %s", Human, Service))
	}
	for _, r := range p.Rights {
		if r != Operate && r != Administer {
			return invalid(fmt.Sprintf("there is no right %q: want %s or %s", r, Operate, Administer))
		}
	}
	for _, g := range p.Grants {
		if g.Table == "" || g.Table == AllTables && g.Columns != nil || g.Columns != nil && len(g.Columns) == 0 ||
			slices.Contains(g.Columns, "") {
			return invalid("a grant is of a table, or of some of its columns")
		}
	}
	if l := p.Limits; min(int64(l.Days), int64(l.SampledDays), int64(l.Files), l.Bytes, int64(l.Rows), int64(l.Concurrent)) < 0 {
		return invalid("limits are 0 or more")
	}
	return nil
}

// checkText returns an error unless a text is short, printable and not empty.
func checkText(what, s string) error {
	if s == "" || len(s) > maxName || !utf8.ValidString(s) || strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return invalid(fmt.Sprintf("want a %s of 1 to %d printable characters", what, maxName))
	}
	return nil
}
