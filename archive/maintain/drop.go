package maintain

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"time"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/store"
)

// DropOptions configures Drop.
type DropOptions struct {
	Now   time.Time
	Owner string // the common owner of all processes that replace files. See archive.Options.Owner and archive.Writer.Replace.
}

// Drop removes damaged files from the archive, given by name or by the last part of it: their days then consist
// of the other files. For each kind and day one load without files replaces them and records the lost files. If
// a file is intact, Drop refuses it and changes nothing.
func Drop(ctx context.Context, b store.Bucket, names []string, o DropOptions) (lost []archive.LoadFile, err error) {
	days := map[place][]archive.LoadFile{}
	for _, name := range names {
		f, err := damagedOne(ctx, b, path.Base(name))
		if err != nil {
			return nil, fmt.Errorf("give up %s: %w", name, err)
		}
		at := place{f.Kind, f.Day}
		days[at] = append(days[at], f)
	}
	for _, at := range slices.SortedFunc(maps.Keys(days),
		func(x, y place) int { return slices.Compare([]string{x.kind, x.day}, []string{y.kind, y.day}) }) {
		if err := dropDay(ctx, b, at, days[at], o); err != nil {
			return lost, fmt.Errorf("give up files of %s: %w", at.day, err)
		}
		lost = append(lost, days[at]...)
	}
	return lost, nil
}

// place is the kind and the day of files.
type place struct {
	kind string
	day  string // "" when not known
}

func dropDay(ctx context.Context, b store.Bucket, at place, files []archive.LoadFile, o DropOptions) error {
	w, err := archive.NewWriter(ctx, b, archive.Options{Owner: o.Owner})
	if err != nil {
		return err
	}
	name := sha256.New()
	for _, f := range files {
		fmt.Fprintln(name, f.Name)
		w.Replace(f.Name)
	}
	w.Lost(files)
	day := at.day
	if day == "" {
		day = naming.NoDayScope
	}
	load := fmt.Sprintf("%s%s.%s.lost.%s.%s", naming.Replacing, at.kind, day, o.Now.UTC().Format(naming.ExpireTime),
		hex.EncodeToString(name.Sum(nil))[:8])
	_, err = w.Close(ctx, load)
	return errors.Join(err, w.Abort())
}

// damagedOne finds a file of the archive that is damaged, by the last part of its
// name.
func damagedOne(ctx context.Context, b store.Bucket, base string) (archive.LoadFile, error) {
	load, ok := naming.LoadOf(base)
	if !ok {
		return archive.LoadFile{}, errors.New("that is no name of a data file")
	}
	l, ok, err := archive.Loaded(ctx, b, load)
	if err != nil {
		return archive.LoadFile{}, err
	}
	at := -1
	if ok {
		at = slices.IndexFunc(l.Files, func(f archive.LoadFile) bool { return path.Base(f.Name) == base })
	}
	if at < 0 {
		return archive.LoadFile{}, errors.New("no load has that file")
	}
	f := l.Files[at]
	if err := archive.Unreplaced(ctx, b, []string{f.Name}); err != nil {
		return f, err
	}
	whole, err := f.Whole(ctx, b)
	if err == nil && whole {
		err = errors.New("it is whole")
	}
	return f, err
}
