package lake

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"github.com/pingmill/pingmill/lake/parquet"
	"github.com/pingmill/pingmill/store"
)

// verifyColumns compares a file of a day, in a place, with the manifest and, of the columns, with its
// checksums. Columns that it does not have are passed. The error is a DamageError
// if it is the file's fault.
func (t *Table) verifyColumns(ctx context.Context, day, name string, f File, columns func(name string) bool) error {
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

// Lost is the damage of a file of a published partition that is not there; nil if it is, or that cannot be known.
func (t *Table) Lost(ctx context.Context, m *Manifest, f File) error {
	name := t.Paths(ctx, m)(f.Name)
	if _, err := t.sizeOf(ctx, name); !missing(err) {
		return nil
	}
	return t.damage(m.Day, f.Name, "is missing from %s", strings.TrimSuffix(strings.TrimSuffix(name, f.Name), "/"))
}

// Hash reads a whole file of a partition and compares it with the hash in the
// manifest: the file that readers use, and the one in the partition's folder if it
// is another. The error is a DamageError if the file is damaged. pace, if not nil,
// is called after each read with its number of bytes.
func (t *Table) Hash(ctx context.Context, m *Manifest, f File, pace func(n int) error) error {
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

// inspect opens a file of a day's partition, in a place, and looks at it.
func (t *Table) inspect(ctx context.Context, day, name string, f File, look func(store.Reader) error) (err error) {
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
	return t.blame(ctx, day, f, look(r))
}

// blame makes an error of reading a file the file's damage, unless it is an error
// of the reader.
func (t *Table) blame(ctx context.Context, day string, f File, err error) error {
	var disk *fs.PathError // it may have failed for now
	if err == nil || ctx.Err() != nil || errors.As(err, &disk) {
		return err
	}
	return t.damage(day, f.Name, "is damaged (%v)", err)
}
