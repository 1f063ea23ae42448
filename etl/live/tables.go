package live

import (
	"context"
	"fmt"
	"slices"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/schema/glean"
	"github.com/pingmill/pingmill/table/column"
)

// Glean stands in Options.Tables for the tables of all Glean pings, except those with more than wideLeaves columns.
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
			return fmt.Errorf("table %s cannot be live: want a table that is made from pings of one type, and not a direct one", name)
		}
	}
	return nil
}

func grows(t *schema.Table) bool { return t.Grows() && !t.Direct && !t.AllTypes }

// has reports whether the options select a table.
func (o *Options) has(t *schema.Table) bool {
	if !grows(t) {
		return false
	}
	return slices.Contains(o.Tables, t.Name) ||
		slices.Contains(o.Tables, Glean) && t.Made == glean.MadePing && len(column.NewBatch(t.Columns).Leaves) <= wideLeaves
}

func (r *Rows) add(t *liveTable) {
	r.tables = append(r.tables, t)
	r.byKind[t.Kind()] = append(r.byKind[t.Kind()], t)
}

// startDay has a day of those tables looked at that have pings in the archive or published rows.
func (r *Rows) startDay(ctx context.Context, name ping.Day) {
	types, err := archive.DocTypes(ctx, r.data.Archive, name)
	for _, t := range r.tables {
		if err == nil && !slices.Contains(types, t.Kind()) {
			m, failed := etl.PublishedOf(ctx, r.data, t.Table, job.Unit{Table: t.Name, Day: string(name)})
			if failed == nil && m == nil {
				continue
			}
		}
		t.day(name)
	}
}
