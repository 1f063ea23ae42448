package lake

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/store"
)

// stagingRoot holds generations in the making. It lies outside the tables'
// folders, since not every engine passes names that begin with an underscore.
const stagingRoot = "_staging"

// Table is all partitions of one table in a bucket.
type Table struct {
	Schema *schema.Table
	bucket store.Bucket
	rename bool // the bucket can move folders
}

// Open returns the table in the bucket of its root.
func Open(b store.Bucket, t *schema.Table) *Table {
	_, rename := b.(store.Renamer)
	return &Table{Schema: t, bucket: b, rename: rename}
}

// Bucket is where the table's files are.
func (t *Table) Bucket() store.Bucket { return t.bucket }

// dir is the folder of a day's partition.
func (t *Table) dir(day string) string {
	return path.Join(t.Schema.Prefix(), t.Schema.PartitionDir(day))
}

// stagingDir holds the generations in the making of a day.
func (t *Table) stagingDir(day string) string { return path.Join(stagingRoot, t.dir(day)) }

// Path is the name of a partition's file in the bucket.
func (t *Table) Path(day, file string) string { return path.Join(t.dir(day), file) }

// Partition returns the manifest of a day. A day that was not published
// matches fs.ErrNotExist.
func (t *Table) Partition(ctx context.Context, day string) (*Manifest, error) {
	return t.readManifest(ctx, t.dir(day))
}

// Partitions returns the manifests of all published days, by day. Manifests
// that cannot be read are joined into the error, beside the ones that can.
func (t *Table) Partitions(ctx context.Context) ([]*Manifest, error) {
	var all []*Manifest
	var bad []error
	key := t.Schema.PartitionKeys[0] + "="
	for e, err := range store.Children(ctx, t.bucket, t.Schema.Prefix()) {
		if err != nil {
			return all, fmt.Errorf("list partitions of %s: %w", t.Schema.Name, err)
		}
		dir := strings.TrimSuffix(e.Name, "/")
		if !strings.HasPrefix(path.Base(dir), key) {
			continue
		}
		m, err := t.readManifest(ctx, dir)
		switch {
		case missing(err): // a folder of somebody else's, or one being published for the first time
		case err != nil:
			bad = append(bad, err)
		default:
			all = append(all, m)
		}
	}
	return all, errors.Join(bad...)
}

// Expire removes a day's partition.
func (t *Table) Expire(ctx context.Context, day string) error {
	if err := store.DeleteTree(ctx, t.bucket, t.stagingDir(day)); err != nil {
		return fmt.Errorf("expire %s %s: %w", t.Schema.Name, day, err)
	}
	// Without its manifest the partition is gone for pingmill's own readers.
	if err := t.bucket.Delete(ctx, path.Join(t.dir(day), manifestName)); err != nil {
		return fmt.Errorf("expire %s %s: %w", t.Schema.Name, day, err)
	}
	if err := store.DeleteTree(ctx, t.bucket, t.dir(day)); err != nil {
		return fmt.Errorf("expire %s %s: %w", t.Schema.Name, day, err)
	}
	return nil
}
