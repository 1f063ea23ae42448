package lake

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/store"
)

// OldPartition describes a partition that Before lists.
type OldPartition struct {
	Day        string // YYYYMMDD
	Generation string
	Files      int
	Rows       int64
	Bytes      int64
	// Cut means that readers no longer see the partition, but its expiration was interrupted and the
	// remaining files must be removed.
	Cut bool
	// Newer explains why a partition that a newer version of the program made stays; nil: it need not.
	Newer error
}

// Before lists the partitions older than day, oldest first, and the interrupted expirations among them. The
// error joins all unreadable manifests; the readable partitions are returned beside it.
func (t *Table) Before(ctx context.Context, day string) ([]OldPartition, error) {
	all, err := t.cut(ctx, day)
	if err != nil {
		return nil, fmt.Errorf("list partitions of %s: %w", t.Schema.Name, err)
	}
	dirs, err := t.folders(ctx, t.Schema.Prefix())
	if err != nil {
		return nil, fmt.Errorf("list partitions of %s: %w", t.Schema.Name, err)
	}
	var bad []error
	for _, dir := range dirs {
		if path.Base(dir) >= t.Schema.PartitionDir(day) {
			continue
		}
		m, err := t.readManifest(ctx, dir)
		switch {
		case missing(err):
		case err != nil:
			bad = append(bad, err)
		default:
			all = append(all, t.old(m))
		}
	}
	return all, errors.Join(bad...)
}

func (t *Table) old(m *Manifest) OldPartition {
	o := OldPartition{Day: m.Day, Generation: m.Generation, Files: len(m.All()), Rows: m.Rows, Bytes: SizeOf(m.All())}
	if m.ByNewer(t.Schema) {
		o.Newer = m.Newer(t.Schema)
	}
	return o
}

// SizeOf returns the total size of files in bytes.
func SizeOf(files []File) (sum int64) {
	for _, f := range files {
		sum += f.Bytes
	}
	return sum
}

// cut lists the interrupted expirations of days before day.
func (t *Table) cut(ctx context.Context, day string) (all []OldPartition, err error) {
	dirs, err := t.folders(ctx, t.staging())
	if err != nil {
		return nil, err
	}
	for _, dir := range dirs {
		if path.Base(dir) >= t.Schema.PartitionDir(day) {
			continue
		}
		if _, err := t.readManifest(ctx, path.Join(t.Schema.Prefix(), path.Base(dir))); !missing(err) {
			continue // the partition still exists, or was made again
		}
		for e, err := range store.Children(ctx, t.bucket, dir) {
			if err != nil {
				return nil, err
			}
			if strings.TrimSuffix(e.Name, "/") == path.Join(dir, trashName) {
				all = append(all, OldPartition{Day: dayOf(dir), Cut: true})
			}
		}
	}
	return all, nil
}

// Versions returns the table in each version that has a folder or an interrupted expiration, sorted by version.
func (t *Table) Versions(ctx context.Context) ([]*Table, error) {
	if t.Schema.IsSnapshots() { // its folders are days
		one := *t
		return []*Table{&one}, nil
	}
	versions, err := versionFolders(ctx, t.bucket, t.Schema.Dir)
	if err != nil {
		return nil, err
	}
	cut, err := versionFolders(ctx, t.bucket, path.Join(stagingRoot, t.Schema.Dir))
	if err != nil {
		return nil, err
	}
	versions = append(versions, cut...)
	slices.Sort(versions)
	var all []*Table
	for _, v := range slices.Compact(versions) {
		s, other := *t.Schema, *t
		s.Version, other.Schema, other.fingerprint = v, &s, newFingerprint(&s)
		all = append(all, &other)
	}
	return all, nil
}

// Expire removes a day's partition together with an unfinished generation and the retained files of replaced
// generations. A missing day is not an error. Readers see the partition disappear in one step. After a crash Before
// lists the day with Cut set.
func (t *Table) Expire(ctx context.Context, day string) error {
	if err := t.expire(ctx, day); err != nil {
		return fmt.Errorf("expire %s %s: %w", t.Schema.Name, day, err)
	}
	t.notify(day)
	return nil
}

func (t *Table) expire(ctx context.Context, day string) error {
	if !t.rename {
		return t.expireInBucket(ctx, day)
	}
	place, staging := t.dir(day), t.stagingDir(day)
	target := path.Join(staging, trashName)
	if err := store.DeleteTree(ctx, t.bucket, staging); err != nil {
		return err
	}
	// Delete the record first: without it the retained files are ignored. The partition follows.
	drop := func() error { return t.bucket.Delete(ctx, path.Join(t.retainedDir(day), retainedName)) }
	if t.Retainer != nil {
		drop = func() error { return t.endRetained(ctx, day) }
	}
	if err := drop(); err != nil {
		return err
	}
	if err := store.Rename(ctx, t.bucket, place, target); err != nil && !missing(err) {
		return err
	}
	if t.Retainer == nil {
		if err := store.DeleteTree(ctx, t.bucket, t.retainedDir(day)); err != nil {
			return err
		}
	}
	return store.DeleteTree(ctx, t.bucket, target)
}
