package lake

import (
	"context"
	"path"
	"time"

	"github.com/pingmill/pingmill/store"
)

// What is in a partition's folder and not in its manifest was replaced, which the day's
// record says, or is a stray: a server that was held up, or killed, has copied
// it and not published it. A publication lists strays before it replaces the
// manifest and removes them after that, when nobody can publish them any more. Whoever
// publishes nothing makes sure of that by a fence.

// replace records what m replaces, in a bucket without folders, and says which files
// go once m is published; stray says that such are among them. now is what is published.
func (k *keptDay) replace(ctx context.Context, m, now *Manifest) (gone []string, stray bool, err error) {
	if now != nil {
		for _, f := range now.All() { // the listing may lack some
			k.sizes[f.Name] = f.Bytes
		}
	}
	var at time.Time // without grace everything is over at once
	if k.table.Grace.Now != nil {
		at = k.table.Grace.Now()
	}
	k.record(at, m, now)
	gone = k.over(ctx, at)
	for _, name := range gone {
		stray = stray || k.Replaced[name].Stray
		delete(k.Replaced, name)
	}
	switch {
	case len(k.Replaced) > 0:
		err = k.write(ctx)
	case k.recorded:
		err = k.table.bucket.Delete(ctx, path.Join(k.table.keptDir(k.day), keptName))
	}
	return gone, stray, err
}

// sweepInBucket removes replaced files whose time is over, which is now for those that ends is
// true for. more are files that the listing may lack.
func (t *Table) sweepInBucket(ctx context.Context, day string, more []File, ends func(replacedFile) bool) error {
	text, err := t.manifestBytes(ctx, day)
	if err != nil {
		return err
	}
	var m *Manifest
	if text != nil {
		if m, err = t.parseManifest(text); err != nil {
			return nil // nobody knows what is of it
		}
	}
	k, err := t.lookKept(ctx, day)
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
	gone, stray, err := k.replace(ctx, m, nil)
	if err == nil && stray {
		err = t.fence(ctx, day, text)
	}
	if err != nil {
		return err
	}
	return deleteAll(ctx, t.bucket, k.dir, gone)
}

// end ends the time of files that are not published and that ends is true for. It says
// whether there are any that are not published.
func (k *keptDay) end(published map[string]bool, ends func(replacedFile) bool) (others bool) {
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

// stray says whether no manifest is known that named a file.
func (k *keptDay) stray(name string) bool {
	f := k.Replaced[name]
	return !k.table.rename && (f.Stray || f.Since.IsZero())
}

// fence replaces a day's manifest, if there is one, by one that says the same in other bytes: a
// server that began before does not publish any more.
func (t *Table) fence(ctx context.Context, day string, text []byte) error {
	if text == nil {
		return nil // confirmSwapped undoes it
	}
	m, err := t.parseManifest(text)
	if err != nil {
		return err
	}
	m.Fence++
	fenced, err := m.encode()
	if err != nil {
		return err
	}
	return t.swapManifest(ctx, day, text, fenced)
}

// tidyInBucket leaves nothing of a day but its partition, and what stays for the time of grace
// or for a Holder.
func (t *Table) tidyInBucket(ctx context.Context, day string) error {
	_, err := t.Partition(ctx, day)
	gone := missing(err)
	err = t.sweepInBucket(ctx, day, nil, func(f replacedFile) bool { return gone || f.Stray })
	if err != nil {
		return err
	}
	return store.DeleteTree(ctx, t.bucket, t.stagingDir(day))
}

// expireInBucket removes a day's partition.
func (t *Table) expireInBucket(ctx context.Context, day string) error {
	mark := path.Join(t.stagingDir(day), goneName, "_expired")
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
		// Without it the partition is gone for pingmill's own readers.
		if err := t.swapManifest(ctx, day, text, nil); err != nil {
			return err
		}
	}
	if err := t.sweepInBucket(ctx, day, files, func(replacedFile) bool { return true }); err != nil {
		return err
	}
	return store.DeleteTree(ctx, t.bucket, t.stagingDir(day))
}
