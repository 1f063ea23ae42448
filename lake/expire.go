package lake

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/pingmill/pingmill/store"
)

// OldPartition is a partition of a day that is past.
type OldPartition struct {
	Day        string // YYYYMMDD
	Generation string
	Files      int
	Rows       int64
	Bytes      int64
	// Cut says that the partition is gone for readers and its expiration was cut
	// short: the rest is to be removed.
	Cut bool
}

// Before lists the partitions of the days before one, oldest first, and those
// whose expiration was cut short. Manifests that cannot be read are joined into
// the error, beside the ones that can.
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
			all = append(all, OldPartition{Day: m.Day, Generation: m.Generation, Files: len(m.All()), Rows: m.Rows, Bytes: SizeOf(m.All())})
		}
	}
	return all, errors.Join(bad...)
}

// SizeOf is the size of files.
func SizeOf(files []File) (sum int64) {
	for _, f := range files {
		sum += f.Bytes
	}
	return sum
}

// cut lists the expirations of days before one that were cut short.
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
			continue // the partition exists, as it was or made again
		}
		for e, err := range store.Children(ctx, t.bucket, dir) {
			if err != nil {
				return nil, err
			}
			if strings.TrimSuffix(e.Name, "/") == path.Join(dir, goneName) {
				_, value, _ := strings.Cut(path.Base(dir), "=")
				all = append(all, OldPartition{Day: strings.ReplaceAll(value, "-", ""), Cut: true})
			}
		}
	}
	return all, nil
}

// Versions are the table in each of the versions that have a folder beside its
// own, or an expiration that was cut short, by version.
func (t *Table) Versions(ctx context.Context) ([]*Table, error) {
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
		s.Version, other.Schema, other.once = v, &s, new(sync.Once)
		all = append(all, &other)
	}
	return all, nil
}

// Expire removes a day's partition, and with it an unfinished generation and the
// kept files of replaced ones. A day without one is not an error. For readers it is
// gone in one step; after a kill it is among those of Before as cut short.
func (t *Table) Expire(ctx context.Context, day string) error {
	if err := t.expire(ctx, day); err != nil {
		return fmt.Errorf("expire %s %s: %w", t.Schema.Name, day, err)
	}
	t.tell(day)
	return nil
}

func (t *Table) expire(ctx context.Context, day string) error {
	if !t.rename {
		return t.expireInBucket(ctx, day)
	}
	live, staging := t.dir(day), t.stagingDir(day)
	gone := path.Join(staging, goneName)
	if err := store.DeleteTree(ctx, t.bucket, staging); err != nil {
		return err
	}
	// Without its record what is kept counts for nothing; the partition goes next.
	drop := func() error { return t.bucket.Delete(ctx, path.Join(t.keptDir(day), keptName)) }
	if t.Retainer != nil {
		drop = func() error { return t.endKept(ctx, day) }
	}
	if err := drop(); err != nil {
		return err
	}
	if err := store.Rename(ctx, t.bucket, live, gone); err != nil && !missing(err) {
		return err
	}
	if t.Retainer == nil {
		if err := store.DeleteTree(ctx, t.bucket, t.keptDir(day)); err != nil {
			return err
		}
	}
	return store.DeleteTree(ctx, t.bucket, gone)
}
