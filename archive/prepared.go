package archive

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"path"
	"slices"

	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/archive/rowfile"
	"github.com/pingmill/pingmill/store"
)

// writePrepared writes the prepared rows of the stage's n-th file, if all of its rows have some.
func (w *Writer) writePrepared(b *buffer, n int, data rowfile.Written) (is bool, err error) {
	if w.opts.Prepared == nil || !b.Prepared() {
		return false, nil
	}
	out, err := w.stage.bucket.Create(w.ctx, w.stage.prepared(n))
	if err != nil {
		return false, err
	}
	defer out.Abort()
	if is, err = b.WritePrepared(out, data, w.opts.Prepared(b.docType)); !is || err != nil {
		return false, err
	}
	return true, out.Commit()
}

func (s stage) prepared(n int) string { return fmt.Sprintf("%s/%06d.rows", s.dir, n) }

// placePrepared gives the prepared rows of a staged file their name. If they are missing the file is used without.
func (s stage) placePrepared(ctx context.Context, n int, f *LoadFile) error {
	name, ok := naming.PreparedOf(f.Name)
	if !f.Prepared || !ok {
		return nil
	}
	from := s.prepared(n)
	err := store.Rename(ctx, s.bucket, from, name)
	if errors.Is(err, errors.ErrUnsupported) {
		err = store.Copy(ctx, s.bucket, from, name)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil // placed before, or lost
	}
	return err
}

// deletePrepared deletes the prepared rows of files that no longer count. Most days have none, so they are listed first.
func deletePrepared(ctx context.Context, b store.Bucket, files []string) error {
	days, prepared := map[string]bool{}, map[string]bool{}
	for _, file := range files {
		if name, ok := naming.PreparedOf(file); ok {
			prepared[name] = true
			days[path.Dir(path.Dir(name))+"/"] = true
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(days)) {
		for e, err := range b.List(ctx, dir) {
			if err != nil {
				return fmt.Errorf("list prepared rows: %w", err)
			}
			if !prepared[e.Name] {
				continue
			}
			if err := b.Delete(ctx, e.Name); err != nil {
				return fmt.Errorf("delete prepared rows: %w", err)
			}
		}
	}
	return nil
}

// PreparedPings yields what Pings yields. But pings of files with prepared rows of the wanted table come with these instead
// of their document, which is not read. An error that is a rowfile.PreparedError means that prepared rows were damaged: Pings yields
// the same pings.
func (d *Day) PreparedPings(ctx context.Context, lo, hi int, rows *rowfile.Preparations) iter.Seq2[*Ping, error] {
	return func(yield func(*Ping, error) bool) {
		files := make([]*rowfile.File, len(d.files))
		for i, f := range d.files {
			files[i] = f.rows
		}
		var p Ping
		for r, err := range d.pools.MergePrepared(ctx, d.bucket, files, rows, lo, hi) {
			if err != nil {
				yield(nil, err)
				return
			}
			p = Ping{Meta: r.Meta, Body: r.Body, Prepared: r.Prepared, Place: r.Place}
			if !yield(&p, nil) {
				return
			}
		}
	}
}
