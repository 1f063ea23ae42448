package lake

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

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
func (g *Generation) Publish(ctx context.Context, m Manifest, base *Manifest) error {
	t := g.table
	m.Format, m.Table, m.Version = manifestFormat, t.Schema.Name, t.Schema.Version
	m.Day, m.Generation, m.Columns = g.day, g.name, Fingerprint(t.Schema.Columns)
	if err := g.keep(ctx, &m, base); err != nil {
		return err
	}
	m.sum()
	if err := g.tidy(ctx, &m); err != nil {
		return fmt.Errorf("publish %s %s: %w", t.Schema.Name, g.day, err)
	}
	if err := t.writeManifest(ctx, g.dir, &m); err != nil {
		return fmt.Errorf("publish %s %s: %w", t.Schema.Name, g.day, err)
	}
	if t.rename {
		if err := t.swap(ctx, g.day, g.dir); err != nil {
			return fmt.Errorf("publish %s %s: %w", t.Schema.Name, g.day, err)
		}
		return nil
	}
	return g.deleteOld(ctx, &m)
}

// keep takes over the parts of the base that this generation does not make.
func (g *Generation) keep(ctx context.Context, m, base *Manifest) error {
	if base == nil {
		return nil
	}
	for _, p := range base.Parts {
		if replaced(m.Parts, p) {
			continue
		}
		m.Parts = append(m.Parts, p)
		for _, f := range base.Files {
			if f.Lo < p.Lo || f.Hi > p.Hi {
				continue
			}
			m.Files = append(m.Files, f)
			if !g.table.rename {
				continue
			}
			if err := store.Link(ctx, g.table.bucket, g.table.Path(g.day, f.Name), path.Join(g.dir, f.Name)); err != nil {
				return fmt.Errorf("publish %s %s: keep %s: %w", g.table.Schema.Name, g.day, f.Name, err)
			}
		}
	}
	return nil
}

// replaced says whether one of the parts covers samples of p.
func replaced(parts []Part, p Part) bool {
	for _, q := range parts {
		if q.Lo <= p.Hi && p.Lo <= q.Hi {
			return true
		}
	}
	return false
}

// tidy removes from the generation's folder what the manifest does not list:
// notes, and files that tasks of a killed run began.
func (g *Generation) tidy(ctx context.Context, m *Manifest) error {
	if !g.table.rename {
		return nil // the folder is the published one
	}
	return deleteOthers(ctx, g.table.bucket, g.dir, m)
}

// deleteOld removes, from a published folder, all that is not of the manifest.
func (g *Generation) deleteOld(ctx context.Context, m *Manifest) error {
	if err := deleteOthers(ctx, g.table.bucket, g.dir, m); err != nil {
		return fmt.Errorf("remove old files of %s %s: %w", g.table.Schema.Name, g.day, err)
	}
	return nil
}

func deleteOthers(ctx context.Context, b store.Bucket, dir string, m *Manifest) error {
	listed := map[string]bool{manifestName: true}
	for _, f := range m.Files {
		listed[f.Name] = true
	}
	var others []string
	for e, err := range b.List(ctx, dir+"/") {
		if err != nil {
			return err
		}
		if !listed[strings.TrimPrefix(e.Name, dir+"/")] {
			others = append(others, e.Name)
		}
	}
	for _, name := range others {
		if err := b.Delete(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

// swap puts the staged folder in the place of the published one and removes
// that.
func (t *Table) swap(ctx context.Context, day, staged string) error {
	live := t.dir(day)
	_, err := t.readManifest(ctx, live)
	if missing(err) {
		// Nothing published: whatever else is there is no partition of ours.
		if err := store.DeleteTree(ctx, t.bucket, live); err != nil {
			return err
		}
		return store.Rename(ctx, t.bucket, staged, live)
	}
	if err = store.Exchange(ctx, t.bucket, staged, live); err == nil {
		return store.DeleteTree(ctx, t.bucket, staged)
	}
	if !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	// Without an exchange there is a moment with no partition. The staged folder
	// with its manifest is the record from which recover goes on.
	old := path.Join(t.stagingDir(day), oldName)
	if err := store.Rename(ctx, t.bucket, live, old); err != nil {
		return err
	}
	if err := store.Rename(ctx, t.bucket, staged, live); err != nil {
		return err
	}
	return store.DeleteTree(ctx, t.bucket, old)
}

// oldName is the staging folder of a partition that is being replaced.
const oldName = "old"

// recover finishes or cleans up after a publication that was cut short. A
// staged folder whose manifest is of the folder's own name was about to be
// published and is whole; one with another manifest is the replaced partition.
func (t *Table) recover(ctx context.Context, day string) error {
	if !t.rename {
		return nil
	}
	var dirs []string
	for e, err := range store.Children(ctx, t.bucket, t.stagingDir(day)) {
		if err != nil {
			return fmt.Errorf("recover %s %s: %w", t.Schema.Name, day, err)
		}
		dirs = append(dirs, strings.TrimSuffix(e.Name, "/"))
	}
	for _, dir := range dirs {
		if err := t.recoverDir(ctx, day, dir); err != nil {
			return fmt.Errorf("recover %s %s: %w", t.Schema.Name, day, err)
		}
	}
	return nil
}

func (t *Table) recoverDir(ctx context.Context, day, dir string) error {
	m, err := t.readManifest(ctx, dir)
	switch {
	case missing(err):
		return nil // in the making
	case err != nil:
		return err
	case m.Generation == path.Base(dir):
		return t.swap(ctx, day, dir)
	case path.Base(dir) != oldName:
		return store.DeleteTree(ctx, t.bucket, dir)
	}
	// The replaced partition: it is needed only while nothing is published.
	if _, err := t.readManifest(ctx, t.dir(day)); missing(err) {
		return nil
	}
	return store.DeleteTree(ctx, t.bucket, dir)
}
