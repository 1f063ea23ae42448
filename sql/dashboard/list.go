package dashboard

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/sql/saved/document"
)

// Filter selects dashboards that match all fields that are set.
type Filter struct {
	Text      string // words or prefixes of words in title, tags, description, and titles and texts of widgets
	Tag       string
	Owner     string // id of a person
	Query     string // id of a saved query that a widget shows
	Favourite bool   // the person's favourites only
	Cursor    string // cursor of the previous page
	Limit     int    // 0: 50
}

// List returns dashboards as a person sees them: the newest first, or the best matches of a text first, and built-in
// ones last. next is the cursor of the next page, "" if there is none. What the person does not see is not found.
func (s *Store) List(ctx context.Context, p *access.Person, f Filter) (list []Dashboard, next string, err error) {
	v := s.viewer(p)
	filter := document.Filter{Text: f.Text, Tag: f.Tag, Owner: f.Owner, Cursor: f.Cursor, Limit: f.Limit}
	if f.Favourite {
		filter.Where = "EXISTS (SELECT 1 FROM favourites WHERE person = ? AND dashboard = dashboards.id)"
		filter.Args = []any{p.ID}
	}
	return document.List(ctx, s.db, kind, filter, func(h document.Head, doc []byte) (d Dashboard, sees bool, size int, err error) {
		d.Head = h
		if err := json.Unmarshal(doc, &d.Doc); err != nil || !v.sees(&d.Head, &d.Doc) {
			return d, false, 0, err
		}
		if d.Doc, err = v.see(ctx, &d.Head, &d.Doc); err != nil {
			return d, false, 0, err
		}
		return d, d.found(f), len(doc), nil
	})
}

// found reports whether what a person sees of a dashboard has the query and the words of a filter.
func (d *Dashboard) found(f Filter) bool {
	if f.Query != "" && !slices.ContainsFunc(d.Widgets, func(w Widget) bool { return w.Query == f.Query }) {
		return false
	}
	refused := slices.ContainsFunc(d.Widgets, func(w Widget) bool { return w.Refused })
	return f.Text == "" || !refused || d.words().Match(f.Text)
}

// Tags returns the tags of all dashboards that a person may see, the most frequent first.
func (s *Store) Tags(ctx context.Context, p *access.Person) ([]document.Tag, error) {
	return document.Tags(func(cursor string) (tags [][]string, next string, err error) {
		list, next, err := s.List(ctx, p, Filter{Cursor: cursor, Limit: 500})
		for _, d := range list {
			tags = append(tags, d.Tags)
		}
		return tags, next, err
	})
}

// Revision is an earlier version of a dashboard.
type Revision struct {
	document.Past
	Doc
}

// Revisions returns the last revisions of a dashboard as a person sees them, newest first.
func (s *Store) Revisions(ctx context.Context, p *access.Person, id string) ([]Revision, error) {
	v := s.viewer(p)
	d, err := s.read(ctx, s.db, v, id)
	if err != nil {
		return nil, err
	}
	return document.Revisions(ctx, s.db, kind, id, func(past document.Past, doc []byte) (r Revision, sees bool, size int, err error) {
		r.Past = past
		if err := json.Unmarshal(doc, &r.Doc); err != nil || !v.sees(&d.Head, &r.Doc) {
			return r, false, 0, err
		}
		r.Doc, err = v.see(ctx, &d.Head, &r.Doc)
		return r, true, len(doc), err
	})
}

// Favourites returns the ids of a person's favourites.
func (s *Store) Favourites(ctx context.Context, p *access.Person) (map[string]bool, error) {
	rows, err := s.db.QueryContext(ctx, "SELECT dashboard FROM favourites WHERE person = ?", p.ID)
	if err != nil {
		return nil, fmt.Errorf("dashboards: %w", err)
	}
	defer rows.Close()
	all := map[string]bool{}
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, fmt.Errorf("dashboards: %w", err)
		}
		all[id] = true
	}
	return all, rows.Err()
}

// SetFavourite makes a dashboard that the person sees one of their favourites, or no longer.
func (s *Store) SetFavourite(ctx context.Context, p *access.Person, id string, is bool) error {
	return s.change(ctx, func(tx *sql.Tx) error {
		if _, err := s.read(ctx, tx, s.viewer(p), id); err != nil {
			return err
		}
		if !is {
			_, err := tx.ExecContext(ctx, "DELETE FROM favourites WHERE person = ? AND dashboard = ?", p.ID, id)
			return err
		}
		if err := few(ctx, tx, "SELECT count(*) FROM favourites WHERE person = ?", p.ID, maxFavourites); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, "INSERT INTO favourites VALUES (?, ?) ON CONFLICT DO NOTHING", p.ID, id)
		return err
	})
}

// Sees reports whether a dashboard exists and the person sees it.
func (s *Store) Sees(ctx context.Context, p *access.Person, id string) (bool, error) {
	_, err := s.read(ctx, s.db, s.viewer(p), id)
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}
