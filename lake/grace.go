package lake

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/pingmill/pingmill/store"
)

// Grace is for how long the files of a generation stay after another one has
// taken its place, for those who began to read before. The zero value keeps
// nothing.
type Grace struct {
	For time.Duration
	Now func() time.Time
}

func (g Grace) none() bool { return g.For <= 0 || g.Now == nil }

// keep makes the files of a staged generation, but for those in kept, which are
// there, available where readers find them also when it is replaced, and removes
// what was replaced long ago. now is what is published. Without hard links in the
// bucket nothing is kept.
func (t *Table) keep(ctx context.Context, staged string, m, now *Manifest, kept []File) error {
	if t.Grace.none() {
		return nil
	}
	k, err := t.lookKept(ctx, m.Day)
	if err != nil {
		return err
	}
	there := map[string]bool{}
	for _, f := range kept {
		_, there[f.Name] = k.sizes[f.Name]
	}
	var names []string
	for _, f := range m.All() {
		if !there[f.Name] {
			names = append(names, f.Name)
		}
	}
	dir := t.keptDir(m.Day)
	if err := store.MakeDir(ctx, t.bucket, dir); err != nil {
		return err
	}
	if err := store.LinkAll(ctx, t.bucket, staged, dir, names); errors.Is(err, errors.ErrUnsupported) {
		return nil
	} else if err != nil {
		return fmt.Errorf("keep the files for readers: %w", taken(err))
	}
	k.Whole[m.Generation] = time.Time{}
	return k.settle(ctx, m, now)
}

// keptDay is what is kept of a day.
type keptDay struct {
	keptRecord

	table *Table
	day   string
	sizes map[string]int64 // of the files that are there
}

// lookKept looks at what is kept of a day. A record that is missing or cannot be
// read is an empty one.
func (t *Table) lookKept(ctx context.Context, day string) (*keptDay, error) {
	r, err := t.readKept(ctx, day)
	switch {
	case missing(err), errors.Is(err, errManifest):
		r = keptRecord{}
	case err != nil:
		return nil, err
	}
	k := &keptDay{keptRecord: r, table: t, day: day, sizes: map[string]int64{}}
	if k.Format = keptFormat; k.Whole == nil {
		k.Whole = map[string]time.Time{}
	}
	if k.Replaced == nil {
		k.Replaced = map[string]replacedFile{}
	}
	dir := t.keptDir(day) + "/"
	for e, err := range t.bucket.List(ctx, dir) {
		if err != nil {
			return nil, err
		}
		if name := strings.TrimPrefix(e.Name, dir); name != keptName {
			k.sizes[name] = e.Size
		}
	}
	return k, nil
}

// settle records the files that are replaced when m is published, and removes
// those whose time is over. now is the generation that is still published: its
// time begins.
func (k *keptDay) settle(ctx context.Context, m, now *Manifest) error {
	at := k.table.Grace.Now()
	k.record(at, m, now)
	over := func(since time.Time) bool { return at.Sub(since) >= k.table.Grace.For }
	var gone []string
	for name, f := range k.Replaced {
		if over(f.Since) {
			gone = append(gone, name)
			delete(k.Replaced, name)
		}
	}
	for g, since := range k.Whole {
		if !since.IsZero() && over(since) {
			delete(k.Whole, g)
		}
	}
	if err := k.write(ctx); err != nil {
		return err
	}
	return k.remove(ctx, gone)
}

// record records since when the files of the folder are replaced.
func (k *keptDay) record(at time.Time, m, now *Manifest) {
	mine, published := fileNames(m), fileNames(now)
	since := func(recorded time.Time, published bool) time.Time {
		if published || recorded.IsZero() || recorded.After(at) { // clocks have been wrong before
			return at
		}
		return recorded
	}
	replaced := map[string]replacedFile{}
	for name, size := range k.sizes {
		if !mine[name] {
			replaced[name] = replacedFile{since(k.Replaced[name].Since, published[name]), size}
		}
	}
	k.Replaced = replaced
	for g, recorded := range k.Whole {
		k.Whole[g] = since(recorded, now != nil && g == now.Generation)
		if m != nil && g == m.Generation {
			k.Whole[g] = time.Time{}
		}
	}
}

func (k *keptDay) write(ctx context.Context) error {
	b, err := json.Marshal(&k.keptRecord)
	if err != nil {
		return fmt.Errorf("encode what is kept: %w", err)
	}
	return store.WriteFileIn(ctx, k.table.bucket, k.table.keptDir(k.day), keptName, append(b, '\n'))
}

// remove removes files.
func (k *keptDay) remove(ctx context.Context, names []string) error {
	for _, name := range names {
		if err := k.table.bucket.Delete(ctx, path.Join(k.table.keptDir(k.day), name)); err != nil {
			return err
		}
		delete(k.sizes, name)
	}
	return nil
}

// fileNames are the files of a manifest, which may be nil.
func fileNames(m *Manifest) map[string]bool {
	names := map[string]bool{}
	if m != nil {
		for _, f := range m.All() {
			names[f.Name] = true
		}
	}
	return names
}
