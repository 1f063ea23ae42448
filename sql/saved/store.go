package saved

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/sql/saved/document"
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
`, `
CREATE TABLE annotations (id TEXT PRIMARY KEY, day TEXT NOT NULL, text TEXT NOT NULL, owner TEXT NOT NULL) STRICT;
CREATE INDEX annotations_day ON annotations (day);
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
	if err := kind.DropBuiltin(ctx, tx); err != nil {
		return err
	}
	for _, q := range builtin {
		q.Builtin, q.Owner, q.Revision = true, "", 1
		if err := q.Clean(); err != nil {
			return fmt.Errorf("example %s: %w", q.ID, err)
		}
		if err := kind.Insert(ctx, tx, &q.Head, q.Doc, q.words(), ""); err != nil {
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
	if err := d.Clean(); err != nil {
		return nil, err
	}
	now := s.now().UTC().Truncate(time.Millisecond)
	q := &Query{document.Head{ID: document.NewID(), Owner: p.ID, ForkOf: forkOf, Revision: 1, Created: now, Updated: now}, d}
	return q, s.change(ctx, func(tx *sql.Tx) error { return kind.Insert(ctx, tx, &q.Head, d, q.words(), p.ID) })
}

// Fork saves a copy of a query for the person.
func (s *Store) Fork(ctx context.Context, p *access.Person, id string) (*Query, error) {
	q, err := s.Get(ctx, p, id)
	if err != nil {
		return nil, err
	}
	q.Title = document.Copied(q.Title)
	return s.Create(ctx, p, q.Doc, q.ID)
}

// Get returns a query that a person may see.
func (s *Store) Get(ctx context.Context, p *access.Person, id string) (*Query, error) {
	return s.get(ctx, s.db, p, id)
}

func (s *Store) get(ctx context.Context, db document.Querier, p *access.Person, id string) (*Query, error) {
	q, err := read(ctx, db, id)
	if errors.Is(err, sql.ErrNoRows) || err == nil && !s.sees(p, q) {
		return nil, ErrNotFound
	}
	if err != nil {
		return nil, fmt.Errorf("saved queries: %w", err)
	}
	return q, nil
}

// read returns a query. The error is sql.ErrNoRows if it does not exist.
func read(ctx context.Context, db document.Querier, id string) (*Query, error) {
	h, doc, err := kind.Read(ctx, db, id)
	q := &Query{Head: h}
	if err == nil {
		err = json.Unmarshal(doc, &q.Doc)
	}
	return q, err
}

// Update changes a query if its present revision is the given one; otherwise it returns a *ConflictError.
func (s *Store) Update(ctx context.Context, p *access.Person, id string, revision int, d Doc) (q *Query, err error) {
	if err := d.Clean(); err != nil {
		return nil, err
	}
	err = s.change(ctx, func(tx *sql.Tx) error {
		if q, err = s.get(ctx, tx, p, id); err != nil {
			return err
		}
		if err := q.Replaces(p, revision); err != nil {
			return err
		}
		q.Doc, q.Revision, q.Updated = d, revision+1, s.now().UTC().Truncate(time.Millisecond)
		if q.Owner != p.ID { // the schedule would run another's SQL with the owner's grants
			if _, err := tx.ExecContext(ctx, "UPDATE schedules SET paused = ? WHERE query = ?", changedByOther, id); err != nil {
				return err
			}
		}
		return kind.Update(ctx, tx, &q.Head, d, q.words(), p.ID)
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
		if err := q.MayChange(p); err != nil {
			return err
		}
		return kind.Delete(ctx, tx, id)
	})
}

// kind names the tables of saved queries.
var kind = document.Kind{What: "saved queries", Items: "queries", Parent: "query", Revisions: "revisions", Words: "words"}

// words returns the texts by which a query is found.
func (q *Query) words() document.Words {
	return document.Words{Title: q.Title, Tags: strings.Join(q.Tags, " "), Description: q.Description, Rest: q.SQL}
}
