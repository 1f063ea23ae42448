// Package guard refuses queries that read too much of the lake: too many days of very large tables, too many files or
// bytes. It checks the query's plan after pruning, so any way of writing a condition counts.
package guard

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/pingmill/pingmill/internal/text"
)

// Days limits how many days of a table a query may read; 0 means no limit.
type Days struct {
	All     int // with all samples
	Sampled int // with a condition on the sample
}

// Set has the limits of one person's queries.
type Set struct {
	Large  Days            // of each very large table
	Small  int64           // bytes of a table's files below which Large does not apply
	Tables map[string]Days // of single tables, large or not; replaces Large
	Files  int             // of all tables; 0 means no limit, also for Bytes
	Bytes  int64
}

// Read describes what one scan of a query reads of a table.
type Read struct {
	Table   string
	Large   bool
	Day     string   // the column of the day
	Sample  string   // the column of the sample, "" if there is none
	Number  bool     // the sample is a number, not a text
	Days    []string // the days read, in the column's form
	Sampled bool     // the scan reads only some of the samples
	Late    []string // partition columns whose condition cannot prune files
	Files   int
	Bytes   int64
}

// Error means that a query would read too much.
type Error struct {
	Table string // "" if the limit is on all tables
	What  string // how much it would read, and the limit
	// Offers are conditions with their effects. Any one of them is enough.
	Offers []Offer
}

// Offer is a condition to add to a query, and its effect.
type Offer struct{ SQL, What string }

func (e *Error) Error() string { return e.What }

// Hint returns the offers as text, "" if there are none.
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

// Check returns an *Error if the reads of a query exceed the limits.
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
		return &Error{What: fmt.Sprintf("the query would read %s files; at most %s", humanize.Comma(int64(files)),
			humanize.Comma(int64(s.Files)))}
	case s.Bytes > 0 && bytes > s.Bytes:
		return &Error{What: fmt.Sprintf("the query would read %s; at most %s", humanize.IBytes(uint64(bytes)), humanize.IBytes(uint64(s.Bytes)))}
	}
	return nil
}

// tables returns the names of the tables read, without duplicates.
func tables(reads []Read) (names []string) {
	for _, r := range reads {
		if !slices.Contains(names, r.Table) {
			names = append(names, r.Table)
		}
	}
	return names
}

// days checks the days of a table, counted over all its scans.
func (s Set) days(table string, reads []Read) error {
	var first Read
	var days, whole []string
	bytes, sized := int64(0), true
	for _, r := range reads {
		if r.Table != table {
			continue
		}
		first = r
		bytes, sized = bytes+r.Bytes, sized && (r.Bytes > 0 || r.Files == 0)
		days = append(days, r.Days...)
		if !r.Sampled {
			whole = append(whole, r.Days...)
		}
	}
	limit, own := s.Tables[table]
	if small := sized && bytes < s.Small; !own && first.Large && !small {
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

// refuse returns the error for a table, with offers that keep the query within its limits.
func (s Set) refuse(r Read, days []string, limit Days) error {
	e := &Error{Table: r.Table}
	e.What = fmt.Sprintf("the query would read %d days of %s, %s to %s; %s", len(days), r.Table, days[0], days[len(days)-1], limit.text(r))
	if limit.All > 0 {
		e.Offers = append(e.Offers, Offer{newest(r, days, limit.All), "the newest " + text.Plural(limit.All, "day")})
	}
	if r.Sample == "" || limit.Sampled == 0 && limit.All == 0 {
		return e
	}
	sample, what := r.Sample+" = '42'", "a hundredth of the clients"
	if r.Number {
		sample = r.Sample + " = 42"
	}
	if limit.Sampled > 0 && len(days) > limit.Sampled {
		sample, what = newest(r, days, limit.Sampled)+" AND "+sample, fmt.Sprintf("%s of the newest %d days", what, limit.Sampled)
	}
	e.Offers = append(e.Offers, Offer{sample, what})
	return e
}

// text describes the limit.
func (d Days) text(r Read) string {
	switch {
	case r.Sample == "" || d.Sampled == 0 && d.All > 0:
		return "at most " + text.Plural(d.All, "day")
	case d.All == 0:
		return "at most " + text.Plural(d.Sampled, "day")
	}
	return fmt.Sprintf("at most %s, or %d with a condition on %s", text.Plural(d.All, "day"), d.Sampled, r.Sample)
}

// newest returns a condition that selects the newest n days.
func newest(r Read, days []string, n int) string {
	days = days[max(0, len(days)-n):]
	return fmt.Sprintf("%s >= '%s' AND %s <= '%s'", r.Day, days[0], r.Day, days[len(days)-1])
}

// Notes returns hints about conditions that DuckDB evaluates only after it has read the rows.
func Notes(reads []Read) (notes []string) {
	for _, r := range reads {
		for _, column := range r.Late {
			example := "42"
			if column == r.Day && len(r.Days) > 0 {
				example = r.Days[len(r.Days)-1]
			}
			note := fmt.Sprintf("%s: opened %s because %s, which is text, is compared with something else: write text such as '%s'", r.Table,
				text.Plural(r.Files, "file"), column, example)
			if !slices.Contains(notes, note) {
				notes = append(notes, note)
			}
		}
	}
	return notes
}
