package query

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/pingmill/pingmill/sql/query/layout"
)

func (r *Rows) writeTable(b *bufio.Writer, opts WriteOptions) (int64, error) {
	if r.isPlan() {
		return r.writePlan(b)
	}
	width := opts.Width
	if opts.Expanded == ExpandedOff {
		width = 0
	}
	t := layout.New(b, width, opts.Expanded == ExpandedOn)
	var columns []layout.Column
	n, err := r.each(b, func(row []any) {
		if columns == nil {
			columns = r.layoutColumns()
		}
		t.Add(columns, row)
		r.held = t.Held()
	})
	if err != nil {
		return n, err
	}
	t.End(r.layoutColumns())
	plural := "s"
	if n == 1 {
		plural = ""
	}
	before := ""
	if r.cut != "" {
		before = "first "
	}
	fmt.Fprintf(b, "(%s%s row%s)\n", before, humanize.Comma(n), plural)
	return n, nil
}

// layoutColumns returns the columns of the result, which are known when it has run.
func (r *Rows) layoutColumns() []layout.Column {
	columns := make([]layout.Column, len(r.Columns))
	for i, c := range r.Columns {
		columns[i] = layout.Column{Name: c.Name, Right: r.types[i].numeric()}
	}
	return columns
}

// isPlan reports whether the result comes from EXPLAIN.
func (r *Rows) isPlan() bool {
	return r.lines != nil || !r.query.rows && len(r.Columns) == 2 && r.Columns[0].Name == "explain_key" && r.Columns[1].Name == "explain_value"
}

// writePlan writes the lines of plans.
func (r *Rows) writePlan(b *bufio.Writer) (int64, error) {
	return r.each(b, func(row []any) {
		text, _ := row[len(row)-1].(string)
		for line := range strings.Lines(text) {
			b.WriteString(layout.Safe(strings.TrimSuffix(line, "\n")) + "\n")
		}
	})
}
