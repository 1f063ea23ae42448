// Package guard keeps a query from reading more of the lake than one query should: days of very large tables, files, bytes. It
// judges what the plan of the query reads after pruning, so it does not matter how the query limits itself.
package guard

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"
)

// Days is how many days of a table a query may read; 0 is any number.
type Days struct {
	All     int // with all samples
	Sampled int // with a condition on the sample
}

// Set are the limits of one person's queries.
type Set struct {
	Large  Days            // of each very large table
	Tables map[string]Days // of single tables, large or not, instead
	Files  int             // of all tables; 0 is any number, as it is for bytes
	Bytes  int64
}

// Limits are those of all persons.
type Limits struct {
	Set
	Persons map[string]Set // instead, for some
}

// Default limits only days.
var Default = Limits{Set: Set{Large: Days{All: 7, Sampled: 31}}}

// Of gives the limits of a person.
func (l Limits) ForTable(person string) Set {
	if s, ok := l.Persons[person]; ok {
		return s
	}
	return l.Set
}

// Read is what a query reads of a table in one scan.
type Read struct {
	Table   string
	Large   bool
	Day     string   // the column of the days
	Sample  string   // the column of the samples, "" if there is none
	Days    []string // the days that are read, as their column has them
	Sampled bool     // only some of the samples
	Late    []string // columns of the partitions on which a condition comes too late
	Files   int
	Bytes   int64
}

// Error is a query that would read too much.
type Error struct {
	Table string // "" if it is about all
	What  string // what it would read, and the limit
	// Offers are conditions, one of which is enough, each with what it does.
	Offers []Offer
}

// Offer is a condition to add to a query.
type Offer struct{ SQL, What string }

func (e *Error) Error() string { return e.What }

// Hint is the offers as text.
func (e *Error) Hint() string {
	texts := make([]string, len(e.Offers))
	for i, o := range e.Offers {
		texts[i] = o.SQL + " (" + o.What + ")"
	}
	if len(texts) == 0 {
		return ""
	}
	return "add to WHERE: " + strings.Join(texts, ", or: ")
}

// Check judges a query. The error is an *Error.
func (s Set) Check(reads []Read) error {
	for _, table := range tables(reads) {
		if err := s.days(table, reads); err != nil {
			return err
		}
	}
	files, bytes := 0, int64(0)
	for _, r := range reads {
		files, bytes = files+r.Files, bytes+r.Bytes
	}
	switch {
	case s.Files > 0 && files > s.Files:
		return &Error{What: fmt.Sprintf("the query would read %s files; at most %s", humanize.Comma(int64(files)), humanize.Comma(int64(s.Files)))}
	case s.Bytes > 0 && bytes > s.Bytes:
		return &Error{What: fmt.Sprintf("the query would read %s; at most %s", humanize.IBytes(uint64(bytes)), humanize.IBytes(uint64(s.Bytes)))}
	}
	return nil
}

// tables are the names of the tables that are read, each once.
func tables(reads []Read) (names []string) {
	for _, r := range reads {
		if !slices.Contains(names, r.Table) {
			names = append(names, r.Table)
		}
	}
	return names
}

// days judges the days of a table: those of all its scans together.
func (s Set) days(table string, reads []Read) error {
	var first Read
	var days, whole []string
	for _, r := range reads {
		if r.Table != table {
			continue
		}
		first = r
		days = append(days, r.Days...)
		if !r.Sampled {
			whole = append(whole, r.Days...)
		}
	}
	limit, own := s.Tables[table]
	if !own && first.Large {
		limit = s.Large
	}
	days, whole = distinct(days), distinct(whole)
	switch {
	case limit.Sampled > 0 && len(days) > limit.Sampled:
		return s.refuse(first, days, limit)
	case limit.All > 0 && len(whole) > limit.All:
		return s.refuse(first, whole, limit)
	}
	return nil
}

func distinct(days []string) []string {
	slices.Sort(days)
	return slices.Compact(days)
}

// refuse says what is too much, and offers what is enough.
func (s Set) refuse(r Read, days []string, limit Days) error {
	e := &Error{Table: r.Table}
	e.What = fmt.Sprintf("the query would read %d days of %s, %s to %s; %s", len(days), r.Table, days[0], days[len(days)-1], limit.text(r))
	if limit.All > 0 {
		e.Offers = append(e.Offers, Offer{newest(r, days, limit.All), "the newest " + plural(limit.All, "day")})
	}
	if r.Sample == "" || limit.Sampled == 0 && limit.All == 0 {
		return e
	}
	sample, what := fmt.Sprintf("%s = '42'", r.Sample), "a hundredth of the clients"
	if limit.Sampled > 0 && len(days) > limit.Sampled {
		sample, what = newest(r, days, limit.Sampled)+" AND "+sample, fmt.Sprintf("%s of the newest %d days", what, limit.Sampled)
	}
	e.Offers = append(e.Offers, Offer{sample, what})
	return e
}

// text says what is allowed.
func (d Days) text(r Read) string {
	switch {
	case r.Sample == "" || d.Sampled == 0 && d.All > 0:
		return "at most " + plural(d.All, "day")
	case d.All == 0:
		return "at most " + plural(d.Sampled, "day")
	}
	return fmt.Sprintf("at most %s, or %d with a condition on %s", plural(d.All, "day"), d.Sampled, r.Sample)
}

// newest is a condition for the newest days.
func newest(r Read, days []string, n int) string {
	days = days[max(0, len(days)-n):]
	return fmt.Sprintf("%s >= '%s' AND %s <= '%s'", r.Day, days[0], r.Day, days[len(days)-1])
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%s %ss", humanize.Comma(int64(n)), word)
}

// Notes are hints about conditions that DuckDB looks at only when the rows have been read.
func Notes(reads []Read) (notes []string) {
	for _, r := range reads {
		for _, column := range r.Late {
			example := "42"
			if column == r.Day && len(r.Days) > 0 {
				example = r.Days[len(r.Days)-1]
			}
			note := fmt.Sprintf("%s: opened %s because %s, which is text, is compared with something else: write text such as '%s'", r.Table, plural(r.Files, "file"), column, example)
			if !slices.Contains(notes, note) {
				notes = append(notes, note)
			}
		}
	}
	return notes
}
