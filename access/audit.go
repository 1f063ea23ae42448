package access

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/pingmill/pingmill/store/database"
)

// Event is the kind of an entry in the audit log.
type Event string

// The events.
const (
	SignedIn  Event = "sign-in"
	SignedOut Event = "sign-out"
	Queried   Event = "query"  // reads a restricted table
	Changed   Event = "change" // of an account, a grant, a token, a password
)

// Entry is an entry of the audit log.
type Entry struct {
	ID      int64     `json:"id"`
	At      time.Time `json:"at"`
	Person  string    `json:"person" doc:"id, empty if it is not known who it was"`
	Name    string    `json:"name"`
	Event   Event     `json:"event"`
	Outcome string    `json:"outcome" doc:"done, or why not"`
	Address string    `json:"address"`
	About   string    `json:"about,omitempty" doc:"whose account or what was changed, or the query's id"`
	SQL     string    `json:"sql,omitempty"`
	Reads   []Reading `json:"reads,omitempty"`
}

// Reading records a read of a restricted table.
type Reading struct {
	Table string   `json:"table"`
	Days  []string `json:"days"`
}

// Done is the outcome of a successful action.
const Done = "done"

// maxSQL is the maximum size of a query in the audit log, in bytes.
const maxSQL = 1 << 20

// Record adds an entry. Empty fields for person, address and time are filled from the context and the clock.
func (s *Store) Record(ctx context.Context, e Entry) error {
	return record(ctx, s.db, s.complete(ctx, e))
}

// complete fills the empty fields of an entry.
func (s *Store) complete(ctx context.Context, e Entry) Entry {
	if p := From(ctx); p != nil && e.Person == "" && e.Name == "" {
		e.Person, e.Name = p.ID, p.Name
	}
	if e.Address == "" {
		e.Address = VisitOf(ctx).Address
	}
	if e.At.IsZero() {
		e.At = s.now()
	}
	return e
}

type execer interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

func record(ctx context.Context, db execer, e Entry) error {
	_, err := db.ExecContext(ctx, "INSERT INTO audit (at, person, name, event, outcome, address, about, sql, reads) VALUES (?, ?, ?, ?, "+
		"?, ?, ?, ?, ?)",
		database.Milliseconds(e.At), e.Person, cut(e.Name, maxName), e.Event, cut(e.Outcome, 1000), cut(e.Address, 100), cut(e.About, 1000),
		cut(e.SQL, maxSQL), list(e.Reads))
	if err != nil {
		return fmt.Errorf("audit: %w", err)
	}
	return nil
}

// Filter selects entries of the audit log. An empty field matches any entry.
type Filter struct {
	Person   string // id or name
	Table    string // a table that was read
	Event    Event
	Refused  string    // account name; selects failed sign-ins to it
	From, To time.Time // To is exclusive
	Before   int64     // selects entries older than this id
	Limit    int
}

// Audit lists entries, newest first.
func (s *Store) Audit(ctx context.Context, f Filter) (entries []Entry, err error) {
	where, args := f.where()
	rows, err := s.db.QueryContext(ctx,
		"SELECT id, at, person, name, event, outcome, address, about, sql, reads FROM audit"+where+" ORDER BY id DESC LIMIT ?",
		append(args, f.Limit)...)
	if err != nil {
		return nil, fmt.Errorf("audit: %w", err)
	}
	defer rows.Close()
	for entries = []Entry{}; rows.Next(); {
		var e Entry
		var at int64
		var reads []byte
		if err := rows.Scan(&e.ID, &at, &e.Person, &e.Name, &e.Event, &e.Outcome, &e.Address, &e.About, &e.SQL, &reads); err != nil {
			return nil, fmt.Errorf("audit: %w", err)
		}
		if err := json.Unmarshal(reads, &e.Reads); err != nil {
			return nil, fmt.Errorf("audit: %w", err)
		}
		e.At = database.Time(at)
		entries = append(entries, e)
	}
	return entries, rows.Err()
}

func (f Filter) where() (string, []any) {
	var conditions []string
	var args []any
	add := func(given bool, condition string, values ...any) {
		if given {
			conditions, args = append(conditions, condition), append(args, values...)
		}
	}
	add(f.Person != "", "(person = ? OR lower(name) = lower(?))", f.Person, f.Person)
	add(f.Table != "", "instr(reads, ?) > 0", `{"table":`+text(f.Table)+`,`) // as list writes it
	add(f.Event != "", "event = ?", f.Event)
	add(f.Refused != "", "event = 'sign-in' AND outcome <> 'done' AND lower(name) = lower(?)", f.Refused)
	add(!f.From.IsZero(), "at >= ?", database.Milliseconds(f.From))
	add(!f.To.IsZero(), "at < ?", database.Milliseconds(f.To))
	add(f.Before > 0, "id < ?", f.Before)
	if conditions == nil {
		return "", nil
	}
	return " WHERE " + strings.Join(conditions, " AND "), args
}

// knownTime is the age up to which a successful sign-in makes its address a known one.
const knownTime = 90 * 24 * time.Hour

// SignedInFrom returns the addresses from which a person signed in within knownTime.
func (s *Store) SignedInFrom(ctx context.Context, name string) (addresses []string, err error) {
	rows, err := s.db.QueryContext(ctx, `SELECT DISTINCT address FROM audit
		WHERE person = (SELECT id FROM people WHERE lower(name) = lower(?)) AND event = 'sign-in' AND outcome = 'done' AND at > ?`, name, database.Milliseconds(s.now().Add(-knownTime)))
	if err != nil {
		return nil, fmt.Errorf("audit: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var a string
		if err := rows.Scan(&a); err != nil {
			return nil, fmt.Errorf("audit: %w", err)
		}
		addresses = append(addresses, a)
	}
	return addresses, rows.Err()
}
