package lake

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/store"
)

// stagingRoot holds generations in the making. It lies outside the tables'
// folders: DuckDB's globs, among others, do not pass over names that begin
// with an underscore.
const stagingRoot = "_staging"

// Table is all partitions of one table in a bucket. A partition is the
// directory of one day, with the sample directories in it where the table has
// them. Reading (Partition, Partitions) never changes anything; Begin, Publish
// and Recover are for the one process that writes a day at a time.
type Table struct {
	Schema *schema.Table
	// Footers, if not nil, keeps the footers of files that Read opens.
	Footers *Footers
	// Grace is for how long files that were replaced stay for their readers.
	Grace Grace
	// Holder, if not nil, is asked before such files are deleted.
	Retainer Retainer
	// Partial says that of its files only columns are there that were asked for: nothing between them can be verified.
	Partial bool
	// OnPublish, if not nil, is told the days whose partition is another one, or gone. It takes no time.
	OnPublish func(t *schema.Table, day string)
	// Token, letters and digits, sets what this server has in the making apart from
	// what others have; "" where no other writes into the bucket. It is the same after
	// a crash, so that what was finished is found again.
	Token string
	// Confirm, if not nil, says whether the day is still this server's to publish. It
	// is asked immediately before and after readers are switched over.
	Confirm func(ctx context.Context, day string) error

	bucket store.Bucket
	rename bool // the bucket can move folders

	once  *sync.Once
	print string // of the columns, once it was asked for
}

// Open returns the table in the bucket of its root.
func Open(b store.Bucket, t *schema.Table) *Table {
	return &Table{Schema: t, bucket: b, rename: store.HasDirs(b), once: new(sync.Once)}
}

// Bucket is where the table's files are.
func (t *Table) Bucket() store.Bucket { return t.bucket }

// tell tells that the partition of a day is another one.
func (t *Table) tell(day string) {
	if t.OnPublish != nil {
		t.OnPublish(t.Schema, day)
	}
}

// dir is the folder of a day's partition.
func (t *Table) dir(day string) string {
	return path.Join(t.Schema.Prefix(), t.Schema.PartitionDir(day))
}

// staging holds the generations in the making of all days.
func (t *Table) staging() string { return path.Join(stagingRoot, t.Schema.Prefix()) }

// stagingDir holds the generations in the making of a day.
func (t *Table) stagingDir(day string) string { return path.Join(stagingRoot, t.dir(day)) }

// Path is the name of a partition's file in the bucket.
func (t *Table) Path(day, file string) string { return path.Join(t.dir(day), file) }

// Partition returns the manifest of a day. A day that was not published
// matches fs.ErrNotExist; a manifest of another table, version or day, or one
// that cannot be read, is an error.
func (t *Table) Partition(ctx context.Context, day string) (*Manifest, error) {
	return t.readManifest(ctx, t.dir(day))
}

// Identify returns the identity of a day's manifest, which another generation does not have. See Bucket.Identify.
func (t *Table) Identify(ctx context.Context, day string) (store.Identity, error) {
	return t.bucket.Identify(ctx, t.Path(day, manifestName))
}

// Partitions returns the manifests of all published days, by day. Manifests
// that cannot be read are joined into the error, beside the ones that can.
func (t *Table) Partitions(ctx context.Context) ([]*Manifest, error) {
	dirs, err := t.folders(ctx, t.Schema.Prefix())
	if err != nil {
		return nil, fmt.Errorf("list partitions of %s: %w", t.Schema.Name, err)
	}
	var all []*Manifest
	var bad []error
	for _, dir := range dirs {
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

// Latest is the last published day; "" if there is none. It reads no more
// manifests than it has to.
func (t *Table) Latest(ctx context.Context) (day string, err error) {
	dirs, err := t.folders(ctx, t.Schema.Prefix())
	if err != nil {
		return "", fmt.Errorf("list partitions of %s: %w", t.Schema.Name, err)
	}
	for _, dir := range slices.Backward(dirs) {
		m, err := t.readManifest(ctx, dir)
		if err == nil && m.Live == nil {
			return m.Day, nil
		}
		if err != nil && !missing(err) {
			return "", err
		}
	}
	return "", nil
}

// Grows says whether what is published of a day are rows of pings as they arrive, which a run has still to take the place of.
func (t *Table) Grows(ctx context.Context, day string) (bool, error) {
	m, err := t.readManifest(ctx, t.dir(day))
	if missing(err) {
		return false, nil
	}
	return err == nil && m.Live != nil, err
}

// Span is the first and the last day of which there is a partition, judging by
// the names of the folders: no manifest is read. Both are "" if there is none.
func (t *Table) Span(ctx context.Context) (first, last string, err error) {
	dirs, err := t.folders(ctx, t.Schema.Prefix())
	if err != nil {
		return "", "", fmt.Errorf("list partitions of %s: %w", t.Schema.Name, err)
	}
	if len(dirs) == 0 {
		return "", "", nil
	}
	day := func(dir string) string { return strings.TrimPrefix(path.Base(dir), t.Schema.PartitionKeys[0]+"=") }
	return day(dirs[0]), day(dirs[len(dirs)-1]), nil
}

// Listed reports of which days there is a partition, judging by the names of the
// folders: no manifest is read.
func (t *Table) Listed(ctx context.Context) (func(day string) bool, error) {
	dirs, err := t.folders(ctx, t.Schema.Prefix())
	if err != nil {
		return nil, fmt.Errorf("list partitions of %s: %w", t.Schema.Name, err)
	}
	return func(day string) bool { return slices.Contains(dirs, t.dir(day)) }, nil
}

// folders lists the partition folders under a prefix.
func (t *Table) folders(ctx context.Context, prefix string) (dirs []string, err error) {
	key := t.Schema.PartitionKeys[0] + "="
	for e, err := range store.Children(ctx, t.bucket, prefix) {
		if err != nil {
			return nil, err
		}
		if dir, is := strings.CutSuffix(e.Name, "/"); is && strings.HasPrefix(path.Base(dir), key) {
			dirs = append(dirs, dir)
		}
	}
	return dirs, nil
}

// versionFolders lists the versions of a table that a bucket has a folder for,
// such as v3 and v4, sorted by name; dir is the folder of the table, its Dir.
func versionFolders(ctx context.Context, b store.Bucket, dir string) (versions []string, err error) {
	for e, err := range store.Children(ctx, b, dir) {
		if err != nil {
			return nil, fmt.Errorf("list versions of %s: %w", dir, err)
		}
		if folder, is := strings.CutSuffix(e.Name, "/"); is {
			versions = append(versions, path.Base(folder))
		}
	}
	return versions, nil
}
