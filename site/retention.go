package site

import (
	"time"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
)

// Retention says for how many days data is kept after the day it is of has
// ended; 0 is for ever.
type Retention struct {
	Archive int            // raw pings
	Errors  int            // rejected submissions
	Tables  int            // partitions of the tables that Table does not name
	Table   map[string]int // by table
	Ledger  int            // runs in the ledger, after their end
}

// Any says whether anything is to be removed at all.
func (r *Retention) Any() bool {
	for _, n := range r.Table {
		if n > 0 {
			return true
		}
	}
	return r.Archive > 0 || r.Errors > 0 || r.Tables > 0 || r.Ledger > 0
}

// Of is for how many days a table's partitions are kept.
func (r *Retention) ForTable(table string) int {
	if n, ok := r.Table[table]; ok {
		return n
	}
	return r.Tables
}

// FirstKept is the first day that is kept: that of a moment is not over, and the
// given number before it are. It is "", before all others, when every one is.
func FirstKept(days int, now time.Time) ping.Day {
	if days <= 0 || now.IsZero() {
		return ""
	}
	return ping.Day(job.FormatDay(now.UTC().AddDate(0, 0, -days)))
}

// KeptFrom is the first day of which a table and its inputs are kept.
func (s *Site) KeptFrom(t *schema.Table, now time.Time) ping.Day {
	first := FirstKept(s.Keep.ForTable(t.Name), now)
	for _, need := range t.Needs {
		first = max(first, FirstKept(s.Keep.ForTable(need), now))
	}
	return first
}
