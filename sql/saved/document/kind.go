package document

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/pingmill/pingmill/store/database"
)

// Kind names the tables of one kind of documents.
type Kind struct {
	What          string // in errors, such as "saved queries"
	Items         string // table with the columns of Columns
	Parent        string // column of Revisions: the document's id
	Revisions     string // table with the columns Parent, revision, at, person and doc
	Words         string // full-text index with the columns id, title, tags, description and one for the rest
	RevisionBytes int    // size of all stored revisions of a document; 0: no limit
}

// MaxRevisions limits the stored revisions of a document.
const MaxRevisions = 100

// NewID returns a random id.
func NewID() string { return strings.ToLower(rand.Text()[:13]) }

// Words are the texts of a document by which it is found.
type Words struct{ Title, Tags, Description, Rest string }

// Columns are the columns of a table of documents, for Scan.
func (k Kind) Columns() string {
	return k.Items + ".id, owner, builtin, fork_of, revision, created, updated, doc"
}

// Scan reads a row with the columns of Columns.
func (h *Head) Scan(row interface{ Scan(...any) error }) (doc []byte, err error) {
	var created, updated int64
	err = row.Scan(&h.ID, &h.Owner, &h.Builtin, &h.ForkOf, &h.Revision, &created, &updated, &doc)
	h.Created, h.Updated = database.Time(created), database.Time(updated)
	return doc, err
}

// Querier is a database or a transaction.
type Querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// Read returns a document. The error is sql.ErrNoRows if it does not exist.
func (k Kind) Read(ctx context.Context, db Querier, id string) (h Head, doc []byte, err error) {
	doc, err = h.Scan(db.QueryRowContext(ctx, "SELECT "+k.Columns()+" FROM "+k.Items+" WHERE id = ?", id))
	return h, doc, err
}

// Insert adds a document with its first revision by a person; built-in documents have no revisions.
func (k Kind) Insert(ctx context.Context, tx *sql.Tx, h *Head, doc any, w Words, person string) error {
	text, err := json.Marshal(doc)
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, "INSERT INTO "+k.Items+" VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
		h.ID, h.Owner, h.Builtin, h.ForkOf, h.Revision, database.Milliseconds(h.Created),
		database.Milliseconds(h.Updated), string(text)); err != nil {
		return fmt.Errorf("%s: %w", k.What, err)
	}
	if err := k.index(ctx, tx, h.ID, w); err != nil || h.Builtin {
		return err
	}
	return k.remember(ctx, tx, h, string(text), person)
}

// Put stores a document under its id: as a new one if h.Revision is 0, or as the revision after it.
func (k Kind) Put(ctx context.Context, tx *sql.Tx, h *Head, doc any, w Words, person string) error {
	if h.Revision++; h.Revision == 1 {
		return k.Insert(ctx, tx, h, doc, w, person)
	}
	return k.Update(ctx, tx, h, doc, w, person)
}

// Update stores the next revision of a document.
func (k Kind) Update(ctx context.Context, tx *sql.Tx, h *Head, doc any, w Words, person string) error {
	text, err := json.Marshal(doc)
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, "UPDATE "+k.Items+" SET revision = ?, updated = ?, doc = ? WHERE id = ?",
		h.Revision, h.Updated.UnixMilli(), string(text), h.ID); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, "DELETE FROM "+k.Words+" WHERE id = ?", h.ID); err != nil {
		return err
	}
	if err := k.index(ctx, tx, h.ID, w); err != nil {
		return err
	}
	return k.remember(ctx, tx, h, string(text), person)
}

// Delete removes a document and its revisions.
func (k Kind) Delete(ctx context.Context, tx *sql.Tx, id string) error {
	if _, err := tx.ExecContext(ctx, "DELETE FROM "+k.Words+" WHERE id = ?", id); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, "DELETE FROM "+k.Items+" WHERE id = ?", id)
	return err
}

// DropBuiltin removes all built-in documents.
func (k Kind) DropBuiltin(ctx context.Context, tx *sql.Tx) error {
	for _, drop := range []string{"DELETE FROM " + k.Words + " WHERE id IN (SELECT id FROM " + k.Items + " WHERE builtin = 1)",
		"DELETE FROM " + k.Items + " WHERE builtin = 1"} {
		if _, err := tx.ExecContext(ctx, drop); err != nil {
			return err
		}
	}
	return nil
}

// index adds a document to the full-text index. The index gets words without diacritics, so that every database finds the same.
func (k Kind) index(ctx context.Context, tx *sql.Tx, id string, w Words) error {
	_, err := tx.ExecContext(ctx, "INSERT INTO "+k.Words+" VALUES (?, ?, ?, ?, ?)", id, words(w.Title), words(w.Tags),
		words(w.Description), words(w.Rest))
	return err
}

// remember stores the present revision and deletes the oldest ones.
func (k Kind) remember(ctx context.Context, tx *sql.Tx, h *Head, doc, person string) error {
	_, err := tx.ExecContext(ctx, "INSERT INTO "+k.Revisions+" VALUES (?, ?, ?, ?, ?)", h.ID, h.Revision, h.Updated.UnixMilli(), person, doc)
	if err == nil {
		_, err = tx.ExecContext(ctx, "DELETE FROM "+k.Revisions+" WHERE "+k.Parent+" = ? AND revision <= ?", h.ID, h.Revision-MaxRevisions)
	}
	if err == nil && k.RevisionBytes > 0 {
		_, err = tx.ExecContext(ctx, "DELETE FROM "+k.Revisions+" WHERE "+k.Parent+" = ?1 AND revision < ?2 AND revision IN ("+
			"SELECT revision FROM (SELECT revision, "+
			"sum(octet_length(doc)) OVER (ORDER BY revision DESC) AS total FROM "+k.Revisions+" WHERE "+k.Parent+
			" = ?1) AS sizes WHERE total > ?3)", h.ID, h.Revision, k.RevisionBytes)
	}
	return err
}
