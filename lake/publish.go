package lake

import (
	"context"
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/pingmill/pingmill/store"
)

// Publish makes the generation the partition that readers see, whole or not at
// all. The manifest's parts and files are those of this generation; base, if
// not nil, is the published manifest whose parts beside them stay.
//
// Where folders can be exchanged in one step, readers see the old or the new
// partition. On a bucket without folders the new files are there already, the
// manifest follows, then the old files go: pingmill's readers, who trust the
// manifest, see one generation, others may for that moment see both.
//
// After an error the old or the new generation is published; Begin or Recover
// finish or undo what is left.
func (g *Generation) Publish(ctx context.Context, m Manifest, base *Manifest) error {
	kept, err := m.keep(base)
	if err == nil {
		err = g.publish(ctx, g.sign(m), kept)
	}
	if err != nil {
		return fmt.Errorf("publish %s %s: %w", g.table.Schema.Name, g.day, err)
	}
	return nil
}

// Extend makes the generation the partition that readers see, as Publish does:
// the files of the manifest beside those of base, without the ones that grow for
// the edge. A partition so made has no parts: to a run it is not what it would
// make.
func (g *Generation) Extend(ctx context.Context, m Manifest, base *Manifest, edge string) error {
	var kept []File
	if base != nil {
		for _, f := range base.Files {
			if f.Growing != edge {
				kept = append(kept, f)
			}
		}
	}
	m.Parts, m.Files = nil, append(m.Files, kept...)
	if err := g.publish(ctx, g.sign(m), kept); err != nil {
		return fmt.Errorf("extend %s %s: %w", g.table.Schema.Name, g.day, err)
	}
	return nil
}

// sign says in the manifest what it is of.
func (g *Generation) sign(m Manifest) Manifest {
	t := g.table.Schema
	m.Format, m.Table, m.Version = manifestFormat, t.Name, t.Version
	m.Day, m.Generation, m.Columns = g.day, g.name, Fingerprint(t.Columns)
	return m
}

// publish publishes what the manifest lists, of which kept are files of the
// published generation.
func (g *Generation) publish(ctx context.Context, m Manifest, kept []File) error {
	t := g.table
	m.sum()
	if !t.rename {
		if err := t.writeManifest(ctx, g.dir, &m); err != nil {
			return err
		}
		return deleteOthers(ctx, t.bucket, g.dir, &m, nil)
	}
	if err := g.link(ctx, kept); err != nil {
		return err
	}
	// What is left besides the files of the manifest: notes, files that a killed
	// run began or that a part made of fewer files has no use for.
	if err := deleteOthers(ctx, t.bucket, g.dir, &m, nil); err != nil {
		return err
	}
	if err := store.Tidy(ctx, t.bucket, g.dir, time.Time{}); err != nil {
		return err
	}
	if err := t.writeManifest(ctx, g.dir, &m); err != nil {
		return err
	}
	return t.swap(ctx, g.dir, t.dir(g.day))
}

// link brings files of the published partition into this generation.
func (g *Generation) link(ctx context.Context, files []File) error {
	for _, f := range files {
		from, to := g.table.Path(g.day, f.Name), path.Join(g.dir, f.Name)
		if err := store.Link(ctx, g.table.bucket, from, to); err != nil {
			return fmt.Errorf("keep %s: %w", f.Name, err)
		}
	}
	return nil
}

// deleteOthers removes from a folder what the manifest does not list, except
// what keep, if not nil, is true for.
func deleteOthers(ctx context.Context, b store.Bucket, dir string, m *Manifest, keep func(file string) bool) error {
	others, err := namesBeside(ctx, b, dir, m, keep)
	if err != nil {
		return err
	}
	for _, name := range others {
		if err := b.Delete(ctx, name); err != nil {
			return fmt.Errorf("remove what is not of the generation: %w", err)
		}
	}
	return nil
}

// namesBeside lists what deleteOthers removes.
func namesBeside(ctx context.Context, b store.Bucket, dir string, m *Manifest, keep func(file string) bool) (others []string, err error) {
	listed := map[string]bool{manifestName: true}
	for _, f := range m.Files {
		listed[f.Name] = true
	}
	for e, err := range b.List(ctx, dir+"/") {
		if err != nil {
			return nil, err
		}
		file := strings.TrimPrefix(e.Name, dir+"/")
		if !listed[file] && (keep == nil || !keep(file)) {
			others = append(others, e.Name)
		}
	}
	return others, nil
}
