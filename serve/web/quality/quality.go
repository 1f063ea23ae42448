// Package quality shows the profiles of published data by day and what is odd about them. A person sees numbers of
// granted columns only, and nothing of tables that were not granted.
package quality

import (
	"context"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/check/quality"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/serve/web/api"
	"github.com/pingmill/pingmill/site"
)

// Options holds the dependencies of the operations.
type Options struct {
	Site *site.Site
	Now  func() time.Time
}

// Register adds the operations.
func Register(a huma.API, o Options) {
	s := &shown{Options: o, book: quality.NewBook()}
	api.Do(a, "GET /quality", "Each table's rows by day, checks and what is odd about its newest day", api.Member, s.overview)
	api.Do(a, "GET /quality/{table}", "A table's rows, clients and bytes by day", api.Member, s.series)
	api.Do(a, "GET /quality/{table}/changes", "What has changed on a day, the odd ones first, and its checks", api.Member, s.changes)
	api.Do(a, "GET /quality/{table}/columns", "The columns with their nulls by day", api.Member, s.columns)
	api.Do(a, "GET /quality/{table}/columns/{column}", "A column's values and numbers by day", api.Member, s.column)
}

type shown struct {
	Options

	book *quality.Book
}

// view is a table as a person sees it.
type view struct {
	*lake.Table

	seen    *schema.Table // with the texts that the person may see
	all     bool          // every column of every table
	columns []string      // nil: all of this table
	clients bool          // the person may see the number of clients
}

// tables returns the tables that the person of a request may read.
func (s *shown) tables(ctx context.Context) (views []*view) {
	p := access.From(ctx)
	all, seen := true, p.Visible(s.Site.Tables)
	for _, t := range s.Site.Tables {
		columns, may := p.Reads(t)
		if all = all && p.ReadsAll(t); !may || len(p.Rows(t)) > 0 || t.Snapshots != nil {
			continue // the pages are by day, and count all rows
		}
		v := &view{Table: s.Site.TableOf(t), columns: columns}
		if v.seen, _ = schema.Find(seen, t.Name); v.seen == nil {
			continue // does not happen: a readable table is visible
		}
		for _, c := range t.Columns {
			v.clients = v.clients || schema.NatureOf(c.Name) == schema.Client && v.may(c.Name)
		}
		views = append(views, v)
	}
	for _, v := range views {
		v.all = all
	}
	return views
}

// may reports whether a column may be seen; "" means the table as a whole.
func (v *view) may(column string) bool {
	if column == quality.Everything {
		return v.all
	}
	return column == "" || v.columns == nil || slices.Contains(v.columns, column)
}

// find returns a readable table.
func (s *shown) find(ctx context.Context, name string) (*view, error) {
	for _, v := range s.tables(ctx) {
		if v.Schema.Name == name {
			return v, nil
		}
	}
	return nil, huma.Error404NotFound("there is no such table")
}

// TableDay describes a day of a table.
type TableDay struct {
	Day     string     `json:"day"`
	Rows    int64      `json:"rows"`
	Clients *int64     `json:"clients,omitempty" doc:"distinct; absent without the right to read the column"`
	Bytes   int64      `json:"bytes"`
	Files   int        `json:"files"`
	Read    int64      `json:"read" doc:"number of profiled rows; if fewer than all, the rows of the first samples"`
	Growing bool       `json:"growing,omitempty" doc:"rows still arrive"`
	Checks  CheckTally `json:"checks"`
}

// CheckTally counts checks by outcome.
type CheckTally struct {
	Passed int `json:"passed"`
	Failed int `json:"failed" doc:"those of severity error"`
	Warned int `json:"warned" doc:"those of severity warning"`
	NotRun int `json:"notRun"`
}

func (v *view) day(h *quality.Head) TableDay {
	d := TableDay{Day: h.Day, Rows: h.Rows, Bytes: h.Bytes, Files: h.Files, Read: h.Read, Growing: h.Growing}
	if v.clients {
		d.Clients = &h.Clients
	}
	for _, k := range v.checks(h) {
		switch {
		case k.Verdict == "passed":
			d.Checks.Passed++
		case k.Verdict == "not run":
			d.Checks.NotRun++
		case k.Severity == "error":
			d.Checks.Failed++
		default:
			d.Checks.Warned++
		}
	}
	return d
}

// checks returns the checks that may be seen.
func (v *view) checks(h *quality.Head) []quality.Check {
	return slices.DeleteFunc(slices.Clone(h.Checks), func(k quality.Check) bool { return !k.Visible(v.may) })
}

// days returns the profiled days in a range, oldest first, at most the newest 366.
func (s *shown) days(ctx context.Context, v *view, from, to string) ([]TableDay, error) {
	all, err := quality.Days(ctx, v.Table)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(d string) bool { return from != "" && d < from || to != "" && d > to })
	days := []TableDay{}
	for _, d := range all[max(0, len(all)-maxDays):] {
		h, err := s.book.Head(ctx, v.Table, d)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err == nil { // otherwise it is being replaced
			days = append(days, v.day(&h))
		}
	}
	return days, nil
}

const maxDays = 366

// newest returns the last day that is complete, "" if there is none.
func newest(days []TableDay) string {
	for _, d := range slices.Backward(days) {
		if !d.Growing {
			return d.Day
		}
	}
	return ""
}

// before returns the day n days earlier.
func before(day string, n int) string {
	at, err := job.ParseDay(day)
	if err != nil {
		return ""
	}
	return job.FormatDay(at.AddDate(0, 0, -n))
}
