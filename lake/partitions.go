package lake

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/store"
)

// manifests reads the manifests of a table, and replaces one by compare-and-swap.
type manifests struct {
	layout

	bucket store.Bucket
}

// Bucket returns the bucket of the table's files.
func (t *manifests) Bucket() store.Bucket { return t.bucket }

// Partition returns the manifest of a day. If the day was not published, the error matches fs.ErrNotExist. An
// unreadable manifest, or one of another table, version or day, is an error too.
func (t *manifests) Partition(ctx context.Context, day string) (*Manifest, error) {
	return t.readManifest(ctx, t.dir(day))
}

// Identify returns the identity of a day's manifest, which changes with each generation. See Bucket.Identify.
func (t *manifests) Identify(ctx context.Context, day string) (store.Identity, error) {
	return t.bucket.Identify(ctx, t.Path(day, manifestName))
}

// Partitions returns the manifests of all published days, sorted by day. The error joins the unreadable
// manifests; the others are returned beside it.
func (t *manifests) Partitions(ctx context.Context) ([]*Manifest, error) {
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
func (t *manifests) Latest(ctx context.Context) (day string, err error) {
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
func (t *manifests) Grows(ctx context.Context, day string) (bool, error) {
	m, err := t.readManifest(ctx, t.dir(day))
	if missing(err) {
		return false, nil
	}
	return err == nil && m.Live != nil, err
}

// Span returns the first and the last day with a partition, judging by the folder names; it reads no
// manifest. Both are "" if there is none.
func (t *manifests) Span(ctx context.Context) (first, last string, err error) {
	dirs, err := t.folders(ctx, t.Schema.Prefix())
	if err != nil {
		return "", "", fmt.Errorf("list partitions of %s: %w", t.Schema.Name, err)
	}
	if len(dirs) == 0 {
		return "", "", nil
	}
	day := func(dir string) string { return strings.TrimPrefix(path.Base(dir), t.Schema.PartitionStart()) }
	return day(dirs[0]), day(dirs[len(dirs)-1]), nil
}

// Listed returns a function that reports whether a day has a partition, judging by the folder names; it reads
// no manifest.
func (t *manifests) Listed(ctx context.Context) (func(day string) bool, error) {
	dirs, err := t.folders(ctx, t.Schema.Prefix())
	if err != nil {
		return nil, fmt.Errorf("list partitions of %s: %w", t.Schema.Name, err)
	}
	return func(day string) bool { return slices.Contains(dirs, t.dir(day)) }, nil
}

// folders lists the partition folders under a prefix.
func (t *manifests) folders(ctx context.Context, prefix string) (dirs []string, err error) {
	key := t.Schema.PartitionStart()
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

// IsCurrent reports whether the generation of m is still the published one. It returns false if the day was removed.
func (t *manifests) IsCurrent(ctx context.Context, m *Manifest) (bool, error) {
	now, err := t.Partition(ctx, m.Day)
	if missing(err) {
		return false, nil
	}
	return err == nil && now.Generation == m.Generation, err
}

// Days returns the days that have a folder, published or not, sorted.
func (t *manifests) Days(ctx context.Context) ([]string, error) {
	days := map[string]bool{}
	for _, root := range []string{"", retainedRoot} {
		dirs, err := t.folders(ctx, path.Join(root, t.Schema.Prefix()))
		if err != nil {
			return nil, fmt.Errorf("list partitions of %s: %w", t.Schema.Name, err)
		}
		for _, dir := range dirs {
			if day := dayOf(dir); t.Schema.PartitionDir(day) == path.Base(dir) {
				days[day] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(days)), nil
}
