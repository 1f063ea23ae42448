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
	oldName    = "old"   // the partition that is being replaced where folders cannot be exchanged
	goneName   = "gone"  // an expired partition on its way out
	goneSuffix = ".gone" // ends the name of anything else on its way out
)

// trash removes a folder so that nobody ever sees a part of it: a server that was
// stopped before it moved the folder elsewhere finds all of it or nothing.
func (t *Table) trash(ctx context.Context, dir string) error {
	if _, gone := attempted(dir); !gone {
		from := dir
		dir += goneSuffix
		if err := store.DeleteTree(ctx, t.bucket, dir); err != nil {
			return err
		}
		if err := store.Rename(ctx, t.bucket, from, dir); err != nil {
			if missing(err) {
				return nil
			}
			return err
		}
	}
	return store.DeleteTree(ctx, t.bucket, dir)
}

// Recover finishes or undoes the publications and expirations that crashes
// have cut short: of the given days, or of all if there are none. Begin does it
// for its day. What is in the making stays.
func (t *Table) Recover(ctx context.Context, days ...string) error {
	if !t.rename {
		return nil
	}
	if len(days) == 0 {
		dirs, err := t.folders(ctx, t.staging())
		if err != nil {
			return fmt.Errorf("recover %s: %w", t.Schema.Name, err)
		}
		for _, dir := range dirs {
			days = append(days, dayOf(dir))
		}
	}
	for _, day := range days {
		if err := t.recover(ctx, day); err != nil {
			return fmt.Errorf("recover %s: %w", t.dir(day), err)
		}
	}
	return nil
}

// dayOf is the day of a partition's folder, YYYYMMDD.
func dayOf(dir string) string {
	_, value, _ := strings.Cut(path.Base(dir), "=")
	return strings.ReplaceAll(value, "-", "")
}

// recover finishes or undoes what was cut short of one day. A staged folder
// with a manifest of the generation that it is named after was about to be
// published; with another manifest, or under a name of its own, it is a partition
// that was replaced or expired.
func (t *Table) recover(ctx context.Context, day string) error {
	all, err := t.staged(ctx, t.stagingDir(day))
	if err != nil {
		return err
	}
	var leftovers []string
	for _, dir := range all {
		name, gone := attempted(dir)
		m, err := t.readManifest(ctx, dir)
		switch {
		case gone || name == oldName || name == goneName:
			leftovers = append(leftovers, dir)
		case missing(err): // in the making
		case errors.Is(err, errManifest): // of another version of the program: it will be made again
			leftovers = append(leftovers, dir)
		case err != nil:
			return err
		case m.Generation != name:
			leftovers = append(leftovers, dir)
		default:
			err := t.resume(ctx, dir, m)
			if errors.Is(err, errIncomplete) {
				leftovers = append(leftovers, t.attempt(day, name))
			} else if err != nil {
				return err
			}
		}
	}
	return t.discard(ctx, leftovers, t.dir(day))
}

// resume finishes a publication. If it was another server's, that one may be
// stopped, not dead, so the folder gets a name first that it knows nothing of.
func (t *Table) resume(ctx context.Context, dir string, m *Manifest) error {
	if own := t.attempt(m.Day, m.Generation); own != dir {
		if err := t.trash(ctx, own); err != nil {
			return err
		}
		if err := store.Rename(ctx, t.bucket, dir, own); err != nil {
			return err
		}
		dir = own
	}
	return t.finish(ctx, dir, m, nil, nil)
}

// discard deletes leftovers; but a partition that was to be replaced goes back
// to its place if nothing has taken that.
func (t *Table) discard(ctx context.Context, leftovers []string, live string) error {
	for _, dir := range leftovers {
		if name, gone := attempted(dir); name == oldName && !gone {
			if _, err := t.readManifest(ctx, live); missing(err) {
				if err := store.Rename(ctx, t.bucket, dir, live); err != nil {
					return err
				}
				continue
			}
		}
		if err := t.trash(ctx, dir); err != nil {
			return err
		}
	}
	return nil
}
