package export

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/ipc"

	"github.com/pingmill/pingmill/lake/parquet"
	"github.com/pingmill/pingmill/table/column"
)

// groupRows and groupBytes limit the rows and the bytes of values in a row group, because a row group is held in
// memory.
const (
	groupRows  = 122_880
	groupBytes = 32 << 20
)

// schemaKey names the footer's entry with the Arrow schema, from which Arrow's readers restore the exact types.
const schemaKey = "ARROW:schema"

// Writer writes a parquet file. It is not safe for concurrent use.
type Writer struct {
	out    *parquet.Writer
	layout *parquet.Layout
	batch  *column.Batch
	size   int64 // bytes of values in batch
}

// NewWriter starts a file with the given columns, whose names must be unique. createdBy is the name and version of the
// program.
func NewWriter(w io.Writer, fields []arrow.Field, createdBy string) (*Writer, error) {
	var c columns
	for _, f := range fields {
		if err := c.add(f); err != nil {
			return nil, err
		}
	}
	layout, err := parquet.NewRefinedLayout(c.list, c.refine)
	if err != nil {
		return nil, err
	}
	var stream bytes.Buffer
	if err := ipc.NewWriter(&stream, ipc.WithSchema(arrow.NewSchema(fields, nil))).Close(); err != nil {
		return nil, fmt.Errorf("encode the Arrow schema: %w", err)
	}
	out, err := parquet.NewWriter(w, layout, parquet.Options{
		CreatedBy: createdBy, Metadata: map[string]string{schemaKey: base64.StdEncoding.EncodeToString(stream.Bytes())},
	})
	if err != nil {
		return nil, err
	}
	return &Writer{out: out, layout: layout, batch: column.NewBatch(c.list)}, nil
}

// Write appends the rows of a batch.
func (w *Writer) Write(b arrow.RecordBatch) error {
	for _, c := range b.Columns() {
		w.size += int64(c.Data().SizeInBytes())
	}
	for row := range int(b.NumRows()) {
		for i, c := range b.Columns() {
			appendValue(w.batch, w.batch.Start(i), 0, c, row)
		}
		w.batch.EndRow()
		if w.batch.Rows >= groupRows {
			if err := w.group(); err != nil {
				return err
			}
		}
	}
	if w.size >= groupBytes {
		return w.group()
	}
	return nil
}

// group writes the waiting rows as a row group.
func (w *Writer) group() error {
	w.batch.Finish()
	if err := w.layout.Check(w.batch); err != nil {
		return err
	}
	if err := w.out.Group(w.batch.Leaves, w.batch.Rows); err != nil {
		return err
	}
	w.batch.Reset()
	w.size = 0
	return nil
}

// Close writes the remaining rows and the footer.
func (w *Writer) Close() error {
	if err := w.group(); err != nil {
		return err
	}
	_, err := w.out.Close()
	return err
}
