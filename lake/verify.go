package lake

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"github.com/pingmill/pingmill/lake/parquet"
	"github.com/pingmill/pingmill/store"
)

// verifyColumns compares a file of a day with the manifest, and the selected columns with their checksums. It
// skips columns that the file does not have. Damage of the file is a DamageError.
func (t *inspector) verifyColumns(ctx context.Context, day, name string, f File, columns func(name string) bool) error {
	return t.inspect(ctx, day, name, f, func(r store.Reader) error {
		file, err := parquet.Open(r, r.Size())
		if err != nil {
			return err
		}
		if file.Rows != f.Rows {
			return errRows
		}
		if !t.Partial {
			if err := file.VerifyRest(); err != nil {
				return err
			}
		}
		for i, c := range file.Columns {
			if !columns(c.Name) {
				continue
			}
			if err := errors.Join(ctx.Err(), file.VerifyColumn(i)); err != nil {
				return err
			}
		}
		return nil
	})
}

var errRows = errors.New("it has another number of rows")

// Lost returns a DamageError if a file of a published partition is missing; nil if it exists or this cannot
// be determined.
func (t *inspector) Lost(ctx context.Context, m *Manifest, f File) error {
	name := t.Paths(ctx, m)(f.Name)
	if _, err := t.sizeOf(ctx, name); !missing(err) {
		return nil
	}
	return t.damage(m.Day, f.Name, "is missing from %s", strings.TrimSuffix(strings.TrimSuffix(name, f.Name), "/"))
}

// Hash reads a whole file of a partition and compares its hash with the manifest: the file that readers use,
// and the one in the partition's folder if it is another. Damage is a DamageError. pace, if not nil, is
// called after each read with the number of bytes.
func (t *inspector) Hash(ctx context.Context, m *Manifest, f File, pace func(n int) error) error {
	names := []string{t.Paths(ctx, m)(f.Name), t.Path(m.Day, f.Name)}
	one, err := t.bucket.Identify(ctx, names[0])
	other, err2 := t.bucket.Identify(ctx, names[1])
	if names[0] == names[1] || err == nil && err2 == nil && one.Content == other.Content {
		names = names[:1]
	}
	for _, name := range names {
		err := t.inspect(ctx, m.Day, name, f, func(r store.Reader) error { return store.CompareHash(ctx, r, f.SHA256, pace) })
		if err != nil {
			return err
		}
	}
	return nil
}

// inspect opens a file of a day's partition, checks its size and calls look.
func (t *inspector) inspect(ctx context.Context, day, name string, f File, look func(store.Reader) error) (err error) {
	r, err := t.bucket.Open(ctx, name)
	if missing(err) {
		return t.damage(day, f.Name, "is missing from %s", strings.TrimSuffix(strings.TrimSuffix(name, f.Name), "/"))
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	if r.Size() != f.Bytes {
		return t.damage(day, f.Name, "has %d bytes instead of %d", r.Size(), f.Bytes)
	}
	return t.Blame(ctx, day, f, look(r))
}

// Blame converts an error of reading a file into a DamageError, unless the disk or the context failed.
func (t *inspector) Blame(ctx context.Context, day string, f File, err error) error {
	var disk *fs.PathError // it may have failed for now
	if err == nil || ctx.Err() != nil || errors.As(err, &disk) {
		return err
	}
	return t.damage(day, f.Name, "is damaged (%v)", err)
}
