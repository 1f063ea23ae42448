// Package saved stores the queries that people save, with their charts, revisions and schedules.
//
// A person sees a query only if they own it or may read every table whose name occurs in it. So saved queries reveal no
// table.
package saved

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/pingmill/pingmill/sql/params"
)

// Query is a saved query.
type Query struct {
	ID       string    `json:"id"`
	Owner    string    `json:"owner" doc:"id of a person; empty: built in"`
	Builtin  bool      `json:"builtin" doc:"an example that comes with the program; it cannot be changed, only forked"`
	ForkOf   string    `json:"forkOf,omitempty"`
	Revision int       `json:"revision" doc:"grows with each change"`
	Created  time.Time `json:"created,omitzero"`
	Updated  time.Time `json:"updated,omitzero"`
	Doc
}

// Doc is the part of a query that people write.
type Doc struct {
	Title       string         `json:"title" minLength:"1" maxLength:"200"`
	Description string         `json:"description,omitempty" maxLength:"10000"`
	SQL         string         `json:"sql" minLength:"1" maxLength:"200000"`
	Dialect     params.Dialect `json:"dialect,omitempty" enum:"presto,duckdb" default:"presto"`
	Tags        []string       `json:"tags,omitempty" maxItems:"20" nullable:"false"`
	Parameters  []params.
			Parameter `json:"parameters,omitempty" maxItems:"50" nullable:"false" doc:"of those that the text has; others get the kind that their places and names suggest"`
	Chart *Chart `json:"chart,omitempty"`
}

// Chart describes how a query's result is drawn.
type Chart struct {
	Kind    string   `json:"kind" enum:"line,bar,area,scatter,histogram,number,table"`
	X       string   `json:"x,omitempty" maxLength:"200" doc:"column along the axis"`
	Y       []string `json:"y,omitempty" maxItems:"20" nullable:"false" doc:"columns that are drawn"`
	Series  string   `json:"series,omitempty" maxLength:"200" doc:"column whose values are series of their own"`
	Stacked bool     `json:"stacked,omitempty"`
	Log     bool     `json:"log,omitempty" doc:"the scale of the values is logarithmic"`
	Title   string   `json:"title,omitempty" maxLength:"200"`
}

// ChartKinds lists the kinds of charts that pages can draw.
var ChartKinds = []string{"line", "bar", "area", "scatter", "histogram", "number", "table"}

// Errors of a Store.
var (
	ErrNotFound = errors.New("there is no such query")
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

func invalid(format string, args ...any) error { return &InvalidError{fmt.Sprintf(format, args...)} }

// clean brings a doc into its stored form, or returns why it is not valid.
func (d *Doc) clean() error {
	d.Title, d.Description = strings.TrimSpace(d.Title), strings.TrimSpace(d.Description)
	if d.Dialect == "" {
		d.Dialect = params.Presto
	}
	for _, t := range []struct {
		what, text string
		least, top int
	}{{"title", d.Title, 1, 200}, {"description", d.Description, 0, 10_000}, {"text", strings.TrimSpace(d.SQL), 1, 200_000}} {
		if n := utf8.RuneCountInString(t.text); n < t.least || n > t.top || !utf8.ValidString(t.text) || strings.ContainsRune(t.text, 0) {
			return invalid("want a %s of %d to %d characters", t.what, t.least, t.top)
		}
	}
	if strings.ContainsFunc(d.Title, unicode.IsControl) {
		return invalid("a title is one line")
	}
	if d.Dialect != params.Presto && d.Dialect != params.DuckDB {
		return invalid("no dialect %q: want %s or %s", d.Dialect, params.Presto, params.DuckDB)
	}
	if err := d.cleanTags(); err != nil {
		return err
	}
	if err := d.cleanParameters(); err != nil {
		return err
	}
	return d.Chart.check()
}

func (d *Doc) cleanTags() error {
	for i, t := range d.Tags {
		t = strings.ToLower(strings.Join(strings.Fields(t), " "))
		if t == "" || utf8.RuneCountInString(t) > 50 || !utf8.ValidString(t) || strings.ContainsFunc(t, unicode.IsControl) {
			return invalid("a tag has 1 to 50 characters")
		}
		d.Tags[i] = t
	}
	slices.Sort(d.Tags)
	if d.Tags = slices.Compact(d.Tags); len(d.Tags) > 20 {
		return invalid("a query has at most 20 tags")
	}
	return nil
}

// cleanParameters leaves out what the text no longer has.
func (d *Doc) cleanParameters() error {
	found, err := params.Find(d.SQL, d.Dialect)
	if err != nil {
		return err
	}
	d.Parameters = slices.DeleteFunc(d.Parameters, func(p params.Parameter) bool {
		return !slices.ContainsFunc(found, func(f params.Parameter) bool { return f.Name == p.Name })
	})
	if err := params.Check(d.Parameters); err != nil {
		return &InvalidError{err.Error()}
	}
	for _, f := range found {
		if !slices.ContainsFunc(d.Parameters, func(p params.Parameter) bool { return p.Name == f.Name }) {
			d.Parameters = append(d.Parameters, f)
		}
	}
	return nil
}

func (c *Chart) check() error {
	if c == nil {
		return nil
	}
	if !slices.Contains(ChartKinds, c.Kind) {
		return invalid("no chart of kind %q: want one of %s", c.Kind, strings.Join(ChartKinds, ", "))
	}
	if len(c.Y) > 20 {
		return invalid("a chart draws at most 20 columns")
	}
	for _, s := range append([]string{c.X, c.Series, c.Title}, c.Y...) {
		if len(s) > 1000 || !utf8.ValidString(s) {
			return invalid("a name in the chart is longer than 1000 bytes or no text")
		}
	}
	return nil
}
