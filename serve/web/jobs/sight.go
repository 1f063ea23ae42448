package jobs

import (
	"slices"
	"strings"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/schema"
)

// sight determines what a person may see.
type sight struct {
	person *access.Person
	tables []*schema.Table
}

// knows reports whether the person may know of a table. Only administrators see tables that no longer exist.
func (s sight) knows(table string) bool {
	for _, t := range s.tables {
		if t.Name == table {
			return s.person.Knows(t)
		}
	}
	return s.person.May(access.Administer)
}

// counts reports whether the person may see the number of rows of a table.
func (s sight) counts(table string) bool {
	for _, t := range s.tables {
		if t.Name == table {
			return s.person.Counts(t)
		}
	}
	return false
}

// readsAll reports whether the person may read all columns and rows of a table.
func (s sight) readsAll(table string) bool {
	for _, t := range s.tables {
		if t.Name == table {
			return s.person.ReadsAll(t)
		}
	}
	return false
}

// known returns those of the tables that the person may know of.
func (s sight) known(tables []string) []string {
	return slices.DeleteFunc(slices.Clone(tables), func(t string) bool { return !s.knows(t) })
}

// withheld replaces a text that a person may not read.
const withheld = "(its text may name rows of the table, which you may not read)"

// text returns a text about a table if the person may read all of the table, because errors and findings may name
// rows.
func (s sight) text(table, text string) string {
	if text == "" || s.readsAll(table) && !s.mentionsHidden(text) {
		return text
	}
	return withheld
}

// mentionsHidden reports whether a text names a table that the person may not know of.
func (s sight) mentionsHidden(text string) bool {
	return slices.ContainsFunc(s.tables, func(t *schema.Table) bool {
		return !s.person.Knows(t) && (strings.Contains(text, t.Name) || strings.Contains(text, t.Dir))
	})
}

// result returns the result of a table if the person may see its counts.
func (s sight) result(table string, r job.Result) job.Result {
	if !s.counts(table) {
		return job.Result{}
	}
	return r
}

// see removes the parts of a run that the person may not see, and returns false if nothing remains. A run without
// partitions is visible to all.
func (s sight) see(r *job.RunRecord) bool {
	n := len(r.Units)
	r.Units = slices.DeleteFunc(r.Units, func(u job.UnitRecord) bool { return !s.knows(u.Table) })
	for i := range r.Units {
		r.Units[i].Result = s.result(r.Units[i].Table, r.Units[i].Result)
	}
	if len(r.Units) == n {
		return true
	}
	if len(r.Units) == 0 {
		return false
	}
	r.Error = ""
	if r.Outcome == job.Failed && !slices.ContainsFunc(r.Units, func(u job.UnitRecord) bool { return u.Outcome == job.Failed }) {
		r.Outcome = job.Done
	}
	if !r.Ended.IsZero() { // hidden partitions may have ended later
		r.Ended = slices.MaxFunc(r.Units, func(x, y job.UnitRecord) int { return x.Ended.Compare(y.Ended) }).Ended
	}
	return true
}
