package maintain

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/archive/rowfile"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
)

// ErrNoLoad means there is no load with that name.
var ErrNoLoad = errors.New("there is no such load")

// Undone is the result of undoing a load.
type Undone struct {
	Load          string
	Already       bool // it was undone before
	Pings, Errors int64
	Days          []ping.Day // of removed files, sorted; "" for errors of no known day
}

// Undo removes the files of a load in one commit: its pings and rejected submissions leave the archive. It also
// removes files that removals and replays have made only from this load's files.
func Undo(ctx context.Context, b store.Bucket, load, owner string) (Undone, error) {
	u := Undone{Load: load}
	if err := u.run(ctx, b, owner); err != nil {
		return u, fmt.Errorf("undo load %.100q: %w", load, err)
	}
	return u, nil
}

func (u *Undone) run(ctx context.Context, b store.Bucket, owner string) (err error) {
	switch {
	case strings.HasPrefix(u.Load, naming.FromSpool):
		return errors.New("it is what the service has received, which is nowhere else")
	case strings.HasPrefix(u.Load, naming.Replacing):
		return errors.New("it has taken the place of files of other loads, which are gone")
	}
	// First of all, since it finishes what a killed one has left.
	w, err := archive.NewWriter(ctx, b, archive.Options{Owner: owner})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Abort()) }()
	l, ok, err := archive.Loaded(ctx, b, u.Load)
	if err == nil && !ok {
		err = ErrNoLoad
	}
	if err != nil {
		return err
	}
	done, ok, err := archive.Loaded(ctx, b, naming.Undoing+u.Load)
	if err != nil {
		return err
	}
	files, err := descendants(ctx, b, l)
	if err != nil {
		return err
	}
	if ok {
		u.Already = true
		u.count(done.Undid)
		return nil
	}
	if len(files) == 0 {
		return errors.New("nothing of it is left")
	}
	u.count(files)
	for _, f := range files {
		w.Replace(f.Name)
	}
	w.Undid(files)
	_, err = w.Close(ctx, naming.Undoing+u.Load)
	return err
}

func (u *Undone) count(files []archive.LoadFile) {
	days := map[string]bool{}
	for _, f := range files {
		days[f.Day] = true
		if f.Kind == rowfile.Rejected.Name() {
			u.Errors += f.Rows
		} else {
			u.Pings += f.Rows
		}
	}
	for _, day := range slices.Sorted(maps.Keys(days)) {
		u.Days = append(u.Days, ping.Day(day))
	}
}

// descendants returns the files that count of a load and of those that have replaced its files. It is an error if one
// of them has replaced files of others, too.
func descendants(ctx context.Context, b store.Bucket, l *archive.Load) ([]archive.LoadFile, error) {
	records, err := archive.Replacements(ctx, b)
	if err != nil {
		return nil, err
	}
	family := []*archive.Load{l}
	own, replaced := map[string]bool{}, map[string]bool{}
	for _, f := range l.Files {
		own[f.Name] = true
	}
	for grown := true; grown; {
		grown = false
		for _, r := range records {
			ours := slices.IndexFunc(r.Replaces, func(f string) bool { return own[f] })
			if ours < 0 || slices.Contains(family, r) {
				continue
			}
			others := slices.IndexFunc(r.Replaces, func(f string) bool { return !own[f] })
			if others >= 0 && len(r.Files) > 0 {
				return nil, fmt.Errorf("load %s has made files of %s and of other loads' (%s): nobody can tell their rows apart",
					r.ID, r.Replaces[ours], r.Replaces[others])
			}
			grown = true
			family = append(family, r)
			for _, f := range r.Files {
				own[f.Name] = true
			}
		}
	}
	for _, r := range records {
		for _, f := range r.Replaces {
			replaced[f] = true
		}
	}
	var files []archive.LoadFile
	for _, m := range family {
		for _, f := range m.Files {
			if !replaced[f.Name] {
				files = append(files, f)
			}
		}
	}
	return files, nil
}

// IsUndone reports whether a load was undone.
func IsUndone(ctx context.Context, b store.Bucket, load string) (bool, error) {
	_, ok, err := archive.Loaded(ctx, b, naming.Undoing+load)
	return ok, err
}
