package lake

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/store"
)

// Grace is for how long the files of a generation stay after another one has
// taken its place, for those who began to read before. The zero value keeps
// nothing.
type Grace struct {
	For time.Duration
	// InBucket is that time in a bucket without folders: there replaced files stay
	// in the partition's folder, and engines that list it read them as well. With a
	// Holder it is For.
	InBucket time.Duration
	Now      func() time.Time
}

// Holder knows who else reads files of the lake, such as the snapshots of a table
// format. Without one nobody does.
type Retainer interface {
	// Holds returns those of the files, named as in manifests, of a day of a table
	// that somebody may still read. No manifest names them any more, and their time of grace is
	// over. After an error all of them stay, and it is asked again later.
	Holds(ctx context.Context, t *schema.Table, day string, files []string) (held []string, err error)
}

// grace is for how long replaced files stay; none says that they go at once.
func (t *Table) grace() (stay time.Duration, none bool) {
	stay = t.Grace.For
	if !t.rename && t.Retainer == nil {
		stay = t.Grace.InBucket
	}
	return stay, t.Grace.Now == nil || stay <= 0 && t.Retainer == nil
}

// noGrace says that replaced files go at once.
func (t *Table) noGrace() bool {
	_, none := t.grace()
	return none
}

// keep makes the files of a staged generation, but for those in kept, which are
// there, available where readers find them also when it is replaced, and removes
// what was replaced long ago. now is what is published. Without hard links in the
// bucket nothing is kept.
func (t *Table) keep(ctx context.Context, staged string, m, now *Manifest, kept []File) error {
	if t.noGrace() {
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
	dir   string           // where the files are
	sizes map[string]int64 // of the files that are there

	recorded bool // there is a record
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
	k := &keptDay{keptRecord: r, table: t, day: day, dir: t.keptDir(day), sizes: map[string]int64{}, recorded: !missing(err)}
	if !t.rename {
		k.dir = t.dir(day)
	}
	if k.Format = keptFormat; k.Whole == nil {
		k.Whole = map[string]time.Time{}
	}
	if k.Replaced == nil {
		k.Replaced = map[string]replacedFile{}
	}
	for e, err := range t.bucket.List(ctx, k.dir+"/") {
		if err != nil {
			return nil, err
		}
		if name := strings.TrimPrefix(e.Name, k.dir+"/"); name != keptName && name != manifestName {
			k.sizes[name] = e.Size
		}
	}
	if !t.rename { // the listing may lack some
		for name, f := range k.Replaced {
			k.sizes[name] = cmp.Or(k.sizes[name], f.Bytes)
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
	gone := k.over(ctx, at)
	for _, name := range gone {
		delete(k.Replaced, name)
	}
	stay, _ := k.table.grace()
	for g, since := range k.Whole {
		if !since.IsZero() && at.Sub(since) >= stay {
			delete(k.Whole, g)
		}
	}
	if err := k.write(ctx); err != nil {
		return err
	}
	return k.remove(ctx, gone)
}

// over are the replaced files whose time is over and that nobody holds.
func (k *keptDay) over(ctx context.Context, at time.Time) (names []string) {
	stay, _ := k.table.grace()
	for _, name := range slices.Sorted(maps.Keys(k.Replaced)) {
		if f := k.Replaced[name]; f.Due || at.Sub(f.Since) >= stay {
			names = append(names, name)
		}
	}
	return k.table.released(ctx, k.day, names)
}

// released are those of some replaced files that nobody holds. If that cannot be known it
// is none: the lake does not wait for who reads it.
func (t *Table) released(ctx context.Context, day string, names []string) []string {
	if t.Retainer == nil || len(names) == 0 {
		return names
	}
	held, err := t.Retainer.Holds(ctx, t.Schema, day, names)
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(names, func(name string) bool { return slices.Contains(held, name) })
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
			f := k.Replaced[name]
			replaced[name] = replacedFile{
				Since: since(f.Since, published[name]), Bytes: size,
				Due: f.Due && !published[name], Stray: !published[name] && k.stray(name),
			}
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
		if err := k.table.bucket.Delete(ctx, path.Join(k.dir, name)); err != nil {
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
