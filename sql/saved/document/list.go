package document

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/pingmill/pingmill/store/database"
)

// Filter selects documents that match all fields that are set.
type Filter struct {
	Text   string // words or prefixes of words
	Tag    string
	Owner  string // id of a person
	Cursor string // cursor of the previous page
	Limit  int    // 0: 50
	Where  string // a condition in SQL, with Args
	Args   []any
}

// MaxBytes is the size of documents after which a page of documents, or a list of revisions, ends early.
const MaxBytes = 4 << 20

const listed, maxListed = 50, 500

// List returns documents: the newest first, or the best matches of a text first, and built-in ones last, in their own
// order. read decodes one, and reports whether the person sees it, and its size in memory in bytes. next is the cursor
// of the next page, "" if there is none. Large documents make a page shorter than the limit.
func List[T any](ctx context.Context, db *sql.DB, k Kind, f Filter, read func(Head, []byte) (item T, sees bool, size int, err error)) (
	list []T, next string, err error) {
	skip, err := cursor(f.Cursor)
	if err != nil {
		return nil, "", err
	}
	limit := f.Limit
	if limit <= 0 || limit > maxListed {
		limit = listed
	}
	query, args := f.query(k, database.IsPostgres(db))
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", k.What, err)
	}
	defer rows.Close()
	seen, bytes := 0, 0 // of visible documents only, so that a cursor reveals nothing about others
	for list = []T{}; rows.Next(); {
		var h Head
		doc, err := h.Scan(rows)
		if err != nil {
			return nil, "", fmt.Errorf("%s: %w", k.What, err)
		}
		item, sees, size, err := read(h, doc)
		if err != nil {
			return nil, "", fmt.Errorf("%s: %w", k.What, err)
		}
		if !sees {
			continue
		}
		if seen++; seen <= skip {
			continue
		}
		if len(list) == limit || bytes > MaxBytes {
			return list, strconv.Itoa(seen - 1), rows.Err()
		}
		list, bytes = append(list, item), bytes+size
	}
	return list, "", rows.Err()
}

// cursor returns how many documents the previous pages had.
func cursor(text string) (int, error) {
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0, Invalid("%.40q is no cursor", text)
	}
	return n, nil
}

// query returns the SQL that selects the documents, and its arguments.
func (f Filter) query(k Kind, postgres bool) (string, []any) {
	match, rank, matching := k.Words+" MATCH ?", "bm25("+k.Words+", 0, 10, 5, 3, 1)", fts5
	tags := "json_each(doc, '$.tags')"
	if postgres {
		match, rank, matching = "found @@ to_tsquery('simple', ?)", "ts_rank('{0.1, 0.3, 0.5, 1}', found, to_tsquery('simple', ?1)) DESC", tsquery
		tags = "json_array_elements_text(doc::json -> 'tags') AS tags (value)"
	}
	from, where, order, args := k.Items, []string{"TRUE"}, "updated DESC, "+k.Items+".rowid", []any(nil)
	if strings.TrimSpace(f.Text) != "" {
		from, order = k.Words+" JOIN "+k.Items+" USING (id)", rank+", "+k.Items+".rowid"
		where, args = append(where, match), append(args, matching(f.Text))
	}
	if f.Owner != "" {
		where, args = append(where, "owner = ?"), append(args, f.Owner)
	}
	if f.Tag != "" {
		where, args = append(where, "EXISTS (SELECT 1 FROM "+tags+" WHERE value = ?)"), append(args, strings.ToLower(f.Tag))
	}
	if f.Where != "" {
		where, args = append(where, f.Where), append(args, f.Args...)
	}
	return "SELECT " + k.Columns() + " FROM " + from + " WHERE " + strings.Join(where, " AND ") + " ORDER BY " + order, args
}

const maxWords = 20

// searched returns the first words of a text, at most most of them; below 0: all.
func searched(text string, most int) []string {
	words := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
	if most >= 0 {
		words = words[:min(len(words), most)]
	}
	return words
}

// fts5 converts a text to a query of SQLite for all its words, each matched as a prefix.
func fts5(text string) string {
	words := searched(plain(text), maxWords)
	for i, w := range words {
		words[i] = `"` + w + `"*`
	}
	return cmp.Or(strings.Join(words, " "), `""`) // "" matches nothing
}

// tsquery is fts5 for PostgreSQL.
func tsquery(text string) string {
	words := searched(plain(text), maxWords)
	for i, w := range words {
		words[i] = "'" + w + "':*"
	}
	return strings.Join(words, " & ")
}

// words returns the words of a text for the full-text index.
func words(text string) string { return strings.Join(searched(plain(text), -1), " ") }

// Tag is a tag and the number of documents that have it.
type Tag struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
}

// Tags counts the tags of all pages of documents, the most frequent first. list returns the tags of the documents of a
// page, and the cursor of the next page.
func Tags(list func(cursor string) (tags [][]string, next string, err error)) ([]Tag, error) {
	cursor, counts := "", map[string]int{}
	for first := true; first || cursor != ""; first = false {
		page, next, err := list(cursor)
		if err != nil {
			return nil, err
		}
		for _, t := range slices.Concat(page...) {
			counts[t]++
		}
		cursor = next
	}
	tags := make([]Tag, 0, len(counts))
	for name, n := range counts {
		tags = append(tags, Tag{name, n})
	}
	slices.SortFunc(tags, func(a, b Tag) int { return cmp.Or(b.Count-a.Count, strings.Compare(a.Name, b.Name)) })
	return tags, nil
}

// Past describes an earlier revision of a document.
type Past struct {
	Revision int       `json:"revision"`
	At       time.Time `json:"at"`
	Person   string    `json:"person" doc:"id of who made the change"`
}

// Revisions returns the last revisions of a document, newest first. read decodes one and reports whether the person sees
// it. The list ends before the first revision that the person does not see: a gap would reveal it.
func Revisions[T any](ctx context.Context, db *sql.DB, k Kind, id string,
	read func(Past, []byte) (item T, sees bool, size int, err error)) ([]T, error) {
	rows, err := db.QueryContext(ctx, "SELECT revision, at, person, doc FROM "+k.Revisions+" WHERE "+k.Parent+" = ? "+
		"ORDER BY revision DESC LIMIT ?", id, MaxRevisions)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", k.What, err)
	}
	defer rows.Close()
	list := []T{}
	for bytes := 0; bytes <= MaxBytes && rows.Next(); {
		var r Past
		var at int64
		var doc []byte
		if err := rows.Scan(&r.Revision, &at, &r.Person, &doc); err != nil {
			return nil, fmt.Errorf("%s: %w", k.What, err)
		}
		r.At = database.Time(at)
		item, sees, size, err := read(r, doc)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", k.What, err)
		}
		if !sees {
			break
		}
		list, bytes = append(list, item), bytes+size
	}
	return list, rows.Err()
}

// Match reports whether the texts have all words of a search, as the full-text index finds them.
func (w Words) Match(text string) bool {
	in := searched(plain(strings.Join([]string{w.Title, w.Tags, w.Description, w.Rest}, "\n")), -1)
	wanted := searched(plain(text), maxWords)
	return len(wanted) > 0 && !slices.ContainsFunc(wanted, func(want string) bool {
		return !slices.ContainsFunc(in, func(has string) bool { return strings.HasPrefix(has, want) })
	})
}

// plain returns a text in lower case and without diacritics.
func plain(text string) string {
	return strings.ToLower(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(text)))
}
