package queryservice

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/access"
)

var migrations = []string{`
CREATE TABLE queries (
	n      INTEGER PRIMARY KEY AUTOINCREMENT,
	id     TEXT NOT NULL UNIQUE,
	person TEXT NOT NULL,
	state  TEXT NOT NULL,
	saved  TEXT NOT NULL,
	key    TEXT,             -- of who asked, once
	sql    TEXT NOT NULL,
	doc    TEXT NOT NULL,    -- a Query as JSON
	uses   TEXT NOT NULL     -- what who sees it must be allowed to read: a list of Use as JSON
);
CREATE UNIQUE INDEX queries_key ON queries (person, key) WHERE key IS NOT NULL;
CREATE INDEX queries_person ON queries (person, n);
CREATE INDEX queries_saved ON queries (saved, n) WHERE saved <> '';
CREATE INDEX queries_open ON queries (state) WHERE state IN ('queued', 'running');
`, `
ALTER TABLE queries ADD COLUMN share TEXT NOT NULL DEFAULT ''; -- the same for requests that have the same result
CREATE INDEX queries_share ON queries (share, n) WHERE share <> '';
`, `
ALTER TABLE queries ADD COLUMN server TEXT NOT NULL DEFAULT ''; -- that runs it
ALTER TABLE queries ADD COLUMN cancelled INTEGER NOT NULL DEFAULT 0; -- 1: its server is to cancel it
CREATE TABLE servers (name TEXT PRIMARY KEY, seen INTEGER NOT NULL);
`}

// insert stores a new query. first is false if the person already has a query with the key.
func (d *Service) insert(ctx context.Context, q *Query, uses []Use, key, share string) (first bool, err error) {
	doc, used, err := encoded(q, uses)
	if err != nil {
		return false, err
	}
	r, err := d.db.ExecContext(ctx, `INSERT INTO queries (id, person, state, saved, key, sql, doc, uses, share, server)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (person, key) WHERE key IS NOT NULL DO NOTHING`,
		q.ID, q.Person, q.State, q.Saved, sql.NullString{String: key, Valid: key != ""}, q.SQL, doc, used, share, d.server)
	if err != nil {
		return false, fmt.Errorf("store query: %w", err)
	}
	n, err := r.RowsAffected()
	return n > 0, err
}

// update stores the present state of a query.
func (d *Service) update(ctx context.Context, q *Query, uses []Use) error {
	doc, used, err := encoded(q, uses)
	if err != nil {
		return err
	}
	if _, err := d.db.ExecContext(ctx, "UPDATE queries SET state = ?, saved = ?, doc = ?, uses = ? WHERE id = ?",
		q.State, q.Saved, doc, used, q.ID); err != nil {
		return fmt.Errorf("store query: %w", err)
	}
	return nil
}

func encoded(q *Query, uses []Use) (doc, used []byte, err error) {
	if doc, err = json.Marshal(q); err != nil {
		return nil, nil, fmt.Errorf("store query: %w", err)
	}
	if used, err = json.Marshal(uses); err != nil {
		return nil, nil, fmt.Errorf("store query: %w", err)
	}
	return doc, used, nil
}

// stored is a row of the table queries.
type stored struct {
	n      int64
	q      Query
	uses   []Use
	server string
}

const columns = "n, doc, uses, server"

func scan(row interface{ Scan(...any) error }) (s stored, err error) {
	var doc, uses []byte
	if err := row.Scan(&s.n, &doc, &uses, &s.server); err != nil {
		return s, err
	}
	return s, errors.Join(json.Unmarshal(doc, &s.q), json.Unmarshal(uses, &s.uses))
}

// find reads one query by an SQL condition. It returns ErrNotFound if there is none.
func (d *Service) find(ctx context.Context, where string, args ...any) (stored, error) {
	s, err := scan(d.db.QueryRowContext(ctx, "SELECT "+columns+" FROM queries WHERE "+where, args...))
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return s, ErrNotFound
	case err != nil:
		return s, fmt.Errorf("find query: %w", err)
	}
	return s, nil
}

// recover marks queries that an earlier process of this server left unfinished as failed.
func (d *Service) recover(ctx context.Context) error {
	return interrupt(ctx, d, "the server was restarted before the query had ended", "server = ?", d.server)
}

// interrupt marks the unfinished queries of a condition as failed.
func interrupt(ctx context.Context, d *Service, why, where string, args ...any) error {
	open, _, err := d.all(ctx, "state IN ('queued', 'running') AND "+where, 1<<20, 0, args...)
	if err != nil {
		return err
	}
	for _, s := range open {
		s.q.State, s.q.Ended, s.q.Position, s.q.Progress = Failed, d.Now(), 0, nil
		s.q.Error = &Failure{Kind: "Interrupted", Message: why, Hint: "run it again"}
		if err := d.update(ctx, &s.q, s.uses); err != nil {
			return err
		}
	}
	return nil
}

// maxListed is the size of texts in bytes after which a list ends early.
const maxListed = 4 << 20

// all returns the newest queries of a condition, at most limit. more reports that there are others, since the list
// ended at the limit, or at a limit of bytes of SQL if it is not 0.
func (d *Service) all(ctx context.Context, where string, limit, bytes int, args ...any) (list []stored, more bool, err error) {
	rows, err := d.db.QueryContext(ctx, "SELECT "+columns+" FROM queries WHERE "+where+" ORDER BY n DESC LIMIT ?", append(args, limit+1)...)
	if err != nil {
		return nil, false, fmt.Errorf("list queries: %w", err)
	}
	defer rows.Close()
	size := 0
	for rows.Next() {
		if len(list) == limit || bytes > 0 && size > bytes {
			return list, true, nil
		}
		s, err := scan(rows)
		if err != nil {
			return nil, false, fmt.Errorf("list queries: %w", err)
		}
		size += len(s.q.SQL)
		list = append(list, s)
	}
	return list, false, rows.Err()
}

// Filter selects queries; an empty field selects any.
type Filter struct {
	Text   string // in the SQL
	State  State
	Saved  string // id of a saved query: the result then includes other persons' queries
	Before int64  // cursor of the previous page
	Limit  int
}

// maxHistory is the maximum number of queries in the history, of all persons together.
const maxHistory = 100_000

// forget deletes the oldest queries if the history is too long.
func (d *Service) forget(ctx context.Context) error {
	_, err := d.db.ExecContext(ctx, "DELETE FROM queries WHERE n <= (SELECT max(n) FROM queries) - ? AND state NOT IN ('queued', 'running')",
		maxHistory)
	if err != nil {
		return fmt.Errorf("shorten history: %w", err)
	}
	return nil
}

// List returns queries without their columns, newest first, and the cursor of the next page, 0 if there is none. It
// lists the person's own queries or, for a saved query, all of its queries that the person may see. Long texts make a
// page shorter than the limit.
func (d *Service) List(ctx context.Context, p *access.Person, f Filter) (list []Query, next int64, err error) {
	list = []Query{}
	for size := 0; ; {
		where, args := f.where(p)
		page, more, err := d.all(ctx, where, f.Limit, maxListed, args...)
		if err != nil {
			return nil, 0, err
		}
		for i, s := range page {
			f.Before = s.n
			if !d.visible(p, s.uses) {
				continue
			}
			q := d.newest(s.q)
			q.Columns = nil // hundreds of each would be most of the list
			list = append(list, q)
			size += len(q.SQL)
			if last := i == len(page)-1 && !more; !last && (len(list) == f.Limit || size > maxListed) {
				return list, f.Before, nil
			}
		}
		if !more {
			return list, 0, nil
		}
	}
}

func (f Filter) where(p *access.Person) (string, []any) {
	conditions, args := []string{}, []any{}
	add := func(given bool, condition string, value any) {
		if given {
			conditions, args = append(conditions, condition), append(args, value)
		}
	}
	add(f.Saved == "", "person = ?", p.ID)
	add(f.Saved != "", "saved = ?", f.Saved)
	add(f.State != "", "state = ?", f.State)
	add(f.Text != "", "instr(lower(sql), lower(?)) > 0", f.Text)
	add(f.Before > 0, "n < ?", f.Before)
	return strings.Join(conditions, " AND "), args
}

// newest returns the present state of an active query, which may not be stored yet.
func (d *Service) newest(q Query) Query {
	d.mu.Lock()
	l := d.active[q.ID]
	d.mu.Unlock()
	if l == nil {
		return q
	}
	return l.get()
}

// Get returns a query. It returns ErrNotFound if the query does not exist or the person may not see it.
func (d *Service) Get(ctx context.Context, p *access.Person, id string) (Query, error) {
	s, err := d.find(ctx, "id = ?", id)
	if err != nil {
		return Query{}, err
	}
	if !d.visible(p, s.uses) {
		return Query{}, ErrNotFound
	}
	return d.newest(s.q), nil
}

// visible reports whether a person may read everything that a query used.
func (d *Service) visible(p *access.Person, uses []Use) bool {
	return !slices.ContainsFunc(uses, func(u Use) bool { return !d.mayUse(p, u) })
}
