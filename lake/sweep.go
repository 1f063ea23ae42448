package lake

import (
	"context"
	"errors"
	"fmt"
	"path"
	"time"

	"github.com/pingmill/pingmill/store"
)

// Replaced are the kept files of a day, for readers that began before another
// generation was published.
type Replaced struct {
	Day   string // YYYYMMDD
	Files int
	Bytes int64
	Since time.Time // of the oldest
}

// Replaced lists the days with kept files that were replaced. It reads a
// small object for each day. Records that cannot be read are left out: the next
// publication of the day, or Sweep, makes a new one.
func (t *Table) Replaced(ctx context.Context) (all []Replaced, err error) {
	dirs, err := t.folders(ctx, path.Join(keptRoot, t.Schema.Prefix()))
	if err != nil {
		return nil, fmt.Errorf("list what is kept of %s: %w", t.Schema.Name, err)
	}
	for _, dir := range dirs {
		k, err := t.readKept(ctx, dayOf(dir))
		if missing(err) || errors.Is(err, errManifest) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("look what is kept of %s %s: %w", t.Schema.Name, dayOf(dir), err)
		}
		r := Replaced{Day: dayOf(dir), Files: len(k.Replaced)}
		for _, f := range k.Replaced {
			if r.Bytes += f.Bytes; r.Since.IsZero() || f.Since.Before(r.Since) {
				r.Since = f.Since
			}
		}
		if r.Files > 0 {
			all = append(all, r)
		}
	}
	return all, nil
}

// Over says whether Sweep would remove something.
func (r *Replaced) Over(g Grace) bool { return g.none() || g.Now().Sub(r.Since) >= g.For }

// Sweep removes the kept files of a day that were replaced longer ago than the time
// of grace. No other process may be making the day.
func (t *Table) Sweep(ctx context.Context, day string) error {
	err := t.keepNothing(ctx, day)
	if err == nil && !t.Grace.none() {
		err = t.sweep(ctx, day)
	}
	if err != nil {
		return fmt.Errorf("remove what was replaced of %s %s: %w", t.Schema.Name, day, err)
	}
	return nil
}

func (t *Table) sweep(ctx context.Context, day string) error {
	m, err := t.Partition(ctx, day)
	if missing(err) {
		m, err = nil, nil
	}
	if err != nil {
		return err
	}
	k, err := t.lookKept(ctx, day)
	if err != nil || len(k.sizes) == 0 {
		return err
	}
	if err := t.confirm(ctx, day); err != nil {
		return err
	}
	if err := k.settle(ctx, m, nil); err != nil {
		return err
	}
	if len(k.sizes) == 0 {
		return store.DeleteTree(ctx, t.bucket, t.keptDir(day))
	}
	return nil
}

// keepNothing removes what is kept of a day if there is no time of grace.
func (t *Table) keepNothing(ctx context.Context, day string) error {
	if !t.Grace.none() {
		return nil
	}
	return t.dropKept(ctx, day)
}

// dropKept removes all that is kept of a day: the record first, which readers go
// by.
func (t *Table) dropKept(ctx context.Context, day string) error {
	dir := t.keptDir(day)
	if _, err := t.readKept(ctx, day); err == nil {
		if err := t.bucket.Delete(ctx, path.Join(dir, keptName)); err != nil {
			return err
		}
	}
	return store.DeleteTree(ctx, t.bucket, dir)
}

// purge ends the time of those files that are kept and not of what is published
// for which drop is true.
func (t *Table) purge(ctx context.Context, day string, drop func(name string) bool) (files int, err error) {
	k, err := t.lookKept(ctx, day)
	if err != nil {
		return 0, err
	}
	if err := t.confirm(ctx, day); err != nil {
		return 0, err
	}
	now, err := t.Partition(ctx, day)
	if err != nil {
		return 0, err
	}
	published := fileNames(now)
	var gone []string
	for name := range k.sizes {
		if !published[name] && drop(path.Join(t.keptDir(day), name)) {
			gone = append(gone, name)
			delete(k.Replaced, name)
		}
	}
	if len(gone) == 0 {
		return 0, nil
	}
	for g := range k.Whole {
		if g != now.Generation {
			delete(k.Whole, g)
		}
	}
	if err := k.write(ctx); err != nil {
		return 0, err
	}
	return len(gone), k.remove(ctx, gone)
}
