package loader

import (
	"context"
	"slices"
	"time"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/archive/maintain"
	"github.com/pingmill/pingmill/archive/statefile"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/site"
)

// UndoneLoad is the result of undoing a load.
type UndoneLoad struct {
	maintain.Undone

	Stale []job.Unit // published partitions that were made from its pings; see Replayed.Stale
}

// UndoLoad undoes a load of files as a whole: its pings leave the archive. The same file can be loaded again
// afterwards. No replay or removal of clients may run meanwhile.
func UndoLoad(ctx context.Context, s *site.Site, load string) (u UndoneLoad, err error) {
	lock, err := s.LockRewriting(ctx)
	if err != nil {
		return u, err
	}
	defer lock.Release()
	if u.Undone, err = maintain.Undo(ctx, s.Archive, load, site.RewriteOwner); err != nil {
		return u, err
	}
	u.Stale, err = etl.StaleUnits(ctx, &s.Data, known(u.Days))
	return u, err
}

// known leaves out that there is no day.
func known(days []ping.Day) (all []ping.Day) {
	for _, d := range days {
		if d != "" {
			all = append(all, d)
		}
	}
	return all
}

// DroppedFiles lists files of the archive that were dropped.
type DroppedFiles struct {
	Files []archive.LoadFile
	State []DroppedState
	Stale []job.Unit
}

// DroppedState is a dropped state object with the consequence, if any.
type DroppedState struct{ Name, Follows string }

// DropFiles drops damaged files of the archive: runs then make their days from the other files. State objects,
// such as progress/v1/edge.json, are given by their names in the archive. No replay or removal of clients may
// run meanwhile.
func DropFiles(ctx context.Context, s *site.Site, names []string, now time.Time) (d DroppedFiles, err error) {
	lock, err := s.LockRewriting(ctx)
	if err != nil {
		return d, err
	}
	defer lock.Release()
	var files []string
	for _, name := range names {
		if !statefile.Is(name) {
			files = append(files, name)
			continue
		}
		follows, err := statefile.Drop(ctx, s.Archive, name)
		if err != nil {
			return d, err
		}
		d.State = append(d.State, DroppedState{name, follows})
	}
	if d.Files, err = maintain.Drop(ctx, s.Archive, files, maintain.DropOptions{Now: now, Owner: site.RewriteOwner}); err != nil {
		return d, err
	}
	days := dayList{}
	for _, f := range d.Files {
		if f.Day != "" && archive.Kind(f.Kind) == archive.KindPings {
			days.add(ping.Day(f.Day))
		}
	}
	d.Stale, err = etl.StaleUnits(ctx, &s.Data, days)
	if archive.IsDamage(err) { // of other files of these days
		err = nil
	}
	return d, err
}

// RebuildLoad makes the record of a load again from its files. No replay or removal
// of clients may be at work.
func RebuildLoad(ctx context.Context, s *site.Site, load string) (r maintain.Rebuilt, err error) {
	lock, err := s.LockRewriting(ctx)
	if err != nil {
		return r, err
	}
	defer lock.Release()
	return maintain.Rebuild(ctx, s.Archive, load)
}

// dayList is a sorted set of days.
type dayList []ping.Day

func (l *dayList) add(days ...ping.Day) {
	*l = append(*l, days...)
	slices.Sort(*l)
	*l = slices.Compact(*l)
}
