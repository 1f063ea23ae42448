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

// Grace defines how long the files of a generation remain after another one has replaced it, for readers that
// began earlier. The zero value deletes them at once.
type Grace struct {
	For time.Duration
	// InBucket is the period in a bucket without folders. There, replaced files remain in the partition's
	// folder, and engines that list it read them too. If the table has a Retainer, For applies instead.
	InBucket time.Duration
	Now      func() time.Time
}

// Retainer protects files of the lake that other readers still use, such as the snapshots of a table format.
type Retainer interface {
	// Holds returns the files, named as in manifests, of a table's day that somebody may still read. No
	// manifest names these files any more and their grace period is over. After an error all of them remain,
	// and Holds is called again later.
	Holds(ctx context.Context, t *schema.Table, day string, files []string) (held []string, err error)
	// Release has the readers of some tables turn to what is published, so that they need no replaced files. It logs what it
	// could not do.
	Release(ctx context.Context, tables []string)
}

// grace returns the grace period; none reports whether replaced files are deleted at once.
func (t *retainedFiles) grace() (stay time.Duration, none bool) {
	stay = t.Grace.For
	if !t.rename && t.Retainer == nil {
		stay = t.Grace.InBucket
	}
	return stay, t.Grace.Now == nil || stay <= 0 && t.Retainer == nil
}

// noGrace reports whether replaced files are deleted at once.
func (t *retainedFiles) noGrace() bool {
	_, none := t.grace()
	return none
}

// keep links the files of a staged generation, except those in unchanged, which are already linked, into the folder of
// retained files, where readers find them even after a replacement. It also removes files whose grace period is over.
// now is the published manifest. If the bucket has no hard links, keep does nothing.
func (t *retainedFiles) keep(ctx context.Context, staged string, m, now *Manifest, unchanged []File) error {
	if t.noGrace() {
		return nil
	}
	k, err := t.lookRetained(ctx, m.Day)
	if err != nil {
		return err
	}
	there := map[string]bool{}
	for _, f := range unchanged {
		_, there[f.Name] = k.sizes[f.Name]
	}
	var names []string
	for _, f := range m.All() {
		if !there[f.Name] {
			names = append(names, f.Name)
		}
	}
	dir := t.retainedDir(m.Day)
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

// retainedDay is the content of a day's folder of retained files.
type retainedDay struct {
	retainedRecord

	files *retainedFiles
	day   string
	dir   string           // folder of the files
	sizes map[string]int64 // sizes in bytes, by name

	recorded bool // a record exists
}

// lookRetained reads a day's record and lists its retained files. A missing or unreadable record counts as empty.
func (t *retainedFiles) lookRetained(ctx context.Context, day string) (*retainedDay, error) {
	r, err := t.readRetained(ctx, day)
	switch {
	case missing(err), errors.Is(err, errManifest):
		r = retainedRecord{}
	case err != nil:
		return nil, err
	}
	k := &retainedDay{retainedRecord: r, files: t, day: day, dir: t.retainedDir(day), sizes: map[string]int64{}, recorded: !missing(err)}
	if !t.rename {
		k.dir = t.dir(day)
	}
	if k.Format = retainedFormat; k.Whole == nil {
		k.Whole = map[string]time.Time{}
	}
	if k.Replaced == nil {
		k.Replaced = map[string]replacedFile{}
	}
	for e, err := range t.bucket.List(ctx, k.dir+"/") {
		if err != nil {
			return nil, err
		}
		if name := strings.TrimPrefix(e.Name, k.dir+"/"); name != retainedName && name != manifestName {
			k.sizes[name] = e.Size
		}
	}
	if !t.rename { // the listing may be stale
		for name, f := range k.Replaced {
			k.sizes[name] = cmp.Or(k.sizes[name], f.Bytes)
		}
	}
	return k, nil
}

// settle records the files that m replaces and removes those whose grace period is over. The period of now,
// the generation that is still published, begins.
func (k *retainedDay) settle(ctx context.Context, m, now *Manifest) error {
	at := k.files.Grace.Now()
	k.record(at, m, now)
	expired := k.over(ctx, at)
	for _, name := range expired {
		delete(k.Replaced, name)
	}
	stay, _ := k.files.grace()
	for g, since := range k.Whole {
		if !since.IsZero() && at.Sub(since) >= stay {
			delete(k.Whole, g)
		}
	}
	if err := k.write(ctx); err != nil {
		return err
	}
	return k.remove(ctx, expired)
}

// over returns the replaced files whose grace period is over and that the Retainer does not hold.
func (k *retainedDay) over(ctx context.Context, at time.Time) (names []string) {
	stay, _ := k.files.grace()
	for _, name := range slices.Sorted(maps.Keys(k.Replaced)) {
		if f := k.Replaced[name]; f.Due || at.Sub(f.Since) >= stay {
			names = append(names, name)
		}
	}
	return k.files.released(ctx, k.day, names)
}

// released returns the files that the Retainer does not hold, or none if the Retainer fails: the lake does
// not wait for it.
func (t *retainedFiles) released(ctx context.Context, day string, names []string) []string {
	if t.Retainer == nil || len(names) == 0 {
		return names
	}
	held, err := t.Retainer.Holds(ctx, t.Schema, day, names)
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(names, func(name string) bool { return slices.Contains(held, name) })
}

// record updates the time since when each file in the folder has been replaced.
func (k *retainedDay) record(at time.Time, m, now *Manifest) {
	mine, published := fileNames(m), fileNames(now)
	since := func(recorded time.Time, published bool) time.Time {
		if published || recorded.IsZero() || recorded.After(at) { // a clock was wrong before
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

func (k *retainedDay) write(ctx context.Context) error {
	b, err := json.Marshal(&k.retainedRecord)
	if err != nil {
		return fmt.Errorf("encode what is kept: %w", err)
	}
	return store.WriteFileIn(ctx, k.files.bucket, k.files.retainedDir(k.day), retainedName, append(b, '\n'))
}

// remove deletes files.
func (k *retainedDay) remove(ctx context.Context, names []string) error {
	for _, name := range names {
		if err := k.files.bucket.Delete(ctx, path.Join(k.dir, name)); err != nil {
			return err
		}
		delete(k.sizes, name)
	}
	return nil
}

// fileNames returns the set of file names of a manifest, which may be nil.
func fileNames(m *Manifest) map[string]bool {
	names := map[string]bool{}
	if m != nil {
		for _, f := range m.All() {
			names[f.Name] = true
		}
	}
	return names
}
