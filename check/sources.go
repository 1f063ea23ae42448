package check

import (
	"context"
	"slices"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/ping"
)

// filter makes, for some rows, the function that says which of them count.
type filter func(*rows) func(row int) bool

// keysOf returns the values of text columns in the rows of files. Columns behind the key are for the filter, which may
// be nil.
func keysOf(s *fileSet, key []string, more []string, keep filter) *keys {
	names := append(append([]string(nil), key...), more...)
	return &keys{names: key, each: func(ctx context.Context, r job.Samples, yield func([][]byte) error) error {
		values := make([][]byte, len(key))
		return s.each(ctx, r, names, nil, func(v *rows) error {
			counts := func(int) bool { return true }
			if keep != nil {
				counts = keep(v)
			}
			for row := range v.batch.Rows {
				if !counts(row) {
					continue
				}
				for i := range key {
					values[i] = v.text(i, row)
				}
				if err := yield(values); err != nil {
					return err
				}
			}
			return nil
		})
	}}
}

// inputKeys returns the values of text columns in the rows that the partition is made from, of those that have a row.
func (p *Partition) inputKeys(key []string) *keys {
	var more []string
	var must []int
	for _, name := range p.Table.Schema.Requires {
		at := slices.Index(key, name)
		if at < 0 {
			at, more = len(key)+len(more), append(more, name)
		}
		must = append(must, at)
	}
	if len(key)+len(more) == 0 { // any column has the number of rows
		more = []string{p.input.table.Columns[0].Name}
	}
	return keysOf(p.input, key, more, func(v *rows) func(int) bool {
		return func(row int) bool {
			return !slices.ContainsFunc(must, func(col int) bool { return v.text(col, row) == nil })
		}
	})
}

// pingKeys returns a metadata field of the pings of the archive that have a row. The fast ones are of the metadata
// alone; a document that is not a JSON object, which has no row either, is known by the exact ones only.
func (p *Partition) pingKeys(field ping.MetaField, name string) *keys {
	exact := &keys{names: []string{name}, each: func(ctx context.Context, r job.Samples, yield func([][]byte) error) error {
		if p.day == nil {
			return nil
		}
		var key [1][]byte
		var doc ping.Doc
		program := new(ping.PathSet).Compile()
		for d, err := range p.day.Pings(ctx, r.Lo, r.Hi) {
			if err != nil {
				return err
			}
			if !p.hasRow(&d.Meta) || doc.Scan(program, d.Body) != nil {
				continue
			}
			key[0] = d.Meta.Text(field)
			if err := yield(key[:]); err != nil {
				return err
			}
		}
		return nil
	}}
	return &keys{names: exact.names, exact: exact, each: func(ctx context.Context, r job.Samples, yield func([][]byte) error) error {
		if p.day == nil {
			return nil
		}
		var key [1][]byte
		for m, err := range p.day.SampleMetas(ctx, r.Lo, r.Hi) {
			if err != nil {
				return err
			}
			if !p.hasRow(m) {
				continue
			}
			key[0] = m.Text(field)
			if err := yield(key[:]); err != nil {
				return err
			}
		}
		return nil
	}}
}

// hasRow reports whether the metadata lets a ping have a row.
func (p *Partition) hasRow(m *ping.Meta) bool {
	return p.Table.Schema.Takes(m) && p.Table.Schema.Identifies(m)
}

// absurdCount is the number of searches from which on a count is not used.
const absurdCount = 10_000

// noSearches counts rows without a usable search count: none that is a number
// below absurdCount. col is search_counts.
func noSearches(col int) filter {
	var usable []bool
	return func(v *rows) func(int) bool {
		usable = append(usable[:0], make([]bool, v.batch.Rows)...)
		n := v.batch.Node(col)
		for i, name := range n.Elem.FieldNames {
			if name == "count" {
				markUsable(v, n.Elem.Fields[i].Leaf, usable)
			}
		}
		return func(row int) bool { return !usable[row] }
	}
}

func markUsable(v *rows, leaf int, usable []bool) {
	l := &v.batch.Leaves[leaf]
	row, value := -1, 0
	for i, def := range l.Def {
		if l.Rep[i] == 0 {
			row++
		}
		if def < l.MaxDef {
			continue
		}
		if l.Longs[value] < absurdCount {
			usable[row] = true
		}
		value++
	}
}
