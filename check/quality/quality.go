// Package quality profiles each partition once when it is published, and compares profiles from day to day to
// find changes.
package quality

// Profile describes one published partition. Of a very large one it describes some samples, see Head.Read.
type Profile struct {
	Head

	Columns []Column
}

// Head describes the whole partition.
type Head struct {
	Format     int    `json:"format"`
	Table      string `json:"table"`
	Version    string `json:"version"`
	Day        string `json:"day"`        // YYYYMMDD
	Generation string `json:"generation"` // the published one that it describes
	Rows       int64  `json:"rows"`
	Bytes      int64  `json:"bytes"`
	Files      int    `json:"files"`
	// Read is the number of rows read. If it is less than Rows, only the first samples were read:
	// Clients is then an estimate for all rows, and the counts of columns cover the rows read.
	Read    int64 `json:"read"`
	Clients int64 `json:"clients"` // distinct, or nearly so when there are many: see most
	// Growing means that rows still arrive.
	Growing bool    `json:"growing,omitempty"`
	Checks  []Check `json:"checks,omitempty"`
	// Lines counts the columns that follow.
	Lines int `json:"lines"`
}

// Check is the result of a check.
type Check struct {
	Name     string `json:"name"`
	Severity string `json:"severity"` // error, warning
	Rule     string `json:"rule"`
	Verdict  string `json:"verdict"` // passed, failed, not run, broken
	Found    int    `json:"found,omitempty"`
	Note     string `json:"note,omitempty"`
	// Columns are those that it reads; nil: the whole partition.
	Columns []string `json:"columns,omitempty"`
	// Own means that it is one of the installation's own, in SQL, which may read other tables, too.
	Own bool `json:"own,omitempty"`
}

// Kind selects the fields that a column's profile has.
type Kind string

// The kinds of columns.
const (
	Values    Kind = "values"   // texts and booleans: the most frequent ones
	Numbers   Kind = "numbers"  // their distribution, and the values when they are few
	Lists     Kind = "lists"    // arrays and maps: their sizes, and the most frequent elements or keys
	Documents Kind = "document" // ids of documents: how many are repeated
	Others    Kind = "other"    // nulls only
)

// Column is the profile of a column, or of a member of one: environment.settings.locale. All counts are of rows.
type Column struct {
	Name   string `json:"name"`
	Column string `json:"column,omitempty"` // of which it is a member; "" when it is a column itself
	Kind   Kind   `json:"kind"`
	Nulls  int64  `json:"nulls"`
	Empty  int64  `json:"empty,omitempty"` // of lists: not null, without elements

	// Distinct counts the values, Repeated the rows that repeat an earlier document. Both are estimates when
	// there are many.
	Distinct int64 `json:"distinct,omitempty"`
	Repeated int64 `json:"repeated,omitempty"`

	// Top are the most frequent values of at least leastClients clients; Other is the number of rows with other
	// ones, and each of these has Least rows or fewer. Of lists it is how many rows have an element or key.
	Top   []Value `json:"top,omitempty"`
	Other int64   `json:"other,omitempty"`
	Least int64   `json:"least,omitempty"`

	// Numbers is the distribution of numbers, or of the sizes of lists; nil without any.
	Numbers *Distribution `json:"numbers,omitempty"`
}

// Value is a value and how many rows have it.
type Value struct {
	Value string `json:"v"`
	Rows  int64  `json:"n"`
}

// Distribution describes numbers.
type Distribution struct {
	Min       float64              `json:"min"`
	Max       float64              `json:"max"`
	Mean      float64              `json:"mean"`
	Quantiles [len(Shares)]float64 `json:"q"` // at Shares
}

// Shares are the shares of rows that have at most the quantiles.
var Shares = [...]float64{0.05, 0.25, 0.5, 0.75, 0.95}

// TableColumn returns the column of the table that a profile's column belongs to.
func (c *Column) TableColumn() string {
	if c.Column != "" {
		return c.Column
	}
	return c.Name
}

// The bounds of a profile.
const (
	// leastClients is the smallest number of clients whose value is listed: fewer could be recognised.
	leastClients = 10
	maxValues    = 50  // listed of a column
	longest      = 200 // bytes of a listed value
)
