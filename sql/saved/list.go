package saved

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/internal/lazy"
	"github.com/pingmill/pingmill/sql/lexer"
	"github.com/pingmill/pingmill/sql/saved/document"
)

// Filter selects queries that match all fields that are set.
type Filter struct {
	Text   string // words or prefixes of words in title, tags, description and SQL
	Tag    string
	Owner  string // id of a person
	Table  string // a table named in the SQL
	Cursor string // cursor of the previous page
	Limit  int    // 0: 50
}

// List returns queries that a person may see: the newest first, or the best matches of a text first, and built-in ones
// last, in their own order. next is the cursor of the next page, "" if there is none. Large documents make a page
// shorter than the limit.
func (s *Store) List(ctx context.Context, p *access.Person, f Filter) (list []Query, next string, err error) {
	return document.List(ctx, s.db, kind, document.Filter{Text: f.Text, Tag: f.Tag, Owner: f.Owner, Cursor: f.Cursor, Limit: f.Limit},
		func(h document.Head, doc []byte) (q Query, sees bool, size int, err error) {
			q.Head = h
			if err := json.Unmarshal(doc, &q.Doc); err != nil {
				return q, false, 0, err
			}
			return q, s.sees(p, &q) && (f.Table == "" || hasWord(&q, f.Table)), len(doc), nil
		})
}

// hasWord reports whether the SQL names a table, with or without its version. It does not check that the table exists,
// so that hidden and missing tables look the same.
func hasWord(q *Query, table string) bool {
	table = strings.ToLower(table)
	for w := range lexer.Words(q.SQL) {
		if rest, is := strings.CutPrefix(w, table); is && (rest == "" || versionForm().MatchString(rest)) {
			return true
		}
	}
	return false
}

var versionForm = lazy.Regexp(`^_v[0-9]+$`)

// Tag is a tag and the number of queries that have it.
type Tag = document.Tag

// Tags returns the tags of all queries that a person may see, the most frequent first.
func (s *Store) Tags(ctx context.Context, p *access.Person) ([]Tag, error) {
	return document.Tags(func(cursor string) (tags [][]string, next string, err error) {
		list, next, err := s.List(ctx, p, Filter{Cursor: cursor, Limit: 500})
		for _, q := range list {
			tags = append(tags, q.Tags)
		}
		return tags, next, err
	})
}

// Revision is an earlier version of a query.
type Revision struct {
	document.Past
	Doc
}

// Revisions returns the last revisions of a query that a person may see, newest first. The list ends before the first
// revision with tables that the person may not read: a gap would reveal it.
func (s *Store) Revisions(ctx context.Context, p *access.Person, id string) ([]Revision, error) {
	q, err := s.Get(ctx, p, id)
	if err != nil {
		return nil, err
	}
	return document.Revisions(ctx, s.db, kind, id, func(past document.Past, doc []byte) (r Revision, sees bool, size int, err error) {
		r.Past = past
		if err := json.Unmarshal(doc, &r.Doc); err != nil {
			return r, false, 0, err
		}
		return r, s.sees(p, &Query{document.Head{Owner: q.Owner}, r.Doc}), len(doc), nil
	})
}
