package presto

import (
	"strings"

	"github.com/pingmill/pingmill/sql/presto/types"
)

// Column is a column of a table or of a result.
type Column struct {
	Name    string
	Type    types.Type
	Comment string // of a table's column
}

// Table is a table that a query may read.
type Table struct {
	Name    string   // also the name of DuckDB's view
	Aliases []string // other names of it
	Columns []Column
	// PartitionKeys names the columns that separate files.
	PartitionKeys []string
	// Partitions gives the values of the keys, sorted.
	Partitions func() [][]string
}

// Catalog has the tables by name.
type Catalog struct {
	Tables []Table
	// DoubleLiterals makes numbers with a point doubles, as Presto did before its literals became decimals.
	DoubleLiterals bool

	byName map[string]*Table
}

// NewCatalog makes a catalog; names are compared without case.
func NewCatalog(tables ...Table) *Catalog {
	c := &Catalog{Tables: tables, byName: map[string]*Table{}}
	for i := range tables {
		t := &tables[i]
		for _, name := range append([]string{t.Name}, t.Aliases...) {
			c.byName[strings.ToLower(name)] = t
		}
	}
	return c
}

// Table returns the table of a name or alias; nil if there is none.
func (c *Catalog) Table(name string) *Table { return c.byName[strings.ToLower(name)] }

// schema returns the names that tables have in a schema of their own, as baseline in firefox_desktop.
func (c *Catalog) schema(name string) (tables []string) {
	for _, t := range c.Tables {
		for _, alias := range t.Aliases {
			if in, ok := strings.CutPrefix(alias, name+"."); ok {
				tables = append(tables, in)
			}
		}
	}
	return tables
}
