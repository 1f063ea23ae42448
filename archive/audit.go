package archive

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/store"
)

// Audit is what is wrong or odd in the archive, by the names and sizes of its
// files and the records of its loads.
type Audit struct {
	Damage  []*DamageError
	Foreign []Foreign  // sorted by name
	Lost    []LoadFile // files that were given up, see Drop
}

// Foreign is an object that the archive did not make, or does not count: readers
// leave it alone.
type Foreign struct {
	Name string `json:"name"`
	What string `json:"what"` // such as "is a symbolic link"
}

// AuditNames looks at the names of all files and at all records, and into no file.
func AuditNames(ctx context.Context, b store.Bucket) (*Audit, error) {
	a := &auditor{bucket: b, named: map[string]bool{}}
	for _, step := range []func(context.Context) error{a.damage, a.records, a.files, a.links} {
		if err := step(ctx); err != nil {
			return nil, fmt.Errorf("look through the archive: %w", err)
		}
	}
	slices.SortFunc(a.Foreign, func(x, y Foreign) int { return strings.Compare(x.Name, y.Name) })
	a.Foreign = slices.CompactFunc(a.Foreign, func(x, y Foreign) bool { return x.Name == y.Name })
	return &a.Audit, nil
}

type auditor struct {
	Audit

	bucket store.Bucket
	named  map[string]bool // files of loads, also replaced ones
}

func (a *auditor) damage(ctx context.Context) (err error) {
	a.Damage, err = Damage(ctx, a.bucket)
	return err
}

// records reads all records: those that the index does not know may be damaged, too.
func (a *auditor) records(ctx context.Context) error {
	for e, err := range a.bucket.List(ctx, loadsDir+"/") {
		if err != nil {
			return err
		}
		load := loadOfRecord(e.Name)
		if !strings.HasSuffix(e.Name, ".json") || checkLoad(load) != nil {
			a.Foreign = append(a.Foreign, Foreign{e.Name, "is no record of a load"})
			continue
		}
		l, ok, err := Loaded(ctx, a.bucket, load)
		var bad *recordError
		if errors.As(err, &bad) {
			if !slices.ContainsFunc(a.Damage, func(d *DamageError) bool { return d.Name == e.Name }) {
				a.Damage = append(a.Damage, damagedRecord(load, partition{kind: pingKind}, bad.reason))
			}
			continue
		}
		if err != nil {
			return err
		}
		for i := 0; ok && i < len(l.Files); i++ {
			a.named[l.Files[i].Name] = true
		}
		if ok {
			a.Lost = append(a.Lost, l.Lost...)
		}
	}
	return nil
}

// files finds data files that no load names.
func (a *auditor) files(ctx context.Context) error {
	staged, err := stagedLoads(ctx, a.bucket)
	if err != nil {
		return err
	}
	for _, dir := range []string{pingsDir, errorsDir} {
		for e, err := range a.bucket.List(ctx, dir+"/") {
			if err != nil {
				return err
			}
			load, ok := loadOf(e.Name)
			switch {
			case a.named[e.Name] || staged[load]:
			case !ok:
				a.Foreign = append(a.Foreign, Foreign{e.Name, "is no file of the archive"})
			default:
				done, err := a.committed(ctx, e.Name, load)
				if err != nil {
					return err
				}
				if !done {
					a.Foreign = append(a.Foreign, Foreign{e.Name, "does not count: no load names it"})
				}
			}
		}
	}
	return nil
}

// committed asks again for a load, which may have ended since all were listed.
func (a *auditor) committed(ctx context.Context, name, load string) (bool, error) {
	b := a.bucket
	if r, ok := b.(Refresher); ok {
		b = r.Fresh()
	}
	l, ok, err := Loaded(ctx, b, load)
	var bad *recordError
	if errors.As(err, &bad) {
		return true, nil // told as damage
	}
	return ok && slices.ContainsFunc(l.Files, func(f LoadFile) bool { return f.Name == name }), err
}

// links finds what is no regular file where the archive is a folder of this
// machine. Folders may be links, to another disk.
func (a *auditor) links(ctx context.Context) error {
	b := a.bucket
	if r, ok := b.(Refresher); ok {
		b = r.Fresh()
	}
	root, ok := store.LocalDir(b)
	if !ok {
		return nil
	}
	for _, dir := range []string{pingsDir, errorsDir, loadsDir} {
		err := filepath.WalkDir(filepath.Join(root, filepath.FromSlash(dir)), func(path string, e fs.DirEntry, err error) error {
			switch {
			case errors.Is(err, fs.ErrNotExist):
				return nil
			case err != nil:
				return err
			case ctx.Err() != nil:
				return ctx.Err()
			case e.IsDir() && filepath.Ext(path) != ".parquet" || e.Type().IsRegular():
				return nil
			}
			what := "is no regular file"
			if e.Type()&fs.ModeSymlink != 0 {
				if info, err := os.Stat(path); err == nil && info.IsDir() {
					return nil
				}
				what = "is a symbolic link"
			}
			name, err := filepath.Rel(root, path)
			a.Foreign = append(a.Foreign, Foreign{filepath.ToSlash(name), what})
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// stagedLoads are the loads in the making, whose files may be in place already.
func stagedLoads(ctx context.Context, b store.Bucket) (map[string]bool, error) {
	loads := map[string]bool{}
	for owner, err := range store.Children(ctx, b, stagingDir) {
		if err != nil {
			return nil, err
		}
		for s, err := range store.Children(ctx, b, strings.TrimSuffix(owner.Name, "/")) {
			if err != nil {
				return nil, err
			}
			l, err := readLoad(ctx, b, strings.TrimSuffix(s.Name, "/")+"/"+stageRecord)
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if err == nil {
				loads[l.ID] = true
			}
		}
	}
	return loads, nil
}
