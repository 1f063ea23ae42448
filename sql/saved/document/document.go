// Package document stores texts that people write and share, such as saved queries and dashboards: with an owner,
// revisions, tags and a full-text index, in SQLite.
package document

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/schema"
)

// Head is the part of a document that the store writes.
type Head struct {
	ID       string    `json:"id"`
	Owner    string    `json:"owner" doc:"id of a person; empty: built in"`
	Builtin  bool      `json:"builtin" doc:"an example that comes with the program; it cannot be changed, only forked"`
	ForkOf   string    `json:"forkOf,omitempty"`
	Revision int       `json:"revision" doc:"grows with each change"`
	Created  time.Time `json:"created,omitzero"`
	Updated  time.Time `json:"updated,omitzero"`
}

// Errors of documents.
var (
	ErrNotYours = errors.New("only its owner and administrators may change it: fork it to have your own")
	ErrBuiltin  = errors.New("a built-in example cannot be changed: fork it to have your own")
)

// ConflictError means that a change was based on a revision other than the present one.
type ConflictError struct {
	Revision int
	Updated  time.Time
}

func (e *ConflictError) Error() string {
	return fmt.Sprintf("it was changed meanwhile, on %s: revision %d is the present one", e.Updated.Format(time.RFC3339), e.Revision)
}

// InvalidError means that a value cannot be stored.
type InvalidError struct{ What string }

func (e *InvalidError) Error() string { return e.What }

// Invalid returns an *InvalidError.
func Invalid(format string, args ...any) error { return &InvalidError{fmt.Sprintf(format, args...)} }

// MayChange returns nil if the person may change a document that they see.
func (h *Head) MayChange(p *access.Person) error {
	switch {
	case h.Builtin:
		return ErrBuiltin
	case h.Owner != p.ID && !p.May(access.Administer):
		return ErrNotYours
	}
	return nil
}

// Replaces returns nil if the person may change the document, and the change is based on its present revision.
func (h *Head) Replaces(p *access.Person, revision int) error {
	if err := h.MayChange(p); err != nil {
		return err
	}
	if h.Revision != revision {
		return &ConflictError{h.Revision, h.Updated}
	}
	return nil
}

// CheckText returns an error if a text is not valid or has fewer or more characters than the bounds.
func CheckText(what, text string, least, most int) error {
	if n := utf8.RuneCountInString(text); n < least || n > most || !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
		return Invalid("want a %s of %d to %d characters", what, least, most)
	}
	return nil
}

// CheckTitle returns an error if a title is empty, too long or more than one line.
func CheckTitle(title string) error {
	if err := CheckText("title", title, 1, 200); err != nil {
		return err
	}
	if strings.ContainsFunc(title, unicode.IsControl) {
		return Invalid("a title is one line")
	}
	return nil
}

// CleanTags returns the tags in their stored form: lower case, sorted, without duplicates.
func CleanTags(tags []string) ([]string, error) {
	for i, t := range tags {
		t = strings.ToLower(strings.Join(strings.Fields(t), " "))
		if t == "" || utf8.RuneCountInString(t) > 50 || !utf8.ValidString(t) || strings.ContainsFunc(t, unicode.IsControl) {
			return nil, Invalid("a tag has 1 to 50 characters")
		}
		tags[i] = t
	}
	slices.Sort(tags)
	if tags = slices.Compact(tags); len(tags) > 20 {
		return nil, Invalid("at most 20 tags are possible")
	}
	return tags, nil
}

// Copied returns the title of a copy.
func Copied(title string) string {
	if r := []rune(title); len(r) > 190 {
		title = string(r[:190])
	}
	return title + " (copy)"
}

// NamesHidden reports whether a text has the name of a restricted table that the person may not read.
func NamesHidden(p *access.Person, tables []*schema.Table, text string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(tables, func(t *schema.Table) bool {
		if !t.Restricted || !strings.Contains(text, strings.ToLower(t.Name)) {
			return false
		}
		_, may := p.Reads(t)
		return !may
	})
}
