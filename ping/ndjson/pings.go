package ndjson

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema/glean"
	"github.com/pingmill/pingmill/table"
	"github.com/pingmill/pingmill/table/column"
)

func transformPings(t *table.Pings, in io.Reader, out io.Writer, bad Bad) (leftOut map[string]int64, err error) {
	w := bufio.NewWriter(out)
	batch := column.NewBatch(t.Table.Columns)
	reader := newLineReader()
	var row []byte
	err = lines(in, "standard input", func(n int, line []byte) error {
		batch.Reset()
		ok, err := transformPing(t, reader, batch, line)
		if err != nil {
			bad(n, err)
		}
		if row = append(row[:0], "null\n"...); ok {
			row = row[:0]
			rows := column.NewRowWriter(batch)
			rows.Embed(t.Table.Index(glean.Rest))
			for range batch.Rows { // events_stream may have several
				row = append(rows.AppendRow(row), '\n')
			}
		}
		_, err = w.Write(row)
		return err
	})
	return batch.LeftOut(), errors.Join(err, w.Flush())
}

// decoded reads a line for a table of pings. It returns false for an outcome without a ping, and an error for another line.
func (r *lineReader) decoded(name string, line []byte) (bool, error) {
	kind, err := r.read(line)
	if err != nil {
		return false, err
	}
	const want = `{"meta":{…},"ping":{…}}`
	switch kind {
	case decodedLine:
		return true, nil
	case outcomeLine: // what decode rejected has no row
		return false, nil
	case submissionLine:
		return false, fmt.Errorf("%s: decode it first: pingmill decode | pingmill transform %s", kind, name)
	case pingLine:
		return false, fmt.Errorf("%s: %s takes %s, with documentId, submissionDate and timestamp in meta", kind, name, want)
	case rowLine:
		return false, fmt.Errorf("%s: addons, clients_daily and the tables of searches take rows of main_summary, %s takes %s", kind, name, want)
	}
	return false, fmt.Errorf("%s, not %s: %s takes %s", kind, decodedLine, name, want)
}

// transformPing appends the row of a line to batch and reports whether it has one.
func transformPing(t *table.Pings, r *lineReader, batch *column.Batch, line []byte) (bool, error) {
	if ok, err := r.decoded(t.Table.Name, line); !ok || err != nil {
		return false, err
	}
	var meta ping.Meta
	if err := meta.ParseJSON(r.doc.Value(r.meta).Raw()); err != nil {
		return false, fmt.Errorf("read meta: %w", err)
	}
	ok, err := t.AppendValue(batch, &meta, r.doc.Value(r.ping))
	if err != nil {
		return false, fmt.Errorf("read ping: %w", err)
	}
	return ok, nil
}
