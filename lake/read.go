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
	file := t.Footers.Written(f)
	if file == nil {
		r, err := t.bucket.Open(ctx, name)
		if err != nil {
			if missing(err) {
				return t.damage(day, f.Name, "is missing")
			}
			return fmt.Errorf("open %s: %w", name, err)
		}
		defer func() { err = errors.Join(err, r.Close()) }()
		if file, err = t.Footers.Open(r, f); err != nil {
			return fmt.Errorf("read %s: %w", name, t.Blame(ctx, day, f, err))
		}
	}
	defer file.Release()
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
