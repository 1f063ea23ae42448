package catalog

import (
	"context"
	"errors"
	"io/fs"
	"slices"

	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/store"
)

// Files returns the paths, or in a bucket the URLs, of a table's files: of the given days, or of all days if there are
// none. An incomplete partition is an error, because a reader of its remaining files would not notice the missing rows.
func Files(ctx context.Context, lt *lake.Table, days []string) (paths []string, err error) {
	all, err := lt.Days(ctx)
	if err != nil {
		return nil, err
	}
	var unusable, bad []error
	for _, day := range all {
		if len(days) > 0 && !slices.Contains(days, day) {
			continue
		}
		m, damaged, err := lt.Look(ctx, day)
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // else it is somebody else's folder
			return nil, err
		}
		for _, d := range damaged {
			if m == nil {
				unusable = append(unusable, d)
			} else {
				bad = append(bad, d)
			}
		}
		if m == nil {
			continue
		}
		place := lt.Paths(ctx, m)
		for _, f := range m.Files {
			paths = append(paths, store.Place(lt.Bucket(), place(f.Name)))
		}
	}
	return paths, errors.Join(append(unusable, bad...)...)
}
