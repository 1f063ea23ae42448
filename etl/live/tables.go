package live

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/schema/glean"
	"github.com/pingmill/pingmill/table/column"
)

// Glean stands in Options.Tables for the tables of all Glean pings and of their events, except those with more than wideLeaves columns.
const Glean = "glean"

// wideLeaves is the largest number of parquet columns of a table that Glean stands for: each publication writes a footer
// with all of them. main_summary has 739, the metrics ping of Firefox 5,900.
const wideLeaves = 1000

// liveTable is a table with live rows, and its growing days.
type liveTable struct {
	*schema.Table
	transform *etl.PingRows
	days      map[ping.Day]*day
}

// Check reports an error if the options name a table that cannot be live.
func (o *Options) Check(tables []*schema.Table) error {
	for _, name := range o.Tables {
		if name == Glean {
			continue
		}
		t, err := schema.Find(tables, name)
		if err != nil {
			return err
		}
		if !grows(t) {
			return fmt.Errorf("table %s cannot have rows while pings arrive: want a table that is made from pings, and not a direct one", name)
		}
	}
	return nil
}

// Select returns the tables that the options name.
func (o *Options) Select(tables []*schema.Table) (selected []*schema.Table) {
	for _, t := range tables {
		if o.has(t) {
			selected = append(selected, t)
		}
	}
	return selected
}

func grows(t *schema.Table) bool { return t.Grows() && !t.Direct }

// has reports whether the options select a table.
func (o *Options) has(t *schema.Table) bool {
	if !grows(t) {
		return false
	}
	return slices.Contains(o.Tables, t.Name) ||
		slices.Contains(o.Tables, Glean) && (t.Made == glean.MadePing || t.Made == glean.MadeEvents) &&
			len(column.NewBatch(t.Columns).Leaves) <= wideLeaves
}

func (r *Rows) add(t *liveTable) {
	r.tables = append(r.tables, t)
	key := t.Kind()
	if t.AllTypes {
		key = allTypes(t.Namespace)
	}
	r.byKind[key] = append(r.byKind[key], t)
}

// allTypes stands for all kinds of pings of a namespace.
func allTypes(namespace string) ping.DocType { return ping.DocType(namespace + "/*") }

// takers returns the tables that may have rows of a kind of pings.
func (r *Rows) takers(kind ping.DocType) []*liveTable {
	namespace, _, is := strings.Cut(string(kind), "/")
	if !is {
		return r.byKind[kind]
	}
	named, all := r.byKind[kind], r.byKind[allTypes(namespace)]
	if len(all) == 0 {
		return named
	}
	return slices.Concat(named, all)
}

// prepares reports whether prepared rows of a kind of pings have those of all live tables.
func (r *Rows) prepares(kind ping.DocType) bool {
	return !slices.ContainsFunc(r.takers(kind), func(t *liveTable) bool { return r.o.Preparer.Place(kind, t.Name) < 0 })
}

// has reports whether a table may have rows of some kinds of pings.
func (t *liveTable) has(kinds []ping.DocType) bool {
	return slices.ContainsFunc(kinds, func(k ping.DocType) bool {
		return k == t.Kind() || t.AllTypes && strings.HasPrefix(string(k), t.Namespace+"/")
	})
}

// startDay has a day of those tables looked at that have pings in the archive or published rows.
func (r *Rows) startDay(ctx context.Context, name ping.Day) {
	types, err := archive.DocTypes(ctx, r.data.Archive, name)
	for _, t := range r.tables {
		if err == nil && !t.has(types) {
			m, failed := etl.PublishedOf(ctx, r.data, t.Table, job.Unit{Table: t.Name, Day: string(name)})
			if failed == nil && m == nil {
				continue
			}
		}
		t.day(name)
	}
}
