// Package saved stores the queries that people save, with their charts, revisions and schedules.
//
// A person sees a query only if they own it or may read every table whose name occurs in it. So saved queries reveal no
// table.
package saved

import (
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pingmill/pingmill/sql/params"
	"github.com/pingmill/pingmill/sql/saved/document"
)

// Query is a saved query.
type Query struct {
	document.Head
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
	ErrNotYours = document.ErrNotYours
	ErrBuiltin  = document.ErrBuiltin
)

// ConflictError means that a change was based on a revision other than the present one.
type ConflictError = document.ConflictError

// InvalidError means that a value cannot be stored.
type InvalidError = document.InvalidError

func invalid(format string, args ...any) error { return document.Invalid(format, args...) }

// Clean brings a doc into its stored form, or returns why it is not valid.
func (d *Doc) Clean() error {
	d.Title, d.Description = strings.TrimSpace(d.Title), strings.TrimSpace(d.Description)
	if d.Dialect == "" {
		d.Dialect = params.Presto
	}
	if err := errors.Join(document.CheckText("description", d.Description, 0, 10_000),
		document.CheckText("text", strings.TrimSpace(d.SQL), 1, 200_000)); err != nil {
		return err
	}
	if err := document.CheckTitle(d.Title); err != nil {
		return err
	}
	if d.Dialect != params.Presto && d.Dialect != params.DuckDB {
		return invalid("no dialect %q: want %s or %s", d.Dialect, params.Presto, params.DuckDB)
	}
	var err error
	if d.Tags, err = document.CleanTags(d.Tags); err != nil {
		return err
	}
	if err := d.cleanParameters(); err != nil {
		return err
	}
	return d.Chart.check()
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
		return document.Invalid("%s", err)
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
