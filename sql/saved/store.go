package saved

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/store/database"
)

// File is the name of the database in the folder of the query tool.
const File = "saved.db"

var migrations = []string{`
CREATE TABLE queries (
	id TEXT PRIMARY KEY, owner TEXT NOT NULL, builtin INTEGER NOT NULL, fork_of TEXT NOT NULL,
	revision INTEGER NOT NULL, created INTEGER NOT NULL, updated INTEGER NOT NULL, doc TEXT NOT NULL
) STRICT;
CREATE INDEX queries_updated ON queries (updated DESC, id);
CREATE TABLE revisions (
	query TEXT NOT NULL REFERENCES queries ON DELETE CASCADE, revision INTEGER NOT NULL, at INTEGER NOT NULL, person TEXT NOT NULL, doc TEXT NOT NULL,
	PRIMARY KEY (query, revision)
) STRICT;
CREATE VIRTUAL TABLE words USING fts5 (id UNINDEXED, title, tags, description, sql, tokenize = 'unicode61 remove_diacritics 2');
CREATE TABLE schedules (
	query TEXT PRIMARY KEY REFERENCES queries ON DELETE CASCADE, doc TEXT NOT NULL, secret TEXT NOT NULL, paused TEXT NOT NULL, failures INTEGER NOT NULL,
	held INTEGER NOT NULL, last_value REAL, next INTEGER NOT NULL, holder TEXT NOT NULL, held_until INTEGER NOT NULL
) STRICT;
CREATE INDEX schedules_next ON schedules (next) WHERE paused = '';
CREATE TABLE runs (
	id INTEGER PRIMARY KEY, query TEXT NOT NULL REFERENCES queries ON DELETE CASCADE, doc TEXT NOT NULL
) STRICT;
CREATE INDEX runs_query ON runs (query, id);
`}

// Store stores saved queries in SQLite. It is safe for concurrent use, also by several processes.
type Store struct {
	db     *sql.DB
	now    func() time.Time
	tables []*schema.Table
}

// Open opens the database in the query tool's folder, creates it if it is missing, and replaces the built-in queries.
// tables are all tables of the installation.
func Open(ctx context.Context, dir string, now func() time.Time, tables []*schema.Table, builtin []Query) (*Store, error) {
	db, err := database.Open(ctx, filepath.Join(dir, File), migrations...)
	if err != nil {
		return nil, err
	}
	s := &Store{db: db, now: now, tables: tables}
	if err := s.change(ctx, func(tx *sql.Tx) error { return replaceBuiltin(ctx, tx, builtin) }); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return s, nil
}

func (s *Store) Close() error { return s.db.Close() }

// replaceBuiltin replaces the built-in queries.
func replaceBuiltin(ctx context.Context, tx *sql.Tx, builtin []Query) error {
	for _, drop := range []string{"DELETE FROM words WHERE id IN (SELECT id FROM queries WHERE builtin)",
		"DELETE FROM queries WHERE builtin"} {
		if _, err := tx.ExecContext(ctx, drop); err != nil {
			return err
		}
	}
	for _, q := range builtin {
		q.Builtin, q.Owner, q.Revision = true, "", 1
		if err := q.clean(); err != nil {
			return fmt.Errorf("example %s: %w", q.ID, err)
		}
		if err := insert(ctx, tx, &q); err != nil {
			return err
		}
	}
	return nil
}

// change runs do in a write transaction.
func (s *Store) change(ctx context.Context, do func(*sql.Tx) error) error {
	return database.Change(ctx, s.db, "saved queries", do)
}

// Create saves a person's query. forkOf is the id of the query that it was copied from, or "".
func (s *Store) Create(ctx context.Context, p *access.Person, d Doc, forkOf string) (*Query, error) {
	if err := d.clean(); err != nil {
		return nil, err
	}
	now := s.now().UTC().Truncate(time.Millisecond)
	q := &Query{ID: strings.ToLower(rand.Text()[:13]), Owner: p.ID, ForkOf: forkOf, Revision: 1, Created: now, Updated: now, Doc: d}
	return q, s.change(ctx, func(tx *sql.Tx) error {
		if err := insert(ctx, tx, q); err != nil {
			return err
		}
		return remember(ctx, tx, q, p.ID)
	})
}

// Fork saves a copy of a query for the person.
func (s *Store) Fork(ctx context.Context, p *access.Person, id string) (*Query, error) {
	q, err := s.Get(ctx, p, id)
	if err != nil {
		return nil, err
	}
	if r := []rune(q.Title); len(r) > 190 {
		q.Title = string(r[:190])
	}
	q.Title += " (copy)"
	return s.Create(ctx, p, q.Doc, q.ID)
}

// Get returns a query that a person may see.
func (s *Store) Get(ctx context.Context, p *access.Person, id string) (*Query, error) {
	return s.get(ctx, s.db, p, id)
}

type querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

func (s *Store) get(ctx context.Context, db querier, p *access.Person, id string) (*Query, error) {
	var q Query
	err := scan(db.QueryRowContext(ctx, "SELECT "+columns+" FROM queries WHERE id = ?", id), &q)
	if errors.Is(err, sql.ErrNoRows) || err == nil && !s.sees(p, &q) {
		return nil, ErrNotFound
	}
	if err != nil {
		return nil, fmt.Errorf("saved queries: %w", err)
	}
	return &q, nil
}

// Update changes a query if its present revision is the given one; otherwise it returns a *ConflictError.
func (s *Store) Update(ctx context.Context, p *access.Person, id string, revision int, d Doc) (q *Query, err error) {
	if err := d.clean(); err != nil {
		return nil, err
	}
	err = s.change(ctx, func(tx *sql.Tx) error {
		if q, err = s.get(ctx, tx, p, id); err != nil {
			return err
		}
		if err := mayChange(p, q); err != nil {
			return err
		}
		if q.Revision != revision {
			return &ConflictError{q.Revision, q.Updated}
		}
		q.Doc, q.Revision, q.Updated = d, revision+1, s.now().UTC().Truncate(time.Millisecond)
		doc, err := json.Marshal(q.Doc)
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, "UPDATE queries SET revision = ?, updated = ?, doc = ? WHERE id = ?", q.Revision, q.Updated.UnixMilli(),
			string(doc), id); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, "DELETE FROM words WHERE id = ?", id); err != nil {
			return err
		}
		if err := index(ctx, tx, q); err != nil {
			return err
		}
		if q.Owner != p.ID { // the schedule would run another's SQL with the owner's grants
			if _, err := tx.ExecContext(ctx, "UPDATE schedules SET paused = ? WHERE query = ?", changedByOther, id); err != nil {
				return err
			}
		}
		return remember(ctx, tx, q, p.ID)
	})
	if err != nil {
		return nil, err
	}
	return q, nil
}

const changedByOther = "somebody else has changed the query: its owner has to start the schedule again"

// Delete removes a query with its revisions, schedule and runs.
func (s *Store) Delete(ctx context.Context, p *access.Person, id string) error {
	return s.change(ctx, func(tx *sql.Tx) error {
		q, err := s.get(ctx, tx, p, id)
		if err != nil {
			return err
		}
		if err := mayChange(p, q); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, "DELETE FROM words WHERE id = ?", id); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, "DELETE FROM queries WHERE id = ?", id)
		return err
	})
}

const columns = "queries.id, owner, builtin, fork_of, revision, created, updated, doc"

func scan(row interface{ Scan(...any) error }, q *Query) error {
	var created, updated int64
	var doc []byte
	if err := row.Scan(&q.ID, &q.Owner, &q.Builtin, &q.ForkOf, &q.Revision, &created, &updated, &doc); err != nil {
		return err
	}
	q.Created, q.Updated = database.Time(created), database.Time(updated)
	return json.Unmarshal(doc, &q.Doc)
}

func insert(ctx context.Context, tx *sql.Tx, q *Query) error {
	doc, err := json.Marshal(q.Doc)
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, "INSERT INTO queries VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
		q.ID, q.Owner, q.Builtin, q.ForkOf, q.Revision, database.Milliseconds(q.Created), database.Milliseconds(q.Updated),
		string(doc)); err != nil {
		return fmt.Errorf("save query: %w", err)
	}
	return index(ctx, tx, q)
}

// index adds a query to the full-text index.
func index(ctx context.Context, tx *sql.Tx, q *Query) error {
	_, err := tx.ExecContext(ctx, "INSERT INTO words VALUES (?, ?, ?, ?, ?)", q.ID, q.Title, strings.Join(q.Tags, " "), q.Description, q.SQL)
	return err
}

// remember stores the present revision and deletes the oldest ones.
func remember(ctx context.Context, tx *sql.Tx, q *Query, person string) error {
	doc, err := json.Marshal(q.Doc)
	if err == nil {
		_, err = tx.ExecContext(ctx, "INSERT INTO revisions VALUES (?, ?, ?, ?, ?)", q.ID, q.Revision, q.Updated.UnixMilli(), person, string(doc))
	}
	if err == nil {
		_, err = tx.ExecContext(ctx, "DELETE FROM revisions WHERE query = ? AND revision <= ?", q.ID, q.Revision-maxRevisions)
	}
	return err
}
