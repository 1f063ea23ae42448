// Package filecheck reads all files of an installation and compares them with their recorded checksums, once
// or in rounds.
package filecheck

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/site"
)

// Options select the files that Check reads.
type Options struct {
	Tables  []string
	Days    []string // YYYYMMDD; nil: all
	Archive bool     // also those of the archive
	// Found is called with each damaged file, never concurrently; the error contains the remedy.
	Found func(error)
}

// Result is the result of Check.
type Result struct {
	Files int
	Bytes int64
	Bad   int
}

// Check compares files with their manifests and load records: names, sizes and, by reading the files completely,
// hashes. It writes damage records for tables, so that status shows the damage and a run repairs it.
func Check(ctx context.Context, s *site.Site, o Options) (c Result, err error) {
	units, err := filesOf(s).units(ctx, o)
	if err != nil {
		return c, err
	}
	var mu sync.Mutex
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for _, u := range units {
		group.Go(func() error {
			return u.check(ctx, nil, func(err error) {
				mu.Lock()
				defer mu.Unlock()
				c.Bad++
				o.Found(err)
			})
		})
		c.Files, c.Bytes = c.Files+u.files, c.Bytes+u.bytes
	}
	return c, group.Wait()
}

// fileUnit is a group of files that are checked together: a partition, or a file of the archive.
type fileUnit struct {
	key   string // its place in a round
	files int
	bytes int64
	// check reads the files and reports the damage.
	check func(ctx context.Context, pace func(n int) error, found func(error)) error
}

// files checks the files of an installation.
type files struct {
	data   *site.Data
	rounds string // file with how far a round is, and the damage records of the archive
}

func filesOf(s *site.Site) *files {
	return &files{&s.Data, filepath.Join(s.Temp, "files-checked.json")}
}

// units lists all units of files, by key.
func (f *files) units(ctx context.Context, o Options) (units []fileUnit, err error) {
	for _, name := range o.Tables {
		lt, err := f.data.Table(name)
		if err != nil {
			return nil, err
		}
		manifests, damaged, err := lt.Published(ctx)
		if err != nil {
			return nil, err
		}
		for _, m := range manifests {
			units = append(units, fileUnit{"table " + name + " " + m.Day, len(m.All()), lake.SizeOf(m.All()), checkPartition(lt, m.Day)})
		}
		for _, d := range damaged {
			units = append(units, fileUnit{"table " + name + " " + d.Day, 1, 0, checkPartition(lt, d.Day)})
		}
	}
	units = slices.DeleteFunc(units, func(u fileUnit) bool {
		return o.Days != nil && !slices.Contains(o.Days, u.key[strings.LastIndexByte(u.key, ' ')+1:])
	})
	if o.Archive {
		more, err := f.archiveUnits(ctx, o.Days)
		if err != nil {
			return nil, err
		}
		units = append(units, more...)
	}
	slices.SortFunc(units, func(a, b fileUnit) int { return strings.Compare(a.key, b.key) })
	return units, nil
}

func (f *files) archiveUnits(ctx context.Context, days []string) (units []fileUnit, err error) {
	all, damage, err := archive.Files(ctx, f.data.Archive)
	if err != nil {
		return nil, err
	}
	for _, d := range damage {
		if days == nil || slices.Contains(days, string(d.Day)) {
			units = append(units, fileUnit{"archive " + d.Name, 1, 0, func(_ context.Context, _ func(int) error, found func(error)) error {
				found(d)
				return nil
			}})
		}
	}
	for _, a := range all {
		if days == nil || slices.Contains(days, a.Day) {
			units = append(units, fileUnit{"archive " + a.Name, 1, a.Bytes, f.checkOf(a)})
		}
	}
	return units, nil
}

// checkOf returns the check of a file of the archive. It records damage, for status.
func (f *files) checkOf(a archive.LoadFile) func(context.Context, func(int) error, func(error)) error {
	return func(ctx context.Context, pace func(int) error, found func(error)) error {
		err := archive.CheckHash(ctx, f.data.Archive, a, pace)
		var d *archive.DamageError
		if !errors.As(err, &d) {
			return err
		}
		found(d)
		_ = f.recordDamage(ctx, d) // a user without the right to write gets the finding alone
		return nil
	}
}

// extraError is a file in a partition's folder that no manifest names.
type extraError struct{ name, table, day string }

func (e *extraError) Error() string {
	return fmt.Sprintf("file %s in the folder of %s, day %s, is in no manifest, but other engines read it: remove it", e.name, e.table, e.day)
}

// checkPartition returns the check of a partition, as published when the check runs.
func checkPartition(lt *lake.Table, day string) func(context.Context, func(int) error, func(error)) error {
	return func(ctx context.Context, pace func(int) error, found func(error)) error {
		m, damage, err := lt.Look(ctx, day)
		if errors.Is(err, fs.ErrNotExist) {
			err = nil // expired meanwhile, or without its manifest
		}
		if err != nil {
			return err
		}
		report := func(d *lake.DamageError) {
			d.Force = lt.RecordDamage(ctx, m, d) != nil
			found(d)
		}
		for _, d := range damage {
			report(d)
		}
		if m == nil {
			return nil
		}
		for _, f := range m.All() {
			if slices.ContainsFunc(damage, func(d *lake.DamageError) bool { return d.File == f.Name }) {
				continue
			}
			err := lt.Hash(ctx, m, f, pace)
			d, is := lake.Damage(err)
			if !is && err != nil {
				return err
			}
			if !is {
				continue
			}
			if current, err := lt.IsCurrent(ctx, m); current || err != nil {
				report(d)
			}
		}
		extra, err := lt.Extra(ctx, m)
		for _, name := range extra {
			found(&extraError{name, lt.Schema.Name, day})
		}
		return err
	}
}
