package lake

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"time"

	"github.com/pingmill/pingmill/store"
)

// Replaced describes a day's retained files of replaced generations.
type Replaced struct {
	Day   string // YYYYMMDD
	Files int
	Bytes int64
	Since time.Time // of the oldest
	Due   bool      // some of them exist only for a Retainer
}

// Replaced lists the days with retained files that were replaced. It reads a small object for each day. It skips
// unreadable records: the next publication of the day, or Sweep, writes a new one.
func (t *retainedFiles) Replaced(ctx context.Context) (all []Replaced, err error) {
	dirs, err := t.folders(ctx, path.Join(retainedRoot, t.Schema.Prefix()))
	if err != nil {
		return nil, fmt.Errorf("list what is kept of %s: %w", t.Schema.Name, err)
	}
	for _, dir := range dirs {
		r, err := t.ReplacedOf(ctx, dayOf(dir))
		if err != nil {
			return nil, err
		}
		if r.Files > 0 {
			all = append(all, r)
		}
	}
	return all, nil
}

// ReplacedOf describes the replaced files of one day.
func (t *retainedFiles) ReplacedOf(ctx context.Context, day string) (Replaced, error) {
	r := Replaced{Day: day}
	k, err := t.readRetained(ctx, day)
	if missing(err) || errors.Is(err, errManifest) {
		return r, nil
	}
	if err != nil {
		return r, fmt.Errorf("look what is kept of %s %s: %w", t.Schema.Name, day, err)
	}
	r.Files = len(k.Replaced)
	for _, f := range k.Replaced {
		if r.Bytes += f.Bytes; r.Since.IsZero() || f.Since.Before(r.Since) {
			r.Since = f.Since
		}
		r.Due = r.Due || f.Due
	}
	return r, nil
}

// Over reports whether Sweep may have something to remove.
func (t *retainedFiles) Over(r Replaced) bool {
	stay, none := t.grace()
	return none || r.Due || t.Grace.Now().Sub(r.Since) >= stay
}

// Sweep removes the retained files of a day whose grace period is over. No other process may be making the day.
func (t *retainedFiles) Sweep(ctx context.Context, day string) error {
	var err error
	if !t.rename {
		err = t.sweepInBucket(ctx, day, nil, func(replacedFile) bool { return false })
	} else if err = t.keepNothing(ctx, day); err == nil && !t.noGrace() {
		err = t.sweep(ctx, day)
	}
	if err != nil {
		return fmt.Errorf("remove what was replaced of %s %s: %w", t.Schema.Name, day, err)
	}
	return nil
}

func (t *retainedFiles) sweep(ctx context.Context, day string) error {
	m, err := t.Partition(ctx, day)
	if missing(err) {
		m, err = nil, nil
	}
	if err != nil {
		return err
	}
	k, err := t.lookRetained(ctx, day)
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
		return store.DeleteTree(ctx, t.bucket, t.retainedDir(day))
	}
	return nil
}

// keepNothing removes the retained files of a day if there is no grace period.
func (t *retainedFiles) keepNothing(ctx context.Context, day string) error {
	if !t.noGrace() {
		return nil
	}
	return t.dropRetained(ctx, day)
}

// dropRetained removes all retained files of a day, except those that the Retainer holds. It deletes the record first,
// because readers trust it.
func (t *retainedFiles) dropRetained(ctx context.Context, day string) error {
	if t.Retainer != nil {
		return t.endRetained(ctx, day)
	}
	dir := t.retainedDir(day)
	if _, err := t.readRetained(ctx, day); err == nil {
		if err := t.bucket.Delete(ctx, path.Join(dir, retainedName)); err != nil {
			return err
		}
	}
	return store.DeleteTree(ctx, t.bucket, dir)
}

// endRetained ends the grace period of all retained files of a day.
func (t *retainedFiles) endRetained(ctx context.Context, day string) error {
	k, err := t.lookRetained(ctx, day)
	if err != nil || !k.recorded && len(k.sizes) == 0 {
		return err
	}
	clear(k.Whole)
	k.end(nil, func(replacedFile) bool { return true })
	k.record(t.Grace.Now(), nil, nil)
	expired := k.over(ctx, t.Grace.Now())
	if len(expired) == len(k.Replaced) {
		return store.DeleteTree(ctx, t.bucket, k.dir)
	}
	for _, name := range expired {
		delete(k.Replaced, name)
	}
	if err := k.write(ctx); err != nil {
		return err
	}
	return k.remove(ctx, expired)
}

// EndGrace ends the grace period of all files of replaced generations of a published day, and returns their number. The caller
// must have locked the day.
func (t *retainedFiles) EndGrace(ctx context.Context, day string) (files int, err error) {
	files, err = t.purge(ctx, day, func(string) bool { return true })
	if err != nil {
		return 0, fmt.Errorf("remove what was replaced of %s %s: %w", t.Schema.Name, day, err)
	}
	return files, nil
}

// purge ends the grace period of the unpublished retained files for which drop returns true. Files that the Retainer
// holds are removed when it releases them.
func (t *retainedFiles) purge(ctx context.Context, day string, drop func(name string) bool) (files int, err error) {
	k, err := t.lookRetained(ctx, day)
	if err != nil {
		return 0, err
	}
	if err := t.confirm(ctx, day); err != nil {
		return 0, err
	}
	text, err := t.manifestBytes(ctx, day)
	if err != nil {
		return 0, err
	}
	now, err := t.Partition(ctx, day)
	if err != nil {
		return 0, err
	}
	published := fileNames(now)
	var due []string
	stray := false
	for _, name := range slices.Sorted(maps.Keys(k.sizes)) {
		if !published[name] && drop(path.Join(k.dir, name)) {
			due, stray = append(due, name), stray || k.stray(name)
			f := k.Replaced[name]
			f.Bytes, f.Due = k.sizes[name], true
			k.Replaced[name] = f
		}
	}
	if len(due) == 0 {
		return 0, nil
	}
	expired := t.released(ctx, day, due)
	for _, name := range expired {
		delete(k.Replaced, name)
	}
	for g := range k.Whole {
		if g != now.Generation {
			delete(k.Whole, g)
		}
	}
	if stray {
		if err := t.fence(ctx, day, text); err != nil {
			return 0, err
		}
	}
	if err := k.write(ctx); err != nil {
		return 0, err
	}
	return len(due), k.remove(ctx, expired)
}
