package parquet

import (
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// Layout is the common part of files of the same columns.
type Layout struct {
	cols   []schema.Column
	leaves []column.Leaf // for their paths and types
	refine []Logical     // by leaf
	begins [][2][]byte   // of their chunks in the footer
	guard  *guard
	schema []byte // as it is in the footer
}

// NewLayout works out the layout of files with the given columns.
func NewLayout(cols []schema.Column) (*Layout, error) { return NewRefinedLayout(cols, nil) }

// NewRefinedLayout is NewLayout with refinements by leaf, in the order of the schema. The leaves after the last one
// have none.
func NewRefinedLayout(cols []schema.Column, refine []Logical) (*Layout, error) {
	if err := checkColumns(cols); err != nil {
		return nil, err
	}
	b := column.NewBatch(cols)
	refine = append(make([]Logical, 0, len(b.Leaves)), refine...)[:len(b.Leaves)]
	var w thriftWriter
	appendSchema(&w, cols, refine)
	begins := make([][2][]byte, len(b.Leaves))
	for i := range b.Leaves {
		begins[i] = chunkBegins(&b.Leaves[i], refine[i])
	}
	return &Layout{cols: cols, leaves: b.Leaves, refine: refine, begins: begins, guard: newGuard(b), schema: w.buf}, nil
}

// Check returns an error if the levels and values of a finished batch do not fit
// these columns, such as a null in a required column. Group relies on them.
func (l *Layout) Check(b *column.Batch) error { return l.guard.check(b) }

// Leaves returns the number of leaf columns.
func (l *Layout) Leaves() int { return len(l.leaves) }
