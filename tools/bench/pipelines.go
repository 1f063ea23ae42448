package main

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/table"
	"github.com/pingmill/pingmill/table/column"
)

// candidate is the function that a process measures.
type candidate = func(ctx context.Context, input, output string) (units, bytes int64, err error)

// rowFile writes batches to a file.
type rowFile interface {
	Write(b *column.Batch) error
	Close() error
}

// fileOpener starts a file of rows.
type fileOpener func(w io.Writer, cols []schema.Column) (rowFile, error)

// rowReader reads the columns of a batch from a file, some rows at a time.
type rowReader func(r store.Reader, in *column.Batch, next func() error) error

// readRows is the number of rows read at a time.
const readRows = 2000

type lakeWriter struct{ *lake.FileWriter }

// Close implements rowFile.
func (w lakeWriter) Close() error {
	_, err := w.FileWriter.Close()
	return err
}

// laptopFile writes as pingmill does.
var laptopFile = lakeFile(lake.Laptop())

func lakeFile(o lake.WriterOptions) fileOpener {
	return func(w io.Writer, cols []schema.Column) (rowFile, error) {
		f, err := lake.NewFileWriter(w, cols, o)
		return lakeWriter{f}, err
	}
}

func readLake(r store.Reader, in *column.Batch, next func() error) error {
	f, err := lake.OpenFile(r)
	if err != nil {
		return err
	}
	defer f.Release()
	if err := f.Select(in.Columns, readRows); err != nil {
		return err
	}
	for {
		if err := f.Next(in); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if err := next(); err != nil {
			return err
		}
	}
}

// archiveMain makes main_summary from the archive in a folder.
func archiveMain(open fileOpener) candidate {
	return func(ctx context.Context, input, output string) (int64, int64, error) {
		b, err := store.OpenLocal(input)
		if err != nil {
			return 0, 0, err
		}
		m, done, err := newMainFile(output, open)
		if err != nil {
			return 0, 0, err
		}
		days, err := archive.Days(ctx, b)
		if err != nil {
			return 0, 0, err
		}
		for _, d := range days {
			if d.DocType != "main" {
				continue
			}
			if err := m.addDay(ctx, b, d); err != nil {
				return 0, 0, err
			}
		}
		return m.rows, m.bytes, done()
	}
}

func (m *mainFile) addDay(ctx context.Context, b store.Bucket, d archive.DayInfo) error {
	day, err := archive.OpenDay(ctx, b, d.Day, d.DocType)
	if err != nil {
		return err
	}
	for p, err := range day.Pings(ctx, 0, 100) {
		if err != nil {
			return err
		}
		if err := m.add(&p.Meta, p.Body); err != nil {
			return err
		}
	}
	return nil
}

// rowsDaily makes clients_daily of every sample's main_summary file.
func rowsDaily(open fileOpener, read rowReader) candidate {
	return func(ctx context.Context, input, output string) (rows, bytes int64, err error) {
		b, err := store.OpenLocal(input)
		if err != nil {
			return 0, 0, err
		}
		t := schema.ClientsDaily()
		inputs := schema.Inputs(t, schema.MainSummary(probes()))
		transform, err := table.NewRows(t, inputs)
		if err != nil {
			return 0, 0, err
		}
		if err := os.MkdirAll(output, 0o755); err != nil {
			return 0, 0, err
		}
		in, out := column.NewBatch(inputs), column.NewBatch(t.Columns)
		row := func() error { return nil } // keep all rows of a file
		for e, err := range b.List(ctx, "") {
			if err != nil {
				return 0, 0, err
			}
			err := readObject(ctx, b, e.Name, read, in, func() error {
				rows += int64(in.Rows)
				return transform.Add(out, in, row)
			})
			if err != nil {
				return 0, 0, err
			}
			if err := transform.Flush(out, row); err != nil {
				return 0, 0, err
			}
			if err := writeFile(filepath.Join(output, e.Name), open, out); err != nil {
				return 0, 0, err
			}
		}
		return rows, 0, nil
	}
}

func readObject(ctx context.Context, b store.Bucket, name string, read rowReader, in *column.Batch, next func() error) error {
	r, err := b.Open(ctx, name)
	if err != nil {
		return err
	}
	defer r.Close()
	return read(r, in, next)
}

func writeFile(path string, open fileOpener, b *column.Batch) error {
	defer b.Reset()
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(writeRows(f, open, b), f.Close())
}

func writeRows(w io.Writer, open fileOpener, b *column.Batch) error {
	f, err := open(w, b.Columns)
	if err == nil {
		err = f.Write(b)
	}
	if err == nil {
		err = f.Close()
	}
	return err
}
