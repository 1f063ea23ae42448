package saved

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/internal/lazy"
	"github.com/pingmill/pingmill/sql/lexer"
	"github.com/pingmill/pingmill/store/database"
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

// maxRevisions limits the stored revisions of a query.
const maxRevisions = 100

// maxBytes is the size of documents after which a page of queries, or a list of revisions, ends early.
const maxBytes = 4 << 20

// size returns the approximate size of a document in memory, in bytes.
func (d *Doc) size() int {
	text, err := json.Marshal(d)
	if err != nil {
		return maxBytes // it cannot be shown, so nothing follows it
	}
	return len(text)
}

// List returns queries that a person may see: the newest first, or the best matches of a text first, and built-in ones
// last, in their own order. next is the cursor of the next page, "" if there is none. Large documents make a page
// shorter than the limit.
func (s *Store) List(ctx context.Context, p *access.Person, f Filter) (list []Query, next string, err error) {
	skip, err := cursor(f.Cursor)
	if err != nil {
		return nil, "", err
	}
	limit := f.Limit
	if limit <= 0 || limit > maxListed {
		limit = listed
	}
	query, args := f.query()
	rows, err := s.db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, "", fmt.Errorf("saved queries: %w", err)
	}
	defer rows.Close()
	seen, size := 0, 0 // of visible queries only, so that a cursor reveals nothing about others
	for list = []Query{}; rows.Next(); {
		var q Query
		if err := scan(rows, &q); err != nil {
			return nil, "", fmt.Errorf("saved queries: %w", err)
		}
		if !s.sees(p, &q) || f.Table != "" && !hasWord(&q, f.Table) {
			continue
		}
		if seen++; seen <= skip {
			continue
		}
		if len(list) == limit || size > maxBytes {
			return list, strconv.Itoa(seen - 1), rows.Err()
		}
		list, size = append(list, q), size+q.size()
	}
	return list, "", rows.Err()
}

const listed, maxListed = 50, 500

// cursor returns how many queries the previous pages had.
func cursor(text string) (int, error) {
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0, invalid("%.40q is no cursor", text)
	}
	return n, nil
}

// query returns the SQL that selects the queries, and its arguments.
func (f Filter) query() (string, []any) {
	from, where, order, args := "queries", []string{"TRUE"}, "updated DESC, queries.rowid", []any(nil)
	if strings.TrimSpace(f.Text) != "" {
		from, order = "words JOIN queries USING (id)", "bm25(words, 0, 10, 5, 3, 1), queries.rowid"
		where, args = append(where, "words MATCH ?"), append(args, matching(f.Text))
	}
	if f.Owner != "" {
		where, args = append(where, "owner = ?"), append(args, f.Owner)
	}
	if f.Tag != "" {
		where, args = append(where, "EXISTS (SELECT 1 FROM json_each(doc, '$.tags') WHERE value = ?)"), append(args, strings.ToLower(f.Tag))
	}
	return "SELECT " + columns + " FROM " + from + " WHERE " + strings.Join(where, " AND ") + " ORDER BY " + order, args
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

// matching converts a text to an FTS5 query for all its words, each matched as a prefix.
func matching(text string) string {
	words := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
	for i, w := range words[:min(len(words), 20)] {
		words[i] = `"` + w + `"*`
	}
	if len(words) == 0 {
		return `""` // nothing has it
	}
	return strings.Join(words[:min(len(words), 20)], " ")
}

// Tag is a tag and the number of queries that have it.
type Tag struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
}

// Tags returns the tags of all queries that a person may see, the most frequent first.
func (s *Store) Tags(ctx context.Context, p *access.Person) ([]Tag, error) {
	list, cursor, counts := []Query(nil), "", map[string]int{}
	for first := true; first || cursor != ""; first = false {
		var err error
		if list, cursor, err = s.List(ctx, p, Filter{Cursor: cursor, Limit: 500}); err != nil {
			return nil, err
		}
		for _, q := range list {
			for _, t := range q.Tags {
				counts[t]++
			}
		}
	}
	tags := make([]Tag, 0, len(counts))
	for name, n := range counts {
		tags = append(tags, Tag{name, n})
	}
	slices.SortFunc(tags, func(a, b Tag) int {
		if a.Count != b.Count {
			return b.Count - a.Count
		}
		return strings.Compare(a.Name, b.Name)
	})
	return tags, nil
}

// Revision is an earlier version of a query.
type Revision struct {
	Revision int       `json:"revision"`
	At       time.Time `json:"at"`
	Person   string    `json:"person" doc:"id of who made the change"`
	Doc
}

// Revisions returns the last revisions of a query that a person may see, newest first. The list ends before the first
// revision with tables that the person may not read: a gap would reveal it.
func (s *Store) Revisions(ctx context.Context, p *access.Person, id string) ([]Revision, error) {
	q, err := s.Get(ctx, p, id)
	if err != nil {
		return nil, err
	}
	rows, err := s.db.QueryContext(ctx, "SELECT revision, at, person, doc FROM revisions WHERE query = ? ORDER BY revision DESC LIMIT ?", id,
		maxRevisions)
	if err != nil {
		return nil, fmt.Errorf("saved queries: %w", err)
	}
	defer rows.Close()
	list := []Revision{}
	for size := 0; size <= maxBytes && rows.Next(); {
		var r Revision
		var at int64
		var doc []byte
		if err := rows.Scan(&r.Revision, &at, &r.Person, &doc); err != nil {
			return nil, fmt.Errorf("saved queries: %w", err)
		}
		if err := json.Unmarshal(doc, &r.Doc); err != nil {
			return nil, fmt.Errorf("saved queries: %w", err)
		}
		r.At = database.Time(at)
		if !s.sees(p, &Query{Owner: q.Owner, Doc: r.Doc}) {
			break
		}
		list, size = append(list, r), size+r.size()
	}
	return list, rows.Err()
}
