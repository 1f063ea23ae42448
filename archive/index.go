package archive

import (
	"context"
	"fmt"
	"path"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
)

// The index says which loads have files of a day, so that a day is read without
// looking at the loads of all others, and missing files are found whatever
// the folder of the day has:
//
//	index/v1/pings/YYYYMMDD/LOAD
//	index/v1/errors/YYYYMMDD/LOAD	(none for no known day)
//	index/v1/complete
//
// Its objects have no content. They are written once a load is committed, so that
// one without a record means that the record was lost, and go when the files were
// replaced. Older versions of the program wrote none: without the last object the
// records of all loads are read instead.
const indexComplete = naming.Index + "/complete"

// indexed is a place of the index: the files of one kind and day.
type indexed struct {
	kind string
	day  string // "" when not known
}

func (f *LoadFile) indexed() indexed { return indexed{f.Kind, f.Day} }

func (i indexed) dir() string {
	day := i.day
	if day == "" {
		day = naming.NoDayScope
	}
	return naming.Index + "/" + i.kind + "/" + day
}

// indexFolder returns the index folder for the files below a prefix, which is the prefix of a day or of a kind.
func indexFolder(prefix string) string {
	kind, rest, _ := strings.Cut(prefix, "/v1/")
	day, isDay := strings.CutPrefix(rest, naming.DayKey)
	if !isDay {
		return naming.Index + "/" + kind + "/"
	}
	day, _, _ = strings.Cut(day, "/")
	if day == naming.NoDay {
		day = ""
	}
	return indexed{kind, day}.dir() + "/"
}

// addToIndex adds the days of a load's files, except of those that were replaced.
func addToIndex(ctx context.Context, b store.Bucket, l *Load, replaced map[string]bool) error {
	done := map[indexed]bool{}
	for i := range l.Files {
		at := l.Files[i].indexed()
		if done[at] || replaced[l.Files[i].Name] {
			continue
		}
		done[at] = true
		if err := store.WriteFile(ctx, b, at.dir()+"/"+l.ID, nil); err != nil {
			return fmt.Errorf("add load %s to the index: %w", l.ID, err)
		}
	}
	return nil
}

// removeFromIndex removes the entries of addToIndex.
func removeFromIndex(ctx context.Context, b store.Bucket, l *Load) error {
	for i := range l.Files {
		if err := b.Delete(ctx, l.Files[i].indexed().dir()+"/"+l.ID); err != nil {
			return fmt.Errorf("take load %s out of the index: %w", l.ID, err)
		}
	}
	return nil
}

// isIndexed reports whether all loads are in the index.
func isIndexed(ctx context.Context, b store.Bucket) (bool, error) {
	is, err := isNamed(ctx, b, indexComplete)
	if err != nil {
		return false, fmt.Errorf("open %s: %w", indexComplete, err)
	}
	return is, nil
}

// EnsureIndex adds the loads of older versions to the index, once. It omits records that cannot be read: their
// files show which days they concern.
func EnsureIndex(ctx context.Context, b store.Bucket) error {
	done, err := isIndexed(ctx, b)
	if err != nil || done {
		return err
	}
	names, err := Loads(ctx, b, "")
	if err != nil {
		return err
	}
	loads, replaced := map[string]*Load{}, map[string]bool{}
	for _, name := range names {
		l, ok, err := Loaded(ctx, b, name)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil || !ok {
			continue
		}
		loads[name] = l
		for _, f := range l.Replaces {
			replaced[f] = true
		}
	}
	group, gctx := errgroup.WithContext(ctx)
	group.SetLimit(16) // each waits for the disk
	for _, l := range loads {
		group.Go(func() error { return addToIndex(gctx, b, l, replaced) })
	}
	if err := group.Wait(); err != nil {
		return err
	}
	if err := store.WriteFile(ctx, b, indexComplete, nil); err != nil {
		return fmt.Errorf("finish the index of loads: %w", err)
	}
	return nil
}

// loadsBelow lists the loads that have files below a prefix, by the index.
func loadsBelow(ctx context.Context, b store.Bucket, prefix string) (map[string]bool, error) {
	loads := map[string]bool{}
	all, err := isIndexed(ctx, b)
	if err != nil {
		return nil, err
	}
	if !all {
		return loadsNaming(ctx, b, prefix)
	}
	for e, err := range b.List(ctx, indexFolder(prefix)) {
		if err != nil {
			return nil, err
		}
		if load := path.Base(e.Name); naming.CheckLoad(load) == nil {
			loads[load] = true
		}
	}
	return loads, nil
}

// loadsNaming lists the loads whose records name files below a prefix. Records
// that cannot be read are taken for such, since nobody knows.
func loadsNaming(ctx context.Context, b store.Bucket, prefix string) (map[string]bool, error) {
	names, err := Loads(ctx, b, "")
	if err != nil {
		return nil, err
	}
	loads := map[string]bool{}
	for _, name := range names {
		l, ok, err := Loaded(ctx, b, name)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			loads[name] = naming.CheckLoad(name) == nil
			continue
		}
		for i := 0; ok && i < len(l.Files); i++ {
			loads[name] = loads[name] || strings.HasPrefix(l.Files[i].Name, prefix)
		}
	}
	for name, is := range loads {
		if !is {
			delete(loads, name)
		}
	}
	return loads, nil
}

// indexedDays lists the days for which the index has loads with files of a kind.
func indexedDays(ctx context.Context, b store.Bucket, k Kind) (days []ping.Day, err error) {
	for e, err := range store.Children(ctx, b, naming.Index+"/"+string(k)) {
		if err != nil {
			return nil, fmt.Errorf("list the index of loads: %w", err)
		}
		if day := path.Base(strings.TrimSuffix(e.Name, "/")); naming.ValidDay([]byte(day)) {
			days = append(days, ping.Day(day))
		}
	}
	return days, nil
}

// pruneIndex takes loads out of the index of whose files of a day none counts any
// more, now that a load has replaced some.
func pruneIndex(ctx context.Context, b store.Bucket, l *Load) error {
	if len(l.Replaces) == 0 || l.keepsIndex() {
		return nil
	}
	records, err := replacing(ctx, b, foldersOf(l.Replaces)...)
	if err != nil {
		return err
	}
	replaced, err := replacedBy(ctx, b, records)
	if err != nil {
		return err
	}
	loads := map[string]bool{}
	for _, name := range l.Replaces {
		if load, ok := naming.LoadOf(name); ok {
			loads[load] = true
		}
	}
	for load := range loads {
		r, ok, err := Loaded(ctx, b, load)
		if err != nil || !ok {
			continue // the next reader reports its error
		}
		counted := map[indexed]bool{}
		for i := range r.Files {
			counted[r.Files[i].indexed()] = counted[r.Files[i].indexed()] || !replaced[r.Files[i].Name]
		}
		for at, is := range counted {
			if is {
				continue
			}
			if err := b.Delete(ctx, at.dir()+"/"+load); err != nil {
				return fmt.Errorf("take load %s out of the index: %w", load, err)
			}
		}
	}
	return nil
}
