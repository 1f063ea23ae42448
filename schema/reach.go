package schema

// Reach describes the pings and rows that a partition is made from, beyond one kind, day and sample.
type Reach struct {
	// Whole means that a row combines rows of all samples, and that not every one of them is in a row. One task makes a
	// day, from all of its samples. The table names no clients: a removal makes the day again.
	Whole bool
	// AllTypes means that the table has rows of pings of all document types of its namespace. DocType is one of them.
	AllTypes bool
	// Previous means that a partition is also made from the table's own partition of the day before.
	Previous bool
	// Earlier names the table whose partitions of earlier days a partition is also made from: the table itself, or the one it is
	// made from. Window is the number of these days; 0 means all.
	Earlier string
	Window  int
	// Joined means that one task makes a day, from all of its samples, though each row is of a single client.
	Joined bool
	// Hashed means that the pings have no sample: tasks are ranges of a hash of the row's key.
	Hashed bool
	// Sparse means that a day with pings, or with rows that the table is made from, may have no row.
	Sparse bool
}

// Chained reports whether a partition is also made from earlier days, so that the days are made one after the other.
func (t *Table) Chained() bool { return t.Previous || t.Earlier != "" }

// WithViews returns the table and its views.
func (t *Table) WithViews() []*Table { return append([]*Table{t}, t.Views...) }

// Key returns the column whose value each row has alone, of a table with one row for each client; "" without one.
func (t *Table) Key() string {
	for i := range t.Columns {
		if c := &t.Columns[i]; c.NotNull && (c.Rule == RuleKey || c.Rule == RuleCopy) {
			return c.Name
		}
	}
	return ""
}

// FromRows reports whether the table is made from rows of Glean tables, which it knows by their content: the same rows in
// another generation of a partition make the same.
func (t *Table) FromRows() bool { return t.DocType == "" && t.Made != "" && t.Made != FromProbes }
