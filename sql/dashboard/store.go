package dashboard

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/sql/saved"
	"github.com/pingmill/pingmill/sql/saved/document"
	"github.com/pingmill/pingmill/store/database"
)

// File is the name of the database in the folder of the query tool.
const File = "dashboards.db"

var migrations = []string{`
CREATE TABLE dashboards (
	id TEXT PRIMARY KEY, owner TEXT NOT NULL, builtin INTEGER NOT NULL, fork_of TEXT NOT NULL,
	revision INTEGER NOT NULL, created INTEGER NOT NULL, updated INTEGER NOT NULL, doc TEXT NOT NULL
) STRICT;
CREATE INDEX dashboards_updated ON dashboards (updated DESC, id);
CREATE INDEX dashboards_owner ON dashboards (owner);
CREATE TABLE revisions (
	dashboard TEXT NOT NULL REFERENCES dashboards ON DELETE CASCADE, revision INTEGER NOT NULL, at INTEGER NOT NULL, person TEXT NOT NULL,
	doc TEXT NOT NULL, PRIMARY KEY (dashboard, revision)
) STRICT;
CREATE VIRTUAL TABLE words USING fts5 (id UNINDEXED, title, tags, description, widgets, tokenize = 'unicode61 remove_diacritics 2');
CREATE TABLE favourites (
	person TEXT NOT NULL, dashboard TEXT NOT NULL, PRIMARY KEY (person, dashboard) -- built-in ones are replaced at each start
) STRICT;
`, `
CREATE TABLE files (
	path TEXT PRIMARY KEY, revision INTEGER NOT NULL, hash TEXT NOT NULL
) STRICT;
`}

// kind names the tables of dashboards.
var kind = document.Kind{What: "dashboards", Items: "dashboards", Parent: "dashboard", Revisions: "revisions", Words: "words",
	RevisionBytes: 1 << 20}

// Limits of a person.
const (
	maxOwned      = 300
	maxFavourites = 1000
)

// ErrTooMany means that a person owns as many dashboards, or has as many favourites, as are possible.
var ErrTooMany = fmt.Errorf("a person has at most %d dashboards and %d favourites: remove one first", maxOwned, maxFavourites)

// Store stores dashboards in SQLite. It is safe for concurrent use, also by several processes.
type Store struct {
	Queries *saved.Store

	db     *sql.DB
	now    func() time.Time
	tables []*schema.Table
}

// Open opens the database in the query tool's folder, creates it if it is missing, and replaces the built-in dashboards.
// tables are all tables of the installation.
func Open(ctx context.Context, dir string, now func() time.Time, tables []*schema.Table, queries *saved.Store, builtin []Dashboard) (*Store,
	error) {
	db, err := database.Open(ctx, filepath.Join(dir, File), migrations...)
	if err != nil {
		return nil, err
	}
	s := &Store{Queries: queries, db: db, now: now, tables: tables}
	if err := s.change(ctx, func(tx *sql.Tx) error { return replaceBuiltin(ctx, tx, builtin) }); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return s, nil
}

func (s *Store) Close() error { return s.db.Close() }

func replaceBuiltin(ctx context.Context, tx *sql.Tx, builtin []Dashboard) error {
	if err := kind.DropBuiltin(ctx, tx); err != nil {
		return err
	}
	for _, d := range builtin {
		d.Builtin, d.Owner, d.Revision = true, "", 1
		if err := d.Clean(); err != nil {
			return fmt.Errorf("dashboard %s: %w", d.ID, err)
		}
		if err := kind.Insert(ctx, tx, &d.Head, d.Doc, d.words(), ""); err != nil {
			return err
		}
	}
	return nil
}

// change runs do in a write transaction.
func (s *Store) change(ctx context.Context, do func(*sql.Tx) error) error {
	return database.Change(ctx, s.db, "dashboards", do)
}

func (s *Store) time() time.Time { return s.now().UTC().Truncate(time.Millisecond) }

// Create saves a person's dashboard, and returns it as they see it.
func (s *Store) Create(ctx context.Context, p *access.Person, d Doc, forkOf string) (*Dashboard, error) {
	if err := s.viewer(p).restore(ctx, &document.Head{}, &Doc{}, &d); err != nil {
		return nil, err
	}
	if err := d.Clean(); err != nil {
		return nil, err
	}
	now := s.time()
	n := &Dashboard{document.Head{ID: document.NewID(), Owner: p.ID, ForkOf: forkOf, Revision: 1, Created: now, Updated: now}, d}
	if err := s.change(ctx, func(tx *sql.Tx) error {
		if err := few(ctx, tx, "SELECT count(*) FROM dashboards WHERE owner = ?", p.ID, maxOwned); err != nil {
			return err
		}
		return kind.Insert(ctx, tx, &n.Head, n.Doc, n.words(), p.ID)
	}); err != nil {
		return nil, err
	}
	return s.Get(ctx, p, n.ID)
}

// few returns ErrTooMany if a count of a person's rows has reached its limit.
func few(ctx context.Context, tx *sql.Tx, count, person string, most int) error {
	var n int
	if err := tx.QueryRowContext(ctx, count, person).Scan(&n); err != nil {
		return err
	}
	if n >= most {
		return ErrTooMany
	}
	return nil
}

// Fork saves a copy of a dashboard for the person, without the widgets that are refused to them.
func (s *Store) Fork(ctx context.Context, p *access.Person, id string) (*Dashboard, error) {
	d, err := s.Get(ctx, p, id)
	if err != nil {
		return nil, err
	}
	d.Title = document.Copied(d.Title)
	d.Widgets = slices.DeleteFunc(d.Widgets, func(w Widget) bool { return w.Refused })
	return s.Create(ctx, p, d.Doc, d.ID)
}

// Get returns a dashboard as a person sees it.
func (s *Store) Get(ctx context.Context, p *access.Person, id string) (*Dashboard, error) {
	d, err := s.read(ctx, s.db, s.viewer(p), id)
	if err != nil {
		return nil, err
	}
	d.Doc, err = s.viewer(p).see(ctx, &d.Head, &d.Doc)
	return d, err
}

// read returns a dashboard that the viewer sees, in its stored form.
func (s *Store) read(ctx context.Context, db document.Querier, v *viewer, id string) (*Dashboard, error) {
	h, doc, err := kind.Read(ctx, db, id)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, ErrNotFound
	}
	d := &Dashboard{Head: h}
	if err == nil {
		err = json.Unmarshal(doc, &d.Doc)
	}
	if err != nil {
		return nil, fmt.Errorf("dashboards: %w", err)
	}
	if !v.sees(&d.Head, &d.Doc) {
		return nil, ErrNotFound
	}
	return d, nil
}

// Update changes a dashboard if its present revision is the given one; otherwise it returns a *document.ConflictError.
// Refused widgets keep what is stored.
func (s *Store) Update(ctx context.Context, p *access.Person, id string, revision int, doc Doc) (*Dashboard, error) {
	return s.replace(ctx, p, id, revision, func(_ *sql.Tx, v *viewer, d *Dashboard) (Doc, error) {
		err := v.restore(ctx, &d.Head, &d.Doc, &doc)
		return doc, err
	})
}

// Restore makes an earlier revision, which the person sees, the content of a new one.
func (s *Store) Restore(ctx context.Context, p *access.Person, id string, revision, earlier int) (*Dashboard, error) {
	return s.replace(ctx, p, id, revision, func(tx *sql.Tx, v *viewer, d *Dashboard) (doc Doc, err error) {
		var text []byte
		err = tx.QueryRowContext(ctx, "SELECT doc FROM revisions WHERE dashboard = ? AND revision = ?", id, earlier).Scan(&text)
		if errors.Is(err, sql.ErrNoRows) {
			return doc, document.Invalid("there is no revision %d", earlier)
		}
		if err == nil {
			err = json.Unmarshal(text, &doc)
		}
		if err == nil && !v.sees(&d.Head, &doc) {
			err = document.Invalid("there is no revision %d", earlier)
		}
		return doc, err
	})
}

// replace stores the doc that content returns as the next revision.
func (s *Store) replace(ctx context.Context, p *access.Person, id string, revision int,
	content func(*sql.Tx, *viewer, *Dashboard) (Doc, error)) (*Dashboard, error) {
	v := s.viewer(p)
	if err := s.change(ctx, func(tx *sql.Tx) error {
		d, err := s.read(ctx, tx, v, id)
		if err != nil {
			return err
		}
		if err := d.Replaces(p, revision); err != nil {
			return err
		}
		if d.Doc, err = content(tx, v, d); err != nil {
			return err
		}
		if err := d.Clean(); err != nil {
			return err
		}
		d.Revision, d.Updated = revision+1, s.time()
		return kind.Update(ctx, tx, &d.Head, d.Doc, d.words(), p.ID)
	}); err != nil {
		return nil, err
	}
	return s.Get(ctx, p, id)
}

// Delete removes a dashboard with its revisions.
func (s *Store) Delete(ctx context.Context, p *access.Person, id string) error {
	return s.change(ctx, func(tx *sql.Tx) error {
		d, err := s.read(ctx, tx, s.viewer(p), id)
		if err != nil {
			return err
		}
		if err := d.MayChange(p); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, "DELETE FROM favourites WHERE dashboard = ?", id); err != nil {
			return err
		}
		return kind.Delete(ctx, tx, id)
	})
}

// words returns the texts by which a dashboard is found.
func (d *Doc) words() document.Words {
	var rest strings.Builder
	for _, w := range d.Widgets {
		rest.WriteString(w.Title + "\n" + w.Text + "\n")
	}
	return document.Words{Title: d.Title, Tags: strings.Join(d.Tags, " "), Description: d.Description, Rest: rest.String()}
}
