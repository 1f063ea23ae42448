package lake

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/pingmill/pingmill/store"
)

// Folders in a day's staging folder that are not generations in the making.
const (
	oldName  = "old"  // the partition that is being replaced where folders cannot be exchanged
	goneName = "gone" // an expired partition on its way out
)

// swap puts the staged folder, which is whole, in the place of the published
// one and removes that.
func (t *Table) swap(ctx context.Context, staged, live string) error {
	_, err := t.readManifest(ctx, live)
	if missing(err) {
		// Nothing published: whatever else is there is no partition of ours.
		if err := store.DeleteTree(ctx, t.bucket, live); err != nil {
			return err
		}
		return store.Rename(ctx, t.bucket, staged, live)
	}
	if err = store.Exchange(ctx, t.bucket, staged, live); err == nil {
		return t.drop(ctx, staged)
	}
	if !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	// Without an exchange there is a moment with no partition. The staged folder
	// with its manifest is the record from which recover goes on.
	old := path.Join(path.Dir(staged), oldName)
	if err := store.DeleteTree(ctx, t.bucket, old); err != nil {
		return err
	}
	if err := store.Rename(ctx, t.bucket, live, old); err != nil {
		return err
	}
	if err := store.Rename(ctx, t.bucket, staged, live); err != nil {
		return err
	}
	return store.DeleteTree(ctx, t.bucket, old)
}

// drop deletes a staged folder with a partition that was replaced: its manifest
// first, for it may be of the folder's name, and recover takes the folder for
// whole as long as it is there.
func (t *Table) drop(ctx context.Context, staged string) error {
	if err := t.bucket.Delete(ctx, path.Join(staged, manifestName)); err != nil {
		return err
	}
	return store.DeleteTree(ctx, t.bucket, staged)
}

// Recover finishes or undoes the publications and expirations that crashes
// have cut short: of the given days, or of all if there are none. Begin does it
// for its day. What is in the making stays.
func (t *Table) Recover(ctx context.Context, days ...string) error {
	if !t.rename {
		return nil
	}
	var dirs []string
	for _, day := range days {
		dirs = append(dirs, t.stagingDir(day))
	}
	if len(days) == 0 {
		var err error
		if dirs, err = t.folders(ctx, t.staging()); err != nil {
			return fmt.Errorf("recover %s: %w", t.Schema.Name, err)
		}
	}
	for _, staging := range dirs {
		live := path.Join(t.Schema.Prefix(), path.Base(staging))
		if err := t.recover(ctx, staging, live); err != nil {
			return fmt.Errorf("recover %s: %w", live, err)
		}
	}
	return nil
}

// recover finishes or undoes what was cut short of one day. A staged folder
// with a manifest of the folder's own name was about to be published and is
// whole; with another manifest, or under a name of its own, it is a partition
// that was replaced or expired.
func (t *Table) recover(ctx context.Context, staging, live string) error {
	var leftovers []string
	for e, err := range store.Children(ctx, t.bucket, staging) {
		if err != nil {
			return err
		}
		dir := strings.TrimSuffix(e.Name, "/")
		m, err := t.readManifest(ctx, dir)
		switch {
		case path.Base(dir) == oldName || path.Base(dir) == goneName:
			leftovers = append(leftovers, dir)
		case missing(err): // in the making
		case errors.Is(err, errManifest): // of another version of the program: it will be made again
			leftovers = append(leftovers, dir)
		case err != nil:
			return err
		case m.Generation != path.Base(dir):
			leftovers = append(leftovers, dir)
		default:
			if err := t.swap(ctx, dir, live); err != nil {
				return err
			}
		}
	}
	return t.discard(ctx, leftovers, live)
}

// discard deletes leftovers; but a partition that was to be replaced goes back
// to its place if nothing has taken that.
func (t *Table) discard(ctx context.Context, leftovers []string, live string) error {
	for _, dir := range leftovers {
		if path.Base(dir) == oldName {
			if _, err := t.readManifest(ctx, live); missing(err) {
				if err := store.Rename(ctx, t.bucket, dir, live); err != nil {
					return err
				}
				continue
			}
		}
		if err := store.DeleteTree(ctx, t.bucket, dir); err != nil {
			return err
		}
	}
	return nil
}
