package lake

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/pingmill/pingmill/table/column"
)

// readRows is the number of rows that Read passes to next at a time.
const readRows = 2000

// Read reads the columns of b from one file of a day's partition; name is the object that Paths returned. It
// fills b repeatedly and calls next; the texts in b are valid until next returns. Columns that the file lacks
// are null; a column of another type is an error. A missing or damaged file is a DamageError.
func (t *inspector) Read(ctx context.Context, day, name string, f File, b *column.Batch, next func() error) (err error) {
	file, done, err := t.OpenRows(ctx, day, name, f)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	if err := file.SelectBatch(b, readRows); err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	for {
		b.Reset()
		if err := file.Next(b); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("read %s: %w", name, t.Blame(ctx, day, f, err))
		}
		if err := next(); err != nil {
			return err
		}
	}
}

// OpenRows opens a file of a day's partition for reading. done releases its memory and closes it. It returns the same
// errors as Read.
func (t *inspector) OpenRows(ctx context.Context, day, name string, f File) (file *FileReader, done func() error, err error) {
	if file = t.Footers.Written(f); file != nil {
		return file, func() error { file.Release(); return nil }, nil
	}
	r, err := t.bucket.Open(ctx, name)
	if err != nil {
		if missing(err) {
			return nil, nil, t.damage(day, f.Name, "is missing")
		}
		return nil, nil, fmt.Errorf("open %s: %w", name, err)
	}
	if file, err = t.Footers.Open(r, f); err != nil {
		return nil, nil, errors.Join(fmt.Errorf("read %s: %w", name, t.Blame(ctx, day, f, err)), r.Close())
	}
	return file, func() error { file.Release(); return r.Close() }, nil
}
