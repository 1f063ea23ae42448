package job

import (
	"fmt"
	"strings"
	"time"
)

// Report is the result of a run.
type Report struct {
	Run            int64 // its number in the ledger; 0 if there was nothing to run
	Started, Ended time.Time
	Units          []UnitReport // oldest day first, within a day in the graph's order
}

// UnitReport is the outcome of a unit.
type UnitReport struct {
	Unit

	Outcome    Outcome // Committed, Current, Skipped, Failed or Cancelled
	Generation string  // empty if it was not planned
	Reason     string  // why it was Skipped, or the plan's note on a Current unit
	Err        error   // why it Failed: every task that did, joined
	Result     Result  // of a Committed unit
	Tasks      int     // planned; those of a Current unit are not counted
	Reused     int     // of them, done by an earlier run
}

// Count returns the number of units with an outcome.
func (r Report) Count(o Outcome) int {
	n := 0
	for _, u := range r.Units {
		if u.Outcome == o {
			n++
		}
	}
	return n
}

// Unchanged reports whether the run found everything current and did nothing.
func (r Report) Unchanged() bool { return r.Count(Current) == len(r.Units) }

// String returns a summary such as "3 units: 2 committed, 1 failed".
func (r Report) String() string {
	if r.Unchanged() {
		return fmt.Sprintf("nothing to do: %d units current", len(r.Units))
	}
	var parts []string
	for _, o := range []Outcome{Committed, Current, Skipped, Failed, Cancelled} {
		if n := r.Count(o); n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, o))
		}
	}
	return fmt.Sprintf("%d units: %s", len(r.Units), strings.Join(parts, ", "))
}
