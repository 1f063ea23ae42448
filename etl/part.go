package etl

import (
	"context"
	"errors"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/table/column"
)

// partWriter writes the rows of a task to a sequence of files, or to one sequence for each sample if samples
// are partitions. FileRows limits the rows of each file.
type partWriter struct {
	table      *schema.Table
	generation *lake.Generation
	options    lake.WriterOptions
	footers    *lake.Footers
	lo, hi     int          // samples of the task
	group      *store.Group // makes the files durable together; nil: each when it is complete

	sample int
	number int // of the next file in its sequence
	sink   *lake.FileSink
	file   *lake.FileWriter
	inFile int

	files       []lake.File
	rows, bytes int64
}

// restart begins the same sequence of files again.
func (w *partWriter) restart() error {
	err := w.abort()
	*w = partWriter{table: w.table, generation: w.generation, options: w.options, footers: w.footers, lo: w.lo, hi: w.hi, group: w.group}
	return err
}

// sampled reports whether every sample has its own folder.
func (w *partWriter) sampled() bool { return len(w.table.PartitionKeys) > 1 }

// write writes the rows of one sample and resets the batch. last means that no rows of the sample follow.
func (w *partWriter) write(b *column.Batch, sample int, last bool) error {
	defer b.Reset()
	if b.Rows == 0 {
		return nil
	}
	return w.rowsOf(b, sample, last && w.sampled())
}

// WriteRows writes rows of any samples to one file of a generation. It does not reset the batch.
func WriteRows(t *schema.Table, g *lake.Generation, b *column.Batch) (lake.File, error) {
	w := &partWriter{table: t, generation: g, options: lake.Laptop(), hi: job.NoClient}
	err := w.rowsOf(b, w.lo, true)
	if err == nil {
		err = w.close()
	}
	if err != nil {
		return lake.File{}, errors.Join(err, w.abort())
	}
	return w.files[0], nil
}

// rowsOf appends rows to the file of their sample; last means that no rows follow.
func (w *partWriter) rowsOf(b *column.Batch, sample int, last bool) error {
	if w.sampled() && sample != w.sample {
		if err := w.close(); err != nil {
			return err
		}
		w.number = 0
	}
	w.sample = sample
	if w.file != nil && w.inFile+b.Rows > w.options.FileRows {
		if err := w.close(); err != nil {
			return err
		}
	}
	if w.file == nil {
		if err := w.open(); err != nil {
			return err
		}
	}
	w.inFile += b.Rows
	w.rows += int64(b.Rows)
	if last {
		return w.file.WriteLast(b, w.footers)
	}
	return w.file.Write(b)
}

func (w *partWriter) open() error {
	sub, first := "", w.lo
	if w.sampled() {
		sub, first = sampleDir(w.sample), w.sample
	}
	var err error
	if w.sink, err = w.generation.CreateGrouped(context.Background(), w.group, w.generation.FileName(sub, first, w.number)); err != nil {
		return err
	}
	w.number++
	w.inFile = 0
	if w.file, err = lake.NewFileWriter(w.sink, w.table.Columns, w.options); err != nil {
		return errors.Join(err, w.abort())
	}
	return nil
}

// close finishes the open file, if there is one.
func (w *partWriter) close() error {
	if w.file == nil {
		return nil
	}
	f, err := w.footers.Finish(w.file, w.sink)
	w.file, w.sink = nil, nil
	if err != nil {
		return err
	}
	f.Lo, f.Hi = w.lo, w.hi
	if w.sampled() {
		f.Lo, f.Hi = w.sample, w.sample
	}
	w.files = append(w.files, f)
	w.bytes += f.Bytes
	return nil
}

// abort discards the open file, and closes the files that are not durable.
func (w *partWriter) abort() error {
	w.file = nil
	if w.group != nil {
		w.group.Close()
	}
	if w.sink == nil {
		return nil
	}
	err := w.sink.Abort()
	w.sink = nil
	return err
}
