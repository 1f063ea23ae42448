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

// DamageError describes the damage of a file of a published partition, and how to
// mend it.
type DamageError struct {
	Table string
	Day   string // YYYYMMDD
	File  string // below the partition's folder
	What  string // such as "is missing"
	// Force means that a run does not know of it yet, and needs --force.
	Force bool
}

func (e *DamageError) Error() string { return e.Finding() + ": " + e.Mend() }

// Finding is the damage in words.
func (e *DamageError) Finding() string {
	return fmt.Sprintf("file %s of %s, day %s, %s", e.File, e.Table, e.Day, e.What)
}

// Mend is the remedy in words.
func (e *DamageError) Mend() string {
	force := ""
	if e.Force {
		force = " --force"
	}
	return fmt.Sprintf("run `pingmill run %s --date %s%s`", e.Table, e.Day, force)
}

// Damage is the damage in an error, if it is one.
func Damage(err error) (*DamageError, bool) {
	var d *DamageError
	return d, errors.As(err, &d)
}

func (t *Table) damage(day, file, format string, args ...any) *DamageError {
	return &DamageError{Table: t.Schema.Name, Day: day, File: file, What: fmt.Sprintf(format, args...)}
}

// Look returns the manifest of a day and the damage of the partition, as far as
// names and sizes show it, or a damage record says it: files that are missing
// or not whole, or a manifest that is missing or cannot be read. There is no
// manifest then. A day that was not published matches fs.ErrNotExist.
func (t *Table) Look(ctx context.Context, day string) (*Manifest, []*DamageError, error) {
	for {
		m, found, err := t.look(ctx, day)
		if m == nil || err != nil || len(found) == 0 {
			return m, found, err
		}
		// Files of a manifest also go when another generation takes their place.
		if current, err := t.IsCurrent(ctx, m); err != nil || current {
			return m, found, err
		}
	}
}

// IsCurrent says whether the generation of a manifest is still the published one: no
// other is, and the day was not removed.
func (t *Table) IsCurrent(ctx context.Context, m *Manifest) (bool, error) {
	now, err := t.Partition(ctx, m.Day)
	if missing(err) {
		return false, nil
	}
	return err == nil && now.Generation == m.Generation, err
}

func (t *Table) look(ctx context.Context, day string) (*Manifest, []*DamageError, error) {
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

// withoutManifest is the damage of a partition that has files and no manifest: both are published in one step.
func (t *Table) withoutManifest(ctx context.Context, day string) []*DamageError {
	if !wholeFolders(t.bucket) {
		return nil // files come first there
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

// wholeFolders says whether a bucket, or the one that it is a view of, gets
// partitions as whole folders.
func wholeFolders(b store.Bucket) bool {
	if v, ok := b.(interface{ Unwrap() store.Bucket }); ok {
		return wholeFolders(v.Unwrap())
	}
	return store.HasDirs(b)
}

// publishedOnce says whether files are kept of a day as those that are published, and are not about to be for the first time.
func (t *Table) publishedOnce(ctx context.Context, day string) bool {
	r, err := t.readKept(ctx, day)
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

// Days are the days that have a folder, published or not.
func (t *Table) Days(ctx context.Context) ([]string, error) {
	days := map[string]bool{}
	for _, root := range []string{"", keptRoot} {
		dirs, err := t.folders(ctx, path.Join(root, t.Schema.Prefix()))
		if err != nil {
			return nil, fmt.Errorf("list partitions of %s: %w", t.Schema.Name, err)
		}
		for _, dir := range dirs {
			_, value, _ := strings.Cut(path.Base(dir), "=")
			if day := strings.ReplaceAll(value, "-", ""); t.Schema.PartitionDir(day) == path.Base(dir) {
				days[day] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(days)), nil
}

// Published returns the manifests of all published days, by day, and
// the damage of the manifests of others. It looks at no files.
func (t *Table) Published(ctx context.Context) (all []*Manifest, damaged []*DamageError, err error) {
	return t.published(ctx, t.parseManifest, func(string) bool { return true })
}

// Heads is Published, of the days that are wanted, for readers of compact files: manifests that list such may lack Files, Rows
// and Bytes.
func (t *Table) Heads(ctx context.Context, wanted func(day string) bool) (all []*Manifest, damaged []*DamageError, err error) {
	return t.published(ctx, t.parseHead, wanted)
}

func (t *Table) published(ctx context.Context, parse func([]byte) (*Manifest, error), wanted func(day string) bool) (all []*Manifest, damaged []*DamageError, err error) {
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
		case missing(err): // a folder of somebody else's, or one being published for the first time
			damaged = append(damaged, t.withoutManifest(ctx, day)...)
		case err != nil:
			return nil, nil, err
		default:
			all = append(all, m)
		}
	}
	return all, damaged, nil
}

// Unusable reports whether an error of Partition means that the manifest can be
// read and cannot be used.
func Unusable(err error) bool { return errors.Is(err, errManifest) }

// unusable is the damage of a manifest.
func (t *Table) unusable(day string, err error) *DamageError {
	_, why, _ := strings.Cut(err.Error(), errManifest.Error()+": ")
	return t.damage(day, manifestName, "cannot be used (%s)", why)
}

// compareSizes compares the files in a partition's folder, and where they are to be
// read, with the manifest.
func (t *Table) compareSizes(ctx context.Context, m *Manifest) (found []*DamageError, err error) {
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
			if !t.rename && (!there || size != f.Bytes) { // the listing may be old
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

// readDir is the folder in which the files of a manifest are to be read.
func (t *Table) readDir(ctx context.Context, m *Manifest) string {
	return path.Clean(t.Paths(ctx, m)(""))
}

// Extra lists the files in a partition's folder that its manifest does not name, and that were
// not replaced a short while ago: pingmill does not read them, other engines do.
func (t *Table) Extra(ctx context.Context, m *Manifest) (names []string, err error) {
	dir := t.dir(m.Day) + "/"
	replaced := map[string]bool{} // those that stay for a while, in a bucket without folders
	if !t.rename {
		if k, err := t.readKept(ctx, m.Day); err == nil {
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
	if current, err := t.IsCurrent(ctx, m); err != nil || !current { // they are of another one
		return nil, err
	}
	return names, nil
}
