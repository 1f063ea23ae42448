package trino

import (
	"bytes"
	"context"
	"errors"
	"io"
	"reflect"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/serve/bi"
	"github.com/pingmill/pingmill/sql/presto/types"
	"github.com/pingmill/pingmill/sql/query/columnar"
	"github.com/pingmill/pingmill/sql/queryservice"
)

// result is what a statement ended with. Its rows are read again for each page, so that between two polls it holds
// only what is in the struct.
type result struct {
	names  []string
	types  []types.Type
	update string // of a statement that is no query, such as USE
	rows   rows   // nil: none

	headers map[string]string // what the client is to change in its session
	query   queryservice.Query
}

// rows gives rows of a result.
type rows interface {
	// each calls f with rows from a number on, until f returns an error. It returns queryservice.ErrNotFound if the person
	// may not read the rows any more.
	each(ctx context.Context, p *access.Person, from int64, f func(row []any) error) error
	// memory is what each takes at most, in bytes.
	memory(ctx context.Context, p *access.Person) (int64, error)
	// size is what the rows hold between two pages, in bytes.
	size() int64
}

// fixed has rows that are known.
type fixed [][]any

func (x fixed) each(_ context.Context, _ *access.Person, from int64, f func(row []any) error) error {
	for _, row := range x[min(from, int64(len(x))):] {
		if err := f(row); err != nil {
			return err
		}
	}
	return nil
}

func (x fixed) memory(context.Context, *access.Person) (int64, error) { return 0, nil }

func (x fixed) size() int64 { return 0 }

// stored is the result of a query of the service, in a file.
type stored struct {
	executor bi.Executor
	id       string
}

func (s stored) each(ctx context.Context, p *access.Person, from int64, f func(row []any) error) error {
	r, err := s.executor.Result(ctx, p, s.id)
	if err != nil {
		return err
	}
	defer r.Close()
	return r.Each(from, r.Rows()-from, f)
}

func (s stored) memory(ctx context.Context, p *access.Person) (int64, error) {
	r, err := s.executor.Result(ctx, p, s.id)
	if err != nil {
		return 0, err
	}
	return bi.Memory(r), r.Close()
}

func (s stored) size() int64 { return 0 }

// catalogRows is a result about the catalog, an Arrow stream in memory.
type catalogRows struct {
	data   []byte
	grants []access.Grant // of the person when it was made
}

func (k *catalogRows) each(_ context.Context, p *access.Person, from int64, f func(row []any) error) error {
	if !reflect.DeepEqual(k.grants, p.Grants) {
		return queryservice.ErrNotFound
	}
	in, err := columnar.NewReader(bytes.NewReader(k.data), int64(len(k.data)))
	if err != nil {
		return err
	}
	defer in.Close()
	for {
		batch, err := in.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		n := batch.NumRows()
		if from < n {
			if err := columnar.Rows(batch, from, n-from, f); err != nil {
				return err
			}
		}
		from = max(0, from-n)
	}
}

func (k *catalogRows) memory(context.Context, *access.Person) (int64, error) {
	return int64(len(k.data)), nil
}

func (k *catalogRows) size() int64 { return int64(cap(k.data)) }

// pageBytes is the size of the rows in a response, beyond which no row is added.
const pageBytes = 1 << 20

// errFull ends a page.
var errFull = errors.New("the page is full")

// page returns the rows from a number on as a JSON array, and the number of the first row after them.
func (r *result) page(ctx context.Context, p *access.Person, from int64, precise bool) (data []byte, next int64, err error) {
	next = from
	if r.rows == nil {
		return nil, next, nil
	}
	data = append(data, '[')
	err = r.rows.each(ctx, p, from, func(row []any) error {
		if len(data) >= pageBytes {
			return errFull
		}
		if next > from {
			data = append(data, ',')
		}
		data = appendRow(data, row, r.types, precise)
		next++
		return nil
	})
	if err != nil && !errors.Is(err, errFull) {
		return nil, from, err
	}
	if next == from {
		return nil, next, nil
	}
	return append(data, ']'), next, nil
}
