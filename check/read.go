package check

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/table/column"
)

// readRows is the number of rows that are read at a time.
const readRows = 2000

// fileSet is a set of files of one partition.
type fileSet struct {
	table   *schema.Table
	bucket  store.Bucket
	files   []lake.File
	path    func(file string) string
	footers *lake.Footers
	open    *openFiles // nil: files are closed after each pass
}

// openFiles caches open files between passes: parsing a footer of many columns takes longer than reading a
// few columns of a small file.
type openFiles struct {
	files   map[string]*lake.FileReader
	readers []store.Reader
}

func (o *openFiles) close() (err error) {
	for _, r := range o.readers {
		err = errors.Join(err, r.Close())
	}
	return err
}

// reader opens a file or returns an open one. done closes it unless it is cached.
func (s *fileSet) reader(ctx context.Context, file lake.File) (f *lake.FileReader, done func() error, err error) {
	name := s.path(file.Name)
	if s.open != nil && s.open.files[name] != nil {
		return s.open.files[name], func() error { return nil }, nil
	}
	if f = s.footers.Written(file); f != nil {
		return f, func() error { return nil }, nil
	}
	r, err := s.bucket.Open(ctx, name)
	if err != nil {
		return nil, nil, fmt.Errorf("open %s: %w", name, err)
	}
	if f, err = s.footers.Open(r, file); err != nil {
		return nil, nil, errors.Join(fmt.Errorf("read %s: %w", name, err), r.Close())
	}
	if s.open == nil {
		return f, r.Close, nil
	}
	s.open.files[name], s.open.readers = f, append(s.open.readers, r)
	return f, func() error { return nil }, nil
}

// each reads columns of the files that begin in a range of samples, in order. It skips files for which skip,
// if not nil, returns true.
func (s *fileSet) each(ctx context.Context, r job.Samples, names []string, skip func(*lake.FileReader) bool, next func(*rows) error) error {
	var view *rows
	for _, f := range s.files {
		if f.Lo < r.Lo || f.Lo > r.Hi {
			continue
		}
		if err := s.file(ctx, f, names, skip, &view, next); err != nil {
			return err
		}
	}
	return nil
}

func (s *fileSet) file(ctx context.Context, f lake.File, names []string, skip func(*lake.FileReader) bool, last **rows,
	next func(*rows) error) (err error) {
	name := s.path(f.Name)
	file, done, err := s.reader(ctx, f)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	if skip != nil && skip(file) {
		return nil
	}
	defer file.Release()
	view, err := s.rows(file, names, *last)
	if err == nil {
		*last = view
		err = file.SelectBatch(view.batch, readRows)
	}
	if err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := file.Next(view.batch); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("read %s: %w", name, err)
		}
		view.load()
		if err := next(view); err != nil {
			return err
		}
	}
}

// rows is a batch of rows of a file, with the wanted columns in order.
type rows struct {
	batch *column.Batch
	cells []cell
}

// cell is a column of rows: the place of each row's value in its leaf, -1
// for null. A nested column has none.
type cell struct {
	leaf *column.Leaf
	at   []int32
}

// rows makes the view of columns as they are in a file: whether they may be null
// there is the file's word, since that is among what is checked. The view of another file is used again if it is the same.
func (s *fileSet) rows(file *lake.FileReader, names []string, last *rows) (*rows, error) {
	cols := make([]schema.Column, len(names))
	have := file.Columns()
	for i, name := range names {
		at := s.table.Index(name)
		if at < 0 {
			return nil, fmt.Errorf("%s has no column %s", s.table.Name, name)
		}
		cols[i] = s.table.Columns[at]
		cols[i].NotNull = notNull(have, name)
	}
	if last != nil && slices.EqualFunc(last.batch.Columns, cols, func(a, b schema.Column) bool { return a.NotNull == b.NotNull }) {
		return last, nil
	}
	return &rows{batch: column.NewBatch(cols), cells: make([]cell, len(cols))}, nil
}

// notNull reports whether cols has the named column and it is required.
func notNull(cols []schema.Column, name string) bool {
	for i := range cols {
		if cols[i].Name == name {
			return cols[i].NotNull
		}
	}
	return false
}

// load finds the values of the rows.
func (r *rows) load() {
	for i := range r.cells {
		c := &r.cells[i]
		n := r.batch.Node(i)
		c.at, c.leaf = c.at[:0], &r.batch.Leaves[n.Leaf]
		if c.leaf.MaxRep > 0 || n.Leaves > 1 {
			continue
		}
		value := int32(0)
		for row := range r.batch.Rows {
			if c.leaf.MaxDef > 0 && c.leaf.Def[row] < c.leaf.MaxDef {
				c.at = append(c.at, -1)
				continue
			}
			c.at = append(c.at, value)
			value++
		}
	}
}

// text returns the value of a text column in a row, nil for null.
func (r *rows) text(col, row int) []byte {
	c := &r.cells[col]
	if i := c.at[row]; i >= 0 {
		return c.leaf.Bytes[i]
	}
	return nil
}

// long returns the value of a 64-bit column in a row.
func (r *rows) long(col, row int) (v int64, ok bool) {
	c := &r.cells[col]
	if i := c.at[row]; i >= 0 {
		return c.leaf.Longs[i], true
	}
	return 0, false
}

// field returns the value of a text or 64-bit column for a message.
func (r *rows) field(col, row int) Field {
	f := Field{Column: r.batch.Columns[col].Name}
	if r.cells[col].leaf.Kind == schema.Long {
		if v, ok := r.long(col, row); ok {
			text := strconv.FormatInt(v, 10)
			f.Value = &text
		}
		return f
	}
	return field(f.Column, r.text(col, row))
}

func field(column string, value []byte) Field {
	f := Field{Column: column}
	if value != nil {
		text := string(value)
		f.Value = &text
	}
	return f
}
