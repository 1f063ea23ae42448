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

// errIncomplete says that a generation lacks files that its manifest lists.
var errIncomplete = errors.New("it is not whole")

// errReplaced says that somebody else has published the day since the work began.
var errReplaced = errors.New("another generation was published meanwhile")

// finish publishes a staged folder with its manifest: it makes sure that all is
// there, keeps the files for readers, and puts the folder in the place of the
// published one. That must be of base, if it is not nil. kept names the files
// that base has as well.
//
// Whatever is moved has a name of this server's, and nothing that is written here
// makes a folder: where a server was stopped, however long, and another one has
// taken the day over, the next step finds nothing to move.
func (t *Table) finish(ctx context.Context, staged string, m, base *Manifest, kept []File) error {
	live := t.dir(m.Day)
	now, err := t.readManifest(ctx, live)
	if err != nil && !missing(err) && !errors.Is(err, errManifest) {
		return err
	}
	if base != nil && (now == nil || now.Generation != base.Generation) {
		return errReplaced
	}
	// Removes all but the files of the manifest: checkpoints of tasks, files that a
	// killed run began, files that a part made of fewer files does not need.
	if err := store.Tidy(ctx, t.bucket, staged, time.Time{}); err != nil {
		return err
	}
	if lacks, err := deleteOthers(ctx, t.bucket, staged, m); err != nil || lacks != nil {
		return errors.Join(err, lacks)
	}
	if err := t.keep(ctx, staged, m, now, kept); err != nil {
		return err
	}
	if err := t.confirm(ctx, m.Day); err != nil {
		return err
	}
	old, err := t.swap(ctx, staged, live, now == nil)
	if err != nil {
		return err
	}
	t.tell(m.Day)
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

// confirm asks whether the day is still this server's.
func (t *Table) confirm(ctx context.Context, day string) error {
	if t.Confirm == nil {
		return nil
	}
	return t.Confirm(ctx, day)
}

// confirmPublished makes sure, where several servers publish, that what was just
// published is what readers see, whole.
func (t *Table) confirmPublished(ctx context.Context, m *Manifest) error {
	if t.Confirm == nil {
		return nil
	}
	err := t.Confirm(ctx, m.Day)
	if err == nil {
		err = t.stillPublished(ctx, m)
	}
	if err != nil {
		return fmt.Errorf("generation %s was published, but it is not certain that it is what is there now: %w", m.Generation, err)
	}
	return nil
}

func (t *Table) stillPublished(ctx context.Context, m *Manifest) error {
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

// swap puts the staged folder in the place of the published one, and says where
// that is then; "" if there is none. absent says that nothing is published.
func (t *Table) swap(ctx context.Context, staged, live string, absent bool) (old string, err error) {
	if absent {
		// What else may be there is no partition of ours, or one that another server
		// has published this moment: it is replaced like any other.
		if err := store.Rename(ctx, t.bucket, staged, live); !errors.Is(err, fs.ErrExist) {
			return "", taken(err)
		}
	}
	if err := store.Exchange(ctx, t.bucket, staged, live); !errors.Is(err, errors.ErrUnsupported) {
		return staged, taken(err)
	}
	// Without an exchange there is a moment with no partition. The staged folder
	// with its manifest is the record from which recover goes on.
	old = t.attempt(dayOf(live), oldName)
	if err := t.trash(ctx, old); err != nil {
		return "", err
	}
	if err := store.Rename(ctx, t.bucket, live, old); err != nil {
		return "", err
	}
	if err := store.Rename(ctx, t.bucket, staged, live); err != nil {
		// The server that has taken the staged folder has published it, or will: the
		// folder that was in its place goes back.
		return "", errors.Join(taken(err), store.Rename(ctx, t.bucket, old, live))
	}
	return old, nil
}

// deleteOthers removes from a folder what the manifest does not list. lacks says what it lists and is not there.
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

// compare compares a folder with a manifest: others are the files that
// deleteOthers removes, lacks matches errIncomplete unless every file is there in
// its size.
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
		lacks = fmt.Errorf("%w: of %d files %d are missing or have another size, such as %s", errIncomplete, len(all), len(listed), path.Join(dir, first))
	}
	return others, lacks, nil
}
