package lake

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/pingmill/pingmill/store"
)

// errIncomplete means that a generation lacks files that its manifest lists.
var errIncomplete = errors.New("it is not whole")

// errReplaced means that another process has published the day since the work began.
var errReplaced = errors.New("another generation was published meanwhile")

// exchange publishes generations in a bucket that can rename folders, and finishes or rolls back interrupted
// publications.
type exchange struct {
	*retainedFiles

	notify func(day string) // reports a changed partition
}

func (t *Table) exchange() exchange { return exchange{&t.retainedFiles, t.notify} }

// finish publishes a staged folder with its manifest. It checks that all files exist, links them for readers,
// and exchanges the folder for the published one. If base is not nil, the published generation must be
// base's. unchanged lists the files that base already has.
//
// Only folders with this server's token are moved, and no write here creates a folder. So after this server
// was paused and another one has taken over the day, the next step finds nothing to move.
func (t exchange) finish(ctx context.Context, staged string, m, base *Manifest, unchanged []File) error {
	place := t.dir(m.Day)
	now, err := t.readManifest(ctx, place)
	if err != nil && !missing(err) && !errors.Is(err, errManifest) {
		return err
	}
	if base != nil && (now == nil || now.Generation != base.Generation) {
		return errReplaced
	}
	// Remove all other files: checkpoints of tasks, files that a killed run began, and files of a part that
	// now has fewer.
	if err := store.Tidy(ctx, t.bucket, staged, time.Time{}); err != nil {
		return err
	}
	if lacks, err := deleteOthers(ctx, t.bucket, staged, m); err != nil || lacks != nil {
		return errors.Join(err, lacks)
	}
	if err := t.keep(ctx, staged, m, now, unchanged); err != nil {
		return err
	}
	if err := t.confirm(ctx, m.Day); err != nil {
		return err
	}
	old, err := t.swap(ctx, staged, place, now == nil)
	if err != nil {
		return err
	}
	t.notify(m.Day)
	if err := t.confirmPublished(ctx, m); err != nil {
		return err
	}
	if old != "" {
		if err := t.trash(ctx, old); err != nil {
			return err
		}
	}
	return t.keepNothing(ctx, m.Day)
}

// confirm returns an error if this server may no longer publish the day.
func (t *retainedFiles) confirm(ctx context.Context, day string) error {
	if t.Confirm == nil {
		return nil
	}
	return t.Confirm(ctx, day)
}

// confirmPublished checks, if several servers publish, that readers see the partition that was just
// published, completely.
func (t exchange) confirmPublished(ctx context.Context, m *Manifest) error {
	if t.Confirm == nil {
		return nil
	}
	err := t.Confirm(ctx, m.Day)
	if err == nil {
		err = t.stillPublished(ctx, m)
	}
	if err != nil {
		return fmt.Errorf("generation %s was published, but another generation may have replaced it: %w", m.Generation, err)
	}
	return nil
}

func (t exchange) stillPublished(ctx context.Context, m *Manifest) error {
	now, err := t.readManifest(ctx, t.dir(m.Day))
	if err != nil {
		return err
	}
	if now.Generation != m.Generation {
		return errReplaced
	}
	_, lacks, err := compare(ctx, t.bucket, t.dir(m.Day), m)
	return errors.Join(err, lacks)
}

// swap moves the staged folder to the place of the published one and returns the new place of the latter, or
// "" if there is none. absent means that nothing is published.
func (t exchange) swap(ctx context.Context, staged, place string, absent bool) (old string, err error) {
	if absent {
		// A folder there is not a pingmill partition, or another server has just published one: replace it
		// like any other.
		if err := store.Rename(ctx, t.bucket, staged, place); !errors.Is(err, fs.ErrExist) {
			return "", taken(err)
		}
	}
	if err := store.Exchange(ctx, t.bucket, staged, place); !errors.Is(err, errors.ErrUnsupported) {
		return staged, taken(err)
	}
	// Without an exchange operation there is no partition for a moment. The staged folder and its manifest
	// let recover finish the work.
	old = t.attempt(dayOf(place), oldName)
	if err := t.trash(ctx, old); err != nil {
		return "", err
	}
	if err := store.Rename(ctx, t.bucket, place, old); err != nil {
		return "", err
	}
	if err := store.Rename(ctx, t.bucket, staged, place); err != nil {
		// The server that took the staged folder has published it or will do so. Move the old folder back.
		return "", errors.Join(taken(err), store.Rename(ctx, t.bucket, old, place))
	}
	return old, nil
}

// deleteOthers deletes the files in a folder that the manifest does not list. lacks is an error if listed
// files are missing.
func deleteOthers(ctx context.Context, b store.Bucket, dir string, m *Manifest) (lacks, err error) {
	others, lacks, err := compare(ctx, b, dir, m)
	if err != nil {
		return nil, err
	}
	for _, name := range others {
		if err := b.Delete(ctx, name); err != nil {
			return nil, fmt.Errorf("remove what is not of the generation: %w", err)
		}
	}
	return lacks, nil
}

// compare compares a folder with a manifest. others lists the unlisted files; lacks matches errIncomplete
// unless every listed file exists in its size.
func compare(ctx context.Context, b store.Bucket, dir string, m *Manifest) (others []string, lacks, err error) {
	listed := map[string]int64{}
	all := m.All()
	for _, f := range all {
		listed[f.Name] = f.Bytes
	}
	for e, err := range b.List(ctx, dir+"/") {
		if err != nil {
			return nil, nil, err
		}
		file := strings.TrimPrefix(e.Name, dir+"/")
		size, is := listed[file]
		switch {
		case is && size == e.Size:
			delete(listed, file)
		case !is && file != manifestName:
			others = append(others, e.Name)
		}
	}
	if len(listed) > 0 {
		first := slices.Min(slices.Collect(maps.Keys(listed)))
		lacks = fmt.Errorf("%w: of %d files %d are missing or have another size, such as %s", errIncomplete, len(all), len(listed),
			path.Join(dir, first))
	}
	return others, lacks, nil
}

// trash renames a folder before it deletes it, so that a paused server finds either the whole folder or nothing.
func (t exchange) trash(ctx context.Context, dir string) error {
	if _, trashed := attempted(dir); !trashed {
		from := dir
		dir += trashSuffix
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
