package archive

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/archive/rowfile"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
)

// Audit lists damaged and unusual files of the archive, by the names and sizes of
// its files and the records of its loads.
type Audit struct {
	Damage  []*DamageError
	Foreign []Foreign  // sorted by name
	Lost    []LoadFile // files that were given up, see Drop
}

// Foreign is an object that the archive did not create or does not count. Readers ignore it.
type Foreign struct {
	Name string `json:"name"`
	What string `json:"what"` // such as "is a symbolic link"
}

// AuditNames checks the names of the files of days, or of all days if days is nil, and the records of their
// loads and of loads without files. It does not read files.
func AuditNames(ctx context.Context, b store.Bucket, days []ping.Day) (*Audit, error) {
	if r, ok := b.(Refresher); ok {
		b = r.Fresh() // what is remembered may be old, and much
	}
	a := &auditor{bucket: b, loads: map[string]*Load{}}
	for _, k := range []Kind{KindPings, KindErrors} {
		if days == nil {
			a.folders = append(a.folders, k.Dir()+"/")
		}
		for _, day := range days {
			a.folders = append(a.folders, partition{day: day, kind: k.kind()}.dayDir())
		}
	}
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

	bucket  store.Bucket
	folders []string         // that are looked through, with a slash at the end
	loads   map[string]*Load // that were read; nil: it has no record, or a damaged one
}

func (a *auditor) damage(ctx context.Context) (err error) {
	a.Damage, err = damageBelow(ctx, a.bucket, a.folders)
	return err
}

// load reads a record once.
func (a *auditor) load(ctx context.Context, name string) (*Load, error) {
	if l, known := a.loads[name]; known {
		return l, nil
	}
	l, _, err := Loaded(ctx, a.bucket, name)
	var bad *recordError
	if errors.As(err, &bad) {
		l, err = nil, nil
		if !slices.ContainsFunc(a.Damage, func(d *DamageError) bool { return d.Load == name && d.File == nil }) {
			a.Damage = append(a.Damage, damagedRecord(name, partition{kind: rowfile.Pings}, bad.reason))
		}
	}
	a.loads[name] = l
	return l, err
}

// records reads those that no day leads to.
func (a *auditor) records(ctx context.Context) error {
	indexed, err := indexedLoads(ctx, a.bucket)
	if err != nil {
		return err
	}
	for e, err := range a.bucket.List(ctx, naming.Loads+"/") {
		if err != nil {
			return err
		}
		load := naming.LoadOfRecord(e.Name)
		if !strings.HasSuffix(e.Name, ".json") || naming.CheckLoad(load) != nil {
			a.Foreign = append(a.Foreign, Foreign{e.Name, "is no record of a load"})
			continue
		}
		if indexed[load] {
			continue
		}
		l, err := a.load(ctx, load)
		if err != nil {
			return err
		}
		if l != nil {
			a.Lost = append(a.Lost, l.Lost...)
		}
	}
	return nil
}

// indexedLoads returns the loads that are in the index.
func indexedLoads(ctx context.Context, b store.Bucket) (map[string]bool, error) {
	loads := map[string]bool{}
	for e, err := range b.List(ctx, naming.Index+"/") {
		if err != nil {
			return nil, err
		}
		loads[path.Base(e.Name)] = true
	}
	return loads, nil
}

// files finds data files that no load names.
func (a *auditor) files(ctx context.Context) error {
	staged, err := stagedLoads(ctx, a.bucket)
	if err != nil {
		return err
	}
	for _, folder := range a.folders {
		for e, err := range a.bucket.List(ctx, folder) {
			if err != nil {
				return err
			}
			load, ok := naming.LoadOf(e.Name)
			if !ok || naming.CheckLoad(load) != nil {
				a.Foreign = append(a.Foreign, Foreign{e.Name, "is no file of the archive"})
				continue
			}
			l, err := a.load(ctx, load)
			if err != nil {
				return err
			}
			named := l != nil && slices.ContainsFunc(l.Files, func(f LoadFile) bool { return f.Name == e.Name })
			if !named && !staged[load] && !a.damagedLoad(load) {
				a.Foreign = append(a.Foreign, Foreign{e.Name, "does not count: no load names it"})
			}
		}
	}
	return nil
}

func (a *auditor) damagedLoad(load string) bool {
	return slices.ContainsFunc(a.Damage, func(d *DamageError) bool { return d.Load == load && d.File == nil })
}

// links finds what is no regular file where the archive is a folder of this
// machine. Folders may be links, to another disk.
func (a *auditor) links(ctx context.Context) error {
	root, ok := store.LocalDir(a.bucket)
	if !ok {
		return nil
	}
	for _, dir := range append(a.folders, naming.Loads) {
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

// stagedLoads returns the loads in the making, whose files may be in place already.
func stagedLoads(ctx context.Context, b store.Bucket) (map[string]bool, error) {
	loads := map[string]bool{}
	for owner, err := range store.Children(ctx, b, naming.Staging) {
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
