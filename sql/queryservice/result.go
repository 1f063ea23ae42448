package queryservice

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/sql/query/columnar"
)

// Result is the result of a query. Its pages can be read in any order. The caller must close it.
type Result struct {
	Query  Query
	Fields []arrow.Field

	file  resultFile
	index *index
	may   func() error // checks the person's rights before each batch is read
	free  bool         // see Free
}

// Result opens the result of a query. It returns ErrNotFound if the person may not see the query.
func (d *Service) Result(ctx context.Context, p *access.Person, id string) (*Result, error) {
	s, err := d.find(ctx, "id = ?", id)
	if err == nil && !d.visible(p, s.uses) {
		err = ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	if s.q = d.newest(s.q); s.q.State != Done {
		return nil, ErrNoResult
	}
	if p.ID != s.q.Person {
		if err := d.record(ctx, &s.q, d.restricted(s.uses, s.q.Reads), "the result of somebody else was read"); err != nil {
			return nil, err
		}
	}
	if d.Keep > 0 && d.Now().Sub(s.q.Ended) > d.Keep {
		return nil, ErrResultRemoved
	}
	r, err := openResult(d.results.path(id), s.q)
	if err = missing(d, &s, err); err == nil {
		r.may = func() error { return d.authorize(ctx, p, s.uses) }
		r.free = free(d.Site.Tables, p, s.uses)
	}
	return r, err
}

// Free reports whether the result has only rows of tables that are not restricted and that the person may read in full, so that
// it may leave the access control.
func (r *Result) Free() bool { return r.free }

func openResult(path string, q Query) (*Result, error) {
	f, err := os.Open(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, ErrResultRemoved
	case err != nil:
		return nil, fmt.Errorf("open result: %w", err)
	}
	r := &Result{Query: q, file: f, may: func() error { return nil }}
	if err := r.open(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return r, nil
}

func (r *Result) open(f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("open result: %w", err)
	}
	if r.index, err = readIndex(r.file, info.Size()); err != nil {
		return err
	}
	return r.describe()
}

// describe reads the columns.
func (r *Result) describe() error {
	in, err := r.index.open(r.file)
	if err != nil {
		return err
	}
	defer in.Close()
	r.Fields = in.Fields()
	return nil
}

func (r *Result) Close() error { return r.file.Close() }

// Largest returns the size of the largest batch in bytes.
func (r *Result) Largest() (most int64) {
	for _, p := range r.index.Batches {
		most = max(most, p.Size)
	}
	return most
}

// Rows returns the number of rows.
func (r *Result) Rows() int64 { return r.index.Rows }

// Batches calls f with the batches that contain rows from to from+n-1. first is the number of the batch's first row. A
// batch is valid until f returns. Other batches are not read.
func (r *Result) Batches(from, n int64, f func(b arrow.RecordBatch, first int64) error) error {
	first := int64(0)
	for _, p := range r.index.Batches {
		if first >= from+n {
			return nil
		}
		if first+p.Rows > from {
			if err := r.batch(p, func(b arrow.RecordBatch) error { return f(b, first) }); err != nil {
				return err
			}
		}
		first += p.Rows
	}
	return nil
}

// read reads a piece of the file if the person still has the rights to; otherwise it returns ErrNotFound.
func (r *Result) read(p piece) ([]byte, error) {
	if err := r.may(); errors.Is(err, errRights) {
		return nil, ErrNotFound
	} else if err != nil {
		return nil, err
	}
	return p.read(r.file)
}

func (r *Result) batch(p piece, f func(arrow.RecordBatch) error) error {
	data, err := r.read(p)
	if err != nil {
		return err
	}
	in, err := r.index.open(r.file, data)
	if err != nil {
		return err
	}
	defer in.Close()
	b, err := in.Next()
	if err == nil && b.NumRows() != p.Rows {
		err = ErrDamaged
	}
	if err != nil {
		return fmt.Errorf("%w (%w)", ErrDamaged, err)
	}
	return f(b)
}

// Each calls f with at most n rows, beginning with row from. The values have the types of query.Rows.Next; the slice is
// reused.
func (r *Result) Each(from, n int64, f func(row []any) error) error {
	return r.Batches(from, n, func(b arrow.RecordBatch, first int64) error {
		skip := max(0, from-first)
		err := columnar.Rows(b, skip, from+n-first-skip, f)
		if errors.Is(err, columnar.ErrDamaged) {
			err = fmt.Errorf("%w (%w)", ErrDamaged, err)
		}
		return err
	})
}
