package lake

import (
	"context"
	"path"
	"time"

	"github.com/pingmill/pingmill/store"
)

// A file in a partition's folder that the manifest does not name is either a replaced file, which the day's
// record lists, or a stray: a server copied it and was paused or killed before it published. A publication
// lists the strays before it replaces the manifest and removes them afterwards, when no server can publish
// them any more. A sweep publishes nothing, so it changes the manifest's bytes first, with a fence.

// replace records the files that m replaces, in a bucket without folders. It returns the files to delete once
// m is published; stray reports whether any of them is a stray. now is the published manifest.
func (k *retainedDay) replace(ctx context.Context, m, now *Manifest) (obsolete []string, stray bool, err error) {
	if now != nil {
		for _, f := range now.All() { // the listing may be stale
			k.sizes[f.Name] = f.Bytes
		}
	}
	var at time.Time // without a grace period every replaced file is expired
	if k.files.Grace.Now != nil {
		at = k.files.Grace.Now()
	}
	k.record(at, m, now)
	obsolete = k.over(ctx, at)
	for _, name := range obsolete {
		stray = stray || k.Replaced[name].Stray
		delete(k.Replaced, name)
	}
	switch {
	case len(k.Replaced) > 0:
		err = k.write(ctx)
	case k.recorded:
		err = k.files.bucket.Delete(ctx, path.Join(k.files.retainedDir(k.day), retainedName))
	}
	return obsolete, stray, err
}

// sweepInBucket removes replaced files whose grace period is over. For files for which ends returns true the
// period ends now. more lists files that the listing may lack.
func (t *retainedFiles) sweepInBucket(ctx context.Context, day string, more []File, ends func(replacedFile) bool) error {
	text, err := t.manifestBytes(ctx, day)
	if err != nil {
		return err
	}
	var m *Manifest
	if text != nil {
		if m, err = t.parseManifest(text); err != nil {
			return nil // its files are unknown
		}
	}
	k, err := t.lookRetained(ctx, day)
	if err != nil {
		return err
	}
	for _, f := range more {
		k.sizes[f.Name] = f.Bytes
	}
	if !k.end(fileNames(m), ends) && !k.recorded {
		return nil
	}
	if err := t.confirm(ctx, day); err != nil {
		return err
	}
	obsolete, stray, err := k.replace(ctx, m, nil)
	if err == nil && stray {
		err = t.fence(ctx, day, text)
	}
	if err != nil {
		return err
	}
	return deleteAll(ctx, t.bucket, k.dir, obsolete)
}

// end ends the grace period of the unpublished files for which ends returns true. It reports whether there
// are any unpublished files.
func (k *retainedDay) end(published map[string]bool, ends func(replacedFile) bool) (others bool) {
	for name, size := range k.sizes {
		if published[name] {
			continue
		}
		f := k.Replaced[name]
		f.Bytes, f.Stray, others = size, k.stray(name), true
		f.Due = f.Due || ends(f)
		k.Replaced[name] = f
	}
	return others
}

// stray reports whether no known manifest ever named the file.
func (k *retainedDay) stray(name string) bool {
	f := k.Replaced[name]
	return !k.files.rename && (f.Stray || f.Since.IsZero())
}

// tidyInBucket removes everything of a day except its partition and the files that the grace period or a
// Retainer protects.
func (t *Table) tidyInBucket(ctx context.Context, day string) error {
	_, err := t.Partition(ctx, day)
	absent := missing(err)
	err = t.sweepInBucket(ctx, day, nil, func(f replacedFile) bool { return absent || f.Stray })
	if err != nil {
		return err
	}
	return store.DeleteTree(ctx, t.bucket, t.stagingDir(day))
}

// expireInBucket removes a day's partition.
func (t *Table) expireInBucket(ctx context.Context, day string) error {
	mark := path.Join(t.stagingDir(day), trashName, "_expired")
	if err := store.WriteFile(ctx, t.bucket, mark, nil); err != nil {
		return err
	}
	text, err := t.manifestBytes(ctx, day)
	if err != nil {
		return err
	}
	var files []File
	if text != nil {
		if m, err := t.parseManifest(text); err == nil {
			files = m.All()
		}
		// Without a manifest the partition does not exist for pingmill's own readers.
		if err := t.swapManifest(ctx, day, text, nil); err != nil {
			return err
		}
	}
	if err := t.sweepInBucket(ctx, day, files, func(replacedFile) bool { return true }); err != nil {
		return err
	}
	return store.DeleteTree(ctx, t.bucket, t.stagingDir(day))
}
