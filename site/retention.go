package site

import (
	"time"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
)

// Retention is the number of days for which data is kept after its day has ended; 0 means forever.
type Retention struct {
	Archive int            // raw pings
	Errors  int            // rejected submissions
	Tables  int            // partitions of the tables that Table does not name
	Table   map[string]int // by table
	Ledger  int            // runs in the ledger, after their end
}

// Any reports whether any data has a retention.
func (r *Retention) Any() bool {
	for _, n := range r.Table {
		if n > 0 {
			return true
		}
	}
	return r.Archive > 0 || r.Errors > 0 || r.Tables > 0 || r.Ledger > 0
}

// ForTable returns the retention of a table's partitions in days. A table that is made from all of its earlier partitions is kept
// forever unless it is named.
func (r *Retention) ForTable(t *schema.Table) int {
	if n, ok := r.Table[t.Name]; ok {
		return n
	}
	if t.Earlier == t.Name {
		return 0
	}
	return r.Tables
}

// FirstRetained returns the first day that is retained. The current day and the given number of days before it are
// kept. It returns "", which is before all days, if all are kept.
func FirstRetained(days int, now time.Time) ping.Day {
	if days <= 0 || now.IsZero() {
		return ""
	}
	return ping.Day(job.FormatDay(now.UTC().AddDate(0, 0, -days)))
}

// RetainedFrom returns the first day that is retained both of a table and of its inputs.
func (s *Site) RetainedFrom(t *schema.Table, now time.Time) ping.Day {
	first := FirstRetained(s.Keep.ForTable(t), now)
	for _, need := range t.Needs {
		if source, err := s.Find(need); err == nil {
			first = max(first, FirstRetained(s.Keep.ForTable(source), now))
		}
	}
	return first
}
