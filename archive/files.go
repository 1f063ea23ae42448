package archive

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/store"
)

// Files lists the files of all days that count, and the damage as far as names and
// sizes show it.
func Files(ctx context.Context, b store.Bucket) (files []LoadFile, damage []*DamageError, err error) {
	for _, k := range []Kind{KindPings, KindErrors} {
		l, err := listFiles(ctx, b, k.Dir()+"/")
		if err != nil {
			return nil, nil, fmt.Errorf("list the files of the archive: %w", err)
		}
		files, damage = append(files, l.files...), append(damage, l.damage...)
	}
	return files, damage, nil
}

// CheckHash reads a whole file and compares it with the hash in the record of its load; older versions wrote
// none. The error is a DamageError if the file is damaged. A missing file is not an error, because replaced
// files are deleted after a while. pace works as in store.CompareHash.
func CheckHash(ctx context.Context, b store.Bucket, f LoadFile, pace func(n int) error) (err error) {
	if f.SHA256 == "" {
		return nil
	}
	r, err := b.Open(ctx, f.Name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("check archive file %s: %w", f.Name, err)
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	err = store.CompareHash(ctx, r, f.SHA256, pace)
	if errors.Is(err, store.ErrHash) {
		load, _ := naming.LoadOf(f.Name)
		return damagedFile(&f, load, "has "+err.Error())
	}
	return err
}
