package maintain

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/store"
)

// Rebuilt is a rebuilt record of a load.
type Rebuilt struct {
	*archive.Load

	// Gaps holds the numbers of missing files. Files missing after the last existing one cannot be detected.
	Gaps []int
}

// Rebuild rebuilds a lost or damaged record of a load from its data files. It reads each file as a whole and
// returns an error if one is unreadable. It refuses a load that has replaced files, because only its record
// named them.
func Rebuild(ctx context.Context, b store.Bucket, load string) (r Rebuilt, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("rebuild the record of load %.100q: %w", load, err)
		}
	}()
	if strings.HasPrefix(load, naming.Replacing) {
		return r, errors.New("it has replaced files, which only its record names: restore that from a backup")
	}
	_, ok, err := archive.Loaded(ctx, b, load)
	switch {
	case err == nil && ok:
		return r, errors.New("it is whole")
	case err != nil && !archive.IsBadRecord(err):
		return r, err
	}
	files, err := filesOf(ctx, b, load)
	if err != nil {
		return r, err
	}
	if len(files) == 0 {
		return r, errors.New("the archive has no file of it")
	}
	r.Load = &archive.Load{ID: load, Rebuilt: true}
	next := 1
	for _, f := range files {
		for ; next < f.number; next++ {
			r.Gaps = append(r.Gaps, next)
		}
		next++
		if err := f.Measure(ctx, b); err != nil {
			return r, err
		}
		r.Files = append(r.Files, f.LoadFile)
	}
	return r, archive.WriteRecord(ctx, b, r.Load)
}

// foundFile is a data file known only by its name.
type foundFile struct {
	archive.LoadFile

	number int
}

// filesOf lists the data files of a load by their numbers.
func filesOf(ctx context.Context, b store.Bucket, load string) (all []*foundFile, err error) {
	for _, dir := range []string{naming.Pings, naming.Errors} {
		for e, err := range b.List(ctx, dir+"/") {
			if err != nil {
				return nil, err
			}
			if owner, ok := naming.LoadOf(e.Name); !ok || owner != load {
				continue
			}
			f, number, err := archive.ParseFile(e)
			if err != nil {
				return nil, err
			}
			all = append(all, &foundFile{f, number})
		}
	}
	slices.SortFunc(all, func(x, y *foundFile) int { return cmp.Compare(x.number, y.number) })
	return all, nil
}
