package saved

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/store/database"
)

// Filter says which queries a list has: those that fit all that is set.
type Filter struct {
	Text   string // words, or beginnings of words, of title, tags, description and SQL
	Tag    string
	Owner  string // id of a person
	Table  string // whose name stands in the SQL
	Cursor string // where the list before this one ended
	Limit  int    // 0: 50
}

// maxRevisions are kept of each query.
const maxRevisions = 100

// List gives the queries that a person may see: the newest first, those that fit the text best if there is one, and
// built-in ones last, in their own order. next is the cursor of the next part, "" if there is none.
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
	seen := 0 // only what is seen counts, so that a cursor does not tell what is not
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
		if len(list) == limit {
			return list, strconv.Itoa(seen - 1), rows.Err()
		}
		list = append(list, q)
	}
	return list, "", rows.Err()
}

const listed, maxListed = 50, 500

// cursor is how many queries were in the lists before.
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

// query is what the database is asked for.
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

// hasWord says whether the name of a table stands in the SQL, with its version or without. It asks no list of tables: what is none, and
// what the person may not know of, are the same.
func hasWord(q *Query, table string) bool {
	table = strings.ToLower(table)
	for w := range wordsOf(q.SQL) {
		if rest, is := strings.CutPrefix(w, table); is && (rest == "" || versionForm.MatchString(rest)) {
			return true
		}
	}
	return false
}

var versionForm = regexp.MustCompile(`^_v[0-9]+$`)

// matching is a text as FTS5 asks for it: all words, the beginning of each is enough.
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

// Tag is a tag of queries, and how many have it.
type Tag struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
}

// Tags gives the tags of all queries that a person may see, the most frequent first.
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

// Revision is a query as it once was.
type Revision struct {
	Revision int       `json:"revision"`
	At       time.Time `json:"at"`
	Person   string    `json:"person" doc:"id of who made the change"`
	Doc
}

// Revisions gives the last revisions of a query that a person may see, newest first, up to one with tables that the person may
// not read: a gap would tell of it.
func (s *Store) Revisions(ctx context.Context, p *access.Person, id string) ([]Revision, error) {
	q, err := s.Get(ctx, p, id)
	if err != nil {
		return nil, err
	}
	rows, err := s.db.QueryContext(ctx, "SELECT revision, at, person, doc FROM revisions WHERE query = ? ORDER BY revision DESC LIMIT ?", id, maxRevisions)
	if err != nil {
		return nil, fmt.Errorf("saved queries: %w", err)
	}
	defer rows.Close()
	list := []Revision{}
	for rows.Next() {
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
		list = append(list, r)
	}
	return list, rows.Err()
}
