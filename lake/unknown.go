package lake

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/internal/lazy"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/store"
)

// partitionForm matches the folder of a partition or of a snapshot.
var partitionForm = lazy.Regexp(`^([a-z0-9_]+=.+|v[0-9]{8})$`)

// tableDepth is the number of folders of a table's name and version at most, such as firefox_desktop/baseline/v1.
const tableDepth = 3

// Unknown returns the folders of a bucket with partitions of tables that are not among the known ones, in order. They are
// there if the program knew more definitions when it made them.
func Unknown(ctx context.Context, b store.Bucket, known []*schema.Table) ([]string, error) {
	u := unknown{b: b}
	for _, t := range known {
		u.known = append(u.known, t.Dir)
	}
	for _, root := range []string{"", retainedRoot} {
		if err := u.walk(ctx, root, "", tableDepth); err != nil {
			return nil, fmt.Errorf("look for tables in %s: %w", store.Place(b, root), err)
		}
	}
	slices.Sort(u.found)
	return slices.Compact(u.found), nil
}

type unknown struct {
	b     store.Bucket
	known []string // folders of tables
	found []string
}

// walk looks into the folders of dir, which is below root: the bucket's top, or the folder of the retained files.
func (u *unknown) walk(ctx context.Context, root, dir string, depth int) error {
	for e, err := range store.Children(ctx, u.b, path.Join(root, dir)) {
		if err != nil {
			return err
		}
		folder, is := strings.CutSuffix(e.Name, "/")
		name := path.Base(folder)
		at := path.Join(dir, name)
		switch {
		case !is || strings.HasPrefix(name, "_") || strings.HasPrefix(name, ".") || slices.Contains(u.known, at):
		case dir != "" && partitionForm().MatchString(name):
			if slices.Contains(u.found, dir) {
				return nil
			}
			if holds, err := u.holds(ctx, root, folder); err != nil {
				return err
			} else if holds {
				u.found = append(u.found, dir)
				return nil
			}
		case depth > 0:
			if err := u.walk(ctx, root, at, depth-1); err != nil {
				return err
			}
		}
	}
	return nil
}

// holds reports whether a partition's folder has files of this program: published ones have a manifest.
func (u *unknown) holds(ctx context.Context, root, folder string) (bool, error) {
	if root == "" {
		_, err := store.ReadFile(ctx, u.b, path.Join(folder, manifestName))
		if errors.Is(err, fs.ErrNotExist) {
			return false, nil
		}
		return err == nil, err
	}
	for _, err := range store.Children(ctx, u.b, folder) {
		return err == nil, err
	}
	return false, nil
}
