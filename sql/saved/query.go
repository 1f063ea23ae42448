// Package saved stores the queries that people save, with their charts, revisions and schedules.
//
// A person sees a query only if they own it or may read every table whose name occurs in it. So saved queries reveal no
// table.
package saved

import (
	"errors"
	"slices"
	"strings"

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
	Chart  *Chart  `json:"chart,omitempty"`
	Charts []Chart `json:"charts,omitempty" maxItems:"12" nullable:"false" doc:"further charts of the same result"`
}

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
	return d.checkCharts()
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
