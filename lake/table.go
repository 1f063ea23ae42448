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

// stagingRoot holds unfinished generations. It is outside the tables' folders, because DuckDB's globs, among
// others, do not skip names that begin with an underscore.
const stagingRoot = "_staging"

// Table represents all partitions of one table in a bucket. A partition is the directory of one day; some
// tables have a directory for each sample in it. Reading (Partition, Partitions) never changes anything. Only
// one process at a time may call Begin, Publish and Recover for a day.
type Table struct {
	Schema *schema.Table
	// Footers, if not nil, caches the footers of files that Read opens.
	Footers *Footers
	// Grace defines how long replaced files remain for their readers.
	Grace Grace
	// Retainer, if not nil, is asked before replaced files are deleted.
	Retainer Retainer
	// Partial means that the files contain only the requested columns, so the bytes between them cannot be verified.
	Partial bool
	// OnPublish, if not nil, is called with each day whose partition was replaced or removed. It must return quickly.
	OnPublish func(t *schema.Table, day string)
	// Token, letters and digits, separates this server's unfinished generations from those of other servers; "" if no
	// other server writes to the bucket. It must not change after a crash, so that finished files are found again.
	Token string
	// Confirm, if not nil, returns an error if this server may no longer publish the day. It is called
	// immediately before and after readers are switched.
	Confirm func(ctx context.Context, day string) error

	bucket store.Bucket
	rename bool // the bucket can rename folders

	once  *sync.Once
	print string // fingerprint of the columns, computed on first use
}

// Open returns the table in the bucket of its root.
func Open(b store.Bucket, t *schema.Table) *Table {
	return &Table{Schema: t, bucket: b, rename: store.HasDirs(b), once: new(sync.Once)}
}

// Bucket returns the bucket of the table's files.
func (t *Table) Bucket() store.Bucket { return t.bucket }

// tell reports a changed or removed partition to OnPublish.
func (t *Table) tell(day string) {
	if t.OnPublish != nil {
		t.OnPublish(t.Schema, day)
	}
}

// dir returns the folder of a day's partition.
func (t *Table) dir(day string) string {
	return path.Join(t.Schema.Prefix(), t.Schema.PartitionDir(day))
}

// staging returns the folder of all days' unfinished generations.
func (t *Table) staging() string { return path.Join(stagingRoot, t.Schema.Prefix()) }

// stagingDir returns the folder of a day's unfinished generations.
func (t *Table) stagingDir(day string) string { return path.Join(stagingRoot, t.dir(day)) }

// Path returns the name of a partition's file in the bucket.
func (t *Table) Path(day, file string) string { return path.Join(t.dir(day), file) }

// Partition returns the manifest of a day. If the day was not published, the error matches fs.ErrNotExist. An
// unreadable manifest, or one of another table, version or day, is an error too.
func (t *Table) Partition(ctx context.Context, day string) (*Manifest, error) {
	return t.readManifest(ctx, t.dir(day))
}

// Identify returns the identity of a day's manifest, which changes with each generation. See Bucket.Identify.
func (t *Table) Identify(ctx context.Context, day string) (store.Identity, error) {
	return t.bucket.Identify(ctx, t.Path(day, manifestName))
}

// Partitions returns the manifests of all published days, sorted by day. The error joins the unreadable
// manifests; the others are returned beside it.
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
		case missing(err): // not a folder of pingmill, or the day's first publication is under way
		case err != nil:
			bad = append(bad, err)
		default:
			all = append(all, m)
		}
	}
	return all, errors.Join(bad...)
}

// Latest returns the last published day that is not growing, or "" if there is none. It reads as few
// manifests as possible.
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

// Grows reports whether the published partition of a day has only rows of pings as they arrive, which a run
// will replace.
func (t *Table) Grows(ctx context.Context, day string) (bool, error) {
	m, err := t.readManifest(ctx, t.dir(day))
	if missing(err) {
		return false, nil
	}
	return err == nil && m.Live != nil, err
}

// Span returns the first and the last day with a partition, judging by the folder names; it reads no
// manifest. Both are "" if there is none.
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

// Listed returns a function that reports whether a day has a partition, judging by the folder names; it reads
// no manifest.
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

// versionFolders lists the versions of a table that have a folder in the bucket, such as v3 and v4, sorted by
// name. dir is the Dir of the table.
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
