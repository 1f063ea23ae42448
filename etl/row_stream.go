package etl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// streamRows is the number of rows that a rowStream reads at a time, at most a row group.
const streamRows = 2500

// rowStream reads the rows of some samples of a partition, in the order of its files.
type rowStream struct {
	lt    *lake.Table
	m     *lake.Manifest
	files []lake.File // left
	path  func(file string) string
	paths [][]string // of the columns and members to read; nil: all
	// columns returns the columns to read of a file with these columns.
	columns func(have []schema.Column) []schema.Column
	samples job.Samples
	cut     bool // the open file has other samples, too

	file  *lake.FileReader // open; nil: none
	name  string
	done  func() error
	batch *column.Batch
}

// stream returns a stream of the files of a partition with some of the samples.
func stream(ctx context.Context, lt *lake.Table, m *lake.Manifest, samples job.Samples, paths [][]string) *rowStream {
	s := &rowStream{lt: lt, m: m, path: lt.Paths(ctx, m), paths: paths, samples: samples}
	s.columns = s.named
	for _, f := range m.Files {
		if f.Lo <= samples.Hi && samples.Lo <= f.Hi {
			s.files = append(s.files, f)
		}
	}
	return s
}

// next returns the next rows, which are valid until the next call, or nil behind the last ones.
func (s *rowStream) next(ctx context.Context) (*column.Batch, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if s.file == nil {
			if len(s.files) == 0 {
				return nil, nil
			}
			if err := s.open(ctx); err != nil {
				return nil, recordDamage(ctx, s.lt, s.m, err)
			}
		}
		err := s.file.Next(s.batch)
		if err == nil {
			return s.batch, nil
		}
		if !errors.Is(err, io.EOF) {
			err = fmt.Errorf("read %s: %w", s.name, s.lt.Blame(ctx, s.m.Day, s.files[0], err))
			return nil, recordDamage(ctx, s.lt, s.m, err)
		}
		s.files = s.files[1:]
		if err := s.close(); err != nil {
			return nil, err
		}
	}
}

// open opens the next file.
func (s *rowStream) open(ctx context.Context) (err error) {
	f := s.files[0]
	s.name, s.cut = s.path(f.Name), f.Lo < s.samples.Lo || f.Hi > s.samples.Hi
	if s.file, s.done, err = s.lt.OpenRows(ctx, s.m.Day, s.name, f); err != nil {
		return err
	}
	if columns := s.columns(s.file.Columns()); s.batch == nil || !sameColumns(s.batch.Columns, columns) {
		s.batch = column.NewBatch(columns)
	}
	s.batch.Reset()
	err = s.file.SelectLeaves(s.batch, streamRows, func(leaf int) bool {
		return s.paths == nil || under(s.paths, s.batch.Leaves[leaf].Path)
	})
	if err != nil {
		return fmt.Errorf("read %s: %w", s.name, err)
	}
	return nil
}

func sameColumns(a, b []schema.Column) bool {
	return slices.EqualFunc(a, b, func(a, b schema.Column) bool {
		return a.Name == b.Name && a.NotNull == b.NotNull && a.Type.Same(&b.Type)
	})
}

// close closes the open file, if there is one.
func (s *rowStream) close() error {
	if s.file == nil {
		return nil
	}
	s.file = nil
	return s.done()
}

// all calls do for all rows, and closes the stream.
func (s *rowStream) all(ctx context.Context, do func(*column.Batch) error) (err error) {
	defer func() { err = errors.Join(err, s.close()) }()
	for {
		b, err := s.next(ctx)
		if b == nil || err != nil {
			return err
		}
		if err := do(b); err != nil {
			return err
		}
	}
}

// named returns the columns that paths begin with.
func (s *rowStream) named(have []schema.Column) (all []schema.Column) {
	for _, c := range have {
		if s.paths == nil || slices.ContainsFunc(s.paths, func(p []string) bool { return p[0] == c.Name }) {
			all = append(all, c)
		}
	}
	return all
}

// under reports whether a leaf is a column or member with one of the paths, or in one.
func under(paths [][]string, leaf []string) bool {
	return slices.ContainsFunc(paths, func(p []string) bool { return len(p) <= len(leaf) && slices.Equal(p, leaf[:len(p)]) })
}
