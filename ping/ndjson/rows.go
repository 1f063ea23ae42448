package ndjson

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table"
	"github.com/pingmill/pingmill/table/column"
)

// inputRow is a row of main_summary and its line.
type inputRow struct {
	line    int
	members map[string]any
}

func transformRows(t, main *schema.Table, in io.Reader, out io.Writer, bad Bad) (leftOut map[string]int64, err error) {
	rows, err := readRows(t, in, bad)
	if err != nil {
		return nil, err
	}
	w := bufio.NewWriter(out)
	inputs := schema.Nullable(schema.Inputs(t, main))
	input, output := column.NewBatch(inputs), column.NewBatch(t.Columns)
	for len(rows) > 0 {
		day := rows[:dayLength(rows)]
		rows = rows[len(day):]
		input.Reset()
		for _, r := range day {
			if err := input.AppendJSONRow(r.members); err != nil {
				bad(r.line, err)
			}
		}
		if err := transformDay(t, input, output, w); err != nil {
			return nil, err
		}
	}
	return output.LeftOut(), w.Flush()
}

// readRows reads all rows, ordered by day, timestamp and document id.
func readRows(t *schema.Table, in io.Reader, bad Bad) ([]inputRow, error) {
	var rows []inputRow
	reader := newLineReader()
	err := lines(in, "standard input", func(n int, line []byte) error {
		row, err := parseRow(t, reader, line)
		if err != nil {
			bad(n, err)
		} else if row != nil {
			rows = append(rows, inputRow{n, row})
		}
		return nil
	})
	slices.SortStableFunc(rows, func(a, b inputRow) int {
		return cmp.Or(cmp.Compare(a.day(), b.day()), cmp.Compare(a.timestamp(), b.timestamp()), compareIDs(a, b))
	})
	return rows, err
}

// parseRow reads a line. The row is nil if the ping of the line has no row in main_summary.
func parseRow(t *schema.Table, r *lineReader, line []byte) (row map[string]any, err error) {
	kind, err := r.read(line)
	if err != nil {
		return nil, err
	}
	switch kind {
	case rowLine, otherLine:
	case nullLine:
		return nil, nil
	case decodedLine:
		return nil, fmt.Errorf("%s, not a row: make it one first: pingmill transform main_summary | pingmill transform %s", kind, t.Name)
	case submissionLine:
		return nil, fmt.Errorf("%s, not a row: pingmill decode | pingmill transform main_summary | pingmill transform %s", kind, t.Name)
	default:
		return nil, fmt.Errorf("%s, not a row: %s takes rows of main_summary", kind, t.Name)
	}
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	return row, d.Decode(&row)
}

// dayLength returns the number of rows at the beginning that have the same day.
func dayLength(rows []inputRow) int {
	for i := range rows {
		if rows[i].day() != rows[0].day() {
			return i
		}
	}
	return len(rows)
}

// transformDay writes the rows made from the rows of one day.
func transformDay(t *schema.Table, input, output *column.Batch, w io.Writer) error {
	transform, err := table.NewRows(t, input.Columns)
	if err != nil {
		return err
	}
	var buf []byte
	write := func() error {
		buf = buf[:0]
		rows := column.NewRowWriter(output)
		for range output.Rows {
			buf = append(rows.AppendRow(buf), '\n')
		}
		output.Reset()
		_, err := w.Write(buf)
		return err
	}
	output.Reset()
	return errors.Join(transform.Add(output, input, write), transform.Flush(output, write))
}

// day returns the partition of a row, or else its submission date.
func (r inputRow) day() string {
	for _, name := range []string{"submission_date_obj", "submission_date"} {
		if s, ok := r.members[name].(string); ok {
			return s
		}
	}
	return ""
}

// timestamp returns the timestamp of a row. Rows without one sort last.
func (r inputRow) timestamp() int64 {
	if n, ok := r.members["timestamp"].(json.Number); ok {
		if v, err := n.Int64(); err == nil {
			return v
		}
	}
	return math.MaxInt64
}

// compareIDs orders by document id. Rows without one sort last.
func compareIDs(a, b inputRow) int {
	s, hasA := a.members["document_id"].(string)
	t, hasB := b.members["document_id"].(string)
	switch {
	case hasA && hasB:
		return cmp.Compare(s, t)
	case hasA:
		return -1
	case hasB:
		return 1
	}
	return 0
}
