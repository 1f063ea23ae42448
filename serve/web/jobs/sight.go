package jobs

import (
	"slices"
	"strings"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/schema"
)

// sight is what a person may see.
type sight struct {
	person *access.Person
	tables []*schema.Table
}

// knows says whether the person may know of a table. What is no table any more is for administrators.
func (s sight) knows(table string) bool {
	for _, t := range s.tables {
		if t.Name == table {
			return s.person.Knows(t)
		}
	}
	return s.person.May(access.Administer)
}

// counts says whether the person may see how many rows a table has.
func (s sight) counts(table string) bool {
	for _, t := range s.tables {
		if t.Name == table {
			return s.person.Counts(t)
		}
	}
	return false
}

// readsAll says whether the person may read all columns of a table.
func (s sight) readsAll(table string) bool {
	for _, t := range s.tables {
		if t.Name == table {
			columns, may := s.person.Reads(t)
			return may && columns == nil
		}
	}
	return false
}

// known are the tables that the person may know of, of those given.
func (s sight) known(tables []string) []string {
	return slices.DeleteFunc(slices.Clone(tables), func(t string) bool { return !s.knows(t) })
}

// withheld stands for what a person may not read.
const withheld = "(its text may name rows of the table, which you may not read)"

// text is a text about a table. Errors and findings may name rows, so it is for who may read them.
func (s sight) text(table, text string) string {
	if text == "" || s.readsAll(table) && !s.mentionsHidden(text) {
		return text
	}
	return withheld
}

// mentionsHidden says whether a text names a table that the person may not know of.
func (s sight) mentionsHidden(text string) bool {
	return slices.ContainsFunc(s.tables, func(t *schema.Table) bool {
		return !s.person.Knows(t) && (strings.Contains(text, t.Name) || strings.Contains(text, t.Dir))
	})
}

// result is what was made of a table without the numbers that the person may not see.
func (s sight) result(table string, r job.Result) job.Result {
	if !s.counts(table) {
		return job.Result{}
	}
	return r
}

// see leaves of a run what the person may see; false says that nothing is left. A run without partitions is everybody's.
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
	if !r.Ended.IsZero() { // the rest took longer, or not
		r.Ended = slices.MaxFunc(r.Units, func(x, y job.UnitRecord) int { return x.Ended.Compare(y.Ended) }).Ended
	}
	return true
}
