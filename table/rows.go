package table

import (
	"fmt"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// Rows makes a table from main_summary rows. The rows must come in the order
// (timestamp, document_id), which decides what "first" means; all rows of a
// client come between two calls of Flush, and all rows of the day if the table combines them (schema.Table.Whole). It is not
// safe for concurrent use.
//
// Both functions call row after every row or few hundred rows that they append to out, so that the
// caller can empty the batch or stop: they return its error, after which the
// transform cannot be used any more. Values over a bound are counted in out.
type Rows interface {
	// Add takes main_summary rows and may append finished rows to out.
	Add(out, in *column.Batch, row func() error) error
	// Flush appends the rows of all clients since the last Flush.
	Flush(out *column.Batch, row func() error) error
}

// rowTables are the transforms of the tables that have one of their own.
var rowTables = map[string]func(*schema.Table, *input) Rows{
	"addons":               newAddons,
	"clients_daily":        newClientsDaily,
	"search_aggregates":    newSearchAggregates,
	"search_clients_daily": newSearchDaily,
}

// NewRows makes the transform of a table that is made from main_summary rows: its
// own, or one row for each key. The batches given to Add have the columns inputs,
// which schema.Inputs lists; a column of the default probes that is missing there
// reads as null.
func NewRows(t *schema.Table, inputs []schema.Column) (Rows, error) { return NewRowsOf(t, inputs, "") }

// NewRowsOf is NewRows for a run of a day. The rows of tables that combine all samples have the day as their partition;
// without a run it is null. Other rows take it from main_summary.
func NewRowsOf(t *schema.Table, inputs []schema.Column, day string) (Rows, error) {
	if len(t.Needs) == 0 {
		return nil, fmt.Errorf("transform %s: it is not made from main_summary rows", t.Name)
	}
	in := newInput(inputs)
	if day != "" {
		in.day = []byte(t.PartitionValue(day))
	}
	if own := rowTables[t.Name]; own != nil {
		return own(t, in), nil
	}
	return newDaily(t, in, nil), nil
}

// input finds main_summary columns in the batches of a transform.
type input struct {
	index map[string]int
	day   []byte       // of the run, nil without one
	texts column.Arena // of all groups since the last Flush
	rows  []int32      // 0, 1, 2, …
	// begins are the entries of the batch at hand that begin a group. Most columns have values in most rows: then their first values
	// are in these, and the other entries need not be looked at.
	begins []entry

	// Scratch.
	copied column.TextCopies
	groups []int32
	values []int64
}

// numbers holds the values of the first rows.
func (in *input) numbers(rows int) []int32 {
	for len(in.rows) < rows {
		in.rows = append(in.rows, int32(len(in.rows)))
	}
	return in.rows[:rows]
}

func newInput(cols []schema.Column) *input {
	in := &input{index: map[string]int{}}
	for i, c := range cols {
		in.index[c.Name] = i
	}
	return in
}

// leaf returns a flat column of the batch, or nil when the batch has no such column.
func (in *input) leaf(b *column.Batch, name string) *column.Leaf {
	i, ok := in.index[name]
	if !ok {
		return nil
	}
	return &b.Leaves[b.Node(i).Leaf]
}

// node returns a nested column of the batch, or nil.
func (in *input) node(b *column.Batch, name string) *column.Node {
	i, ok := in.index[name]
	if !ok {
		return nil
	}
	return b.Node(i)
}
