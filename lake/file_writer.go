package lake

import (
	"errors"
	"fmt"
	"io"

	"github.com/pingmill/pingmill/column"
	"github.com/pingmill/pingmill/lake/pq"
	"github.com/pingmill/pingmill/schema"
)

// FileInfo describes a finished file.
type FileInfo struct {
	Rows      int64
	Bytes     int64
	RowGroups int
}

// FileWriter writes one parquet file. The bytes depend on the rows and options
// only, not on how the rows were divided into batches. A FileWriter is not safe
// for concurrent use.
type FileWriter struct {
	options WriterOptions
	guard   *guard
	encoder *pq.Writer
	pending *column.Batch // rows of the row group begun
	views   []column.Leaf
	at      []position
	info    FileInfo
	err     error // sticky: after a failure the file is useless
}

// NewFileWriter starts a file with the given columns. Nothing is written to w
// before the first row group is full or the file closed. The caller closes w.
func NewFileWriter(w io.Writer, cols []schema.Column, o WriterOptions) (*FileWriter, error) {
	o = o.withDefaults()
	e, err := newEncoder(w, cols, o)
	if err != nil {
		return nil, fmt.Errorf("start parquet file: %w", err)
	}
	pending := column.NewBatch(cols)
	return &FileWriter{
		options: o,
		guard:   newGuard(cols),
		encoder: e,
		pending: pending,
		views:   make([]column.Leaf, len(pending.Leaves)),
		at:      make([]position, len(pending.Leaves)),
	}, nil
}

// Write adds the rows of b, a batch for the columns of the file, and finishes
// it if that has not been done. It keeps nothing of b. Rows whose levels or
// values do not fit together, such as a null in a required column, are an
// error; after an error the file cannot be completed.
func (f *FileWriter) Write(b *column.Batch) error {
	if f.err != nil {
		return f.err
	}
	b.Finish()
	if len(b.Leaves) != len(f.views) {
		return f.fail(fmt.Errorf("write batch: %d leaf columns for a file of %d", len(b.Leaves), len(f.views)))
	}
	if err := f.guard.check(b); err != nil {
		return f.fail(fmt.Errorf("write batch: %w", err))
	}
	clear(f.at)
	for left := b.Rows; left > 0; {
		rows := min(left, f.options.RowGroupRows-f.pending.Rows)
		f.view(b, rows)
		left -= rows
		if err := f.add(rows); err != nil {
			return f.fail(err)
		}
	}
	return nil
}

func (f *FileWriter) fail(err error) error {
	f.err = err
	return err
}

// view points f.views at the next rows of b.
func (f *FileWriter) view(b *column.Batch, rows int) {
	for i := range f.views {
		f.views[i], f.at[i] = part(&b.Leaves[i], f.at[i], rows)
	}
}

// add takes the rows in f.views: straight to the encoder if they are a whole
// row group, else by way of the pending batch.
func (f *FileWriter) add(rows int) error {
	if rows == f.options.RowGroupRows {
		return f.writeGroup(f.views, rows)
	}
	for i := range f.views {
		appendLeaf(&f.pending.Leaves[i], &f.views[i], f.pending.Copy)
	}
	f.pending.Rows += rows
	if f.pending.Rows == f.options.RowGroupRows {
		return f.flush()
	}
	return nil
}

func (f *FileWriter) flush() error {
	if f.pending.Rows == 0 {
		return nil
	}
	err := f.writeGroup(f.pending.Leaves, f.pending.Rows)
	f.pending.Reset()
	return err
}

func (f *FileWriter) writeGroup(leaves []column.Leaf, rows int) error {
	if err := f.encoder.Group(leaves, rows); err != nil {
		return fmt.Errorf("write row group %d: %w", f.info.RowGroups, err)
	}
	f.info.RowGroups++
	f.info.Rows += int64(rows)
	return nil
}

// Close writes what is left and the footer. The file is complete only if Close
// returns no error.
func (f *FileWriter) Close() (FileInfo, error) {
	if f.err != nil {
		return FileInfo{}, f.err
	}
	if err := f.flush(); err != nil {
		return FileInfo{}, f.fail(err)
	}
	size, err := f.encoder.Close()
	if err != nil {
		return FileInfo{}, f.fail(fmt.Errorf("write footer: %w", err))
	}
	f.info.Bytes = size
	f.err = errClosed
	return f.info, nil
}

var errClosed = errors.New("write batch: the file has been closed")
