package archive

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"time"

	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/archive/rowfile"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
)

// DropOptions configures Drop.
type DropOptions struct {
	Now   time.Time
	Owner string // the common owner of all processes that replace files. See Options.Owner and Writer.Replace.
}

// Drop removes damaged files from the archive, given by name or by the last part of it: their days then consist
// of the other files. For each kind and day one load without files replaces them and records the lost files. If
// a file is intact, Drop refuses it and changes nothing.
func Drop(ctx context.Context, b store.Bucket, names []string, o DropOptions) (lost []LoadFile, err error) {
	days := map[indexed][]LoadFile{}
	for _, name := range names {
		f, err := damagedOne(ctx, b, path.Base(name))
		if err != nil {
			return nil, fmt.Errorf("give up %s: %w", name, err)
		}
		days[f.indexed()] = append(days[f.indexed()], f)
	}
	for _, at := range slices.SortedFunc(maps.Keys(days), func(x, y indexed) int { return slices.Compare([]string{x.kind, x.day}, []string{y.kind, y.day}) }) {
		if err := dropDay(ctx, b, at, days[at], o); err != nil {
			return lost, fmt.Errorf("give up files of %s: %w", at.day, err)
		}
		lost = append(lost, days[at]...)
	}
	return lost, nil
}

func dropDay(ctx context.Context, b store.Bucket, at indexed, files []LoadFile, o DropOptions) error {
	w, err := NewWriter(ctx, b, Options{Owner: o.Owner})
	if err != nil {
		return err
	}
	name := sha256.New()
	for _, f := range files {
		fmt.Fprintln(name, f.Name)
		w.Replace(f.Name)
	}
	w.lost = files
	day := at.day
	if day == "" {
		day = scopeNone
	}
	load := fmt.Sprintf("%s%s.%s.lost.%s.%s", naming.Replacing, at.kind, day, o.Now.UTC().Format(naming.ExpireTime), hex.EncodeToString(name.Sum(nil))[:8])
	_, err = w.Close(ctx, load)
	return errors.Join(err, w.Abort())
}

// damagedOne finds a file of the archive that is damaged, by the last part of its
// name.
func damagedOne(ctx context.Context, b store.Bucket, base string) (LoadFile, error) {
	load, ok := naming.LoadOf(base)
	if !ok {
		return LoadFile{}, errors.New("that is no name of a data file")
	}
	l, ok, err := Loaded(ctx, b, load)
	if err != nil {
		return LoadFile{}, err
	}
	at := -1
	if ok {
		at = slices.IndexFunc(l.Files, func(f LoadFile) bool { return path.Base(f.Name) == base })
	}
	if at < 0 {
		return LoadFile{}, errors.New("no load has that file")
	}
	f := l.Files[at]
	if err := unreplaced(ctx, b, []string{f.Name}); err != nil {
		return f, err
	}
	whole, err := f.whole(ctx, b)
	if err == nil && whole {
		err = errors.New("it is whole")
	}
	return f, err
}

// whole reads a file to see whether it is as its load has written it.
func (f *LoadFile) whole(ctx context.Context, b store.Bucket) (bool, error) {
	r, err := b.Open(ctx, f.Name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer r.Close()
	if r.Size() != f.Bytes {
		return false, nil
	}
	if f.SHA256 != "" {
		h := sha256.New()
		if _, err := io.Copy(h, r); err != nil {
			return false, fmt.Errorf("read %s: %w", f.Name, err)
		}
		return hex.EncodeToString(h.Sum(nil)) == f.SHA256, nil
	}
	p := f.partition()
	d := &Day{bucket: b, files: []*dayFile{newDayFile(*f)}}
	for _, err := range d.records(ctx, p.kind, 0, rowfile.NoSample, rowfile.AllColumns) {
		if IsDamage(err) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
	}
	return true, nil
}

// Emptied reports whether all pings of a day were undone or given up, so that
// its tables have to be made of none.
func Emptied(ctx context.Context, b store.Bucket, day ping.Day) (bool, error) {
	folder := naming.Pings + "/" + naming.DayKey + string(day) + "/"
	records, err := replacing(ctx, b, folder)
	if err != nil {
		return false, fmt.Errorf("list replacing loads: %w", err)
	}
	for _, name := range records {
		l, err := readLoad(ctx, b, name)
		if err != nil {
			return false, err
		}
		if l.keepsIndex() && slices.ContainsFunc(l.Replaces, func(f string) bool { return dayFolder(f) == folder }) {
			return true, nil
		}
	}
	return false, nil
}
