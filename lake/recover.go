package lake

import (
	"context"
	"errors"
	"fmt"

	"github.com/pingmill/pingmill/store"
)

// Recover finishes or rolls back interrupted publications and expirations of the given days, or of all days
// if none are given. Begin does the same for its day. Unfinished generations remain.
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
		if err := t.exchange().recover(ctx, day); err != nil {
			return fmt.Errorf("recover %s: %w", t.dir(day), err)
		}
	}
	return nil
}

// recover finishes or rolls back interrupted work on one day. A staged folder whose manifest has the
// generation of the folder's name was about to be published. A folder with another manifest or a reserved
// name is a replaced or expired partition.
func (t exchange) recover(ctx context.Context, day string) error {
	all, err := t.staged(ctx, t.stagingDir(day))
	if err != nil {
		return err
	}
	var leftovers []string
	for _, dir := range all {
		name, trashed := attempted(dir)
		m, err := t.readManifest(ctx, dir)
		switch {
		case trashed || name == oldName || name == trashName:
			leftovers = append(leftovers, dir)
		case missing(err): // unfinished
		case errors.Is(err, errManifest): // written by another version of the program: it will be made again
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

// resume finishes a publication. The server that began it may be paused and not dead, so resume first renames
// the folder to this server's name, which the other one does not know.
func (t exchange) resume(ctx context.Context, dir string, m *Manifest) error {
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

// discard deletes leftovers. It moves a partition that was to be replaced back, if its place is empty.
func (t exchange) discard(ctx context.Context, leftovers []string, place string) error {
	for _, dir := range leftovers {
		if name, trashed := attempted(dir); name == oldName && !trashed {
			if _, err := t.readManifest(ctx, place); missing(err) {
				if err := store.Rename(ctx, t.bucket, dir, place); err != nil {
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
