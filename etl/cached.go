package etl

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/lake/fetch"
	"github.com/pingmill/pingmill/store"
)

// ErrReplaced means that a file was replaced or removed after it was listed; its rows are in another file or deleted.
var ErrReplaced = errors.New("it was replaced since it was listed")

// cachedFile describes a bucket's file for the cache. Its place contains the checksum from the manifest, so
// other content has another place. Compact files of a partition that are read together share a folder.
func cachedFile(lt *lake.Table, m *lake.Manifest, f lake.File) fetch.File {
	content := []string{f.SHA256}
	if slices.ContainsFunc(m.Compact, func(c lake.File) bool { return c.Name == f.Name }) {
		content = nil
		for _, c := range m.Compact {
			content = append(content, c.Name, c.SHA256)
		}
	}
	name, prefix := lt.Path(m.Day, f.Name), lt.Schema.Prefix()
	return fetch.File{
		Bucket: lt.Bucket(), Name: name, Size: f.Bytes,
		Place: path.Join(prefix, fetch.Key(content...), strings.TrimPrefix(name, prefix+"/")),
	}
}

// bring fetches the needed parts of the days' files into the cache, for files in buckets.
func (p *PublishedFiles) bring(ctx context.Context, days []*publishedDay, files map[*publishedDay][]lake.File, columns []string) error {
	var all []fetch.File
	for _, d := range days {
		if d.cached {
			for _, f := range files[d] {
				all = append(all, cachedFile(d.table, d.manifest, f))
			}
		}
	}
	if len(all) == 0 {
		return nil
	}
	err := p.cache.Bring(ctx, all, columns)
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, d := range days {
		if current, e := d.table.IsCurrent(ctx, d.manifest); d.cached && e == nil && !current {
			return fmt.Errorf("%w: %w", ErrReplaced, err)
		}
	}
	for _, d := range days { // a published file is missing
		for _, f := range files[d] {
			if !d.cached {
				continue
			}
			if damage := d.table.Lost(ctx, d.manifest, f); damage != nil {
				return p.recordDamage(ctx, d, damage)
			}
		}
	}
	return fmt.Errorf("%w: %w", ErrReplaced, err)
}

// verifyCached compares the cached parts of files with their checksums. A part that is damaged in the cache
// is fetched again once.
func (p *PublishedFiles) verifyCached(ctx context.Context, d *publishedDay, files []lake.File, columns []string) error {
	if d.records {
		if err := d.table.Recorded(ctx, d.manifest, files); err != nil {
			return err
		}
	}
	b, err := store.OpenLocal(p.cache.Dir(), store.AsIs())
	if err != nil {
		return err
	}
	view := lake.Open(b, d.table.Schema)
	view.Partial = true
	for again := false; ; again = true {
		var file lake.File
		place := func(name string) string {
			at := slices.IndexFunc(d.manifest.All(), func(f lake.File) bool { return f.Name == name })
			return cachedFile(d.table, d.manifest, d.manifest.All()[at]).Place
		}
		err := p.verifier.VerifyAt(ctx, view, d.manifest, place, files, columns)
		damage, is := lake.Damage(err)
		if !is || again {
			return err
		}
		at := slices.IndexFunc(files, func(f lake.File) bool { return f.Name == damage.File })
		if file = files[max(0, at)]; at < 0 {
			return err
		}
		if err := p.cache.Drop(cachedFile(d.table, d.manifest, file)); err != nil {
			return err
		}
		if err := p.bring(ctx, []*publishedDay{d}, map[*publishedDay][]lake.File{d: {file}}, columns); err != nil {
			return err
		}
	}
}
