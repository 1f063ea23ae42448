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

// DamageError describes a damaged file of a published partition, and how to repair it.
type DamageError struct {
	Table string
	Day   string // YYYYMMDD
	File  string // below the partition's folder
	What  string // such as "is missing"
	// Force means that a plain run does not detect the damage and needs --force.
	Force bool
}

func (e *DamageError) Error() string { return e.Finding() + ": " + e.Mend() }

// Finding describes the damage.
func (e *DamageError) Finding() string {
	return fmt.Sprintf("file %s of %s, day %s, %s", e.File, e.Table, e.Day, e.What)
}

// Mend returns the command that repairs the damage.
func (e *DamageError) Mend() string {
	force := ""
	if e.Force {
		force = " --force"
	}
	return fmt.Sprintf("run `pingmill run %s --date %s%s`", e.Table, e.Day, force)
}

// Damage returns the DamageError in err, if there is one.
func Damage(err error) (*DamageError, bool) {
	var d *DamageError
	return d, errors.As(err, &d)
}

// inspector reads the files of published partitions, compares them with their checksums and records damage.
type inspector struct {
	retainedFiles

	// Footers, if not nil, caches the footers of files that Read opens.
	Footers *Footers
	// Partial means that the files contain only the requested columns, so the bytes between them cannot be verified.
	Partial bool

	fingerprint func() string // of the table's columns, computed on first use
}

func newFingerprint(t *schema.Table) func() string {
	return sync.OnceValue(func() string { return Fingerprint(t.Columns) })
}

func (t *inspector) damage(day, file, format string, args ...any) *DamageError {
	return &DamageError{Table: t.Schema.Name, Day: day, File: file, What: fmt.Sprintf(format, args...)}
}

// Look returns the manifest of a day and the damage that names, sizes and damage records show: missing or
// incomplete files, or a missing or unreadable manifest. In the latter case the returned manifest is nil. A
// day that was never published returns an error that matches fs.ErrNotExist.
func (t *inspector) Look(ctx context.Context, day string) (*Manifest, []*DamageError, error) {
	for {
		m, found, err := t.look(ctx, day)
		if m == nil || err != nil || len(found) == 0 {
			return m, found, err
		}
		// Files of a manifest also disappear when another generation replaces it.
		if current, err := t.IsCurrent(ctx, m); err != nil || current {
			return m, found, err
		}
	}
}

func (t *inspector) look(ctx context.Context, day string) (*Manifest, []*DamageError, error) {
	m, err := t.Partition(ctx, day)
	switch {
	case errors.Is(err, errManifest):
		return nil, []*DamageError{t.unusable(day, err)}, nil
	case missing(err):
		return nil, t.withoutManifest(ctx, day), err
	case err != nil:
		return nil, nil, err
	}
	found, err := t.compareSizes(ctx, m)
	if err == nil {
		found, err = t.addRecorded(ctx, m, found)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("look at the files of %s %s: %w", t.Schema.Name, day, err)
	}
	return m, found, nil
}

// withoutManifest returns the damage of a partition that has files but no manifest. Where folders are
// renamed, both are published in one step, so one without the other is damage.
func (t *inspector) withoutManifest(ctx context.Context, day string) []*DamageError {
	if !wholeFolders(t.bucket) {
		return nil // here the files are written first
	}
	what := ""
	for e, err := range t.bucket.List(ctx, t.dir(day)+"/") {
		if err == nil && strings.HasSuffix(e.Name, ".parquet") {
			what = "is missing"
		}
	}
	if what == "" && t.publishedOnce(ctx, day) {
		what = "is missing, and all files with it"
	}
	if _, err := t.Partition(ctx, day); what == "" || !missing(err) { // published this moment
		return nil
	}
	return []*DamageError{t.damage(day, manifestName, "%s", what)}
}

// wholeFolders reports whether a bucket, or the bucket that it wraps, publishes partitions as whole folders.
func wholeFolders(b store.Bucket) bool {
	if v, ok := b.(interface{ Unwrap() store.Bucket }); ok {
		return wholeFolders(v.Unwrap())
	}
	return store.HasDirs(b)
}

// publishedOnce reports whether retained files show that the day was published, and no first publication is under way.
func (t *retainedFiles) publishedOnce(ctx context.Context, day string) bool {
	r, err := t.readRetained(ctx, day)
	if err != nil {
		return false
	}
	if making, err := t.unfinished(ctx, day); err != nil || making {
		return false
	}
	for _, since := range r.Whole {
		if since.IsZero() {
			return true
		}
	}
	return false
}

// Published returns the manifests of all published days, sorted by day, and the damage of unreadable
// manifests. It does not look at files.
func (t *inspector) Published(ctx context.Context) (all []*Manifest, damaged []*DamageError, err error) {
	return t.published(ctx, t.parseManifest, func(string) bool { return true })
}

// Heads is Published for the wanted days and for readers of compact files: manifests that list compact files
// may lack Files, Rows and Bytes.
func (t *inspector) Heads(ctx context.Context, wanted func(day string) bool) (all []*Manifest, damaged []*DamageError, err error) {
	return t.published(ctx, t.parseHead, wanted)
}

func (t *inspector) published(ctx context.Context, parse func([]byte) (*Manifest, error), wanted func(day string) bool) (all []*Manifest,
	damaged []*DamageError, err error) {
	days, err := t.Days(ctx)
	if err != nil {
		return nil, nil, err
	}
	days = slices.DeleteFunc(days, func(day string) bool { return !wanted(day) })
	found, errs := t.readAll(ctx, days, parse)
	for i, day := range days {
		switch m, err := found[i], errs[i]; {
		case errors.Is(err, errManifest):
			damaged = append(damaged, t.unusable(day, err))
		case missing(err): // not a folder of pingmill, or the day's first publication is under way
			damaged = append(damaged, t.withoutManifest(ctx, day)...)
		case err != nil:
			return nil, nil, err
		default:
			all = append(all, m)
		}
	}
	return all, damaged, nil
}

// Unusable reports whether err, returned by Partition, means that the manifest was read but cannot be used.
func Unusable(err error) bool { return errors.Is(err, errManifest) }

// unusable returns the damage of an unusable manifest.
func (t *inspector) unusable(day string, err error) *DamageError {
	_, why, _ := strings.Cut(err.Error(), errManifest.Error()+": ")
	return t.damage(day, manifestName, "cannot be used (%s)", why)
}

// compareSizes compares the sizes of the files, in the partition's folder and in the folder that readers use,
// with the manifest.
func (t *inspector) compareSizes(ctx context.Context, m *Manifest) (found []*DamageError, err error) {
	dirs := []string{t.dir(m.Day)}
	if dir := t.readDir(ctx, m); dir != dirs[0] {
		dirs = append(dirs, dir)
	}
	for _, dir := range dirs {
		sizes := map[string]int64{}
		for e, err := range t.bucket.List(ctx, dir+"/") {
			if err != nil {
				return nil, err
			}
			sizes[strings.TrimPrefix(e.Name, dir+"/")] = e.Size
		}
		for _, f := range m.All() {
			if slices.ContainsFunc(found, func(d *DamageError) bool { return d.File == f.Name }) {
				continue
			}
			size, there := sizes[f.Name]
			if !t.rename && (!there || size != f.Bytes) { // the listing may be stale
				size, err = t.sizeOf(ctx, path.Join(dir, f.Name))
				if there = err == nil; err != nil && !missing(err) {
					return nil, err
				}
			}
			if !there {
				found = append(found, t.damage(m.Day, f.Name, "is missing from %s", dir))
			} else if size != f.Bytes {
				found = append(found, t.damage(m.Day, f.Name, "has %d bytes instead of %d", size, f.Bytes))
			}
		}
	}
	return found, nil
}

// Extra lists the files in a partition's folder that the manifest does not name and that were not replaced
// recently. pingmill does not read them, but other engines do.
func (t *inspector) Extra(ctx context.Context, m *Manifest) (names []string, err error) {
	dir := t.dir(m.Day) + "/"
	replaced := map[string]bool{} // files in their grace period, in a bucket without folders
	if !t.rename {
		if k, err := t.readRetained(ctx, m.Day); err == nil {
			for name, f := range k.Replaced {
				replaced[name] = !f.Stray
			}
		}
	}
	for e, err := range t.bucket.List(ctx, dir) {
		if err != nil {
			return nil, fmt.Errorf("list %s: %w", dir, err)
		}
		name := strings.TrimPrefix(e.Name, dir)
		if name != manifestName && !replaced[name] && !slices.ContainsFunc(m.All(), func(f File) bool { return f.Name == name }) {
			names = append(names, e.Name)
		}
	}
	if current, err := t.IsCurrent(ctx, m); err != nil || !current { // the files belong to another generation
		return nil, err
	}
	return names, nil
}
