package saved

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/sql/saved/document"
	"github.com/pingmill/pingmill/store/database"
)

// Annotation is a text about a day, which charts show on their time axes.
type Annotation struct {
	ID    string `json:"id"`
	Day   string `json:"day" doc:"such as 2018-03-01"`
	Text  string `json:"text"`
	Owner string `json:"owner" doc:"id of a person"`
}

// Annotations stores annotations. Everybody sees them, except those with the name of a restricted table that the person
// may not read.
type Annotations struct {
	db     *sql.DB
	tables []*schema.Table
}

// Annotations returns the annotations in the database of the saved queries.
func (s *Store) Annotations() *Annotations { return &Annotations{s.db, s.tables} }

// ErrNoAnnotation means that the annotation does not exist or the caller may not see it.
var ErrNoAnnotation = errors.New("there is no such annotation")

const (
	maxAnnotations       = 10_000
	maxListedAnnotations = 500
)

// List returns the annotations from one day to another that the person sees, at most 500, in the order of days.
func (a *Annotations) List(ctx context.Context, p *access.Person, from, to string) ([]Annotation, error) {
	for _, day := range []string{from, to} {
		if err := checkDay(day); err != nil {
			return nil, err
		}
	}
	rows, err := a.db.QueryContext(ctx, "SELECT id, day, text, owner FROM annotations WHERE day BETWEEN ? AND ? ORDER BY day, id", from, to)
	if err != nil {
		return nil, fmt.Errorf("annotations: %w", err)
	}
	defer rows.Close()
	list := []Annotation{}
	for len(list) < maxListedAnnotations && rows.Next() {
		var n Annotation
		if err := rows.Scan(&n.ID, &n.Day, &n.Text, &n.Owner); err != nil {
			return nil, fmt.Errorf("annotations: %w", err)
		}
		if a.sees(p, n) {
			list = append(list, n)
		}
	}
	return list, rows.Err()
}

func (a *Annotations) sees(p *access.Person, n Annotation) bool {
	return n.Owner == p.ID || !document.NamesHidden(p, a.tables, n.Text)
}

// Create stores a person's annotation of a day.
func (a *Annotations) Create(ctx context.Context, p *access.Person, day, text string) (Annotation, error) {
	n := Annotation{ID: document.NewID(), Day: day, Text: strings.TrimSpace(text), Owner: p.ID}
	if err := checkDay(day); err != nil {
		return n, err
	}
	if err := document.CheckText("text", n.Text, 1, 200); err != nil {
		return n, err
	}
	if strings.ContainsFunc(n.Text, unicode.IsControl) {
		return n, document.Invalid("the text of an annotation is one line")
	}
	return n, database.Change(ctx, a.db, "annotations", func(tx *sql.Tx) error {
		r, err := tx.ExecContext(ctx, "INSERT INTO annotations SELECT ?, ?, ?, ? WHERE (SELECT count(*) FROM annotations) < ?",
			n.ID, n.Day, n.Text, n.Owner, maxAnnotations)
		if err != nil {
			return err
		}
		if made, err := r.RowsAffected(); err != nil || made == 1 {
			return err
		}
		return document.Invalid("there are %d annotations already: remove some", maxAnnotations)
	})
}

// Delete removes an annotation of the person. Administrators remove any that they see.
func (a *Annotations) Delete(ctx context.Context, p *access.Person, id string) error {
	return database.Change(ctx, a.db, "annotations", func(tx *sql.Tx) error {
		n := Annotation{ID: id}
		err := tx.QueryRowContext(ctx, "SELECT text, owner FROM annotations WHERE id = ?", id).Scan(&n.Text, &n.Owner)
		switch {
		case errors.Is(err, sql.ErrNoRows), err == nil && !a.sees(p, n):
			return ErrNoAnnotation
		case err != nil:
			return err
		case !n.MayDelete(p):
			return document.ErrNotYours
		}
		_, err = tx.ExecContext(ctx, "DELETE FROM annotations WHERE id = ?", id)
		return err
	})
}

// MayDelete reports whether the person may delete an annotation that they see.
func (n Annotation) MayDelete(p *access.Person) bool {
	return n.Owner == p.ID || p.May(access.Administer)
}

func checkDay(day string) error {
	if _, err := time.Parse(time.DateOnly, day); err != nil {
		return document.Invalid("%.40q is no day: write 2018-03-01", day)
	}
	return nil
}
